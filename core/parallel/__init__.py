# SPDX-License-Identifier: GPL-3.0-or-later
"""Serial kernels, which do not hold the GIL, on a pool of threads over chunks."""
from .pool import close_pools, run_chunks, thread_count

__all__ = ["close_pools", "run_chunks", "thread_count"]
