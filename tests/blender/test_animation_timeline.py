# SPDX-License-Identifier: GPL-3.0-or-later
"""What Check Animation leaves on the timeline and in the scene: colours that follow the frame, markers, ways through
the intervals; and that all of it goes again."""
import importlib.util
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from animation_building import key, passing
from report_building import all_data, colour, empties, point_mesh
from scene_building import add_cube
from touchpoint.addon import api, frame_phrases, handlers, keymap, session
from touchpoint.addon.style import VERDICT_COLOURS
from touchpoint.addon.write_back.markers import MARKER_PREFIX, MOST_MARKERS

pytestmark = pytest.mark.usefixtures("registered")
WHITE = (1.0, 1.0, 1.0, 1.0)


def scene():
    return bpy.context.scene


def result():
    return scene().touchpoint.result


def markers():
    return sorted((each.name, each.frame) for each in scene().timeline_markers)


def shown(frame):
    """The colours of A, B and C in a frame."""
    scene().frame_set(frame)
    return [colour(bpy.data.objects[name]) for name in "ABC"]


@pytest.fixture
def checked(registered):
    """`passing`, with a marker and a colour of the user's, checked by the operator with one undo step."""
    made = passing()
    scene().timeline_markers.new("Mine", frame=7)
    scene().timeline_markers.new(f"{MARKER_PREFIX}mine, too", frame=8)
    made[0].color = (0.25, 0.5, 0.75, 1.0)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.touchpoint.check_animation("EXEC_DEFAULT", True) == {"FINISHED"}
    return made


MINE = [("Mine", 7), (f"{MARKER_PREFIX}mine, too", 8)]
OWN = [(0.25, 0.5, 0.75, 1.0), WHITE, WHITE]


def red(colours):
    return [each[:3] == pytest.approx(VERDICT_COLOURS["crossing"]) or each[:3] == pytest.approx(
        VERDICT_COLOURS["overlap"]) for each in colours]


def test_what_the_panel_says(checked):
    assert result().headline == "1 pair collides"
    assert result().tested.startswith("3 objects tested in frames 1-20, not between them, in ")
    pair = result().pairs[0]
    assert pair.name == "A × B" and pair.when.startswith("5-15, first 5, worst ") and pair.figure == "5-15"
    assert pair.when.endswith(" m") and pair.line.split(",")[0] in ("Crossing", "Overlap")
    assert [(each.start, each.end, each.verdict) for each in pair.intervals] == [(5, 15, pair.verdict.lower())]
    assert 5 <= pair.worst_frame <= 15 and scene().frame_current == 3
    assert len(empties()) > 0 and len(point_mesh().data.vertices) > 0


def test_colours_follow_the_frame(checked):
    assert shown(3) == OWN
    for frame in (6, 10, 14):
        assert red(shown(frame)) == [True, True, False]
    assert shown(16) == OWN and shown(4) == OWN
    assert shown(5) == OWN and shown(15) == OWN         # where they only touch, which is coloured where it is asked for
    scene().touchpoint.show_touching = True
    assert [each[:3] == pytest.approx(VERDICT_COLOURS["touching"]) for each in shown(5)] == [True, True, False]
    assert red(shown(6)) == [True, True, False]


def test_a_colour_that_the_user_gives_stays(checked):
    shown(10)
    checked[1].color = (0.0, 1.0, 0.0, 1.0)
    assert shown(16)[1] == (0.0, 1.0, 0.0, 1.0) and shown(10)[1] == (0.0, 1.0, 0.0, 1.0)
    bpy.ops.touchpoint.clear()
    assert colour(checked[1]) == (0.0, 1.0, 0.0, 1.0) and colour(checked[0]) == OWN[0]


def test_colours_are_switched_off_and_on(checked):
    settings = scene().touchpoint
    assert red(shown(10))[:2] == [True, True]
    settings.colour_objects = False
    assert shown(10) == OWN and shown(11) == OWN
    settings.colour_objects = True
    assert red(shown(11))[:2] == [True, True] and shown(3) == OWN
    settings.colour_crossing = settings.colour_overlap = (0.0, 0.0, 1.0)
    assert shown(10)[0] == (0.0, 0.0, 1.0, 1.0)


