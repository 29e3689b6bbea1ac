# SPDX-License-Identifier: GPL-3.0-or-later
"""Several threads of the caller, forked processes, and systems that give no threads."""
import copy
import os
import pickle
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from naive.scenes import build, draw
from touchpoint.core import Refused, detect
from touchpoint.core.parallel import close_pools, pool, run_chunks, thread_count
from touchpoint.core.queries import convex_intersect

CORES = thread_count(None)


def words(report):
    return {(int(row["a"]), int(row["b"])): report.verdict(i) for i, row in enumerate(report.pairs)}


AT_ONCE = """
import sys, threading
sys.path.insert(0, sys.argv[1])
import conftest
from naive.scenes import build, draw
from touchpoint.core import detect
scene = build(draw("crowd", 0))
def answer():
    report = detect(scene, contacts=bool(threading.get_ident() % 2))
    return report.pairs["verdict"].tobytes(), report.pairs["a"].tobytes()
expected, wrong = answer(), []
def often():
    for number in range(15):
        if number % 5 == 0:
            scene.set_vertices(0, scene.meshes[0].vertices.copy())
        if answer() != expected:
            wrong.append(number)
threads = [threading.Thread(target=often) for _ in range(4)]
for each in threads: each.start()
for each in threads: each.join()
print("wrong", wrong)
"""


def test_threads_that_ask_about_one_scene(tmp_path):
    """In a process of its own: it ended with a signal."""
    done = subprocess.run([sys.executable, "-c", AT_ONCE, str(Path(__file__).parents[1])], capture_output=True,
                          text=True)
    assert (done.returncode, done.stdout) == (0, "wrong []\n"), done.stderr


def in_the_middle(scene, then):
    """Run in a thread; `then` is called in this one while that run goes on, which it can do until then has returned."""
    inside, go_on = threading.Event(), threading.Event()
    reports = []

    def progress(stage, fraction):
        inside.set()
        assert go_on.wait(30)

    thread = threading.Thread(target=lambda: reports.append(detect(scene, progress=progress)))
    thread.start()
    assert inside.wait(30)
    try:
        then()
    finally:
        go_on.set()
        thread.join(30)
    return reports[0]


def test_a_scene_takes_one_run_at_a_time():
    scene, order = build(draw("crowd", 0)), []
    expected = words(detect(scene))
    second = threading.Thread(target=lambda: order.append(words(detect(scene, progress=lambda *_: order.append("2")))))

    def then():
        second.start()
        second.join(0.2)
        order.append("1")

    assert words(in_the_middle(scene, then)) == expected
    second.join(30)
    assert order[0] == "1" and order[1] == "2" and order[-1] == expected


def test_different_scenes_are_tested_side_by_side():
    expected = words(detect(build(draw("crowd", 0))))
    found = []
    in_the_middle(build(draw("crowd", 1)), lambda: found.append(words(detect(build(draw("crowd", 0))))))
    assert found == [expected]


def test_a_run_within_a_run_is_an_error():
    scene = build(draw("crowd", 0))
    with pytest.raises(RuntimeError, match="in the middle of a run"):
        detect(scene, progress=lambda *_: detect(scene))
    assert words(detect(scene)) == words(detect(build(draw("crowd", 0))))


def test_scenes_can_be_copied():
    scene = build(draw("crowd", 0))         # one that was tested holds locks of its trees
    copies = copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))
    expected = words(detect(scene))
    assert [words(detect(each)) for each in copies] == [expected, expected]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    """Also where another thread of the parent was in the middle of a run."""
    scene = build(draw("crowd", 0))
    expected = words(detect(scene, threads=2))
    run_chunks(lambda number: None, 8, 2, lambda done: None)
    for fork in (lambda: forked(scene, expected), lambda: in_the_middle(scene, lambda: forked(scene, expected))):
        fork()


def forked(scene, expected):
    child = os.fork()
    if child == 0:
        done = []
        run_chunks(done.append, 8, 2, lambda done: None)
        os._exit(0 if words(detect(scene, threads=2)) == expected and sorted(done) == list(range(8)) else 1)
    deadline = threading.Timer(60, os.kill, (child, 9))
    deadline.start()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    deadline.cancel()
    assert status == 0


@pytest.mark.parametrize("given", [0, 1, 3])
def test_where_the_system_gives_fewer_threads(given, monkeypatch):
    close_pools()
    start, started = threading.Thread.start, []

    def limited(thread):
        if len(started) >= given:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)
    for _ in range(3):
        done = []
        run_chunks(done.append, 200, 4, lambda number: None)
        assert sorted(done) == list(range(200)) and len(started) == given
    with pytest.raises(ZeroDivisionError):
        run_chunks(lambda number: 1 // 0, 200, 4, lambda number: None)
    monkeypatch.undo()
    run_chunks(done.append, 200, 4, lambda number: None)    # when there are threads again
    assert pool._pools[4].start(4) == 4


def test_a_pool_that_is_closed_while_it_gets_work():
    done, stop = [], threading.Event()

    def close():
        while not stop.is_set():
            close_pools()

    closer = threading.Thread(target=close)
    closer.start()
    try:
        for _ in range(300):
            run_chunks(done.append, 4, 2, lambda number: None)
    finally:
        stop.set()
        closer.join()
    assert len(done) == 1200


@pytest.mark.parametrize("threads", [float("inf"), float("nan"), 0, -1, 2.0, "2", True, Decimal(2), 10**30 * -1, [2]])
def test_what_is_no_number_of_threads(threads):
    with pytest.raises(Refused, match="^The number of threads must be a whole number of one or more, not "):
        thread_count(threads)
    with pytest.raises(Refused):
        detect(build(draw("crowd", 0)), threads=threads)
    with pytest.raises(Refused):
        convex_intersect(np.zeros((1, 3)), np.zeros((1, 1, 3)), threads=threads)


@pytest.mark.parametrize("threads", [1, np.int64(1), 10**6, 10**30])
def test_no_more_threads_than_cores(threads):
    assert thread_count(threads) == min(threads, CORES)
    before = threading.active_count()
    detect(build(draw("crowd", 0)), threads=threads)
    assert threading.active_count() <= before + CORES
