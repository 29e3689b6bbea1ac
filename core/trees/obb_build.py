# SPDX-License-Identifier: GPL-3.0-or-later
"""A binary tree of oriented boxes, from the whole down to one triangle per leaf (the 2017 document, §2.1).

A node is split across its longest axis at the mean of the triangles' middles, as RAPID does it; where that is so
lopsided that trees could grow deep, at their median. n triangles give 2 n - 1 nodes; siblings have following numbers.
"""
import numpy as np

from ..jit import kernel
from .obb_fit import CANDIDATES, fit_box

LOPSIDED = 16                   # a side has at least a sixteenth of the triangles: trees of n have ≤ 11 ln n levels
STACK = 256                     # nodes that wait: the smaller side is done first, so that there are ≤ log2 n of them


def scratch() -> tuple[np.ndarray, ...]:
    """stack, C, A and E of the kernel below."""
    return np.empty((STACK, 2), np.int64), np.empty((3, 3)), np.empty((CANDIDATES, 3, 3)), np.empty((CANDIDATES, 2, 3))


@kernel
def plant(corners, split, node_start, slot_start, slots, left, right, first, count, centre, axes, half, keys, stack, C,
          A, E):
    """Build the tree over n triangles; with split=False only the boxes, of a tree that there is.

    corners: (n,3,3) float64, at most 1 from the origin. The tree takes nodes node_start … node_start + 2 n - 2 of
    left, right, first and count (int32) and of centre, axes and half, and slot_start … slot_start + n - 1 of slots
    (int32): left, right and first count from the beginning of these arrays, slots are numbers of triangles.
    keys: (n,) float64, stack (STACK,2) int64, C, A and E: scratch.
    """
    n = corners.shape[0]
    if split:
        first[node_start] = slot_start
        count[node_start] = n
        for k in range(n):
            slots[slot_start + k] = k
    used = node_start + 1
    stack[0, 0] = node_start
    stack[0, 1] = -1
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth, 0]
        start = np.int64(first[node])
        stop = start + count[node]
        fit_box(corners, slots, start, stop, node, stack[depth, 1], centre, axes, half, C, A, E)
        if stop - start == 1:
            left[node] = right[node] = -1
            continue
        if split:
            middle = divide(corners, slots, start, stop, axes[node, 0], slot_start, keys)
            left[node] = used
            right[node] = used + 1
            first[used] = start
            count[used] = middle - start
            first[used + 1] = middle
            count[used + 1] = stop - middle
            used += 2
        larger = 0 if count[left[node]] > count[right[node]] else 1
        stack[depth, 0] = left[node] if larger == 0 else right[node]
        stack[depth + 1, 0] = right[node] if larger == 0 else left[node]
        stack[depth, 1] = stack[depth + 1, 1] = node
        depth += 2


@kernel
def divide(corners, slots, start, stop, axis, slot_start, keys):
    """Order slots[start:stop] so that two parts lie one behind the other along the axis; returns where the second one
    begins. Neither is empty, whatever the triangles."""
    total = 0.0
    for k in range(start, stop):
        t = slots[k]
        key = 0.0
        for x in range(3):
            key += (corners[t, 0, x] + corners[t, 1, x] + corners[t, 2, x]) * axis[x]
        keys[k - slot_start] = key
        total += key
    mean = total / (stop - start)
    i = start
    j = stop - 1
    while i <= j:
        if keys[i - slot_start] < mean:
            i += 1
        else:
            _exchange(slots, keys, i, j, slot_start)
            j -= 1
    if LOPSIDED * min(i - start, stop - i) >= stop - start:
        return i
    _select(slots, keys, start, stop, slot_start)
    return (start + stop) >> 1


@kernel
def _select(slots, keys, start, stop, slot_start):
    """Order slots[start:stop] by halves: no key of the first half is larger than one of the second (Hoare's FIND)."""
    wanted = (start + stop) >> 1
    low = start
    high = stop - 1
    while low < high:
        pivot = keys[((low + high) >> 1) - slot_start]
        i = low
        j = high
        while i <= j:
            while keys[i - slot_start] < pivot:
                i += 1
            while keys[j - slot_start] > pivot:
                j -= 1
            if i <= j:
                _exchange(slots, keys, i, j, slot_start)
                i += 1
                j -= 1
        if wanted <= j:
            high = j
        elif wanted >= i:
            low = i
        else:
            break


@kernel
def _exchange(slots, keys, i, j, slot_start):
    slots[i], slots[j] = slots[j], slots[i]
    keys[i - slot_start], keys[j - slot_start] = keys[j - slot_start], keys[i - slot_start]
