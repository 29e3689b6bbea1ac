# SPDX-License-Identifier: GPL-3.0-or-later
"""Small animated scenes, and what is said of them frame by frame."""
import bpy
import numpy as np
from scene_building import add, add_cube, add_instances, add_nodes, join
from touchpoint.addon import api
from touchpoint.core.errors import NothingToTest


def key(each, path, *places):
    """Keys of a property, each (frame, value); linear between them."""
    for frame, value in places:
        setattr(each, path, value)
        each.keyframe_insert(path, frame=frame)
    for curve in curves_of(each.id_data):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def curves_of(each):
    """The F-curves of a data-block, wherever this Blender keeps them."""
    action = each.animation_data.action
    if hasattr(action, "fcurves"):
        return action.fcurves
    return action.layers[0].strips[0].channelbag(each.animation_data.action_slot).fcurves


def passing():
    """A at the origin; B passes through it and touches it in frames 5 and 15, crosses it between them; C is far away.
    Frames 1 to 20; the user is at frame 3."""
    scene = bpy.context.scene
    made = [add_cube("A"), add_cube("B", (4, 0.25, 0.5)), add_cube("C", (0, 50, 0))]
    key(made[1], "location", (1, (4, 0.25, 0.5)), (9, (0, 0.25, 0.5)), (11, (0, 0.25, 0.5)), (19, (4, 0.25, 0.5)))
    scene.frame_start, scene.frame_end = 1, 20
    scene.frame_set(3)
    return made


def parade():
    """Everything that moves or deforms: frames 1 to 8, user at frame 2, subframe 0.25."""
    scene = bpy.context.scene
    add_cube("Post")
    _bending_arm()
    grown = add_cube("Grown", (0, -3.1, 0))
    grown.shape_key_add(name="Basis")
    grown.shape_key_add(name="Long").data[7].co = (1.0, 4.0, 1.0)
    key(grown.data.shape_keys.key_blocks["Long"], "value", (1, 0.0), (8, 1.0))
    driven = add_cube("Driven", (2.5, 0, 4))
    driven.driver_add("location", 2).driver.expression = "6 - frame"
    parent, child = add("Parent", None), add_cube("Child", (-6, 0, 0))
    child.parent = parent
    key(parent, "location", (1, (0, 0, 0)), (8, (5, 0, 0)))
    blinking = add_cube("Blinking", (0.5, 0.5, 1.5))
    key(blinking, "hide_viewport", (1, False), (3, True), (6, False))
    _sprouting()
    scene.frame_start, scene.frame_end = 1, 8
    scene.frame_set(2, subframe=0.25)


def _bending_arm():
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new("Bone")
    bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    arm = add_cube("Arm", (0, 2.5, 0), size=1.0)
    arm.vertex_groups.new(name="Bone").add(range(8), 1.0, "ADD")
    arm.modifiers.new("Armature", "ARMATURE").object = rig
    bone = rig.pose.bones["Bone"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (8, 1.5)):
        bone.rotation_euler = (angle, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)


def _sprouting():
    """A cube with a row of instances and realized copies, one more of each per frame."""
    host = add_cube("Host", (-8, 0, 0), size=1.0)

    def build(tree, start, end):
        line = add_instances(tree, start, count=1, spacing=1.25)
        realize = tree.nodes.new("GeometryNodeRealizeInstances")
        tree.links.new(line, realize.inputs[0])
        tree.links.new(join(tree, realize.outputs[0]), end)

    tree = add_nodes(host, build)
    count = next(each for each in tree.nodes if each.bl_idname == "GeometryNodeMeshLine").inputs["Count"]
    driver = count.driver_add("default_value").driver
    driver.expression = "frame"


def names(report, pair):
    return report.name(int(pair["a"])), report.name(int(pair["b"]))


def met(report, frame):
    """{names: verdict of that interval} of the pairs that meet in a frame, as a report of an animation says."""
    found = {}
    for row, pair in enumerate(report.pairs):
        for (start, end), verdict in zip(report.intervals[row], report.interval_verdicts[row]):
            if start <= frame <= end:
                found[names(report, pair)] = int(verdict)
    return found


def detected(frame, **how):
    """{names: row of pairs} of a Detect in that frame."""
    try:
        report = api.detect(frame=frame, **how)
    except NothingToTest:
        return {}
    return {names(report, pair): pair for pair in report.pairs}


def same_as_detect(report, **how):
    """Asserts that every frame says what Detect says of it; returns how many pairs met in all."""
    found = 0
    worst: dict = {}
    for frame in report.frames.tolist():
        rows = detected(frame, **how)
        assert met(report, frame).keys() == rows.keys(), frame
        found += len(rows)
        for pair, row in rows.items():
            worst.setdefault(pair, {})[frame] = row
    assert {names(report, pair) for pair in report.pairs} == worst.keys()
    for pair, frame in zip(report.pairs, report.worst_frame.tolist()):
        row = worst[names(report, pair)][frame]
        assert pair["verdict"] == row["verdict"] and pair["contacts"] == row["contacts"]
        assert np.isnan(pair["depth"]) == np.isnan(row["depth"])
        assert not pair["depth"] > row["depth_upper"] and not row["depth"] > pair["depth_upper"]
    return found
