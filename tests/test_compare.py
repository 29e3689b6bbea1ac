# SPDX-License-Identifier: GPL-3.0-or-later
"""Several methods on one scene: what is measured, and that no difference goes unnoticed."""
import json
import tracemalloc
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import box
from touchpoint.core import Refused, Scene, Unsupported, compare, methods
from touchpoint.core.codes import CANNOT_TELL, CLEAR, TOUCHING
from touchpoint.core.compare import PREPARING, compare_frames
from touchpoint.core.compare import compare as run
from touchpoint.core.comparison_export import write_json
from touchpoint.core.contacts import Contacts
from touchpoint.core.method import Option
from touchpoint.core.pair_table import PairTable
from touchpoint.core.sequence.film import Film

pytestmark = pytest.mark.scenes

SCHEMA = json.loads((Path(__file__).resolve().parents[1] / "docs" / "comparison.schema.json").read_text())


@pytest.fixture
def scene():
    """A crosses B, B touches C, D is far away."""
    made = Scene()
    mesh = made.add_mesh(*box())
    for name, place in (("A", (0, 0, 0)), ("B", (0.5, 0.25, 0.125)), ("C", (1.5, 0.25, 0.125)), ("D", (9, 9, 9))):
        made.add_object(mesh, pose(1, place), name=name)
    return made


@pytest.fixture
def spoilt(monkeypatch):
    """Adds methods made of the default one with other stages or fields."""
    load, ids, made = methods.load, methods.ids(), {}

    def add(name, **changes):
        made[name] = replace(load(methods.DEFAULT), id=name, warm_up=None, title=name.capitalize(), **changes)

    monkeypatch.setattr(methods, "ids", lambda: (*ids, *made))
    monkeypatch.setattr(methods, "load", lambda name: made[name] if name in made else load(name))
    return add


def judged(change):
    """A verdicts stage that alters what the default one says: change(a, b, verdict)."""
    def verdicts(objects, table, run):
        columns = methods.load(methods.DEFAULT).verdicts(objects, table, run)
        change(table.a, table.b, columns["verdict"])
        return columns
    return verdicts


def names(differences):
    return [(each.name_a + each.name_b, each.expected, each.found) for each in differences]


def test_exact_methods_agree(scene):
    comparison = run(scene, ["exact", "touchpoint"], repeats=2)
    assert [row.method for row in comparison.rows] == ["touchpoint", "exact"] and comparison.exit_code() == 0
    assert (comparison.objects, comparison.triangles, comparison.pairs) == (4, 48, 2)
    for row in comparison.rows:
        assert row.compared and not (row.missed or row.invented or row.differing or row.reason)
        assert (row.pairs, row.runs, row.counts["possible_pairs"]) == (2, 3, 6)
        assert [stage.name for stage in row.stages] == ["prepare", "broad phase", "contacts", "verdicts"]
        assert 0 < row.best <= row.median and row.first > 0 and row.memory > 0
        assert row.best >= sum(stage.best for stage in row.stages) > 0
    assert comparison.rows[0].contacts == comparison.rows[1].contacts > 0


def test_the_cache_of_the_scene_is_left_alone(scene):
    kept = scene.cache
    run(scene, ["touchpoint"], repeats=1, memory=False)
    assert scene.cache is kept and not kept


@pytest.mark.slow       # without compilation
def test_every_method_starts_with_nothing_prepared(scene, spoilt):
    seen = []
    default = methods.load(methods.DEFAULT)

    def prepare(scene, selection, run):
        seen.append("mine" in scene.cache)
        scene.cache["mine"] = True
        return default.prepare(scene, selection, run)

    spoilt("one", prepare=prepare)
    spoilt("other", prepare=prepare)
    run(scene, ["one", "other"], repeats=2)
    # Both load kernels by boxes, twice on a scene of their own; then each: first, two more, and the run for memory.
    assert seen == [False, True] * 2 + [False, True, True, False] * 2


