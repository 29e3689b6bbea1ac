# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the four boxes of one node are from the four of another: sixteen squared distances at once, or four.

Boxes are float32 and hold what is below them. So each number, a few roundings aside (`SQUARE_SLACK`), is no more than
the squared distance of anything in the two boxes. One LLVM vector expression, as in trees/bvh/node_overlap.py.
"""
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..machine_code.jit import COMPILED
from ..trees.bvh.node_overlap import MASK_ROW, sixteen_lanes

SQUARE_SLACK = 1.0 + 2.0 ** -20     # a subtraction, a square and two sums in float32 err by less than 2^-21, axes 2^-47
TINY_SQUARE = 1e-37                 # more than subnormal squares err by


def _distances(context, builder, signature, arguments, *steps):
    """The mask of sixteen squared distances that are up to the last argument but one. The distances are written to the
    last."""
    def larger(first, second):
        return builder.select(builder.fcmp_ordered(">", first, second), first, second)

    sixteen = ir.VectorType(ir.FloatType(), 16)
    rows = sixteen_lanes(context, builder, signature, arguments, *steps)
    zero = ir.Constant(sixteen, [0.0] * 16)
    total = None
    for row in range(3):
        gap = larger(builder.fsub(rows[1][row], rows[0][row + 3]), builder.fsub(rows[0][row], rows[1][row + 3]))
        gap = larger(gap, zero)
        square = builder.fmul(gap, gap)
        total = square if total is None else builder.fadd(total, square)
    out = context.make_array(signature.args[5])(context, builder, arguments[5])
    builder.store(total, builder.bitcast(out.data, sixteen.as_pointer()), align=4)
    one = builder.insert_element(ir.Constant(sixteen, ir.Undefined), arguments[4], ir.Constant(ir.IntType(32), 0))
    limits = builder.shuffle_vector(one, ir.Constant(sixteen, ir.Undefined),
                                    ir.Constant(ir.VectorType(ir.IntType(32), 16), [0] * 16))
    near = builder.fcmp_ordered("<=", total, limits)
    return builder.zext(builder.bitcast(near, ir.IntType(16)), ir.IntType(32))


@intrinsic
def _node_distance_16(typing, boxes_a, a, boxes_b, b, limit, apart):
    return types.uint32(boxes_a, types.int64, boxes_b, types.int64, types.float32, apart), _distances


@intrinsic
def _box_distance_4(typing, box, boxes, node, limit, apart):
    four, lane = ir.VectorType(ir.FloatType(), 4), ir.IntType(32)

    def emit(context, builder, signature, arguments):
        def spread(value):
            one = builder.insert_element(ir.Constant(four, ir.Undefined), value, ir.Constant(lane, 0))
            return builder.shuffle_vector(one, ir.Constant(four, ir.Undefined),
                                          ir.Constant(ir.VectorType(lane, 4), [0] * 4))

        def number(place):
            return ir.Constant(ir.IntType(64), place)

        own, others, out = (context.make_array(signature.args[k])(context, builder, arguments[k]).data
                            for k in (0, 1, 4))
        base = builder.mul(arguments[2], number(24))
        total = None
        for axis in range(3):
            gap = ir.Constant(four, [0.0] * 4)
            for low, high in ((axis, axis + 3), (axis + 3, axis)):      # rows of the box and of the four others
                mine = spread(builder.load(builder.gep(own, [number(4 * low)])))
                place = builder.gep(others, [builder.add(base, number(4 * high))])
                theirs = builder.load(builder.bitcast(place, four.as_pointer()), align=4)
                beyond = builder.fsub(mine, theirs) if low < high else builder.fsub(theirs, mine)
                gap = builder.select(builder.fcmp_ordered(">", beyond, gap), beyond, gap)
            square = builder.fmul(gap, gap)
            total = square if total is None else builder.fadd(total, square)
        builder.store(total, builder.bitcast(out, four.as_pointer()), align=4)
        near = builder.fcmp_ordered("<=", total, spread(arguments[3]))
        return builder.zext(builder.bitcast(near, ir.IntType(4)), lane)

    return types.uint32(box, boxes, types.int64, types.float32, apart), emit


@intrinsic
def _node_distance_16_by_side(typing, boxes, limit, apart):
    def emit(context, builder, signature, arguments):
        first, second = (ir.Constant(ir.IntType(64), side) for side in range(2))
        whole = types.uint32(boxes, types.int64, boxes, types.int64, types.float32, apart)
        return _distances(context, builder, whole, (arguments[0], first, arguments[0], second, *arguments[1:]), 4, 8)

    return types.uint32(boxes, types.float32, apart), emit


def _node_distance_16_plain(boxes_a, a, boxes_b, b, limit, apart):
    """The same in numpy, for runs without compilation."""
    p, q = boxes_a[a], boxes_b[b]
    total = np.zeros((4, 4), np.float32)
    with np.errstate(over="ignore"):        # an empty box is infinitely far
        for x in range(3):
            gap = np.fmax(q[x][None, :] - p[3 + x][:, None], p[x][:, None] - q[3 + x][None, :])
            gap = np.fmax(gap, np.float32(0.0))
            total += gap * gap
    apart[:] = total.ravel()
    return np.uint32(np.sum((apart <= limit) << np.arange(16)))


def _node_distance_16_by_side_plain(boxes, limit, apart):
    sides = boxes.reshape(6, 2, 4).transpose(1, 0, 2)
    return _node_distance_16_plain(sides, 0, sides, 1, limit, apart)


def _box_distance_4_plain(box, boxes, node, limit, apart):
    all_apart = np.empty(16, np.float32)
    near = _node_distance_16_plain(box, 0, boxes, node, limit, all_apart) & MASK_ROW
    apart[:4] = all_apart[:4]
    return near


# (boxes_a, a, boxes_b, b, limit, apart) -> uint32 mask of the squared distances that are not above the limit.
# boxes: (m,6,4) float32, C order; a, b: node numbers; limit: float32; apart: (16,) float32, written: in 4·p + q the
# squared distance of child p of the first node and child q of the second one.
node_distance_16 = _node_distance_16 if COMPILED else _node_distance_16_plain
# (boxes, limit, apart): the same for boxes (48,) float32, six rows of the first node's four next to the second node's.
node_distance_16_by_side = _node_distance_16_by_side if COMPILED else _node_distance_16_by_side_plain
# (box, boxes, node, limit, apart): the same for the first child of one node, box (1,6,4), and the four of another: a
# mask of four bits, apart[:4].
box_distance_4 = _box_distance_4 if COMPILED else _box_distance_4_plain
