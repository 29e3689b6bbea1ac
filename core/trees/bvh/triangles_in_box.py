# SPDX-License-Identifier: GPL-3.0-or-later
"""The triangles of an object whose boxes meet a box, one after the other, by its tree."""
import numpy as np

from ...machine_code.jit import kernel, unsigned
from ..bounds import HIGH
from .node_overlap import MASK_ROW, lowest_bit, node_overlap_16
from .nodes import EMPTY, is_leaf, node_of
from .refit import round_down, round_up

NONE_NEAR = np.uint32(0)    # bits of children
NO_TRIANGLE = -1


@kernel
def set_box(box, axis, low, high, quantization):
    """Let a box reach from low to high along an axis of the world, and as much farther as it takes to write that as
    boxes of trees are written. box: (1,6,4) float32, whose first child is set; quantization: (4,) float64."""
    box[0, axis, 0] = round_down((low - quantization[axis]) * quantization[3])
    box[0, HIGH + axis, 0] = round_up((high - quantization[axis]) * quantization[3])


@kernel
def before_first(obj, trees, stack):
    """`at` of `next_triangle` before the first triangle of an object. obj: int64."""
    stack[0] = trees.root[obj]
    return obj, 1, unsigned(0), NONE_NEAR


@kernel
def next_triangle(box, trees, stack, at):
    """(slot, at): the next triangle of an object whose box meets a box, and NO_TRIANGLE after the last one.

    box: as of `set_box`; stack: (…) int32, scratch. at: as it was returned before, or by `before_first`: the object,
    how many nodes wait in the stack, the bottom node that is looked at, by its row in trees.children, and a bit for
    each child of that whose turn is yet to come.
    """
    obj, depth, row, near = at
    while True:
        if near == NONE_NEAR:
            depth, row, near = _next_leaf(obj, box, trees, stack, depth)
            if near == NONE_NEAR:
                return NO_TRIANGLE, (obj, depth, row, NONE_NEAR)
        slot = np.int64(trees.children[row, unsigned(lowest_bit(near))])
        near &= near - np.uint32(1)
        if slot >= 0:
            return slot, (obj, depth, row, np.uint32(near))


@kernel
def _next_leaf(obj, box, trees, stack, depth):
    """(depth, row, triangles) of a bottom node with triangles whose boxes meet a box: its row in trees.children, and a
    bit for each such child of it, NONE_NEAR where no node is left. depth: how many nodes wait in the stack."""
    while depth > 0:
        depth -= 1
        code = np.int64(stack[unsigned(depth)])
        node = node_of(code)
        mask = node_overlap_16(box, 0, trees.boxes, trees.box_start[obj] + node) & MASK_ROW
        row = unsigned(trees.node_start[obj] + node)
        if is_leaf(code):
            if mask != NONE_NEAR:
                return depth, row, mask
            continue
        while mask != 0:
            q = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            child = trees.children[row, unsigned(q)]
            if child != EMPTY:
                stack[unsigned(depth)] = child
                depth += 1
    return 0, unsigned(0), NONE_NEAR
