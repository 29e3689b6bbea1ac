# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that some frames hide: what was asked of them holds for the others, and what is the user's stays."""
import bpy
import pytest
from animation_building import key, names, passing
from scene_building import add_cube
from touchpoint.addon import api
from touchpoint.core.rules import Rule


def hidden(each, *frames):
    """Keys: it is shown, and hidden from the first of these frames until before the second."""
    key(each, "hide_viewport", (1, False), (frames[0], True), (frames[1], False))


def selected():
    return sorted(each.name for each in bpy.context.selected_objects)


def blinking():
    """A and B meet from frame 5 to 15, and A is hidden in frames 2 and 3; Blender deselects it there."""
    made = passing()
    hidden(made[0], 2, 4)
    bpy.context.scene.frame_set(1)
    return made


@pytest.mark.parametrize("scope, chosen", [("SELECTED", "AB"), ("OTHERS", "A")])
def test_what_is_selected_is_so_in_all_frames(empty_file, scope, chosen):
    for each in blinking():
        each.select_set(each.name in chosen)
    report = api.check_animation(scope=scope)
    assert [names(report, pair) for pair in report.pairs] == [("A", "B")]
    assert report.intervals[0].tolist() == [[5, 15]] and selected() == list(chosen)
    assert report.frames.tolist() == [1, *range(4, 21)] and not report.skipped


def test_what_is_selected_where_another_frame_is_looked_at(empty_file):
    for each in blinking():
        each.select_set(True)
    frames = api.learn((3, 10), scope="SELECTED")
    assert [[each.name for each in pair] for pair in frames.pairs] == [["A", "B"]]
    assert selected() == ["A", "B", "C"]


def test_the_user_is_at_a_part_of_a_frame_before_zero(empty_file):
    passing()
    bpy.context.scene.frame_set(-3, subframe=0.75)
    before = bpy.context.scene.frame_current, bpy.context.scene.frame_subframe
    assert sum(before) == -2.25
    api.check_animation((1, 3))
    api.detect(frame=4)
    assert (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe) == before


@pytest.mark.parametrize("continuous", [False, True])
def test_rules_where_a_frame_has_nothing_to_test(empty_file, continuous):
    """What the rules say of the objects of the frame before concerns none of them."""
    made = passing()
    add_cube("D", (0.5, 0.5, 0.5))
    for each in (*made, bpy.data.objects["D"]):
        hidden(each, 8, 10)
    made[1].parent = made[0]
    report = api.check_animation(rules=[Rule("parents", "mounted")], continuous=continuous)
    assert report.frames.tolist() == [*range(1, 8), *range(10, 21)]
    assert [names(report, pair) for pair in report.pairs] == [("A", "D"), ("B", "D")]
    assert report.intervals[0].tolist() == [[1, 7], [10, 20]] and report.rules.counts.tolist() == [1]
