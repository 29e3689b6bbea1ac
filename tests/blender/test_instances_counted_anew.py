# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances of which one goes: those after it get other numbers, and have not flown to where others were."""
import bpy
import pytest
from run_pumping import finish
from scene_building import add_cube, add_instances, add_nodes
from touchpoint.addon import api, session
from touchpoint.addon.animation import run as animation_run
from touchpoint.addon.animation.resumed_run import ResumedRun
from touchpoint.addon.scene_read import follower
from touchpoint.core.sequence import resumed, sweep


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


@pytest.fixture
def flight(empty_file):
    """All rocks go up by 4, and the second one passes something; nothing passes what stands between two of them."""
    emitter = add_cube("Emitter", (0, 0, 0))
    tree = add_nodes(emitter, rocks_of_which_one_goes)
    for frame, y in ((1, 0.0), (2, 4.0)):
        emitter.location.y = y
        emitter.keyframe_insert("location", frame=frame)
    add_cube("In the Way", (10, 2, 0), size=0.3)
    add_cube("Beside", (5, 2, 0), size=0.3)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 2
    scene.frame_set(1)
    return tree


def names(report):
    return [(report.name(int(pair["a"])), report.name(int(pair["b"]))) for pair in report.pairs]


@pytest.mark.parametrize("begins_anew", [False, True])
def test_each_flies_its_own_way(flight, begins_anew, monkeypatch):
    """Also where the Scene of the core is begun anew in between, as it does after many changes of triangles."""
    if begins_anew:
        monkeypatch.setattr(follower, "MOST_REMOVED", -1000)
        monkeypatch.setattr(animation_run, "ANEW", 1)
    report = api.check_animation((1, 2), continuous=True)
    assert names(report) == [("Emitter ▸ Rock #1", "In the Way")]
    (((start, end),),) = report.intervals
    assert start + end == pytest.approx(3.0, abs=1e-5) and 1.4 < start < end and report.exit_code() == 1


def test_other_numbers_alone_are_another_animation(flight, registered, monkeypatch):
    """Each frame shows what it showed, and without the numbers the first rock flies to where the second one was."""
    for module in (resumed, sweep, animation_run):
        monkeypatch.setattr(module, "ANEW", 1)
    bpy.context.scene.touchpoint.animation.continuous = True
    found = []
    for _ in range(2):
        run = ResumedRun.of_settings(bpy.context)
        session.set_run(run)
        found.append(names(finish(run)))
        next(node for node in flight.nodes if node.bl_idname == "GeometryNodeSetID").mute = True
    assert found == [[("Emitter ▸ Rock #1", "In the Way")], [("Beside", "Emitter ▸ Rock #1")]]
