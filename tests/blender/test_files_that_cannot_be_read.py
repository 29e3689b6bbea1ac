# SPDX-License-Identifier: GPL-3.0-or-later
"""Files beside a scene that are there and are not what they should be, damaged data, nodes that nobody knows."""
import struct

import bpy
import pytest
from command_line import detect, refused
from file_building import POINTER, motion
from scene_building import add, add_cube, add_nodes, join, mesh_of
from touchpoint.addon.scene_read import read_scene


def whole(content):
    return content


def a_pointer(content):
    return POINTER


def nothing(content):
    return b""


def a_part(content):
    return content[:len(content) // 2]


def of_other_vertices(content):
    return content.replace(struct.pack("<ii", 1, 8), struct.pack("<ii", 1, 9))


@pytest.mark.parametrize("damage", [whole, a_pointer, nothing, a_part, of_other_vertices])
def test_files_of_motion_that_cannot_be_read(damage, tmp_path):
    """Blender leaves the object where it is, and the answer was clear."""
    each, file = add_cube("A"), tmp_path / "motion.pc2"
    add_cube("B", (9, 0, 0))
    file.write_bytes(damage(motion([vertex.co + each.data.vertices[7].co for vertex in each.data.vertices])))
    each.modifiers.new("Motion", "MESH_CACHE").filepath = str(file)
    each.modifiers["Motion"].cache_format = "PC2"
    bpy.context.view_layer.update()
    evaluated = each.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    is_moved = any(one.co != other.co for one, other in zip(evaluated.vertices, each.data.vertices))
    assert is_moved is (damage is whole)
    assert [entry.judged for entry in read_scene().skipped] == [False] * (not is_moved)


def test_files_of_motion_in_the_other_form(tmp_path):
    each, file = add_cube("A"), tmp_path / "motion.mdd"
    add_cube("B", (9, 0, 0))
    each.modifiers.new("Motion", "MESH_CACHE").filepath = str(file)
    each.modifiers["Motion"].cache_format = "MDD"
    places = struct.pack(">24f", *(number for vertex in each.data.vertices for number in vertex.co))
    for content, lost in ((struct.pack(">iif", 1, 8, 0.0) + places, 0), (struct.pack(">iif", 1, 8, 0.0), 1), (b"", 1)):
        file.write_bytes(content)
        assert len(read_scene().skipped) == lost


@pytest.mark.parametrize("override, name", [(None, "walk_0007.abc"), (3, "walk_0003.abc")])
def test_one_file_of_an_alembic_sequence(override, name, save, tmp_path):
    """The one of the first frame was looked for in all of them."""
    for frame in (1, 3, 7):
        (tmp_path / f"walk_{frame:04d}.abc").write_bytes(b"Ogawa")
    bpy.ops.cachefile.open(filepath=str(tmp_path / "walk_0001.abc"))
    add_cube("A"), add_cube("B", (9, 0, 0))
    cache = bpy.data.cache_files[0]
    cache.is_sequence, cache.use_fake_user = True, True
    if override is not None:
        cache.override_frame, cache.frame = True, override
    scene = save()
    assert detect(scene, tmp_path, "--frame", 7, code=0)["notes"] == []
    (tmp_path / name).unlink()
    said = f"Files of baked motion are missing or cannot be read (//{name}): "
    note, = detect(scene, tmp_path, "--frame", 7, code=2)["notes"]
    assert note.startswith(said)


def test_what_was_sculpted_and_lies_in_a_file_of_its_own(save, tmp_path):
    """Without it a smooth surface was tested."""
    each = add_cube("A")
    add_cube("B", (9, 0, 0))
    each.modifiers.new("Multires", "MULTIRES")
    with bpy.context.temp_override(object=each, active_object=each):
        bpy.ops.object.multires_subdivide(modifier="Multires")
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
        bpy.ops.object.multires_external_save(filepath=str(tmp_path / "a.btx"), modifier="Multires")
    scene = save()
    assert detect(scene, tmp_path, code=0)["notes"] == []
    (tmp_path / "a.btx").unlink()
    said = "Files that give objects their shape are missing or cannot be read (//a.btx): they may look different."
    assert detect(scene, tmp_path, code=2)["notes"] == [said]


def test_nodes_that_this_blender_does_not_know(save, tmp_path):
    """Of an add-on that is not enabled: they give nothing, and that was tested."""
    class Moved(bpy.types.GeometryNodeCustomGroup):
        bl_idname = "NodeOfAnAddOn"
        bl_label = "Moved"

    inner = bpy.data.node_groups.new("Inner", "GeometryNodeTree")
    for in_out in ("INPUT", "OUTPUT"):
        inner.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")

    def build(tree, start, end):
        node = tree.nodes.new("NodeOfAnAddOn")
        node.name, node.node_tree = "Move", inner
        tree.links.new(start, node.inputs[0])
        tree.links.new(join(tree, start, node.outputs[0]), end)

    bpy.utils.register_class(Moved)
    try:
        add_nodes(add_cube("A"), build)
        add_cube("B", (9, 0, 0))
        scene = save()
        assert detect(scene, tmp_path, code=0)["notes"] == []
    finally:
        # Blender 4.2 has crashed when it left a file whose evaluated nodes were of a class that was gone.
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        bpy.utils.unregister_class(Moved)
    note, = detect(scene, tmp_path, code=2)["notes"]
    assert note.startswith("Blender does not know all nodes of this file (Move of A), ")
    bpy.data.node_groups["A"].nodes["Move"].mute = True
    assert detect(save(), tmp_path, code=0)["notes"] == []


def test_a_mesh_with_corners_that_it_does_not_have(save, capsys):
    """The error named no object."""
    each = add("A", mesh_of("A", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))
    add_cube("B", (9, 0, 0))
    each.data.loops.foreach_set("vertex_index", [0, 1, 77])
    assert refused(capsys, "detect", save()) == 'The mesh of "A" is damaged: triangles must name vertices 0 … 2.'
