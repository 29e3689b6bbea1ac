# SPDX-License-Identifier: GPL-3.0-or-later
"""A result is marked where an object instances something else than it did, which moves and deforms nothing."""
import bpy
import pytest
from scene_building import add_collection_instance, add_cube, new_collection
from touchpoint.addon import api, session, staleness, watch

pytestmark = pytest.mark.usefixtures("registered")


def shelf():
    return bpy.data.collections["Shelf"]


def row():
    return bpy.data.objects["Row"]


def origin():
    shelf().instance_offset = (0, 0, 3)


def origin_of_what_is_inside():
    bpy.data.collections["Box"].instance_offset = (0, 0, 3)


def no_instances():
    row().instance_type = "NONE"


def another_collection():
    row().instance_collection = bpy.data.collections["Other"]


def one_more():
    add_cube("New", (0, 2, 0), shelf())


def one_more_inside():
    add_cube("New", (0, 2, 0), bpy.data.collections["Box"])


def one_less():
    shelf().objects.unlink(bpy.data.objects["Book"])


def hide_one():
    bpy.data.objects["Book"].hide_viewport = True


def show_one():
    bpy.data.objects["Secret"].hide_viewport = False


def hide_child_collection():
    bpy.data.collections["Drawer"].hide_viewport = True


@pytest.fixture
def tested(registered):
    """A cube that crosses what an empty instances: a book, a box in it that is instanced, too, and a drawer."""
    collections = [new_collection(name) for name in ("Shelf", "Box", "Other")]
    collections.append(new_collection("Drawer", collections[0]))
    collections[2].use_fake_user = True
    for name, collection in zip(("Book", "Pen", "Vase", "Key"), collections):
        add_cube(name, (0, 1, 0), collection)
    add_cube("Secret", (0, 1, 0), collections[0]).hide_viewport = True
    add_collection_instance("Boxed", collections[1], (0, 1, 0), collections[0])
    add_collection_instance("Row", collections[0])
    add_cube("Cube")
    bpy.context.view_layer.update()
    api.write_back(api.detect())
    bpy.context.view_layer.update()
    return bpy.context.scene.touchpoint.result


def marks(result):
    bpy.context.view_layer.update()
    return [staleness.change_of(result, pair) for pair in result.pairs if "Row" in (pair.object_a, pair.object_b)]


EDITS = (origin, origin_of_what_is_inside, no_instances, another_collection, one_more, one_more_inside, one_less,
         hide_one, show_one, hide_child_collection)


@pytest.mark.parametrize("edit", EDITS)
def test_it_is_marked(tested, edit):
    assert not staleness.is_stale(tested) and set(marks(tested)) == {""}
    edit()
    assert all("Row changed" in each for each in marks(tested)) and staleness.is_stale(tested)


@pytest.mark.parametrize("edit", EDITS)
def test_a_file_knows(tested, edit, tmp_path):
    """As it was when it was tested, and as it was changed before it was saved."""
    path = str(tmp_path / "shelf.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    result = bpy.context.scene.touchpoint.result
    assert not staleness.is_stale(result) and set(marks(result)) == {""}
    edit()
    bpy.context.view_layer.update()
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    result = bpy.context.scene.touchpoint.result
    assert all("Row changed" in each for each in marks(result)) and staleness.is_stale(result)


def test_the_mark_goes_where_it_is_as_it_was(tested):
    shelf().instance_offset = (0, 0, 3)
    assert all(marks(tested))
    shelf().instance_offset = (0, 0, 0)
    assert not any(marks(tested)) and not staleness.is_stale(tested)


def test_what_keys_hide_in_other_frames_marks_nothing(tested):
    scene = bpy.context.scene
    scene.frame_set(5)
    bpy.data.objects["Book"].hide_viewport = True
    assert not any(marks(tested))
    bpy.data.objects["Book"].hide_viewport = False
    scene.frame_set(1)
    assert not any(marks(tested)) and not staleness.is_stale(tested)


def test_what_instances_nothing_is_not_asked_for_it(tested, monkeypatch):
    """Of thousands of objects that would take longer than all else; whoever begins to instance is asked."""
    asked, compare = [], watch.shows_otherwise
    monkeypatch.setattr(watch, "shows_otherwise", lambda each, *how: (asked.append(each.name), compare(each, *how))[1])
    session.watch(tested).check_seen()
    assert asked == ["Row"]
    bpy.data.objects["Cube"].instance_type = "VERTS"
    bpy.context.view_layer.update()
    assert "Cube" in asked
    assert any("Cube changed" in staleness.change_of(tested, pair) for pair in tested.pairs)
