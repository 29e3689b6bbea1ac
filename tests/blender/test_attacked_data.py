# SPDX-License-Identifier: GPL-3.0-or-later
"""Users and other add-ons overwrite, copy, move and link what Touchpoint keeps in a file: Clear and a rerun go on, and
touch nothing that is not Touchpoint's."""
from contextlib import suppress

import bpy
import pytest
from mathutils import Matrix
from report_building import all_data, colour, empties, point_mesh, report_of, results
from scene_building import add, add_collection_instance, add_cube, cube_mesh, names, new_collection
from touchpoint.addon import api, write_back
from touchpoint.addon.names import (
    COLOUR_BEFORE,
    COLOUR_GIVEN,
    CONTACT_KEY,
    CONTACT_POINTS,
    OBJECT_NAMES,
    RESULTS_MARKER,
    SHADING_BEFORE,
)
from touchpoint.addon.scene_read import read_scene
from touchpoint.core import TouchpointError

PLAIN = (1.0, 1.0, 1.0, 1.0)
OWN = (0.25, 0.5, 0.75, 1.0)
OTHER = {"bool": True, "number": 7, "text": "no colour", "empty": "", "short list": [1.0], "words": ["a"] * 4,
         "long list": [0.5] * 9, "integers": [1, 2, 3, 4], "group": {"x": 1.0, "y": 2.0}, "none of it": None}


@pytest.fixture(autouse=True)
def cubes(empty_file):
    cubes = [add_cube(name, (5 * number, 0, 0)) for number, name in enumerate("ABC")]
    for each in cubes:
        each.color = OWN
    return cubes


def write(*pairs):
    write_back.write(report_of(*(pairs or (("A", "B", "crossing", 3), ("B", "C", "overlap", 2)))))


def collection():
    return bpy.data.collections["Touchpoint"]


def overwrite(each, key, value):
    if value is None:
        if key in each:
            del each[key]
    else:
        each[key] = value


@pytest.mark.parametrize("value", OTHER.values(), ids=OTHER)
@pytest.mark.parametrize("key", [COLOUR_BEFORE, COLOUR_GIVEN])
def test_overwritten_colours(cubes, key, value):
    write()
    overwrite(cubes[0], key, value)
    cubes[1].color = (0.0, 1.0, 0.0, 1.0)       # the user's, since
    overwrite(cubes[1], key, value)
    write_back.clear()
    assert colour(cubes[0]) == (OWN if key == COLOUR_GIVEN else PLAIN)
    assert colour(cubes[1]) == (0.0, 1.0, 0.0, 1.0) and colour(cubes[2]) == OWN
    assert not any(each in cube for each in (COLOUR_BEFORE, COLOUR_GIVEN) for cube in cubes)


@pytest.mark.parametrize("value", OTHER.values(), ids=OTHER)
def test_overwritten_properties_of_results(value):
    before = all_data()
    write()
    keys = ((RESULTS_MARKER, results()), (CONTACT_KEY, results()), (CONTACT_POINTS, results()),
            (OBJECT_NAMES, [point_mesh()]), (RESULTS_MARKER, [point_mesh().data, collection()]))
    for key, some in keys:
        for each in some:
            if value is not None or key in (CONTACT_KEY, CONTACT_POINTS, OBJECT_NAMES):
                overwrite(each, key, value)
    write(("A", "B", "crossing", 2))
    assert empties() == ["Touchpoint A × B 001", "Touchpoint A × B 002"]
    assert len(point_mesh().data.vertices) == 2
    write_back.clear()
    assert all_data() == before


@pytest.mark.parametrize("value", OTHER.values(), ids=OTHER)
def test_overwritten_colour_types_of_a_screen(value):
    write()
    screen = bpy.context.window_manager.windows[0].screen
    overwrite(screen, SHADING_BEFORE, value)
    write()
    overwrite(screen, SHADING_BEFORE, value)
    write_back.clear()
    assert SHADING_BEFORE not in screen


@pytest.mark.parametrize("value", [each for each in OTHER.values() if each is not None])
def test_overwritten_settings(registered, value):
    path = ("touchpoint", "result", "pairs")
    for depth in range(len(path)):
        write(("A", "B", "crossing", 1))
        held = bpy.context.scene
        with suppress(TypeError, AttributeError):   # some versions of Blender let nobody do that
            for key in path[:depth]:
                held = held.get(key, {})
            held[path[depth]] = value
        write(("A", "B", "crossing", 1))
        write_back.clear()
        assert results() == []


def test_copies_of_results():
    before = all_data()
    write()
    for each in results():
        copy = each.copy()
        collection().objects.link(copy)
        deep = each.copy()
        deep.data = each.data and each.data.copy()
        bpy.context.scene.collection.objects.link(deep)
    write(("A", "B", "crossing", 2))
    assert empties() == ["Touchpoint A × B 001", "Touchpoint A × B 002"]
    assert len([each for each in results() if each.type == "MESH"]) == 1
    for each in results():
        bpy.context.scene.collection.objects.link(each.copy())
    write_back.clear()
    assert all_data() == before


