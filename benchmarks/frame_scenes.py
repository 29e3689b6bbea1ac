# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes over time as their owners would build them in Blender, for `frames_in_blender.py`; made in the open file."""
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np

from ..sample_scenes import shapes
from . import animations

SAMPLE_SCENES = Path(__file__).resolve().parents[1] / "sample_scenes"
FRAMES = 12
CYCLE = 6.0             # frames from one key to the next


def mesh_of(name: str, vertices, faces) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.asarray(vertices, float).tolist(), [], [list(map(int, face)) for face in faces])
    return mesh


def add(name: str, data, location=(0.0, 0.0, 0.0)) -> bpy.types.Object:
    made = bpy.data.objects.new(name, data)
    made.location = location
    bpy.context.scene.collection.objects.link(made)
    return made


def key(made, path: str, values: list) -> None:
    """A key every CYCLE frames."""
    for number, value in enumerate(values):
        setattr(made, path, value)
        made.keyframe_insert(path, frame=1 + CYCLE * number)


def open_file(name: str) -> None:
    path = SAMPLE_SCENES / f"{name}.blend"
    bpy.ops.wm.open_mainfile(filepath=str(path))
    if Path(bpy.data.filepath) != path.resolve():
        raise FileNotFoundError(path)


def rig(parts: int = 391, bones: int = 60) -> None:
    """A chain of bones that curls; rigid parts hang on each, close to their neighbours."""
    scene = bpy.context.scene
    armature = add("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    before = None
    for number in range(bones):
        bone = armature.data.edit_bones.new(f"Bone {number}")
        bone.head, bone.tail, bone.parent = (number, 0.0, 0.0), (number + 1.0, 0.0, 0.0), before
        before = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for number, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = "XYZ"
        for turn, angle in enumerate((0.0, 0.07, -0.07)):
            bone.rotation_euler = (angle, angle * (-1) ** number, angle)
            bone.keyframe_insert("rotation_euler", frame=1 + CYCLE * turn)
    for number in range(parts):
        round_, along = divmod(number, bones)
        ball = shapes.ball(0.28, 12, 8)
        part = add(f"Part {number:03}", mesh_of("Part", *ball))
        part.parent, part.parent_type, part.parent_bone = armature, "BONE", f"Bone {along}"
        angle = 2.0 * np.pi * round_ / max(1, parts // bones + 1)
        part.location = (0.55 * np.cos(angle), -0.5, 0.55 * np.sin(angle))
    scene.frame_end = 1 + int(2 * CYCLE)


def city(side: int = 20) -> None:
    """A car drives past houses that are open below, each with a mesh of its own."""
    model = animations.city(side, FRAMES)
    made = [add(f"Body {number:03}", mesh_of("Body", *body)) for number, body in enumerate(model.bodies)]
    for frame, pose in enumerate(model.poses[0]):
        made[0].location = pose[:3, 3]
        made[0].keyframe_insert("location", frame=1 + frame)


def boxes(count: int = 3000) -> None:
    """Boxes on a floor of their own, of which one moves over some others."""
    corners, faces = shapes.box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    made = [add(f"Box {number:04}", mesh_of("Box", corners, faces), (1.4 * (number % 60), 1.4 * (number // 60), 0.0))
            for number in range(count)]
    key(made[0], "location", [(0.0, 0.0, 0.8), (20.0, 15.0, 0.8), (0.0, 10.0, 0.8)])


def instances(count: int = 10_000) -> None:
    """A hundred empties that instance a collection, one of which moves."""
    collection = bpy.data.collections.new("Blocks")
    corners, faces = shapes.box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    each = mesh_of("Block", corners, faces)
    for number in range(count // 100):
        block = bpy.data.objects.new(f"Block {number:03}", each)
        block.location = (1.5 * (number % 10), 1.5 * (number // 10), 0.0)
        collection.objects.link(block)
    for number in range(100):
        empty = add(f"Heap {number:03}", None, (16.0 * (number % 10), 16.0 * (number // 10), 0.0))
        empty.instance_type, empty.instance_collection = "COLLECTION", collection
        if number == 0:
            key(empty, "location", [(0.0, 0.0, 0.3), (20.0, 20.0, 0.3), (0.0, 10.0, 0.3)])


def waves(across: int = 224) -> None:
    """A sheet of 100,000 triangles that a modifier bends, above eight balls at rest."""
    grid = np.linspace(-5.0, 5.0, across + 1)
    x, y = (each.ravel() for each in np.meshgrid(grid, grid))
    corner = np.arange(across * (across + 1)).reshape(across, -1)[:, :-1].ravel()
    quads = np.column_stack([corner, corner + 1, corner + across + 2, corner + across + 1])
    sheet = add("Sheet", mesh_of("Sheet", np.column_stack([x, y, 0.0 * x]), quads))
    modifier = sheet.modifiers.new("Wave", "WAVE")
    modifier.height, modifier.width, modifier.narrowness, modifier.speed = 0.5, 1.5, 1.5, 0.25
    modifier.time_offset = -60.0
    for number in range(8):
        angle = 2.0 * np.pi * number / 8
        add(f"Ball {number}", mesh_of("Ball", *shapes.ball(0.4, 24, 16)),
            (3.0 * np.cos(angle), 3.0 * np.sin(angle), -0.55))


def scatter(count: int = 2000) -> None:
    """Geometry nodes that scatter boxes over a ground, which turn with the scene's time."""
    corners, faces = shapes.box((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1))
    stone = add("Stone", mesh_of("Stone", corners, faces), (0.0, 0.0, 20.0))
    ground = add("Ground", mesh_of("Ground", *shapes.box((-10.0, -10.0, -1.0), (10.0, 10.0, 0.0))))
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    start, end, points, shown, placed, joined, time, turn = (tree.nodes.new(name) for name in (
        "NodeGroupInput", "NodeGroupOutput", "GeometryNodeDistributePointsOnFaces", "GeometryNodeObjectInfo",
        "GeometryNodeInstanceOnPoints", "GeometryNodeJoinGeometry", "GeometryNodeInputSceneTime",
        "ShaderNodeCombineXYZ"))
    points.inputs["Density"].default_value = count / 880.0
    shown.inputs["Object"].default_value = stone
    for one, other in ((start.outputs[0], points.inputs["Mesh"]), (points.outputs["Points"], placed.inputs["Points"]),
                       (shown.outputs["Geometry"], placed.inputs["Instance"]),
                       (time.outputs["Seconds"], turn.inputs["Z"]), (turn.outputs[0], placed.inputs["Rotation"]),
                       (placed.outputs[0], joined.inputs[0]), (start.outputs[0], joined.inputs[0]),
                       (joined.outputs[0], end.inputs[0])):
        tree.links.new(one, other)
    ground.modifiers.new("Scatter", "NODES").node_group = tree


def _sample(name: str) -> Callable[[], None]:
    return lambda: open_file(name)


SCENES: dict[str, Callable[[], None]] = {
    **{name: _sample(name) for name in ("walk", "robot_cell", "bullets", "dominoes", "swarm", "workshop")},
    "rig of 391": rig, "city of 400": city, "3,000 boxes": boxes, "10,000 instances": instances,
    "waves 100k": waves, "scatter 2,000": scatter}


def build(name: str) -> None:
    """Make or open one of SCENES, in place of what is open. Raises FileNotFoundError where a sample is missing."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    SCENES[name]()
    scene = bpy.context.scene
    scene.frame_end = min(scene.frame_end, scene.frame_start + FRAMES - 1)
    scene.frame_set(scene.frame_start)
