# SPDX-License-Identifier: GPL-3.0-or-later
"""Detect asks only pairs of which something changed, and says what it would say of a scene that it has never seen."""
import re
from contextlib import nullcontext
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from test_scene_read_follower import (  # noqa: F401  (hall: a fixture)
    EDITS,
    assert_judged_alike,
    bits,
    edited,
    hall,
    update,
)
from touchpoint.addon import api, session
from touchpoint.addon.names import is_made, name_of
from touchpoint.addon.run import DetectRun
from touchpoint.core import Cancelled
from touchpoint.core.codes import CANCELLED
from touchpoint.core.findings import PAIR_DTYPE
from touchpoint.core.rules import Ref, Rule

DEPTHS = ("depth", "depth_upper", "depth_points")
RULES = (Rule("pairs", pairs=((Ref("A"), Ref("B")), (Ref("S1"), Ref("S2"))), reason="known"), Rule("parents"),
         Rule("pairs", pairs=((Ref("B"), Ref("C")), (Ref("C"), Ref("D"))), allowed_depth=2.0))
QUESTIONS = {
    "exact": {"tolerance": 0.0, "clearance": 0.125}, "usual": {}, "tolerance": {"tolerance": 0.05, "clearance": 0.3},
    "rules": {"rules": RULES, "tolerance": 0.0}, "selves": {"self_collisions": True, "tolerance": 0.0},
    "verdicts": {"contacts": False}, "weld": {"weld": 0.1, "tolerance": 0.0},
}
WHERE = ("scope", "frame", "objects", "rules")


@pytest.fixture
def ask(tmp_path):
    """Asserts that Detect, asked again, says what it says of a scene that is read for the first time. Returns how many
    rows it took over."""
    def check(**how):
        report = api.detect(**how)
        fresh = api.read_scene(**{name: how[name] for name in WHERE if name in how})
        expected = api.detect_in(fresh, **{name: how[name] for name in how if name not in WHERE})
        assert expected.source.core is not report.source.core and "kept_pairs" not in expected.counts
        if how.get("tolerance", "auto") == 0.0 and "rules" not in how:
            assert bits(report, tmp_path / "a.json") == bits(expected, tmp_path / "b.json")
        assert_judged_alike(report, expected)
        for name in report.pairs.dtype.names:
            assert name in DEPTHS or report.pairs[name].tobytes() == expected.pairs[name].tobytes(), name
        for name, column in vars(expected.contacts).items():
            assert getattr(report.contacts, name).tobytes() == column.tobytes(), name
        assert report.summary() == expected.summary() and report.place_of.tolist() == expected.place_of.tolist()
        assert report.notes == expected.notes and report.skipped == expected.skipped
        assert report.settings == expected.settings and report.objects == expected.objects
        assert (report.rules is None) is (expected.rules is None)
        if expected.rules is not None:
            assert report.rules.kept.tolist() == expected.rules.kept.tolist()
            for name in ("a", "b", "rule", "tested", "verdict"):
                assert report.rules.taken[name].tolist() == expected.rules.taken[name].tolist()
        return report.counts.get("kept_pairs", 0)
    return check


@pytest.mark.parametrize("name", EDITS)
def test_an_edit(name, hall, ask):  # noqa: F811
    how = QUESTIONS["exact"]
    assert ask(**how) == 0 and ask(**how) > 20
    EDITS[name](hall)
    ask(**how)
    update()
    ask(**how)
    assert ask(**how) > 5


@pytest.mark.parametrize("name", ["move", "turn", "mirror", "vertex", "modifier", "driver", "hide", "delete",
                                  "duplicate", "move an instancer", "no faces left", "not a number"])
def test_few_pairs_are_asked_after(name, hall, ask):  # noqa: F811
    ask()
    EDITS[name](hall)
    update()
    report = api.detect()
    assert 0 < report.counts["kept_pairs"] and 2 * report.counts["pairs"] < len(report.pairs) + 20


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(2))
def test_many_edits_one_after_the_other(seed, question, hall, ask):  # noqa: F811
    kept = sum(ask(**QUESTIONS[question]) for _ in edited(hall, seed, 14))
    assert kept > 20 or question == "weld"


def test_questions_taking_turns(hall, ask):  # noqa: F811
    rng, kept = np.random.default_rng(5), 0
    for _ in range(20):
        for _ in range(int(rng.integers(1, 4))):
            hall["A"].location.x += float(rng.choice([0.0, 0.1]))
            kept += ask(**(how := QUESTIONS[str(rng.choice(list(QUESTIONS)))]))
        kept += ask(**how)
    assert kept > 100


def test_rules_that_a_script_changes_in_place(hall, ask):  # noqa: F811
    rules = [RULES[0]]
    ask(rules=rules)
    rules.append(RULES[2])
    ask(rules=rules)
    rules[0] = Rule("pairs", pairs=((Ref("A"), Ref("C")),))
    ask(rules=rules)
    rules.clear()
    ask(rules=rules)


def test_frames_in_a_loop(hall, ask):  # noqa: F811
    ask(frame=1)
    assert all(ask(frame=frame) > 10 for frame in (1.5, 2, 3, 3, 9, 1))


def test_scopes_taking_turns(hall, ask):  # noqa: F811
    for name in "ABC":
        hall[name].select_set(True)
    for _ in range(3):
        ask(scope="SELECTED")
        ask(scope="OTHERS")
        ask()
        ask(objects=[hall["A"], hall["C"], hall["S1"]])
        hall["A"].location.x += 0.1
        hall["B"].select_set(not hall["B"].select_get())


