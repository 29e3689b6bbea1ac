# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators as scripts call them, and what they say when they do not run."""
from types import SimpleNamespace

import bpy
import pytest
from report_building import all_data, point_mesh, report_of
from scene_building import add, add_cube, edit, mesh_of, new_collection
from touchpoint.addon import kernels, questions, session, write_back
from touchpoint.addon.listed import find_object
from touchpoint.addon.names import can_be_tested
from touchpoint.addon.operators import open_example
from touchpoint.addon.operators.modal import sentence, why_not
from touchpoint.core import Refused

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def cubes(registered):
    """A and B cross, C is far away."""
    return [add_cube(name, place) for name, place in (("A", (0, 0, 0)), ("B", (1.3, 1.2, 1.1)), ("C", (9, 0, 0)))]


@pytest.fixture
def settings(cubes):
    return bpy.context.scene.touchpoint


def selected():
    return sorted(each.name for each in bpy.context.view_layer.objects.selected)


# Detect

def test_detect_and_clear(settings):
    before = all_data()
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert [pair.name for pair in settings.result.pairs] == ["A × B"] and session.message() == ""
    assert bpy.ops.touchpoint.clear() == {"FINISHED"}
    assert all_data() == before and settings.result.run_id == ""


def test_detect_without_a_window_does_not_need_one(settings):
    assert bpy.ops.touchpoint.detect("INVOKE_DEFAULT") == {"FINISHED"}
    assert settings.result.headline == "1 pair collides" and session.run() is None


def test_scope_selected(settings, cubes):
    cubes[0].select_set(True)
    cubes[2].select_set(True)
    settings.scope = "SELECTED"
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert settings.result.headline == "No collisions"
    assert settings.result.tested.startswith("2 objects tested")


def test_scope_collections(settings, cubes):
    for name, cube in zip(("Left", "Right"), cubes):
        new_collection(name, bpy.context.scene.collection).objects.link(cube)
    settings.scope = "COLLECTIONS"
    settings.collection_a, settings.collection_b = bpy.data.collections["Left"], bpy.data.collections["Right"]
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert settings.result.tested.startswith("2 objects tested") and len(settings.result.pairs) == 1


def test_a_refusal_is_a_sentence_and_keeps_the_earlier_result(settings, cubes):
    bpy.ops.touchpoint.detect()
    before = settings.result.run_id
    for each in cubes[1:]:
        each.hide_set(True)
    assert bpy.ops.touchpoint.detect() == {"CANCELLED"}
    assert session.message().endswith(".") and "Traceback" not in session.message()
    assert settings.result.run_id == before and bpy.context.window_manager.touchpoint.message == session.message()


def test_a_fault_of_our_own_is_a_sentence_and_a_traceback_in_the_console(settings, monkeypatch, caplog):
    def fail(*_, **__):
        raise ValueError("the reason")

    monkeypatch.setattr(questions, "detect_in", fail)
    assert bpy.ops.touchpoint.detect() == {"CANCELLED"}
    assert "the reason" in session.message() and "Traceback" in caplog.text


@pytest.mark.parametrize("error, words", [(MemoryError(), "not enough memory"), (Refused("Said so."), "Said so."),
                                          (KeyError("x"), "fault in Touchpoint")])
def test_sentences(error, words):
    assert words in sentence(error)


def test_what_is_left_out_is_listed(settings):
    add("Wire", mesh_of("Wire", [(0, 0, 0), (1, 0, 0)], [], [(0, 1)]))
    nan = float("nan")
    add("Broken", mesh_of("Broken", [(0, 0, 0), (1, 0, 0), (nan, 1, 0)], [(0, 1, 2)]))
    bpy.ops.touchpoint.detect()
    assert [each.name for each in settings.result.left_out] == ["Broken", "Wire"]
    assert all(each.reason for each in settings.result.left_out)
    assert settings.result.headline == "1 pair collides; 1 object could not be tested"


def test_edit_mode_stays_open_and_its_mesh_is_tested(settings, cubes):
    edit(cubes[1])
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert bpy.context.mode == "EDIT_MESH" and [pair.name for pair in settings.result.pairs] == ["A × B"]