def test_missed_invented_and_differing_pairs_are_named(scene, spoilt):
    def wrong(a, b, verdict):
        verdict[(a == 0) & (b == 1)] = CLEAR
        verdict[(a == 1) & (b == 2)] = CANNOT_TELL

    def all_touch(objects, selection, run):
        return tuple(np.array(side, np.int32) for side in zip(*[(a, b) for a in range(4) for b in range(a + 1, 4)]))

    def touches(objects, table, run):
        return {"verdict": np.full(len(table), TOUCHING, np.int8)}

    spoilt("wrong", verdicts=judged(wrong))
    spoilt("touchy", broad_phase=all_touch, verdicts=touches, answer="conservative")
    comparison = run(scene, ["wrong", "touchy"], repeats=1, memory=False)
    row, touchy = comparison.rows
    assert names(row.missed) == [("AB", "crossing", "clear")] and row.invented == []
    assert names(row.differing) == [("BC", "touching", "cannot tell")]
    assert names(touchy.invented) == [(pair, "clear", "touching") for pair in ("AC", "AD", "BD", "CD")]
    assert names(touchy.differing) == [("AB", "crossing", "touching")] and touchy.missed == []
    low, high = row.missed[0].where
    assert np.all(low >= (0.5, 0.25, 0.125)) and np.all(high <= 1.0) and touchy.invented[0].where is None
    assert row.broken and not touchy.broken and comparison.exit_code() == 1


@pytest.mark.parametrize("answer, differs", [("exact", ["AB", "BC"]), ("conservative", [])])
def test_other_contacts_matter_where_an_exact_answer_is_promised(answer, differs, scene, spoilt):
    default = methods.load(methods.DEFAULT)

    def fewer(objects, table, run):
        found = default.contacts(objects, table, run)
        return found.take(np.arange(len(found)) % 2 == 0)

    def verdicts_of_all(objects, table, run):
        whole = PairTable(table.a, table.b)
        whole.contacts = default.contacts(objects, whole, run)
        return default.verdicts(objects, whole, run)

    spoilt("fewer", contacts=fewer, verdicts=verdicts_of_all, answer=answer)
    row, = run(scene, ["fewer"], repeats=1, memory=False).rows
    assert [name for name, *_ in names(row.differing)] == differs and row.broken == bool(differs)


def test_a_method_that_cannot_do_the_scene_says_why(scene, spoilt):
    def refuse(scene, selection, run):
        raise Unsupported("Only spheres.")

    def swallow(scene, selection, run):
        raise MemoryError

    spoilt("spheres", prepare=refuse)
    spoilt("hungry", prepare=swallow)
    comparison = run(scene, ["spheres", "hungry", "touchpoint"], repeats=1)
    assert [(row.method, row.reason) for row in comparison.rows] == [
        ("touchpoint", ""), ("spheres", "Only spheres."), ("hungry", "There is not enough memory for this scene.")]
    assert comparison.exit_code() == 0 and not comparison.no_reference


def test_without_an_exact_answer_nothing_is_compared(scene, spoilt):
    def refuse(scene, selection, run):
        raise Unsupported("Not today.")

    spoilt("oracle", prepare=refuse)
    comparison = run(scene, ["touchpoint"], reference="oracle", repeats=1, memory=False)
    assert comparison.no_reference == "Not today." and not comparison.rows[0].compared
    assert comparison.exit_code() == 2


def test_options_make_entries_of_their_own(scene, spoilt):
    seen = []
    default = methods.load(methods.DEFAULT)

    def prepare(scene, selection, run):
        seen.append(tuple(run.options.values()))
        return default.prepare(scene, selection, run)

    spoilt("deep", prepare=prepare,
           options=(Option("depth", "Depth", "t", 2, minimum=1), Option("fast", "Fast", "t", True)))
    entries = ["deep", ("deep", {"depth": 2}), ("deep", {"fast": False}), ("deep", {})]
    comparison = run(scene, entries, options={"deep": {"depth": "3"}}, repeats=1, memory=False)
    assert [row.options for row in comparison.rows] == [{"depth": 3}, {}, {"fast": False}]      # {} and 2 are the same
    assert [row.label for row in comparison.rows] == ["Deep, depth 3", "Deep", "Deep, fast off"]
    assert dict.fromkeys(seen) == {(3, True): None, (2, True): None, (2, False): None}


@pytest.mark.parametrize("entries, how, words", [
    (["magic"], {}, "no method"), ([("touchpoint", {"size": 1})], {}, "no option"), ([], {}, "No method was chosen"),
    (["touchpoint"], {"repeats": 0}, "at least once"), (["touchpoint"], {"reference": "magic"}, "no method"),
])
def test_what_makes_no_sense_is_refused(entries, how, words, scene):
    with pytest.raises(Refused, match=words):
        run(scene, entries, **how)


def test_an_inexact_reference_is_refused(scene, spoilt):
    spoilt("rough", answer="conservative")
    with pytest.raises(Refused, match="not exact"):
        run(scene, ["touchpoint"], reference="rough")


