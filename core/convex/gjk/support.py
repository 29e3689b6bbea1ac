# SPDX-License-Identifier: GPL-3.0-or-later
"""The farthest of some points in a direction, eight at a time, by one LLVM vector expression.

The points are packed by coordinate: a block of eight has its x, its y and its z one after another, 24 numbers. Up to
hundreds of points a scan of all is faster than climbing along edges, and it needs no edges.
"""
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...machine_code.jit import COMPILED

LANES = 8
PACKED_BLOCK = 3 * LANES    # numbers per block
VECTOR = ir.VectorType(ir.DoubleType(), LANES)
NUMBERS = ir.VectorType(ir.IntType(64), LANES)


@intrinsic
def _pack(typing, points, first, count, packed, x, y, z):
    def emit(context, builder, signature, arguments):
        source = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        target = context.make_array(signature.args[3])(context, builder, arguments[3]).data
        start, count = builder.mul(arguments[1], _int(3)), arguments[2]
        origin = [_splat(builder, builder.load(builder.gep(source, [builder.add(start, _int(axis))])), VECTOR)
                  for axis in range(3)]
        search = _Search(builder, arguments[4:])
        size = cgutils.alloca_once_value(builder, ir.Constant(VECTOR, [0.0] * LANES))

        def keep(block, coordinates):
            local = [builder.fsub(given, at) for given, at in zip(coordinates, origin)]
            for axis in range(3):
                offset = builder.add(builder.mul(block, _int(PACKED_BLOCK)), _int(LANES * axis))
                builder.store(local[axis], _vector_at(builder, target, offset), align=8)
                magnitude = _without_sign(builder, local[axis])
                seen = builder.load(size)
                builder.store(builder.select(builder.fcmp_ordered(">", magnitude, seen), magnitude, seen), size)
            search.look_at(block, local)

        full = builder.ashr(count, _int(3))
        with cgutils.for_range(builder, full) as loop:
            offset = builder.add(start, builder.mul(loop.index, _int(PACKED_BLOCK)))
            rows = [builder.load(_vector_at(builder, source, builder.add(offset, _int(LANES * k))), align=8)
                    for k in range(3)]
            keep(loop.index, [_every_third(builder, rows, axis) for axis in range(3)])
        with builder.if_then(builder.icmp_signed("!=", builder.shl(full, _int(3)), count)):
            last = [ir.Constant(VECTOR, ir.Undefined)] * 3
            for lane in range(LANES):
                row = builder.add(builder.shl(full, _int(3)), _int(lane))
                end = builder.sub(count, _int(1))
                row = builder.select(builder.icmp_signed("<", row, end), row, end)
                for axis in range(3):
                    offset = builder.add(builder.add(start, builder.mul(row, _int(3))), _int(axis))
                    value = builder.load(builder.gep(source, [offset]))
                    last[axis] = builder.insert_element(last[axis], value, ir.Constant(ir.IntType(32), lane))
            keep(full, last)
        largest = builder.extract_element(_spread_largest(builder, builder.load(size)), ir.Constant(ir.IntType(32), 0))
        return context.make_tuple(builder, signature.return_type, [search.result(), largest])

    result = types.Tuple((types.int64, types.float64))
    return result(points, types.int64, types.int64, packed, types.float64, types.float64, types.float64), emit


