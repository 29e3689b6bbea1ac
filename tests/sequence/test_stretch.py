# SPDX-License-Identifier: GPL-3.0-or-later
"""Several intervals that are looked at together: what is said of each is what is said of it alone."""
from types import SimpleNamespace

import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import ball, box
from naive.whole_motions import rotation
from touchpoint.core import Scene, Sweep, methods, sweep
from touchpoint.core.continuous.contacts_between import side_by_side
from touchpoint.core.continuous.instant import EVERY, Instant, Picked
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.sequence import looking, moments, waiting
from touchpoint.core.sequence.ruling import Ruling
from touchpoint.core.sequence.stretch import mark_asked

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls

RULES = RuleSet([Rule("pairs", pairs=((Ref("o1"), Ref("o2")),)),
                 Rule("pairs", pairs=tuple((Ref("o0"), Ref(f"o{k}")) for k in range(1, 6)), allowed_depth=0.1)])


class Film:
    """Objects that fly, turn, bend, rest for some frames or always, and are not there in some. Frames in any order."""

    def __init__(self, seed, frames=14):
        self.rng, self.frames = np.random.default_rng(seed), frames
        shapes = [box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), ball(6, 4, 0.6), box((-2, -2, -0.01), (2, 2, 0.01))]
        self.shapes = [shapes[k] for k in self.rng.integers(0, 3, 6)]
        self.kinds = self.rng.permutation(["flies", "flies", "rests", "bends", "stops", "goes"])
        steps = self.rng.normal(size=(frames, 6, 3)) * self.rng.choice([0.1, 0.6])
        self.places = self.rng.normal(size=(6, 3)) + np.cumsum(steps, axis=0)
        self.angles = np.cumsum(self.rng.normal(size=(frames, 6)) * 0.3, axis=0)

    def scenes(self):
        scene = Scene()
        for k, shape in enumerate(self.shapes):
            scene.add_object(scene.add_mesh(*shape), pose(1, (0, 0, 0)), name=f"o{k}")
        for frame in range(self.frames):
            for k, kind in enumerate(self.kinds):
                at = frame if kind != "stops" else frame // 4 * 4
                place = np.eye(4)
                place[:3, 3] = self.places[0 if kind == "rests" else at, k]
                half = 0.5 * self.angles[0 if kind == "rests" else at, k]
                place[:3, :3] = rotation((np.cos(half), 0.6 * np.sin(half), 0.0, 0.8 * np.sin(half)))
                scene.set_poses([k], [place])
                if kind == "bends":
                    vertices = np.array(self.shapes[k][0])
                    scene.set_vertices(k, vertices * (1.0 + 0.2 * np.sin(frame + vertices[:, :1])))
                if kind == "goes" and frame in (5, 8):
                    scene.objects[k].enabled = frame == 8
            yield frame, scene


def said(report):
    return {(int(row["a"]), int(row["b"])): (report.verdict(number), report.intervals[number].tolist(),
                                             report.interval_verdicts[number].tolist(),
                                             float(report.first_contact[number]), float(report.worst_frame[number]),
                                             float(np.nan_to_num(row["depth"], nan=-1.0)), int(row["contacts"]))
            for number, row in enumerate(report.pairs)}


@pytest.mark.parametrize("how", [{}, {"depth": True, "tolerance": 1e-3}, {"rules": RULES}, {"tolerance": "auto"}])
@pytest.mark.parametrize("seed", range(6))
def test_together_as_alone(monkeypatch, seed, how):
    """Times may differ in their last bits, as boxes are counted from another place, and so may depths, so that another
    one of two moments that are equally deep is the worst one."""
    found = []
    for at_once, together in ((1, 1024), (3, 1024), (32, 1024), (32, 2)):
        monkeypatch.setattr(looking, "MOST_AT_ONCE", at_once)
        monkeypatch.setattr(moments, "PAIRS_TOGETHER", together)
        report = sweep(Film(seed).scenes(), continuous=True, **how)
        found.append((said(report), report))
    (alone, report), *others = found
    assert alone
    for together, other in others:
        assert together.keys() == alone.keys()
        for pair, (verdict, intervals, verdicts, first, worst, depth, contacts) in alone.items():
            here = together[pair]
            assert here[0] == verdict and here[2] == verdicts and here[3] == pytest.approx(first, abs=1e-7)
            assert np.allclose(here[1], intervals, rtol=0, atol=1e-7)
            assert here[5] == pytest.approx(depth, abs=1e-7)
            assert here[4] == pytest.approx(worst, abs=1e-7) or depth > 0
            assert here[6] == contacts or worst != int(worst)
        assert other.notes == report.notes and other.frames.tolist() == report.frames.tolist()
        if report.rules is not None:
            assert other.rules.taken["rule"].tolist() == report.rules.taken["rule"].tolist()


