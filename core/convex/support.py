# SPDX-License-Identifier: GPL-3.0-or-later
"""The farthest of some points in a direction, eight at a time, by one LLVM vector expression.

The points are packed by coordinate: x, y and z of a block of eight stand in 24 numbers one after the other. Scanning
all is faster than climbing along edges up to hundreds of points, and needs no edges.
"""
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..jit import COMPILED, kernel

LANES = 8
BLOCK = 3 * LANES           # numbers per block


@kernel
def pack(points, first, count, packed):
    """Copy count ≥ 1 rows of points (…,3) from row `first` on, less the first of them, to packed (≥ 3·(count + 7),).

    The last block is filled up with its last point. Returns the number of blocks.
    """
    x = points[first, 0]
    y = points[first, 1]
    z = points[first, 2]
    full = count // LANES
    for block in range(full):
        base = BLOCK * block
        row = first + LANES * block
        for lane in range(LANES):
            packed[base + lane] = points[row + lane, 0] - x
            packed[base + LANES + lane] = points[row + lane, 1] - y
            packed[base + 2 * LANES + lane] = points[row + lane, 2] - z
    if full * LANES == count:
        return full
    base = BLOCK * full
    for lane in range(LANES):
        row = first + min(LANES * full + lane, count - 1)
        packed[base + lane] = points[row, 0] - x
        packed[base + LANES + lane] = points[row, 1] - y
        packed[base + 2 * LANES + lane] = points[row, 2] - z
    return full + 1


@intrinsic
def _largest(typing, packed, blocks):
    """Largest absolute number of the blocks."""
    def emit(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        vector = ir.VectorType(ir.DoubleType(), LANES)
        best = cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES))
        with cgutils.for_range(builder, builder.mul(arguments[1], ir.Constant(ir.IntType(64), 3))) as loop:
            here = _load(builder, data, builder.mul(loop.index, ir.Constant(ir.IntType(64), LANES)))
            size = _magnitude(builder, here)
            seen = builder.load(best)
            builder.store(builder.select(builder.fcmp_ordered(">", size, seen), size, seen), best)
        return builder.extract_element(_spread_largest(builder, builder.load(best)), ir.Constant(ir.IntType(32), 0))

    return types.float64(packed, types.int64), emit


@intrinsic
def _farthest(typing, packed, blocks, x, y, z):
    def emit(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        vector = ir.VectorType(ir.DoubleType(), LANES)
        numbers = ir.VectorType(ir.IntType(64), LANES)
        direction = [_splat(builder, value, vector) for value in arguments[2:]]
        best = cgutils.alloca_once_value(builder, ir.Constant(vector, [float("-inf")] * LANES))
        found = cgutils.alloca_once_value(builder, ir.Constant(numbers, [0] * LANES))
        with cgutils.for_range(builder, arguments[1]) as loop:
            base = builder.mul(loop.index, ir.Constant(ir.IntType(64), BLOCK))
            height = None
            for axis in range(3):
                here = _load(builder, data, builder.add(base, ir.Constant(ir.IntType(64), LANES * axis)))
                term = builder.fmul(here, direction[axis])
                height = term if height is None else builder.fadd(height, term)
            seen = builder.load(best)
            higher = builder.fcmp_ordered(">", height, seen)
            builder.store(builder.select(higher, height, seen), best)
            builder.store(builder.select(higher, _splat(builder, loop.index, numbers), builder.load(found)), found)
        heights = builder.load(best)
        top = builder.fcmp_ordered("==", heights, _spread_largest(builder, heights))
        bits = builder.bitcast(top, ir.IntType(LANES))
        lane = builder.zext(builder.cttz(bits, ir.Constant(ir.IntType(1), 0)), ir.IntType(64))
        number = cgutils.alloca_once_value(builder, lane)
        with builder.if_then(builder.icmp_signed(">", arguments[1], ir.Constant(ir.IntType(64), 1))):
            block = builder.extract_element(builder.load(found), lane)
            builder.store(builder.add(builder.mul(block, ir.Constant(ir.IntType(64), LANES)), lane), number)
        return builder.load(number)

    return types.int64(packed, types.int64, types.float64, types.float64, types.float64), emit


def _load(builder, data, offset):
    vector = ir.VectorType(ir.DoubleType(), LANES)
    return builder.load(builder.bitcast(builder.gep(data, [offset]), vector.as_pointer()), align=8)


def _splat(builder, value, vector):
    zero = ir.Constant(ir.IntType(32), 0)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, zero)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined),
                                  ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _spread_largest(builder, vector):
    """The largest lane in all lanes."""
    for step in (4, 2, 1):
        turned = builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined),
                                        ir.Constant(ir.VectorType(ir.IntType(32), LANES),
                                                    [lane ^ step for lane in range(LANES)]))
        vector = builder.select(builder.fcmp_ordered(">", turned, vector), turned, vector)
    return vector


def _magnitude(builder, vector):
    negative = builder.fsub(ir.Constant(vector.type, [-0.0] * LANES), vector)
    return builder.select(builder.fcmp_ordered("<", vector, ir.Constant(vector.type, [0.0] * LANES)), negative, vector)


def _largest_plain(packed, blocks):
    return np.abs(packed[:BLOCK * blocks]).max()


def _farthest_plain(packed, blocks, x, y, z):
    coordinates = packed[:BLOCK * blocks].reshape(blocks, 3, LANES)
    return int(np.argmax(coordinates[:, 0] * x + coordinates[:, 1] * y + coordinates[:, 2] * z))


# packed: (≥ 24·blocks,) float64, C order. The largest magnitude; the number of the point farthest along (x, y, z).
largest = _largest if COMPILED else _largest_plain
farthest = _farthest if COMPILED else _farthest_plain