def test_touches_are_coloured_where_asked_for(registered):
    made = passing()
    made[1].location = (2, 0.25, 0.5)
    made[1].animation_data_clear()
    bpy.ops.touchpoint.check_animation()
    assert result().pairs[0].verdict == "touching" and shown(5) == [WHITE] * 3 and markers() == []
    assert bpy.ops.touchpoint.next_collision() == {"CANCELLED"}
    scene().touchpoint.show_touching = True
    assert shown(5)[0][:3] == pytest.approx(VERDICT_COLOURS["touching"])


def test_the_panel_says_where_nobody_looked_between_frames(registered):
    passing()
    bpy.ops.touchpoint.check_animation()
    assert ", not between them, in " in result().tested
    scene().touchpoint.animation.continuous = True
    bpy.ops.touchpoint.check_animation()
    assert "tested in frames " in result().tested and "between" not in result().tested


def test_a_deleted_object_and_another_one(checked):
    shown(10)
    bpy.data.objects.remove(checked[1])
    add_cube("New", (0, 30, 0))
    scene().frame_set(16)
    assert colour(checked[0]) == OWN[0]
    scene().frame_set(10)
    assert red([colour(checked[0])]) == [True]


def test_the_add_on_is_disabled(checked):
    followers = [each for each in bpy.app.handlers.frame_change_post if each.__module__ == handlers.__name__]
    assert len(followers) == 1
    handlers.unregister()
    assert followers[0] not in bpy.app.handlers.frame_change_post
    assert shown(10) == OWN
    handlers.register()


def test_nothing_changes_while_blender_renders(checked, monkeypatch):
    """Neither in the frames that are rendered, nor in a window that shows other ones meanwhile."""
    scene().frame_current = 10      # without the handlers
    handlers._on_frame_change(scene(), SimpleNamespace(mode="RENDER"))
    assert colour(checked[0]) == OWN[0]
    monkeypatch.setattr(handlers, "is_rendering", lambda: True)
    handlers._on_frame_change(scene(), SimpleNamespace(mode="VIEWPORT"))
    assert colour(checked[0]) == OWN[0]
    monkeypatch.undo()
    assert not handlers.is_rendering()
    handlers._on_frame_change(scene(), SimpleNamespace(mode="VIEWPORT"))
    assert red([colour(checked[0])]) == [True]


def test_markers(checked):
    assert markers() == sorted([*MINE, (f"{MARKER_PREFIX}A × B", 5)])
    bpy.ops.touchpoint.check_animation()
    assert markers() == sorted([*MINE, (f"{MARKER_PREFIX}A × B", 5)])
    scene().timeline_markers[f"{MARKER_PREFIX}A × B"].frame = 12       # moved by hand: it is still ours
    bpy.ops.touchpoint.clear()
    assert markers() == MINE


def test_markers_of_the_users_with_our_name(registered):
    passing()
    scene().timeline_markers.new(f"{MARKER_PREFIX}A × B", frame=1)
    bpy.ops.touchpoint.check_animation()
    assert markers() == [(f"{MARKER_PREFIX}A × B", 1), (f"{MARKER_PREFIX}A × B (2)", 5)]
    bpy.ops.touchpoint.clear()
    assert markers() == [(f"{MARKER_PREFIX}A × B", 1)]
    scene().touchpoint.animation.markers = False
    bpy.ops.touchpoint.check_animation()
    assert markers() == [(f"{MARKER_PREFIX}A × B", 1)] and len(result().pairs) == 1


def test_one_marker_for_all_pairs_of_a_frame(registered):
    passing()
    for number in range(3):
        add_cube(f"A{number}" + 60 * "x", (0, 0.125 * number + 0.125, 0.0625))
    bpy.ops.touchpoint.check_animation()
    names = {frame: name for name, frame in markers()}
    assert set(names) == {1, 5} and names[1].endswith(" +5") and names[5].endswith(" +3")
    assert all(len(name.encode()) <= 63 for name in names.values()) and MOST_MARKERS > 2


def test_detect_takes_the_timeline_away(checked):
    scene().frame_set(10)
    bpy.ops.touchpoint.detect()
    assert markers() == MINE and not result().animated and len(result().pairs) == 1
    assert not result().pairs[0].intervals and result().pairs[0].when == ""
    before = shown(10)
    assert red(before) == [True, True, False] and shown(1) == before