@intrinsic
def _farthest(typing, packed, blocks, x, y, z):
    def emit(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        search = _Search(builder, arguments[2:])
        with cgutils.for_range(builder, arguments[1]) as loop:
            base = builder.mul(loop.index, _int(PACKED_BLOCK))
            search.look_at(loop.index, [
                builder.load(_vector_at(builder, data, builder.add(base, _int(LANES * axis))), align=8)
                for axis in range(3)])
        return search.result()

    return types.int64(packed, types.int64, types.float64, types.float64, types.float64), emit


class _Search:
    """Code that finds the farthest point: for each lane the best height so far, and in which block."""

    def __init__(self, builder, direction):
        self.builder = builder
        self.direction = [_splat(builder, value, VECTOR) for value in direction]
        self.best = cgutils.alloca_once_value(builder, ir.Constant(VECTOR, [float("-inf")] * LANES))
        self.found = cgutils.alloca_once_value(builder, ir.Constant(NUMBERS, [0] * LANES))

    def look_at(self, block, coordinates) -> None:
        builder = self.builder
        x, y, z = (builder.fmul(at, along) for at, along in zip(coordinates, self.direction))
        height = builder.fadd(builder.fadd(x, y), z)
        seen = builder.load(self.best)
        higher = builder.fcmp_ordered(">", height, seen)
        builder.store(builder.select(higher, height, seen), self.best)
        builder.store(builder.select(higher, _splat(builder, block, NUMBERS), builder.load(self.found)), self.found)

    def result(self):
        builder = self.builder
        heights = builder.load(self.best)
        top = builder.fcmp_ordered("==", heights, _spread_largest(builder, heights))
        bits = builder.bitcast(top, ir.IntType(LANES))
        lane = builder.zext(builder.cttz(bits, ir.Constant(ir.IntType(1), 0)), ir.IntType(64))
        block = builder.extract_element(builder.load(self.found), lane)
        return builder.add(builder.shl(block, _int(3)), lane)


def _int(value: int):
    return ir.Constant(ir.IntType(64), value)


def _vector_at(builder, data, offset):
    return builder.bitcast(builder.gep(data, [offset]), VECTOR.as_pointer())


def _splat(builder, value, vector):
    zero = ir.Constant(ir.IntType(32), 0)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, zero)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), _lanes([0] * LANES))


def _lanes(numbers):
    return ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), numbers)


def _without_sign(builder, vector):
    bits = builder.and_(builder.bitcast(vector, NUMBERS), ir.Constant(NUMBERS, [2 ** 63 - 1] * LANES))
    return builder.bitcast(bits, VECTOR)


def _every_third(builder, rows, axis):
    """One coordinate of eight points that lie in three vectors, point after point."""
    wanted = [3 * lane + axis for lane in range(LANES)]
    first = builder.shuffle_vector(rows[0], rows[1], _lanes([at if at < 2 * LANES else 0 for at in wanted]))
    return builder.shuffle_vector(first, rows[2], _lanes(
        [lane if at < 2 * LANES else at - LANES for lane, at in enumerate(wanted)]))


def _spread_largest(builder, vector):
    """The largest lane in all lanes."""
    for step in (4, 2, 1):
        swapped = builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined),
                                         _lanes([lane ^ step for lane in range(LANES)]))
        vector = builder.select(builder.fcmp_ordered(">", swapped, vector), swapped, vector)
    return vector


def _pack_plain(points, first, count, packed, x, y, z):
    local = points[first:first + count] - points[first]
    blocks = -(-count // LANES)
    padded = np.concatenate([local, np.repeat(local[-1:], blocks * LANES - count, 0)])
    packed[:PACKED_BLOCK * blocks] = padded.reshape(blocks, LANES, 3).transpose(0, 2, 1).ravel()
    return _farthest_plain(packed, blocks, x, y, z), np.abs(local).max()


def _farthest_plain(packed, blocks, x, y, z):
    coordinates = packed[:PACKED_BLOCK * blocks].reshape(blocks, 3, LANES)
    heights = coordinates[:, 0] * x + coordinates[:, 1] * y + coordinates[:, 2] * z
    lane = int(heights.max(axis=0).argmax())       # of equal heights the lowest lane, then the first block
    return LANES * int(heights[:, lane].argmax()) + lane


# (points, first, count, packed, x, y, z) -> (number of the point farthest along x, y, z; largest absolute coordinate).
# Copies count ≥ 1 rows of points (…,3), float64 in C order, from row `first` on, less the first of them, to packed
# (≥ 3·(count + 7),). The last block is filled up with the last point: a number ≥ count means that one.
pack = _pack if COMPILED else _pack_plain
# (packed, blocks, x, y, z) -> the number of the farthest point in the same way.
farthest = _farthest if COMPILED else _farthest_plain
