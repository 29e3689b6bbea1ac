# SPDX-License-Identifier: GPL-3.0-or-later
"""A thread pool over chunks of work. No `parallel=True`: two Python threads in numba's parallel kernels can abort the
process or give wrong numbers silently, and chunks on a pool are as fast."""
import os
import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait


def thread_count(threads: int | None) -> int:
    """The given number, or the number of cores that this process may use."""
    if threads is not None:
        return max(1, int(threads))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_pools: dict[int, ThreadPoolExecutor] = {}      # by number of threads; kept, as starting one takes 0.1 ms
_making = threading.Lock()


def _pool(threads: int) -> ThreadPoolExecutor:
    with _making:
        if threads not in _pools:
            _pools[threads] = ThreadPoolExecutor(threads, thread_name_prefix="touchpoint")
        return _pools[threads]


def close_pools() -> None:
    """End all idle threads; those that are needed again are started again."""
    with _making:
        for pool in _pools.values():
            pool.shutdown(wait=False)
        _pools.clear()


def run_chunks(work, count: int, threads: int, tick) -> None:
    """work(0) … work(count - 1) on several threads; tick(chunks done) is called from this thread while they run.

    When tick or a chunk raises, chunks that have not begun are dropped, and those that run are waited for. With one
    thread, or one chunk, all is done in this thread, so that a chunk may itself call this with one thread.
    """
    if min(count, threads) <= 1:
        for number in range(max(1, count)):
            tick(number)
            if count:
                work(number)
        return
    numbers, begun_last, finished = iter(range(count)), threading.Event(), []

    def take_turns():
        """Chunks that nobody has begun, one after the other: handing each to a thread would take 7 µs more."""
        try:
            for number in numbers:
                if begun_last.is_set():
                    break
                work(number)
                finished.append(number)
        except BaseException:
            begun_last.set()
            raise

    tick(0)
    pool = _pool(threads)
    futures = [pool.submit(take_turns) for _ in range(min(count, threads))]
    waiting = set(futures)
    try:
        while waiting:
            ended, waiting = wait(waiting, timeout=0.05, return_when=FIRST_COMPLETED)
            for future in ended:
                future.result()
            if waiting:
                tick(len(finished))
    except BaseException:
        begun_last.set()
        for future in futures:      # of those that no thread was free for
            future.cancel()
        wait(futures)
        raise