def test_a_copy_of_the_collection():
    before = all_data()
    write()
    copy = collection().copy()      # with the same objects
    bpy.context.scene.collection.children.link(copy)
    again = bpy.data.collections.new("Again")
    again[RESULTS_MARKER] = True
    copy.children.link(again)
    for each in results():
        again.objects.link(each.copy())
    write()
    assert len(results()) == 6 and len(bpy.data.collections) == 1
    write_back.clear()
    assert all_data() == before


def test_results_that_were_moved_elsewhere():
    before = all_data()
    write()
    mine = new_collection("Mine", bpy.context.scene.collection)
    for each in results():
        mine.objects.link(each)
        collection().objects.unlink(each)
    write(("A", "B", "crossing", 2))
    assert len(results()) == 3
    write_back.clear()
    bpy.data.collections.remove(mine)
    assert all_data() == before


def test_a_collection_that_hangs_in_two_scenes():
    write()
    second = bpy.data.scenes.new("Second")
    second.collection.children.link(collection())
    mine = add_cube("Mine", collection=collection())
    write_back.clear(second)
    assert results() == [] and "Touchpoint" not in bpy.data.collections
    assert "Mine" in second.objects and mine.name in bpy.data.scenes[0].objects


def test_results_of_another_scene_that_were_linked_here_stay_there():
    first = bpy.context.scene
    write()
    second = bpy.data.scenes.new("Second")
    second.collection.objects.link(point_mesh())
    write_back.clear(second)
    assert len(results()) == 6
    write_back.clear(first)
    assert results() == []


def test_what_is_parented_to_results_stays_where_it_is(cubes):
    write()
    bpy.data.objects[empties()[0]].location = (3, 4, 5)
    cubes[0].parent, cubes[1].parent = bpy.data.objects[empties()[0]], point_mesh()
    bpy.context.view_layer.update()
    places = [each.matrix_world.copy() for each in cubes]
    write_back.clear()
    bpy.context.view_layer.update()
    assert [each.matrix_world for each in cubes] == places and cubes[0].parent is None


@pytest.mark.parametrize("scale", [(1.0, 0.0, 1.0), (-1.5, 0.5, 2.0), (0.0, 0.0, 0.0)])
def test_what_is_parented_to_results_keeps_its_rotation_and_scale(cubes, scale):
    """No rotation can be told from the place of a flattened object."""
    write()
    child = cubes[0]
    child.rotation_euler, child.scale, child.delta_location = (0.5, 4.0, 2.0), scale, (0.0, 0.0, 1.0)
    child.parent = bpy.data.objects[empties()[0]]
    bpy.context.view_layer.update()
    place, own = child.matrix_world.copy(), (child.rotation_euler.copy(), child.scale.copy())
    write_back.clear()
    bpy.context.view_layer.update()
    assert child.parent is None and child.matrix_world == place and (child.rotation_euler, child.scale) == own


def test_results_that_are_parented_stand_where_the_contacts_are(cubes):
    write()
    for each in results():
        each.parent = cubes[2]
    point_mesh().location = (1, 2, 3)
    write()
    bpy.context.view_layer.update()
    assert point_mesh().matrix_world == Matrix()
    where = [tuple(bpy.data.objects[name].matrix_world.translation) for name in empties()]
    assert where == [(0, 0, 0.5), (1, 0, 0.5), (2, 0, 0.5), (3, 0, 0.5), (4, 0, 0.5)]
    write_back.clear()
    assert len(bpy.data.objects) == 3


def test_a_mesh_of_the_users_in_the_point_object_is_the_users():
    write()
    mesh = cube_mesh("Mine")
    point_mesh().data = mesh
    write()
    assert len(mesh.vertices) == 8 and len(mesh.polygons) == 6
    write_back.clear()
    assert "Mine" in bpy.data.meshes and bpy.data.meshes["Mine"].users == 1


def test_faces_that_the_user_makes_of_the_points_are_the_users():
    write()
    points = point_mesh()
    points.data.clear_geometry()
    points.data.from_pydata([(0, 0, 0), (9, 0, 0), (0, 9, 0)], [], [(0, 1, 2)])
    points.hide_viewport = False
    assert points.name in names(read_scene())
    write()
    assert len(points.data.polygons) == 1
    write_back.clear()
    assert len(points.data.polygons) == 1 and RESULTS_MARKER not in points and RESULTS_MARKER not in points.data
    assert points.name in bpy.context.scene.objects


