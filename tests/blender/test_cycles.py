# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles of dependencies: Blender prints them, and the answer was clear."""
import os
import random

import bpy
import pytest
from command_line import detect, run
from live_settling import settled
from scene_building import add_cube
from touchpoint.addon import api
from touchpoint.addon.live import engine
from touchpoint.addon.scene_read import cycles, doubts

SAID = "Things in this scene depend on each other in a circle"


def follow(one, other):
    constraint = one.constraints.new("COPY_LOCATION")
    constraint.target, constraint.use_offset = other, True


@pytest.fixture
def two(empty_file):
    return add_cube("A", (0, 20, 0)), add_cube("B", (9, 0, 0))


def test_two_that_follow_each_other(two, save, tmp_path, capsys):
    follow(*two)
    follow(*reversed(two))
    scene = save()
    note, = detect(scene, tmp_path, code=2)["notes"]
    assert note.startswith(SAID) and "Copy Location" in note
    for code, arguments in ((2, ["animation", scene, "--frames", "1:2"]), (0, ["why", scene, "--a", "A", "--b", "B"]),
                            (0, ["compare", scene, "--methods", "touchpoint"]),
                            (0, ["learn", scene, "--out", tmp_path / "rules.json"])):
        capsys.readouterr()
        assert run(*arguments) == code
        assert SAID in capsys.readouterr().out


def test_one_that_follows_the_other(two, save, tmp_path, monkeypatch):
    follow(*two)
    bpy.context.view_layer.update()
    asked = []
    monkeypatch.setattr(cycles, "_left_out_relations", asked.append)
    assert cycles.cycles(bpy.context.evaluated_depsgraph_get()) == [] and not asked
    assert detect(save(), tmp_path, code=0)["notes"] == []


def test_nothing_is_drawn_where_there_can_be_none_or_too_much(two, monkeypatch):
    two[1].parent = two[0]
    bpy.context.view_layer.update()
    asked = []
    monkeypatch.setattr(cycles, "_left_out_relations", asked.append)
    assert cycles.cycles(bpy.context.evaluated_depsgraph_get()) == [] and not asked
    follow(*two)
    bpy.context.view_layer.update()
    assert cycles.cycles(bpy.context.evaluated_depsgraph_get(), 3) is None and not asked


def test_what_was_not_looked_for_is_said(two, save, tmp_path, monkeypatch):
    follow(*two)
    follow(*reversed(two))
    scene = save()
    monkeypatch.setattr(cycles, "MOST_IN_BACKGROUND", 3)
    note, = detect(scene, tmp_path, code=0)["notes"]
    assert note.startswith("Whether things in this scene depend on each other in a circle was not looked for")


@pytest.mark.parametrize("drawing", [None, b"", b'digraph {\n"1" -> "2" [color="red4" id="Copy Loc'])
def test_a_drawing_that_is_cut_off_tells_nothing(two, drawing, tmp_path, monkeypatch):
    follow(*two)
    follow(*reversed(two))
    bpy.context.view_layer.update()
    read = cycles._left_out_relations

    def cut(path):
        if drawing is None:
            os.remove(path)
        else:
            with open(path, "wb") as file:
                file.write(drawing)
        return read(path)

    assert cycles.cycles(bpy.context.evaluated_depsgraph_get()) == ["Copy Location"]
    monkeypatch.setattr(cycles, "_left_out_relations", cut)
    assert cycles.cycles(bpy.context.evaluated_depsgraph_get()) is None


def test_more_objects_than_a_window_waits_for(empty_file, save, tmp_path):
    cubes = [add_cube(f"Cube {number}", (3.0 * number, 0, 0)) for number in range(2500)]
    follow(cubes[0], cubes[1])
    follow(cubes[1], cubes[0])
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    assert cycles.cycles(depsgraph, cycles.MOST_OPERATIONS) is None
    assert cycles.cycles(depsgraph) == ["Copy Location"]


