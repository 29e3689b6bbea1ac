# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels draw, told by a layout that keeps what is asked of it; how that looks is seen in tests/window."""
from types import SimpleNamespace

import bpy
import pytest
from report_building import report_of
from scene_building import add_cube
from touchpoint.addon import preferences, session, write_back
from touchpoint.addon.panels import CLASSES, menu, results
from touchpoint.addon.panels.compare import TOUCHPOINT_PT_compare
from touchpoint.addon.panels.detect import TOUCHPOINT_PT_detect
from touchpoint.addon.panels.layout import lines_of
from touchpoint.addon.panels.method import TOUCHPOINT_PT_method
from touchpoint.addon.panels.results import TOUCHPOINT_PT_results
from touchpoint.addon.panels.what_to_show import TOUCHPOINT_PT_what_to_show
from touchpoint.addon.phrases import MEANINGS, VERDICT_TITLES
from touchpoint.addon.rest import Rest
from touchpoint.addon.worker import Progress

PANELS = [each for each in CLASSES if issubclass(each, bpy.types.Panel)]
CLEAR = "operator", "touchpoint.clear"


class Asked:
    """A layout, all of whose parts are itself."""

    def __init__(self):
        self.calls = []

    def panel(self, *_, **__):
        return self, self

    def __getattr__(self, name):
        def call(*given, **named):
            self.calls.append((name, given, named))
            return self
        return call


def drawn(panel, color_type="OBJECT") -> list[tuple]:
    """(name, arguments, arguments by name) of all that a panel asks of its layout. color_type: of the 3D view."""
    layout, blender = Asked(), bpy.context
    wide = SimpleNamespace(width=4000)          # no sentence is broken
    context = SimpleNamespace(
        scene=blender.scene, object=None, collection=blender.scene.collection, window_manager=blender.window_manager,
        view_layer=blender.view_layer, region=wide, preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
        space_data=SimpleNamespace(shading=SimpleNamespace(type="SOLID", color_type=color_type)))
    panel.draw(SimpleNamespace(layout=layout), context)
    return layout.calls


def read(panel, color_type="OBJECT") -> list[tuple[str, str]]:
    """What a user sees of it: kinds of things, and their texts or operators."""
    return [(name, named.get("text", "") if name == "label" else str(given[0]) if given else "")
            for name, given, named in drawn(panel, color_type) if name in ("operator", "menu", "label", "progress")]


@pytest.fixture(autouse=True)
def cubes(registered):
    return [add_cube(name) for name in "ABC"]


@pytest.fixture
def settings():
    return bpy.context.scene.touchpoint


def test_slow_methods_say_so_first(settings):
    def warned(panel):
        return any("minutes" in text for _, text in read(panel))

    assert not warned(TOUCHPOINT_PT_detect) and not warned(TOUCHPOINT_PT_compare)
    settings.method = "exact"
    assert warned(TOUCHPOINT_PT_detect)
    settings.compared_methods.exact = True
    assert warned(TOUCHPOINT_PT_compare)


def test_clear_is_there_where_there_is_something_to_clear():
    assert CLEAR not in read(TOUCHPOINT_PT_detect) and CLEAR not in read(menu.TOUCHPOINT_MT_object)
    write_back.write(report_of(("A", "B", "crossing", 1)))
    said = read(TOUCHPOINT_PT_detect)
    assert CLEAR in read(menu.TOUCHPOINT_MT_object)
    assert CLEAR in said and said[0] == ("operator", "touchpoint.detect") and "1 pair collides" in said[1][1]


@pytest.mark.parametrize("verdict", [*MEANINGS])
def test_colours_are_offered_where_objects_have_some(settings, verdict):
    """In a view that does not show them. What only touches keeps its own unless that is asked for."""
    def offered():
        return ("operator", "touchpoint.show_colours") in read(TOUCHPOINT_PT_detect, "MATERIAL")

    write_back.write(report_of(("A", "B", verdict, 1)))
    assert offered() == (verdict != "touching")
    settings.show_touching = True
    assert offered() and ("operator", "touchpoint.show_colours") not in read(TOUCHPOINT_PT_detect)
    settings.colour_objects = False
    assert not offered()


def test_one_bar_and_one_cancel(monkeypatch):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    run = SimpleNamespace(title="Compare", progress=Progress("contacts", 0.5), rest=Rest(), is_cancelled=False,
                          abandoned=False)
    monkeypatch.setattr(session, "run", lambda: run)    # and no longer, whatever fails here
    every = [each for panel in PANELS for each in read(panel)]
    assert [kind for kind, _ in every].count("progress") == every.count(("operator", "touchpoint.cancel")) == 1


