# SPDX-License-Identifier: GPL-3.0-or-later
"""What things are made of that change from frame to frame: keys, drivers, and objects that others follow."""
import bpy
from scene_building import add, add_cube, add_curve, mesh_of

LAST = 9        # frame of the second key


def keyed(target, path, *values, index=-1):
    """Key a property, at frame 1 and at LAST."""
    for frame, value in zip((1, LAST), values):
        if index < 0:
            setattr(target, path, value)
        else:
            getattr(target, path)[index] = value
        target.keyframe_insert(path, index=index, frame=frame)


def driven(target, path, expression, index=-1):
    """Drive a property by an expression of the frame."""
    target.driver_add(path, index).driver.expression = expression


def curves():
    """All F-curves of the file, also those of Blender 5, which keeps them by slots."""
    for action in bpy.data.actions:
        if hasattr(action, "fcurves"):
            yield from action.fcurves
            continue
        for layer in action.layers:
            for strip in layer.strips:
                for bag in strip.channelbags:
                    yield from bag.fcurves


def edit_keys_and_drivers():
    """Make each of them say something else at this frame."""
    for curve in curves():
        for key in curve.keyframe_points:
            key.co.y = 1 - key.co.y if curve.data_path.endswith("_viewport") else key.co.y * 1.25 + 0.25
    owners = [*bpy.data.objects, *bpy.data.shape_keys, *bpy.data.node_groups]
    for each in owners:
        for driver in each.animation_data.drivers if each.animation_data else ():
            driver.driver.expression = f"({driver.driver.expression}) + 1"
    edited()


def edited():
    """Let Blender evaluate what was done to F-curves."""
    for curve in curves():
        curve.update()
    for action in bpy.data.actions:
        action.update_tag()
    bpy.context.view_layer.update()


def sheet(name, place=(0, 0, 1.2), count=6, size=2.0):
    """A grid of quads."""
    step = size / count
    places = [(step * x - size / 2, step * y - size / 2, 0.0) for x in range(count + 1) for y in range(count + 1)]
    row = count + 1
    faces = [(row * x + y, row * x + row + y, row * x + row + y + 1, row * x + y + 1)
             for x in range(count) for y in range(count)]
    return add(name, mesh_of(name, places, faces), place)


def wanderer(name="Wanderer", data=None, scale=1.0):
    """An object whose place is keyed; an empty, unless it has data."""
    each = add(name, data)
    each.scale = (scale,) * 3
    keyed(each, "location", (0.5, 0, 1.5), (1.5, 0.5, 0.5))
    return each


def everywhere(each):
    """A vertex group of all vertices."""
    group = each.vertex_groups.new(name="All")
    group.add(range(len(each.data.vertices)), 1.0, "REPLACE")
    return group


def keys_of_shapes():
    soft = add_cube("Soft", (1, 0, 0.5))
    soft.shape_key_add(name="Basis")
    soft.shape_key_add(name="Tall").data[7].co = (1.5, 1.5, 3)
    keyed(soft.data.shape_keys.key_blocks[1], "value", 0.0, 1.0)
    return soft


def keys_of_a_curve():
    curve = add_curve("Curve")
    keyed(curve.data.splines[0].points[1], "co", (1, 0, 0, 1), (1, 0, 2, 1))
    return curve


def armature():
    data = bpy.data.armatures.new("Rig")
    arm = add("Rig", data)
    bpy.context.view_layer.objects.active = arm
    bpy.ops.object.mode_set(mode="EDIT")
    bone = data.edit_bones.new("Bone")
    bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    pose = arm.pose.bones["Bone"]
    pose.rotation_mode = "XYZ"
    keyed(pose, "rotation_euler", (0, 0, 0), (1, 0.5, 0))
    return arm
