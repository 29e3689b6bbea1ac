# SPDX-License-Identifier: GPL-3.0-or-later
"""The thread that runs kernels."""
import threading
import weakref

import pytest
from touchpoint.addon.worker import Progress, Worker

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
