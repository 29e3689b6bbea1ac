# SPDX-License-Identifier: GPL-3.0-or-later
"""What each kind of object becomes."""
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from scene_building import (
    add,
    add_cube,
    add_curve,
    add_metaball,
    add_nodes,
    add_surface,
    add_text,
    cube_mesh,
    mesh_at,
    mesh_of,
    names,
    pose_of,
    size_of,
    triangles_of,
)
from touchpoint.addon.scene_read import mesh_arrays, read_scene
from touchpoint.core import memory
from touchpoint.core.errors import TooLarge


@pytest.fixture
def second(empty_file):
    """Something for the object under test to be tested against, far away."""
    return add_cube("Second", (100, 0, 0))


def test_a_mesh_that_does_not_fit_into_memory(second, monkeypatch):
    add_cube("Cube")
    monkeypatch.setattr(memory, "SMALL_BYTES", 0)
    monkeypatch.setattr(memory, "free", lambda: memory.SPARE_BYTES + 100)
    with pytest.raises(TooLarge, match="The vertices and faces of one object need"):
        read_scene()
    monkeypatch.setattr(memory, "free", lambda: memory.SPARE_BYTES + 10_000)
    assert names(read_scene()) == ["Cube", "Second"]


def test_a_mesh(second):
    cube = add_cube("Cube", (1, 2, 3))
    snapshot = read_scene()
    assert names(snapshot) == ["Cube", "Second"]
    assert [each.name for each in snapshot.core.objects] == names(snapshot)
    mesh = mesh_at(snapshot, "Cube")
    assert mesh.vertices.dtype == np.float64 and mesh.triangles.dtype == np.int32
    assert mesh.vertices.tolist() == [list(vertex.co) for vertex in cube.data.vertices]
    assert pose_of(snapshot, "Cube").tolist() == [list(row) for row in cube.matrix_world]


def test_faces_are_cut_as_on_the_screen(second):
    rng = np.random.default_rng(5)
    bent = rng.normal(size=(40, 3)).tolist()
    faces = [tuple(range(first, first + corners)) for first, corners in ((0, 4), (4, 3), (7, 7), (14, 4), (18, 12))]
    mesh = mesh_of("Bent", bent, faces)
    add("Bent", mesh)
    snapshot = read_scene()
    mesh.calc_loop_triangles()
    expected = [list(triangle.vertices) for triangle in mesh.loop_triangles]
    assert mesh_at(snapshot, "Bent").triangles.tolist() == expected
    assert mesh_at(snapshot, "Bent").vertices.tolist() == [list(vertex.co) for vertex in mesh.vertices]


def bent_quads_and_others(rng, count=200):
    """Quads that are bent so that some are cut along the other diagonal, triangles and faces of seven corners."""
    corners = rng.permutation([4] * count + [3] * 20 + [7] * 20).tolist()
    starts = np.cumsum([0, *corners])
    faces = [tuple(range(first, last)) for first, last in zip(starts[:-1].tolist(), starts[1:].tolist())]
    return mesh_of("Bent", rng.normal(size=(int(starts[-1]), 3)).tolist(), faces)


def asked_one_by_one(mesh) -> list[list[int]]:
    mesh.calc_loop_triangles()
    return [list(triangle.vertices) for triangle in mesh.loop_triangles]


@pytest.mark.parametrize("seed", range(5))
def test_many_faces_are_cut_as_on_the_screen(second, seed):
    """Their triangles are copied, not asked for, and are others after the mesh was bent in another way."""
    rng = np.random.default_rng(seed)
    mesh = bent_quads_and_others(rng)
    add("Bent", mesh)
    before = mesh_at(read_scene(), "Bent").triangles.tolist()
    assert before == asked_one_by_one(mesh)
    mesh.vertices.foreach_set("co", rng.normal(size=3 * len(mesh.vertices)))
    mesh.update()
    after = mesh_at(read_scene(), "Bent").triangles.tolist()
    assert after == asked_one_by_one(mesh) != before
    assert mesh_arrays.copied_corners(mesh.loop_triangles, len(mesh.loop_triangles)) is not None


class OtherArray:
    """Loop triangles in an array of other elements, or with other corners, than Blender 4.2 to 5.2 has."""

    def __init__(self, real, step: int, others: bool):
        self.real, self.step, self.others = real, step, others

    def __getitem__(self, index):
        real = self.real[index]
        loops = tuple(real.loops)
        return SimpleNamespace(as_pointer=lambda: real.as_pointer() + self.step * index,
                               loops=loops[::-1] if self.others else loops)

    def foreach_get(self, name, array):
        self.real.foreach_get(name, array)


