# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances: each an object of its own with a stable name, all of them sharing what they show."""
import bpy
import numpy as np
import pytest
from scene_building import (
    add,
    add_collection_instance,
    add_cube,
    add_curve,
    add_instances,
    add_nodes,
    add_text,
    cube_mesh,
    join,
    names,
    new_collection,
    pose_of,
)
from touchpoint.addon.scene_read import read_scene


def meshes_used(snapshot):
    return {row.name: each.mesh for row, each in zip(snapshot.rows, snapshot.core.objects)}


def tree_collection():
    trees = new_collection("Trees")
    add_cube("Trunk", collection=trees)
    add_text("Label", collection=trees)
    return trees


def test_collection_instances(empty_file):
    trees = tree_collection()
    for x in range(3):
        add_collection_instance(f"Place {x}", trees, (10 * x, 0, 0))
    snapshot = read_scene()
    assert names(snapshot) == [f"Place {x} ▸ {part} #1" for x in range(3) for part in ("Label", "Trunk")]
    assert len(snapshot.core.meshes) == 2
    assert len(set(meshes_used(snapshot).values())) == 2
    assert pose_of(snapshot, "Place 2 ▸ Trunk #1")[:3, 3].tolist() == [20, 0, 0]
    assert all(row.is_instance and row.object_name == row.name[:7] for row in snapshot.rows)
    assert snapshot.rows[0].find() == bpy.data.objects["Place 0"]


def test_an_instanced_collection_may_be_in_the_scene_too(empty_file):
    trees = tree_collection()
    bpy.context.scene.collection.children.link(trees)
    add_collection_instance("Copy", trees, (10, 0, 0))
    snapshot = read_scene()
    assert names(snapshot) == ["Copy ▸ Label #1", "Copy ▸ Trunk #1", "Label", "Trunk"]
    assert len(snapshot.core.meshes) == 2


def test_collections_in_collections(empty_file):
    trees, forest = tree_collection(), new_collection("Forest")
    for x in range(2):
        add_collection_instance(f"Inner {x}", trees, (10 * x, 0, 0), into=forest)
    add_collection_instance("Outer", forest, (0, 100, 0))
    snapshot = read_scene()
    assert names(snapshot) == ["Outer ▸ Label #1", "Outer ▸ Label #2", "Outer ▸ Trunk #1", "Outer ▸ Trunk #2"]
    assert {row.object_name for row in snapshot.rows} == {"Outer"}
    assert pose_of(snapshot, "Outer ▸ Trunk #2")[:3, 3].tolist() == [10, 100, 0]
    assert len({row.persistent_id for row in snapshot.rows}) == 4
    assert len(snapshot.core.meshes) == 2


def test_geometry_nodes_instances(empty_file):
    tree = add_cube("Tree", (0, 50, 0))
    add_nodes(add_cube("Forest"), lambda nodes, start, end: nodes.links.new(
        join(nodes, start, add_instances(nodes, tree, count=3)), end))
    snapshot = read_scene()
    assert names(snapshot) == ["Forest", "Forest ▸ Tree #1", "Forest ▸ Tree #2", "Forest ▸ Tree #3", "Tree"]
    used = meshes_used(snapshot)
    assert len({used[name] for name in used if "Tree" in name}) == 1
    assert used["Forest"] != used["Tree"]
    assert [pose_of(snapshot, f"Forest ▸ Tree #{n}")[0, 3] for n in (1, 2, 3)] == [0, 4, 8]


def test_instances_of_what_nodes_made(empty_file):
    def build(tree, _start, end):
        tree.links.new(add_instances(tree, tree.nodes.new("GeometryNodeMeshCube").outputs[0], count=2), end)

    add_nodes(add_cube("Maker"), build)
    snapshot = read_scene()
    assert names(snapshot) == ["Maker ▸ Mesh #1", "Maker ▸ Mesh #2"]
    assert len(snapshot.core.meshes) == 1
    assert snapshot.skipped == []       # its own mesh is empty, but it is there with its instances


def test_instances_of_curves_and_text(empty_file):
    def build(tree, start, end):
        tree.links.new(join(tree, start, *(add_instances(tree, source, 2) for source in sources)), end)

    sources = [add_text("Text"), add_curve("Curve")]
    add_nodes(add_cube("Owner"), build)
    snapshot = read_scene()
    assert names(snapshot) == ["Curve", "Owner", "Owner ▸ Curve #1", "Owner ▸ Curve #2", "Owner ▸ Text #1",
                               "Owner ▸ Text #2", "Text"]
    assert len(snapshot.core.meshes) == 3


def test_a_curve_with_nodes_is_itself_and_its_instances(empty_file):
    def build(tree, _start, end):
        cube = tree.nodes.new("GeometryNodeMeshCube").outputs[0]
        tree.links.new(join(tree, cube, add_instances(tree, cube, 2)), end)

    add_nodes(add_curve("Curve"), build)
    assert names(read_scene()) == ["Curve", "Curve ▸ Mesh #1", "Curve ▸ Mesh #2"]


def test_instances_on_vertices(empty_file):
    parent = add_cube("Parent")
    parent.instance_type = "VERTS"
    add_cube("Child", (0, 30, 0)).parent = parent
    snapshot = read_scene()
    assert names(snapshot) == ["Child", "Parent", *(f"Parent ▸ Child #{n}" for n in range(1, 9))]
    assert len(snapshot.core.meshes) == 2
    parent.show_instancer_for_viewport = False
    assert "Parent" not in names(read_scene())
    assert read_scene().skipped == []       # hidden by choice


