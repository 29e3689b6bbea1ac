# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen and not tested is named with the reason, in every output; what Blender did not run is told as well."""
import csv
import json

import bpy
import jsonschema
import pytest
from command_line import ROOT, detect, run
from run_pumping import result
from scene_building import add, add_collection_instance, add_cube, add_curve, add_nodes, join, names, new_collection
from touchpoint.addon import api, compare_phrases
from touchpoint.addon.scene_read import doubts, read, read_scene, scope
from touchpoint.addon.scene_read.swept import Swept

SAID = "Blender did not run the Python in this file (Driver: x)"
HAIR = "it shows hair curves, which have no mesh to test"
STROKES = "it shows grease pencil strokes, which have no surface"
VOLUME = "it shows a volume, which has no surface"
POINTS = "it shows a point cloud, which has no mesh to test"
LINES = "it shows curves without a thickness, which have no surface"


@pytest.fixture(autouse=True)
def cubes(empty_file):
    return [add_cube(name, (9 * number, 0, 0)) for number, name in enumerate("AB")]


def add_hair(name, strands=3, collection=None):
    data = bpy.data.hair_curves.new(name)
    if strands:
        data.add_curves([2] * strands)
    return add(name, data, collection=collection)


def add_strokes(name, frames=1):
    kind = bpy.data.grease_pencils_v3 if hasattr(bpy.data, "grease_pencils_v3") else bpy.data.grease_pencils
    data = kind.new(name)
    layer = data.layers.new("Lines", set_active=True)
    for number in range(frames):
        layer.frames.new(number)
    return add(name, data)


def parts_of_all_kinds(tree, start, end):
    """Nodes that add to a mesh its edges as curves, its vertices as points, and a volume."""
    made = [start]
    for kind in ("MeshToCurve", "MeshToPoints", "MeshToVolume"):
        node = tree.nodes.new("GeometryNode" + kind)
        tree.links.new(start, node.inputs[0])
        made.append(node.outputs[0])
    tree.links.new(join(tree, *made), end)


def left_out(snapshot):
    return [(each.name, each.reason, each.judged) for each in snapshot.skipped]


def test_what_has_a_thickness_leaves_a_question_open():
    add_hair("Fur")
    assert left_out(read_scene()) == [("Fur", HAIR, False)]
    assert api.detect().exit_code() == 2
    bpy.data.objects["B"].location = (0.5, 0.25, 0.5)
    assert api.detect().exit_code() == 1


def test_what_a_background_scene_shows_is_named(cubes):
    """It is drawn and rendered with the scene, and was left out without a word: a clear answer over a collision."""
    behind, farther = bpy.data.scenes.new("Behind"), bpy.data.scenes.new("Farther")
    bpy.context.scene.background_set, behind.background_set = behind, farther
    layer, kept = behind.view_layers[0], new_collection("Kept", behind.collection)
    for name in ("Wall", "Closed Eye", "Off"):
        add_cube(name, (0.5, 0, 0), behind.collection)
    bpy.data.objects["Closed Eye"].hide_set(True, view_layer=layer)
    bpy.data.objects["Off"].hide_viewport = True
    add_cube("Excluded", collection=kept)
    layer.layer_collection.children["Kept"].exclude = True
    add_collection_instance("Copies", kept, into=behind.collection)
    behind.collection.objects.link(cubes[0])                # in both, and tested
    add("Lamp", bpy.data.lights.new("Lamp", "POINT"), collection=behind.collection)
    add_cube("Hill", (0.5, 0, 0), farther.collection)
    named = [(name, scope.IS_BACKGROUND, False) for name in ("Copies", "Hill", "Wall")]
    assert left_out(read_scene()) == named
    report = api.detect()
    assert [each.name for each in report.objects] == ["A", "B"] and report.exit_code() == 2
    cubes[0].select_set(True)
    assert left_out(read_scene(scope="OTHERS")) == named
    assert left_out(read_scene(objects=cubes)) == []        # nobody asked for the rest
    bpy.context.scene.background_set = None
    assert left_out(read_scene()) == [] and api.detect().exit_code() == 0


def test_what_has_no_surface_is_named():
    add_strokes("Drawing")
    assert left_out(read_scene()) == [("Drawing", STROKES, True)]
    assert api.detect().exit_code() == 0


def test_what_is_empty_is_not_seen():
    add_hair("Bald", 0), add_strokes("Sheet", 0)
    add("Nothing", bpy.data.volumes.new("Nothing")), add("None", bpy.data.pointclouds.new("None"))
    assert left_out(read_scene()) == []


def test_a_volume_from_a_file():
    volume = bpy.data.volumes.new("Smoke")
    volume.filepath = "//smoke.vdb"
    add("Smoke", volume)
    assert left_out(read_scene()) == [("Smoke", VOLUME, True)]


