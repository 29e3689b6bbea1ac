# SPDX-License-Identifier: GPL-3.0-or-later
"""Crowds: grids of flush cubes, and equal cubes at one place. Every verdict is known, whatever is listed; stopped at
any moment, a run ends at once and says nothing false."""
import threading
import time

import numpy as np
from naive.shapes import box
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CANNOT_TELL, OVERLAP, TOUCHING

from . import Drill

MOST_SECONDS = 2.0      # of the processor, from Esc to the end: other processes do not count


def grid(side: int) -> Scene:
    """side³ flush cubes."""
    scene, pose = Scene(), np.eye(4)
    mesh = scene.add_mesh(*box())
    for place in np.ndindex(side, side, side):
        pose[:3, 3] = place
        scene.add_object(mesh, pose)
    return scene


def pile(count: int) -> Scene:
    """Equal cubes at one place."""
    scene = Scene()
    mesh = scene.add_mesh(*box())
    for _ in range(count):
        scene.add_object(mesh)
    return scene


def assert_all(scene: Scene, verdict: int, pairs: int) -> None:
    report = detect(scene, tolerance="auto")
    assert len(report.pairs) == pairs and (report.pairs["exact"] == verdict).all()
    assert len(report.contacts) <= report.found.sum()


def assert_stops(scene: Scene, verdict: int, random) -> None:
    asked, moments = threading.Event(), [0.0]

    def ask():
        moments[0] = time.process_time()
        asked.set()

    timer = threading.Timer(float(random.uniform(0.0, 1.0)), ask)
    timer.start()
    report = detect(scene, tolerance="auto", progress=lambda *_: not asked.is_set())
    timer.cancel()
    if asked.is_set():
        assert time.process_time() - moments[0] < MOST_SECONDS
    assert np.isin(report.pairs["exact"], (verdict, CANNOT_TELL)).all()
    assert not report.cancelled or report.exit_code(fail_on=()) == 2


def flush(random, _folder):
    """Of n flush cubes each touches its neighbours, and none crosses any."""
    side = int(random.integers(3, 13))
    scene, along = grid(side), 3 * side - 2         # pairs of places along an axis that are no farther apart than one
    assert_all(scene, TOUCHING, (along ** 3 - side ** 3) // 2)
    assert_stops(scene, TOUCHING, random)


def at_one_place(random, _folder):
    """Of n equal cubes at one place every two overlap."""
    count = int(random.integers(2, 1200))
    scene = pile(count)
    assert_all(scene, OVERLAP, count * (count - 1) // 2)
    assert_stops(scene, OVERLAP, random)


DRILLS = [
    Drill("crowds", "grids of 27 to 1,728 flush cubes, whole and cancelled", flush, 3),
    Drill("crowds", "up to 1,200 equal cubes at one place, whole and cancelled", at_one_place, 3),
]
