# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel shows of a result, as it is saved with the scene."""
from pathlib import Path

import bpy
import numpy as np
import pytest
from report_building import report_of
from scene_building import add_collection_instance, add_cube, new_collection
from touchpoint.addon import api, phrases, session, staleness, write_back
from touchpoint.addon.pieces import finished
from touchpoint.addon.write_back import listed_rows
from touchpoint.addon.write_back.framing import Bounds, extents_of, views_of_pairs
from touchpoint.core.codes import A_IN_B, B_IN_A, NOT_CLOSED, STATUSES, Skipped
from touchpoint.core.run import StageRecord

SAMPLES = Path(__file__).resolve().parents[2] / "sample_scenes"
pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def cubes(registered):
    return [add_cube(name, (number, 0, 0)) for number, name in enumerate("ABC")]


@pytest.fixture
def result(cubes):
    return bpy.context.scene.touchpoint.result


def test_the_worst_pairs_come_first(result):
    write_back.write(report_of(("A", "B", "touching", 9), ("A", "C", "crossing", 1), ("B", "C", "crossing", 5)))
    assert [(pair.name, pair.verdict, pair.contacts) for pair in result.pairs] == [
        ("B × C", "crossing", 5), ("A × C", "crossing", 1), ("A × B", "touching", 9)]
    assert result.pairs_found == 3 and bpy.context.scene.touchpoint.pair_index == -1


def test_sentences(result):
    report = report_of(("A", "B", "crossing", 250), ("B", "C", "touching", 2))
    report.stages = [StageRecord("read", 0, 0, 0, 0.25), StageRecord("contacts", 0, 0, 0, 1.0)]
    write_back.write(report)
    assert result.headline == "1 pair collides; 1 touches"
    assert result.tested == "3 objects tested in 1.2 s"
    assert result.contacts == "252 contacts at 252 places, 200 marked"
    assert result.pairs[0].line == "Crossing, 250 contacts at 250 places"
    assert not result.partial and result.left_out_title == ""


def test_the_headline_says_once_what_it_counts(result):
    write_back.write(report_of(("A", "B", "crossing", 3), ("A", "C", "touching", 2), ("B", "C", "near", 0)))
    assert result.headline == "1 pair collides; 1 touches; 1 is near"


def test_contacts_that_are_not_listed_count(result):
    report = report_of(("A", "B", "crossing", 3), ("A", "C", "crossing", 2), ("B", "C", "overlap", 1))
    report.pairs["unlisted"] = [10, 1200, 0]
    write_back.write(report)
    assert [(pair.name, pair.contacts) for pair in result.pairs] == [("A × C", 1202), ("A × B", 13), ("B × C", 1)]
    assert result.pairs[0].line == "Crossing, 1,202 contacts"
    assert result.contacts == "first 6 of 1,216 contacts listed, 3 places marked"
    report.pairs["unlisted"] = [485_000_000, 838_000, 0]
    assert phrases.contacts(report, 5, 6) == "first 6 of 486 million contacts listed, 5 places marked"
    assert phrases.contacts(report, 0, 2) == "first 6 of 486 million contacts listed, 2 as points"


def test_which_one_is_inside(result):
    report = report_of(("A", "B", "contained", 0), ("A", "C", "contained", 2))
    report.pairs["inner"] = [A_IN_B, B_IN_A]
    write_back.write(report)
    assert [pair.line for pair in result.pairs] == ["Contained: C inside A, 2 contacts at 2 places",
                                                    "Contained: A inside B"]


def test_why_nothing_can_be_told(result):
    report = report_of(("A", "B", "cannot tell", 0))
    report.pairs["status"] = NOT_CLOSED
    write_back.write(report)
    assert result.headline == "1 pair could not be judged; no other collides"
    assert result.pairs[0].line == f"Cannot Tell: {STATUSES[NOT_CLOSED]}"


def test_a_cancelled_run_is_called_partial(result):
    write_back.write(report_of(("A", "B", "crossing", 1), ("B", "C", "cannot tell", 0), cancelled=True))
    assert result.partial and result.headline == "1 pair collides; 1 not checked yet (cancelled)"
    write_back.write(report_of(("A", "B", "touching", 1), ("B", "C", "cannot tell", 0), cancelled=True))
    assert result.headline == "No collisions so far; 1 pair touches; 1 not checked yet (cancelled)"
    write_back.write(report_of())
    assert not result.partial and result.headline == "No collisions"


def test_a_cancelled_run_says_what_it_has_not_checked_and_what_nobody_can_tell(result):
    report = report_of(("A", "B", "cannot tell", 0), ("B", "C", "cannot tell", 0), cancelled=True)
    report.pairs["status"][0] = NOT_CLOSED
    for counts, said in (({}, "1 pair"), ({"unfinished_pairs": 300_000}, "300,000 pairs")):     # not all are listed
        report.counts = counts
        write_back.write(report)
        assert result.headline == f"No collisions so far; {said} not checked yet (cancelled); 1 could not be judged"


def test_what_a_note_says_of_contacts_is_said_once(result):
    report = report_of(("A", "B", "crossing", 3), ("B", "C", "overlap", 1))
    report.pairs["unlisted"], report.notes = [1200, 0], ["The first 4 of 1,204 contacts that were found are listed."]
    write_back.write(report)
    assert result.contacts == "1,204 contacts, 2 places marked"


def test_what_was_left_out_and_why(result):
    write_back.write(report_of(skipped=[Skipped(None, "Wire", "it has no faces"), Skipped(4, "Broken", "NaN", False)]))
    assert result.left_out_title == "2 objects left out"
    assert [(each.name, each.reason) for each in result.left_out] == [("Wire", "it has no faces"), ("Broken", "NaN")]