def test_what_nodes_make_beside_a_mesh(cubes):
    add_nodes(cubes[0], parts_of_all_kinds)
    snapshot = read_scene()
    assert names(snapshot) == ["A", "B"]
    assert sorted(left_out(snapshot)) == [("A", POINTS, False), ("A", VOLUME, True), ("A", LINES, True)]
    snapshot = read_scene(takes_points=True)
    assert sorted(left_out(snapshot)) == [("A", VOLUME, True), ("A", LINES, True)]


def test_in_instances_each_is_named_once():
    parts = new_collection("Parts")
    add_hair("Fur", collection=parts)
    for each in (add_curve("Pipe"), add_curve("Wire", bevel=0)):
        bpy.context.scene.collection.objects.unlink(each)
        parts.objects.link(each)
    for number in range(3):
        add_collection_instance(f"Place{number}", parts, (0, 20 * (1 + number), 0))
    snapshot = read_scene()
    assert "Place0 ▸ Pipe #1" in names(snapshot)
    assert left_out(snapshot) == [entry for number in range(3) for entry in (
        (f"Place{number} ▸ Fur", HAIR, False), (f"Place{number} ▸ Wire", LINES, True))]


def test_what_was_not_asked_for_is_not_named(cubes):
    add_hair("Fur")
    assert left_out(read_scene(objects=cubes)) == []
    bpy.data.objects["Fur"].hide_set(True)
    assert left_out(read_scene()) == []


def test_particles_that_are_no_objects(cubes):
    settings = [cubes[0].modifiers.new(name, "PARTICLE_SYSTEM").particle_system.settings for name in ("Fur", "Dust")]
    settings[0].type = "HAIR"
    assert left_out(read_scene()) == [("A ▸ Dust", "its particles are no objects, and have no surface", True),
                                      ("A ▸ Fur", "its hair has no mesh to test", False)]
    settings[0].render_type, settings[1].display_method = "OBJECT", "NONE"
    assert left_out(read_scene()) == []


def test_it_is_in_every_output(save, tmp_path, capsys):
    add_hair("Fur")
    scene = save()
    data = detect(scene, tmp_path, code=2)
    assert data["skipped"] == [{"name": "Fur", "reason": HAIR}]
    assert f"Left out: Fur: {HAIR}." in capsys.readouterr().out
    assert run("compare", scene, "--methods", "touchpoint", "--repeats", 1, "--json", tmp_path / "c.json") == 0
    assert f"Left out: Fur: {HAIR}." in capsys.readouterr().out
    assert comparison_in(tmp_path / "c.json")["skipped"] == [{"name": "Fur", "reason": HAIR}]


def comparison_in(path):
    data = json.loads(path.read_text(encoding="utf-8"))
    schema = (ROOT / "docs" / "comparison.schema.json").read_text(encoding="utf-8")
    jsonschema.validate(data, json.loads(schema))
    return data


@pytest.fixture
def refused_driver(monkeypatch):
    """As if Blender had refused a driver; a driver that it really refused lets the module hang at its end."""
    monkeypatch.setattr(read, "doubts", lambda *_: doubts.Doubts([f"{SAID}."], unsure=True))


