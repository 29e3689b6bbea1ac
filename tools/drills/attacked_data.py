# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender data under attack: others overwrite, copy, move, rename, parent, link and delete what Touchpoint keeps in a
file; Clear and reruns go on, and nothing of the user's is lost."""
from contextlib import suppress

import bpy
from scene_building import add_cube, cube_mesh, new_collection
from touchpoint.addon import api, names, write_back
from touchpoint.addon.scene_read import read_scene

from . import Drill, picked

KEYS = (names.COLOUR_BEFORE, names.COLOUR_GIVEN, names.CONTACT_KEY, names.CONTACT_POINTS, names.OBJECT_NAMES)
VALUES = (True, 7, -1.5, "text", "", [1.0], [0.5] * 4, [1, 2, 3, 4], [True, False], ["a", "b"], {"x": 1.0}, [0.1] * 99)
OWN = "own colour"      # custom property of the user's objects: what their colour has to be in the end


def results() -> list:
    return [each for each in bpy.data.objects if names.is_result(each)]


def collections() -> list:
    return [each for each in bpy.data.collections if names.is_result(each)]


def mine(random):
    """One of the user's objects."""
    return picked(random, [each for each in bpy.data.objects if OWN in each])


def overwrite(random):
    each = picked(random, [mine(random), *results()])
    key = picked(random, KEYS)
    if random.random() < 0.3:
        if key in each:
            del each[key]
    else:
        each[key] = picked(random, VALUES)
    if key in (names.COLOUR_BEFORE, names.COLOUR_GIVEN) and OWN in each:
        each[OWN] = [0.0] * 4       # nobody can know it any more


def overwrite_screen(random):
    for screen in bpy.data.screens:
        screen[names.SHADING_BEFORE] = picked(random, VALUES)


def overwrite_settings(random):
    held = bpy.context.scene
    with suppress(TypeError, AttributeError):       # some versions of Blender let nobody do that
        for key in ("touchpoint", "result")[:int(random.integers(3))]:
            held = held.get(key, {})
        held[picked(random, ("touchpoint", "result", "pairs", "left_out", "run_id"))] = picked(random, VALUES)


def copy(random):
    for each in results()[:int(random.integers(1, 9))]:
        made = each.copy()
        if each.data and random.random() < 0.5:
            made.data = each.data.copy()
        picked(random, [bpy.context.scene.collection, *each.users_collection]).objects.link(made)


def copy_collection(random):
    for each in collections()[:1]:
        bpy.context.scene.collection.children.link(each.copy())


def move(random):
    folder = new_collection("Folder", bpy.context.scene.collection)
    for each in results():
        folder.objects.link(each)
        if random.random() < 0.5:
            for old in each.users_collection:
                if old != folder:
                    old.objects.unlink(each)


def rename(random):
    for each in [*results(), *collections()]:
        each.name = picked(random, ("A", "B", "Touchpoint", "Touchpoint Contacts", "x" * 63, "Ä"))


def parent_results(random):
    for each in results():
        each.parent = mine(random)


def parent_mine(random):
    for each in results()[:1]:
        bpy.context.view_layer.update()
        child = mine(random)
        if each.parent is None and child.parent is None and not child.children:
            place = child.matrix_world.copy()
            child.parent = each
            child.matrix_world = place


def put_in(random):
    for each in collections()[:1]:
        made = add_mine(f"Mine {len(bpy.data.objects)}", random)
        if made.name not in each.objects:
            each.objects.link(made)
            if random.random() < 0.5:
                bpy.context.scene.collection.objects.unlink(made)


def other_mesh(random):
    for each in results():
        if each.type == "MESH":
            mesh = cube_mesh("Other mesh of the user's")
            mesh.use_fake_user = True
            each.data = mesh


def delete(random):
    some = results()
    for each in some[:int(random.integers(len(some) + 1))]:
        bpy.data.objects.remove(each)
    if random.random() < 0.3:
        for each in collections():
            for other in each.objects:
                if other.users_collection[:] == (each,):        # as Blender's own operator does
                    bpy.context.scene.collection.objects.link(other)
            bpy.data.collections.remove(each)


def other_scene(random):
    scene = bpy.data.scenes.new("Other")
    for each in [*collections()[:1]]:
        scene.collection.children.link(each)
    for each in results()[:3]:
        with suppress(RuntimeError):        # it is there already
            scene.collection.objects.link(each)


def colour(random):
    each = mine(random)
    each.color = tuple(random.random(4))
    each[OWN] = each.color[:]


def rerun(random):
    api.write_back(api.detect(threads=1))


def clear_here(random):
    write_back.clear(bpy.context.scene)


ATTACKS = (overwrite, overwrite, overwrite_screen, overwrite_settings, copy, copy_collection, move, rename,
           parent_results, parent_mine, put_in, other_mesh, delete, other_scene, colour, rerun, rerun, rerun,
           clear_here)


def add_mine(name, random):
    """A cube of the user's, in a colour of its own."""
    each = add_cube(name, tuple(random.uniform(-2, 2, 3)))
    each.color = tuple(random.random(4))
    each[OWN] = each.color[:]
    return each


def attacked(random, folder):
    """Two to nine attacks, with reruns and Clear among them; then Clear."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for name in "ABCD":
        add_mine(name, random)
    rerun(random)
    for _ in range(int(random.integers(2, 10))):
        attack = picked(random, ATTACKS)
        attack(random)
        if attack is colour or attack is parent_mine:
            bpy.context.view_layer.update()
    wanted = {each.name: (each.data.name, each.matrix_basis.copy() if each.parent is None else None)
              for each in bpy.data.objects if OWN in each}
    read = {row.object_name for row in read_scene().rows}
    assert wanted.keys() <= read, "an object of the user's is not tested"
    others = {each.name for each in bpy.data.meshes     # what nothing uses, Blender does not save
              if each.name.startswith("Other mesh") and each.users}
    if random.random() < 0.3:
        path = str(folder / "file.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
    write_back.clear()
    assert not [each for each in results() if names.is_made(each) and bpy.context.scene in each.users_scene]
    assert not collections()
    assert others <= set(bpy.data.meshes.keys()), "a mesh of the user's is gone"
    for name, (mesh, place) in wanted.items():
        each = bpy.data.objects[name]
        assert each.data.name == mesh and len(each.data.polygons) == 6
        assert place is None or each.parent is not None or each.matrix_basis == place, "it was moved"
        assert each.users_scene, "it hangs nowhere"
        assert not any(key in each for key in (names.COLOUR_BEFORE, names.COLOUR_GIVEN))
        if any(each[OWN]):
            assert tuple(each.color) == tuple(each[OWN]), "its colour is another one"


DRILLS = [Drill("Blender data", "two to nine attacks on results and their properties, reruns among them",
                attacked, 12)]
