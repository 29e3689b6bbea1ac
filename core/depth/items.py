# SPDX-License-Identifier: GPL-3.0-or-later
"""A heap of nodes and pieces of surface, the largest bound on top, over rows that are used again."""
import numpy as np

from ..machine_code.jit import kernel

WAITING, FREE_ROWS, STEPS_TAKEN, BEGUN = range(4)   # of DepthItems.state
ITEM_FEATURES = 6           # triangles of the other object that an item remembers
SIDE, NODE, CUTS, HAS_WAITED = range(4)      # columns of DepthItems.kind
PIECE = -2 ** 31            # in place of a node's code
DISTANCES_UNKNOWN = -1.0         # in place of distances
FIRST_ITEMS = 1 << 14       # that a thread has memory for at first


@kernel
def clear(items):
    """Leave no item."""
    for i in range(items.state[WAITING]):
        items.free[items.state[FREE_ROWS]] = items.row[i]
        items.state[FREE_ROWS] += 1
    items.state[WAITING] = 0
    items.state[STEPS_TAKEN] = 0


@kernel
def room(items):
    """How many more items fit into the memory that a thread has at first: searches that give up where there is no more
    must not depend on whether another pair made it grow."""
    return FIRST_ITEMS - items.state[WAITING]


@kernel
def push(items, bound):
    """The row of a new item with this bound. There must be a free one."""
    items.state[FREE_ROWS] -= 1
    row = items.free[items.state[FREE_ROWS]]
    at = items.state[WAITING]
    items.state[WAITING] += 1
    while at > 0 and items.bound[(at - 1) // 2] < bound:
        items.bound[at] = items.bound[(at - 1) // 2]
        items.row[at] = items.row[(at - 1) // 2]
        at = (at - 1) // 2
    items.bound[at] = bound
    items.row[at] = row
    return np.int64(row)


@kernel
def push_new_piece(items, side, bound):
    """The row of a new item: a piece that was never cut, nor measured. What it remembers is to be written."""
    new = push(items, bound)
    items.kind[new, SIDE] = side
    items.kind[new, NODE] = PIECE
    items.kind[new, CUTS] = 0
    items.kind[new, HAS_WAITED] = 0
    items.distances[new, 0, 0] = DISTANCES_UNKNOWN
    return new


@kernel
def pop(items):
    """The row of the item with the largest bound, which is taken out; the row is free from the next push on."""
    row = items.row[0]
    items.state[WAITING] -= 1
    count = items.state[WAITING]
    bound = items.bound[count]
    last = items.row[count]
    at = 0
    while 2 * at + 1 < count:
        child = 2 * at + 1
        if child + 1 < count and items.bound[child + 1] > items.bound[child]:
            child += 1
        if items.bound[child] <= bound:
            break
        items.bound[at] = items.bound[child]
        items.row[at] = items.row[child]
        at = child
    items.bound[at] = bound
    items.row[at] = last
    items.free[items.state[FREE_ROWS]] = row
    items.state[FREE_ROWS] += 1
    return np.int64(row)
