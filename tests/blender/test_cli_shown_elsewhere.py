# SPDX-License-Identifier: GPL-3.0-or-later
"""Without a window nobody sees which scene of a file is tested: where others show more, every command says so."""
import json

import bpy
import pytest
from command_line import detect, refused, run
from scene_building import add, add_cube, new_collection

SAID = 'Only the scene "Scene" is looked at, as its view layer "ViewLayer" shows it. More is shown by {}.'
ONE, BOTH = 'the scene "Second"', 'the scenes "Second", "Third" and the view layer "Two"'


@pytest.fixture
def second():
    add_cube("A"), add_cube("B", (9, 0, 0))
    made = bpy.data.scenes.new("Second")
    add_cube("P", collection=made.collection), add_cube("Q", (0.5, 0.25, 0.125), made.collection)
    return made


def test_another_scene_is_named_in_every_command(second, save, tmp_path, capsys):
    """Detect said "No collisions", with exit code 0 and without a word of the scene with the collision."""
    scene, said = save(), SAID.format(ONE)
    assert detect(scene, tmp_path, code=0)["notes"] == [said]
    for arguments in (["animation", scene, "--frames", "1:2"], ["why", scene, "--a", "A", "--b", "B"],
                      ["learn", scene, "--out", tmp_path / "rules.json"],
                      ["compare", scene, "--methods", "touchpoint", "--repeats", 1, "--json", tmp_path / "c.json"]):
        capsys.readouterr()
        assert run(*arguments) == 0
        assert f"Note: {said}" in capsys.readouterr().out
    assert said in json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))["notes"]


def test_in_tests(second, save, tmp_path, capsys, registered):
    bpy.context.scene.touchpoint.tests.add().name = "One"
    assert run("detect", save(), "--test", "One", "--json", tmp_path / "t.json") == 0
    assert SAID.format(ONE) in capsys.readouterr().out
    assert json.dumps(SAID.format(ONE)) in (tmp_path / "t.json").read_text(encoding="utf-8")


def test_the_scene_with_which_the_file_was_saved_is_tested(second, save, tmp_path):
    bpy.context.window.scene = second
    data = detect(save(), tmp_path, code=1)
    assert [(pair["a"], pair["b"]) for pair in data["pairs"]] == [("P", "Q")]
    assert data["notes"] == [SAID.replace('"Scene"', '"Second"').format('the scene "Scene"')]


def test_view_layers(second, save, tmp_path):
    bpy.data.scenes.new("Third").collection.objects.link(bpy.data.objects["P"])
    hidden = new_collection("Hidden", bpy.context.scene.collection)
    add_cube("C", (0.5, 0.25, 0.125), hidden)
    bpy.context.scene.view_layers.new("Two")
    bpy.context.view_layer.layer_collection.children["Hidden"].exclude = True
    assert detect(save(), tmp_path, code=0)["notes"] == [SAID.format(BOTH)]


def test_what_is_the_same_or_has_no_surface_is_not_told(save, tmp_path):
    add_cube("A"), add_cube("B", (9, 0, 0))
    bpy.context.scene.view_layers.new("Two")
    for name in ("Same", "Edit", "Off"):
        bpy.data.scenes.new(name)
    bpy.data.scenes["Same"].collection.objects.link(bpy.data.objects["A"])
    add("Sun", bpy.data.lights.new("Sun", "SUN"), collection=bpy.data.scenes["Edit"].collection)
    add_cube("Away", collection=bpy.data.scenes["Off"].collection).hide_viewport = True
    assert detect(save(), tmp_path, code=0)["notes"] == []


def test_a_scene_with_nothing_to_test(second, save, capsys):
    """As that of a sequencer, with which a file was saved."""
    bpy.context.window.scene = bpy.data.scenes.new("Film")
    assert 'Only the scene "Film" is looked at' in refused(capsys, "detect", save())
