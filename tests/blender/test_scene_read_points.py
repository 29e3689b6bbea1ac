# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects without faces: points for a method that takes them, left out for all others; the result in Blender."""
import json

import bpy
import numpy as np
import pytest
from report_building import point_mesh
from scene_building import add, add_cube, add_curve, add_nodes, edit, mesh_at, mesh_of, names, pose_of
from touchpoint.addon import api
from touchpoint.addon.scene_read import read_scene
from touchpoint.core import Refused

DOTS = [(x, y, z) for x in (0.0, 0.5, 1.0) for y in (0.0, 0.5, 1.0) for z in (0.0, 0.5, 1.0)]


def add_dots(name, location=(0, 0, 0)):
    return add(name, mesh_of(name, DOTS, []), location)


def make_points(tree, start, end):
    """Nodes that turn a mesh into a point cloud."""
    points = tree.nodes.new("GeometryNodeMeshToPoints")
    tree.links.new(start, points.inputs[0])
    tree.links.new(points.outputs[0], end)


def test_loose_vertices_are_read_when_asked_for():
    add_dots("Dots", (5, 0, 0))
    add_cube("Cube")
    add_cube("Second")
    assert names(read_scene()) == ["Cube", "Second"]
    snapshot = read_scene(takes_points=True)
    assert names(snapshot) == ["Cube", "Dots", "Second"] and snapshot.skipped == []
    assert mesh_at(snapshot, "Dots").vertices.tolist() == np.array(DOTS).tolist()
    assert mesh_at(snapshot, "Dots").triangles.shape == (0, 3) and pose_of(snapshot, "Dots")[0, 3] == 5
    assert len(mesh_at(snapshot, "Cube").triangles) == 12


def test_points_in_edit_mode_are_read():
    dots = add_dots("Dots")
    add_cube("Cube")
    edit(dots)
    try:
        assert len(mesh_at(read_scene(takes_points=True), "Dots").vertices) == 27
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def test_point_clouds_of_nodes_are_read():
    add_nodes(add_cube("Dots", size=4.0), make_points)
    add_cube("Cube")
    snapshot = read_scene(takes_points=True)
    assert names(snapshot) == ["Cube", "Dots"]
    assert sorted(mesh_at(snapshot, "Dots").vertices.tolist()) == [
        [x, y, z] for x in (-2, 2) for y in (-2, 2) for z in (-2, 2)]


def test_what_has_no_points_is_named():
    add_dots("Dots")
    add_dots("More dots")
    add("Nothing in it", bpy.data.meshes.new("Nothing in it"))
    add_curve("Path", bevel=0)
    snapshot = read_scene(takes_points=True)
    assert [(each.name, each.reason) for each in snapshot.skipped] == [
        ("Nothing in it", "it has no points"), ("Path", "it has no points")]


def test_refusals_speak_of_points():
    add("Nothing in it", bpy.data.meshes.new("Nothing in it"))
    with pytest.raises(Refused, match="Nothing visible has points to test.*Left out: Nothing in it"):
        read_scene(takes_points=True)
    with pytest.raises(Refused, match="Nothing visible has a surface to test"):
        read_scene()


def test_detect_shows_and_exports_points(registered, tmp_path):
    add_dots("Dots")
    add_dots("Shifted", (0.75, 0.75, 0.75))
    add_cube("Far", (9, 0, 0))
    report = api.detect(method="hull_points")
    assert [report.verdict(row) for row in range(len(report.pairs))] == ["overlap"]
    shared = sorted(report.contacts.point[:, 0].tolist())
    assert shared == [[0.75] * 3, [1.0] * 3]
    api.write_back(report)
    values = np.empty(2, np.int32)
    point_mesh().data.attributes["triangle_a"].data.foreach_get("value", values)
    assert values.tolist() == [-1, -1]
    listed = bpy.context.scene.touchpoint.result.pairs
    assert [(each.name, each.contacts) for each in listed] == [("Dots × Shifted", 2)]
    report.to_json(tmp_path / "report.json")
    written = json.loads((tmp_path / "report.json").read_text())
    assert sorted(written["pairs"][0]["points"]) == shared
    assert {each["name"]: each["triangles"] for each in written["objects"]} == {"Dots": 0, "Far": 12, "Shifted": 0}
    api.clear()
    assert sorted(each.name for each in bpy.context.scene.objects) == ["Dots", "Far", "Shifted"]


def test_other_methods_leave_points_out():
    add_dots("Dots")
    for name in ("A", "B"):
        add_cube(name)
    report = api.detect()
    assert [each.name for each in report.objects] == ["A", "B"]
    assert [(each.name, each.reason) for each in report.skipped] == [("Dots", "it has no faces")]
