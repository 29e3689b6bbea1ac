# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys for the colours of what collides: what they say without Touchpoint, what they leave alone, and that they go."""
import bpy
import numpy as np
import pytest
from animation_building import key, passing
from report_building import all_data, colour
from scene_building import add_cube
from touchpoint.addon import handlers, session
from touchpoint.addon.names import COLOUR_BAKED, RESULTS_MARKER
from touchpoint.addon.style import VERDICT_COLOURS
from touchpoint.addon.write_back.colours_over_time import Course
from touchpoint.addon.write_back.curves import all_curves, curves_of

pytestmark = pytest.mark.usefixtures("registered")
OWN = [(0.25, 0.5, 0.75, 1.0), (1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0)]


def scene():
    return bpy.context.scene


def objects():
    return [bpy.data.objects[name] for name in "ABC"]


def shown(frame):
    scene().frame_set(frame)
    return [colour(each) for each in objects()]


def red(colours):
    return [each[:3] == pytest.approx(VERDICT_COLOURS["crossing"]) or each[:3] == pytest.approx(
        VERDICT_COLOURS["overlap"]) for each in colours]


@pytest.fixture
def checked(registered):
    """A with a colour of its own and no animation, B with keys of its place; both cross in frames 6 to 14, and
    touch in 5 and 15."""
    made = passing()
    made[0].color = OWN[0]
    before = all_data()
    bpy.ops.touchpoint.check_animation()
    return before


@pytest.fixture
def baked(checked):
    bpy.ops.ed.undo_push(message="checked")
    assert bpy.ops.touchpoint.bake_colours("EXEC_DEFAULT", True) == {"FINISHED"}
    return checked


def paths(each):
    return sorted({curve.data_path for curve in curves_of(each) or ()})


def without_handlers(frames):
    """What Blender shows by itself."""
    handlers.unregister()
    try:
        return [shown(frame) for frame in frames]
    finally:
        handlers.register()


def test_keys_say_what_colours_said(checked):
    frames = [1, 4, 5, 10, 15, 16, 20, -5, 100, 5]
    before = [shown(frame) for frame in frames]
    bpy.ops.touchpoint.bake_colours()
    for found, wanted in zip(without_handlers(frames), before):
        assert [each == pytest.approx(other) for each, other in zip(found, wanted)] == 3 * [True]
    assert [shown(frame) for frame in frames] == without_handlers(frames)       # and nobody interferes
    points = curves_of(objects()[0])[0].keyframe_points
    assert {point.interpolation for point in points} == {"CONSTANT"} and points[0].co[0] == 5 and len(points) >= 3
    assert paths(objects()[0]) == ["color"] and paths(objects()[1]) == ["color", "location"]
    assert objects()[2].animation_data is None


def test_keys_where_time_is_remapped(registered):
    """Frames are those of the timeline: at half speed A and B meet in frames 10 to 30."""
    passing()
    scene().render.frame_map_old, scene().frame_end = 50, 40
    bpy.ops.touchpoint.check_animation()
    bpy.ops.touchpoint.bake_colours()
    assert [red(each)[:2] for each in without_handlers((9, 11, 29, 31))] == [2 * [meets] for meets in (0, 1, 1, 0)]


def test_clear_removes_exactly_the_keys(baked):
    shown(10)
    bpy.ops.touchpoint.clear()
    assert all_data() == baked and paths(objects()[1]) == ["location"] and objects()[0].animation_data is None
    assert [colour(each) for each in objects()] == OWN
    assert without_handlers([10]) == [OWN]
    assert not any(each.startswith("touchpoint_") for one in bpy.data.objects for each in one.keys())


def test_keys_that_go_otherwise_from_one_to_the_next_are_the_users(baked):
    """A fades, B's curves have noise: both are changed as much as by other keys."""
    a, b, _ = objects()
    for curve in curves_of(a):
        for each in curve.keyframe_points:
            each.interpolation = "LINEAR"
    next(curve for curve in curves_of(b) if curve.data_path == "color").modifiers.new("NOISE")
    bpy.ops.touchpoint.clear()
    assert paths(a) == ["color"] and paths(b) == ["color", "location"]
    assert not any(COLOUR_BAKED in each for each in objects())
    assert RESULTS_MARKER not in a.animation_data.action


def test_an_action_with_other_keys_is_the_users(baked):
    a, _, _ = objects()
    a.keyframe_insert("location", frame=2)
    bpy.ops.touchpoint.clear()
    assert paths(a) == ["location"] and RESULTS_MARKER not in a.animation_data.action


def test_one_undo(baked):
    bpy.ops.ed.undo()
    assert paths(objects()[1]) == ["location"] and objects()[0].animation_data is None
    assert red(shown(10)) == [True, True, False] and shown(3) == OWN
    bpy.ops.ed.redo()
    assert red(without_handlers([10])[0]) == [True, True, False]


