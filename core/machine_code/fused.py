# SPDX-License-Identifier: GPL-3.0-or-later
"""What a product loses when it is rounded, by the processor's fused multiply-add where it has one.

It computes a·b + c and rounds once. With c = −p, p the rounded product, that is what p lacks, exactly, in one
instruction. Splitting both numbers (Dekker, 1971) takes sixteen, and gives the same number to the last bit: both are
exact where nothing overflows and no part of the product is below the smallest number. Nothing else is fused.
"""
import llvmlite.binding as llvm
from numba import types
from numba.extending import intrinsic

from .jit import COMPILED, kernel
from .kernel_cache import cpu

SPLITTER = 134217729.0      # 2^27 + 1


def has_fused() -> bool:
    """Whether the processor that numba compiles for has a fused multiply-add; LLVM would else call a function."""
    return "+fma" in cpu()[1].split(",") or llvm.get_process_triple().startswith(("arm64", "aarch64"))


@intrinsic
def _lost_by_fused(typing, a, b, p):
    def emit(context, builder, signature, arguments):
        first, second, rounded = arguments
        return builder.fma(first, second, builder.fneg(rounded))

    return types.float64(types.float64, types.float64, types.float64), emit


def _lost_by_splitting(a, b, p):
    c = SPLITTER * a
    a_high = c - (c - a)
    a_low = a - a_high
    c = SPLITTER * b
    b_high = c - (c - b)
    b_low = b - b_high
    return a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low) + 0.0    # no −0, as the other


# (a, b, p) -> a·b − p, exactly, where p = a·b rounded.
lost = _lost_by_fused if COMPILED and has_fused() else kernel(_lost_by_splitting)
