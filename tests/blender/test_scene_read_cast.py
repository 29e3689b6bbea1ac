# SPDX-License-Identifier: GPL-3.0-or-later
"""What objects are called and bring along is kept from reading to reading while it is the same, and never longer; poses
and meshes are compared each time, as Blender does not tell of every change."""
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
    new_collection,
)
from touchpoint.addon.scene_read import Follower, read_scene
from touchpoint.addon.scene_read.instances import walk
from touchpoint.addon.scene_read.scope import choose

pytestmark = pytest.mark.usefixtures("registered")
RANDOM_EDITS = 60


@pytest.fixture
def crowd(registered):
    """Objects that show themselves, that share meshes, and that instance others in every way."""
    scene, rng = bpy.context.scene, np.random.default_rng(0)
    shared = cube_mesh("Shared")
    for number in range(6):
        each = add(f"Cube {number}", shared if number % 2 else cube_mesh(f"Mesh {number}"))
        each.location, each.rotation_euler, each.scale = rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)
    scene.objects["Cube 2"].parent = scene.objects["Cube 1"]
    inside = new_collection("Inside")
    add_cube("Stone", (0.3, 0.2, 0.1), inside)
    add_cube("Pebble", (0.0, 1.2, 0.1), inside, size=0.5)
    add_collection_instance("Heap", inside, (3, 0, 0)).rotation_euler = (0.2, 0.3, 0.4)
    add_collection_instance("Other Heap", inside, (0, 3, 0))
    add_text("Text")
    add_curve("Curve")
    trees = add_cube("Trees", (0, 0, -3))
    add_nodes(trees, lambda nodes, start, end: nodes.links.new(
        add_instances(nodes, scene.objects["Cube 3"], count=4, spacing=0.5), end))
    side = new_collection("Side", scene.collection)
    add_cube("Last", (5, 5, 5), side)
    return rng


def read_fresh_and_after(follower, **asked):
    return read_scene(follower=follower, **asked), read_scene(**asked)