def test_python_that_was_not_run_is_told_in_every_output(refused_driver, save, tmp_path, capsys):
    scene = save()
    data = detect(scene, tmp_path, "--csv", tmp_path / "p.csv", code=2)
    assert data["notes"] == [f"{SAID}."] and data["summary"]["pairs"] == 0
    assert f"Note: {SAID}." in capsys.readouterr().out
    with open(tmp_path / "p.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["verdict"], row["contacts"], row["reason"]) for row in rows] == [("note", "0", f"{SAID}.")]
    arguments = ["compare", scene, "--methods", "touchpoint", "--repeats", 1, "--json", tmp_path / "c.json"]
    assert run(*arguments) == 0
    assert f"Note: {SAID}." in capsys.readouterr().out
    assert comparison_in(tmp_path / "c.json")["notes"] == [f"{SAID}."]


def test_the_panel_tells_it(refused_driver, registered):
    add_hair("Fur")
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert SAID in result().notes and result().left_out[0].reason == HAIR
    assert result().headline == "No collisions; 1 object could not be tested; objects may stand elsewhere"
    assert bpy.ops.touchpoint.compare() == {"FINISHED"}
    notes = bpy.context.scene.touchpoint.comparison.notes
    assert SAID in notes and f"Fur ({HAIR})" in notes


def test_a_long_list_is_cut():
    for number in range(5):
        add_hair(f"Fur{number}")
    comparison = api.compare(["touchpoint"], repeats=1, memory=False)
    assert compare_phrases.left_out(comparison)[0].endswith("and 2 more")


def test_a_collision_outweighs_a_doubt(refused_driver, save, tmp_path):
    bpy.data.objects["B"].location = (0.5, 0.25, 0.5)
    detect(save(), tmp_path, code=1)


def test_a_file_without_python_gives_no_doubt():
    assert doubts.doubts(bpy.context.evaluated_depsgraph_get()) == doubts.Doubts([], False)
    assert api.detect().exit_code() == 0


def test_the_doubt_is_whatever_the_snapshot_says(cubes):
    snapshot = read_scene()
    for unsure in (False, True):
        snapshot.doubts = doubts.Doubts(["It may be otherwise."], unsure)
        report = api.detect_in(snapshot)
        assert report.doubts == ["It may be otherwise."] and report.notes == report.doubts
        assert report.exit_code() == (2 if unsure else 0)


def test_the_doubts_of_all_frames(monkeypatch):
    """A driver may fail in one frame only, and in another one something that concerns nothing that is tested; parts of
    an animation are read by several processes."""
    first, other = doubts.Doubts(["It may be otherwise."], True), doubts.Doubts(["A light may be."], False)
    monkeypatch.setattr(read, "doubts", lambda *_: first if bpy.context.scene.frame_current == 1 else other)
    report = api.check_animation((1, 2))
    assert report.exit_code() == 2 and report.notes[:2] == ["It may be otherwise.", "A light may be."]
    parts = []
    for frame in (1, 2):
        parts.append(Swept())
        parts[-1].note(read_scene(frame=frame))
    parts[0].join(parts[1])
    assert parts[0].doubts == doubts.Doubts(["It may be otherwise.", "A light may be."], True)


PYTHON = "len(str(__import__('os')))"


def drive(each, path, expression=PYTHON, target=None):
    """A driver that Blender is not asked to evaluate."""
    driver = each.driver_add(path).driver
    if target is not None:
        variable = driver.variables.new()
        variable.targets[0].id_type, variable.targets[0].id = target.id_type, target
        variable.targets[0].data_path = "blend_method"
    driver.expression = expression


@pytest.mark.parametrize("what, matters", [
    ("location", True), ("shape key", True), ("nodes", True), ("texture", True), ("script", True), ("nothing", True),
    ("material", False), ("material's nodes", False), ("light", False), ("world", False), ("simple", True),
    ("material that is read", True)])
def test_what_was_not_run_matters_where_tested_things_may_depend_on_it(cubes, what, matters):
    material, light = bpy.data.materials.new("Paint"), bpy.data.lights.new("Lamp", "POINT")
    material.use_nodes = True
    if what == "location":
        drive(cubes[0], "rotation_mode")
    elif what == "shape key":
        cubes[0].shape_key_add(name="Basis")
        drive(cubes[0].shape_key_add(name="Key").id_data, "eval_time")
    elif what == "nodes":
        tree = add_nodes(cubes[0], lambda tree, start, end: tree.links.new(start, end))
        drive(tree.nodes.new("ShaderNodeValue").outputs[0], "default_value")
    elif what == "texture":
        drive(bpy.data.textures.new("Bumps", "CLOUDS"), "intensity")
    elif what == "script":
        drive(material, "pass_index")
        bpy.data.texts.new("rig.py").use_module = True
    elif what.startswith("material"):
        drive(material.node_tree.nodes["Principled BSDF"].inputs["Alpha"] if what.endswith("nodes") else material,
              "default_value" if what.endswith("nodes") else "pass_index")
        if what.endswith("read"):
            drive(cubes[0], "pass_index", "var", material)
    elif what == "light":
        drive(light, "energy")
    elif what == "world":
        world = bpy.data.worlds.new("Sky")
        drive(world, "mist_settings.start")
    elif what == "simple":
        drive(cubes[0], "pass_index", "frame * 2")
    assert doubts._could_matter(list(doubts._drivers())) is matters


def test_drivers_that_fail_are_told(save, tmp_path, capsys):
    """Simple expressions, which Blender evaluates without Python; what they fail to move may stand elsewhere."""
    bpy.data.objects["A"].driver_add("location", 0).driver.expression = "1 / (frame - 1)"
    scene = save()
    said = "Blender cannot evaluate 1 driver of this file (A location): objects that depend on it may stand elsewhere."
    assert said in detect(scene, tmp_path, code=2)["notes"]
    assert f"Note: {said}" in capsys.readouterr().out
    assert run("compare", scene, "--methods", "touchpoint", "--repeats", 1, "--json", tmp_path / "c.json") == 0
    assert said in comparison_in(tmp_path / "c.json")["notes"]


@pytest.mark.parametrize("muted, where, unsure", [(True, "object", False), (False, "object", True),
                                                  (False, "lamp", False)])
def test_a_failing_driver_matters_where_it_moves_something(cubes, muted, where, unsure):
    owner, path = {"object": (cubes[0], "pass_index"), "lamp": (bpy.data.lights.new("Lamp", "POINT"), "energy")}[where]
    if where == "lamp":
        bpy.context.scene.collection.objects.link(bpy.data.objects.new("Lamp", owner))
    drive(owner, path, "1 / (frame - 1)")
    owner.animation_data.drivers[0].mute = muted
    snapshot = read_scene()
    assert snapshot.doubts.unsure is unsure and len(snapshot.doubts.sentences) == (not muted)
