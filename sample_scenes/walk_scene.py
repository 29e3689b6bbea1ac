# SPDX-License-Identifier: GPL-3.0-or-later
"""walk.blend: a figure deformed by an armature walks past a post."""
import math

import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import building, walk

LOOKS = {"Torso": (0.80, 0.62, 0.42), "Right Arm": (0.70, 0.30, 0.20), "Left Arm": (0.25, 0.40, 0.62),
         "Right Leg": (0.62, 0.50, 0.36), "Left Leg": (0.62, 0.50, 0.36)}


def build() -> None:
    """Fill the open, empty file."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = walk.FPS, 1, walk.LAST_FRAME
    place_ground()
    figure = building.collection("Figure", color="COLOR_02")
    rig = armature(figure)
    for name, color in LOOKS.items():
        skin(name, rig, figure, building.material(name, color, 0.5))
    hang_bag(rig, figure)
    walk_on(rig)
    scene.frame_set(1)
    building.camera((-6.2, -1.6, 2.6), (0.0, 2.4, 0.75), lens=30.0)
    building.sun((45.0, 15.0, -40.0))


def place_ground() -> None:
    still = building.collection("Way", color="COLOR_05")
    building.add("Floor", building.mesh("Floor", *walk.floor()), still,
                 building.material("Floor", (0.33, 0.38, 0.40)))
    building.add("Post", building.mesh("Post", *walk.post()), still, building.material("Post", (0.5, 0.5, 0.52)),
                 location=walk.POST)


def armature(into):
    rig = building.add("Walker Rig", bpy.data.armatures.new("Walker Rig"), into)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, each in walk.BONES.items():
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = each.head, each.tail
        bone.align_roll(Vector(walk.rest(name)[:3, 2]))
        if each.parent:
            bone.parent = rig.data.edit_bones[each.parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.select_set(False)
    bpy.context.view_layer.objects.active = None
    return rig


def skin(name: str, rig, into, look) -> None:
    """One tube, deformed by the bones that it follows."""
    vertices, faces, weights = walk.part(name)
    tube = building.add(name, building.mesh(name, vertices, faces, smooth=True), into, look)
    for bone, column in zip(walk.PARTS[name][0], weights.T):
        group = tube.vertex_groups.new(name=bone)
        for weight in np.unique(column[column > 0.0]).tolist():
            group.add(np.flatnonzero(column == weight).tolist(), weight, "REPLACE")
    tube.parent = rig
    tube.modifiers.new("Armature", "ARMATURE").object = rig


def hang_bag(rig, into) -> None:
    """A child of the pelvis. What is parented to a bone is placed from its tail on."""
    bag = building.add("Bag", building.mesh("Bag", *walk.bag()), into, building.material("Leather", (0.30, 0.17, 0.09)))
    bone = walk.BONES["pelvis"]
    at_tail = Matrix(walk.rest("pelvis").tolist()) @ Matrix.Translation((0.0, math.dist(bone.head, bone.tail), 0.0))
    bag.parent, bag.parent_type, bag.parent_bone = rig, "BONE", "pelvis"
    bag.matrix_parent_inverse = at_tail.inverted()


def walk_on(rig) -> None:
    """Keys of all bones that turn, and of the way."""
    frames = range(1, walk.LAST_FRAME + 1)
    turns = [walk.turns(frame) for frame in frames]
    for name in turns[0]:
        rig.pose.bones[name].rotation_mode = "YXZ"
        for axis in (0, 1):
            angles = [math.radians(each[name][axis]) for each in turns]
            if any(angles):
                building.animate(rig, f'pose.bones["{name}"].rotation_euler', axis, angles)
    places = np.array([walk.place(frame) for frame in frames])
    for axis in (1, 2):
        building.animate(rig, "location", axis, places[:, axis].tolist())