def test_a_long_list_is_cut_and_counted(result, monkeypatch):
    monkeypatch.setattr(listed_rows, "MOST_ROWS", 2)
    write_back.write(report_of(("A", "B", "touching", 1), ("A", "C", "crossing", 1), ("B", "C", "touching", 1)))
    assert [pair.name for pair in result.pairs] == ["A × C", "A × B"] and result.pairs_found == 3


def test_a_pair_remembers_its_place_and_its_objects(result, cubes):
    cubes[2].location = (10, 0, 0)
    cubes[2].scale = (50, 50, 1)
    bpy.context.view_layer.update()
    write_back.write(report_of(("A", "B", "crossing", 0), ("A", "C", "touching", 0)))
    near, floor = result.pairs
    assert near.centre[:] == (0.5, 0.0, 0.0) and near.radius == pytest.approx((3 * 3 + 2 * 2 + 2 * 2) ** 0.5 / 2)
    assert not near.close_up
    assert floor.close_up and floor.centre[:] == (0.0, 0.0, 0.0) and floor.radius == pytest.approx(3 ** 0.5)
    assert (near.object_a, near.uid_a, near.library_a) == ("A", cubes[0].session_uid, "")


@pytest.mark.parametrize(("times", "met", "close"), [(2.0, 1, False), (3.0, 1, True), (3.0, 0, False), (5.0, 0, True)])
def test_what_contains_another_is_shown_whole_where_it_is_not_much_larger(result, cubes, times, met, close):
    cubes[1].scale = (times, times, times)
    bpy.context.view_layer.update()
    write_back.write(report_of(("A", "B", "crossing" if met else "contained", met)))
    assert result.pairs[0].close_up == close


@pytest.mark.parametrize("name", ["workshop", "mine", "dominoes"])
def test_where_contacts_lie_need_not_be_looked_at_where_boxes_tell_it(name):
    """As they lie in the boxes of both objects; of objects that move nobody knows where these were."""
    bpy.ops.wm.open_mainfile(filepath=str(SAMPLES / f"{name}.blend"))
    report = api.detect(clearance=0.05)
    rows, bounds = np.arange(len(report.pairs)), Bounds(report.source.boxes)
    looked = views_of_pairs(bounds, report, rows, finished(extents_of(report)))
    for told, seen in zip(views_of_pairs(bounds, report, rows, None), looked):
        assert (told == seen).all() and len(told) > 20


def test_a_pair_of_instances_is_looked_at_closely(result):
    pile = new_collection("Pile")
    add_cube("Stone", collection=pile)
    add_collection_instance("Heap", pile, (20, 0, 0))
    write_back.write(report_of(("Heap ▸ Stone #1", "A", "crossing", 0)))
    assert result.pairs[0].close_up and result.pairs[0].object_b == "Heap"
    assert result.pairs[0].name == "A × Heap ▸ Stone #1"


def test_clear_and_rerun_start_anew(result):
    write_back.write(report_of(("A", "B", "crossing", 1), skipped=[Skipped(None, "Wire", "it has no faces")]))
    first = result.run_id
    assert session.report_of(bpy.context.scene) is not None
    write_back.write(report_of(("A", "C", "crossing", 1)))
    assert result.run_id not in ("", first) and len(result.pairs) == 1 and len(result.left_out) == 0
    write_back.clear()
    assert result.run_id == result.headline == "" and len(result.pairs) == 0
    assert session.report_of(bpy.context.scene) is None


def test_the_list_is_saved_with_the_file(tmp_path):
    write_back.write(report_of(("A", "B", "crossing", 3)))
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    result = bpy.context.scene.touchpoint.result
    assert [pair.name for pair in result.pairs] == ["A × B"] and result.headline == "1 pair collides"
    assert session.report_of(bpy.context.scene) is None


@pytest.mark.parametrize("setting, value", [("colour_objects", False), ("show_points", False), ("empties", 2),
                                            ("colour_crossing", (0.0, 0.0, 1.0))])
def test_settings_show_at_once(cubes, setting, value):
    settings = bpy.context.scene.touchpoint
    write_back.write(report_of(("A", "B", "crossing", 5)))
    shown = _what_is_shown(cubes)
    before = tuple(value) if isinstance(value, tuple) else value
    default = getattr(settings, setting)
    default = tuple(default) if isinstance(value, tuple) else default
    setattr(settings, setting, before)
    assert _what_is_shown(cubes) != shown
    assert not staleness.is_stale(settings.result)
    setattr(settings, setting, default)
    assert _what_is_shown(cubes) == shown


def _what_is_shown(cubes):
    return [tuple(each.color) for each in cubes], sorted(each.name for each in bpy.data.objects)


def test_settings_do_nothing_to_a_result_that_came_with_the_file(tmp_path):
    write_back.write(report_of(("A", "B", "crossing", 5)))
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    before = len(bpy.data.objects)
    bpy.context.scene.touchpoint.empties = 0
    assert len(bpy.data.objects) == before


@pytest.mark.parametrize("seconds, text", [(0.0, "0 ms"), (0.0123, "12 ms"), (0.0994, "99 ms"), (0.0996, "0.1 s"),
                                           (1.26, "1.3 s"), (9.96, "10 s"), (59.4, "59 s"), (61, "1 min"),
                                           (7200, "120 min")])
def test_durations(seconds, text):
    assert phrases.duration(seconds) == text