def test_saved_and_opened_again(baked, tmp_path):
    shown(10)
    path = str(tmp_path / "baked.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert [red(each) for each in without_handlers([10, 3])] == [[True, True, False], [False] * 3]
    bpy.ops.touchpoint.clear()
    assert all_data() == baked and paths(objects()[1]) == ["location"] and shown(10) == OWN


def test_again_and_another_run(baked):
    shown(10)
    assert bpy.ops.touchpoint.bake_colours() == {"FINISHED"}
    assert len([each for each in curves_of(objects()[0])]) == 4 and shown(3) == OWN
    shown(10)
    bpy.ops.touchpoint.detect()
    assert paths(objects()[1]) == ["location"] and not any(COLOUR_BAKED in each for each in objects())
    bpy.ops.touchpoint.clear()
    assert all_data() == baked and shown(3) == OWN


def test_an_object_deleted_and_another_added(checked):
    shown(6)
    bpy.data.objects.remove(objects()[1])
    add_cube("New")
    assert bpy.ops.touchpoint.bake_colours() == {"FINISHED"}
    assert [bool(paths(bpy.data.objects[name])) for name in ("A", "C", "New")] == [True, False, False]


def test_settings_do_not_touch_the_keys(baked):
    shown(10)
    settings = scene().touchpoint
    settings.colour_objects = False
    settings.colour_objects = True
    settings.colour_crossing = (0.0, 0.0, 1.0)
    assert red(without_handlers([10])[0]) == [True, True, False]
    bpy.ops.touchpoint.clear()
    assert shown(10) == OWN and all_data() == baked


def test_without_colours_in_the_viewport(checked):
    scene().touchpoint.colour_objects = False
    assert shown(10) == OWN
    bpy.ops.touchpoint.bake_colours()
    assert red(without_handlers([10])[0]) == [True, True, False] and without_handlers([3]) == [OWN]
    bpy.ops.touchpoint.clear()
    assert shown(10) == OWN and all_data() == checked


def test_animation_of_the_users_is_left_alone(checked):
    """Keys of a colour, drivers, keys that somebody changed, an action that others have, too."""
    scene().frame_set(3)
    key(objects()[0], "color", (1, (0.0, 1.0, 0.0, 1.0)), (20, (0.0, 0.0, 1.0, 1.0)))
    before = shown(10)[0]
    bpy.ops.touchpoint.bake_colours()
    assert session.message() == "Left out, as the colour is animated already: A."
    assert shown(10)[0] == before and paths(objects()[1]) == ["color", "location"]
    curves_of(objects()[1])[-1].keyframe_points[0].co[1] = 0.5
    bpy.ops.touchpoint.clear()
    assert paths(objects()[0]) == ["color"] and paths(objects()[1]) == ["color", "location"]
    assert not any(COLOUR_BAKED in each for each in objects())


def test_a_driver_and_a_shared_action(registered):
    made = passing()
    made[0].driver_add("color", 0).driver.expression = "0.5"
    other = add_cube("D", (0, 20, 0))
    other.animation_data_create().action = made[1].animation_data.action
    if hasattr(other.animation_data, "action_slot"):
        other.animation_data.action_slot = made[1].animation_data.action_slot
    other.location = other.delta_location = (0, 20, 0)
    curves = len(all_curves(made[1].animation_data.action))
    bpy.ops.touchpoint.check_animation()
    bpy.ops.touchpoint.bake_colours()
    assert "the colour is animated already: A." in session.message()
    assert "other objects have the same action: B" in session.message()
    assert len(all_curves(made[1].animation_data.action)) == curves


def test_an_object_of_another_file(checked, tmp_path):
    path = str(tmp_path / "library.blend")
    bpy.data.libraries.write(path, {objects()[1]})
    bpy.ops.touchpoint.clear()
    bpy.data.objects.remove(objects()[1])
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.objects = ["B"]
    scene().collection.objects.link(wanted.objects[0])
    bpy.ops.touchpoint.check_animation()
    bpy.ops.touchpoint.bake_colours()
    assert session.message() == "Left out, as linked from another file: B."
    assert paths(bpy.data.objects["A"]) == ["color"]


def test_changes_of_the_worst_verdict():
    """Two pairs of one object, one worse than the other, and ends within frames."""
    def changes(*spans):
        table = np.array(spans, np.float64)
        course = Course((), ["A"], np.zeros(len(table), np.int64), table[:, 0], table[:, 1],
                        table[:, 2].astype(np.int64), np.zeros(1, np.int64))
        return [each.tolist() for each in course.changes(0)]

    assert changes((5, 15, 0)) == [[5, 16], [0, -1]]
    assert changes((5, 15, 2), (8, 10, 0)) == [[5, 8, 11, 16], [2, 0, 2, -1]]
    assert changes((5, 15, 0), (8, 10, 2)) == [[5, 16], [0, -1]]
    assert changes((5, 7, 0), (8, 10, 0), (12, 12, 1)) == [[5, 11, 12, 13], [0, -1, 1, -1]]
    assert changes((10.43, 10.45, 0)) == [[10.43, 11], [0, -1]]
    assert changes((4.9999, 6.0001, 0)) == [[5, 7], [0, -1]]
