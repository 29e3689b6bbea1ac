# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked for, what is left out, and what is refused."""
import bpy
import pytest
from scene_building import (
    add,
    add_collection_instance,
    add_cube,
    add_curve,
    add_metaball,
    mesh_of,
    names,
    new_collection,
)
from touchpoint.addon import api
from touchpoint.addon.names import RESULTS_MARKER
from touchpoint.addon.scene_read import read_scene
from touchpoint.core import Refused


def scene_collection():
    return bpy.context.scene.collection


def layer_of(collection):
    return bpy.context.view_layer.layer_collection.children[collection.name]


def groups(snapshot):
    return {each.name: each.group for each in snapshot.core.objects}


@pytest.fixture
def two_cubes(empty_file):
    return add_cube("One"), add_cube("Two")


def hide_object(each):
    each.hide_set(True)


def disable_object(each):
    each.hide_viewport = True


def close_the_eye(each):
    layer_of(in_its_own_collection(each)).hide_viewport = True


def exclude(each):
    layer_of(in_its_own_collection(each)).exclude = True


def disable_collection(each):
    in_its_own_collection(each).hide_viewport = True


def in_its_own_collection(each):
    collection = new_collection("Own", scene_collection())
    collection.objects.link(each)
    scene_collection().objects.unlink(each)
    return collection


HIDING = [hide_object, disable_object, close_the_eye, exclude, disable_collection]


@pytest.mark.parametrize("hide", HIDING)
def test_what_is_hidden_is_left_out_without_a_word(hide, two_cubes):
    hide(add_cube("Hidden"))
    snapshot = read_scene()
    assert names(snapshot) == ["One", "Two"]
    assert snapshot.skipped == []


@pytest.mark.parametrize("hide", HIDING)
def test_a_hidden_instancer_hides_its_instances(hide, two_cubes):
    parts = new_collection("Parts")
    add_cube("Part", collection=parts)
    hide(add_collection_instance("Place", parts))
    assert names(read_scene()) == ["One", "Two"]


def test_selected(two_cubes):
    add_cube("Three")
    for each in two_cubes:
        each.select_set(True)
    assert names(read_scene(scope="SELECTED")) == ["One", "Two"]


def sides_of(snapshot) -> dict[str, str]:
    return {row.name: each.group for row, each in zip(snapshot.rows, snapshot.core.objects)}


def test_selected_against_all_others(two_cubes):
    add_cube("Three")
    parts = new_collection("Parts")
    add_cube("Part", collection=parts)
    add_collection_instance("Place", parts).select_set(True)
    two_cubes[0].select_set(True)
    snapshot = read_scene(scope="OTHERS")
    expected = {"One": "A", "Two": "B", "Three": "B", "Place ▸ Part #1": "A"}
    assert sides_of(snapshot) == expected and snapshot.scope == "OTHERS"
    assert snapshot.selected == {each.session_uid for each in (two_cubes[0], bpy.data.objects["Place"])}
    given = read_scene(scope="OTHERS", objects=[two_cubes[1]])
    assert sides_of(given) == {name: "A" if name == "Two" else "B" for name in expected} and given.scope == "OTHERS"
    pairs = api.detect(scope="OTHERS", objects=[two_cubes[1]]).pairs
    assert all("Two" in (given.rows[each["a"]].name, given.rows[each["b"]].name) for each in pairs)


def test_nothing_to_test_against_others(two_cubes):
    assert refusal(scope="OTHERS").startswith("Nothing is selected.")
    for each in two_cubes:
        each.select_set(True)
    assert refusal(scope="OTHERS").startswith("Nothing else is visible")
    camera = add("Camera", bpy.data.cameras.new("Camera"))
    assert refusal(scope="OTHERS").startswith("Nothing else has a surface to test.")
    for each in (*two_cubes, camera):
        each.select_set(each == camera)
    assert refusal(scope="OTHERS").startswith("Nothing selected has a surface to test.")
    add_metaball("Blob")
    add_metaball("Blob.001").select_set(True)
    assert sides_of(read_scene(scope="OTHERS")) == {"Blob": "A", "One": "B", "Two": "B"}


def test_a_selected_instancer_stands_for_its_instances(two_cubes):
    parts = new_collection("Parts")
    add_cube("Part", collection=parts)
    add_collection_instance("Place", parts).select_set(True)
    two_cubes[0].select_set(True)
    assert names(read_scene(scope="SELECTED")) == ["One", "Place ▸ Part #1"]


