# SPDX-License-Identifier: GPL-3.0-or-later
"""What is hidden among so many objects that Blender is asked for all of them at once."""
import bpy
import pytest
from scene_building import add_cube
from touchpoint.addon import staleness
from touchpoint.addon.scene_read.prints import pose_print, pose_prints
from touchpoint.addon.scene_read.scope import ASKED_AT_ONCE, hidden_of

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def hidden_cubes(registered):
    """Of many cubes some are hidden, each in another way."""
    layer, scene = bpy.context.view_layer, bpy.context.scene
    shelf, drawer = (bpy.data.collections.new(name) for name in ("Shelf", "Drawer"))
    for each in (shelf, drawer):
        scene.collection.children.link(each)
    cubes = [add_cube(f"Cube {number}", (3.0 * number, 0, 0)) for number in range(ASKED_AT_ONCE + 10)]
    add_cube("In Shelf", (0, 9, 0), shelf)
    add_cube("In Drawer", (0, 9, 9), drawer)
    cubes[1].hide_set(True)
    cubes[2].hide_viewport = True
    layer.layer_collection.children["Shelf"].hide_viewport = True
    drawer.hide_viewport = True
    bpy.context.view_layer.update()
    return {"Cube 1", "Cube 2", "In Shelf", "In Drawer"}


def names(uids):
    return {each.name for each in bpy.data.objects if each.session_uid in uids}


def one_by_one(objects, layer, shown):
    return set().union(*(hidden_of([each], layer, shown) for each in objects))


@pytest.mark.parametrize("shown", [True, False])
def test_many_are_hidden_as_each_is(hidden_cubes, shown):
    layer, objects = bpy.context.view_layer, list(bpy.context.view_layer.objects)
    assert hidden_of(objects, layer, shown) == one_by_one(objects, layer, shown)
    assert not shown or names(hidden_of(objects, layer, True)) == hidden_cubes


def test_in_another_view_layer():
    """Where nothing is hidden but what is so in all of them."""
    layer = bpy.context.scene.view_layers.new("Other")
    layer.update()
    objects = list(layer.objects)
    assert names(hidden_of(objects, layer, True)) == {"Cube 2", "In Drawer"}
    assert hidden_of(objects, layer, True) == one_by_one(objects, layer, True)


def test_in_a_scene_that_is_not_shown():
    layer = bpy.context.view_layer
    bpy.context.window.scene = bpy.data.scenes.new("Empty Room")
    assert names(hidden_of(list(layer.objects), layer, True)) == {"Cube 1", "Cube 2", "In Shelf", "In Drawer"}


def test_many_that_move_while_a_driver_hides_another_one():
    """Blender tells of it no more than that it was evaluated."""
    scene = bpy.context.scene
    driver = scene.objects["Cube 7"].driver_add("hide_viewport").driver
    variable = driver.variables.new()
    variable.type, variable.targets[0].id = "TRANSFORMS", scene.objects["Cube 10"]
    variable.targets[0].transform_type, driver.expression = "LOC_Z", f"{variable.name} > 0.5"
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.detect()
    bpy.context.view_layer.update()
    result = scene.touchpoint.result
    assert staleness.sentences(result) == []
    for number in range(10, 10 + ASKED_AT_ONCE):
        scene.objects[f"Cube {number}"].location.z += 1.0
    bpy.context.view_layer.update()
    assert staleness.sentences(result) == [f"Since then: {ASKED_AT_ONCE} objects moved, Cube 7 hidden"]


def test_poses_that_are_read_at_once_have_the_prints_of_each():
    """Also of what is turned, mirrored, or at a zero with a sign."""
    objects = list(bpy.data.objects)
    objects[0].rotation_euler, objects[1].scale = (0.1, 0.2, 0.3), (-1.0, 1.0, 2.0)
    objects[2].location = -0.0, 0.0, -0.0
    bpy.context.view_layer.update()
    wanted = objects[::2] + objects[1:2]
    assert dict(pose_prints({each.session_uid for each in wanted})) == {
        each.session_uid: pose_print(each) for each in wanted}