def test_why_detect_is_greyed_out(settings, monkeypatch):
    assert why_not(bpy.context) == ""
    settings.scope = "SELECTED"
    assert why_not(bpy.context) == "Nothing is selected"
    settings.scope = "COLLECTIONS"
    assert why_not(bpy.context) == "Choose the collections A and B"
    settings.scope = "VISIBLE"
    monkeypatch.setattr(kernels, "problem", lambda: "numba is missing")
    assert why_not(bpy.context) == "numba is missing"
    with pytest.raises(RuntimeError, match="numba is missing"):
        bpy.ops.touchpoint.detect()


def test_a_method_that_needs_an_interval_cannot_detect(settings):
    settings.method = "certified"
    with pytest.raises(RuntimeError, match="needs an interval: use Check Animation"):
        bpy.ops.touchpoint.detect()
    assert bpy.ops.touchpoint.check_animation.poll()


def test_a_second_detect_is_refused(settings):
    session.set_run(SimpleNamespace(title="Detect", abandon=lambda: None))
    for operator, words in ((bpy.ops.touchpoint.detect, "Detect is running already"),
                            (bpy.ops.touchpoint.compare, "Detect is running already"),
                            (bpy.ops.touchpoint.clear, "Detect is running")):
        with pytest.raises(RuntimeError, match=words):
            operator()
    session.set_run(None)
    with pytest.raises(RuntimeError, match="Nothing is running"):
        bpy.ops.touchpoint.cancel()


def test_cancel_asks_the_run():
    asked = []
    session.set_run(SimpleNamespace(abandon=lambda: None, cancel=lambda: asked.append(True)))
    assert bpy.ops.touchpoint.cancel() == {"FINISHED"} and asked == [True]
    session.set_run(None)


def test_results_cannot_be_chosen_as_a_collection(settings):
    bpy.ops.touchpoint.detect()
    assert not can_be_tested(settings, bpy.data.collections["Touchpoint"])
    assert can_be_tested(settings, new_collection("Mine"))


# A row of the list

def test_a_row_selects_both_objects(settings, cubes):
    cubes[2].select_set(True)
    write_back.write(report_of(("A", "B", "crossing", 1), ("B", "C", "touching", 1)))
    settings.pair_index = 1         # as a click does
    assert selected() == ["B", "C"] and bpy.context.view_layer.objects.active == cubes[1]
    assert bpy.ops.touchpoint.select_pair(index=0) == {"FINISHED"}
    assert selected() == ["A", "B"] and settings.pair_index == 0 and session.message() == ""


def test_a_row_without_a_result():
    with pytest.raises(RuntimeError, match="run Detect first"):
        bpy.ops.touchpoint.select_pair(index=0)


def test_a_row_that_is_not_there(settings):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    assert bpy.ops.touchpoint.select_pair(index=5) == {"CANCELLED"}


def test_hidden_deleted_and_renamed_objects(settings, cubes):
    write_back.write(report_of(("A", "B", "crossing", 1), ("B", "C", "touching", 1)))
    cubes[0].hide_set(True)
    settings.pair_index = 0
    assert selected() == ["B"] and session.message() == "Hidden: A."
    cubes[1].name = "Renamed"
    bpy.data.objects.remove(cubes[2])
    settings.pair_index = 1
    assert selected() == ["Renamed"] and session.message() == "Deleted since: C."


def test_a_row_leaves_edit_mode_open(settings, cubes):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    edit(cubes[2])
    settings.pair_index = 0
    assert bpy.context.mode == "EDIT_MESH" and selected() == ["C"]


def test_objects_are_found_again_in_a_saved_file(settings, tmp_path):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    result = bpy.context.scene.touchpoint.result
    assert [find_object(result, result.pairs[0], side).name for side in "ab"] == ["A", "B"]
    bpy.context.scene.touchpoint.pair_index = 0
    assert selected() == ["A", "B"]


# Open Example

def test_an_example_opens_as_a_new_file(tmp_path, monkeypatch):
    monkeypatch.setattr(open_example, "EXAMPLES_FOLDER", tmp_path)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shapes.blend"), copy=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "mine.blend"), copy=True)
    assert open_example.examples() == ["mine", "shapes"]
    bpy.data.objects.remove(bpy.data.objects["A"])
    assert bpy.ops.touchpoint.open_example(name="shapes") == {"FINISHED"}
    assert "A" in bpy.data.objects and bpy.data.filepath == ""


def test_an_example_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(open_example, "EXAMPLES_FOLDER", tmp_path)
    with pytest.raises(RuntimeError, match='no example "mine"'):
        bpy.ops.touchpoint.open_example(name="mine")
    assert point_mesh() is None and "A" in bpy.data.objects
