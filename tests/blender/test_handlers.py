# SPDX-License-Identifier: GPL-3.0-or-later
"""When a result is out of date, and what undo and other files do to it."""
import bpy
import pytest
from report_building import colour, report_of, results
from scene_building import add, add_cube
from touchpoint.addon import handlers, session, staleness, write_back
from touchpoint.core import memory

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def cubes(registered):
    return [add_cube(name) for name in "ABC"]


@pytest.fixture
def result(cubes):
    bpy.context.view_layer.update()
    write_back.write(report_of(("A", "B", "crossing", 3)))
    return bpy.context.scene.touchpoint.result


def is_outdated(result):
    bpy.context.view_layer.update()
    return staleness.is_stale(result)


def move(cubes):
    cubes[2].location.x += 1.0


def edit_mesh(cubes):
    cubes[0].data.vertices[0].co.x += 1.0
    cubes[0].data.update()


def add_modifier(cubes):
    cubes[0].modifiers.new("Bevel", "BEVEL")


def add_object(cubes):
    add_cube("D")


def delete(cubes):
    bpy.data.objects.remove(cubes[2])


@pytest.mark.parametrize("change", [move, edit_mesh, add_modifier, add_object, delete])
def test_a_change_of_what_is_tested(result, cubes, change):
    assert not is_outdated(result)
    change(cubes)
    assert is_outdated(result)
    write_back.write(report_of(("A", "B", "crossing", 3)))
    assert not is_outdated(result)


def recolour(cubes):
    cubes[2].color = (1.0, 0.0, 0.0, 1.0)


def move_camera(cubes):
    add("Camera", bpy.data.cameras.new("Camera")).location.x += 1.0


def select(cubes):
    cubes[0].select_set(True)


def change_frame(cubes):
    bpy.context.scene.frame_set(12)


def show_less(cubes):
    bpy.context.scene.touchpoint.empties = 1


def move_a_result(cubes):
    results()[0].location.x += 1.0


@pytest.mark.parametrize("change", [recolour, move_camera, select, change_frame, show_less, move_a_result])
def test_a_change_of_something_else(result, cubes, change):
    change(cubes)
    assert not is_outdated(result)


def test_undo_and_redo_of_a_run(cubes):
    bpy.ops.ed.undo_push(message="before")
    bpy.context.scene.touchpoint.result.name = "x"      # the group exists before and after
    bpy.ops.ed.undo_push(message="ready")
    write_back.write(report_of(("A", "B", "crossing", 3)))
    run_id = bpy.context.scene.touchpoint.result.run_id
    bpy.ops.ed.undo_push(message="detect")
    bpy.ops.ed.undo()
    assert bpy.context.scene.touchpoint.result.run_id == "" and results() == []
    assert colour(bpy.data.objects["A"]) == (1.0, 1.0, 1.0, 1.0)
    bpy.ops.ed.redo()
    result = bpy.context.scene.touchpoint.result
    assert result.run_id == run_id and len(results()) == 4 and not is_outdated(result)


def test_undo_restores_the_viewports():
    bpy.ops.wm.read_factory_settings()
    add_cube("A"), add_cube("B")
    screen = bpy.context.window_manager.windows[0].screen
    view = next(area for area in screen.areas if area.type == "VIEW_3D").spaces.active
    before = view.shading.color_type
    bpy.ops.ed.undo_push(message="before")
    write_back.write(report_of(("A", "B", "crossing", 3)))
    bpy.ops.ed.undo_push(message="detect")
    bpy.ops.ed.undo()
    assert view.shading.color_type == before != "OBJECT"
    bpy.ops.ed.redo()
    assert view.shading.color_type == "OBJECT"


def test_another_file_forgets_the_session(result):
    token = session.file_token()
    session.set_message("old")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert session.message() == "" and session.file_token() != token
    assert session.report_of(bpy.context.scene) is None


def test_another_file_gives_memory_back(registered, monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "give_back", lambda: asked.append(True))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert asked == [True]


def test_all_handlers_survive_other_files(result):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert all(function in getattr(bpy.app.handlers, event) for event, function in handlers.HANDLERS)
