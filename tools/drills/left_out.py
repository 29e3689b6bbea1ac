# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing left out in silence: whatever a scene shows is tested, or named with the reason."""
import bpy
from scene_building import (
    add,
    add_collection_instance,
    add_cube,
    add_curve,
    add_instances,
    add_metaball,
    add_nodes,
    add_text,
    join,
    mesh_of,
    new_collection,
)
from touchpoint.addon.scene_read import read_scene

from . import Drill, picked

HELPERS = {"ARMATURE", "LATTICE", "EMPTY", "LIGHT", "LIGHT_PROBE", "CAMERA", "SPEAKER"}     # no part of what is built


def hair(name):
    data = bpy.data.hair_curves.new(name)
    data.add_curves([3, 3])
    return add(name, data)


def strokes(name):
    data = getattr(bpy.data, "grease_pencils_v3", bpy.data.grease_pencils).new(name)
    data.layers.new("Lines", set_active=True).frames.new(1)
    return add(name, data)


def volume(name):
    data = bpy.data.volumes.new(name)
    data.filepath = "//smoke.vdb"
    return add(name, data)


def with_nodes(name):
    """A cube whose nodes add other things to it."""
    each = add_cube(name)

    def build(tree, start, end):
        made = [start]
        for kind in ("MeshToCurve", "MeshToPoints", "MeshToVolume"):
            node = tree.nodes.new("GeometryNode" + kind)
            tree.links.new(start, node.inputs[0])
            made.append(node.outputs[0])
        made.append(add_instances(tree, start, 3))
        tree.links.new(join(tree, *made), end)

    add_nodes(each, build)
    return each


def with_particles(name):
    each = add_cube(name)
    each.modifiers.new("Fur", "PARTICLE_SYSTEM").particle_system.settings.type = "HAIR"
    return each


MAKERS = (add_cube, add_text, add_curve, lambda name: add_curve(name, bevel=0), add_metaball, hair, strokes, volume,
          with_nodes, with_particles, lambda name: add(name, mesh_of(name, [(0, 0, 0), (1, 0, 0)], [], [(0, 1)])),
          lambda name: add(name, bpy.data.lights.new(name, "POINT")), lambda name: add(name, None),
          lambda name: add(name, bpy.data.cameras.new(name)), lambda name: add(name, bpy.data.lattices.new(name)))


def anything_visible(random, _folder):
    """Objects of all kinds, some of them in collections that are instanced, some hidden."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    add_cube("Cube"), add_cube("Second", (9, 9, 9))
    pile = new_collection("Pile")
    for number in range(int(random.integers(1, 9))):
        each = picked(random, MAKERS)(f"Thing {number}")
        each.location = tuple(random.uniform(-5, 5, 3))
        if random.random() < 0.3:
            pile.objects.link(each)
            bpy.context.scene.collection.objects.unlink(each)
        elif random.random() < 0.1:
            each.hide_set(True)
    for number in range(2):
        add_collection_instance(f"Place {number}", pile, (30 + 10 * number, 0, 0))
    snapshot = read_scene()
    told = {row.name for row in snapshot.rows} | {each.name for each in snapshot.skipped}
    family = any(row.object_name.startswith("Thing") for row in snapshot.rows)

    def is_told(name):
        return any(each == name or each.startswith((f"{name} ▸", f"{name} #")) for each in told)

    for each in bpy.context.view_layer.objects:
        if each.visible_get() and each.type not in HELPERS:
            assert is_told(each.name) or each.type == "META" and family, (each.name, each.type, told)
    for place in ("Place 0", "Place 1"):
        for each in pile.objects:
            if each.type not in HELPERS and each.type != "META":
                assert is_told(f"{place} ▸ {each.name}"), (place, each.name, each.type, told)
    assert all(each.reason for each in snapshot.skipped)


DRILLS = [Drill("nothing left out", "scenes of objects of all kinds, with nodes, instances, particles, hair, volumes",
                anything_visible, 12)]
