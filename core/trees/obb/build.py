# SPDX-License-Identifier: GPL-3.0-or-later
"""A binary tree of oriented boxes, from the whole down to one triangle per leaf (the 2017 document, §2.1).

A node is split across its longest axis at the mean of the triangles' middles, as in RAPID. Where that is so lopsided
that trees could grow deep, the node is split at their median. n triangles give 2 n - 1 nodes. A right child has the
number after its left sibling's.
"""
from collections.abc import Callable

import numpy as np

from ...machine_code.jit import kernel
from ...records import ObbBuildScratch, ObbNodes
from .fit import CANDIDATES, fit_box
from .nodes import AXES_AT, HALF_AT

LOPSIDED = 16                   # a side has at least a sixteenth of the triangles: trees of n have ≤ 11 ln n levels
MOST_TRIANGLES_PER_CALL = 1 << 18   # of the kernel, each in every node that it is in: some tens of milliseconds
BEGIN = -1
STACK_ROWS = 256                # nodes that wait: the smaller side is done first, so that there are ≤ log2 n of them


def build_scratch(n: int) -> ObbBuildScratch:
    """Scratch memory for a tree over n triangles."""
    return ObbBuildScratch(np.empty(n), np.empty((STACK_ROWS, 2), np.int64), np.empty((3, 3)),
                           np.empty((CANDIDATES, 3, 3)), np.empty((CANDIDATES, 2, 3)))


def build(corners: np.ndarray, split: bool, node_start: int, slot_start: int, nodes: ObbNodes,
          pause: Callable[[], object]) -> None:
    """Build the tree over n triangles; with split=False, only fit the boxes of a tree that is there.

    corners: (n,3,3) float64, at most 1 from the origin. A build puts them in the order of the slots, a fit wants them
    in that order: all that is done with a node's triangles then runs through memory in one line. nodes: ObbNodes, of
    which the tree takes the nodes node_start … node_start + 2 n - 2 and the slots slot_start … slot_start + n - 1. A
    leaf gets the code -1; the caller replaces it by its triangle. pause(): called a few times a second, may raise.
    """
    scratch, state = build_scratch(len(corners)), np.array([BEGIN, 0], np.int64)
    while state[0]:
        build_nodes(corners, split, node_start, slot_start, nodes, scratch, state, MOST_TRIANGLES_PER_CALL)
        pause()


@kernel
def build_nodes(corners, split, node_start, slot_start, nodes, scratch, state, most):
    """Build some nodes, which have about `most` triangles together, or more where the first of them has.

    state: (2,) int64, how many nodes wait, BEGIN at first, 0 once all are built; and the number of the next one. The
    others as for `build`; scratch: ObbBuildScratch for n triangles.
    """
    n = corners.shape[0]
    left = nodes.code
    first = nodes.first_slot
    count = nodes.slot_count
    boxes = nodes.boxes
    stack = scratch.stack
    slots = nodes.slots[slot_start:slot_start + n]
    if state[0] == BEGIN:
        if split:
            first[node_start] = slot_start
            count[node_start] = n
            for k in range(n):
                slots[k] = k
        stack[0, 0] = node_start
        stack[0, 1] = -1
        state[0] = 1
        state[1] = node_start + 1
    depth = state[0]
    used = state[1]
    done = 0
    while depth > 0 and done < most:
        depth -= 1
        node = stack[depth, 0]
        start = first[node] - slot_start
        stop = start + count[node]
        done += count[node]
        fit_box(corners, start, stop, node, stack[depth, 1], boxes, scratch)
        if stop - start == 1:
            left[node] = -1
            continue
        if split:
            middle = divide(corners, slots, start, stop, boxes[node, AXES_AT:HALF_AT], scratch.keys)
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
    state[0] = depth
    state[1] = used


@kernel
def divide(corners, slots, start, stop, axis, keys):
    """Order the triangles start … stop-1 so that two parts lie one behind the other along the axis; returns where the
    second part begins. Neither part is empty, whatever the triangles. keys: (n,) float64, scratch."""
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
    """Order the triangles start … stop-1 so that no key of the first half is larger than one of the second half.

    After Hoare's FIND.
    """
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
    """Exchange two triangles."""
    slots[i], slots[j] = slots[j], slots[i]
    keys[i], keys[j] = keys[j], keys[i]
    for c in range(3):
        for x in range(3):
            corners[i, c, x], corners[j, c, x] = corners[j, c, x], corners[i, c, x]
