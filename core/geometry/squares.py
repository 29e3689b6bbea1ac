# SPDX-License-Identifier: GPL-3.0-or-later
"""`squared`: kernels raise nothing to a power."""
from ..machine_code.jit import kernel


@kernel
def squared(x):
    """x · x, rounded once. Plain Python's x ** 2 asks the system's `pow`, which may be off by more than a rounding, and
    machine code multiplies: they gave other answers."""
    return x * x
