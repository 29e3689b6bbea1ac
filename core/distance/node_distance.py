# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the four boxes of one node are from the four of another: sixteen squared distances at once.

Boxes are float32 and hold what is below them, so that each number, a few roundings aside (`SLACK`), is no more than
the squared distance of anything in the two boxes. One LLVM vector expression, as in trees/bvh/node_overlap.py.
"""
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..machine_code.jit import COMPILED
from ..trees.bvh.node_overlap import sixteen_lanes

SLACK = 1.0 + 2.0 ** -20    # one subtraction, a square and two sums in float32 err by less than 2^-21, axes by 2^-47
TINY = 1e-37                 # and more than subnormal squares err by


def _distances(context, builder, signature, arguments, *steps):
    """Write sixteen squared distances to the last argument; the mask of those up to the one before it."""
    def larger(first, second):
        return builder.select(builder.fcmp_ordered(">", first, second), first, second)

    sixteen = ir.VectorType(ir.FloatType(), 16)
    rows = sixteen_lanes(context, builder, signature, arguments, *steps)
    zero = ir.Constant(sixteen, [0.0] * 16)
    total = None
    for row in range(3):
        apart = larger(builder.fsub(rows[1][row], rows[0][row + 3]), builder.fsub(rows[0][row], rows[1][row + 3]))
        apart = larger(apart, zero)
        square = builder.fmul(apart, apart)
        total = square if total is None else builder.fadd(total, square)
    out = context.make_array(signature.args[5])(context, builder, arguments[5])
    builder.store(total, builder.bitcast(out.data, sixteen.as_pointer()), align=4)
    one = builder.insert_element(ir.Constant(sixteen, ir.Undefined), arguments[4], ir.Constant(ir.IntType(32), 0))
    limits = builder.shuffle_vector(one, ir.Constant(sixteen, ir.Undefined),
                                    ir.Constant(ir.VectorType(ir.IntType(32), 16), [0] * 16))
    near = builder.fcmp_ordered("<=", total, limits)
    return builder.zext(builder.bitcast(near, ir.IntType(16)), ir.IntType(32))


@intrinsic
def _node_distance_16(typing, boxes_a, a, boxes_b, b, limit, low):
    return types.uint32(boxes_a, types.int64, boxes_b, types.int64, types.float32, low), _distances


@intrinsic
def _node_distance_16_by_side(typing, boxes, limit, low):
    def emit(context, builder, signature, arguments):
        first, second = (ir.Constant(ir.IntType(64), side) for side in range(2))
        whole = types.uint32(boxes, types.int64, boxes, types.int64, types.float32, low)
        return _distances(context, builder, whole, (arguments[0], first, arguments[0], second, *arguments[1:]), 4, 8)

    return types.uint32(boxes, types.float32, low), emit


def _node_distance_16_plain(boxes_a, a, boxes_b, b, limit, low):
    """The same in numpy, for runs without compilation."""
    p, q = boxes_a[a], boxes_b[b]
    total = np.zeros((4, 4), np.float32)
    with np.errstate(over="ignore"):        # an empty box is infinitely far
        for x in range(3):
            apart = np.fmax(q[x][None, :] - p[3 + x][:, None], p[x][:, None] - q[3 + x][None, :])
            apart = np.fmax(apart, np.float32(0.0))
            total += apart * apart
    low[:] = total.ravel()
    return np.uint32(np.sum((low <= limit) << np.arange(16)))


def _node_distance_16_by_side_plain(boxes, limit, low):
    sides = boxes.reshape(6, 2, 4).transpose(1, 0, 2)
    return _node_distance_16_plain(sides, 0, sides, 1, limit, low)


# boxes: (m,6,4) float32, C order; a, b: node numbers; limit: float32; low: (16,) float32, written: child p of the
# first node against child q of the second in place 4·p + q. uint32 mask of those that are not above the limit.
node_distance_16 = _node_distance_16 if COMPILED else _node_distance_16_plain
# The same for boxes (48,) float32, six rows of the first node's four next to the second node's.
node_distance_16_by_side = _node_distance_16_by_side if COMPILED else _node_distance_16_by_side_plain
