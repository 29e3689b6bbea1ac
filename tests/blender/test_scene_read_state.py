# SPDX-License-Identifier: GPL-3.0-or-later
"""Edit Mode, frames, units; what a Snapshot is good for after the scene has changed; that nothing is changed."""
import bmesh
import bpy
import numpy as np
import pytest
from line_count import lines_run
from scene_building import add, add_cube, cube_mesh, edit, mesh_at, names, size_of, triangles_of
from touchpoint import core
from touchpoint.addon.scene_read import read_scene
from touchpoint.core import Refused


@pytest.fixture
def second(empty_file):
    return add_cube("Second", (100, 0, 0))


def stretch(mesh, factor):
    """As an add-on may do it: without telling Blender to update."""
    for vertex in bmesh.from_edit_mesh(mesh).verts:
        vertex.co.z *= factor


@pytest.mark.parametrize("modifier", [None, "shown", "not shown in Edit Mode"])
def test_edit_mode_is_read_as_it_stands(modifier, second):
    cube = add_cube("Cube")
    if modifier:
        cube.modifiers.new("Array", "ARRAY").show_in_editmode = modifier == "shown"
    edit(cube)
    for height in (6, 18):
        stretch(cube.data, 3)
        snapshot = read_scene()
        assert names(snapshot) == ["Cube", "Second"] and snapshot.skipped == []
        assert size_of(snapshot, "Cube").tolist() == [4 if modifier == "shown" else 2, 2, height]
        assert cube.mode == "EDIT"
        said = ["Tested as Edit Mode shows it, without modifiers that are off there: Cube."]
        assert snapshot.doubts.sentences == (said if modifier == "not shown in Edit Mode" else [])
    bmesh.ops.create_cube(bmesh.from_edit_mesh(cube.data), size=1)
    assert len(mesh_at(read_scene(), "Cube").triangles) == (48 if modifier == "shown" else 24)


def test_all_users_of_a_mesh_in_edit_mode(second):
    mesh = cube_mesh()
    first, other = add("First", mesh), add("Other", mesh)
    other.scale.x = 2
    edit(first)
    stretch(mesh, 2)
    snapshot = read_scene()
    assert size_of(snapshot, "First").tolist() == [2, 2, 4]
    assert size_of(snapshot, "Other").tolist() == [4, 2, 4]


def test_modifiers_that_are_off_in_edit_mode_of_several_objects(second):
    cubes = [add_cube("First"), add_cube("Other")]
    for each in cubes:
        each.modifiers.new("Array", "ARRAY").show_in_editmode = False
    edit(*cubes)
    said, = read_scene().doubts.sentences
    assert said.endswith("modifiers that are off there: First, Other.")


def test_several_objects_in_edit_mode(second):
    cubes = [add_cube("First"), add_cube("Other")]
    edit(*cubes)
    for each in cubes:
        stretch(each.data, 2)
    snapshot = read_scene()
    assert size_of(snapshot, "First")[2] == size_of(snapshot, "Other")[2] == 4


def test_text_in_edit_mode(second):
    bpy.ops.object.text_add()
    text = bpy.context.object
    before = size_of(read_scene(), text.name)[0]
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.font.text_insert(text="and more")
    assert size_of(read_scene(), text.name)[0] > before


@pytest.fixture
def moving(second):
    """A cube at x = frame."""
    cube = add_cube("Cube")
    cube.driver_add("location", 0).driver.expression = "frame"
    bpy.context.scene.frame_set(3, subframe=0.25)
    return cube


def left_of(snapshot, name):
    return triangles_of(snapshot, name)[..., 0].min() + 1


@pytest.mark.parametrize("frame", [-7, 40, 41.37, 3])
def test_another_frame_and_back(frame, moving):
    snapshot = read_scene(frame=frame)
    assert snapshot.frame == frame
    assert left_of(snapshot, "Cube") == pytest.approx(frame)
    scene = bpy.context.scene
    assert (scene.frame_current, scene.frame_subframe) == (3, 0.25)
    assert left_of(read_scene(), "Cube") == 3.25


@pytest.mark.parametrize("frame", [-7, 3, 6, 6.5, 12])
def test_frames_of_a_scene_whose_time_is_remapped(frame, moving):
    """Frames are those of the timeline: at frame 12 the cube is where it is at 6 otherwise."""
    scene = bpy.context.scene
    scene.render.frame_map_old = 50
    scene.frame_set(12)
    snapshot = read_scene(frame=frame)
    assert snapshot.frame == frame and left_of(snapshot, "Cube") == pytest.approx(0.5 * frame)
    assert scene.frame_current == 12 and read_scene().frame == 12


def test_the_current_frame_is_not_set_again(moving):
    """That would throw away a pose that has no key yet."""
    calls = []
    bpy.app.handlers.frame_change_pre.append(lambda *_: calls.append(1))
    for frame in (None, 3.25):
        assert read_scene(frame=frame).frame == 3.25
    assert calls == []
    read_scene(frame=4)
    assert len(calls) == 2      # there and back


@pytest.mark.parametrize("frame", [float("nan"), float("inf"), 1e300, -2_000_000])
def test_frames_that_do_not_exist(frame, moving):
    with pytest.raises(Refused, match="There is no frame"):
        read_scene(frame=frame)
    assert bpy.context.scene.frame_current == 3


def test_the_frame_is_put_back_after_a_refusal(moving):
    with pytest.raises(Refused):
        read_scene(scope="SELECTED", frame=100)
    assert bpy.context.scene.frame_current == 3