def test_particles(empty_file):
    source, emitter = add_cube("Grain", (0, 30, 0)), add_cube("Emitter")
    emitter.modifiers.new("Particles", "PARTICLE_SYSTEM")
    settings = emitter.particle_systems[0].settings
    settings.type, settings.count, settings.use_advanced_hair = "HAIR", 3, True
    settings.render_type, settings.instance_object = "OBJECT", source
    snapshot = read_scene()
    assert names(snapshot) == ["Emitter", "Emitter ▸ Grain #1", "Emitter ▸ Grain #2", "Emitter ▸ Grain #3", "Grain"]
    assert len(snapshot.core.meshes) == 2


def test_mirrored_and_sheared_instances(empty_file):
    place = add_collection_instance("Place", tree_collection(), (5, 0, 0))
    place.scale, place.rotation_euler = (-1, 2, 0.5), (0.2, 0.4, 0.6)
    snapshot = read_scene()
    world = np.array([list(row) for row in place.matrix_world])
    assert pose_of(snapshot, "Place ▸ Trunk #1").tolist() == world.tolist()
    assert np.linalg.det(world[:3, :3]) < 0


def test_faceless_parts_are_named_once(empty_file):
    parts = tree_collection()
    add("Guide", bpy.data.meshes.new("Guide"), collection=parts)
    for x in range(2):
        add_collection_instance(f"Place {x}", parts)
    assert [each.name for each in read_scene().skipped] == ["Place 0 ▸ Guide", "Place 1 ▸ Guide"]


def test_names_do_not_depend_on_what_is_asked_for(empty_file):
    trees = tree_collection()
    for x in range(2):
        add_collection_instance(f"Place {x}", trees)
    everything = names(read_scene())
    bpy.data.objects["Place 1"].select_set(True)
    selected = names(read_scene(scope="SELECTED"))
    assert selected == [name for name in everything if name.startswith("Place 1")]


def test_equal_names_are_told_apart(empty_file):
    """An object may have the very name that an instance is shown by."""
    add_collection_instance("Place", tree_collection())
    add_cube("Place ▸ Trunk #1")
    add_cube("Place ▸ Trunk #1 (2)")
    shown = names(read_scene())
    assert len(set(shown)) == len(shown) == 4
    assert sorted(shown) == ["Place ▸ Label #1", "Place ▸ Trunk #1", "Place ▸ Trunk #1 (2)", "Place ▸ Trunk #1 (3)"]


@pytest.fixture
def libraries(tmp_path):
    """Two files with a "Chair" each, linked into a file with a "Chair" of its own and a "Table" from one of them."""
    for path in ("parts.blend", "other/parts.blend"):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        add_cube("Chair")
        add_cube("Table" if path == "parts.blend" else "Stool")
        (tmp_path / path).parent.mkdir(exist_ok=True)
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / path))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    add_cube("Chair")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "main.blend"))
    for path, wanted in (("parts.blend", ["Chair", "Table"]), ("other/parts.blend", ["Chair"])):
        with bpy.data.libraries.load(str(tmp_path / path), link=True, relative=True) as (_, linked):
            linked.objects = wanted
        for each in linked.objects:
            bpy.context.scene.collection.objects.link(each)
    return tmp_path


def test_linked_objects_are_shown_with_their_library_where_names_are_equal(libraries):
    snapshot = read_scene()
    assert names(snapshot) == ["Chair", "Table", "parts.blend.001:Chair", "parts:Chair"]
    assert [row.object_name for row in snapshot.rows] == ["Chair", "Table", "Chair", "Chair"]
    found = [row.find() for row in snapshot.rows]
    assert [each.name_full for each in found] == ["Chair", "Table [parts.blend]", "Chair [parts.blend.001]",
                                                  "Chair [parts.blend]"]
    assert snapshot.find_objects() == found
    assert [row.library for row in snapshot.rows] == [None, "//parts.blend", "//other/parts.blend", "//parts.blend"]


def test_a_name_is_that_of_one_object_in_all_frames(libraries):
    """What is linked is not called like an object of this file while that one is hidden."""
    chair = bpy.data.objects["Chair", None]
    bpy.data.objects.remove(bpy.data.objects["Chair", "//other/parts.blend"])
    for frame, hidden in ((2, False), (1, True)):
        chair.hide_viewport = hidden
        chair.keyframe_insert("hide_viewport", frame=frame)
    seen = [{row.name: row.session_uid for row in read_scene(frame=frame).rows} for frame in (1, 2)]
    assert "Chair" not in seen[0] and seen[1] == {**seen[0], "Chair": chair.session_uid}


def test_what_a_missing_library_held_is_named(libraries):
    main = str(libraries / "main.blend")
    bpy.ops.wm.save_as_mainfile(filepath=main)
    (libraries / "parts.blend").unlink()
    bpy.ops.wm.open_mainfile(filepath=main)
    snapshot = read_scene()
    assert names(snapshot) == ["Chair", "parts.blend.001:Chair"]
    assert [(each.name, each.reason, each.judged) for each in snapshot.skipped] == [
        ("Table", "it was not found in its library", False), ("parts:Chair", "it was not found in its library", False)]


def test_nothing_linked_is_made_local(libraries):
    read_scene()
    assert [each.name for each in bpy.data.objects if each.library is None] == ["Chair"]
    assert len(bpy.data.meshes) == 4


def test_a_linked_collection_is_instanced(tmp_path):
    assets = new_collection("Assets", bpy.context.scene.collection)
    add_cube("Part", collection=assets)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "assets.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "assets.blend"), link=True) as (_, linked):
        linked.collections = ["Assets"]
    for x in range(2):
        add_collection_instance(f"Place {x}", linked.collections[0], (x, 0, 0))
    add("Local", cube_mesh())
    assert names(read_scene()) == ["Local", "Place 0 ▸ Part #1", "Place 1 ▸ Part #1"]