def test_one_undo_takes_all_of_it_back(checked):
    bpy.ops.ed.undo()
    assert result().run_id == "" and markers() == MINE and empties() == [] and point_mesh() is None
    assert shown(10) == OWN and not any("touchpoint" in key for key in bpy.data.objects["A"].keys()
                                        if key != "touchpoint")
    bpy.ops.ed.redo()
    assert red(shown(10)) == [True, True, False] and shown(3) == OWN


def test_undo_of_something_else_keeps_the_colours_of_the_frame(checked):
    scene().frame_set(10)
    bpy.ops.ed.undo_push(message="at 10")
    bpy.data.objects["C"].location.y = 60
    bpy.ops.ed.undo_push(message="moved")
    scene().frame_set(16)
    bpy.ops.ed.undo()
    frame = scene().frame_current
    colours = [colour(bpy.data.objects[name]) for name in "ABC"]
    assert red(colours)[:2] == [5 <= frame <= 15] * 2


def test_clear_leaves_nothing(registered):
    passing()
    before = all_data()
    bpy.ops.touchpoint.check_animation()
    shown(10)
    bpy.ops.touchpoint.clear()
    assert all_data() == before and markers() == [] and shown(10) == [WHITE] * 3
    assert not any(key.startswith("touchpoint_") for each in bpy.data.objects for key in each.keys())


