# SPDX-License-Identifier: GPL-3.0-or-later
"""What all sample scenes need from Blender: an empty file, objects from arrays, materials, a view, saving."""
import math

import bpy
from mathutils import Vector


def empty_file() -> None:
    """Forget everything open and start from Blender's factory settings without any object."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.filepath = "//"        # the factory setting is an absolute path
    scene.unit_settings.system = "METRIC"


def open_file(path) -> None:
    """Open a .blend file as it is on disk."""
    bpy.ops.wm.open_mainfile(filepath=str(path))


def collection(name: str, parent=None, color: str = "NONE"):
    """A new collection under `parent` (the scene's own by default)."""
    made = bpy.data.collections.new(name)
    made.color_tag = color
    (parent or bpy.context.scene.collection).children.link(made)
    return made


def material(name: str, color: tuple[float, float, float], roughness: float = 0.6, metallic: float = 0.0):
    """A simple material, made once per name: the same colour in the viewport and in a rendered picture."""
    made = bpy.data.materials.get(name)
    if made is None:
        made = bpy.data.materials.new(name)
        if made.node_tree is None:      # always there from 5.0 on
            made.use_nodes = True
        made.diffuse_color, made.roughness = (*color, 1.0), roughness      # metal is dark in solid view: not set
        shader = next(node for node in made.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        shader.inputs["Base Color"].default_value = (*color, 1.0)
        shader.inputs["Roughness"].default_value = roughness
        shader.inputs["Metallic"].default_value = metallic
    return made


def mesh(name: str, vertices, faces, smooth: bool = False):
    """A mesh of vertices (n,3) and faces (lists of corners, or an array)."""
    made = bpy.data.meshes.new(name)
    made.from_pydata([tuple(map(float, v)) for v in vertices], [], [tuple(map(int, f)) for f in faces])
    made.update()
    if smooth:
        made.shade_smooth()
    return made


def curve(name: str, points, radius: float, smooth: bool = False):
    """A round cable or pipe with closed ends along points (n,3); smooth: a Bézier curve, otherwise with corners."""
    made = bpy.data.curves.new(name, "CURVE")
    made.dimensions, made.bevel_depth, made.use_fill_caps = "3D", radius, True
    line = made.splines.new("BEZIER" if smooth else "POLY")
    knots = line.bezier_points if smooth else line.points
    knots.add(len(points) - 1)
    for knot, point in zip(knots, points):
        if smooth:
            knot.co, knot.handle_left_type, knot.handle_right_type = point, "AUTO", "AUTO"
        else:
            knot.co = (*point, 1.0)
    return made


def add(name: str, data, into, look=None, location=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0), scale=(1.0, 1.0, 1.0)):
    """An object in a collection. turn: Euler angles in degrees. look: a material, None to leave the data's own."""
    made = bpy.data.objects.new(name, data)
    into.objects.link(made)
    made.location, made.scale = location, scale
    made.rotation_euler = [math.radians(angle) for angle in turn]
    if look is not None and not data.materials:
        data.materials.append(look)
    return made


def animate(thing, path: str, axis: int, values) -> None:
    """A key per frame, linear between them; where a value rests, only the first and the last frame of the rest get
    one. path: of the property, as Blender names it in curves."""
    target = thing.path_resolve(path)
    for row, value in enumerate(values):
        if 0 < row < len(values) - 1 and values[row - 1] == value == values[row + 1]:
            continue
        target[axis] = value
        thing.keyframe_insert(path, index=axis, frame=row + 1)
    steady(thing)


def steady(thing) -> None:
    """Straight lines between all keys of an object."""
    for curve in curves_of(thing.animation_data.action):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def curves_of(action) -> list:
    """All curves of an action: 5.0 knows them by layer only."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags
            for curve in bag.fcurves]


def camera(location, target, lens: float = 35.0, distance: float = 200.0, shift: float = 0.0) -> None:
    """The scene's camera, looking at a target point. shift: how far the picture is moved left, 1 for its width."""
    data = bpy.data.cameras.new("Camera")
    data.lens, data.clip_end, data.shift_x = lens, distance, shift
    made = add("Camera", data, bpy.context.scene.collection, location=location)
    made.rotation_euler = (Vector(target) - Vector(location)).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.camera = made


def sun(turn, strength: float = 3.0) -> None:
    """Daylight from a direction given as Euler angles in degrees."""
    data = bpy.data.lights.new("Sun", "SUN")
    data.energy = strength
    add("Sun", data, bpy.context.scene.collection, location=(0.0, 0.0, 10.0), turn=turn)


def show_through_camera() -> None:
    """Every 3D view opens solid, in the colours of the materials, seen through the camera."""
    for screen in bpy.data.screens:
        for area in screen.areas:
            if area.type != "VIEW_3D":
                continue
            space = area.spaces.active
            space.region_3d.view_perspective = "CAMERA"
            space.region_3d.view_camera_zoom = 24.0
            space.shading.type = "SOLID"
            space.shading.color_type = "MATERIAL"
            space.shading.show_cavity = True
            space.clip_end = 1000.0


def save(path) -> None:
    """Write the open file, compressed, without a thumbnail, a backup or a path of this machine."""
    for space in (space for screen in bpy.data.screens for area in screen.areas for space in area.spaces):
        if space.type == "FILE_BROWSER" and space.params:
            space.params.directory = b"//"
    preferences = bpy.context.preferences.filepaths
    preferences.save_version = 0
    preferences.file_preview_type = "NONE"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True, check_existing=False)
