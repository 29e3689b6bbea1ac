# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare as scripts call it, what it keeps with the scene, and rows that lead to the pairs they speak of."""
import bpy
import numpy as np
import pytest
from animation_building import key
from report_building import all_data
from scene_building import add_cube
from touchpoint.addon import api, compare_phrases, questions, session, staleness
from touchpoint.addon.method_properties import compared_methods
from touchpoint.addon.panels.compare import STATE_ICONS
from touchpoint.addon.pieces import finished
from touchpoint.addon.run import NOTHING_COMPARED, CompareRun
from touchpoint.addon.write_back.comparing import writing_comparison
from touchpoint.core import Cancelled, Refused, methods
from touchpoint.core.comparison import Difference, Row

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def cubes(registered):
    """A and B cross, C is far away."""
    return [add_cube(name, place) for name, place in (("A", (0, 0, 0)), ("B", (1.3, 1.2, 1.1)), ("C", (9, 0, 0)))]


@pytest.fixture
def settings(cubes):
    settings = bpy.context.scene.touchpoint
    settings.repeats = 1
    choose(settings, "touchpoint", "exact")
    return settings


def choose(settings, *wanted):
    for method in methods.ids():
        setattr(settings.compared_methods, method, method in wanted)


def selected():
    return sorted(each.name for each in bpy.context.view_layer.objects.selected)


def missing_a_pair(settings):
    """Write a comparison in which a method misses A × B and invents B × C."""
    comparison = api.compare(["touchpoint"], repeats=1, memory=False)
    row = Row("rough", "Rough", "conservative", {"cells": "few"}, compared=True, pairs=1, expected=1,
              notes=["It can miss pairs."], memory=2_500_000,
              counts={"possible_pairs": 3, "pairs": 1, "box_pairs": 12345, "triangle_pairs": 7})
    row.missed.append(Difference(0, 1, "A", "B", "crossing", "clear", np.array([(0.3, 0.2, 0.1), (1.0, 1.0, 1.0)])))
    row.invented.append(Difference(1, 2, "B", "C", "clear", "touching"))
    comparison.rows.append(row)
    finished(writing_comparison(settings, comparison))
    return settings.comparison


def test_compare_and_clear(settings):
    before = all_data()
    assert bpy.ops.touchpoint.compare() == {"FINISHED"}
    kept = settings.comparison
    assert [row.name for row in kept.rows] == ["Touchpoint", "Exact Reference"]
    assert kept.headline == "2 methods compared; none misses a pair, or reports one that does not collide"
    assert kept.tested == "3 objects with 36 triangles, 1 pair that is not clear"
    for row in kept.rows:
        assert row.verdict == "same" and row.found == "same" and row.seconds.endswith("s") and not row.reason
        assert [line.name for line in row.times] == ["Building trees", "Finding neighbours", "Testing triangles",
                                                     "Judging pairs", "All"]
        assert all(line.first.endswith("s") and line.again.endswith("s") for line in row.times)
        found = {line.name: line.again for line in row.counts}
        assert found["Pairs found"] == "1" and found["Memory"].endswith("B")
    assert all_data() == before and settings.result.run_id == ""        # nothing but settings changed
    assert bpy.ops.touchpoint.clear() == {"FINISHED"}
    assert kept.run_id == kept.headline == "" and len(kept.rows) == 0


def test_points_are_read_only_where_a_method_takes_them():
    assert not api.any_takes_points(None) and not api.any_takes_points(["rapid", ("tsgo", {"depth": 3})])
    assert api.any_takes_points(["rapid", ("hull_points", {})])


def test_detect_keeps_the_comparison_and_the_other_way_round(settings):
    bpy.ops.touchpoint.compare()
    bpy.ops.touchpoint.detect()
    assert len(settings.comparison.rows) == 2 and len(settings.result.pairs) == 1
    bpy.ops.touchpoint.compare()
    assert len(settings.comparison.rows) == 2 and len(settings.result.pairs) == 1


