# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods and their options as settings of a scene: they follow the declarations, are saved, and decide what runs."""
import bpy
import numpy as np
import pytest
from scene_building import add_cube
from touchpoint.addon import api, method_properties, questions
from touchpoint.addon.method_properties import chosen_method, compared_methods, lasting_number, property_of
from touchpoint.core import methods
from touchpoint.core.declarations import declarations
from touchpoint.core.method import Option

WITH_OPTIONS = [(each, option) for each in declarations() for option in each.options]
options = pytest.mark.parametrize("each, option", WITH_OPTIONS, ids=[f"{a.id}.{b.name}" for a, b in WITH_OPTIONS])


@pytest.fixture
def settings(registered):
    for name, place in (("A", (0, 0, 0)), ("B", (1.3, 1.2, 1.1)), ("C", (9, 0, 0))):
        add_cube(name, place)
    return bpy.context.scene.touchpoint


def another(option):
    """A value that is not the default."""
    if option.choices:
        return next(value for value, _ in option.choices if value != option.default)
    if isinstance(option.default, bool):
        return not option.default
    if isinstance(option.default, float):
        return 2.0 * option.default
    return option.default + 1 if option.default + 1 <= option.maximum else option.default - 1


def test_the_list_holds_every_method(settings):
    entries = settings.bl_rna.properties["method"].enum_items
    assert [each.identifier for each in entries] == list(methods.ids())
    assert [(each.name, each.description) for each in entries] == [
        (each.title, each.summary) for each in declarations()]
    assert settings.method == methods.DEFAULT


def test_numbers_in_files_last():
    """What a saved file holds of a choice is its number: it must not move when methods are added."""
    assert (lasting_number("touchpoint"), lasting_number("tsgo")) == (3949411, 2080631)
    lists = [[each.id for each in declarations()]]
    lists += [[value for value, _ in option.choices] for _, option in WITH_OPTIONS]
    for words in lists:
        numbers = {lasting_number(word) for word in words}
        # A click in a list passes the number on in single precision.
        assert len(numbers) == len(words) and all(int(np.float32(number)) == number for number in numbers)


def test_defaults_are_those_of_the_declarations(settings):
    for each in declarations():
        settings.method = each.id
        assert chosen_method(settings) == {"method": each.id, "options": each.defaults}


@options
def test_an_option_can_be_set_and_is_asked_for(each, option, settings):
    settings.method = each.id
    group = getattr(settings.options, each.id)
    setattr(group, option.name, another(option))
    assert chosen_method(settings)["options"] == {**each.defaults, option.name: another(option)}
    shown = group.bl_rna.properties[option.name]
    assert shown.name == option.title and shown.description == option.text.rstrip(".")
    if option.minimum > -1e9 and not option.choices:
        setattr(group, option.name, type(option.default)(option.minimum) - 1)
        assert chosen_method(settings)["options"][option.name] == option.minimum


@options
def test_an_option_reaches_the_report(each, option, settings):
    settings.method = each.id
    setattr(getattr(settings.options, each.id), option.name, another(option))
    chosen = chosen_method(settings)
    report = api.check_animation((1, 2), **chosen) if each.follows else api.detect(**chosen)
    assert report.settings["options"][option.name] == another(option)


def test_every_kind_of_option_becomes_a_property(empty_file):
    made = {"on": Option("on", "On", "Words.", True), "count": Option("count", "Count", "Words", 3, minimum=-1),
            "size": Option("size", "Size", "Words", 0.1, maximum=2.5), "free": Option("free", "Free", "Words", 1.0),
            "kind": Option("kind", "Kind", "Words", "ESCD", (("EPCD", "All at once."), ("ESCD", "One by one.")))}
    group = method_properties._group("TOUCHPOINT_PG_tried", "Tried", {name: property_of(each)
                                                                      for name, each in made.items()})
    bpy.utils.register_class(group)
    bpy.types.Scene.tried = bpy.props.PointerProperty(type=group)
    tried = bpy.context.scene.tried
    try:
        assert (tried.on, tried.count, tried.kind, tried.free) == (True, 3, "ESCD", 1.0)
        assert tried.size == pytest.approx(0.1)
        tried.count, tried.size, tried.kind = -7, 9.0, "EPCD"
        assert (tried.count, tried.size, tried.kind) == (-1, 2.5, "EPCD")
        shown = tried.bl_rna.properties
        assert shown["on"].description == "Words"       # as Blender wants it, without a full stop
        assert [(each.name, each.description) for each in shown["kind"].enum_items] == [
            ("EPCD", "All at once"), ("ESCD", "One by one")]
    finally:
        del bpy.types.Scene.tried
        bpy.utils.unregister_class(group)


def test_numbers_come_back_as_they_were_typed(settings, monkeypatch):
    from types import SimpleNamespace

    made = SimpleNamespace(id="made", options=(Option("size", "Size", "Words", 0.1),))
    monkeypatch.setattr(method_properties, "declarations", lambda: (made,))
    single = 0.10000000149011612        # what Blender makes of 0.1
    assert method_properties.options_of(SimpleNamespace(options=SimpleNamespace(made=SimpleNamespace(size=single))),
                                        "made") == {"size": 0.1}


def test_settings_are_saved_with_the_file(settings, tmp_path):
    chosen = methods.ids()[-1]
    settings.method = chosen
    for each, option in WITH_OPTIONS:
        setattr(getattr(settings.options, each.id), option.name, another(option))
    setattr(settings.compared_methods, chosen, False)
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    settings = bpy.context.scene.touchpoint
    assert settings.method == chosen
    assert chosen not in [method for method, _ in compared_methods(settings)]
    for each, option in WITH_OPTIONS:
        assert method_properties.options_of(settings, each.id)[option.name] == another(option)


def test_the_chosen_method_runs(settings):
    settings.method = "exact"
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert [pair.name for pair in settings.result.pairs] == ["A × B"]
    assert settings.result.tested.endswith("by Exact Reference")
    settings.method = "touchpoint"
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert "by" not in settings.result.tested


def test_the_clearance_of_the_settings_is_asked_for_in_scripts_too(settings):
    settings.clearance = 10.0
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert [pair.verdict for pair in settings.result.pairs] == ["crossing", "near", "near"]


def test_notes_of_a_report_are_in_the_panel(settings, monkeypatch):
    detect = questions.detect_in

    def noted(*arguments, **how):
        report = detect(*arguments, **how)
        report.notes = ["Depth 3 was taken.", "It can miss pairs."]
        return report

    monkeypatch.setattr(questions, "detect_in", noted)
    bpy.ops.touchpoint.detect()
    assert settings.result.notes.splitlines() == ["Depth 3 was taken.", "It can miss pairs."]
    bpy.ops.touchpoint.clear()
    assert settings.result.notes == ""
