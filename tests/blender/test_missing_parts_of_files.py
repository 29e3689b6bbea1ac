# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file needs and Blender did not find leaves the answer open, also where nothing of it is left to be named."""
from pathlib import Path

import bpy
import pytest
from command_line import detect, run
from file_building import POINTER, motion
from scene_building import (
    add,
    add_collection_instance,
    add_cube,
    add_nodes,
    add_text,
    cube_mesh,
    names,
    new_collection,
)
from touchpoint.addon import api
from touchpoint.addon.scene_read import missing, read_scene

GONE = "Libraries of this file, or data in them, are missing ({}): "
MATTERS = GONE + "objects that come from there or depend on it are missing, or may stand elsewhere."
LOOKS = GONE + "materials, lights or cameras may look different, though nothing that is tested depends on them."


def linked(path, make, wanted):
    """Save what `make` makes, and link a data-block of it into an empty file with three cubes far apart: of one whose
    nodes are missing, Blender 4.2 leaves nothing."""
    make()
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    add_cube("A"), add_cube("B", (9, 0, 0)), add_cube("C", (0, 9, 0))
    with bpy.data.libraries.load(str(path), link=True) as (_, data):
        setattr(data, wanted, getattr(_, wanted))
    return getattr(data, wanted)[0]


def assets():
    add_cube("Part", (0.5, 0.25, 0.125), new_collection("Assets", bpy.context.scene.collection))


def grow():
    tree = add_nodes(add("Any", cube_mesh()), lambda tree, start, end: tree.links.new(start, end))
    tree.name, tree.use_fake_user = "Grow", True
    bpy.data.objects.remove(bpy.data.objects["Any"])


def into_the_scene(collection):
    bpy.context.scene.collection.children.link(collection)


def into_an_instance(collection):
    add_collection_instance("Place", collection)


def onto_an_object(tree):
    bpy.data.objects["A"].modifiers.new("Nodes", "NODES").node_group = tree


@pytest.mark.parametrize("make, wanted, use", [(assets, "collections", into_the_scene),
                                               (assets, "collections", into_an_instance),
                                               (grow, "node_groups", onto_an_object)])
def test_what_is_missing_from_a_library_leaves_the_answer_open(make, wanted, use, save, tmp_path, capsys):
    """All three were clear, with exit code 0 and without a word."""
    thing = linked(tmp_path / "parts.blend", make, wanted)
    said = MATTERS.format(f"{thing.name} of parts.blend")
    use(thing)
    scene = save()
    assert detect(scene, tmp_path, code=None)["notes"] == []
    (tmp_path / "parts.blend").unlink()
    assert detect(scene, tmp_path, code=2)["notes"] == [said]
    assert f"Note: {said}" in capsys.readouterr().out


def paint():
    bpy.data.materials.new("Paint").use_fake_user = True


def picture():
    bpy.data.images.new("Picture", 8, 8).use_fake_user = True


@pytest.mark.parametrize("make, wanted, displaces", [(paint, "materials", False), (picture, "images", False),
                                                     (picture, "images", True)])
def test_missing_looks_matter_where_they_move_something(make, wanted, displaces, save, tmp_path):
    thing = linked(tmp_path / "looks.blend", make, wanted)
    name = thing.name
    if wanted == "materials":
        bpy.data.objects["A"].data.materials.append(thing)
    elif displaces:
        texture = bpy.data.textures.new("Waves", "IMAGE")
        texture.image = thing
        bpy.data.objects["A"].modifiers.new("Waves", "DISPLACE").texture = texture
    else:
        material = bpy.data.materials.new("Own")
        material.use_nodes = True
        material.node_tree.nodes.new("ShaderNodeTexImage").image = thing
        bpy.data.objects["A"].data.materials.append(material)
    scene = save()
    (tmp_path / "looks.blend").unlink()
    said = MATTERS if displaces else LOOKS
    notes = detect(scene, tmp_path, code=2 if displaces else 0)["notes"]
    assert notes == [said.format(f"{name} of looks.blend")]


