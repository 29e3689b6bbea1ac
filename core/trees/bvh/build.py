# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear BVH: items sorted along a Morton curve and split where its highest differing bit changes.

After Lauterbach et al., "Fast BVH Construction on GPUs" (2009); split straight into nodes of four children. Of the
builds that were measured (binned SAH, balanced split) this one has the best sum of build and query time.
"""
from dataclasses import dataclass

import numpy as np

from ...machine_code.jit import kernel
from ...records import BvhScratch
from .nodes import EMPTY, leaf_code

ITEMS_PER_LEAF = 4
CELLS_PER_AXIS = 1024           # 30-bit codes


@dataclass(eq=False)
class Tree:
    """The part of a tree that does not depend on where its items are (see the package trees)."""

    children: np.ndarray        # (m,4) int32
    leaf: np.ndarray            # (m,) uint8, 1 for leaves
    order: np.ndarray           # (n,) int32, item in each slot
    root: int                   # code of node 0


def build(centres: np.ndarray) -> Tree:
    """The tree over n ≥ 1 items given by a point each. centres: (n,3) float64, finite."""
    n = len(centres)
    order, children, leaf = np.empty(n, np.int32), np.empty((2 * n, 4), np.int32), np.empty(2 * n, np.uint8)
    m = build_nodes(centres, order, children, leaf, build_scratch(n))
    return Tree(children[:m].copy(), leaf[:m].copy(), order, ~0 if leaf[0] else 0)


def along_a_curve(points: np.ndarray) -> np.ndarray:
    """(n,) int32: the points in the order of the Morton curve. points: (n,3) float64, n ≥ 1, finite."""
    scratch, order = build_scratch(len(points)), np.empty(len(points), np.int32)
    morton_codes(points, scratch.codes[0])
    sort_codes(scratch.codes[0], scratch.items, scratch.codes[1], order, scratch.histogram)
    return order


def build_scratch(n: int) -> BvhScratch:
    """Scratch memory for trees over up to n items."""
    return BvhScratch(np.empty((2, n), np.uint32), np.empty(n, np.int32), np.empty((3, CELLS_PER_AXIS), np.int32),
                      np.empty((512, 3), np.int64), np.empty((4, 2), np.int64), np.empty(2, np.int64))


@kernel
def build_nodes(centres, order, children, leaf, scratch):
    """Build the whole tree; returns the number of nodes. scratch: BvhScratch for exactly these n items."""
    morton_codes(centres, scratch.codes[0])
    sort_codes(scratch.codes[0], scratch.items, scratch.codes[1], order, scratch.histogram)
    return split_codes(scratch.codes[1], children, leaf, scratch)


@kernel
def _space_bits(v):
    """The ten bits of v, two empty places between them."""
    v = (v | (v << np.uint32(16))) & np.uint32(0x030000FF)
    v = (v | (v << np.uint32(8))) & np.uint32(0x0300F00F)
    v = (v | (v << np.uint32(4))) & np.uint32(0x030C30C3)
    return (v | (v << np.uint32(2))) & np.uint32(0x09249249)


@kernel
def _code(x, y, z):
    """The Morton code of a cell: bits of x, y and z in turn."""
    return ((_space_bits(np.uint32(x)) << np.uint32(2)) | (_space_bits(np.uint32(y)) << np.uint32(1))
            | _space_bits(np.uint32(z)))


@kernel
def code_grid(points):
    """(x, y, z, cells): the points' lowest coordinates and the number of cells per unit of length. Cells are cubes, so
    that splits fall on the longest side first. cells is 0 where all points are in one place, or where coordinates
    cannot be scaled: any tree is right then."""
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
        cells = (CELLS_PER_AXIS - 0.001) / edge
    return low0, low1, low2, cells


@kernel
def morton_codes(centres, codes):
    """codes[i] = 30-bit Morton code of centres[i]. centres: (n,3) float64; codes: (n,) uint32."""
    low0, low1, low2, cells = code_grid(centres)
    for i in range(centres.shape[0]):
        codes[i] = 0
        if cells > 0.0:
            codes[i] = _code((centres[i, 0] - low0) * cells, (centres[i, 1] - low1) * cells,
                             (centres[i, 2] - low2) * cells)


@kernel
def triangle_codes(vertices, triangles, codes):
    """codes[i] = 30-bit Morton code of the middle of triangle i's box. vertices: (n,3) float64; triangles: (m,3) int32;
    codes: (m,) uint32."""
    codes_in_grid(code_grid(vertices), vertices, triangles, codes)


@kernel
def codes_in_grid(grid, vertices, triangles, codes):
    """As triangle_codes, of some of the triangles. grid: that of all vertices."""
    low0, low1, low2, cells = grid
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
    """Sort n codes: a stable radix sort, three passes of ten bits.

    The sorted codes and their items end in sorted_codes and order; codes and items are overwritten. histogram: (3,
    CELLS_PER_AXIS) int32, scratch. radix_sort.py sorts keys of any size; this sort counts all digits in one pass over
    half as many bytes.
    """
    for digit in range(3):
        for value in range(CELLS_PER_AXIS):
            histogram[digit, value] = 0
    count_digits(codes, 0, items, histogram)
    counts_to_places(histogram)
    sort_by_digit(0, codes, items, sorted_codes, order, histogram)
    sort_by_digit(1, sorted_codes, order, codes, items, histogram)
    sort_by_digit(2, codes, items, sorted_codes, order, histogram)


@kernel
def count_digits(codes, first, items, histogram):
    """Count the digits of codes (n,), and number their items from `first` on."""
    mask = np.uint32(CELLS_PER_AXIS - 1)
    for i in range(codes.shape[0]):
        code = codes[i]
        histogram[0, code & mask] += 1
        histogram[1, (code >> np.uint32(10)) & mask] += 1
        histogram[2, (code >> np.uint32(20)) & mask] += 1
        items[i] = first + i


@kernel
def counts_to_places(histogram):
    """The place of the first code with each digit, from the numbers of codes with each."""
    for digit in range(3):
        start = 0
        for value in range(CELLS_PER_AXIS):
            count = histogram[digit, value]
            histogram[digit, value] = start
            start += count


@kernel
def sort_by_digit(digit, codes, items, sorted_codes, order, histogram):
    """Put the next codes (n,) and items at their places by one digit. The places in `histogram` move on."""
    mask = np.uint32(CELLS_PER_AXIS - 1)
    shift = np.uint32(10 * digit)
    for i in range(codes.shape[0]):
        code = codes[i]
        value = (code >> shift) & mask
        to = histogram[digit, value]
        histogram[digit, value] = to + 1
        sorted_codes[to] = code
        order[to] = items[i]


@kernel
def _split(codes, start, end):
    """First place of the upper half: where the highest differing bit changes; the middle where all codes are equal."""
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
def split_codes(codes, children, leaf, scratch):
    """Make the nodes over sorted codes (n,); returns their number. children: (≥ 2n,4), leaf: (≥ 2n,); scratch:
    BvhScratch."""
    begin_splitting(codes.shape[0], scratch)
    go_on_splitting(codes, children, leaf, 2 * codes.shape[0], scratch)
    return scratch.splitting[1]


@kernel
def begin_splitting(n, scratch):
    """Let `scratch` hold the root's range, n codes, as all that is to be split."""
    scratch.stack[0, 0] = 0
    scratch.stack[0, 1] = n
    scratch.stack[0, 2] = -1
    scratch.splitting[0] = 1
    scratch.splitting[1] = 0