def test_live_says_it(two, registered, monkeypatch):
    bpy.context.window_manager.touchpoint.live = True
    assert settled().headline == "No collisions"
    asked = []
    told = engine.told_of_cycles
    monkeypatch.setattr(engine, "told_of_cycles", lambda *about: asked.append(about) or told(*about))
    follow(*two)
    follow(*reversed(two))
    bpy.context.view_layer.update()
    assert settled().headline.startswith("No collisions; ") and len(asked) == 1
    two[0].location.z += 1
    bpy.context.view_layer.update()
    assert settled().headline.startswith("No collisions; ") and len(asked) == 1
    two[0].constraints[0].target = None
    bpy.context.view_layer.update()
    assert settled().headline == "No collisions" and len(asked) == 2


def test_window_and_python_say_it(two, registered):
    follow(*two)
    follow(*reversed(two))
    bpy.context.view_layer.update()
    report = api.detect()
    assert report.unsure and report.doubts[0].startswith(SAID) and report.notes[0] == report.doubts[0]
    bpy.ops.touchpoint.detect()
    assert bpy.context.scene.touchpoint.result.notes.startswith(SAID)
    checked = api.check_animation(frames=(1, 2, 3))
    assert checked.unsure and [each.startswith(SAID) for each in checked.notes] == [True]


def test_an_animation_looks_for_them_once(two, registered, monkeypatch):
    follow(*two)
    asked = []
    monkeypatch.setattr(doubts, "told_of_cycles", lambda depsgraph: asked.append(depsgraph) or [])
    api.check_animation(frames=range(1, 20))
    assert 1 <= len(asked) <= 3     # frames are read ahead of the first answer


@pytest.mark.parametrize("seed", range(60))
def test_whatever_blender_breaks_has_data_that_use_each_other(empty_file, seed, monkeypatch):
    """Else it would not be drawn."""
    pick = random.Random(seed)
    objects = [add_cube(f"Cube {number}", (3.0 * number, 0, 0)) for number in range(5)]
    for _ in range(pick.randint(2, 9)):
        pick.choice(BONDS)(*(pick.choices if pick.random() < 0.1 else pick.sample)(objects, k=2))
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    told = cycles.cycles(depsgraph)
    monkeypatch.setattr(cycles, "_use_each_other", lambda: True)
    assert told == cycles.cycles(depsgraph)


def drive(one, other):
    """A property of one by a place of the other."""
    _read(one.driver_add("scale", 0).driver, other, "location.x")


def drive_its_shape(one, other):
    if one.data.shape_keys is None:
        one.shape_key_add(name="Basis")
        one.shape_key_add(name="Key")
    _read(one.data.shape_keys.key_blocks["Key"].driver_add("value").driver, other, "location.y")


def drive_the_scene(one, other):
    scene = bpy.context.scene
    scene["bond"] = 0.0
    _read(scene.driver_add('["bond"]').driver, one, "location.z")
    variable = other.driver_add("location", 0).driver.variables.new()
    variable.targets[0].id_type = "SCENE"
    variable.targets[0].id, variable.targets[0].data_path = scene, '["bond"]'


def cut_by(one, other):
    if one != other:
        one.modifiers.new("Cut", "BOOLEAN").object = other


def cut_by_a_collection(one, other):
    group = bpy.data.collections.new("Group")
    group.objects.link(other)
    cut = one.modifiers.new("Cut", "BOOLEAN")
    cut.operand_type, cut.collection = "COLLECTION", group


def hang_from(one, other):
    each = other
    while each is not None and each != one:
        each = each.parent
    if each is None:
        one.parent = other


def look_by_nodes(one, other):
    tree = bpy.data.node_groups.new("Nodes", "GeometryNodeTree")
    tree.nodes.new("GeometryNodeObjectInfo").inputs[0].default_value = other
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    out = tree.nodes.new("NodeGroupOutput")
    tree.links.new(tree.nodes[0].outputs["Geometry"], out.inputs[0])
    one.modifiers.new("Nodes", "NODES").node_group = tree


def _read(driver, other, path):
    driver.type = "SUM"
    target = driver.variables.new().targets[0]
    target.id, target.data_path = other, path


BONDS = (follow, drive, drive_its_shape, drive_the_scene, cut_by, cut_by_a_collection, hang_from, look_by_nodes)
