# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames, volumes and meshes that lie in files beside the .blend file, and were left behind when that was copied."""
import shutil

import bpy
import pytest
from command_line import detect
from scene_building import add, add_cube, add_nodes, join, saved_cubes
from touchpoint.addon.scene_read.baked_files import has_lost_files

MOTION = "Files of baked motion are missing or cannot be read ({}): objects that depend on them may stand elsewhere."
SHAPES = "Files that give objects their shape are missing or cannot be read ({}): they may look different."
NODES = "Geometry nodes report errors ({}"
FRAMES = 6


@pytest.fixture
def scene(empty_file, tmp_path):
    """Two cubes far apart in a file, of six frames."""
    return saved_cubes(tmp_path / "scene.blend", "ÄB", FRAMES)


def saved():
    bpy.ops.wm.save_mainfile()
    return bpy.data.filepath


def notes(tmp_path, code):
    return detect(saved(), tmp_path, "--frame", 5, code=code)["notes"]


def with_cloth():
    each = bpy.data.objects["Ä"]
    cache = each.modifiers.new("Cloth", "CLOTH").point_cache
    cache.frame_end, cache.use_disk_cache = FRAMES, True
    return each, cache


def test_a_disk_cache_that_was_left_behind(scene, tmp_path):
    """What had fallen stood where it had begun, and the answer was clear."""
    each, cache = with_cloth()
    assert not cache.is_baked
    with bpy.context.temp_override(point_cache=cache, object=each):
        bpy.ops.ptcache.bake(bake=True)
    assert cache.is_baked and not has_lost_files(cache, each) and notes(tmp_path, 0) == []
    folder = tmp_path / "blendcache_scene"
    folder.rename(tmp_path / "elsewhere")
    assert notes(tmp_path, 2) == [MOTION.format("//blendcache_scene of Ä")]
    assert bpy.data.objects["Ä"].modifiers[0].point_cache.is_baked
    folder.mkdir()      # there, and of another object
    (folder / "41_000001_00.bphys").write_bytes(b"")
    assert notes(tmp_path, 2) == [MOTION.format("//blendcache_scene of Ä")]
    bpy.data.objects["Ä"].modifiers[0].show_viewport = False
    assert notes(tmp_path, 0) == []


def moving(tree, start, end):
    """Nodes that move a mesh by 1 in each frame."""
    first, last = (tree.nodes.new(f"GeometryNodeSimulation{kind}") for kind in ("Input", "Output"))
    first.pair_with_output(last)
    move = tree.nodes.new("GeometryNodeTransform")
    move.inputs["Translation"].default_value = (1, 0, 0)
    tree.links.new(start, first.inputs["Geometry"])
    tree.links.new(first.outputs["Geometry"], move.inputs["Geometry"])
    tree.links.new(move.outputs["Geometry"], last.inputs["Geometry"])
    tree.links.new(last.outputs["Geometry"], end)


@pytest.mark.parametrize("target", ["DISK", "PACKED"])
def test_baked_nodes_whose_folder_was_left_behind(target, scene, tmp_path):
    each = bpy.data.objects["Ä"]
    add_nodes(each, moving)
    modifier = each.modifiers[0]
    if hasattr(modifier, "bake_target"):
        modifier.bake_target = target
    elif target == "PACKED":
        pytest.skip("this Blender bakes to disk only")
    bpy.ops.object.geometry_node_bake_single(session_uid=each.session_uid, modifier_name="Nodes",
                                             bake_id=modifier.bakes[0].bake_id)
    folder = modifier.bake_directory
    assert notes(tmp_path, 0) == []
    if target == "DISK":
        shutil.rmtree(tmp_path / "blendcache_scene")
        assert folder and notes(tmp_path, 2) == [MOTION.format(folder)]


def shown_as_it_is(volume):
    pass


def made_a_mesh_by_a_modifier(volume):
    bpy.data.objects["Ä"].modifiers.new("Mesh", "VOLUME_TO_MESH").object = volume


def made_a_mesh_by_nodes(volume):
    def build(tree, start, end):
        info, node = tree.nodes.new("GeometryNodeObjectInfo"), tree.nodes.new("GeometryNodeVolumeToMesh")
        info.inputs["Object"].default_value = volume
        tree.links.new(info.outputs["Geometry"], node.inputs[0])
        tree.links.new(join(tree, start, node.outputs[0]), end)
    add_nodes(bpy.data.objects["Ä"], build)


def made_a_mesh_by_its_own_nodes(volume):
    add_nodes(volume, lambda tree, start, end: tree.links.new(start, end))


@pytest.mark.parametrize("use", [shown_as_it_is, made_a_mesh_by_a_modifier, made_a_mesh_by_nodes,
                                 made_a_mesh_by_its_own_nodes])
def test_a_volume_that_is_missing_matters_where_something_makes_a_mesh_of_it(use, scene, tmp_path):
    data = bpy.data.volumes.new("Smoke")
    data.filepath = "//smoke.vdb"
    use(add("Smoke", data))
    add_cube("C", (0, 99, 0))
    matters = use is not shown_as_it_is
    assert notes(tmp_path, 2 if matters else 0) == [SHAPES.format("//smoke.vdb")] * matters


@pytest.mark.skipif(not hasattr(bpy.types, "GeometryNodeImportSTL"), reason="this Blender has no such nodes")
@pytest.mark.parametrize("content", [None, b"solid nothing"])
def test_a_file_that_nodes_import(content, scene, tmp_path):
    if content is not None:
        (tmp_path / "part.stl").write_bytes(content)

    def build(tree, start, end):
        node = tree.nodes.new("GeometryNodeImportSTL")
        node.inputs[0].default_value = str(tmp_path / "part.stl")
        tree.links.new(join(tree, start, node.outputs[0]), end)
    add_nodes(bpy.data.objects["Ä"], build)
    note, = notes(tmp_path, 2)
    assert note.startswith(NODES.format("Ä: STL Import: "))
    bpy.data.objects["Ä"].modifiers[0].show_viewport = False
    assert notes(tmp_path, 0) == []


def test_a_sequence_of_images_that_displaces(scene, tmp_path):
    image = bpy.data.images.new("Waves", 8, 8)
    image.source, image.filepath = "SEQUENCE", "//waves_0001.png"
    texture = bpy.data.textures.new("Waves", "IMAGE")
    texture.image = image
    bpy.data.objects["Ä"].modifiers.new("Waves", "DISPLACE").texture = texture
    assert notes(tmp_path, 2) == [SHAPES.format("//waves_0005.png")]    # of the frame that is asked for
    picture(tmp_path / "waves_0001.png")
    assert notes(tmp_path, 2) == [SHAPES.format("//waves_0005.png")]
    picture(tmp_path / "waves_0005.png")
    assert notes(tmp_path, 0) == []


def picture(path):
    image = bpy.data.images.new("Saved", 8, 8)
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)
