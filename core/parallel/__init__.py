# SPDX-License-Identifier: GPL-3.0-or-later
"""Chunks of work on a pool of threads, by serial kernels that do not hold the GIL."""
from .pieces import run_in_pieces
from .pool import close_pools, run_chunks, thread_count

CHUNKS_PER_THREAD = 8            # chunks that work is cut into: enough that the last one hardly matters

__all__ = ["CHUNKS_PER_THREAD", "close_pools", "run_chunks", "run_in_pieces", "thread_count"]