@pytest.mark.parametrize("step, others", [(4, False), (0, True)])
def test_triangles_that_are_not_where_they_were_expected_are_asked_for(second, step, others):
    mesh = bent_quads_and_others(np.random.default_rng(1))
    mesh.calc_loop_triangles()
    real = mesh.loop_triangles
    assert mesh_arrays.copied_corners(OtherArray(real, 0, False), len(real)) is not None
    assert mesh_arrays.copied_corners(OtherArray(real, step, others), len(real)) is None
    expected = [corner for triangle in real for corner in triangle.loops]
    assert mesh_arrays.corners_of(OtherArray(real, step, others), len(real)).tolist() == expected


def test_a_mesh_of_triangles_only(second):
    faces = [(0, 1, 2), (2, 1, 3), (3, 0, 2)]
    add("Triangles", mesh_of("Triangles", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 1)], faces))
    assert mesh_at(read_scene(), "Triangles").triangles.tolist() == [list(face) for face in faces]


def test_a_face_with_two_corners_has_no_triangle(second):
    """As many triangles as faces, but not one of each face."""
    add("Odd", mesh_of("Odd", [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1), (0, 1, 2, 3)]))
    assert mesh_at(read_scene(), "Odd").triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_modifiers_are_applied(second):
    cube = add_cube("Cube")
    cube.modifiers.new("Array", "ARRAY").count = 3
    snapshot = read_scene()
    assert len(mesh_at(snapshot, "Cube").triangles) == 36
    assert size_of(snapshot, "Cube").tolist() == [6, 2, 2]
    cube.modifiers["Array"].show_viewport = False
    assert len(mesh_at(read_scene(), "Cube").triangles) == 12


def test_shape_keys(second):
    cube = add_cube("Cube")
    cube.shape_key_add(name="Basis")
    key = cube.shape_key_add(name="Tall")
    for point in key.data:
        point.co.z *= 3
    key.value = 0.5
    assert size_of(read_scene(), "Cube").tolist() == [2, 2, 4]


