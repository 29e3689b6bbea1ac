# SPDX-License-Identifier: GPL-3.0-or-later
"""What makes a mesh another one, or puts it elsewhere, from frame to frame, by other means than nodes: a builder each.

Each adds to the current scene, where two cubes are that rest. `moving_nodes` has the others.
"""
import math
import struct

import bpy
from moving_building import (
    armature,
    driven,
    everywhere,
    keyed,
    keys_of_a_curve,
    keys_of_shapes,
    sheet,
    wanderer,
)
from scene_building import add, add_cube, add_curve, cube_mesh, new_collection

# By keys, drivers and constraints

def keys_of_a_pose():
    wanderer("Mover", cube_mesh("Mover"))


def driver_of_a_pose():
    driven(add_cube("Mover"), "location", "frame * 0.125", 1)


def keys_of_a_parent():
    add_cube("Child", (1, 0, 0)).parent = wanderer()


def keys_of_a_parent_of_vertices():
    """A child of three vertices of a mesh that a shape key bends."""
    soft = keys_of_shapes()
    child = add_cube("Child", size=0.5)
    child.parent, child.parent_type, child.parent_vertices = soft, "VERTEX_3", (5, 6, 7)


def constraint():
    add_cube("Follower").constraints.new("COPY_LOCATION").target = wanderer()


def constraint_of_a_curve():
    path = add_curve("Path", bevel=0.0)
    path.data.use_path = True
    follow = add_cube("Follower", size=0.7).constraints.new("FOLLOW_PATH")
    follow.target, follow.use_fixed_location = path, True
    keyed(follow, "offset_factor", 0.0, 1.0)


def shrinking_constraint():
    clamp = add_cube("Clamped", (0, 0, 3)).constraints.new("SHRINKWRAP")
    clamp.target = keys_of_shapes()


def keys_of_visibility():
    keyed(add_cube("Ghost", (0.5, 0.5, 0.5)), "hide_viewport", False, True)
    keys_of_a_pose()


def keys_of_vertices():
    """Of the mesh itself."""
    soft = add_cube("Soft", (1, 0, 0))
    keyed(soft.data.vertices[7], "co", (1, 1, 1), (2, 2, 2))


def driver_of_shapes():
    """By the place of another object."""
    soft = add_cube("Soft", (1, 0, 0.5))
    soft.shape_key_add(name="Basis")
    soft.shape_key_add(name="Tall").data[7].co = (1.5, 1.5, 3)
    driver = soft.data.shape_keys.key_blocks[1].driver_add("value").driver
    variable = driver.variables.new()
    variable.type, variable.targets[0].id = "TRANSFORMS", wanderer()
    variable.targets[0].transform_type, driver.expression = "LOC_X", f"{variable.name} * 0.5"


def shapes_in_time():
    """Absolute shape keys: `eval_time`."""
    soft = add_cube("Soft", (1, 0, 0.5))
    soft.shape_key_add(name="Basis")
    soft.shape_key_add(name="Tall").data[7].co = (1.5, 1.5, 3)
    soft.data.shape_keys.use_relative = False
    keyed(soft.data.shape_keys, "eval_time", 0.0, 10.0)


def mesh_that_two_share():
    """One of them with a modifier of its own."""
    soft = keys_of_shapes()
    add("Twin", soft.data, (-1, 0, 0.5))
    add("Round", soft.data, (0, 2, 0.5)).modifiers.new("Round", "SUBSURF")


# By modifiers

def driver_of_a_modifier():
    array = add_cube("Array", (0.5, 0, 0.5)).modifiers.new("Array", "ARRAY")
    driven(array, "count", "1 + int(frame) // 3")


def keys_of_a_modifier():
    solid = sheet("Sheet").modifiers.new("Thick", "SOLIDIFY")
    keyed(solid, "thickness", 0.05, 0.8)


def modifier_that_is_switched():
    keyed(add_cube("Round", (1, 0, 0)).modifiers.new("Round", "SUBSURF"), "show_viewport", False, True)


