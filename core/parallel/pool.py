# SPDX-License-Identifier: GPL-3.0-or-later
"""A thread pool over chunks of work. No `parallel=True`: two Python threads in numba's parallel kernels can abort the
process or give wrong numbers silently, and chunks on a pool are as fast."""
import os
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait


def thread_count(threads: int | None) -> int:
    """The given number, or the number of cores that this process may use."""
    if threads is not None:
        return max(1, int(threads))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_chunks(work, count: int, threads: int, tick) -> None:
    """work(0) … work(count - 1) on several threads; tick(chunks done) is called from this thread while they run.

    When tick or a chunk raises, chunks that have not begun are dropped, and those that run are waited for.
    """
    if count <= 1:
        tick(0)
        for number in range(count):
            work(number)
        return
    with ThreadPoolExecutor(min(threads, count)) as pool:
        futures = [pool.submit(work, number) for number in range(count)]
        try:
            waiting = set(futures)
            while waiting:
                tick(count - len(waiting))
                finished, waiting = wait(waiting, timeout=0.05, return_when=FIRST_COMPLETED)
                for future in finished:
                    future.result()
        except BaseException:
            for future in futures:
                future.cancel()
            raise