def test_files_of_motion_that_are_missing(tmp_path):
    """Alembic and USD caches are data-blocks, the others are named by modifiers, of instances, too."""
    add_cube("A"), add_cube("B", (9, 0, 0))
    parts = new_collection("Parts")
    part = add_cube("Part", collection=parts)
    add_collection_instance("Place", parts, (0, 9, 0))
    for each in (bpy.data.objects["A"], part):
        each.modifiers.new("Motion", "MESH_CACHE").filepath = "//motion.pc2"
        each.modifiers["Motion"].cache_format = "PC2"
    reason = "the file with its motion is missing or cannot be read, so the object may stand elsewhere"
    found = [(each.name, each.reason, each.judged) for each in read_scene().skipped]
    assert found == [("A ▸ Motion", reason, False), ("Place ▸ Part ▸ Motion", reason, False)]
    assert api.detect().exit_code() == 2
    part.modifiers[0].show_viewport = False
    (tmp_path / "motion.pc2").write_bytes(motion([each.co for each in bpy.data.objects["A"].data.vertices]))
    bpy.data.objects["A"].modifiers[0].filepath = str(tmp_path / "motion.pc2")
    assert read_scene().skipped == [] and api.detect().exit_code() == 0


def test_an_alembic_file_that_is_missing(save, tmp_path):
    bpy.ops.cachefile.open(filepath=str(tmp_path / "walk.abc"))
    add_cube("A").constraints.new("TRANSFORM_CACHE").cache_file = bpy.data.cache_files[0]
    add_cube("B", (9, 0, 0))
    said = ("Files of baked motion are missing or cannot be read (//walk.abc): objects that depend on them may stand "
            "elsewhere.")
    assert detect(save(), tmp_path, code=2)["notes"] == [said]
    (tmp_path / "walk.abc").write_bytes(POINTER)
    assert detect(bpy.data.filepath, tmp_path, code=2)["notes"] == [said]


def test_a_file_of_a_newer_blender(monkeypatch, save, tmp_path):
    add_cube("A"), add_cube("B", (9, 0, 0))
    scene, older = save(), (4, 1, 0)
    assert detect(scene, tmp_path, code=0)["notes"] == []
    monkeypatch.setattr(missing, "_here", lambda: older)
    note, = detect(scene, tmp_path, code=2)["notes"]
    assert note.startswith("A newer Blender has saved this file (") and "What Blender 4.1 does not know" in note


def test_a_library_of_a_newer_blender(monkeypatch, save, tmp_path):
    """It was looked at of the file alone."""
    into_the_scene(linked(tmp_path / "parts.blend", assets, "collections"))
    scene = save()
    assert detect(scene, tmp_path, code=1)["notes"] == []
    monkeypatch.setattr(missing, "_here", lambda: bpy.data.version)
    assert missing_of_the_library(bpy.data.version) == []
    major, minor, _ = bpy.data.version
    assert missing_of_the_library((major, minor - 1)) == [f"this file ({major}.{minor})",
                                                          f"parts.blend ({major}.{minor})"]


def missing_of_the_library(here):
    return [*missing._saved_by_newer(here[:2])]


@pytest.mark.parametrize("how", ["instanced", "nodes"])
def test_hair_of_an_object_that_is_instanced_is_named(how):
    """That of an object itself was, that of its instances was left out without a word."""
    parts = new_collection("Parts")
    part = add_cube("Part", collection=parts)
    part.modifiers.new("Fur", "PARTICLE_SYSTEM").particle_system.settings.type = "HAIR"
    part.show_instancer_for_viewport = how == "nodes"
    for number in range(2):
        add_collection_instance("Place", parts, (9 * number, 0, 0))
    add_cube("A", (0, 9, 0)), add_cube("B", (9, 9, 0))
    snapshot = read_scene()
    assert [(each.name, each.judged) for each in snapshot.skipped] == [("Place ▸ Part ▸ Fur", False),
                                                                      ("Place.001 ▸ Part ▸ Fur", False)]
    assert ("Place ▸ Part #1" in names(snapshot)) is part.show_instancer_for_viewport


def test_particles_that_show_objects_in_renders_only():
    emitter, grain = add_cube("A", size=9), add_cube("B", (30, 0, 0))
    settings = emitter.modifiers.new("Rain", "PARTICLE_SYSTEM").particle_system.settings
    settings.render_type, settings.instance_object, settings.physics_type = "OBJECT", grain, "NO"
    settings.count, settings.frame_start, settings.frame_end = 3, 0, 0
    bpy.context.scene.frame_set(2)
    snapshot = read_scene()
    assert len(snapshot.rows) == 5 and snapshot.skipped == []
    settings.display_method = "DOT"
    snapshot = read_scene()
    assert names(snapshot) == ["A", "B"]
    assert [(each.name, each.reason, each.judged) for each in snapshot.skipped] == [
        ("A ▸ Rain", "its particles show their objects in renders only", False)]