def test_it_is_saved_with_the_file(settings, tmp_path):
    missing_a_pair(settings)
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    row = bpy.context.scene.touchpoint.comparison.rows[1]
    assert row.name == "Rough, cells few" and [pair.name for pair in row.pairs] == ["A × B", "B × C"]
    row.pair_index = 0
    assert selected() == ["A", "B"]


def test_what_a_method_missed_is_told_and_shown(settings):
    row = missing_a_pair(settings).rows[1]
    assert (row.verdict, row.found) == ("missed", "1 missed, 1 invented")
    assert row.agreement == "Of 1 pair in the exact answer: 1 missed, 1 invented" and row.notes == "It can miss pairs."
    assert [pair.line for pair in row.pairs] == ["Missed: crossing in the exact answer, clear here",
                                                 "Invented: clear in the exact answer, touching here"]
    assert [pair.verdict for pair in row.pairs] == ["crossing", "touching"]
    assert {line.name: line.again for line in row.counts}["Box tests"] == "12,345"
    row.pair_index = 1              # as a click does
    assert selected() == ["B", "C"]
    row.pair_index = 0
    assert selected() == ["A", "B"]
    assert tuple(row.pairs[0].centre) == pytest.approx((0.65, 0.6, 0.55))
    assert settings.comparison.headline == ("2 methods compared; 1 of them misses pairs that collide, "
                                            "1 of them reports pairs that do not collide")


def test_a_method_that_cannot_do_the_scene_has_a_row(settings, monkeypatch):
    settings.clearance = 0.5
    compare = questions.compare_in

    def refused(snapshot, entries, **how):
        comparison = compare(snapshot, entries, **how)
        comparison.rows.append(Row("rough", "Rough", "exact", {}, reason="It measures no clearances."))
        return comparison

    monkeypatch.setattr(questions, "compare_in", refused)
    choose(settings, "touchpoint")
    assert bpy.ops.touchpoint.compare() == {"FINISHED"}
    row = settings.comparison.rows[1]
    assert (row.found, row.agreement, row.seconds) == ("not possible", "It measures no clearances.", "")
    assert len(row.times) == len(row.counts) == 0 and STATE_ICONS[row.verdict]


def test_every_method_can_be_asked(settings):
    for method in methods.ids():
        setattr(settings.compared_methods, method, True)
        if "gpu" in methods.load(method).needs:
            getattr(settings.options, method).device = "cpu"
    assert [method for method, _ in compared_methods(settings)] == list(methods.ids())
    assert bpy.ops.touchpoint.compare() == {"FINISHED"}
    assert len(settings.comparison.rows) == len(methods.ids())
    for row, method in zip(settings.comparison.rows, methods.ids()):
        assert row.reason or row.times, row.name
        if methods.load(method).answer == "exact" and not methods.load(method).follows:
            assert row.verdict == "same", (row.name, row.agreement)


def test_nothing_chosen(settings):
    choose(settings)
    with pytest.raises(RuntimeError, match="Choose at least one method"):
        bpy.ops.touchpoint.compare()


def test_a_refusal_is_a_sentence_and_keeps_the_earlier_comparison(settings, cubes):
    bpy.ops.touchpoint.compare()
    before = settings.comparison.run_id
    for each in cubes[1:]:
        each.hide_set(True)
    assert bpy.ops.touchpoint.compare() == {"CANCELLED"}
    assert '"A"' in session.message() and settings.comparison.run_id == before


def test_a_run_off_the_main_thread(settings):
    run = CompareRun.of_settings(bpy.context)
    session.set_run(run)
    while not run.is_handed_over:
        assert not run.pump(0.0)
    with pytest.raises(RuntimeError, match="Compare is running"):
        bpy.ops.touchpoint.detect()
    comparison = run.complete()
    session.set_run(None)
    assert len(comparison.rows) == 2 and len(settings.comparison.rows) == 2