def test_an_armature(second):
    cube = add_cube("Cube")
    armature = add("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new("Bone")
    bone.tail = (0, 1, 0)
    bpy.ops.object.mode_set(mode="OBJECT")
    cube.vertex_groups.new(name="Bone").add(range(8), 1.0, "REPLACE")
    cube.modifiers.new("Armature", "ARMATURE").object = armature
    armature.pose.bones["Bone"].location = (0, 0, 5)
    snapshot = read_scene()
    assert names(snapshot) == ["Cube", "Second"]
    corners = triangles_of(snapshot, "Cube").reshape(-1, 3)
    assert corners.min(axis=0) == pytest.approx([-1, -1, 4]) and corners.max(axis=0) == pytest.approx([1, 1, 6])


def test_geometry_nodes_can_replace_the_mesh(second):
    def build(tree, _start, end):
        cone = tree.nodes.new("GeometryNodeMeshCube")
        cone.inputs["Size"].default_value = (1, 2, 3)
        tree.links.new(cone.outputs[0], end)

    add_nodes(add("Made", mesh_of("Nothing", [], [])), build)
    snapshot = read_scene()
    assert names(snapshot) == ["Made", "Second"]
    assert size_of(snapshot, "Made").tolist() == [1, 2, 3]


@pytest.mark.parametrize("make", [add_text, add_curve, add_surface, add_metaball])
def test_what_has_a_surface_is_read_once(make, second):
    each = make("Thing")
    each.location = (0, 0, 7)
    bpy.context.view_layer.update()
    snapshot = read_scene()
    assert names(snapshot) == ["Second", "Thing"]
    assert snapshot.skipped == []
    row = snapshot.rows[1]
    assert (row.object_name, row.is_instance, row.persistent_id) == ("Thing", False, ())
    expected = each.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    assert mesh_at(snapshot, "Thing").vertices.tolist() == [list(vertex.co) for vertex in expected.vertices]
    assert pose_of(snapshot, "Thing").tolist() == [list(row) for row in each.matrix_world]


def test_a_curve_may_become_a_mesh_by_nodes(second):
    def build(tree, start, end):
        mesh = tree.nodes.new("GeometryNodeCurveToMesh")
        circle = tree.nodes.new("GeometryNodeCurvePrimitiveCircle")
        tree.links.new(start, mesh.inputs["Curve"])
        tree.links.new(circle.outputs[0], mesh.inputs["Profile Curve"])
        tree.links.new(mesh.outputs[0], end)

    add_nodes(add_curve("Tube", bevel=0), build)
    snapshot = read_scene()
    assert names(snapshot) == ["Second", "Tube"] and not snapshot.rows[1].is_instance


def test_a_family_of_metaballs_is_one_object(second):
    add_metaball("Blob")
    add_metaball("Blob.001", (1, 0, 0))
    add_metaball("Drop", (0, 50, 0))
    snapshot = read_scene()
    assert names(snapshot) == ["Blob", "Drop", "Second"]
    assert size_of(snapshot, "Blob")[0] > size_of(snapshot, "Blob")[1] + 0.5
    assert snapshot.skipped == []


def test_world_matrices_are_taken_as_they_are(second):
    """Mirrored, sheared, non-uniform, below a rotated parent: the float32 numbers of Blender, exactly."""
    parent = add("Parent", None, (3, 0, 0))
    parent.rotation_euler, parent.scale = (0.3, 0.5, 0.7), (2, 0.5, -1)
    cube = add_cube("Cube", (1, 2, 3))
    cube.rotation_euler, cube.scale = (0.1, 0.9, 0.2), (1, -3, 0.2)
    cube.parent = parent
    bpy.context.view_layer.update()
    snapshot = read_scene()
    world = np.array([list(row) for row in cube.matrix_world])
    assert pose_of(snapshot, "Cube").tolist() == world.tolist()
    axes = world[:3, :3]
    assert abs(axes[:, 0] @ axes[:, 1]) > 0.1      # it is sheared
    assert pose_of(snapshot, "Cube").dtype == np.float64


def test_scale_zero_is_tested(second):
    add_cube("Flat").scale = (1, 1, 0)
    snapshot = read_scene()
    assert names(snapshot) == ["Flat", "Second"]
    assert size_of(snapshot, "Flat").tolist() == [2, 2, 0]


def test_linked_duplicates_share_their_mesh(second):
    mesh = cube_mesh()
    for x in range(3):
        add(f"Copy {x}", mesh, (3 * x, 0, 0))
    changed = add("Changed", mesh, (20, 0, 0))
    changed.modifiers.new("Array", "ARRAY")
    snapshot = read_scene()
    used = {row.name: each.mesh for row, each in zip(snapshot.rows, snapshot.core.objects)}
    assert used["Copy 0"] == used["Copy 1"] == used["Copy 2"] != used["Changed"]
    assert len(snapshot.core.meshes) == 3


def test_without_faces_it_is_left_out_and_named(second):
    add_cube("Cube")
    add("Empty mesh", mesh_of("Empty mesh", [], []))
    add("Points", mesh_of("Points", [(0, 0, 0), (1, 0, 0)], []))
    add("Wire", mesh_of("Wire", [(0, 0, 0), (1, 0, 0)], [], [(0, 1)]))
    add_curve("Path", bevel=0)
    add_text("No text", body="")
    add("No balls", bpy.data.metaballs.new("No balls"))
    add("Camera", bpy.data.cameras.new("Camera"))
    add("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    add("Nothing", None)
    snapshot = read_scene()
    assert names(snapshot) == ["Cube", "Second"]
    assert [(each.name, each.reason) for each in snapshot.skipped] == [
        (name, "it has no faces") for name in ("Empty mesh", "No balls", "No text", "Path", "Points", "Wire")]
    assert all(each.judged for each in snapshot.skipped)


def test_a_mesh_that_became_points_has_no_faces(second):
    def build(tree, start, end):
        points = tree.nodes.new("GeometryNodeMeshToPoints")
        tree.links.new(start, points.inputs[0])
        tree.links.new(points.outputs[0], end)

    add_cube("Cube")
    add_nodes(add_cube("Dots"), build)
    snapshot = read_scene()
    assert names(snapshot) == ["Cube", "Second"]
    assert [each.name for each in snapshot.skipped] == ["Dots"]


def test_numbers_that_are_none_go_through_to_the_core(second):
    """Positions and matrices: core leaves such objects out by name, and judges the others."""
    broken = add_cube("Broken")
    broken.data.vertices[3].co.x = float("nan")
    add_cube("Nowhere").location.x = float("nan")
    snapshot = read_scene()
    assert names(snapshot) == ["Broken", "Nowhere", "Second"]
    assert np.isnan(mesh_at(snapshot, "Broken").vertices[3, 0])
    assert not np.isfinite(pose_of(snapshot, "Nowhere")).all()


def test_a_matrix_that_is_not_affine_is_named(second):
    add_cube("Cube")
    child = add_cube("Child")
    child.parent = add("Parent", None)
    skewed = Matrix.Identity(4)
    skewed[3][0] = 0.5
    child.matrix_parent_inverse = skewed
    snapshot = read_scene()
    assert names(snapshot) == ["Cube", "Second"]
    assert [(each.name, each.reason, each.judged) for each in snapshot.skipped] == [
        ("Child", "its matrix is not affine", False)]


def test_the_order_is_that_of_names(empty_file):
    for name in ("b", "C", "a", "B", "ä"):
        add_cube(name)
    assert names(read_scene()) == ["B", "C", "a", "b", "ä"]
