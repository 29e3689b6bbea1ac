# SPDX-License-Identifier: GPL-3.0-or-later
"""Clear leaves a file as if there had been no run; results live in one collection and are nobody's input."""
import bpy
import pytest
from report_building import all_data, colour, point_mesh, report_of, results
from scene_building import add_cube, names, new_collection
from touchpoint.addon import write_back
from touchpoint.addon.names import RESULTS_MARKER
from touchpoint.addon.scene_read import read_scene
from touchpoint.addon.write_back.collection import find_results


@pytest.fixture(autouse=True)
def cubes(empty_file):
    return [add_cube(name, (number, 0, 0)) for number, name in enumerate("ABC")]


def test_the_collection():
    write_back.write(report_of(("A", "B", "crossing", 3)))
    collection = bpy.data.collections["Touchpoint"]
    assert bpy.context.scene.collection.children[:] == [collection]
    assert collection.hide_render and collection.color_tag != "NONE" and RESULTS_MARKER in collection
    assert set(collection.objects) == set(results()) and len(results()) == 4


def test_clear_leaves_the_data_as_it_was():
    before = all_data()
    write_back.write(report_of(("A", "B", "crossing", 300), ("B", "C", "touching", 2)))
    assert all_data() != before
    write_back.clear()
    assert all_data() == before


def test_clear_without_results_does_nothing():
    before = all_data()
    write_back.clear()
    write_back.clear(bpy.context.scene)
    assert all_data() == before


def test_results_are_never_input():
    before = names(read_scene())
    write_back.write(report_of(("A", "B", "crossing", 3)))
    assert names(read_scene()) == before


def test_the_users_state_is_not_touched(cubes):
    scene, layer = bpy.context.scene, bpy.context.view_layer
    scene.frame_set(7)
    cubes[1].select_set(True)
    layer.objects.active = cubes[2]
    report = report_of(("A", "B", "crossing", 3))
    for change in (lambda: write_back.write(report), write_back.clear):
        change()
        assert layer.objects.active == cubes[2] and list(layer.objects.selected) == [cubes[1]]
        assert scene.frame_current == 7 and bpy.context.mode == "OBJECT"


def test_what_the_user_put_into_the_collection_survives():
    write_back.write(report_of(("A", "B", "crossing", 3)))
    collection = bpy.data.collections["Touchpoint"]
    mine = add_cube("Mine", collection=collection)
    inner = new_collection("Inner", collection)
    deep = add_cube("Deep", collection=inner)
    write_back.clear()
    assert mine.name in bpy.context.scene.collection.objects
    assert inner.name in bpy.context.scene.collection.children and deep.name in inner.objects
    assert results() == [] and "Touchpoint" not in bpy.data.collections


def test_a_moved_and_renamed_collection_is_found():
    write_back.write(report_of(("A", "B", "crossing", 3)))
    collection = bpy.data.collections["Touchpoint"]
    folder = new_collection("Folder", bpy.context.scene.collection)
    bpy.context.scene.collection.children.unlink(collection)
    folder.children.link(collection)
    collection.name = "Findings"
    write_back.write(report_of(("A", "B", "crossing", 5)))
    assert len(bpy.data.collections) == 2 and len(point_mesh().data.vertices) == 5
    write_back.clear()
    assert [each.name for each in bpy.data.collections] == ["Folder"]


def test_a_collection_that_the_user_deleted():
    write_back.write(report_of(("A", "B", "crossing", 3)))
    bpy.data.collections.remove(bpy.data.collections["Touchpoint"])
    write_back.write(report_of(("A", "B", "crossing", 3)))
    assert find_results(bpy.context.scene) is not None


def delete_objects(collection):
    for each in list(collection.objects):
        bpy.data.objects.remove(each)
    bpy.data.collections.remove(collection)


WAYS_TO_DELETE = {"the collection alone": lambda collection: bpy.data.collections.remove(collection),
                  "what is in it, too": delete_objects,
                  "unlink it": lambda collection: bpy.context.scene.collection.children.unlink(collection)}


@pytest.mark.parametrize("then", ["clear", "detect", "save"])
@pytest.mark.parametrize("way", WAYS_TO_DELETE)
def test_of_results_that_the_user_deleted_nothing_is_left(way, then, registered, tmp_path):
    before = all_data()
    write_back.write(report_of(("A", "B", "crossing", 3)))
    made = all_data()
    WAYS_TO_DELETE[way](bpy.data.collections["Touchpoint"])
    assert bpy.data.meshes["Touchpoint Contacts"].users < 2
    if then == "clear":
        write_back.clear()
    elif then == "detect":
        write_back.write(report_of(("A", "B", "crossing", 3)))
    else:
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "file.blend"))
    assert all_data() == (made if then == "detect" else before)


def test_what_the_user_keeps_of_deleted_results_stays(registered, cubes):
    write_back.write(report_of(("A", "B", "crossing", 3)))
    collection, points = bpy.data.collections["Touchpoint"], point_mesh()
    mine = add_cube("Mine", collection=collection)
    kept, target = (each for each in results() if each.type == "EMPTY" and each.name.endswith(("1", "2")))
    kept.use_fake_user = points.data.use_fake_user = True
    cubes[0].constraints.new("COPY_LOCATION").target = target
    bpy.context.scene.collection.children.unlink(collection)
    write_back.clear()
    assert bpy.data.collections[:] == [collection] and mine in collection.objects[:]
    collection.objects.unlink(mine)
    data = points.data
    write_back.clear()
    assert set(results()) == {kept, target} and data.name in bpy.data.meshes and not len(bpy.data.collections)


def test_each_scene_has_its_own_results():
    first = bpy.context.scene
    write_back.write(report_of(("A", "B", "crossing", 3)))
    second = bpy.data.scenes.new("Second")
    others = [add_cube(name, collection=second.collection) for name in ("P", "Q")]
    bpy.context.window_manager.windows[0].scene = second
    with bpy.context.temp_override(scene=second, view_layer=second.view_layers[0]):
        write_back.write(report_of(("P", "Q", "crossing", 2)))
    assert len(find_results(first).objects) == 4 and len(find_results(second).objects) == 3
    write_back.clear(second)
    assert find_results(second) is None and colour(others[0]) == (1.0, 1.0, 1.0, 1.0)
    assert len(find_results(first).objects) == 4 and colour(bpy.data.objects["A"]) != (1.0, 1.0, 1.0, 1.0)
    write_back.clear()
    assert results() == [] and colour(bpy.data.objects["A"]) == (1.0, 1.0, 1.0, 1.0)


def test_a_scene_that_is_gone():
    report = report_of(("A", "B", "crossing", 3))
    bpy.context.scene.name = "Renamed"
    with pytest.raises(LookupError, match="Scene"):
        write_back.write(report)


def test_clear_after_saving_and_loading(tmp_path):
    before = all_data()
    write_back.write(report_of(("A", "B", "crossing", 30)))
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert len(results()) == 31
    write_back.clear()
    assert all_data() == before
