# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps out of the user's way: clicks that are no steps of undo, preferences, menus, colours of a loaded file."""
import webbrowser
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from bl_operators.wm import WM_OT_doc_view_manual  # of Blender; asks all maps that are registered
from report_building import colour, report_of
from scene_building import add_cube
from touchpoint.addon import greeting, preferences, run, style, write_back
from touchpoint.addon.default_colours import PAIR_COLOURS, VERDICT_COLOURS
from touchpoint.addon.operators import help, open_example
from touchpoint.addon.overlay import heat
from touchpoint.addon.panels import CLASSES, icons
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
    settings().show_touching = True
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
    monkeypatch.setattr(preferences, "kept", lambda: chosen)
    assert run.how_of(bpy.context.scene)["threads"] == 3
    preferences._rename_tab(chosen, bpy.context)
    panels = [each for each in CLASSES if issubclass(each, Sidebar)]
    assert panels and all(each.bl_category == "Clashes" and each.is_registered for each in panels)
    chosen.tab = " "
    preferences._rename_tab(chosen, bpy.context)
    assert all(each.bl_category == "Touchpoint" for each in panels)


@pytest.fixture
def enabled(monkeypatch):
    """The preferences, as Blender keeps them for what is enabled."""
    added = bpy.context.preferences.addons.new()
    added.module = preferences.ROOT_PACKAGE
    yield added.preferences
    bpy.context.preferences.addons.remove(added)


