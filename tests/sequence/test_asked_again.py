# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked again of a scene that goes on has the answer of a scene that was just made, and asks what changed."""
import weakref

import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import ball, box, joined
from naive.sweeps import assert_same_frame, fresh
from test_sweep import RULES, SOLIDS, Play, row_of_boxes
from touchpoint.core import Cancelled, Refused, Scene, detect
from touchpoint.core.scene.tiny import one_box_at
from touchpoint.core.search import contact_budget
from touchpoint.core.sequence import again as module
from touchpoint.core.sequence.again import Again

pytestmark = pytest.mark.scenes

HOW = {
    "plain": {}, "clearance": {"clearance": 0.3}, "depth": {"depth": True}, "rules": {"rules": RULES},
    "groups": {"rules": [("left", "right"), ("left", "left")]}, "tolerance": {"tolerance": 0.05},
    "automatic": {"tolerance": "auto", "clearance": 0.1}, "selves": {"self_collisions": True},
    "everything": {"clearance": 0.2, "tolerance": 0.02, "rules": RULES, "self_collisions": True},
    "verdicts": {"contacts": False}, "weld": {"weld": 0.1, "tolerance": "auto"},
}


class Edits(Play):
    """A scene in which also objects come, go, and become something else."""

    def go_on(self):
        super().go_on()
        scene, rng = self.scene, self.rng
        there = [index for index, each in enumerate(scene.objects) if not each.removed]
        one = scene.objects[int(rng.choice(there))]
        edit = rng.integers(14)
        if edit == 0:
            scene.add_object(int(rng.integers(len(SOLIDS))), self.any_pose(), name=f"o{rng.integers(12)}", group="left")
        elif edit == 1 and len(there) > 5:
            scene.remove_object(int(rng.choice(there)))
        elif edit == 2:
            scene.hide([int(rng.choice(there))])
        elif edit == 3:
            scene.show(there)
        elif edit == 4:
            one.name = f"o{rng.integers(8)}"
        elif edit == 5:
            one.shell = not one.shell
        elif edit == 6:
            one.clearance = float(rng.choice([0.0, 0.5]))
        elif edit == 7:
            one.mesh = int(rng.integers(len(SOLIDS)))
        elif edit == 8:
            one.group = str(rng.choice(["left", "right"]))
        elif edit == 9:
            scene.rearrange([*rng.permutation(there)] if rng.random() < 0.5 else there)
        elif edit == 10:
            one.pose[:3, 3] = np.nextafter(one.pose[:3, 3], np.inf)


def assert_is_as_detected(report, scene, **how):
    assert_same_frame(report, scene, **how)
    expected = detect(fresh(scene)[0], **how)
    assert report.settings == expected.settings and report.notes == expected.notes
    assert [(each.name, each.reason, each.judged) for each in report.skipped] == [
        (each.name, each.reason, each.judged) for each in expected.skipped]
    for mine, theirs in ((report.places, expected.places), (report.place_of, expected.place_of),
                         (report.found, expected.found), (report.coplanar, expected.coplanar)):
        assert mine.tolist() == theirs.tolist() and mine.dtype == theirs.dtype
    assert report.counts["possible_pairs"] == expected.counts["possible_pairs"]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("seed", range(4))
def test_the_answer_is_that_of_a_fresh_scene(seed, how):
    play, again, kept = Edits(np.random.default_rng(seed)), Again(), 0
    for _ in range(30):
        report = again.detect(play.scene, **HOW[how])
        assert_is_as_detected(report, play.scene, **HOW[how])
        kept += report.counts.get("kept_pairs", 0)
        play.go_on()
    assert kept > 10 or how == "weld"


@pytest.mark.parametrize("seed", range(4))
def test_other_questions_in_between_leave_no_trace(seed):
    rng = np.random.default_rng(seed)
    play, again, asked = Edits(rng), Again(), 0
    name = "plain"
    for _ in range(40):
        if rng.random() < 0.3:
            name = str(rng.choice(list(HOW)))
        if rng.random() < 0.2:
            detect(play.scene, str(rng.choice(["touchpoint", "rapid"])), tolerance=0.0)
        report = again.detect(play.scene, **HOW[name])
        assert_is_as_detected(report, play.scene, **HOW[name])
        asked += "kept_pairs" not in report.counts
        play.go_on()
    assert 10 < asked < 40


