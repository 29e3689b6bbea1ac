# SPDX-License-Identifier: GPL-3.0-or-later
"""When do the four boxes of a moving node overlap the four of another? Sixteen answers at once.

The sides of boxes move at constant speeds between two placements of the node. Boxes are float32 and hold what is below
them; `grow` is what a vertex may leave its line by, that of both objects together. One LLVM vector expression, as in
trees/bvh/node_overlap.py.
"""
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..machine_code.jit import COMPILED
from ..trees.bvh.node_overlap import sixteen_lanes

BOX_SLACK_RELATIVE = 2.0 ** -21  # relative, of the numbers that a time is computed from: 2^-22 suffices
BOX_TIME_SLACK = 2.0 ** -20  # relative, of a time: 2^-22 suffices
SIXTEEN = ir.VectorType(ir.FloatType(), 16)


def _constant(value: float):
    return ir.Constant(SIXTEEN, [value] * 16)


def _spread(builder, value):
    """One float32 in sixteen lanes."""
    one = builder.insert_element(ir.Constant(SIXTEEN, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, ir.Constant(SIXTEEN, ir.Undefined),
                                  ir.Constant(ir.VectorType(ir.IntType(32), 16), [0] * 16))


def _absolute(builder, value):
    return builder.select(builder.fcmp_ordered("<", value, _constant(0.0)), builder.fneg(value), value)


def _differences(context, builder, signature, arguments):
    """Six pairs of vectors: how far a side of one box is below the opposite side of the other, before and after."""
    boxes, a_before, a_after, b_before, b_after = arguments[:5]
    inner = types.uint32(signature.args[0], types.int64, signature.args[0], types.int64)
    ends = [sixteen_lanes(context, builder, inner, (boxes, a, boxes, b))
            for a, b in ((a_before, b_before), (a_after, b_after))]
    for row in range(3):
        for side in range(2):
            yield [builder.fsub(rows[1 - side][row + 3], rows[side][row]) for rows in ends]


def _mask(builder, lanes):
    return builder.zext(builder.bitcast(lanes, ir.IntType(16)), ir.IntType(32))


@intrinsic
def _sweeps_overlap_16(typing, boxes, a_before, a_after, b_before, b_after, grow):
    signature = types.uint32(boxes, *[types.int64] * 4, types.float32)

    def emit(context, builder, signature, arguments):
        grow, zero, overlap = _spread(builder, arguments[5]), _constant(0.0), None
        for before, after in _differences(context, builder, signature, arguments):
            meets = builder.or_(*(builder.fcmp_ordered(">=", builder.fadd(each, grow), zero)
                                  for each in (before, after)))
            overlap = meets if overlap is None else builder.and_(overlap, meets)
        return _mask(builder, overlap)

    return signature, emit


@intrinsic
def _entries_16(typing, boxes, a_before, a_after, b_before, b_after, grow, limit, entries):
    signature = types.uint32(boxes, *[types.int64] * 4, types.float32, types.float32, entries)

    def emit(context, builder, signature, arguments):
        grow, limit = (_spread(builder, each) for each in arguments[5:7])
        zero, one, slack = _constant(0.0), _constant(1.0), _constant(BOX_SLACK_RELATIVE)
        enter, leave, never = zero, one, None
        for before, after in _differences(context, builder, signature, arguments):
            size = builder.fadd(builder.fadd(_absolute(builder, before), _absolute(builder, after)), grow)
            more = builder.fadd(grow, builder.fmul(size, slack))
            before, after = builder.fadd(before, more), builder.fadd(after, more)
            time = builder.fdiv(before, builder.fsub(before, after))
            late = builder.fcmp_ordered("<", before, zero)
            soon = builder.fcmp_ordered("<", after, zero)
            apart = builder.and_(late, soon)
            never = apart if never is None else builder.or_(never, apart)
            begin, end = builder.select(late, time, zero), builder.select(soon, time, one)
            enter = builder.select(builder.fcmp_ordered(">", begin, enter), begin, enter)
            leave = builder.select(builder.fcmp_ordered("<", end, leave), end, leave)
        enter = builder.fmul(enter, _constant(1.0 - BOX_TIME_SLACK))
        leave = builder.fmul(leave, _constant(1.0 + BOX_TIME_SLACK))
        meets = builder.and_(builder.fcmp_ordered("<=", enter, leave), builder.fcmp_ordered("<=", enter, limit))
        meets = builder.and_(meets, builder.not_(never))
        enter = builder.select(meets, enter, _constant(float("inf")))
        out = context.make_array(signature.args[7])(context, builder, arguments[7])
        builder.store(enter, builder.bitcast(out.data, SIXTEEN.as_pointer()), align=4)
        return _mask(builder, meets)

    return signature, emit


def _plain_differences(boxes, a_before, a_after, b_before, b_after):
    for row in range(3):
        for side in range(2):
            yield [(boxes[q][row + 3][None, :] - boxes[p][row][:, None] if side == 0
                    else boxes[p][row + 3][:, None] - boxes[q][row][None, :])
                   for p, q in ((a_before, b_before), (a_after, b_after))]


def _sweeps_overlap_16_plain(boxes, a_before, a_after, b_before, b_after, grow):
    """The same in numpy, for runs without compilation."""
    overlap = np.ones((4, 4), bool)
    with np.errstate(over="ignore"):        # an empty box is infinitely far
        for before, after in _plain_differences(boxes, a_before, a_after, b_before, b_after):
            overlap &= (before + grow >= 0) | (after + grow >= 0)
    return np.uint32(np.sum(overlap.ravel() << np.arange(16)))


def _entries_16_plain(boxes, a_before, a_after, b_before, b_after, grow, limit, entries):
    enter, leave, never = np.zeros((4, 4), np.float32), np.ones((4, 4), np.float32), np.zeros((4, 4), bool)
    with np.errstate(all="ignore"):
        for before, after in _plain_differences(boxes, a_before, a_after, b_before, b_after):
            more = grow + (np.abs(before) + np.abs(after) + grow) * np.float32(BOX_SLACK_RELATIVE)
            before, after = before + more, after + more
            never |= (before < 0) & (after < 0)
            time = before / (before - after)
            enter = np.fmax(enter, np.where(before < 0, time, np.float32(0.0)))
            leave = np.fmin(leave, np.where(after < 0, time, np.float32(1.0)))
        enter, leave = enter * np.float32(1.0 - BOX_TIME_SLACK), leave * np.float32(1.0 + BOX_TIME_SLACK)
        meets = (enter <= leave) & (enter <= limit) & ~never
    entries[:] = np.where(meets, enter, np.inf).ravel()
    return np.uint32(np.sum(meets.ravel() << np.arange(16)))


# (boxes, a_before, a_after, b_before, b_after, grow) -> uint32 mask: bit 4·p + q is not set where child p of one node
# and child q of the other are apart along one axis, the same way round, before and after. boxes: (m,6,4) float32, C
# order; four rows of it; grow: float32, in the numbers of boxes.
sweeps_overlap_16 = _sweeps_overlap_16 if COMPILED else _sweeps_overlap_16_plain
# (…, grow, limit, entries) -> uint32 mask of those that overlap at some time up to `limit`, float32, as a share of the
# time between both placements. entries: (16,) float32, written: not later than they begin to, infinity for the others.
entries_16 = _entries_16 if COMPILED else _entries_16_plain