def test_points_with_shape_keys_and_modifiers():
    write()
    point_mesh().shape_key_add(name="Basis")
    point_mesh().shape_key_add(name="Key").data[0].co = (9, 9, 9)
    point_mesh().modifiers.new("Skin", "SKIN")
    write(("A", "B", "crossing", 7))
    assert len(point_mesh().data.vertices) == 7 and point_mesh().data.shape_keys is None
    write_back.clear()
    assert results() == [] and len(bpy.data.meshes) == 3


def test_an_empty_with_a_picture_or_with_instances():
    write()
    first, second = (bpy.data.objects[name] for name in empties()[:2])
    first.empty_display_type = "IMAGE"
    first.data = bpy.data.images.new("Picture", 4, 4)
    pile = new_collection("Pile")
    add_cube("Stone", (0.5, 0, 0), pile)
    second.instance_type, second.instance_collection = "COLLECTION", pile
    assert f"{second.name} ▸ Stone #1" in names(read_scene())
    write_back.clear()
    assert "Picture" in bpy.data.images and second.name in bpy.context.scene.objects and len(results()) == 0


def test_the_users_objects_in_the_results_collection_are_tested():
    write()
    add_cube("Mine", (0.5, 0.25, 0.5), collection())
    add_cube("Deep", (30, 0, 0), new_collection("Child", collection()))
    assert names(read_scene()) == ["A", "B", "C", "Deep", "Mine"]
    report = api.detect()
    assert [(report.name(pair["a"]), report.name(pair["b"])) for pair in report.pairs] == [("A", "Mine")]
    given = api.detect([bpy.data.objects["A"], bpy.data.objects["Mine"], point_mesh()])
    assert len(given.pairs) == 1 and [each.reason for each in given.skipped] == ["it is a result of Touchpoint"]


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("where", ["no scene", "another scene"])
def test_the_users_objects_in_the_results_collection_stay_in_the_scene(where, nested):
    """Those that are in a collection of no scene, or of another one, too, were gone from this scene after Clear."""
    other = bpy.data.collections.new("Other")
    if where == "another scene":
        bpy.data.scenes.new("Other").collection.children.link(other)
    write()
    if nested:
        mine = add_cube("Mine", (0.5, 0.25, 0.5), new_collection("Child", collection()))
        other.children.link(bpy.data.collections["Child"])
    else:
        mine = add_cube("Mine", (0.5, 0.25, 0.5), collection())
        other.objects.link(mine)
    scene, elsewhere = bpy.context.scene, {*mine.users_scene} - {bpy.context.scene}
    write_back.clear()
    assert scene in mine.users_scene and elsewhere <= {*mine.users_scene}
    assert bpy.data.collections.get("Touchpoint") is None


def test_instances_of_results_are_never_input():
    write()
    add_collection_instance("Copies", collection(), (40, 0, 0))
    for points in (False, True):
        snapshot = read_scene(takes_points=points)
        assert names(snapshot) == ["A", "B", "C"] and snapshot.skipped == []


def test_results_linked_from_another_file(tmp_path):
    write()
    path = str(tmp_path / "results.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for name in "ABC":
        add_cube(name)
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.collections = ["Touchpoint"]
    bpy.context.scene.collection.children.link(here.collections[0])
    assert names(read_scene()) == ["A", "B", "C"]
    write()
    assert len([each for each in results() if each.library is None]) == 6
    write_back.clear()
    assert len(results()) == 6 and all(each.library for each in results())


def test_a_scene_linked_from_another_file(tmp_path):
    path = str(tmp_path / "linked.blend")
    bpy.context.scene.name = "Linked"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, here):
        here.scenes = ["Linked"]
    linked = here.scenes[0]
    with bpy.context.temp_override(scene=linked, view_layer=linked.view_layers[0]):
        report = report_of(("A", "B", "crossing", 1), snapshot=read_scene(bpy.context))
    before = all_data()
    with pytest.raises(TouchpointError, match="linked from another file"):
        write_back.write(report, linked)
    write_back.clear()
    assert all_data() == before


def test_clear_while_results_are_edited():
    write()
    points = point_mesh()
    points.hide_select = points.hide_viewport = False
    bpy.context.view_layer.objects.active = points
    bpy.ops.object.mode_set(mode="EDIT")
    write_back.clear()
    assert results() == [] and [each.name for each in bpy.data.objects] == ["A", "B", "C"]


def test_everything_at_once_is_undone_by_clear(cubes):
    write()
    folder = new_collection("Folder", bpy.context.scene.collection)
    folder.children.link(collection())
    add("Mine", cube_mesh("Mine"), collection=collection())
    for each in results():
        each.name, each.parent, each.hide_viewport = "Mine too", cubes[0], True
        each[CONTACT_KEY] = [1, 2]
    write()
    write_back.clear()
    assert [each.name for each in bpy.data.objects] == ["A", "B", "C", "Mine"]
    assert "Mine" in folder.objects and "Mine" in bpy.context.scene.collection.objects
    assert [colour(each) for each in cubes] == [OWN] * 3