def test_only_pairs_of_what_moved_are_asked():
    scene, again = row_of_boxes(40), Again()
    first = again.detect(scene, clearance=0.1)
    assert len(first.pairs) == 39 and first.counts["pairs"] == 39 and "kept_pairs" not in first.counts
    assert "kept" not in [each.name for each in first.stages]
    scene.set_poses([7], [pose(1, (7.0, 0.5, 0))])
    second = again.detect(scene, clearance=0.1)
    assert len(second.pairs) == 39 and second.counts["pairs"] == 2 and second.counts["kept_pairs"] == 37
    assert [(each.items_in, each.items_out) for each in second.stages if each.name == "kept"] == [(39, 37)]
    third = again.detect(scene, clearance=0.1)
    assert third.counts["pairs"] == 0 and third.counts["kept_pairs"] == 39
    assert third.pairs.tobytes() == second.pairs.tobytes()


def test_one_bit_of_a_pose_and_of_a_vertex_is_a_change():
    scene, again = row_of_boxes(5), Again()
    again.detect(scene)
    moved = scene.poses[2].copy()
    moved[0, 3] = np.nextafter(moved[0, 3], 9)
    scene.set_poses([2], moved[None])
    assert again.detect(scene).counts["kept_pairs"] == 2
    vertices = scene.meshes[scene.objects[2].mesh].vertices.copy()
    scene.set_vertices(scene.objects[2].mesh, vertices)
    assert "kept_pairs" not in again.detect(scene).counts


