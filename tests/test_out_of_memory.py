# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory that runs out in any place: the error is passed on, and the same scene gives the right answer afterwards."""
import gc
import weakref

import numpy as np
import pytest
from naive.scenes import build, crowd, pose
from naive.shapes import box
from touchpoint.core import detect, memory, pipeline
from touchpoint.core.errors import TooLarge
from touchpoint.core.findings import BLANK
from touchpoint.core.pair_table import BYTES_PER_FOUND


def answer(report):
    return report.pairs[["a", "b", "verdict", "contacts"]].tolist(), report.contacts.point.tolist()


class Allowance:
    """numpy.empty that fails for the allocation of this number."""

    def __init__(self, monkeypatch, number):
        self.left, self.empty = number, np.empty
        monkeypatch.setattr(np, "empty", self)

    def __call__(self, *arguments, **options):
        self.left -= 1
        if self.left == 0:
            raise MemoryError
        return self.empty(*arguments, **options)


def test_nothing_is_left_half_done(monkeypatch):
    meshes, objects = crowd(np.random.default_rng(8), count=8)
    few = (meshes, objects[:4])
    wanted = answer(detect(build((meshes, objects))))
    failures = 0
    for number in range(1, 400, 3):
        scene = build(few)
        detect(scene)
        for mesh, matrix in objects[4:]:
            scene.add_object(mesh, matrix)
        with monkeypatch.context() as patch:
            allowance = Allowance(patch, number)
            try:
                detect(scene)
            except MemoryError:
                failures += 1
        assert answer(detect(scene)) == wanted
        scene.set_poses([0], [pose(1, (0.2, 0, 0)) @ objects[0][1]])
        if allowance.left > 0:
            break
    assert failures > 5 and allowance.left > 0, "every allocation has failed once"


@pytest.mark.parametrize("number", [1, 10, 40])
def test_the_error_reaches_the_caller(monkeypatch, number):
    scene = build(crowd(np.random.default_rng(8), count=8))
    Allowance(monkeypatch, number)
    with pytest.raises(MemoryError):
        detect(scene)


def test_a_refusal_comes_before_anything_is_made_and_the_scene_keeps_nothing(monkeypatch):
    """The default method, with one byte more and more: each sentence names what does not fit."""
    monkeypatch.setattr(memory, "SMALL_BYTES", 0)
    monkeypatch.setattr(memory, "SPARE_BYTES", 0)
    parts = crowd(np.random.default_rng(8), count=8)
    scene, wanted, kinds = build(parts), answer(detect(build(parts))), set()
    for size in range(0, 200_000, 500):
        monkeypatch.setattr(memory, "free", lambda size=size: size)
        try:
            assert answer(detect(scene)) == wanted
            break
        except TooLarge as refusal:
            assert not scene.cache
            kinds.add(str(refusal).split(" need")[0])
    assert kinds == {"The trees of these objects", "These objects, placed,"}


@pytest.mark.parametrize("number", [10, 40])
def test_memory_is_given_back_while_the_error_is_held(monkeypatch, number):
    """An error keeps the calls that it went through, and their arrays with them."""
    scene = build(crowd(np.random.default_rng(8), count=8))
    made = []

    class Kept(Allowance):
        def __call__(self, *arguments, **options):
            array = super().__call__(*arguments, **options)
            made.append(weakref.ref(array))
            return array

    with monkeypatch.context() as patch:
        Kept(patch, number)
        with pytest.raises(MemoryError) as held:
            detect(scene, threads=1)
    assert held.value is not None and made and not scene.cache
    gc.collect()
    assert not [each for each in made if each() is not None]


AT_ONE_PLACE = [box()] * 46, [(k, np.eye(4)) for k in range(46)]
SIDE_BY_SIDE = AT_ONE_PLACE[0], [(k, pose(offset=(1.5 * k, 0, 0))) for k in range(46)]
PAIRS = 46 * 45 // 2


def too_little(patch, since, per_pair):
    """A progress callback from one of whose stages on there are so many bytes per pair."""
    left = [1 << 60]
    patch.setattr(memory, "SMALL_BYTES", 0)
    patch.setattr(memory, "SPARE_BYTES", 0)
    patch.setattr(memory, "free", lambda: left[0])

    def progress(stage, done):
        if stage == since:
            left[0] = PAIRS * per_pair
        return True

    return progress


def test_findings_that_do_not_fit_are_refused_before_they_are_made(monkeypatch):
    scene = build(AT_ONE_PLACE)
    with monkeypatch.context() as patch:
        short = too_little(patch, "verdicts", BYTES_PER_FOUND - 1)
        with pytest.raises(TooLarge, match="The findings of these objects need 0.00 GB of memory"):
            detect(scene, progress=short)
        assert len(detect(build(SIDE_BY_SIDE), progress=short).pairs) == 0
    assert len(detect(scene).pairs) == PAIRS


def test_pairs_that_are_near_count_as_findings(monkeypatch):
    scene = build(SIDE_BY_SIDE)
    with monkeypatch.context() as patch:
        with pytest.raises(TooLarge, match="The findings of these objects need 0.00 GB of memory"):
            detect(scene, clearance=100.0, progress=too_little(patch, "clearances", BLANK.nbytes - 1))
    assert len(detect(scene, clearance=100.0).pairs) == PAIRS


def test_a_cancelled_run_needs_no_room_for_all_of_them(monkeypatch):
    """Of its pairs only some are listed."""
    find = pipeline.contacts_within_budget

    def cancelled(stage, table, run):
        contacts = find(stage, table, run)
        table.finished[1:], run.cancelled = False, True
        return contacts

    monkeypatch.setattr(pipeline, "contacts_within_budget", cancelled)
    monkeypatch.setattr(memory, "SMALL_BYTES", 0)
    monkeypatch.setattr(pipeline, "BYTES_PER_FOUND", 1 << 50)
    report = detect(build(AT_ONE_PLACE))
    assert report.cancelled and len(report.pairs)