def test_what_is_left_stands_in_the_bar(monkeypatch):
    """Beside the name of the stage, a sidebar of the usual width has no room for it."""
    run = SimpleNamespace(title="Detect", progress=Progress("depths", 0.5), is_cancelled=False, abandoned=False,
                          rest=SimpleNamespace(seconds=lambda *_: 40.0, is_least=lambda _: False))
    monkeypatch.setattr(session, "run", lambda: run)
    calls = drawn(TOUCHPOINT_PT_detect)
    assert [named for name, _, named in calls if name == "progress"] == [{"factor": 0.5, "text": "about 40 s left"}]
    assert ("label", "Measuring depths 50%") in read(TOUCHPOINT_PT_detect)


def test_the_answer_comes_before_the_method():
    ids = [each.bl_idname for each in PANELS]
    assert ids.index("TOUCHPOINT_PT_detect") < ids.index("TOUCHPOINT_PT_results") < ids.index("TOUCHPOINT_PT_method")


def test_numbers_stay_with_their_units():
    text = "Automatic tolerance up to 0.8303 µm, 3 objects 1.5 m apart"
    for letters in range(16, 60):
        lines = lines_of(text, letters)
        assert " ".join(lines) == text and max(map(len, lines)) <= letters
        assert not any(line.startswith(("µm", "m ")) for line in lines)


def test_options_are_folded_and_the_head_names_those_in_force(settings):
    def head():
        return next(text for kind, text in read(TOUCHPOINT_PT_detect) if kind == "label" and text.startswith("Options"))

    assert head() == "Options"
    settings.tolerance_kind, settings.self_collisions, settings.weld = "EXACT", True, 0.001
    assert head() == "Options: Tolerance, Weld Distance, Self-Collisions"


def test_a_row_says_what_it_is_when_pointed_at():
    write_back.write(report_of(("A", "B", "crossing", 1)))
    made, = (named for name, _, named in drawn(TOUCHPOINT_PT_results) if name == "template_list")
    listed = bpy.context.window_manager.touchpoint.listed
    assert made["item_dyntip_propname"] == "line"
    assert listed[0].line == "A × B: Crossing, 1 contact"      # whole: the list has room for a part of the names


def test_the_active_row_says_which_colour_is_which_object(settings, cubes, monkeypatch):
    """As long as views show them. Without a window all icons have the number 0."""
    monkeypatch.setattr(results, "square_of_side", {"a": 101, "b": 102}.get)

    def squares():
        return {named["text"]: named["icon_value"] for name, _, named in drawn(TOUCHPOINT_PT_results)
                if name == "label" and "icon_value" in named}

    cubes[1].location, cubes[2].location = (1.0, 0.25, 0.5), (9.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.detect()
    settings.pair_index = 0
    assert {"A": 101, "B": 102}.items() <= squares().items() and "A × B" not in squares()
    settings.show_pair = False
    assert not {101, 102} & {*squares().values()} and "A × B" in squares()


def test_every_verdict_is_explained():
    write_back.write(report_of(("A", "B", "crossing", 1)))
    texts = {text for _, text in read(TOUCHPOINT_PT_results)}
    assert {f"{VERDICT_TITLES[verdict]}: {meaning}" for verdict, meaning in MEANINGS.items()} <= texts


def test_what_to_show_says_what_follows_the_next_run(save):
    def said():
        return any("came with the file" in text for _, text in read(TOUCHPOINT_PT_what_to_show))

    write_back.write(report_of(("A", "B", "crossing", 1)))
    assert not said()
    bpy.ops.wm.open_mainfile(filepath=str(save()))
    assert said()


def test_what_can_be_shown_is_named_in_the_usual_sidebar(settings):
    """Which has room for so many pixels beside a box to tick."""
    asked = [(given[0].bl_rna.properties[given[1]], named) for name, given, named in drawn(TOUCHPOINT_PT_what_to_show)
             if name == "prop"]
    texts = [named.get("text", each.name) for each, named in asked if each.type == "BOOLEAN"]
    assert len(texts) == 6 and max(map(results.width_of, texts)) < 110.0, texts


def test_preferences_offer_to_clear_this_file(monkeypatch):
    monkeypatch.setattr(preferences, "_draw_keys", lambda *_: None)     # they want a window
    assert ("operator", "touchpoint.clear_file") in read(preferences.TOUCHPOINT_preferences)


def test_the_menu_hangs_where_search_finds_it():
    assert menu.draw_in_menu in bpy.types.VIEW3D_MT_object._dyn_ui_initialize()


def test_a_number_that_lets_the_method_choose_is_called_automatic(settings):
    def depth():
        return [named["text"] for name, given, named in drawn(TOUCHPOINT_PT_method)
                if name == "prop" and given[1] == "depth"]

    settings.method = "tsgo"
    assert depth() == ["Depth (Automatic)"]
    settings.options.tsgo.depth = 3
    assert depth() == ["Depth"]
