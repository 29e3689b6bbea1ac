# SPDX-License-Identifier: GPL-3.0-or-later
"""The bottom nodes of an object's tree that have triangles whose boxes meet a box, one after the other."""
import numpy as np

from ...machine_code.jit import kernel, unsigned
from ..bounds import HIGH
from .node_overlap import MASK_ROW, lowest_bit, node_overlap_16
from .nodes import EMPTY, is_leaf, node_of
from .refit import round_down, round_up

NO_LEAF = np.uint32(0)      # of triangles: no node is left


@kernel
def set_box(box, axis, low, high, quantization):
    """Let a box reach from low to high along an axis of the world, and as much farther as it takes to write that as
    boxes of trees are written. box: (1,6,4) float32, whose first child is set; quantization: (4,) float64."""
    box[0, axis, 0] = round_down((low - quantization[axis]) * quantization[3])
    box[0, HIGH + axis, 0] = round_up((high - quantization[axis]) * quantization[3])


@kernel
def next_leaf(obj, box, trees, stack, depth):
    """(depth, row, triangles) of a bottom node with triangles whose boxes meet a box: its row in trees.children, and a
    bit for each such child of it, NO_LEAF where no node is left. depth: how many nodes wait in the stack, which is the
    root's to begin with, and as it was returned afterwards. box: as of `set_box`."""
    while depth > 0:
        depth -= 1
        code = np.int64(stack[unsigned(depth)])
        node = node_of(code)
        mask = node_overlap_16(box, 0, trees.boxes, trees.box_start[obj] + node) & MASK_ROW
        row = unsigned(trees.node_start[obj] + node)
        if is_leaf(code):
            if mask != NO_LEAF:
                return depth, row, mask
            continue
        while mask != 0:
            q = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            child = trees.children[row, unsigned(q)]
            if child != EMPTY:
                stack[unsigned(depth)] = child
                depth += 1
    return 0, unsigned(0), NO_LEAF
