# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs in groups: what the terminal lists, what files name, what Blender calls an assembly."""
import bpy
from command_line import detect
from scene_building import CUBE_FACES, add, add_collection_instance, add_cube, mesh_of, new_collection
from touchpoint.addon import api
from touchpoint.addon.scene_read.relations import assembly_names


def new_empty(name):
    empty = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(empty)
    return empty


def test_what_one_object_contains_is_one_line(save, tmp_path, capsys):
    for number in range(7):
        add_cube(f"Chair {number}", (4 * number - 12, 0, 0), size=1.0)
    add_cube("Room", size=40.0)
    add_cube("Pipe", (0, 0, 20), size=1.0)
    data = detect(save(), tmp_path, code=1)
    printed = capsys.readouterr().out.splitlines()
    assert "  contained    7 objects inside Room" in printed and not any("Chair" in line for line in printed)
    assert any(line.startswith("Room contains 7 objects: marked as a shell") for line in printed)
    assert len(data["pairs"]) == 8 and "groups" not in data


def test_what_seems_to_be_inside_one_object_is_one_line(save, tmp_path, capsys):
    corners = [(x, y, z) for x in (-5, 5) for y in (-2, 2) for z in (-2, 2)]
    add("Car", mesh_of("Car", corners, CUBE_FACES[:-1] + [CUBE_FACES[-1][:3]]))
    for number in range(3):
        add_cube(f"Person {number}", (3 * number - 3, 0, 0), size=2.9)
    assert len(detect(save(), tmp_path, code=2)["pairs"]) == 3
    assert "  cannot tell  3 objects perhaps inside Car" in capsys.readouterr().out.splitlines()


def test_pairs_stand_below_the_object_that_they_share(save, tmp_path, capsys):
    add_cube("Wall", size=30.0)
    for number in range(7):
        add_cube(f"Pipe {number}", (4 * number - 12, 0, 15), size=2.0)
    add_cube("Nut", (100, 0, 0))
    add_cube("Bolt", (100.5, 0.5, 0.5))
    data = detect(save(), tmp_path, "--group-by", "object", code=1)
    printed = capsys.readouterr().out.splitlines()
    assert [each["title"] for each in data["groups"]] == ["Wall", "Bolt × Nut"]
    assert data["grouped_by"] == {"kind": "object"} and data["summary"]["groups"] == 2
    assert "  Wall: 7 pairs" in printed and "    … and 2 more pairs of these" in printed
    assert "8 pairs are 2 groups by shared object." in printed
    assert sum(line.startswith("    crossing") for line in printed) == 5


def test_places_in_space(save, tmp_path, capsys):
    for number, x in enumerate((0, 1, 50)):
        add_cube(f"A {number}", (x, 0, 20 * number))
        add_cube(f"B {number}", (x + 0.5, 0.25, 20 * number + 0.5))
    data = detect(save(), tmp_path, "--group-by", "space", code=1)
    printed = capsys.readouterr().out
    assert data["grouped_by"]["distance"] > 0.0 and len(data["groups"]) == data["summary"]["groups"] == 3
    assert f"3 pairs are 3 places, each up to {data['grouped_by']['distance']:.4g} m around its worst pair." in printed


def test_assemblies_are_parents_rigs_and_instancers(save, tmp_path):
    robot, arm = new_empty("Robot"), add_cube("Arm")
    hand = add_cube("Hand", (0.5, 0.25, 0.5))
    arm.parent, hand.parent = robot, arm
    add_cube("Table", (-0.5, 0.5, 0.25))
    collection = new_collection("Kit")
    add_cube("Nut", collection=collection)
    add_cube("Bolt", (0.5, 0.5, 0.5), collection=collection)
    instancer = add_collection_instance("Kit here", collection, (50, 0, 0))
    bpy.context.view_layer.update()
    assert assembly_names([arm, hand, instancer, None]) == ["Robot", "Robot", "Kit here", None]
    data = detect(save(), tmp_path, "--group-by", "assembly", code=1)
    titles = {each["title"]: len(each["pairs"]) for each in data["groups"]}
    assert titles == {"Arm × Hand": 1, "Robot × Table": 2, "Kit here ▸ Bolt #1 × Kit here ▸ Nut #1": 1}


def test_assemblies_of_one_name_are_told_apart_by_their_library(save):
    """A rig of this file and a linked one, both called Rig, were one assembly."""
    new_empty("Rig")
    path = save("parts.blend")
    own = new_empty("Rig")
    with bpy.data.libraries.load(str(path), link=True) as (_there, here):
        here.objects = ["Rig"]
    linked, = here.objects
    bpy.context.scene.collection.objects.link(linked)
    parts = [add_cube(f"Part {number}") for number in range(3)]
    for part, top in zip(parts, (own, linked, own)):
        part.parent = top
    assert assembly_names(parts) == ["Rig", "parts:Rig", "Rig"]


def test_groups_from_a_script(save):
    add_cube("A")
    add_cube("B", (0.5, 0.25, 0.5))
    report = api.detect()
    assert [title for title, _ in api.groups_of(report, "assembly")] == ["A × B"]
    assert api.groups_of(report, "space", 1.0).distance == 1.0