@kernel
def go_on_splitting(codes, children, leaf, most, scratch):
    """Make nodes until all are made, or `most` of them; scratch.splitting tells how many ranges are left.

    The range of a node is split, the largest part first, until it has four parts or none is larger than a leaf. A
    range that four leaves can hold is shared among them evenly.
    """
    stack = scratch.stack
    ranges = scratch.ranges
    depth = scratch.splitting[0]
    m = scratch.splitting[1]
    end_at = m + most
    while depth > 0 and m < end_at:
        depth -= 1
        start = stack[depth, 0]
        end = stack[depth, 1]
        child = stack[depth, 2]             # 4·parent + column: where the parent keeps this node's code
        node = m
        m += 1
        full = end - start <= ITEMS_PER_LEAF
        if child >= 0:
            children[child >> 2, child & 3] = leaf_code(node) if full else node
        leaf[node] = full
        if full:
            for q in range(4):
                children[node, q] = start + q if start + q < end else -1
            continue
        ranges[0, 0] = start
        ranges[0, 1] = end
        count = 1
        if end - start <= 4 * ITEMS_PER_LEAF:       # full leaves: a seventh fewer nodes than splits at bits would give
            count = (end - start + ITEMS_PER_LEAF - 1) // ITEMS_PER_LEAF
            for q in range(count):
                ranges[q, 0] = start + (end - start) * q // count
                ranges[q, 1] = start + (end - start) * (q + 1) // count
        while count < 4 and end - start > 4 * ITEMS_PER_LEAF:
            largest = 0
            for q in range(1, count):
                if ranges[q, 1] - ranges[q, 0] > ranges[largest, 1] - ranges[largest, 0]:
                    largest = q
            if ranges[largest, 1] - ranges[largest, 0] <= ITEMS_PER_LEAF:
                break
            middle = _split(codes, ranges[largest, 0], ranges[largest, 1])
            ranges[count, 0] = middle
            ranges[count, 1] = ranges[largest, 1]
            ranges[largest, 1] = middle
            count += 1
        for q in range(4):
            children[node, q] = EMPTY
        for q in range(count - 1, -1, -1):
            stack[depth, 0] = ranges[q, 0]
            stack[depth, 1] = ranges[q, 1]
            stack[depth, 2] = (node << 2) | q
            depth += 1
    scratch.splitting[0] = depth
    scratch.splitting[1] = m