def test_preferred_colours_reach_objects_list_and_views_of_every_scene_without_own_ones(enabled):
    write()
    assert colour(bpy.data.objects["A"]) == pytest.approx((*VERDICT_COLOURS["crossing"], 1.0))
    enabled.colour_crossing = (0.0, 0.5, 1.0)
    assert colour(bpy.data.objects["A"]) == (0.0, 0.5, 1.0, 1.0)
    assert style.style_of(bpy.context.scene).colours["crossing"] == (0.0, 0.5, 1.0)
    shown = np.array(icons.made(bpy.context.scene, "crossing").icon_pixels_float).reshape(-1, 4)
    assert shown[icons.ICON_SIZE ** 2 // 2 + 8].tolist() == pytest.approx([0.0, 0.735, 1.0, 1.0], abs=0.01)
    assert not settings().own_colours
    settings().own_colours = True
    enabled.colour_crossing = (1.0, 1.0, 0.0)
    assert colour(bpy.data.objects["A"]) == (0.0, 0.5, 1.0, 1.0)
    settings().own_colours = False
    assert colour(bpy.data.objects["A"]) == (1.0, 1.0, 0.0, 1.0)
    assert settings().colour_crossing[:] == pytest.approx(VERDICT_COLOURS["crossing"])


def test_preferred_colours_of_the_two_objects_reach_views_panel_and_pictures(enabled, monkeypatch):
    assert preferences.pair_colours()["b"] == pytest.approx(PAIR_COLOURS["b"])
    redrawn = []
    monkeypatch.setattr(heat, "redraw", lambda: redrawn.append(True))
    enabled.colour_of_a = (1.0, 0.5, 0.25)
    assert redrawn and preferences.pair_colours()["a"] == (1.0, 0.5, 0.25)
    shown = np.array(icons.made_of_side("a").icon_pixels_float).reshape(-1, 4)
    assert shown[icons.ICON_SIZE ** 2 // 2 + 8].tolist() == pytest.approx([1.0, 0.5, 0.25, 1.0], abs=0.01)


def test_one_colour_of_its_own(enabled):
    settings().colour_near = (0.0, 0.0, 1.0)
    enabled.colour_near = enabled.colour_touching = (0.5, 0.5, 0.5)
    colours = style.style_of(bpy.context.scene).colours
    assert (colours["near"], colours["touching"]) == ((0.0, 0.0, 1.0), (0.5, 0.5, 0.5)) and settings().own_colours


def test_clicks_on_a_comparison_are_of_no_scene():
    rows = settings().comparison.rows
    for _ in range(2):
        rows.add().pairs.add()
    window = bpy.context.window_manager.touchpoint
    assert (window.compared_index, window.compared_pair_index) == (0, -1)
    window.compared_index = 1
    window.compared_pair_index = 0
    assert settings().comparison_index == 1 and [row.pair_index for row in rows] == [-1, 0]
    rows.clear()
    window.compared_pair_index = 3      # nothing to choose
    assert window.compared_pair_index == -1


def test_the_help_has_every_verdict_in_its_colour_and_every_part_that_buttons_ask_for(monkeypatch):
    page = help.HELP_PAGE.read_text("utf-8")
    for verdict, linear in VERDICT_COLOURS.items():
        shown = icons.pixels(linear)[8, 8, :3] * 255
        assert f"background:#{''.join(f'{round(part):02x}' for part in shown)}\"></i> {verdict}<" in page, verdict
    for _, part in help.MANUAL_PARTS:
        assert f'id="{part[1:]}"' in page
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda url, *_: opened.append(url))
    bpy.ops.touchpoint.help()
    assert opened == [help.HELP_PAGE.as_uri()]


@pytest.mark.parametrize("asked, part", [("bpy.ops.touchpoint.detect", "#first"),
                                         ("bpy.ops.touchpoint.next_collision", "#animations"),
                                         ("bpy.types.TOUCHPOINT_PG_scene.scope", "#verdicts")])
def test_buttons_lead_to_their_part_of_the_help(asked, part):
    assert WM_OT_doc_view_manual._lookup_rna_url(asked) == help.HELP_PAGE.as_uri() + part


def test_the_greeting_is_shown_once(monkeypatch, enabled):
    shown, timers = [], []
    workspace = type("Workspace", (), {"name": bpy.data.workspaces[0].name if bpy.data.workspaces else "",
                                       "status_text_set": lambda _, text: shown.append(text)})()
    window = type("Window", (), {"workspace": workspace})
    manager = type("Manager", (), {"windows": [window]})
    context = type("Context", (), {"preferences": bpy.context.preferences, "window_manager": manager})
    data = type("Data", (), {"workspaces": {workspace.name: workspace}})
    app = type("App", (), {"timers": type("Timers", (), {
        "register": lambda _, call, first_interval: timers.append(call), "is_registered": lambda *_: False})()})
    monkeypatch.setattr(greeting, "bpy", type("Fake", (), {"context": context, "data": data, "app": app}))
    greeting.greet()
    assert shown == [greeting.text()] and "press N" in shown[0] and timers == [greeting.end] and enabled.greeted
    greeting.greet()
    assert len(shown) == 1
    greeting.end()
    assert shown == [greeting.text(), None]


def test_only_an_example_is_framed(monkeypatch, save):
    framed = []
    monkeypatch.setattr(open_example, "_frame_soon", lambda: framed.append(1))
    bpy.ops.wm.read_homefile()
    assert framed == []
    bpy.ops.touchpoint.open_example(name="bullets")
    assert framed == [1] and "Slug" in bpy.data.objects
    bpy.ops.wm.read_homefile()
    assert framed == [1]


def test_what_has_a_surface_fills_the_view(monkeypatch, cubes):
    layer, framed = bpy.context.view_layer, []
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.scene.collection.objects.link(lamp)
    lamp.select_set(True)
    view_selected = SimpleNamespace(view_selected=lambda: framed.extend(each.name for each in layer.objects.selected))
    monkeypatch.setattr(open_example, "bpy", SimpleNamespace(ops=SimpleNamespace(view3d=view_selected)))
    open_example._frame_surfaces(bpy.context.scene, layer)
    assert sorted(framed) == ["A", "B", "C"] and list(layer.objects.selected) == [lamp]
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera, camera.location, cubes[1].location.z = camera, (0.0, 0.0, 10.0), 20.0
    framed.clear()
    layer.update()
    open_example._frame_surfaces(bpy.context.scene, layer)
    assert sorted(framed) == ["A", "C"]         # B is behind the camera


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