def test_bent_faces_are_cut_anew_on_each_frame(second):
    """The diagonal of a quad follows its shape."""
    quad = add_cube("Quad")
    quad.shape_key_add(name="Basis")
    key = quad.shape_key_add(name="Bent")
    key.data[2].co, key.value = (0.5, -0.5, -1), 0
    flat = mesh_at(read_scene(), "Quad").triangles.tolist()
    key.value = 1
    assert mesh_at(read_scene(), "Quad").triangles.tolist() != flat


@pytest.mark.parametrize("system, scale, metres", [
    ("METRIC", 1, 1), ("METRIC", 0.01, 0.01), ("IMPERIAL", 0.3048, 0.3048), ("NONE", 0.001, 1)])
def test_the_length_of_a_unit(system, scale, metres, second):
    add_cube("Cube")
    bpy.context.scene.unit_settings.system = system
    bpy.context.scene.unit_settings.scale_length = scale
    assert read_scene().unit_scale == metres


def test_where_it_came_from(second, tmp_path):
    add_cube("Cube")
    bpy.context.scene.name = "Hall 3"
    assert (read_scene().file_name, read_scene().scene_name) == ("", "Hall 3")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hall.blend"))
    assert read_scene().file_name == "hall.blend"
    assert read_scene().seconds > 0


def test_rows_find_their_objects_again(second):
    cube, other = add_cube("Cube"), add_cube("Other")
    snapshot = read_scene()
    cube.name, other.name = "Renamed", "Cube"
    assert [row.find() for row in snapshot.rows] == snapshot.find_objects() == [cube, other, second]
    bpy.data.objects.remove(cube)
    add_cube("Renamed")
    assert [row.find() for row in snapshot.rows] == snapshot.find_objects() == [None, other, second]


def test_a_snapshot_outlives_its_file(second):
    add_cube("Cube")
    snapshot = read_scene()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert snapshot.find_objects() == [None, None]
    assert snapshot.core.meshes[0].vertices.shape == (8, 3)
    assert core.detect(snapshot.core).pairs.size == 0


def everything_about(each):
    points = [tuple(vertex.co) for vertex in each.data.vertices]
    return (each.name, each.mode, each.select_get(), each.hide_get(), points, [tuple(row) for row in each.matrix_world])


def test_reading_changes_nothing(second):
    cube = add_cube("Cube")
    cube.select_set(True)
    cube.modifiers.new("Subdivision", "SUBSURF")
    bpy.context.view_layer.update()
    before = [everything_about(each) for each in bpy.data.objects], len(bpy.data.meshes)
    read_scene(frame=7)
    assert ([everything_about(each) for each in bpy.data.objects], len(bpy.data.meshes)) == before


def test_two_readings_are_equal(second):
    add_cube("Cube").modifiers.new("Subdivision", "SUBSURF")
    one, other = read_scene(), read_scene()
    assert one.rows == other.rows
    for here, there in zip(one.core.meshes, other.core.meshes):
        assert np.array_equal(here.vertices, there.vertices) and np.array_equal(here.triangles, there.triangles)


def test_a_large_mesh_is_read_in_bulk(second):
    """No Python loop goes over its 180,000 triangles."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=300, y_subdivisions=300)
    snapshot = read_scene()
    assert sum(len(each.triangles) for each in snapshot.core.meshes) > 179_000
    assert lines_run(read_scene) < 5000


def test_another_user_of_a_mesh_in_edit_mode(second):
    """Its modifiers are off, too, though it is in Object Mode itself."""
    mesh = cube_mesh()
    first, other = add("First", mesh), add("Other", mesh)
    other.modifiers.new("Array", "ARRAY").show_in_editmode = False
    edit(first)
    snapshot = read_scene()
    assert size_of(snapshot, "Other").tolist() == [2, 2, 2]
    assert snapshot.doubts.sentences == ["Tested as Edit Mode shows it, without modifiers that are off there: Other."]


def test_a_rig_in_edit_mode_deforms_nothing(second):
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    edit(rig)
    rig.data.edit_bones.new("Bone").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    cube = add_cube("Cube")
    cube.modifiers.new("Rig", "ARMATURE").object = rig
    cube.vertex_groups.new(name="Bone").add(range(8), 1, "REPLACE")
    rig.pose.bones["Bone"].location = (5, 0, 0)
    snapshot = read_scene()
    assert triangles_of(snapshot, "Cube").min() == -1 and triangles_of(snapshot, "Cube").max() == 6
    assert snapshot.doubts.sentences == []
    edit(rig)
    snapshot = read_scene()
    assert triangles_of(snapshot, "Cube").max() == 1
    assert snapshot.doubts.sentences == ["Tested as Edit Mode shows it, where rigs deform nothing: Rig."]


def test_modifiers_that_are_off_in_sculpt_mode(second):
    cube = add_cube("Cube")
    cube.modifiers.new("Array", "ARRAY")
    cube.select_set(True)
    bpy.context.view_layer.objects.active = cube
    bpy.ops.object.mode_set(mode="SCULPT")
    snapshot = read_scene()
    assert size_of(snapshot, "Cube")[0] == 4 and snapshot.doubts.sentences == []
    bpy.ops.sculpt.dynamic_topology_toggle()
    snapshot = read_scene()
    assert size_of(snapshot, "Cube")[0] == 2
    assert snapshot.doubts.sentences == ["Tested as Sculpt Mode shows it, where modifiers may be off: Cube."]
