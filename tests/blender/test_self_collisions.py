# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects with themselves: api, command line, operators, what is shown, and what is offered for a single one."""
import json

import bpy
import command_line
import numpy as np
import pytest
from report_building import all_data
from scene_building import add, add_cube, mesh_of
from touchpoint.addon import api, phrases, session
from touchpoint.addon.names import CONTACT_KEY, pair_label
from touchpoint.addon.operators.select_pair import _what_is_missing
from touchpoint.core import Refused
from touchpoint.core.shown import pair_title

FLAT = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (3, 3, -2), (3, 3, 2)], [(0, 1, 2), (0, 3, 4)]
FOLDED = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], [(0, 1, 2), (0, 1, 3)]


def add_cloth(name="Cloth", place=(0, 0, 0)):
    """Two triangles that cut through each other beyond their common corner."""
    return add(name, mesh_of(name, *FLAT), place)


def titles():
    return [pair.name for pair in bpy.context.scene.touchpoint.result.pairs]


def test_a_script_asks(empty_file):
    add_cloth()
    with pytest.raises(Refused, match="only one object.*Self-Collisions"):
        api.detect()
    before = all_data()
    report = api.detect(self_collisions=True)
    assert [(report.name(pair["a"]), report.name(pair["b"])) for pair in report.pairs] == [("Cloth", "Cloth")]
    assert report.verdict(0) == "crossing" and len(report.contacts) == 1 and all_data() == before
    assert phrases.headline(report) == "1 object crosses itself"


def test_beside_pairs(empty_file):
    add_cube("A")
    add_cube("B", (1.3, 1.2, 1.1))
    add_cloth(place=(50, 0, 0))
    add("Folded", mesh_of("Folded", *FOLDED), (90, 0, 0))
    report = api.detect(self_collisions=True)
    assert phrases.headline(report) == "1 pair collides; 1 object crosses itself; 1 object touches itself"
    assert phrases.headline(api.detect()) == "1 pair collides"


def test_modifiers_and_seams(empty_file):
    """What is tested is the evaluated mesh; a split along all edges changes nothing, a fold does."""
    cube = add_cube("Cube")
    cube.modifiers.new("Split", "EDGE_SPLIT").split_angle = 0.0
    assert len(api.detect(self_collisions=True).pairs) == 0
    cube.scale = 1, 1, 0
    report = api.detect(self_collisions=True)
    assert report.verdict(0) == "touching" and phrases.headline(report) == "No collisions; 1 object touches itself"


@pytest.mark.usefixtures("registered")
def test_the_button_where_there_is_one_object():
    add_cloth()
    settings = bpy.context.scene.touchpoint
    assert bpy.ops.touchpoint.detect() == {"CANCELLED"}
    assert "only one object" in session.message() and session.offer() == "touchpoint.detect_with_itself"
    assert bpy.ops.touchpoint.compare() == {"CANCELLED"} and session.offer() == ""
    assert bpy.ops.touchpoint.detect_with_itself() == {"FINISHED"}
    assert settings.self_collisions and session.message() == session.offer() == ""
    assert titles() == ["Cloth with itself"] and settings.result.headline == "1 object crosses itself"
    assert settings.result.pairs[0].line == "Crossing, 1 contact"
    settings.self_collisions = False
    assert bpy.ops.touchpoint.detect() == {"CANCELLED"} and titles() == ["Cloth with itself"]


@pytest.mark.usefixtures("registered")
def test_results_are_shown_like_others():
    cloth, cube = add_cloth(), add_cube("Cube", (50, 0, 0))
    settings = bpy.context.scene.touchpoint
    before, plain = all_data(), tuple(cloth.color)
    settings.self_collisions = True
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert tuple(cloth.color) != plain == tuple(cube.color)
    empties = [each for each in bpy.data.objects if CONTACT_KEY in each]
    assert [each.name for each in empties] == ["Touchpoint Cloth with itself 001"]
    points = bpy.data.objects["Touchpoint Contacts"].data
    assert [points.attributes[f"object_{side}"].data[0].value for side in "ab"] == [0, 0]
    assert [points.attributes[f"triangle_{side}"].data[0].value for side in "ab"] == [0, 1]
    assert bpy.ops.touchpoint.ignore_pair(index=0) == {"CANCELLED"} and not settings.rules
    assert bpy.ops.touchpoint.select_pair(index=0) == {"FINISHED"}
    assert [each.name for each in bpy.context.view_layer.objects.selected] == ["Cloth"]
    cloth.hide_set(True)
    bpy.ops.touchpoint.select_pair(index=0)
    assert session.message() == "Hidden: Cloth."
    cloth.hide_set(False)
    assert bpy.ops.touchpoint.clear() == {"FINISHED"}
    settings.self_collisions = False
    bpy.ops.object.select_all(action="DESELECT")
    assert {key: value for key, value in all_data().items()} == before


def test_labels():
    assert pair_label("Cloth", "Cloth", 40) == "Cloth with itself"
    assert len(pair_label("é" * 60, "é" * 60, 40).encode()) <= 40
    assert pair_label("é" * 60, "é" * 60, 40).endswith("… with itself")
    assert pair_title("A", "A", None) == "A with itself"


def test_command_line(empty_file, tmp_path, capsys):
    add_cloth()
    scene = tmp_path / "one.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(scene))
    assert "--self-collisions" in command_line.refused(capsys, "detect", scene)
    data = command_line.detect(scene, tmp_path, "--self-collisions", "--save-as", tmp_path / "out.blend", code=1)
    assert data["settings"]["self_collisions"] is True
    assert [(pair["a"], pair["b"], pair["verdict"]) for pair in data["pairs"]] == [("Cloth", "Cloth", "crossing")]
    said = capsys.readouterr().out
    assert "Cloth with itself" in said and "1 object crosses itself." in said
    assert json.dumps(data, sort_keys=True) == json.dumps(
        command_line.detect(scene, tmp_path, "--self-collisions", "--threads", "1", code=1), sort_keys=True)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    assert "Touchpoint Contacts" in bpy.data.objects


def test_what_is_missing_is_named_once(empty_file):
    class Pair:
        object_a = object_b = "Cloth"

    assert _what_is_missing(Pair, [None, None], []) == "Deleted since: Cloth."


def test_instances_are_tested_each(empty_file):
    collection = bpy.data.collections.new("Cloths")
    collection.objects.link(bpy.data.objects.new("Cloth", mesh_of("Cloth", *FLAT)))
    for x in (0, 50):
        empty = add(f"Place {x}", None, (x, 0, 0))
        empty.instance_type, empty.instance_collection = "COLLECTION", collection
    report = api.detect(self_collisions=True)
    assert (report.pairs["a"] == report.pairs["b"]).all() and len(report.pairs) == 2
    assert np.isclose(report.contacts.point[1, :, 0] - report.contacts.point[0, :, 0], 50).all()