def test_how_many_wait(monkeypatch):
    """Few things in many frames are looked at together, many in a few; much that is found does not wait."""
    sizes = []
    look = looking.Looking.look
    monkeypatch.setattr(looking.Looking, "look", lambda self, intervals, *more: sizes.append(len(intervals)) or look(
        self, intervals, *more))
    sweep(Film(0, 40).scenes(), continuous=True)
    assert sum(sizes) == 39 and max(sizes) > 16
    for module, name in ((looking, "MOST_MOVING"), (looking, "MOST_OBJECTS"), (waiting, "MOST_CONTACTS")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, 0)
            sizes.clear()
            sweep(Film(0).scenes(), continuous=True)
            assert len(sizes) > 1 and (set(sizes) == {1} or module is waiting)


def test_of_what_is_rigid_more_waits():
    one = looking.Looking(methods.FOLLOWER, methods.DEFAULT, {}, {"clearance": 0.0}, Ruling())

    def at_once(triangles, deforms):
        first, last = (SimpleNamespace(triangle_counts=np.array([triangles, 1 << 20]), vertices=[]) for _ in range(2))
        return one.most_at_once(SimpleNamespace(
            first=first if deforms else last, last=last, rests=np.array([False, True]), objects=np.arange(2),
            both=SimpleNamespace(largest_clearance=0.0)))

    counts = (100, 1 << 13, 1 << 14, 1 << 15, (1 << 15) + 1, 1 << 16, 1 << 18)
    assert [at_once(count, True) for count in counts] == [32, 16, 8, 4, 3, 2, 1]
    assert [at_once(count, False) for count in counts] == [32, 32, 32, 16, 3, 2, 1]