def assert_same(followed, fresh):
    assert followed.rows == fresh.rows and followed.skipped == fresh.skipped
    assert followed.poses.tobytes() == fresh.poses.tobytes()
    one, other = followed.core.layout, fresh.core.layout
    assert one.names == other.names and one.groups == other.groups
    for name in ("shell", "clearance", "group"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    for number in range(len(fresh.rows)):
        for mine, theirs in zip(followed.mesh_of(number), fresh.mesh_of(number)):
            assert mine.tobytes() == theirs.tobytes()


def some_object(rng):
    visible = [each for each in bpy.context.scene.objects if each.type in ("MESH", "EMPTY")]
    return visible[rng.integers(len(visible))]


def exchange_names(rng):
    one, other = some_object(rng), some_object(rng)
    if one != other:
        names = one.name, other.name
        one.name, other.name, one.name = "away", names[0], names[1]


def link_anew(rng):
    """Unlink and link, which changes the order of the graph and no answer."""
    each = some_object(rng)
    for collection in each.users_collection:
        collection.objects.unlink(each)
        collection.objects.link(each)


def bend(rng):
    each = some_object(rng)
    if each.type == "MESH":
        each.data.vertices[int(rng.integers(len(each.data.vertices)))].co.x += 0.1
        each.data.update()


def add_one(rng):
    add_cube(f"New {rng.integers(1000)}", rng.normal(size=3))


def remove_one(rng):
    if len(bpy.context.scene.objects) > 8:
        bpy.data.objects.remove(some_object(rng))


def share(rng):
    one, other = some_object(rng), some_object(rng)
    if one.type == other.type == "MESH":
        one.data = other.data


def put_below(rng):
    child, parent = some_object(rng), some_object(rng)
    if child not in (parent, parent.parent):
        child.parent = parent if rng.integers(2) else None


EDITS = (
    lambda rng: setattr(some_object(rng), "location", rng.normal(size=3)),
    lambda rng: setattr(some_object(rng), "name", f"Named {rng.integers(1000)}"),
    exchange_names, link_anew, bend, add_one, remove_one, share,
    lambda rng: setattr(some_object(rng).touchpoint, "shell", bool(rng.integers(2))),
    lambda rng: setattr(some_object(rng).touchpoint, "clearance", float(rng.choice([0.0, 0.1, 0.25]))),
    lambda rng: setattr(bpy.data.collections["Side"].touchpoint, "clearance", float(rng.choice([0.0, 0.5]))),
    lambda rng: some_object(rng).__setitem__("GUID", str(rng.integers(5))),
    put_below,
    lambda rng: some_object(rng).hide_set(bool(rng.integers(2))),
    lambda rng: setattr(some_object(rng), "show_instancer_for_viewport", bool(rng.integers(2))),
    lambda rng: bpy.context.scene.frame_set(int(rng.integers(10))),
)


@pytest.mark.parametrize("seed", range(4))
def test_random_edits(seed, crowd):
    rng, follower = np.random.default_rng(seed), Follower()
    for _ in range(RANDOM_EDITS):
        for _ in range(int(rng.integers(3))):
            EDITS[rng.integers(len(EDITS))](rng)
        assert_same(*read_fresh_and_after(follower, identify_by="GUID"))


def test_names_and_what_objects_bring_along_are_kept_while_they_are_the_same(crowd):
    follower = Follower()
    read_scene(follower=follower)
    kept = follower.cast
    bpy.data.objects["Cube 0"].location.x += 1.0
    bpy.data.objects["Heap"].location.x += 1.0
    bpy.data.objects["Stone"].data.vertices[0].co.x -= 0.5
    assert_same(*read_fresh_and_after(follower))
    assert follower.cast is kept
    bpy.data.objects["Cube 0"].touchpoint.shell = True
    assert_same(*read_fresh_and_after(follower))
    assert follower.cast is not kept


def test_an_object_without_an_affine_matrix_comes_and_goes(crowd, monkeypatch):
    from touchpoint.addon.scene_read import read as reading

    follower, found = Follower(), []

    def bent(*args):
        walked = walk(*args)
        found.append(walked)
        if len(found) in (3, 4):
            walked.poses = walked.poses.copy()
            walked.poses[2, 3, 0] = 0.5
        return walked

    monkeypatch.setattr(reading, "walk", bent)
    for wanted in (0, 1, 0):
        followed, fresh = read_fresh_and_after(follower)
        assert_same(followed, fresh)
        assert [each.reason for each in fresh.skipped].count("its matrix is not affine") == wanted


def test_poses_asked_for_at_once_are_those_of_each_entry(crowd):
    graph = bpy.context.evaluated_depsgraph_get()
    found = walk(graph, choose(bpy.context, "VISIBLE", (None, None), None))
    one_by_one = {}
    for each in graph.object_instances:
        if each.object.type == "MESH" and each.show_self and each.object.data.polygons:
            owner = (each.parent if each.is_instance else each.object).original
            source = each.instance_object.original if each.is_instance else owner
            one_by_one.setdefault((owner.session_uid, source.session_uid), []).append(
                (np.array(each.matrix_world, np.float32), list(each.persistent_id)))
    assert len(found.met) == len(found.poses) == sum(map(len, one_by_one.values())) > 15
    for number, each in enumerate(found.met):
        key = each.owner, each.source if isinstance(each.source, int) else each.owner
        matrix, persistent_id = one_by_one[key].pop(0)
        assert matrix.tobytes() == found.poses[number].tobytes()
        if each.source is not None:
            assert found.persistent_ids[number].tolist() == persistent_id


def spoil(mesh):
    mesh.vertices[0].co.x -= 7.0
    mesh.update()


@pytest.fixture
def handled():
    """Adds a handler of somebody else's, which is called once."""
    added = []

    def add_handler(event, work):
        def once(*_):
            if once in added:
                added.remove(once)
                work()
        added.append(once)
        getattr(bpy.app.handlers, event).append(once)
        kept.append((event, once))
    kept = []
    yield add_handler
    for event, once in kept:
        getattr(bpy.app.handlers, event).remove(once)


@pytest.mark.parametrize("event", ["frame_change_post", "frame_change_pre", "depsgraph_update_post"])
def test_what_a_handler_changes_is_seen(event, crowd, handled):
    """Blender evaluates what handlers change after them and tells nobody: `depsgraph.updates`, in whatever handler, is
    no proof that a mesh or a pose is as it was."""
    follower, scene = Follower(), bpy.context.scene
    scene.frame_set(1)
    before = read_scene(follower=follower)
    place = next(number for number, row in enumerate(before.rows) if row.name == "Cube 0")
    mesh, pose = before.mesh_of(place)[0].copy(), before.poses[place].copy()

    def work():
        spoil(bpy.data.objects["Cube 0"].data)
        bpy.data.objects["Cube 0"].location.y += 3.0
    handled(event, work)
    scene.frame_set(2)
    bpy.data.objects["Last"].location.x += 1.0
    bpy.context.view_layer.update()
    followed, fresh = read_fresh_and_after(follower)
    assert_same(followed, fresh)
    assert followed.mesh_of(place)[0].tobytes() != mesh.tobytes()
    assert followed.poses[place].tobytes() != pose.tobytes()


def test_what_a_script_writes_into_the_evaluated_mesh_is_seen(crowd):
    follower = Follower()
    read_scene(follower=follower)
    each = bpy.data.objects["Cube 0"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.zeros(3 * len(each.data.vertices), np.float32)
    each.data.attributes["position"].data.foreach_set("vector", points)
    followed, fresh = read_fresh_and_after(follower)
    assert_same(followed, fresh)
    place = next(number for number, row in enumerate(fresh.rows) if row.name == "Cube 0")
    assert not followed.mesh_of(place)[0].any()