def armature_modifier():
    arm = armature()
    soft = sheet("Skin")
    everywhere(soft).name = "Bone"
    soft.modifiers.new("Rig", "ARMATURE").object = arm


def armature_parent():
    """Deforms what is its child, without a modifier; another one hangs on a bone."""
    arm = armature()
    soft = sheet("Skin")
    everywhere(soft).name = "Bone"
    soft.parent, soft.parent_type = arm, "ARMATURE"
    child = add_cube("Held", size=0.5)
    child.parent, child.parent_type, child.parent_bone = arm, "BONE", "Bone"


def boolean_operand():
    cut = add_cube("Wall", (0.5, 0, 0.5), size=1.5).modifiers.new("Cut", "BOOLEAN")
    cut.object = wanderer("Operand", cube_mesh("Operand", 0.8))
    cut.object.hide_set(True)


def boolean_of_a_collection():
    cutters = new_collection("Cutters")
    cutters.objects.link(wanderer("Operand", cube_mesh("Operand", 0.8)))
    cut = add_cube("Wall", (0.5, 0, 0.5), size=1.5).modifiers.new("Cut", "BOOLEAN")
    cut.operand_type, cut.collection = "COLLECTION", cutters


def lattice():
    cage = add("Cage", bpy.data.lattices.new("Cage"), (0.5, 0, 0.5))
    cage.shape_key_add(name="Basis")
    cage.shape_key_add(name="Bent").data[7].co = (2, 2, 2)
    keyed(cage.data.shape_keys.key_blocks[1], "value", 0.0, 1.0)
    add_cube("Soft", (0.5, 0, 0.5)).modifiers.new("Lattice", "LATTICE").object = cage


def hook():
    soft = add_cube("Soft", (0.5, 0, 0.5))
    held = soft.modifiers.new("Hook", "HOOK")
    held.object = wanderer()
    held.vertex_indices_set([7])


def curve_modifier():
    path = keys_of_a_curve()
    soft = sheet("Bent")
    soft.modifiers.new("Along", "CURVE").object = path


def shrinkwrap():
    wrap = sheet("Wrapped").modifiers.new("Wrap", "SHRINKWRAP")
    wrap.target = wanderer("Target", cube_mesh("Target", 1.0))


def surface_deform():
    driver = keys_of_shapes()
    skin = sheet("Skin", (1, 0, 1.6), size=1.0)
    bind = skin.modifiers.new("Bound", "SURFACE_DEFORM")
    bind.target = driver
    bpy.context.view_layer.update()
    with bpy.context.temp_override(object=skin, active_object=skin):
        bpy.ops.object.surfacedeform_bind(modifier="Bound")


def wave():
    """Has no keys at all: it goes by the scene's frame."""
    waves = sheet("Pond").modifiers.new("Wave", "WAVE")
    waves.height, waves.speed = 0.5, 0.25


def build():
    growing = sheet("Growing").modifiers.new("Build", "BUILD")
    growing.frame_start, growing.frame_duration = 1, 10


def displaced_by_a_texture():
    """Of which a setting is keyed."""
    noise = bpy.data.textures.new("Noise", "CLOUDS")
    keyed(noise, "noise_scale", 0.3, 1.5)
    displace = sheet("Rough").modifiers.new("Displace", "DISPLACE")
    displace.texture, displace.strength = noise, 0.7


def displaced_by_an_object():
    """Which carries the texture's coordinates."""
    displace = sheet("Rough").modifiers.new("Displace", "DISPLACE")
    displace.texture, displace.strength = bpy.data.textures.new("Noise", "CLOUDS"), 0.7
    displace.texture_coords, displace.texture_coords_object = "OBJECT", wanderer()


def points_of_a_file(path):
    """A cache of vertices, as other programs write it."""
    skin = sheet("Cached")
    count, frames = len(skin.data.vertices), 10
    with open(path / "sheet.pc2", "wb") as file:
        file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, count, 0.0, 1.0, frames))
        for frame in range(frames):
            for vertex in skin.data.vertices:
                file.write(struct.pack("<fff", vertex.co.x, vertex.co.y, 0.3 * math.sin(frame + vertex.co.x)))
    cache = skin.modifiers.new("Cache", "MESH_CACHE")
    cache.cache_format, cache.filepath = "PC2", str(path / "sheet.pc2")


