# SPDX-License-Identifier: GPL-3.0-or-later
"""A thread pool over chunks of work. No `parallel=True`: two Python threads in numba's parallel kernels can abort the
process or give wrong numbers silently, and chunks on a pool are as fast."""
import operator
import os
import threading
from concurrent.futures import FIRST_COMPLETED, Future, wait
from queue import SimpleQueue

from ..errors import Refused


def thread_count(threads: int | None) -> int:
    """The given number, or the number of cores that this process may use, which is also the most: more would only take
    turns. Raises Refused for what is no whole number of one or more."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads is None:
        return cores
    try:
        wanted = 0 if isinstance(threads, bool) else operator.index(threads)
    except TypeError:
        wanted = 0
    if wanted < 1:
        raise Refused(f"The number of threads must be a whole number of one or more, not {threads}.")
    return min(wanted, cores)


class _Pool:
    """Waiting threads. In place of a ThreadPoolExecutor, which keeps a task although it could not start a thread for
    it, and lets it begin when nobody waits for it any more."""

    def __init__(self):
        self._tasks: SimpleQueue = SimpleQueue()
        self._running = 0

    def start(self, threads: int) -> int:
        """Have so many threads, or as many as the system gives; returns how many there are."""
        while self._running < threads:
            thread = threading.Thread(target=_serve, args=(self._tasks,), name=f"touchpoint_{self._running}",
                                      daemon=True)
            try:
                thread.start()
            except RuntimeError:        # "can't start new thread"
                break
            self._running += 1
        return self._running

    def submit(self, work) -> Future:
        future: Future = Future()
        self._tasks.put((future, work))
        return future

    def close(self) -> None:
        """End the threads when they have nothing to do."""
        for _ in range(self._running):
            self._tasks.put(None)


def _serve(tasks: SimpleQueue) -> None:
    """What a thread does."""
    while (task := tasks.get()) is not None:
        future, work = task
        if future.set_running_or_notify_cancel():
            try:
                work()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(None)
        del task, future, work      # what they hold is not kept until the next task


_pools: dict[int, _Pool] = {}       # by number of threads; kept, as starting one takes 0.1 ms
_making = threading.Lock()


def _hand_out(work, threads: int, count: int) -> list[Future]:
    """Give a task to each of so many threads, at most count of them: none where the system gives no thread."""
    with _making:       # a pool that is closed meanwhile gets its tasks before that
        pool = _pools.setdefault(threads, _Pool())
        return [pool.submit(work) for _ in range(min(count, pool.start(threads)))]


def close_pools() -> None:
    """End all idle threads; those that are needed again are started again."""
    with _making:
        for pool in _pools.values():
            pool.close()
        _pools.clear()


def _after_fork() -> None:
    """In the new process there is no thread but this one; it starts its own."""
    global _making
    _making = threading.Lock()
    _pools.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def run_chunks(work, count: int, threads: int, tick, give_up=None) -> None:
    """work(0) … work(count - 1) on several threads; tick(chunks done) is called from this thread while they run.

    When tick or a chunk raises, chunks that have not begun are dropped, and those that run are waited for. With one
    thread, or one chunk, or where the system gives no thread, all is done in this thread, so that a chunk may itself
    call this with one thread.
    give_up: makes chunks that run end early, whatever they were about, and is called before they are waited for. Then
    they run in other threads also where there is one only: this one must be free to call tick, and give_up.
    """
    if min(count, threads) <= 1 and (give_up is None or count == 0):
        _run_here(work, count, tick)
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
    futures = _hand_out(take_turns, threads, count)
    if not futures:
        _run_here(work, count, tick)
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
        if give_up is not None:
            give_up()
        for future in futures:      # of those that no thread was free for
            future.cancel()
        wait(futures)
        raise


def _run_here(work, count: int, tick) -> None:
    """All chunks in this thread, one after the other."""
    for number in range(max(1, count)):
        tick(number)
        if count:
            work(number)
