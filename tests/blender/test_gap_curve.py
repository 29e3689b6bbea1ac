# SPDX-License-Identifier: GPL-3.0-or-later
"""The gap of a pair as an F-curve: what it says, where it is, and that it goes again."""
import bpy
import numpy as np
import pytest
from animation_building import key, passing
from report_building import all_data
from scene_building import add, add_cube, add_instances, add_nodes, join, mesh_of
from touchpoint.addon.names import CURVE_KEY
from touchpoint.addon.write_back.curves import curves_of
from touchpoint.addon.write_back.gap_curve import PROPERTY, carrier_of

pytestmark = pytest.mark.usefixtures("registered")


def scene():
    return bpy.context.scene


def check(row=0):
    bpy.ops.touchpoint.check_animation()
    scene().touchpoint.pair_index = row


def carriers():
    return [each for each in bpy.data.objects if CURVE_KEY in each]


def keys(made=None):
    """{frame: value} of the only curve."""
    made = made or carriers()[0]
    assert [each.data_path for each in curves_of(made)] == [f'["{PROPERTY}"]']
    points = curves_of(made)[0].keyframe_points
    assert {point.interpolation for point in points} == {"LINEAR"}
    return {point.co[0]: point.co[1] for point in points}


def expected(frame):
    """Cubes of size 2, B at x(frame) as `passing` moves it: the gap along x, or the least way out."""
    x = float(np.interp(frame, (1, 9, 11, 19), (4, 0, 0, 4)))
    return x - 2.0 if x >= 2.0 else -min(2.0 - x, 1.5)


def test_gap_and_depth_of_every_frame(registered):
    passing()
    check()
    frame = scene().frame_current
    assert bpy.ops.touchpoint.gap_curve("EXEC_DEFAULT", True) == {"FINISHED"}
    found = keys()
    assert sorted(found) == list(range(1, 21)) and scene().frame_current == frame
    assert found[1.0] == 2.0 and found[5.0] == 0.0 and found[15.0] == 0.0 and found[19.0] == 2.0
    assert min(found.values()) < -0.5 and all((value < 0.0) == (5 < each < 15) for each, value in found.items())
    made = carriers()[0]
    assert made.name == "Touchpoint Gap A × B" and made.users_collection[0].name == "Touchpoint"
    assert [each for each in bpy.context.view_layer.objects.selected] == [made]
    for each in (3, 7, 10):
        scene().frame_set(each)
        assert made[PROPERTY] == pytest.approx(found[each], abs=1e-6)


def test_a_curve_where_time_is_remapped(registered):
    """At half speed each frame of the timeline shows what half of it shows otherwise."""
    passing()
    scene().render.frame_map_old, scene().frame_end = 50, 40
    check()
    bpy.ops.touchpoint.gap_curve("EXEC_DEFAULT", True)
    for each in (6, 12, 28, 38):
        scene().frame_set(each)
        assert carriers()[0][PROPERTY] == pytest.approx(expected(0.5 * each), abs=1e-6)


def test_depths_are_those_of_detect(registered):
    from touchpoint.addon import api

    passing()
    check()
    bpy.ops.touchpoint.gap_curve()
    report = api.detect(frame=10, objects=[bpy.data.objects["A"], bpy.data.objects["B"]])
    assert keys()[10.0] == pytest.approx(-float(report.pairs["depth"][0]), rel=1e-5) and expected(3) == keys()[3.0]


def test_again_replaces_and_another_pair_is_beside(registered):
    made = passing()
    key(made[2], "location", (1, (0.5, 1.5, 0.25)), (2, (0.5, 1.75, 0.25)))
    check(0)
    bpy.ops.touchpoint.gap_curve()
    bpy.ops.touchpoint.gap_curve()
    assert len(carriers()) == 1 and len([each for each in bpy.data.actions if each.name.startswith("Touchpoint")]) == 1
    scene().touchpoint.pair_index = 1
    bpy.ops.touchpoint.gap_curve()
    names = [pair.name for pair in scene().touchpoint.result.pairs]
    assert sorted(each[CURVE_KEY] for each in carriers()) == sorted(names[:2])
    scene().touchpoint.empties = 3      # writes the empties of contacts anew
    assert len(carriers()) == 2


def test_clear_another_run_and_undo_remove_it(registered):
    passing()
    before = all_data()
    check()
    checked = all_data()
    bpy.ops.ed.undo_push(message="checked")
    bpy.ops.touchpoint.gap_curve("EXEC_DEFAULT", True)
    written = all_data()
    assert written != checked
    bpy.ops.ed.undo()
    assert all_data() == checked
    bpy.ops.ed.redo()
    assert all_data() == written and len(keys()) == 20
    bpy.ops.touchpoint.check_animation()
    assert all_data() == checked
    scene().touchpoint.pair_index = 0
    bpy.ops.touchpoint.gap_curve()
    bpy.ops.touchpoint.clear()
    assert all_data() == before


def test_saved_and_opened_again(registered, tmp_path):
    passing()
    before = all_data()
    check()
    bpy.ops.touchpoint.gap_curve()
    path = str(tmp_path / "curve.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert len(keys()) == 20 and carrier_of(scene(), "A × B") is carriers()[0]
    assert bpy.ops.touchpoint.gap_curve() == {"FINISHED"} and len(carriers()) == 1      # objects are found by name
    bpy.ops.touchpoint.clear()
    assert all_data() == before


def test_open_meshes_have_no_depth(registered):
    add("Floor", mesh_of("Floor", [(-9, -9, 0.5), (9, -9, 0.5), (9, 9, 0.5), (-9, 9, 0.5)], [(0, 1, 2, 3)]))
    flag = add("Flag", mesh_of("Flag", [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)], [(0, 1, 2, 3)]))
    key(flag, "location", (1, (0, 0, 0)), (5, (0, 0, 4)))
    scene().frame_start, scene().frame_end = 1, 5
    check()
    bpy.ops.touchpoint.gap_curve()
    assert list(keys().values()) == [0.0, 0.5, 1.5, 2.5, 3.5]


def test_an_object_that_is_hidden_at_times(registered):
    made = passing()
    key(made[0], "hide_viewport", (1, False), (18, True))
    check()
    bpy.ops.touchpoint.gap_curve()
    assert sorted(keys()) == list(range(1, 18))


def test_an_instance(registered):
    host = add_cube("Host", (-8, 0, 0), size=1.0)
    add_nodes(host, lambda tree, start, end: tree.links.new(
        join(tree, add_instances(tree, start, count=3, spacing=4.0)), end))
    wall = add_cube("Wall", (0, 0, 0))
    key(wall, "location", (1, (0, 0, 0)), (5, (8, 0, 0)))
    scene().frame_start, scene().frame_end = 1, 5
    check()
    pair = scene().touchpoint.result.pairs[0]
    assert pair.instance_a
    bpy.ops.touchpoint.gap_curve()
    assert len(keys()) == 5 and min(keys().values()) < 0.0 < max(keys().values())


def test_what_cannot_be_measured(registered):
    add_cube("A"), add_cube("B", (1, 0.25, 0.5))
    bpy.ops.touchpoint.detect()
    scene().touchpoint.pair_index = 0
    assert not bpy.ops.touchpoint.gap_curve.poll()      # no animation
    check()
    assert bpy.ops.touchpoint.gap_curve.poll()
    scene().touchpoint.pair_index = -1
    assert not bpy.ops.touchpoint.gap_curve.poll()
    scene().touchpoint.pair_index = 0
    bpy.data.objects.remove(bpy.data.objects["B"])
    assert not bpy.ops.touchpoint.gap_curve.poll()