def test_saved_and_opened_again(checked, tmp_path):
    scene().frame_set(10)
    path = str(tmp_path / "checked.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert red([colour(bpy.data.objects[name]) for name in "ABC"]) == [True, True, False]
    assert shown(3) == OWN and red(shown(9)) == [True, True, False]
    assert result().pairs[0].when.startswith("5-15, first 5")
    assert markers() == sorted([*MINE, (f"{MARKER_PREFIX}A × B", 5)])
    scene().frame_set(1)
    bpy.ops.touchpoint.next_collision()
    assert scene().frame_current == 6
    bpy.ops.touchpoint.clear()
    assert markers() == MINE and shown(10) == OWN


def test_next_and_previous(registered):
    made = passing()
    third = add_cube("D", (0, -40, 0))
    third.location = (0, -1.5, 0.25)
    third.keyframe_insert("location", frame=12)
    third.location = (0, -40, 0)
    third.keyframe_insert("location", frame=10)
    bpy.ops.touchpoint.check_animation()
    starts = sorted({each.start for pair in result().pairs for each in pair.intervals})
    assert starts == [5, 12] and made
    starts[0] = 6           # where what touches in 5 crosses
    scene().frame_set(1)
    frames = []
    while bpy.ops.touchpoint.next_collision() == {"FINISHED"}:
        frames.append(scene().frame_current)
    assert frames == starts
    while bpy.ops.touchpoint.previous_collision() == {"FINISHED"}:
        frames.append(scene().frame_current)
    assert frames == [6, 12, 6]


def blenders_keys(name):
    """(type, shift, ctrl, alt) of the keys of a map in Blender's default key maps, which have no window to be in."""
    path = Path(bpy.utils.system_resource("SCRIPTS")) / "presets/keyconfig/keymap_data/blender_default.py"
    spec = importlib.util.spec_from_file_location("blender_default", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    items = next(content["items"] for each, _, content in module.generate_keymaps(module.Params()) if each == name)
    return {(each["type"], each.get("shift", False), each.get("ctrl", False), each.get("alt", False))
            for _, each, _ in items}


def our_keys(name):
    return [item for item in bpy.context.window_manager.keyconfigs.addon.keymaps[name].keymap_items
            if item.idname.startswith("touchpoint.")]


@pytest.mark.parametrize(("name", "keys", "taken"), [
    (keymap.MAP, keymap.KEYS, ("RIGHT_ARROW", True, False, False)),
    (keymap.VIEW_MAP, keymap.VIEW_KEYS, ("HOME", False, False, False))])
def test_the_keys_are_free(registered, name, keys, taken):
    assert [(item.idname, item.type) for item in our_keys(name)] == list(keys)
    blenders = blenders_keys(name)
    assert taken in blenders
    assert not any((item.type, bool(item.shift), bool(item.ctrl), bool(item.alt)) in blenders
                   for item in our_keys(name))
    keymap.unregister()
    assert not our_keys(name)
    keymap.register()


def test_between_frames(registered):
    """Ways lead to parts of frames, and the marker stands at the frame before."""
    made = passing()
    made[1].animation_data_clear()
    key(made[1], "location", (4, (-5, 0.25, 0.5)), (5, (7, 0.25, 0.5)))
    scene().touchpoint.animation.continuous = True
    bpy.ops.touchpoint.check_animation()
    assert [pair.when for pair in result().pairs][0].startswith("4.25-4.58, first 4.25, worst 4.")
    assert markers() == [(f"{MARKER_PREFIX}A × B", 4)]
    assert bpy.ops.touchpoint.next_collision() == {"FINISHED"}
    assert scene().frame_current_final == pytest.approx(4.25)
    assert red([colour(made[0]), colour(made[2])]) == [True, False]
    assert bpy.ops.touchpoint.next_collision() == {"CANCELLED"}
    assert shown(4) == [WHITE] * 3
    bpy.ops.touchpoint.select_pair(index=0)
    assert 4.25 < scene().frame_current_final < 4.6 and red([colour(made[1])]) == [True]
    bpy.ops.touchpoint.preview_interval()
    assert (scene().frame_preview_start, scene().frame_preview_end) == (4, 5)


def test_a_row_goes_to_its_worst_frame(checked):
    scene().touchpoint.pair_index = 0
    assert scene().frame_current == result().pairs[0].worst_frame
    assert sorted(each.name for each in bpy.context.view_layer.objects.selected) == ["A", "B"]
    assert result().pairs[0].centre[0] == pytest.approx(0.0, abs=2.0)


def test_preview_range(checked):
    assert not bpy.ops.touchpoint.preview_interval.poll()
    scene().touchpoint.pair_index = 0
    assert bpy.ops.touchpoint.preview_interval() == {"FINISHED"}
    assert (scene().use_preview_range, scene().frame_preview_start, scene().frame_preview_end) == (True, 5, 15)
    scene().touchpoint.animation.range = "PREVIEW"
    bpy.ops.touchpoint.check_animation()
    assert result().tested.startswith("3 objects tested in frames 5-15, not between")
    chosen = scene().touchpoint.animation
    chosen.range, chosen.first, chosen.last, chosen.step = "CUSTOM", 4, 6, 0.5
    bpy.ops.touchpoint.check_animation()
    assert result().tested.startswith("3 objects tested in 5 frames from 4 to 6, not between them, in ")
    chosen.last = 2
    assert not bpy.ops.touchpoint.check_animation.poll()


def test_a_script_shows_its_report(registered):
    passing()
    report = api.check_animation((4, 12))
    assert result().run_id == ""
    api.write_back(report)
    assert result().animated and result().frame == 4 and red(shown(10)) == [True, True, False]
    assert session.report_of(scene()) is report


def test_a_row_says_when_a_pair_meets_that_was_near_before(registered):
    passing()
    report = api.check_animation((1, 20), continuous=True, clearance=0.6)
    api.write_back(report)
    (first,), ((start, _),) = report.first_contact.tolist(), report.intervals[0].tolist()
    row, = result().pairs
    assert start < first - 0.3 and f", first {frame_phrases.frame(first)}, worst " in row.when
    assert row.short_figure == frame_phrases.frame(first)


def test_words():
    assert [frame_phrases.frame(number) for number in (41.0, 10.4321, -3.5)] == ["41", "10.43", "-3.5"]
    assert frame_phrases.meeting([[41, 58]], 41, 52, "3.2 mm") == "41-58, first 41, worst 52, 3.2 mm"
    assert frame_phrases.meeting([[7, 7]], 7, 7, "") == "7"
    assert frame_phrases.meeting([[1, 2], [4, 4]], 1, 4, "") == "1-2, 4, first 1, worst 4"
    assert frame_phrases.meeting([[-10, -3], [4, 5]], -7.5, 4, "") == "-10 to -3, 4-5, first -7.5, worst 4"
    assert frame_phrases.tested([-2, -1, 0]) == "frames -2 to 0"
    assert frame_phrases.intervals([[n, n] for n in range(7)]) == "0, 1, 2, 3 and 3 more"
    assert frame_phrases.first_frames([[4, 9.5]]) == "4-9.5" and frame_phrases.first_frames([[4, 4], [6, 7]]) == "4 +1"
    assert frame_phrases.tested([4.0]) == "frame 4" and frame_phrases.tested([1, 2, 3]) == "frames 1-3"
    assert frame_phrases.tested([1, 1.5, 2]) == "3 frames from 1 to 2"
