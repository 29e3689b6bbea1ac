# SPDX-License-Identifier: GPL-3.0-or-later
"""Results are marked where objects come to show a surface, or more or fewer of them, without moving and with their own
mesh as it was; and that nothing is claimed where it is so again, or where something else has another name."""
import bpy
import pytest
from scene_building import (
    add,
    add_collection_instance,
    add_cube,
    add_curve,
    add_instances,
    add_nodes,
    add_text,
    edit,
    join,
    mesh_of,
    new_collection,
)
from test_staleness import detected, object_of, open_again, said

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def cubes(registered):
    return [add_cube("A"), add_cube("B", (1.0, 0.25, 0.5)), add_cube("C", (9.0, 9.0, 9.0))]


def show_more(of="C"):
    add_nodes(object_of(of), lambda tree, start, end: tree.links.new(
        join(tree, start, add_instances(tree, object_of("A"))), end))


def show_less():
    object_of("C").modifiers.clear()


def emit():
    settings = object_of("C").modifiers.new("Emitter", "PARTICLE_SYSTEM").particle_system.settings
    settings.type, settings.count, settings.render_type = "HAIR", 5, "OBJECT"
    settings.instance_object = object_of("A")


def becomes_a_child():
    object_of("A").parent = object_of("C")
    object_of("A").matrix_parent_inverse = object_of("C").matrix_world.inverted()


def fills_the_shelf():
    add_cube("In the Shelf", collection=bpy.data.collections["Shelf"])


def an_empty():
    add("New", None)


def with_a_shelf():
    add_collection_instance("New", new_collection("Shelf"))


def instances_the_shelf():
    object_of("New").instance_type = "COLLECTION"
    object_of("New").instance_collection = bpy.data.collections["Shelf"]


def a_full_shelf():
    add_cube("In the Shelf", collection=new_collection("Shelf"))
    an_empty()


def an_instancer():
    object_of("C").instance_type = "VERTS"


def edges():
    add("New", mesh_of("New", [(0, 0, 0), (5, 0, 0)], [], [(0, 1)]))


APPEARS = {
    "a curve gets a bevel": (lambda: add_curve("New", 0.0), lambda: setattr(object_of("New").data, "bevel_depth", 0.2)),
    "a text gets words": (lambda: add_text("New", ""), lambda: setattr(object_of("New").data, "body", "Hi")),
    "an empty instances": (a_full_shelf, instances_the_shelf),
    "what an empty instances gets a surface": (with_a_shelf, fills_the_shelf),
    "edges get a skin": (edges, lambda: object_of("New").modifiers.new("Skin", "SKIN")),
    "a curve has nodes": (lambda: add_curve("New", 0.0), lambda: show_more("New")),
}
CHANGES = {
    "nodes": (lambda: None, show_more, "C changed"),
    "particles": (lambda: None, emit, "C changed"),
    "a child of an instancer": (an_instancer, becomes_a_child, "C changed"),
}


@pytest.mark.parametrize("before, then", APPEARS.values(), ids=APPEARS)
def test_what_showed_no_surface_and_does_now(before, then, save):
    before()
    detected()
    then()
    assert said() == ["Since then: New new"]
    object_of("C").hide_set(True)
    object_of("C").hide_set(False)
    assert said() == ["Since then: New new"]
    open_again(save)
    assert said() == ["Since then: New new"]


@pytest.mark.parametrize("before, then, sentence", CHANGES.values(), ids=CHANGES)
def test_what_comes_to_instance(before, then, sentence, save):
    before()
    detected()
    then()
    assert said() == [f"Since then: {sentence}"]
    open_again(save)
    assert said() == [f"Since then: {sentence}"]


def test_the_mark_goes_where_it_is_as_it_was(save):
    curve = add_curve("New", 0.0)
    detected()
    show_more()
    curve.data.bevel_depth = 0.2
    assert said() == ["Since then: C changed, New new"]
    show_less()
    assert said() == ["Since then: New new"]
    curve.data.bevel_depth = 0.0
    assert said() == []
    open_again(save)
    assert said() == []


def test_at_another_frame_it_is_found_once_the_tested_one_is_shown():
    curve = add_curve("New", 0.0)
    detected()
    bpy.context.scene.frame_set(7)
    curve.data.bevel_depth = 0.2
    assert said() == []
    bpy.context.scene.frame_set(1)
    assert said() == ["Since then: New new"]


def test_edit_mode_claims_nothing():
    """Faces of a mesh that is edited cannot be counted."""
    add_nodes(object_of("C"), lambda tree, start, end: tree.links.new(start, end))
    add("Nothing", bpy.data.meshes.new("Nothing"))
    detected()
    edit(object_of("C"), object_of("Nothing"))
    object_of("C").update_tag()
    assert said() == []


def test_instances_on_faces_are_another_size():
    child, parent = object_of("A"), add("New", mesh_of("New", [(0, 0, 0), (5, 0, 0), (0, 5, 0)], [(0, 1, 2)]))
    child.parent, parent.instance_type = parent, "FACES"
    detected()
    parent.use_instance_faces_scale = True
    assert said() == ["Since then: New changed"]
    parent.use_instance_faces_scale = False
    assert said() == []


def test_an_empty_that_instances_nothing_any_more():
    a_full_shelf()
    instances_the_shelf()
    detected()
    object_of("New").instance_type = "NONE"
    assert said() == ["Since then: New changed"]


def test_another_name_of_the_view_layer_changes_nothing(save):
    detected()
    bpy.context.view_layer.name = "Other"
    object_of("A").hide_set(True)
    assert said() == ["Since then: A hidden"]
    object_of("A").hide_set(False)
    assert said() == []
    open_again(save)
    assert said() == []


def test_what_is_hidden_is_counted_again_when_it_is_shown():
    detected()
    object_of("A").hide_set(True)
    show_more()
    assert said() == ["Since then: A hidden, C changed"]
    show_less()
    object_of("A").hide_set(False)
    assert said() == []


def test_what_is_put_into_the_other_collection(save):
    sides = [new_collection(f"Side {name}", bpy.context.scene.collection) for name in "AB"]
    for side, each in zip(sides, "AB"):
        side.objects.link(object_of(each))
        bpy.context.scene.collection.objects.unlink(object_of(each))
    settings = bpy.context.scene.touchpoint
    settings.scope, settings.collection_a, settings.collection_b = "COLLECTIONS", *sides
    detected()
    sides[0].objects.link(object_of("B"))
    sides[1].objects.unlink(object_of("B"))
    assert said() == ["Since then: B in other collections"]
    open_again(save)
    assert said() == ["Since then: B in other collections"]
    sides = [bpy.data.collections[f"Side {name}"] for name in "AB"]
    sides[1].objects.link(object_of("B"))
    sides[0].objects.unlink(object_of("B"))
    assert said() == []
    sides[0].name = "Other Name"
    object_of("C").hide_set(True)
    object_of("B").hide_set(True)
    object_of("B").hide_set(False)
    assert not [each for each in said() if each.startswith("Since then")]
