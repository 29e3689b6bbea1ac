# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads and forks: several at once, in the middle of runs, more than there are cores, or none to be had."""
import os
import sys
import threading
from unittest import mock

from naive.asked import EXACT
from naive.scenes import build, crowd
from touchpoint.core import detect
from touchpoint.core.parallel import close_pools

from . import Drill, picked

METHODS = [name for name in EXACT if name != "exact"]       # which takes seconds


def answer(report):
    return report.pairs[["a", "b", "verdict", "contacts"]].tolist(), report.contacts.point.tolist()


def at_once(random, _folder):
    """Threads that ask about one scene, and deform it in the same way as before, all get the answer."""
    scene = build(crowd(random, count=8))
    method = picked(random, METHODS)
    expected, wrong = answer(detect(scene, method=method)), []

    def ask(deform):
        for _ in range(3):
            if deform:
                scene.set_vertices(0, scene.meshes[0].vertices.copy())
            if answer(detect(scene, method=method)) != expected:
                wrong.append(method)

    threads = [threading.Thread(target=ask, args=(number % 2 == 0,)) for number in range(int(random.integers(2, 6)))]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert not wrong and not any(each.is_alive() for each in threads)


def any_number(random, _folder):
    """The answer is the same to the last bit for any number of threads, also where the system gives none."""
    scene = build(crowd(random, count=10))
    method = picked(random, METHODS)
    expected = answer(detect(scene, method=method, threads=1))
    for threads in (2, 128):
        assert answer(detect(scene, method=method, threads=threads)) == expected
    close_pools()
    with mock.patch.object(threading.Thread, "start", side_effect=RuntimeError("can't start new thread")):
        assert answer(detect(build(crowd_of(scene)), method=method, threads=2)) == expected
    close_pools()


def crowd_of(scene):
    return ([(mesh.vertices, mesh.triangles) for mesh in scene.meshes],
            [(each.mesh, pose) for each, pose in zip(scene.objects, scene.poses)])


def forks(random, _folder):
    """A process forked in the middle of a run has threads of its own and the same answer."""
    scene, other = build(crowd(random, count=8)), build(crowd(random, count=8))
    expected = answer(detect(scene))
    codes = []

    def progress(*_):
        if not codes and random.random() < 0.5:
            child = os.fork()
            if child == 0:
                os._exit(0 if answer(detect(scene, threads=2)) == expected else 1)
            codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

    detect(other, progress=progress)
    assert set(codes) <= {0}, codes
    assert answer(detect(scene)) == expected


DRILLS = [
    Drill("threads, F16", "two to five threads that ask about one scene at once", at_once, 6),
    Drill("threads, F15", "1, 2 and 128 threads, and a system that gives none", any_number, 6),
] + ([Drill("forks", "processes forked in the middle of a run", forks, 6)] if sys.platform == "linux" else [])
