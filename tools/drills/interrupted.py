# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that end early: cancelled at any moment, out of memory at any allocation, on a clock that jumps."""
import io
import json
import locale
import threading
import time
from unittest import mock

import numpy as np
from naive.asked import EXACT
from naive.scenes import build, crowd
from touchpoint.benchmarks import run as benchmark
from touchpoint.core import Cancelled, Unsupported, detect, export
from touchpoint.core.codes import CANNOT_TELL

from . import Drill, picked

METHODS = [name for name in EXACT if name != "exact"]       # which takes seconds
LOCALES = ("de_DE.UTF-8", "tr_TR.UTF-8", "fr_FR.UTF-8", "C.UTF-8", "C")


def answer(report):
    return report.pairs[["a", "b", "verdict", "contacts"]].tolist(), report.contacts.point.tolist()


def cancelled(random, _folder):
    """F5: stopped from another thread at a random moment: it ends at once, says nothing false, the next run is right.
    """
    scene, method = build(crowd(random, count=20)), picked(random, METHODS)
    start = time.perf_counter()
    whole = detect(scene, method=method)
    seconds = time.perf_counter() - start
    expected = answer(whole)
    verdicts = {(row[0], row[1]): row[2] for row in expected[0]}
    asked = threading.Event()
    wants_nothing = random.random() < 0.3

    def progress(*_):
        if asked.is_set():
            if wants_nothing:
                raise Cancelled
            return False

    scene.cache.clear()
    moments: list[float] = []

    def ask():
        asked.set()
        moments.append(time.monotonic())

    timer = threading.Timer(float(random.uniform(0.0, seconds)), ask)
    timer.start()
    try:
        report = detect(scene, method=method, progress=progress)
        assert not report.cancelled or report.exit_code(fail_on=()) == 2
        for pair in report.pairs:
            found = int(pair["verdict"])
            assert found in (CANNOT_TELL, verdicts.get((int(pair["a"]), int(pair["b"])), 0))
    except Cancelled:
        assert wants_nothing
    ended = time.monotonic()
    timer.join()
    assert ended - moments[0] < 0.5
    assert answer(detect(scene, method=method)) == expected


def out_of_memory(random, _folder):
    """F11: an allocation fails: the error reaches the caller, and the same scene gives the right answer afterwards."""
    meshes, objects = crowd(random, count=8)
    method = picked(random, METHODS)
    expected = answer(detect(build((meshes, objects)), method=method))
    scene, empty = build((meshes, objects)), np.empty
    left = [int(random.integers(1, 150))]

    def refuse(*arguments, **options):
        left[0] -= 1
        if left[0] == 0:
            raise MemoryError
        return empty(*arguments, **options)

    with mock.patch.object(np, "empty", refuse):
        try:
            detect(scene, method=method)
        except (MemoryError, Unsupported):      # the latter says what takes how much
            pass
    assert answer(detect(scene, method=method)) == expected


def other_surroundings(random, _folder):
    """F20: clock set back, another language: the same bytes, and no negative time."""
    scene = build(crowd(random, count=6))
    expected = io.BytesIO()
    export.dump_json(detect(scene), expected)
    before = locale.setlocale(locale.LC_ALL)
    try:
        for name in LOCALES:
            try:
                locale.setlocale(locale.LC_ALL, name)
            except locale.Error:        # not installed here
                continue
            with mock.patch.object(time, "time", lambda: float(random.uniform(-1e9, 1e9))):
                report = detect(scene)
            found = io.BytesIO()
            export.dump_json(report, found)
            assert found.getvalue() == expected.getvalue()
            assert all(stage.seconds >= 0.0 for stage in report.stages)
    finally:
        locale.setlocale(locale.LC_ALL, before)


def saved_results(random, folder):
    """F21: random bytes, or other JSON, where saved results are expected: refused in a sentence, and kept."""
    path = folder / "results.json"
    data = picked(random, (random.bytes(int(random.integers(0, 200))), b"{", b"[]", b"null", b'{"made": 1}',
                           json.dumps({"cases": [], "made": None}).encode()[:int(random.integers(1, 30))]))
    path.write_bytes(data)
    try:
        benchmark.load(path)
        raise AssertionError("taken for results")
    except benchmark.OtherResults as error:
        assert str(error)
    assert path.read_bytes() == data


DRILLS = [
    Drill("F5", "cancelled from another thread at a random moment", cancelled, 30),
    Drill("F11", "an allocation that fails", out_of_memory, 30),
    Drill("F20", "a clock that jumps, other languages", other_surroundings, 5),
    Drill("F21", "random bytes as saved results", saved_results, 50),
]
