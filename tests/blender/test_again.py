# SPDX-License-Identifier: GPL-3.0-or-later
"""A click on a row selects its pair; what was selected before is what the next run is about."""
import bpy
import pytest
from scene_building import add_cube
from test_staleness import cubes, object_of, open_again, result  # noqa: F401  (cubes: a fixture)
from touchpoint.addon import staleness
from touchpoint.addon.again import selected_before

pytestmark = pytest.mark.usefixtures("registered")


def test_what_was_selected_survives_the_click_on_a_row():
    add_cube("D")
    for name in "ABC":
        object_of(name).select_set(True)
    settings = bpy.context.scene.touchpoint
    settings.scope = "SELECTED"
    bpy.ops.touchpoint.detect()
    assert result().question == "Selected objects, frame 1" and selected_before(bpy.context) is None
    settings.pair_index = 0
    assert len(bpy.context.view_layer.objects.selected) == 2
    for _ in range(2):
        assert [each.name for each in selected_before(bpy.context)] == ["A", "B", "C"]
        bpy.ops.touchpoint.detect()
        assert result().tested.startswith("3 objects") and result().question == "Selected objects, frame 1"
        settings.pair_index = 1
    object_of("D").select_set(True)
    assert selected_before(bpy.context) is None
    bpy.ops.touchpoint.detect()
    assert result().tested.startswith("3 objects") and {each.name for each in result().pairs} != {"A × B"}


def test_what_was_tested_against_all_others_survives_the_click_on_a_row(save):
    object_of("A").select_set(True)
    bpy.context.scene.touchpoint.scope = "OTHERS"
    bpy.ops.touchpoint.detect()
    assert result().question == "Selected objects against all others, frame 1"
    assert selected_before(bpy.context) is None
    for _ in range(2):
        assert all("A" in (each.object_a, each.object_b) for each in result().pairs) and len(result().pairs)
        bpy.context.scene.touchpoint.pair_index = 0
        assert len(bpy.context.view_layer.objects.selected) == 2
        assert [each.name for each in selected_before(bpy.context)] == ["A"]
        bpy.ops.touchpoint.detect()
        open_again(save)
    add_cube("New")
    bpy.context.view_layer.update()
    assert staleness.sentences(result()) == ["Since then: New new"]


def test_files_keep_the_numbers_of_scopes():
    items = bpy.context.scene.touchpoint.bl_rna.properties["scope"].enum_items
    assert {each.identifier: each.value for each in items} == {"VISIBLE": 0, "SELECTED": 1, "COLLECTIONS": 2,
                                                               "OTHERS": 3}
