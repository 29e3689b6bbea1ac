# SPDX-License-Identifier: GPL-3.0-or-later
"""The thread that runs kernels."""
import threading
import time
import weakref

import pytest
from touchpoint.addon import worker as worker_module
from touchpoint.addon.worker import Progress, Worker
from touchpoint.core import Cancelled

LONG = 10.0


def finished(job):
    worker = Worker(job)
    worker.start()
    assert worker.wait(LONG)
    return worker


def test_the_result_comes_from_another_thread():
    worker = finished(lambda progress: threading.current_thread())
    assert worker.result is not threading.current_thread() and worker.error is None


def test_before_the_start_nothing_is_done():
    worker = Worker(lambda progress: 1)
    assert not worker.is_done() and not worker.wait(0.0)


def test_progress_is_seen_while_it_runs():
    reported, looked = threading.Event(), threading.Event()

    def job(progress):
        progress("contacts", 0.5)
        reported.set()
        return looked.wait(LONG)

    worker = Worker(job)
    worker.start()
    assert reported.wait(LONG)
    assert worker.progress == Progress("contacts", 0.5) and not worker.is_done()
    looked.set()
    assert worker.wait(LONG) and worker.result is True


def test_a_cancelled_job_is_told_so():
    started = threading.Event()

    def job(progress):
        started.set()
        while progress("contacts", 0.0):
            pass
        return "partial"

    worker = Worker(job)
    worker.start()
    assert started.wait(LONG) and not worker.is_cancelled
    worker.cancel()
    assert worker.is_cancelled and worker.wait(LONG) and worker.result == "partial"


@pytest.mark.parametrize("error", [ValueError("bad"), MemoryError(), SystemExit(3)])
def test_an_error_is_kept(error):
    def job(progress):
        raise error

    worker = finished(job)
    assert worker.error is error and worker.result is None


def test_the_job_and_its_arrays_are_let_go():
    class Arrays:
        pass

    arrays = Arrays()
    gone = weakref.ref(arrays)
    worker = finished(lambda progress, held=arrays: 1)
    del arrays
    assert worker.result == 1 and gone() is None


def test_it_does_not_hold_up_the_end_of_blender():
    daemon = finished(lambda progress: threading.current_thread().daemon)
    assert daemon.result is True


# A job whose reports are answered on the main thread

def attended(job, progress):
    """The worker, and how often it was attended to; progress is asked in this thread."""
    worker = Worker(job, attended=True)
    worker.start()
    times = 0
    while not worker.is_done():
        worker.attend(progress, LONG)
        times += 1
    return worker, times


def test_each_report_is_answered_on_the_main_thread():
    seen = []

    def job(progress):
        return [progress("contacts", number / 10) for number in range(10)]

    def progress(stage, fraction):
        seen.append((stage, fraction, threading.current_thread()))

    worker, times = attended(job, progress)
    assert seen == [("contacts", number / 10, threading.current_thread()) for number in range(10)] and times == 11
    assert worker.result == [True] * 10


def test_an_answer_cancels():
    worker, _ = attended(lambda progress: (progress("a", 0.0), progress("b", 0.0)), lambda stage, _: stage != "b")
    assert worker.result == (True, False)


def test_what_progress_raises_ends_the_job():
    def fail(*_):
        raise ValueError("mine")

    def job(progress):
        progress("contacts", 0.5)
        raise AssertionError("not reached")

    worker, _ = attended(job, fail)
    assert str(worker.error) == "mine"


def test_cancelled_it_waits_for_no_answer():
    worker = Worker(lambda progress: (progress("contacts", 0.0), progress("contacts", 0.5)), attended=True)
    worker.start()
    worker.cancel()
    assert worker.wait(LONG) and worker.result == (False, False)


# Work that a job hands to the main thread

def pumped(job):
    """The worker of job(worker), which this thread has pumped to its end."""
    worker = Worker(lambda progress: job(worker))
    worker.start()
    while not worker.wait(0.001):
        worker.do_handed_over()
    return worker


def test_work_is_done_on_the_main_thread():
    def job(worker):
        return [worker.on_main_thread(lambda number=number: (threading.current_thread(), number))
                for number in range(3)]

    assert pumped(job).result == [(threading.current_thread(), number) for number in range(3)]


def test_what_work_raises_is_raised_in_the_job():
    def fail():
        raise ValueError("mine")

    assert str(pumped(lambda worker: worker.on_main_thread(fail)).error) == "mine"


def test_a_cancelled_job_does_not_wait_for_a_thread_that_does_nothing_any_more():
    done = []
    worker = Worker(lambda progress: worker.on_main_thread(lambda: done.append(1)))
    worker.start()
    worker.cancel()
    assert worker.wait(LONG) and isinstance(worker.error, Cancelled)
    worker.do_handed_over()
    assert done == []


@pytest.mark.parametrize("attended", [False, True])
def test_slices_do_not_wait_for_each_other(attended):
    """Whoever waits for a worker wakes up when it hands over work."""
    worker = Worker(lambda progress: [worker.on_main_thread(lambda: None) for _ in range(20)], attended)
    start = time.perf_counter()
    worker.start()
    while not worker.is_done():
        if not worker.do_handed_over():
            if attended:
                worker.attend(lambda stage, fraction: None, 5.0)
            else:
                worker.wait_for_work(5.0)
    assert len(worker.result) == 20
    assert time.perf_counter() - start < 4.0


def test_a_job_can_be_done_here_and_lets_its_caller_look(monkeypatch):
    monkeypatch.setattr(worker_module, "ASK_SECONDS", 0.0)
    seen = []

    def job(progress):
        assert worker.on_main_thread(threading.current_thread) is threading.current_thread()
        assert progress("contacts", 0.25) and progress("contacts", 0.5)
        worker.cancel()
        return threading.current_thread(), progress("contacts", 0.75)

    worker = Worker(job)
    worker.work_here(lambda: seen.append(worker.progress.fraction))
    assert worker.result == (threading.current_thread(), False) and worker.is_done() and worker.wait(0.0)
    assert seen == [0.25, 0.5, 0.75]


def test_what_ends_a_job_that_is_done_here_is_kept():
    worker = Worker(lambda progress: 1 / 0)
    worker.work_here(lambda: None)
    assert worker.is_done() and isinstance(worker.error, ZeroDivisionError)