def test_any_selected_metaball_stands_for_its_family(two_cubes):
    add_metaball("Blob")
    add_metaball("Blob.001").select_set(True)
    two_cubes[0].select_set(True)
    assert names(read_scene(scope="SELECTED")) == ["Blob", "One"]


def refusal(**arguments):
    with pytest.raises(Refused) as refused:
        read_scene(**arguments)
    sentence = str(refused.value)
    assert sentence[0].isupper() and sentence.endswith(".") and "\n" not in sentence
    return sentence


def test_nothing_selected(two_cubes):
    assert refusal(scope="SELECTED").startswith("Nothing is selected.")


def test_only_hidden_objects_selected(two_cubes):
    in_its_own_collection(two_cubes[0])
    two_cubes[0].select_set(True)
    layer_of(bpy.data.collections["Own"]).hide_viewport = True
    assert two_cubes[0].select_get()
    assert refusal(scope="SELECTED").startswith("Everything that is selected is hidden.")


def test_only_a_camera_selected(two_cubes):
    add("Camera", bpy.data.cameras.new("Camera")).select_set(True)
    assert refusal(scope="SELECTED").startswith("Nothing selected has a surface to test.")


def test_one_object(empty_file):
    add_cube("Alone")
    add_curve("Path", bevel=0)
    sentence = refusal()
    assert '"Alone"' in sentence and "at least two" in sentence
    assert sentence.endswith("Left out: Path (it has no faces).")


def test_an_empty_scene(empty_file):
    assert refusal().startswith("Nothing visible has a surface to test.")


def test_long_lists_of_what_was_left_out_are_cut(empty_file):
    for number in range(8):
        add(f"Wire {number}", mesh_of("Wire", [(0, 0, 0), (1, 0, 0)], [], [(0, 1)]))
    assert refusal().endswith("Wire 4 (it has no faces) and 3 more.")


def test_an_unknown_scope(two_cubes):
    assert "VISIBLE, SELECTED, OTHERS, COLLECTIONS" in refusal(scope="visible")


@pytest.fixture
def sides(empty_file):
    """Collections "A" with a child collection, "B", and one object in neither."""
    a, b = new_collection("A", scene_collection()), new_collection("B", scene_collection())
    add_cube("a", collection=a)
    add_cube("a in child", collection=new_collection("Child", a))
    add_cube("b", collection=b)
    add_cube("Other")
    return a, b


def test_collections(sides):
    snapshot = read_scene(scope="COLLECTIONS", collection_a="A", collection_b="B")
    assert groups(snapshot) == {"a": "A", "a in child": "A", "b": "B"}
    assert set(snapshot.rules) == {("A", "B"), ("A", "A+B"), ("B", "A+B"), ("A+B", "A+B")}
    assert groups(read_scene(scope="COLLECTIONS", collection_a=sides[0], collection_b=sides[1])) == groups(snapshot)


def test_an_object_in_both_collections_is_on_both_sides(sides):
    sides[0].objects.link(bpy.data.objects["b"])
    add_cube("c", collection=sides[1])
    snapshot = read_scene(scope="COLLECTIONS", collection_a="A", collection_b="B")
    assert groups(snapshot) == {"a": "A", "a in child": "A", "b": "A+B", "c": "B"}


def test_a_collection_against_the_whole_scene(sides):
    whole = scene_collection()
    assert set(groups(read_scene(scope="COLLECTIONS", collection_a="B", collection_b=whole.name)).values()) == {
        "B", "A+B"}


def test_an_instance_lies_where_its_instancer_lies(sides):
    parts = new_collection("Parts")
    add_cube("Part", collection=parts)
    add_collection_instance("Place", parts, into=sides[1])
    snapshot = read_scene(scope="COLLECTIONS", collection_a="A", collection_b="B")
    assert groups(snapshot)["Place ▸ Part #1"] == "B"


def test_a_metaball_family_is_on_the_side_of_its_members(sides):
    blob = add_metaball("Blob")
    scene_collection().objects.unlink(blob)
    sides[1].objects.link(blob)
    assert groups(read_scene(scope="COLLECTIONS", collection_a="A", collection_b="B"))["Blob"] == "B"


