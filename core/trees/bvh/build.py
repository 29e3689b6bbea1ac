# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear BVH: items sorted along a Morton curve and split where its highest differing bit changes.

After Lauterbach et al., "Fast BVH Construction on GPUs" (2009); split straight into nodes of four children. Of the
builds that were measured (binned SAH, balanced split) this one has the best sum of build and query time.
"""
from dataclasses import dataclass

import numpy as np

from ...machine_code.jit import kernel

LEAF = 4                        # items in a bottom node
CELLS = 1024                    # per axis: 30-bit codes
EMPTY = 0                       # an inner node's missing child: 0 is the root, which is nobody's child


@dataclass(eq=False)
class Tree:
    """The part of a tree that does not depend on where its items are (see the package's docstring)."""

    children: np.ndarray        # (m,4) int32
    bottom: np.ndarray          # (m,) uint8: 1 for bottom nodes
    order: np.ndarray           # (n,) int32: item in each slot
    root: int                   # 0, or ~0 where the root is a bottom node


def build(centres: np.ndarray) -> Tree:
    """Tree over n ≥ 1 items given by a point each. centres: (n,3) float64, finite."""
    n = len(centres)
    codes, sorted_codes = np.empty(n, np.uint32), np.empty(n, np.uint32)
    items, order = np.empty(n, np.int32), np.empty(n, np.int32)
    children, bottom = np.empty((2 * n, 4), np.int32), np.empty(2 * n, np.uint8)
    m = grow(centres, codes, items, sorted_codes, order, children, bottom, *scratch())
    return Tree(children[:m].copy(), bottom[:m].copy(), order, ~0 if bottom[0] else 0)


def along_a_curve(points: np.ndarray) -> np.ndarray:
    """(n,) int32: the points in the order of the Morton curve. points: (n,3) float64, n ≥ 1, finite."""
    codes = np.empty((2, len(points)), np.uint32)
    order = np.empty((2, len(points)), np.int32)
    morton_codes(points, codes[0])
    sort_codes(codes[0], order[0], codes[1], order[1], scratch()[0])
    return order[1]


def scratch() -> tuple[np.ndarray, ...]:
    """histogram, stack and parts of the kernels below."""
    return np.empty((3, CELLS), np.int32), np.empty((512, 3), np.int64), np.empty((4, 2), np.int64)


@kernel
def grow(centres, codes, items, sorted_codes, order, children, bottom, histogram, stack, parts):
    """All of a build; returns the number of nodes. codes, items and sorted_codes (n,) are scratch."""
    morton_codes(centres, codes)
    sort_codes(codes, items, sorted_codes, order, histogram)
    return split_codes(sorted_codes, children, bottom, stack, parts)


@kernel
def _spread(v):
    """The ten bits of v, two empty places between them."""
    v = (v | (v << np.uint32(16))) & np.uint32(0x030000FF)
    v = (v | (v << np.uint32(8))) & np.uint32(0x0300F00F)
    v = (v | (v << np.uint32(4))) & np.uint32(0x030C30C3)
    return (v | (v << np.uint32(2))) & np.uint32(0x09249249)


@kernel
def _code(x, y, z):
    return ((_spread(np.uint32(x)) << np.uint32(2)) | (_spread(np.uint32(y)) << np.uint32(1))
            | _spread(np.uint32(z)))


@kernel
def _grid(points):
    """Lowest coordinates of points, and cells per length: the same for all axes, so that splits fall on the longest
    side first. 0 cells where all is one place, or beyond what can be scaled: any tree is right then."""
    low0 = high0 = points[0, 0]
    low1 = high1 = points[0, 1]
    low2 = high2 = points[0, 2]
    for i in range(points.shape[0]):
        low0 = min(low0, points[i, 0])
        high0 = max(high0, points[i, 0])
        low1 = min(low1, points[i, 1])
        high1 = max(high1, points[i, 1])
        low2 = min(low2, points[i, 2])
        high2 = max(high2, points[i, 2])
    edge = max(high0 - low0, max(high1 - low1, high2 - low2))
    cells = 0.0
    if 1e-290 < edge < 1e290:
        cells = (CELLS - 0.001) / edge
    return low0, low1, low2, cells


@kernel
def morton_codes(centres, codes):
    """30-bit codes of points. centres: (n,3) float64 → codes: (n,) uint32."""
    low0, low1, low2, cells = _grid(centres)
    for i in range(centres.shape[0]):
        codes[i] = 0
        if cells > 0.0:
            codes[i] = _code((centres[i, 0] - low0) * cells, (centres[i, 1] - low1) * cells,
                             (centres[i, 2] - low2) * cells)


@kernel
def triangle_codes(vertices, triangles, codes):
    """30-bit codes of the middles of triangles' boxes. (n,3) float64, (m,3) int32 → codes: (m,) uint32."""
    low0, low1, low2, cells = _grid(vertices)
    half = 0.5 * cells
    for i in range(triangles.shape[0]):
        a = triangles[i, 0]
        b = triangles[i, 1]
        c = triangles[i, 2]
        codes[i] = 0
        if cells > 0.0:
            x = min(vertices[a, 0], min(vertices[b, 0], vertices[c, 0])) - low0
            y = min(vertices[a, 1], min(vertices[b, 1], vertices[c, 1])) - low1
            z = min(vertices[a, 2], min(vertices[b, 2], vertices[c, 2])) - low2
            x += max(vertices[a, 0], max(vertices[b, 0], vertices[c, 0])) - low0
            y += max(vertices[a, 1], max(vertices[b, 1], vertices[c, 1])) - low1
            z += max(vertices[a, 2], max(vertices[b, 2], vertices[c, 2])) - low2
            codes[i] = _code(x * half, y * half, z * half)


@kernel
def sort_codes(codes, items, sorted_codes, order, histogram):
    """Stable radix sort, three passes of ten bits. Sorted codes and their items go to the second pair of arrays;
    the first pair is scratch. histogram: (3, CELLS) int32, scratch."""
    n = codes.shape[0]
    mask = np.uint32(CELLS - 1)
    for turn in range(3):
        for digit in range(CELLS):
            histogram[turn, digit] = 0
    for i in range(n):
        code = codes[i]
        histogram[0, code & mask] += 1
        histogram[1, (code >> np.uint32(10)) & mask] += 1
        histogram[2, (code >> np.uint32(20)) & mask] += 1
        items[i] = i
    for turn in range(3):
        start = 0
        for digit in range(CELLS):
            count = histogram[turn, digit]
            histogram[turn, digit] = start
            start += count
    for turn in range(3):
        shift = np.uint32(10 * turn)
        for i in range(n):
            code = sorted_codes[i] if turn == 1 else codes[i]
            item = order[i] if turn == 1 else items[i]
            digit = (code >> shift) & mask
            place = histogram[turn, digit]
            histogram[turn, digit] = place + 1
            if turn == 1:
                codes[place] = code
                items[place] = item
            else:
                sorted_codes[place] = code
                order[place] = item


@kernel
def _split(codes, start, end):
    """First index of the upper half: where the highest differing bit changes, the middle when all codes are equal."""
    different = codes[start] ^ codes[end - 1]
    if different == 0:
        return (start + end) >> 1
    bit = np.uint32(1 << 29)
    while (different & bit) == 0:
        bit >>= np.uint32(1)
    low = start
    high = end - 1
    while high - low > 1:
        middle = (low + high) >> 1
        if codes[middle] & bit:
            high = middle
        else:
            low = middle
    return high


@kernel
def split_codes(codes, children, bottom, stack, parts):
    """Topology over sorted codes; returns the number of nodes. children: (≥ 2n,4), bottom: (≥ 2n,); stack (512,3)
    and parts (4,2), int64, are scratch.

    A node's range is split, the largest part first, until it has four parts or none is larger than a leaf; a range
    that four leaves can hold is shared among them evenly.
    """
    stack[0, 0] = 0
    stack[0, 1] = codes.shape[0]
    stack[0, 2] = -1
    depth = 1
    m = 0
    while depth > 0:
        depth -= 1
        start = stack[depth, 0]
        end = stack[depth, 1]
        slot = stack[depth, 2]              # where the parent wants this node's number
        node = m
        m += 1
        leaf = end - start <= LEAF
        if slot >= 0:
            children[slot >> 2, slot & 3] = ~node if leaf else node
        bottom[node] = leaf
        if leaf:
            for q in range(4):
                children[node, q] = start + q if start + q < end else -1
            continue
        parts[0, 0] = start
        parts[0, 1] = end
        count = 1
        if end - start <= 4 * LEAF:         # full leaves: a seventh fewer nodes than splits at bits would give
            count = (end - start + LEAF - 1) // LEAF
            for q in range(count):
                parts[q, 0] = start + (end - start) * q // count
                parts[q, 1] = start + (end - start) * (q + 1) // count
        while count < 4 and end - start > 4 * LEAF:
            largest = 0
            for q in range(1, count):
                if parts[q, 1] - parts[q, 0] > parts[largest, 1] - parts[largest, 0]:
                    largest = q
            if parts[largest, 1] - parts[largest, 0] <= LEAF:
                break
            middle = _split(codes, parts[largest, 0], parts[largest, 1])
            parts[count, 0] = middle
            parts[count, 1] = parts[largest, 1]
            parts[largest, 1] = middle
            count += 1
        for q in range(4):
            children[node, q] = EMPTY
        for q in range(count - 1, -1, -1):
            stack[depth, 0] = parts[q, 0]
            stack[depth, 1] = parts[q, 1]
            stack[depth, 2] = (node << 2) | q
            depth += 1
    return m
