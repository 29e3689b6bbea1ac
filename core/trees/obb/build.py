# SPDX-License-Identifier: GPL-3.0-or-later
"""A binary tree of oriented boxes, from the whole down to one triangle per leaf (the 2017 document, §2.1).

A node is split across its longest axis at the mean of the triangles' middles, as RAPID does it; where that is so
lopsided that trees could grow deep, at their median. n triangles give 2 n - 1 nodes; siblings have following numbers.
"""
import numpy as np

from ...machine_code.jit import kernel
from .fit import AXES, CANDIDATES, HALF, fit_box

LOPSIDED = 16                   # a side has at least a sixteenth of the triangles: trees of n have ≤ 11 ln n levels
STACK = 256                     # nodes that wait: the smaller side is done first, so that there are ≤ log2 n of them


def scratch() -> tuple[np.ndarray, ...]:
    """stack, C, A and E of the kernel below."""
    return np.empty((STACK, 2), np.int64), np.empty((3, 3)), np.empty((CANDIDATES, 3, 3)), np.empty((CANDIDATES, 2, 3))


@kernel
def plant(corners, split, node_start, slot_start, slots, left, first, count, boxes, keys, stack, C, A, E):
    """Build the tree over n triangles; with split=False only the boxes, of a tree that there is.

    corners: (n,3,3) float64, at most 1 from the origin, put in the order of the slots by a build, and wanted in that
    order otherwise: so all that is done with a node's triangles runs through memory in one line. The tree takes nodes
    node_start … node_start + 2 n - 2 of left, first and count (int32) and of boxes (…,BOX), and slot_start …
    slot_start + n - 1 of slots (int32): left and first count from the beginning of these arrays, slots are numbers of
    triangles. The right child is the one after the left one. keys: (n,) float64, stack (STACK,2) int64, C, A and E:
    scratch.
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
        start = first[node] - slot_start
        stop = start + count[node]
        fit_box(corners, start, stop, node, stack[depth, 1], boxes, C, A, E)
        if stop - start == 1:
            left[node] = -1
            continue
        if split:
            middle = divide(corners, slots[slot_start:slot_start + n], start, stop, boxes[node, AXES:HALF], keys)
            left[node] = used
            first[used] = slot_start + start
            count[used] = middle - start
            first[used + 1] = slot_start + middle
            count[used + 1] = stop - middle
            used += 2
        swap = count[left[node]] > count[left[node] + 1]
        stack[depth, 0] = left[node] + (not swap)
        stack[depth + 1, 0] = left[node] + swap
        stack[depth, 1] = stack[depth + 1, 1] = node
        depth += 2


@kernel
def divide(corners, slots, start, stop, axis, keys):
    """Order the triangles start … stop-1 so that two parts lie one behind the other along the axis; returns where the
    second one begins. Neither is empty, whatever the triangles."""
    total = 0.0
    for k in range(start, stop):
        key = 0.0
        for x in range(3):
            key += (corners[k, 0, x] + corners[k, 1, x] + corners[k, 2, x]) * axis[x]
        keys[k] = key
        total += key
    mean = total / (stop - start)
    i = start
    j = stop - 1
    while i <= j:
        if keys[i] < mean:
            i += 1
        elif keys[j] >= mean:
            j -= 1
        else:
            _exchange(corners, slots, keys, i, j)
    if LOPSIDED * min(i - start, stop - i) >= stop - start:
        return i
    _select(corners, slots, keys, start, stop)
    return (start + stop) >> 1


@kernel
def _select(corners, slots, keys, start, stop):
    """Order the triangles start … stop-1 by halves: no key of the first half is larger than one of the second (Hoare's
    FIND)."""
    wanted = (start + stop) >> 1
    low = start
    high = stop - 1
    while low < high:
        pivot = keys[(low + high) >> 1]
        i = low
        j = high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                _exchange(corners, slots, keys, i, j)
                i += 1
                j -= 1
        if wanted <= j:
            high = j
        elif wanted >= i:
            low = i
        else:
            break


@kernel
def _exchange(corners, slots, keys, i, j):
    slots[i], slots[j] = slots[j], slots[i]
    keys[i], keys[j] = keys[j], keys[i]
    for c in range(3):
        for x in range(3):
            corners[i, c, x], corners[j, c, x] = corners[j, c, x], corners[i, c, x]