@pytest.mark.slow       # without compilation
def test_cancelling_keeps_what_is_finished(scene):
    def cancel_at(wanted):
        told = []

        def progress(label, fraction):
            told.append((label, fraction))
            return len(set(told)) < wanted
        return progress

    whole = []
    run(scene, ["touchpoint", "exact"], repeats=2, progress=lambda *step: whole.append(step))
    assert [label for label in dict.fromkeys(label for label, _ in whole)] == [
        PREPARING, "Touchpoint", "Touchpoint: memory", "Exact Reference", "Exact Reference: memory"]
    assert [step for step in dict.fromkeys(whole) if step[0] == PREPARING] == [(PREPARING, 0.0), (PREPARING, 0.5)]
    fractions = [fraction for label, fraction in whole if label != PREPARING]
    assert fractions == sorted(fractions) and fractions[0] == 0.0 and fractions[-1] < 1.0
    steps = len(set(whole))
    for wanted in range(1, steps + 1):
        comparison = run(scene, ["touchpoint", "exact"], repeats=2, progress=cancel_at(wanted))
        assert comparison.cancelled
        assert [row.method for row in comparison.rows] == ["touchpoint", "exact"][:(wanted > 3) + (wanted > 7)]
        assert all(row.compared and row.runs for row in comparison.rows)
        assert comparison.exit_code() == 2


def test_memory_is_that_of_the_arrays(scene, spoilt):
    default = methods.load(methods.DEFAULT)

    def prepare(scene, selection, run):
        np.zeros(20_000_000, np.uint8).sum()
        return default.prepare(scene, selection, run)

    spoilt("large", prepare=prepare)
    small, large = run(scene, ["touchpoint", "large"], repeats=1).rows
    assert small.memory < 5e6 and 20e6 <= large.memory < 25e6 and not tracemalloc.is_tracing()


def test_the_file_is_what_its_schema_says(scene, spoilt, tmp_path):
    spoilt("wrong", verdicts=judged(lambda a, b, verdict: verdict.fill(CLEAR)))
    spoilt("spheres", prepare=lambda *_: (_ for _ in ()).throw(Unsupported("Only spheres.")))
    comparison = run(scene, ["touchpoint", "wrong", "spheres"], repeats=1)
    write_json(comparison, tmp_path / "c.json")
    data = json.loads((tmp_path / "c.json").read_text())
    jsonschema.validate(data, SCHEMA)
    assert [each["id"] for each in data["methods"]] == ["touchpoint", "wrong", "spheres"]
    assert data["clearance"] == 0.0
    assert data["methods"][1]["missed"][0] == {"a": "A", "b": "B", "expected": "crossing", "found": "clear"}
    assert data["methods"][2]["reason"] == "Only spheres."


def test_the_file_says_the_clearance_in_metres(scene, tmp_path):
    comparison = run(scene, ["touchpoint"], repeats=1, memory=False, clearance=0.25)
    comparison.unit_scale = 0.01
    write_json(comparison, tmp_path / "c.json")
    data = json.loads((tmp_path / "c.json").read_text())
    jsonschema.validate(data, SCHEMA)
    assert data["clearance"] == 0.0025


def test_an_option_that_may_lose_pairs_breaks_no_promise(scene, spoilt):
    default = methods.load(methods.DEFAULT)

    def some(objects, selection, run):
        a, b = default.broad_phase(objects, selection, run)
        return (a[1:], b[1:]) if run.options["cells"] == "few" else (a, b)

    cells = Option("cells", "Cells", "t", "all", (("all", "All"), ("few", "Few")), may_lose=("few",))
    spoilt("sparse", broad_phase=some, options=(cells,))
    comparison = run(scene, ["sparse", ("sparse", {"cells": "few"})], repeats=1, memory=False)
    whole, few = comparison.rows
    assert (whole.answer, few.answer) == ("exact", "approximate") and whole.missed == []
    assert names(few.missed) == [("AB", "crossing", "clear")] and comparison.exit_code() == 0


def test_the_pairs_of_objects_that_both_have_tested_count(scene, spoilt):
    """A method that takes clouds of points finds pairs that the exact answer says nothing of."""
    cloud = scene.add_object(scene.add_mesh(box()[0], np.zeros((0, 3), np.int32)), name="Cloud")
    default = methods.load(methods.DEFAULT)

    def touches(objects, selection, run):
        return np.zeros(1, np.int32), np.full(1, cloud, np.int32)

    spoilt("cloudy", takes_points=True, prepare=lambda *_: None, broad_phase=touches, answer="approximate",
           contacts=lambda objects, table, run: Contacts.empty(),
           verdicts=lambda objects, table, run: {"verdict": np.full(1, TOUCHING, np.int8)})
    row, = run(scene, ["cloudy"], repeats=1, memory=False).rows
    assert row.pairs == 1 and row.invented == [] and names(row.missed) == [
        ("AB", "crossing", "clear"), ("BC", "touching", "clear")]
    assert default.takes_points is False and compare.REFERENCE == methods.DEFAULT