def test_moments_of_whole_intervals_are_tested_together():
    interval = np.array([0, 0, 2, 2, 2, 3, 5, 5, 0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moments, "PAIRS_TOGETHER", 3)
        assert [rows.tolist() for rows in moments._parts(interval)] == [[0, 1, 8], [2, 3, 4], [5, 6, 7]]
        patch.setattr(moments, "PAIRS_TOGETHER", 2)
        assert [rows.tolist() for rows in moments._parts(interval)] == [[0, 1, 8], [2, 3, 4], [5], [6, 7]]
    assert [len(rows) for rows in moments._parts(interval)] == [9] and moments._parts(interval[:0]) == []


def test_a_report_that_is_written_into_changes_nothing():
    plain, written = Sweep(continuous=True), Sweep(continuous=True)
    for (frame, scene), (_, other) in zip(Film(3).scenes(), Film(3).scenes()):
        plain.add(frame, scene)
        report = written.add(frame, other)
        for column in (*(report.pairs[name] for name in ("verdict", "depth", "contacts")), report.contacts.point):
            column[...] = 0
        report.notes.append("mine")
        report.counts.clear()
    assert said(written.report()) == said(plain.report()) and written.report().counts == plain.report().counts


def test_the_scene_may_be_another_one_when_they_are_looked_at():
    """Frames wait; meanwhile the scene goes on, loses meshes, or is forgotten."""
    whole, run = sweep(Film(4).scenes(), continuous=True), Sweep(continuous=True)
    for frame, scene in Film(4).scenes():
        run.add(frame, scene)
    for index in range(6):
        scene.set_poses([index], [pose(1, (50.0 * index, 0, 0))])
    scene.remove_object(0)
    assert said(run.report()) == said(whole)


def test_boxes_side_by_side():
    """Those of one interval meet as before, those of two never do; what rests is there in each."""
    rng = np.random.default_rng(1)
    low = rng.normal(size=(40, 3))
    boxes = np.concatenate([low, low + rng.random((40, 3))], axis=1)
    span = np.sort(np.append(rng.integers(0, 3, 30), np.full(10, EVERY)))
    span[-1] = 2
    which, moved = side_by_side(boxes, span)
    assert len(which) == 30 + 10 * 3 and set(which) == set(range(40))

    def meet(boxes, a, b):
        return (boxes[a, :3] <= boxes[b, 3:]).all() and (boxes[b, :3] <= boxes[a, 3:]).all()

    found = [(which[i], which[j]) for i in range(60) for j in range(i + 1, 60) if meet(moved, i, j)
             and EVERY != max(span[which[i]], span[which[j]])]
    expected = [(i, j) for i in range(40) for j in range(i + 1, 40) if meet(boxes, i, j) and span[j] != EVERY
                and span[i] in (EVERY, span[j])]
    assert found == expected


def test_pairs_are_asked_of_one_interval_and_by_their_codes():
    """Against a plain account of which pairs a list of codes is about."""
    rng, masks = np.random.default_rng(2), []
    for _ in range(200):
        n, intervals, names = int(rng.integers(2, 9)), int(rng.integers(1, 4)), 9
        span = np.sort(rng.integers(EVERY, intervals, n)) if intervals > 1 else np.zeros(n, np.int64)
        numbers = rng.permutation(names)[:n]
        a, b = np.array([(i, j) for i in range(n) for j in range(i + 1, n)], np.int32).T.copy()
        to_next, known = (names << 31) + names, set()
        for _ in range(rng.integers(0, 20)):
            i, j = sorted(rng.choice(names, 2, replace=False).tolist())
            known.add(((i << 31) | j) + int(rng.integers(intervals)) * to_next)
        for among in (False, True):
            mask = np.empty(len(a), bool)
            count = mark_asked(a, b, numbers, span, to_next, np.array(sorted(known), np.int64), among, mask)
            assert count == mask.sum()
            for i, j, asked in zip(a.tolist(), b.tolist(), mask.tolist()):
                first, second = sorted((int(numbers[i]), int(numbers[j])))
                interval = max(int(span[i]), int(span[j]))
                code = ((first << 31) | second) + interval * to_next
                assert asked == (min(span[i], span[j]) in (EVERY, interval) and (code in known) == among)
            masks.append(mask.mean())
    assert 0.0 < np.mean(masks) < 1.0


def test_an_instant_of_several_intervals_names_what_it_was_made_of():
    """Lists are not copied, and meshes are known to be there as long as they are."""
    scene = Scene()
    for k in range(4):
        scene.add_object(scene.add_mesh(*box((-1, -1, -1), (1, 1, 1 + k))), pose(1, (3.0 * k, 0, 0)))
    one = Instant.of(scene)
    scene.set_poses([2], [pose(1, (6.0, 1.0, 0))])
    two = one.moved(scene.poses[:4].copy())
    three = two.moved(scene.poses[:4].copy())
    still, moving = np.array([0, 1, 3]), np.array([2])
    first, last = Instant.joined([[one, two], [two, three]], still, moving)
    assert isinstance(first.vertices, Picked) and first.vertices is last.vertices
    assert [id(each) for each in first.vertices] == [id(one.vertices[k]) for k in (0, 1, 3, 2, 2)]
    np.testing.assert_array_equal(last.poses, two.poses[[0, 1, 3, 2, 2]])
    assert last.poses.flags.c_contiguous and first.span.tolist() == [EVERY, EVERY, EVERY, 0, 1]
    every = np.arange(5)
    assert first.has_meshes(every)
    scene.remove_object(3)
    scene.remove_mesh(3)
    assert not first.has_meshes(every) and first.has_meshes(np.array([0, 3, 4]))
