# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances of which one goes: those after it get other numbers, and have not flown to where others were."""
import bpy
import pytest
from scene_building import add_cube, add_instances, add_nodes
from touchpoint.addon import api


def rocks_of_which_one_goes(tree, _start, end):
    """At x = 0, 10, 20; the first one is gone on frame 2."""
    instances = add_instances(tree, add_cube("Rock", (0, 0, -100), size=0.2), count=3, spacing=10.0).node
    kinds = ("GeometryNodeSetID", "GeometryNodeInputIndex", "GeometryNodeInputID", "GeometryNodeDeleteGeometry",
             "GeometryNodeInputSceneTime", "ShaderNodeMath", "FunctionNodeCompare")
    known, place, number, deleted, time, before, less = map(tree.nodes.new, kinds)
    before.operation, before.inputs[1].default_value = "SUBTRACT", 1.0
    less.data_type, less.operation = "FLOAT", "LESS_THAN"
    points = instances.inputs["Points"]
    for one, other in ((points.links[0].from_socket, known.inputs["Geometry"]), (place.outputs[0], known.inputs["ID"]),
                       (known.outputs[0], deleted.inputs["Geometry"]), (less.outputs[0], deleted.inputs["Selection"]),
                       (number.outputs[0], less.inputs["A"]), (before.outputs[0], less.inputs["B"]),
                       (time.outputs["Frame"], before.inputs[0]), (deleted.outputs[0], points),
                       (instances.outputs[0], end)):
        tree.links.new(one, other)


def test_each_flies_its_own_way(empty_file):
    emitter = add_cube("Emitter", (0, 0, 0))
    add_nodes(emitter, rocks_of_which_one_goes)
    for frame, y in ((1, 0.0), (2, 4.0)):
        emitter.location.y = y
        emitter.keyframe_insert("location", frame=frame)
    add_cube("In the Way", (10, 2, 0), size=0.3)
    add_cube("Beside", (5, 2, 0), size=0.3)
    bpy.context.scene.frame_set(1)
    report = api.check_animation((1, 2), continuous=True)
    assert [(report.name(int(pair["a"])), report.name(int(pair["b"]))) for pair in report.pairs] == [
        ("Emitter ▸ Rock #1", "In the Way")]
    (((start, end),),) = report.intervals
    assert start + end == pytest.approx(3.0, abs=1e-5) and 1.4 < start < end and report.exit_code() == 1