def bullet_film():
    """A bullet before a wall on frame 10 and behind it on frame 11, and two boxes that cross from 10.5 on."""
    film, made = Film(), Scene()
    made.add_object(made.add_mesh(*box((0, -5, -5), (0.1, 5, 5))), name="Wall")
    made.add_object(made.add_mesh(*box((0, 0, 0), (0.1, 0.1, 0.1))), name="Bullet")
    mesh = made.add_mesh(*box((0, 0, 0), (1, 1, 1)))
    made.add_object(mesh, pose(1, (20, 0, 0)), name="A")
    made.add_object(mesh, name="B")
    for frame, x, b in ((9, -14.4, 23.25), (10, -4.4, 21.25), (11, 5.6, 20.75)):
        made.set_poses([1, 3], [pose(1, (x, 0.3, 0.2)), pose(1, (b, 0.2, 0.1))])
        film.add(frame, made)
    return film


def test_frames_are_compared_by_sweeps():
    comparison = compare_frames(bullet_film(), ["certified", "tsgo", "touchpoint"], repeats=1)
    assert [row.method for row in comparison.rows] == ["touchpoint", "certified", "tsgo"]
    assert (comparison.reference, comparison.frames.tolist(), comparison.objects) == ("touchpoint", [9, 10, 11], 4)
    assert [(row.pairs, row.expected, row.held_against) for row in comparison.rows] == [
        (1, 1, "touchpoint"), (2, 2, "certified"), (1, 1, "touchpoint")]
    assert not any(row.missed or row.invented or row.differing for row in comparison.rows)
    assert all(row.compared and row.memory and row.best for row in comparison.rows) and comparison.exit_code() == 0


def test_a_method_that_needs_an_interval_has_a_reference_of_its_own(spoilt, monkeypatch):
    follower = methods.load("certified")
    spoilt("late", needs=("interval",), between=lambda start, end, *more: later(follower.between(start, end, *more)))
    spoilt("blind", needs=("interval",), between=lambda start, end, allows, run, tolerance=None: follower.between(
        start, end, lambda a, b: np.zeros(len(a), bool), run))
    comparison = compare_frames(bullet_film(), ["blind", "late"], repeats=1, memory=False)
    assert comparison.reference == "certified" and not comparison.no_reference
    blind, late = comparison.rows
    assert names(blind.missed) == [("WallBullet", "crossing", "clear")] and blind.broken
    assert [(each.name_a + each.name_b, each.other) for each in blind.differing] == [("AB", "times")]
    assert {each.other for each in late.differing} == {"times"} and not late.missed and comparison.exit_code() == 1


def later(found):
    return found._replace(toi=np.minimum(1.0, found.toi + 0.01))


def test_frames_without_a_choice_ask_methods_of_both_kinds():
    comparison = compare_frames(bullet_film(), repeats=1, memory=False)
    asked = [row.method for row in comparison.rows]
    assert asked[0] == "touchpoint" and {"certified", "tsgo", "rapid"} <= set(asked)
    assert comparison.exit_code() == 0


def test_an_interval_of_one_scene():
    made = Scene()
    made.add_object(made.add_mesh(*box()))
    made.add_object(0, pose(1, (3, 0, 0)), pose_end=pose(1, (-3, 0, 0)))
    comparison = run(made, ["touchpoint", "certified"], repeats=1, memory=False)
    assert [(row.pairs, row.expected, row.reason) for row in comparison.rows] == [(0, 0, ""), (1, 1, "")]
    comparison = run(one_instant(made), ["touchpoint", "certified"], repeats=1, memory=False)
    assert "move during an interval" in comparison.rows[1].reason and not comparison.no_reference
    assert "move during an interval" in run(made, ["certified"], repeats=1, memory=False).no_reference


def one_instant(scene):
    scene.objects[1].pose_end = None
    return scene


def test_the_json_names_the_frames(tmp_path):
    write_json(compare_frames(bullet_film(), ["touchpoint", "certified"], repeats=1, memory=False), tmp_path / "a.json")
    text = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    jsonschema.validate(text, SCHEMA)
    assert text["frames"] == {"start": 9, "end": 11, "count": 3} and text["frame"] is None
    assert [row["held_against"] for row in text["methods"]] == ["touchpoint", "certified"]
