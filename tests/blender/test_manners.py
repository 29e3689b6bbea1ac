# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps out of the user's way: clicks that are no steps of undo, preferences, menus, colours of a loaded file."""
import bpy
import pytest
from report_building import colour, report_of
from scene_building import add_cube
from touchpoint.addon import preferences, run, write_back
from touchpoint.addon.operators import open_example
from touchpoint.addon.panels import CLASSES
from touchpoint.addon.panels.layout import Sidebar
from touchpoint.addon.panels.menu import OPERATORS

pytestmark = pytest.mark.usefixtures("registered")
PLAIN = (1.0, 1.0, 1.0, 1.0)


@pytest.fixture(autouse=True)
def cubes(registered):
    return [add_cube(name) for name in "ABC"]


def settings():
    return bpy.context.scene.touchpoint


def write():
    bpy.context.view_layer.update()
    write_back.write(report_of(("A", "B", "crossing", 1), ("B", "C", "touching", 1)))


def test_the_list_chooses_rows_by_a_property_of_no_scene():
    write()
    rows = bpy.context.window_manager.touchpoint
    assert rows.pair_index == -1
    rows.pair_index = 1         # as a click does it
    assert settings().pair_index == rows.pair_index == 1
    assert {each.name for each in bpy.context.view_layer.objects.selected} == {"B", "C"}


def test_colours_of_a_result_that_came_with_the_file(save):
    write()
    bpy.ops.wm.open_mainfile(filepath=str(save()))
    settings().colour_crossing = (0.0, 1.0, 0.0)
    assert [colour(bpy.data.objects[name]) for name in "ABC"] == [(0, 1, 0, 1), (0, 1, 0, 1), PLAIN]
    settings().colour_touching_objects = True
    assert colour(bpy.data.objects["A"]) == (0, 1, 0, 1) and colour(bpy.data.objects["C"]) != PLAIN
    settings().colour_objects = False
    assert [colour(bpy.data.objects[name]) for name in "ABC"] == [PLAIN] * 3


def test_every_entry_of_the_menu_can_be_called():
    for name, _ in OPERATORS:
        group, operator = name.split(".")
        asked = getattr(getattr(bpy.ops, group), operator)
        assert asked.get_rna_type().description and "INTERNAL" not in asked.bl_options, name


def test_results_of_all_scenes_are_cleared():
    write()
    other = bpy.data.scenes.new("Other")
    bpy.ops.touchpoint.clear_file()
    assert settings().result.run_id == other.touchpoint.result.run_id == ""
    assert colour(bpy.data.objects["A"]) == PLAIN


def test_preferences(monkeypatch):
    assert preferences.tab() == "Touchpoint" and preferences.threads() is None
    assert "threads" not in run.how_of(bpy.context.scene)
    chosen = type("Chosen", (), {"tab": " Clashes ", "threads": 3})
    monkeypatch.setattr(preferences, "_preferences", lambda: chosen)
    assert run.how_of(bpy.context.scene)["threads"] == 3
    preferences._rename_tab(chosen, bpy.context)
    panels = [each for each in CLASSES if issubclass(each, Sidebar)]
    assert panels and all(each.bl_category == "Clashes" and each.is_registered for each in panels)
    chosen.tab = " "
    preferences._rename_tab(chosen, bpy.context)
    assert all(each.bl_category == "Touchpoint" for each in panels)


def test_only_an_example_is_framed(monkeypatch, save):
    framed = []
    monkeypatch.setattr(open_example, "_frame_soon", lambda: framed.append(1))
    bpy.ops.wm.read_homefile()
    assert framed == []
    bpy.ops.touchpoint.open_example(name="bullets")
    assert framed == [1] and "Slug" in bpy.data.objects
    bpy.ops.wm.read_homefile()
    assert framed == [1]


def test_another_file_in_the_same_screens_is_not_shown_in_colours():
    bpy.ops.wm.read_factory_settings()
    add_cube("A"), add_cube("B")
    screen = bpy.context.window_manager.windows[0].screen
    view = next(area for area in screen.areas if area.type == "VIEW_3D").spaces.active
    before = view.shading.color_type
    write_back.write(report_of(("A", "B", "crossing", 3)))
    assert view.shading.color_type == "OBJECT"
    bpy.ops.touchpoint.open_example(name="bullets")
    screen = bpy.context.window_manager.windows[0].screen
    view = next(area for area in screen.areas if area.type == "VIEW_3D").spaces.active
    assert view.shading.color_type == before