def test_cancelled_before_anything_was_finished(settings, monkeypatch):
    compare = questions.compare_in

    def cancelled(snapshot, entries, progress, **how):
        return compare(snapshot, entries, progress=lambda *_: False, **how)

    monkeypatch.setattr(questions, "compare_in", cancelled)
    with pytest.raises(Cancelled, match=NOTHING_COMPARED):
        CompareRun.of_settings(bpy.context).complete()
    assert settings.comparison.run_id == ""


def test_cancelled_with_something_finished(settings, monkeypatch):
    compare = questions.compare_in

    def cancelled(snapshot, entries, progress, **how):
        return compare(snapshot, entries, progress=lambda label, _: label != "Exact Reference", **how)

    monkeypatch.setattr(questions, "compare_in", cancelled)
    CompareRun.of_settings(bpy.context).complete()
    assert [row.name for row in settings.comparison.rows] == ["Touchpoint"] and settings.comparison.partial


def test_cancelled_while_it_is_written(settings):
    comparison = api.compare(["touchpoint", "exact"], repeats=1, memory=False)
    writing = writing_comparison(settings, comparison, lambda: True)
    assert len(list(writing)) == 1
    assert [row.name for row in settings.comparison.rows] == ["Touchpoint"] and settings.comparison.partial
    finished(writing_comparison(settings, comparison))
    assert len(settings.comparison.rows) == 2 and not settings.comparison.partial


def test_a_change_makes_it_outdated(settings, cubes):
    bpy.ops.touchpoint.compare()
    bpy.context.view_layer.update()
    assert not staleness.is_stale(settings.comparison)
    cubes[0].location.z += 1.0
    bpy.context.view_layer.update()
    assert staleness.is_stale(settings.comparison)


@pytest.mark.parametrize("number, text", [(0.0000123, "0.01 ms"), (0.00512, "5.12 ms"), (0.0234, "23.4 ms"),
                                          (0.4, "400 ms"), (1.234, "1.23 s"), (61.0, "61.0 s")])
def test_seconds(number, text):
    assert compare_phrases.seconds(number) == text


@pytest.mark.parametrize("size, text", [(None, "not measured"), (12, "12 B"), (1234, "1.23 kB"), (5.6e8, "560 MB"),
                                        (2e9, "2 GB")])
def test_memory(size, text):
    assert compare_phrases.memory(size) == text


def test_over_frames(settings, cubes):
    """B comes from afar and goes through A between two frames."""
    scene = bpy.context.scene
    key(cubes[1], "location", (1, (6, 0, 0)), (2, (-6, 0, 0)), (3, (-0.5, 0, 0)))
    scene.frame_start, scene.frame_end = 1, 3
    scene.frame_set(2)
    settings.compare_frames = True
    choose(settings, "touchpoint", "certified")
    assert bpy.ops.touchpoint.compare() == {"FINISHED"} and scene.frame_current == 2
    kept = settings.comparison
    assert kept.over_frames and kept.tested.startswith("Frames 1-3: 3 objects")
    assert [(row.name, row.verdict) for row in kept.rows] == [
        ("Touchpoint", "same"), ("Certified First Contacts", "same")]
    assert all("1 pair" in row.agreement or "held against" in row.agreement for row in kept.rows)


def test_over_frames_from_python(cubes):
    key(cubes[1], "location", (1, (6, 0, 0)), (2, (-6, 0, 0)))
    bpy.context.scene.frame_set(1)
    comparison = api.compare(["touchpoint", "certified"], frames=(1, 2), repeats=1, memory=False)
    assert [row.pairs for row in comparison.rows] == [0, 1] and comparison.frames.tolist() == [1, 2]
    assert bpy.context.scene.frame_current == 1
    with pytest.raises(Refused, match="not both"):
        api.compare(["touchpoint"], frames=(1, 2), frame=1)


def test_a_cancelled_reading_compares_nothing(cubes):
    key(cubes[1], "location", (1, (6, 0, 0)), (2, (-6, 0, 0)))
    with pytest.raises(Cancelled):
        api.compare(["touchpoint"], frames=(1, 50), progress=lambda stage, fraction: fraction < 0.5)
    assert bpy.context.scene.frame_current == 1