def test_undo_and_redo(hall, ask):  # noqa: F811
    names = [(name, hall[name].name) for name in "AB"]

    def here(name):
        return bpy.data.objects[dict(names)[name]]

    bpy.ops.ed.undo_push(message="built")
    ask()
    here("A").location.x += 0.3
    here("B").data.vertices[0].co.x -= 0.4
    bpy.ops.ed.undo_push(message="moved")
    ask()
    for _ in range(2):
        bpy.ops.ed.undo()
        ask()
        bpy.ops.ed.redo()
        ask()
    here("A").location.x += 0.3
    bpy.ops.ed.undo_push(message="moved again")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    ask()


def test_another_file_has_nothing_in_common(hall, ask, tmp_path, registered):  # noqa: F811
    path = str(tmp_path / "hall.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert ask() == 0 and ask() > 0
    bpy.data.objects["A"].location.x += 0.25
    assert ask() > 0
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not session._state.followers
    assert ask() == 0 and ask() > 0


def test_what_detect_kept_says_how_much_in_its_counts(hall):  # noqa: F811
    first, second = api.detect(), api.detect()
    assert "kept_pairs" not in first.counts and second.counts["kept_pairs"] == len(second.pairs)
    assert second.counts["pairs"] == second.counts["triangle_pairs"] == 0
    assert [each.name for each in second.stages][0] == "read" and second.stages[-1].name == "kept"


@pytest.mark.parametrize("how", [{"volume": True}, {"regions": True}, {"method": "rapid"}, {"method": "hybrid"},
                                 {"self_collisions": True, "self_reference": 2.0}])
def test_other_questions_are_asked_whole(how, hall):  # noqa: F811
    assert all("kept_pairs" not in api.detect(**how).counts for _ in range(2))


@pytest.mark.parametrize("stage", ("prepare", "broad phase", "contacts"))
def test_a_run_that_is_cancelled_before_it_has_asked_anything_leaves_the_result(stage, hall, registered):  # noqa: F811
    bpy.ops.touchpoint.detect()
    result = bpy.context.scene.touchpoint.result
    before = result.run_id
    hall["A"].location.x += 0.1
    update()
    with pytest.raises(Cancelled):
        DetectRun.of_settings(bpy.context).complete(lambda now, _fraction: now != stage)
    assert result.run_id == before and not result.partial


@pytest.mark.parametrize("kept, found, unfinished", [(0, 0, 0), (0, 0, 3), (0, 1, 3), (5, 0, 3), (5, 1, 3), (5, 0, 0)])
def test_what_was_known_before_is_no_finding_of_a_cancelled_run(kept, found, unfinished):
    pairs = np.zeros(kept + found + unfinished, PAIR_DTYPE)
    pairs["status"][:unfinished] = CANCELLED
    report = SimpleNamespace(cancelled=True, pairs=pairs, counts={"kept_pairs": kept} if kept else {})
    with nullcontext() if found else pytest.raises(Cancelled):
        DetectRun(bpy.context, {}, "touchpoint")._refuse_nothing(report)


def all_that_is_shown():
    """Of the result of the scene, in the panel and in the views, but for times."""
    result, objects = bpy.context.scene.touchpoint.result, bpy.data.objects
    said = [result.headline, re.sub(r"[\d.]+ m?s\b", "", result.tested), result.question, result.tolerance,
            result.contacts, result.taken_away, result.notes, result.left_out_title, result.partial, result.pairs_found]
    rows = [(row.name, row.line, row.figure, row.centre, row.radius, row.close_up, row.holder) for row in result.pairs]
    left_out = [(each.name, each.reason) for each in result.left_out]
    own = {name_of(each): (each.color[:], each.matrix_world.copy(), each.empty_display_size) for each in objects}
    points = [each for each in objects if is_made(each) and each.type == "MESH"]
    vertices = [{name: [value.value if hasattr(value, "value") else tuple(value.vector) for value in each.data]
                 for name, each in mesh.data.attributes.items()} for mesh in points]
    return said, rows, left_out, own, vertices, [list(each["objects"]) for each in points if "objects" in each]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("exact", (False, True))
def test_what_is_shown_is_what_a_first_run_shows(seed, exact, hall, registered):  # noqa: F811
    """Colours, empties, points, rows and sentences. Depths of meshes that bend follow their trees, and so rows that
    are ordered by them."""
    rng, settings = np.random.default_rng(seed), bpy.context.scene.touchpoint
    if exact:
        settings.tolerance_kind = "EXACT"
    usable = [name for name in EDITS if name not in ("undo", "edit mode", "exchange names", "another instanced mesh")
              and (exact or not {"vertex", "foreach_set", "shape", "mesh", "number"} & set(name.split()))]
    bpy.ops.touchpoint.detect()
    kept = 0
    for name in rng.permutation(usable)[:8]:
        try:
            EDITS[str(name)](hall)
        except (ReferenceError, IndexError, AttributeError):     # an earlier edit took away what this one edits
            continue
        bpy.ops.touchpoint.detect()
        again = all_that_is_shown()
        kept += session.report_of(bpy.context.scene).counts.get("kept_pairs", 0)
        api.clear()
        session.reset()
        bpy.ops.touchpoint.detect()
        first = all_that_is_shown()
        for one, other in zip(again, first):
            assert one == other, name
        assert len(first[1]) > 5 and first[4]
    assert kept > 50