@pytest.mark.parametrize("some", [{"display_percentage": 50}, {"child_type": "SIMPLE", "child_percent": 2,
                                                               "rendered_child_count": 3, "type": "HAIR"}])
def test_particles_some_of_which_are_in_renders_only(some):
    """They were left out without a word."""
    emitter, grain = add_cube("A", size=9), add_cube("B", (30, 0, 0))
    settings = emitter.modifiers.new("Rain", "PARTICLE_SYSTEM").particle_system.settings
    settings.render_type, settings.instance_object, settings.physics_type = "OBJECT", grain, "NO"
    settings.count, settings.frame_start, settings.frame_end = 4, 0, 0
    for name, value in some.items():
        setattr(settings, name, value)
    snapshot = read_scene()
    assert [(each.name, each.reason, each.judged) for each in snapshot.skipped] == [
        ("A ▸ Rain", "it shows a part of its particles, and all of them in renders only", False)]
    settings.display_percentage, settings.child_percent = 100, 3
    assert read_scene().skipped == []


def displaced_by_a_texture(image):
    texture = bpy.data.textures.new("Waves", "IMAGE")
    texture.image = image
    bpy.data.objects["A"].modifiers.new("Waves", "DISPLACE").texture = texture


def displaced_by_nodes(image):
    def build(tree, start, end):
        tree.nodes.new("GeometryNodeImageTexture").inputs["Image"].default_value = image
        tree.links.new(start, end)
    add_nodes(bpy.data.objects["A"], build)


def coloured(image):
    material = bpy.data.materials.new("Paint")
    material.use_nodes = True
    material.node_tree.nodes.new("ShaderNodeTexImage").image = image
    bpy.data.objects["A"].data.materials.append(material)


def painted(image):
    texture = bpy.data.textures.new("Brush", "IMAGE")
    texture.image = image
    bpy.data.brushes.new("Brush", mode="SCULPT").texture = texture


@pytest.mark.parametrize("use, matters", [(displaced_by_a_texture, True), (displaced_by_nodes, True), (coloured, False),
                                          (painted, False)])
def test_an_image_that_is_missing_matters_where_it_displaces(use, matters, save, tmp_path):
    add_cube("A"), add_cube("B", (9, 0, 0))
    image = bpy.data.images.new("Waves", 8, 8)
    image.filepath_raw, image.file_format = str(tmp_path / "waves.png"), "PNG"
    image.save()
    image.source = "FILE"
    use(image)
    scene = save()
    assert detect(scene, tmp_path, code=0)["notes"] == []
    (tmp_path / "waves.png").unlink()
    said = "Files that give objects their shape are missing or cannot be read (//waves.png): they may look different."
    assert detect(scene, tmp_path, code=2 if matters else 0)["notes"] == [said] * matters
    for content in (POINTER, b"\x89PNG\r\n\x1a\n"):       # the latter begins as a picture
        (tmp_path / "waves.png").write_bytes(content)
        assert detect(scene, tmp_path, code=2 if matters else 0)["notes"] == [said] * matters


def test_a_font_that_is_missing(save, tmp_path):
    add_cube("A")
    add_cube("B").location = (-9, 0, 0)     # without its font, a text may have no faces
    add_text("T").location = (9, 0, 0)
    found = next(iter(Path(bpy.utils.system_resource("DATAFILES", path="fonts")).glob("*.woff2")))
    (tmp_path / "own.woff2").write_bytes(found.read_bytes())
    bpy.data.objects["T"].data.font = bpy.data.fonts.load(str(tmp_path / "own.woff2"))
    scene = save()
    assert detect(scene, tmp_path, code=0)["notes"] == []
    (tmp_path / "own.woff2").unlink()
    said = "Files that give objects their shape are missing or cannot be read ("
    assert any(each.startswith(said) and "own.woff2" in each for each in detect(scene, tmp_path, code=2)["notes"])
    (tmp_path / "own.woff2").write_bytes(POINTER)
    assert any(each.startswith(said) and "own.woff2" in each for each in detect(scene, tmp_path, code=2)["notes"])


def test_every_command_says_so(save, tmp_path, capsys):
    """Why said "clear" alone."""
    into_the_scene(linked(tmp_path / "parts.blend", assets, "collections"))
    scene, said = save(), MATTERS.format("Assets of parts.blend")
    (tmp_path / "parts.blend").unlink()
    for code, arguments in ((2, ["animation", scene, "--frames", "1:2"]), (0, ["why", scene, "--a", "A", "--b", "B"])):
        capsys.readouterr()
        assert run(*arguments) == code
        assert said in capsys.readouterr().out