def alembic_file(path):
    """Written by Blender, of a sheet whose wave goes on."""
    wave()
    exported = str(path / "pond.abc")
    bpy.context.scene.frame_end = 10
    bpy.ops.wm.alembic_export(filepath=exported, start=1, end=10, check_existing=False)
    bpy.data.objects.remove(bpy.data.objects["Pond"])
    bpy.ops.wm.alembic_import(filepath=exported)


# By simulations

def cloth():
    """Falls on a cube; nothing is baked."""
    add_cube("Ground", (0, 0, -0.2)).modifiers.new("Collision", "COLLISION")
    sheet("Cloth").modifiers.new("Cloth", "CLOTH")


def cloth_in_a_wind():
    """Whose strength is keyed."""
    sheet("Cloth").modifiers.new("Cloth", "CLOTH").settings.effector_weights.gravity = 0.0
    wind = add("Wind", None, (0, 0, -1))
    bpy.context.view_layer.objects.active = wind
    bpy.ops.object.forcefield_toggle()
    wind.field.type = "WIND"
    keyed(wind.field, "strength", 0.0, 800.0)


def soft_body():
    sheet("Jelly").modifiers.new("Soft", "SOFT_BODY").settings.use_goal = False


def rigid_bodies():
    bpy.ops.rigidbody.world_add()
    falling = add_cube("Falling", (0.3, 0, 2.0))
    bpy.context.view_layer.objects.active = falling
    bpy.ops.rigidbody.object_add(type="ACTIVE")


def particles_that_show_an_object():
    crumb = keys_of_shapes()
    crumb.scale = (0.2,) * 3
    source = sheet("Source")
    source.modifiers.new("Dust", "PARTICLE_SYSTEM")
    dust = source.particle_systems[0].settings
    dust.count, dust.frame_start, dust.frame_end, dust.lifetime = 20, 1, 8, 30
    dust.render_type, dust.instance_object = "OBJECT", crumb


def dynamic_paint():
    """A brush that moves presses dents into a canvas."""
    canvas = sheet("Canvas", (0, 0, 0.5), count=12)
    canvas.modifiers.new("Canvas", "DYNAMIC_PAINT").ui_type = "CANVAS"
    brush = wanderer("Brush", cube_mesh("Brush", 0.6))
    brush.modifiers.new("Brush", "DYNAMIC_PAINT").ui_type = "BRUSH"
    for each, kind in ((canvas, "CANVAS"), (brush, "BRUSH")):
        bpy.context.view_layer.objects.active = each
        bpy.ops.dpaint.type_toggle(type=kind)
    canvas.modifiers[0].canvas_settings.canvas_surfaces[0].surface_type = "DISPLACE"
    brush.modifiers[0].brush_settings.paint_source = "VOLUME"


def ocean():
    keyed(sheet("Sea").modifiers.new("Ocean", "OCEAN"), "time", 0.0, 5.0)


WITH_A_FILE = {points_of_a_file, alembic_file}      # given a folder for it
ALL = (
    keys_of_shapes, keys_of_a_pose, driver_of_a_pose, keys_of_a_parent, keys_of_a_parent_of_vertices, constraint,
    constraint_of_a_curve, shrinking_constraint, keys_of_visibility, keys_of_vertices, driver_of_shapes,
    shapes_in_time, mesh_that_two_share, driver_of_a_modifier, keys_of_a_modifier, modifier_that_is_switched,
    armature_modifier, armature_parent, boolean_operand, boolean_of_a_collection, lattice, hook, curve_modifier,
    shrinkwrap, surface_deform, wave, build, displaced_by_a_texture, displaced_by_an_object, points_of_a_file,
    alembic_file, cloth, cloth_in_a_wind, soft_body, rigid_bodies, particles_that_show_an_object, dynamic_paint, ocean)
