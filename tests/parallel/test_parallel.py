# SPDX-License-Identifier: GPL-3.0-or-later
"""Chunks on threads: each done once, errors and cancelling passed on, nothing left behind."""
import threading

import pytest
from touchpoint.core.parallel import close_pools, run_chunks


def quiet(done):
    return None


@pytest.mark.parametrize("threads", [1, 2, 128])
@pytest.mark.parametrize("count", [0, 1, 2, 300])
def test_each_chunk_is_done_once(count, threads):
    done, ticks = [], []
    run_chunks(done.append, count, threads, ticks.append)
    assert sorted(done) == list(range(count))
    assert ticks and ticks == sorted(ticks) and ticks[0] == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_error_ends_the_work(threads):
    begun = []

    def work(number):
        begun.append(number)
        threading.Event().wait(0.001)
        if number == 3:
            raise MemoryError
    with pytest.raises(MemoryError):
        run_chunks(work, 10000, threads, quiet)
    assert len(begun) < 10000


@pytest.mark.parametrize("threads", [1, 2])
def test_tick_can_end_the_work_and_no_chunk_runs_on(threads):
    begun, ended = [], []

    def work(number):
        begun.append(number)
        threading.Event().wait(0.01)
        ended.append(number)

    def tick(done):
        if begun:
            raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        run_chunks(work, 500, threads, tick)
    assert 1 <= len(ended) == len(begun) < 500


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("count", [1, 7])
def test_chunks_that_can_be_given_up_leave_this_thread_free(count, threads):
    given_up, here, ticks = threading.Event(), threading.get_ident(), []

    def work(number):
        assert threading.get_ident() != here and given_up.wait(100.0)

    def tick(done):
        ticks.append(done)
        if len(ticks) > 2:
            raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        run_chunks(work, count, threads, tick, given_up.set)
    run_chunks(lambda number: None, 0, threads, quiet, given_up.clear)
    assert given_up.is_set()


def test_a_chunk_may_split_its_own_work():
    done = []
    run_chunks(lambda number: run_chunks(lambda inner: done.append((number, inner)), 3, 1, quiet), 20, 2, quiet)
    assert sorted(done) == [(number, inner) for number in range(20) for inner in range(3)]


def test_no_thread_is_left_behind():
    def ours():
        return [thread for thread in threading.enumerate() if thread.name.startswith("touchpoint")]

    run_chunks(lambda number: None, 10, 3, quiet)
    assert ours()
    close_pools()
    for thread in ours():
        thread.join(timeout=5)
    assert ours() == []
    run_chunks(lambda number: None, 10, 3, quiet)