def test_a_clearance_that_comes_and_goes_says_nothing_of_what_rests():
    """The gap of two boxes that touch is 0 where one is asked of them, whatever another object asks for."""
    scene = one_box_at((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (5.0, 0.0, 0.0))
    again = Again()
    for clearance in (0.0, 0.5, 0.0):
        scene.objects[2].clearance = clearance
        report = again.detect(scene)
        assert_is_as_detected(report, scene)
        assert np.isnan(report.pairs["gap"]).all()
    scene.objects[1].clearance = 0.1
    assert again.detect(scene).pairs["gap"].tolist() == [0.0]


@pytest.mark.parametrize("other", ("rules", "groups", "clearance", "tolerance", "selves", "verdicts", "weld", "depth"))
def test_another_question_is_asked_whole(other):
    play, again = Play(np.random.default_rng(1)), Again()
    for name in ("plain", other, "plain", other, other, other):
        report = again.detect(play.scene, **HOW[name])
        assert_is_as_detected(report, play.scene, **HOW[name])
    assert report.counts["kept_pairs"] == len(report.pairs)


def test_another_question_finds_the_depths_of_the_last_whole_one():
    scene, again = balls(12), Again()
    again.detect(scene, depth=True)
    for step in range(3):
        scene.set_poses([4], [pose(1, (4.0, 0.4, 0.1 + 0.1 * step))])
        moved = again.detect(scene, depth=True).counts
        assert moved["pairs"] == 2
    report = again.detect(scene, depth=True, clearance=0.1)
    assert "kept_pairs" not in report.counts and report.counts["depth_tests"] == moved["depth_tests"]
    assert_is_as_detected(report, scene, depth=True, clearance=0.1)


def test_another_scene_has_nothing_in_common_with_this_one():
    again = Again()
    again.detect(row_of_boxes(5))
    assert "kept_pairs" not in again.detect(row_of_boxes(5)).counts


def test_a_new_object_and_one_less_cost_their_own_pairs():
    scene, again = row_of_boxes(20), Again()
    assert len(again.detect(scene, clearance=0.1).pairs) == 19
    scene.add_object(0, pose(1, (0.0, 0.9, 0.0)))
    report = again.detect(scene, clearance=0.1)
    assert report.counts["kept_pairs"] == 19 and report.counts["pairs"] < 5
    assert_is_as_detected(report, scene, clearance=0.1)
    scene.remove_object(10)
    report = again.detect(scene, clearance=0.1)
    assert report.counts["pairs"] == 0 and report.counts["kept_pairs"] == len(report.pairs)
    assert_is_as_detected(report, scene, clearance=0.1)
    scene.rearrange([*range(1, 10), *range(11, 21)])        # as a Follower does: all have other indices
    report = again.detect(scene, clearance=0.1)
    assert report.counts["pairs"] == 0 and report.counts["kept_pairs"] == len(report.pairs) > 10
    assert_is_as_detected(report, scene, clearance=0.1)


def test_what_speaks_of_rows_of_the_report_or_of_numbers_is_asked_whole():
    scene, again = balls(6), Again()
    for step in range(3):
        scene.set_poses([3], [pose(1, (3.0, 0.2 * step, 0.0))])
        report, expected = again.detect(scene, regions=True), detect(fresh(scene)[0], regions=True)
        assert report.regions["pair"].tolist() == expected.regions["pair"].tolist() == list(range(5))
        assert np.allclose(report.regions["depth"], expected.regions["depth"], 1e-9, 1e-9)
    pairs = np.array([(0, 1), (2, 3)])
    for which in ([(0, 1), (2, 3)], [(1, 2), (2, 3)], [(3, 4), (4, 5)]):
        pairs[:] = which                # whoever asks may use one array again
        assert again.detect(scene, pairs=pairs).pairs[["a", "b"]].tolist() == which
        assert again.detect(scene, pairs=pairs.copy()).pairs[["a", "b"]].tolist() == which


def test_a_pose_at_the_end_of_an_interval_is_a_change():
    scene, again = Scene(), Again()
    mesh = scene.add_mesh(*ball(6, 4, 0.5))
    for x in (0.0, 5.0):
        scene.add_object(mesh, pose(1, (x, 0.0, 0.0)), pose_end=pose(1, (x, 0.0, 0.0)))
    for end, count in ((0.0, 0), (9.0, 1), (1.0, 0)):
        scene.objects[0].pose_end = pose(1, (end, 0.0, 0.0))
        assert len(again.detect(scene, method="certified").pairs) == count


@pytest.mark.parametrize("moved", (False, True))
def test_what_becomes_of_a_report_is_of_no_consequence(moved):
    scene, again = Edits(np.random.default_rng(3)).scene, Again()
    how = {"clearance": 0.2, "tolerance": "auto"}
    for _ in range(3):
        report = again.detect(scene, **how)
        assert len(report.contacts)
        report.place_of[:] = report.places[:] = -1
        for column in [*vars(report.contacts).values(), report.pairs.view(np.uint8)]:
            column[:] = 7
        report.objects.clear()
        report.notes.append("x")
        report.settings["contacts"] = report.counts["pairs"] = 9
        if moved:
            scene.set_poses([2], scene.poses[[2]])
            scene.poses[2, 0, 3] += 0.1
    assert_is_as_detected(again.detect(scene, **how), scene, **how)


def test_a_cancelled_run_lists_what_is_known_and_is_not_remembered():
    scene, again = row_of_boxes(30), Again()
    assert len(again.detect(scene).pairs) == 29
    scene.set_poses([4], [pose(1, (4.0, 0.2, 0.0))])
    report = again.detect(scene, progress=lambda stage, _fraction: stage not in ("contacts", "verdicts"))
    assert report.cancelled and report.counts["kept_pairs"] == 27
    assert {(int(a), int(b)) for a, b in report.pairs[["a", "b"]]} == {(i, i + 1) for i in range(29)}
    assert sorted(np.flatnonzero(report.pairs["verdict"] == 6)) == [3, 4]
    report = again.detect(scene)
    assert "kept_pairs" not in report.counts
    assert_is_as_detected(report, scene)


def test_a_run_that_is_dropped_or_refused_changes_nothing():
    def drop(_stage, _fraction):
        raise Cancelled

    scene, again = row_of_boxes(10), Again()
    again.detect(scene)
    scene.set_poses([4], [pose(1, (4.0, 0.2, 0.0))])
    with pytest.raises(Cancelled):
        again.detect(scene, progress=drop)
    report = again.detect(scene)
    assert report.counts["kept_pairs"] == 7
    assert_is_as_detected(report, scene)
    scene.hide(range(10))
    with pytest.raises(Refused):
        again.detect(scene)
    scene.show(range(10))
    assert_is_as_detected(again.detect(scene), scene)


def test_answers_with_notes_about_pairs_are_not_remembered():
    scene = row_of_boxes(6)
    vertices, triangles = box()
    stray = np.concatenate([vertices, [[1e9, 0, 0]]])
    triangles = np.concatenate([triangles, [[0, 1, len(vertices)]]])
    scene.add_object(scene.add_mesh(stray, triangles), pose(1, (0, 5, 0)), name="Stray")
    again = Again()
    for step in range(3):
        report = again.detect(scene, tolerance="auto")
        assert len(report.notes) == 1 and "kept_pairs" not in report.counts
        assert_is_as_detected(report, scene, tolerance="auto")
        scene.set_poses([1], [pose(1, (1.0, 0.1 * step, 0.0))])


def test_shells_are_no_obstacle():
    scene, again = row_of_boxes(6), Again()
    scene.objects[1].shell = True
    assert len(again.detect(scene).notes) == 1
    report = again.detect(scene)
    assert report.counts["kept_pairs"] == 5
    assert_is_as_detected(report, scene)


def test_more_contacts_than_are_listed_are_asked_anew(monkeypatch):
    """Which of them are listed depends on all."""
    scene, again = balls(4), Again()
    count = len(detect(scene).contacts)
    again.detect(scene)
    for each in (contact_budget, module):
        monkeypatch.setattr(each, "MOST_LISTED_CONTACTS", count + 5)
    scene.set_poses([0], [pose(1, (-0.1, 0.0, 0.0))])
    report = again.detect(scene)
    assert "kept_pairs" not in report.counts
    assert_is_listed_like(report, detect(fresh(scene)[0]))
    for each in (contact_budget, module):
        monkeypatch.setattr(each, "MOST_LISTED_CONTACTS", 20)
    for _ in range(2):
        report = again.detect(scene)
        assert report.pairs["unlisted"].any() and "kept_pairs" not in report.counts
        assert_is_listed_like(report, detect(fresh(scene)[0]))


@pytest.mark.parametrize("budget", range(60, 90, 2))
def test_what_is_cut_beside_pairs_that_rest_is_asked_anew(budget, monkeypatch):
    """Also where what is listed of it leaves room, as no pair gets more than another one."""
    scene, again = Scene(), Again()
    for offset in ((0, 0, 0), (0.5, 0.25, 0.3)):
        scene.add_object(scene.add_mesh(*box()), pose(1, offset))
    assert 0 < len(again.detect(scene).contacts) < 20
    for each in (contact_budget, module):
        monkeypatch.setattr(each, "MOST_LISTED_CONTACTS", budget)
    mesh = scene.add_mesh(*ball(12, 8, 0.8))
    for i in range(8):
        scene.add_object(mesh, pose(1, (50.0 + 0.1 * i, 0.01 * i, 0.0)))
    report = again.detect(scene)
    assert report.pairs["unlisted"].any()
    assert_is_listed_like(report, detect(fresh(scene)[0]))


def assert_is_listed_like(report, expected):
    assert report.notes == expected.notes and report.pairs.tobytes() == expected.pairs.tobytes()
    assert report.contacts.point.tobytes() == expected.contacts.point.tobytes()


def test_more_than_may_be_kept_is_not(monkeypatch):
    scene, again = balls(4), Again()
    size = again_bytes(again.detect(scene))
    assert "kept_pairs" in again.detect(scene).counts
    for limit, is_kept in ((size, True), (size - 1, False)):
        monkeypatch.setattr(module, "KEPT_BYTES", limit)
        again = Again()
        again.detect(scene)
        assert ("kept_pairs" in again.detect(scene).counts) is is_kept


def again_bytes(report):
    return report.pairs.nbytes + 112 * len(report.contacts)


def test_places_beyond_those_that_are_counted(monkeypatch):
    """A comb meets a bar with both teeth, each at two places, then with one."""
    scene, again = Scene(), Again()
    teeth = joined(box((-0.5, 0.0, -0.5), (0.5, 0.2, 0.5)), box((-0.5, 1.0, -0.5), (0.5, 1.2, 0.5)))
    scene.add_object(scene.add_mesh(*teeth))
    scene.add_object(scene.add_mesh(*box((-0.1, -0.7, -0.1), (0.1, 1.5, 0.1))))
    assert again.detect(scene).places.tolist() == [4]
    scene.set_poses([0], [pose(1, (0.0, 0.9, 0.0))])
    with monkeypatch.context() as patch:
        for name in ("touchpoint.core.findings", "touchpoint.core.sequence.known_places"):
            patch.setattr(f"{name}.MOST_COUNTED_CONTACTS", 5)
        assert again.detect(scene).places is None
    report = again.detect(scene)
    assert report.counts["kept_pairs"] == 1 and report.places.tolist() == [2]
    assert_is_as_detected(report, scene)


def test_a_shortage_of_memory_leaves_nothing_behind(monkeypatch):
    def fail(*_args, **_how):
        raise MemoryError

    scene, again = row_of_boxes(6), Again()
    again.detect(scene)
    with monkeypatch.context() as patch:
        patch.setattr(module.Latest, "joined", fail)
        with pytest.raises(MemoryError):
            again.detect(scene)
    report = again.detect(scene)
    assert "kept_pairs" not in report.counts
    assert_is_as_detected(report, scene)


def test_old_vertices_are_let_go():
    scene, again = row_of_boxes(3), Again()
    again.detect(scene)
    mesh = scene.objects[0].mesh
    old = weakref.ref(scene.meshes[mesh].vertices)
    scene.set_vertices(mesh, scene.meshes[mesh].vertices * 1.01)
    scene.cache.clear()
    assert old() is None


def balls(count):
    scene = Scene()
    mesh = scene.add_mesh(*ball(12, 8, 0.8))
    for i in range(count):
        scene.add_object(mesh, pose(1, (i, 0.1 * i, 0.0)))
    return scene
