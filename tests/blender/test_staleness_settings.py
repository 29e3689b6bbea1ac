# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that are not those of a result: said where they ask something else, and not where they only look different.
"""
import bpy
import pytest
from report_building import report_of
from scene_building import add_cube
from test_staleness import cubes, open_again, result, said  # noqa: F401  (cubes: a fixture)
from touchpoint.addon import staleness, write_back

pytestmark = pytest.mark.usefixtures("registered")


def test_settings_that_are_not_those_of_the_result(save):
    settings = bpy.context.scene.touchpoint
    bpy.ops.touchpoint.detect()
    bpy.context.view_layer.update()
    assert staleness.sentences(result()) == []
    assert result().question == "All visible objects, frame 1"
    settings.clearance, settings.scope = 0.25, "SELECTED"
    assert staleness.sentences(result()) == ["Other settings since: Scope, Clearance"]
    open_again(save)
    assert staleness.sentences(result()) == ["Other settings since: Scope, Clearance"]
    bpy.context.scene.touchpoint.scope = "VISIBLE"
    bpy.ops.touchpoint.detect()
    assert staleness.sentences(result()) == [] and result().question.endswith("frame 1, clearance 25 cm")


@pytest.fixture
def sides():
    """Collections Left, with A, and Right, with B and C, that were tested against each other."""
    settings = bpy.context.scene.touchpoint
    settings.scope = "COLLECTIONS"
    for side, name, held in (("a", "Left", "A"), ("b", "Right", "BC")):
        made = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(made)
        for each in held:
            made.objects.link(bpy.data.objects[each])
            bpy.context.scene.collection.objects.unlink(bpy.data.objects[each])
        setattr(settings, f"collection_{side}", made)
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.detect()
    assert said() == []
    return settings


def test_renamed_collections_are_the_same_setting(sides, save):
    sides.collection_a.name = "Links"
    assert said() == []
    open_again(save)
    assert said() == []
    bpy.data.collections["Links"].name = "Gauche"
    assert said() == []


def test_other_collections_are_another_setting(sides, save):
    """Also where one has the name that another had."""
    sides.collection_a.name = "Links"
    sides.collection_a = bpy.data.collections.new("Left")
    assert said() == ["Other settings since: Collections"]
    open_again(save)
    assert said() == ["Other settings since: Collections"]
    bpy.context.scene.touchpoint.collection_a = bpy.data.collections["Links"]
    assert said() == []
    bpy.context.scene.touchpoint.collection_b = None
    assert said() == ["Other settings since: Collections"]


@pytest.mark.parametrize("saved", [False, True])
def test_what_is_new_in_a_renamed_collection_is_noticed(sides, saved, save):
    sides.collection_a.name = "Links"
    if saved:
        open_again(save)
    made = add_cube("D")
    bpy.context.scene.collection.objects.unlink(made)
    bpy.data.collections["Links"].objects.link(made)
    assert said() == ["Since then: D new"]


def test_a_result_of_a_script_was_not_asked_by_settings():
    bpy.context.scene.touchpoint.clearance = 0.25
    bpy.context.view_layer.update()
    write_back.write(report_of(("A", "B", "crossing", 1)))
    assert said() == []
