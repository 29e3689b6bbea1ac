# SPDX-License-Identifier: GPL-3.0-or-later
"""A jointed mannequin, skinned to an armature. In its pose the right hand reaches through the wall of the mug."""
import math

import bpy
from mathutils import Matrix

from .building import add, material, mesh
from .shapes import frame, joined, lathe, moved

PLACE = (-1.0, 1.25, 0.0)
# bone: (parent, head, tail, radius at the head, radius at the tail); the figure faces +y
BONES = {
    "pelvis": (None, (0, 0, 0.88), (0, 0, 1.02), 0.11, 0.10),
    "chest": ("pelvis", (0, 0, 1.06), (0, 0, 1.36), 0.11, 0.13),
    "neck": ("chest", (0, 0, 1.40), (0, 0.01, 1.47), 0.045, 0.042),
    "head": ("neck", (0, 0.02, 1.53), (0, 0.02, 1.65), 0.085, 0.09),
    "upper_arm.R": ("chest", (0.19, 0, 1.36), (0.205, 0, 1.10), 0.045, 0.038),
    "forearm.R": ("upper_arm.R", (0.205, 0, 1.08), (0.205, 0, 0.85), 0.036, 0.028),
    "hand.R": ("forearm.R", (0.205, 0, 0.815), (0.205, 0, 0.765), 0.036, 0.032),
    "upper_arm.L": ("chest", (-0.19, 0, 1.36), (-0.205, 0, 1.10), 0.045, 0.038),
    "forearm.L": ("upper_arm.L", (-0.205, 0, 1.08), (-0.205, 0, 0.85), 0.036, 0.028),
    "hand.L": ("forearm.L", (-0.205, 0, 0.815), (-0.205, 0, 0.765), 0.036, 0.032),
    "thigh.R": ("pelvis", (0.085, 0, 0.84), (0.09, 0, 0.50), 0.075, 0.052),
    "shin.R": ("thigh.R", (0.09, 0, 0.46), (0.09, -0.01, 0.12), 0.05, 0.036),
    "foot.R": ("shin.R", (0.09, 0.0, 0.055), (0.09, 0.14, 0.045), 0.046, 0.036),
    "thigh.L": ("pelvis", (-0.085, 0, 0.84), (-0.09, 0, 0.50), 0.075, 0.052),
    "shin.L": ("thigh.L", (-0.09, 0, 0.46), (-0.09, -0.01, 0.12), 0.05, 0.036),
    "foot.L": ("shin.L", (-0.09, 0.0, 0.055), (-0.09, 0.14, 0.045), 0.046, 0.036),
}
# bone: degrees about the world's x axis (forward) and z axis, on top of its parent's turn
POSE = {"upper_arm.R": (38, 0), "forearm.R": (32, 0), "upper_arm.L": (-12, 0), "forearm.L": (35, 0), "head": (-14, 0),
        "chest": (-3, 0)}


def build(into, expect) -> None:
    rig = armature(into)
    body = skin(into)
    body.parent = rig
    body.modifiers.new("Armature", "ARMATURE").object = rig
    strike(rig)
    expect.crosses("Mannequin", "Mug")


def armature(into):
    data = bpy.data.armatures.new("Mannequin Rig")
    rig = add("Mannequin Rig", data, into, location=PLACE)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (parent, head, tail, *_) in BONES.items():
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        if parent:
            bone.parent = data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.select_set(False)
    bpy.context.view_layer.objects.active = None
    return rig


def skin(into):
    """One mesh of a rounded limb per bone, each limb wholly in the vertex group of its bone."""
    limbs = [limb(*bone[1:]) for bone in BONES.values()]
    body = add("Mannequin", mesh("Mannequin", *joined(*limbs), smooth=True), into,
               material("Maple", (0.80, 0.62, 0.42), 0.5))
    start = 0
    for name, (vertices, _) in zip(BONES, limbs):
        body.vertex_groups.new(name=name).add(range(start, start + len(vertices)), 1.0, "REPLACE")
        start += len(vertices)
    return body


def limb(head, tail, thick: float, thin: float):
    """A capsule between two joints, tapering from one radius to the other."""
    length = math.dist(head, tail)
    arc = [math.pi / 2 * k / 6 for k in range(7)]
    profile = [(thick * math.sin(a), -thick * math.cos(a)) for a in arc]
    profile += [(thin * math.cos(a), length + thin * math.sin(a)) for a in arc]
    profile[0], profile[-1] = (0.0, -thick), (0.0, length + thin)
    vertices, faces = lathe(profile, 20)
    axes = frame([t - h for h, t in zip(head, tail)])
    return moved((vertices @ axes.T, faces), head)


def strike(rig) -> None:
    """Turn the bones of the pose about the axes of the world, whatever their own axes are."""
    for name, (forward, sideways) in POSE.items():
        bone = rig.pose.bones[name]
        own = bone.bone.matrix_local.to_3x3()
        turn = Matrix.Rotation(math.radians(sideways), 3, "Z") @ Matrix.Rotation(math.radians(forward), 3, "X")
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = (own.inverted() @ turn @ own).to_quaternion()