def test_collections_that_cannot_be_tested(sides):
    def asked(a, b):
        return refusal(scope="COLLECTIONS", collection_a=a, collection_b=b)

    assert asked("A", None).startswith("Choose two collections")
    assert asked("A", "Z") == 'There is no collection "Z".'
    new_collection("Empty", scene_collection())
    assert asked("A", "Empty") == 'Nothing in collection B, "Empty", is visible in this view layer.'
    layer_of(sides[0]).exclude = True
    assert asked("A", "B") == 'Nothing in collection A, "A", is visible in this view layer.'
    lights = new_collection("Lights", scene_collection())
    add("Lamp", bpy.data.lights.new("Lamp", "POINT"), collection=lights)
    assert asked("Lights", "B") == 'Nothing visible in collection A, "Lights", has a surface to test.'


def test_given_objects(two_cubes):
    add_cube("Three")
    snapshot = read_scene(objects=[*two_cubes, two_cubes[0]])
    assert names(snapshot) == ["One", "Two"] and snapshot.rules is None


def test_given_objects_that_are_hidden_are_named(two_cubes):
    three, four = add_cube("Three"), bpy.data.objects.new("Four", two_cubes[0].data)
    three.hide_set(True)
    snapshot = read_scene(objects=[*two_cubes, three, four])
    assert [(each.name, each.reason, each.judged) for each in snapshot.skipped] == [
        ("Four", "it is not in the view layer", False), ("Three", "it is hidden", False)]
    assert refusal(objects=[three, four]) == "None of the given objects is visible in the view layer."
    assert refusal(objects=[]) == "No objects were given."


@pytest.mark.parametrize("given, kind", [("One", "str"), (["One"], "str"), ([None], "NoneType")])
def test_given_objects_that_are_none(given, kind, two_cubes):
    assert refusal(objects=given) == f"What is given as objects must be Blender objects, not {kind}."


def test_a_given_object_that_was_deleted(two_cubes):
    bpy.data.objects.remove(two_cubes[1])
    assert refusal(objects=two_cubes) == "One of the given objects was deleted."


def test_evaluated_objects_may_be_given(two_cubes):
    depsgraph = bpy.context.evaluated_depsgraph_get()
    assert names(read_scene(objects=[each.evaluated_get(depsgraph) for each in two_cubes])) == ["One", "Two"]


def test_results_are_never_input(two_cubes):
    results = new_collection("Renamed by the user", scene_collection())
    results[RESULTS_MARKER] = 1
    marked = add("Contacts", mesh_of("Contacts", [(0, 0, 0)], []), collection=results)
    copied = add("Moved out of the results", marked.data)
    for each in (marked, marked.data, copied):
        each[RESULTS_MARKER] = 1
    for each in bpy.data.objects:
        each.select_set(True)
    for scope in ("VISIBLE", "SELECTED"):
        snapshot = read_scene(scope=scope)
        assert names(snapshot) == ["One", "Two"] and snapshot.skipped == []
    given = read_scene(objects=[*two_cubes, marked])
    assert [(each.name, each.reason) for each in given.skipped] == [("Contacts", "it is a result of Touchpoint")]


def test_a_collection_of_the_users_own_may_be_called_touchpoint(two_cubes):
    add_cube("Mine", collection=new_collection("Touchpoint", scene_collection()))
    assert names(read_scene()) == ["Mine", "One", "Two"]


def test_another_view_layer(two_cubes):
    layer = bpy.context.scene.view_layers.new("Second layer")
    two_cubes[1].hide_set(True, view_layer=layer)
    add_cube("Three")
    with bpy.context.temp_override(view_layer=layer):
        assert names(read_scene(bpy.context)) == ["One", "Three"]
    assert names(read_scene()) == ["One", "Three", "Two"]


def test_a_local_view_is_what_is_tested():
    """Of the viewport where Detect is clicked."""
    bpy.ops.wm.read_factory_settings()
    for name in ("One", "Two"):
        add_cube(name)
    bpy.context.view_layer.update()
    for each in bpy.context.view_layer.objects:
        each.select_set(each.name in ("One", "Two"))
    window = bpy.context.window_manager.windows[0]
    area = next(each for each in window.screen.areas if each.type == "VIEW_3D")
    region = next(each for each in area.regions if each.type == "WINDOW")
    assert {"Cube", "One", "Two"} == set(names(read_scene()))
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.view3d.localview(frame_selected=False)
        assert {"One", "Two"} == set(names(read_scene()))
    assert {"Cube", "One", "Two"} == set(names(read_scene()))
