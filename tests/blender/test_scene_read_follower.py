# SPDX-License-Identifier: GPL-3.0-or-later
"""Detect again and again: whatever was edited in between, the report is the one of a scene that is read for the first
time, and what was not edited is not prepared again."""
import bpy
import numpy as np
import pytest
from scene_building import (
    add,
    add_collection_instance,
    add_cube,
    add_curve,
    add_instances,
    add_metaball,
    add_nodes,
    add_text,
    cube_mesh,
    edit,
    mesh_of,
    new_collection,
)
from touchpoint.addon import api, session
from touchpoint.addon.scene_read import mesh_arrays
from touchpoint.core.trees.bvh.mesh_trees import MeshTrees

BENT = [(-1, -1, 0), (1, -1, 0), (1, 1, 0.5), (-1, 1, 0)]


@pytest.fixture
def hall(empty_file):
    """Something of every kind; much of it collides. Objects by name."""
    scene = bpy.context.scene
    made = {name: add_cube(name, place) for name, place in (
        ("A", (0, 0, 0)), ("B", (1, 0.25, 0.5)), ("C", (2.2, 0.5, 0.25)), ("D", (3, 1, 0)))}
    shared = cube_mesh("Shared", 1.5)
    for name, place in (("S1", (0.5, 1, 0)), ("S2", (1.5, 1.2, 0.3))):
        made[name] = add(name, shared, place)
    made["Soft"] = add_cube("Soft", (0.2, 0.3, 1.1))
    made["Soft"].modifiers.new("Round", "SUBSURF")
    made["Keyed"] = add_cube("Keyed", (1.3, -0.8, 0.4))
    made["Keyed"].shape_key_add(name="Basis")
    made["Keyed"].shape_key_add(name="Tall").data[7].co = (1.4, 1.2, 2.6)
    made["Quad"] = add("Quad", mesh_of("Quad", BENT, [(0, 1, 2, 3)]), (0.1, 0.2, 0.4))
    made["Moving"] = add_cube("Moving", (0, 0, 2))
    made["Moving"].keyframe_insert("location", frame=1)
    made["Moving"].location = (1, 0, 0.2)
    made["Moving"].keyframe_insert("location", frame=9)
    made["Driven"] = add_cube("Driven", (-0.7, 0, 0))
    made["Driven"].driver_add("location", 1).driver.expression = "frame * 0.125"
    made["Text"] = add_text("Text", "Hi")
    made["Curve"], made["Ball"] = add_curve("Curve"), add_metaball("Ball", (2, 2, 0))
    tree = add_cube("Tree", (5, 5, 0), size=1)
    made["Forest"] = add_cube("Forest", (0, -1, 0), size=0.5)
    made["Nodes"] = add_nodes(made["Forest"], lambda nodes, start, end: nodes.links.new(
        add_instances(nodes, tree, count=3, spacing=0.75), end))
    rocks = made["Rocks"] = new_collection("Rocks")
    made["Rock"] = add_cube("Rock", (0, 0, 0), rocks, size=0.8)
    made["Heap"] = add_collection_instance("Heap", rocks, (2, 1, 0.5))
    side = made["Side"] = new_collection("Side", scene.collection)
    made["E"] = add_cube("E", (3.5, 1.5, 0.5), side)
    scene.frame_set(1)
    return made


def bits(report, path):
    """All that a report says, without times."""
    report.to_json(path)
    arrays = [report.pairs[name].tobytes() for name in report.pairs.dtype.names]
    arrays += [column.tobytes() for column in vars(report.contacts).values()]
    return path.read_bytes(), arrays, [row for row in report.source.rows], report.source.boxes.tobytes()


def assert_judged_alike(report, new):
    """The same verdicts, contacts and gaps. Depths follow trees, and those of a Scene that went on are other ones:
    their bounds need only hold the same depth."""
    for name in ("a", "b", "verdict", "exact", "tolerance", "gap", "contacts", "inner"):
        assert report.pairs[name].tobytes() == new.pairs[name].tobytes()
    measured = ~np.isnan(new.pairs["depth"])
    assert np.array_equal(measured, ~np.isnan(report.pairs["depth"]))
    for one, other in ((report, new), (new, report)):
        assert (one.pairs["depth"][measured] <= other.pairs["depth_upper"][measured]).all()


@pytest.fixture
def same(tmp_path):
    """Asserts that Detect, which goes on from the last one, says what a new reading says. Returns the report."""
    def check(**how):
        where = {name: how[name] for name in ("scope", "frame", "objects") if name in how}
        followed, fresh = api.detect(**how), api.read_scene(**where)
        assert_judged_alike(followed, api.detect_in(fresh, clearance=how.get("clearance", 0.0)))
        report = api.detect(**how, tolerance=0.0)
        new = api.detect_in(fresh, clearance=how.get("clearance", 0.0), tolerance=0.0)
        assert new.source.core is not report.source.core
        assert bits(report, tmp_path / "a.json") == bits(new, tmp_path / "b.json")
        return report
    return check


def update():
    bpy.context.view_layer.update()


def foreach_set(mesh, tell):
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    mesh.vertices.foreach_set("co", points * np.float32(1.25))
    if tell:
        mesh.update()


def duplicate(hall):
    copy = hall["B"].copy()
    copy.data = hall["B"].data.copy()
    copy.location.z += 0.7
    bpy.context.scene.collection.objects.link(copy)


def delete_middle(hall):
    bpy.data.objects.remove(hall["C"])


def exchange_names(hall):
    hall["A"].name, hall["B"].name = "Z", "A"


def edit_mode(hall):
    edit(hall["A"])
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.resize(value=(1.2, 0.9, 1.1))


def other_diagonal(hall):
    """A bent quad is cut along its other diagonal."""
    hall["Quad"].data.vertices[1].co.z = 2.0
    hall["Quad"].data.vertices[2].co.z = 0.0
    hall["Quad"].data.update()


def add_material(hall):
    hall["A"].data.materials.append(bpy.data.materials.new("Red"))


def undo(hall):
    bpy.ops.ed.undo_push(message="built")
    hall["A"].location.x += 0.3
    hall["B"].data.vertices[0].co.x -= 0.4
    bpy.ops.ed.undo_push(message="moved")
    api.detect()
    bpy.ops.ed.undo()


def another_tree(hall):
    """The object that nodes make instances of becomes another mesh."""
    bpy.data.objects["Tree"].data = cube_mesh("Bush", 0.6)


def count_of_instances(hall):
    line = next(node for node in hall["Nodes"].nodes if node.bl_idname == "GeometryNodeMeshLine")
    return line.inputs["Count"]


def more_instances(hall):
    count_of_instances(hall).default_value = 5


def fewer_instances(hall):
    count_of_instances(hall).default_value = 1


def exclude(hall):
    bpy.context.view_layer.layer_collection.children["Side"].exclude = True


EDITS = {
    "nothing": lambda hall: None,
    "move": lambda hall: setattr(hall["A"], "location", (0.25, 0.1, 0.0)),
    "turn": lambda hall: setattr(hall["C"], "rotation_euler", (0.3, 0.2, 0.1)),
    "a zero that changes its sign": lambda hall: setattr(hall["A"], "location", (-0.0, -0.0, -0.0)),
    "mirror": lambda hall: setattr(hall["B"], "scale", (-1, 1, 1)),
    "vertex": lambda hall: (setattr(hall["A"].data.vertices[7], "co", (1.5, 1.5, 1.5)), hall["A"].data.update()),
    "shared mesh": lambda hall: (setattr(hall["S1"].data.vertices[7], "co", (2, 1, 1)), hall["S1"].data.update()),
    "foreach_set": lambda hall: foreach_set(hall["B"].data, True),
    "foreach_set without an update": lambda hall: foreach_set(hall["B"].data, False),
    "other diagonal": other_diagonal,
    "not a number": lambda hall: (setattr(hall["D"].data.vertices[0], "co", (float("nan"), 0, 0)),
                                  hall["D"].data.update()),
    "modifier": lambda hall: setattr(hall["Soft"].modifiers[0], "levels", 2),
    "modifier off": lambda hall: setattr(hall["Soft"].modifiers[0], "show_viewport", False),
    "modifier added": lambda hall: hall["A"].modifiers.new("Bevel", "BEVEL"),
    "shape key": lambda hall: setattr(hall["Keyed"].data.shape_keys.key_blocks[1], "value", 0.5),
    "driver": lambda hall: setattr(hall["Driven"].animation_data.drivers[0].driver, "expression", "0.4"),
    "parent": lambda hall: setattr(hall["B"], "parent", hall["A"]),
    "constraint": lambda hall: setattr(hall["E"].constraints.new("COPY_LOCATION"), "target", hall["D"]),
    "hide": lambda hall: hall["B"].hide_set(True),
    "hide in viewports": lambda hall: setattr(hall["B"], "hide_viewport", True),
    "exclude": exclude,
    "close the eye": lambda hall: setattr(hall["Side"], "hide_viewport", True),
    "rename": lambda hall: setattr(hall["B"], "name", "Zebra"),
    "exchange names": exchange_names,
    "delete": delete_middle,
    "duplicate": duplicate,
    "another mesh": lambda hall: setattr(hall["A"], "data", hall["S1"].data),
    "new topology": lambda hall: (hall["A"].data.clear_geometry(),
                                  hall["A"].data.from_pydata(BENT, [], [(0, 1, 2), (0, 2, 3)])),
    "no faces left": lambda hall: hall["A"].data.clear_geometry(),
    "material": add_material,
    "colour": lambda hall: setattr(hall["A"], "color", (1, 0, 0, 1)),
    "text": lambda hall: setattr(hall["Text"].data, "body", "Ho ho"),
    "curve": lambda hall: setattr(hall["Curve"].data, "bevel_depth", 0.3),
    "metaball": lambda hall: setattr(hall["Ball"].data.elements[0], "radius", 1.5),
    "more instances": more_instances,
    "fewer instances": fewer_instances,
    "another instanced mesh": another_tree,
    "move what is instanced": lambda hall: setattr(hall["Rock"], "location", (0.2, 0.1, 0)),
    "move an instancer": lambda hall: setattr(hall["Heap"], "location", (1.5, 1.0, 0.5)),
    "one more in the collection": lambda hall: add_cube("Pebble", (0.5, 0, 0), hall["Rocks"], size=0.3),
    "frame": lambda hall: bpy.context.scene.frame_set(5),
    "part of a frame": lambda hall: bpy.context.scene.frame_set(5, subframe=0.5),
    "edit mode": edit_mode,
    "undo": undo,
}


@pytest.mark.parametrize("enabled", [False, True])
@pytest.mark.parametrize("name", EDITS)
def test_an_edit(name, enabled, hall, same, request):
    if enabled:
        request.getfixturevalue("registered")
    before = api.detect(clearance=0.125)
    EDITS[name](hall)
    after = same(clearance=0.125)
    update()
    same(clearance=0.125)
    assert after.source is not before.source


@pytest.mark.parametrize("name", ["nothing", "vertex", "foreach_set", "other diagonal", "new topology", "frame"])
def test_an_edit_of_large_meshes(name, hall, same, monkeypatch):
    """Which are not compared as bytes."""
    monkeypatch.setattr(mesh_arrays, "SMALL_BYTES", 0)
    same()
    EDITS[name](hall)
    same()


def edited(hall, seed, count):
    """Do some edits one after the other; yields the name of each that was done."""
    usable = [name for name in EDITS if name not in ("undo", "edit mode", "exchange names", "another instanced mesh")]
    for name in np.random.default_rng(seed).permutation(usable)[:count].tolist():
        try:
            EDITS[name](hall)
        except (ReferenceError, IndexError, AttributeError):     # an earlier edit took away what this one edits
            continue
        yield name


@pytest.mark.parametrize("seed", range(3))
def test_many_edits_one_after_the_other(seed, hall, same):
    assert len([same() for _ in edited(hall, seed, 12)]) > 6


def test_frames(hall, same):
    for frame in (1, 2, 3, 3, 9, 2.5):
        same(frame=frame)
    assert bpy.context.scene.frame_current == 1


def test_questions_taking_turns(hall, same):
    for _ in range(2):
        for name in "AB":
            hall[name].select_set(True)
        same(scope="SELECTED")
        same()
        same(objects=[hall["A"], hall["C"], hall["S1"]])
        hall["A"].location.x += 0.1


def test_another_file(hall, same, tmp_path):
    path = str(tmp_path / "hall.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    same()
    for _ in range(2):
        bpy.data.objects["A"].location.x += 0.25
        same()
        bpy.ops.wm.open_mainfile(filepath=path)
        same()


def test_an_earlier_report_stays_as_it_was(hall, tmp_path):
    """Its Snapshot is asked for after the Scene went on, and can be tested again."""
    first = api.detect()
    wanted = bits(first, tmp_path / "a.json")
    poses, vertices = first.source.core.poses.copy(), first.source.core.meshes[0].vertices.copy()
    hall["A"].location.x += 0.5
    foreach_set(hall["A"].data, True)
    triangles = first.source.core.meshes[0].triangles.copy()
    second = api.detect()
    kept = first.source.mesh_of(0)
    assert len(kept) == 2 and kept[0].tobytes() == vertices.tobytes() and kept[1].tobytes() == triangles.tobytes()
    assert first.source.core is not second.source.core
    assert first.source.core.poses.tobytes() == poses.tobytes()
    assert first.source.core.meshes[0].vertices.tobytes() == vertices.tobytes()
    assert bits(api.detect_in(first.source), tmp_path / "b.json") == wanted
    api.write_back(first)


def trees_of(report):
    trees = MeshTrees.of(report.source.core)
    return trees, trees.vertices, trees.built.copy(), len(trees.members)


@pytest.mark.parametrize("name", ["nothing", "move", "vertex", "material", "rename", "hide", "delete", "frame",
                                  "move an instancer", "fewer instances"])
def test_an_edit_costs_no_trees(name, hall):
    before = api.detect()
    core, (trees, arrays, built, members) = before.source.core, trees_of(before)
    EDITS[name](hall)
    report = api.detect()
    assert report.source.core is core and trees_of(report)[0] is trees
    assert trees.vertices is arrays and np.array_equal(trees.built, built) and len(trees.members) == members


def test_what_did_not_move_stays_placed(hall):
    report = api.detect()
    world = report.source.core.cache["forest"].world
    hall["A"].location.x += 0.01
    assert api.detect().source.core.cache["forest"].world is world


def test_a_run_that_was_left_keeps_its_scene(hall):
    """A worker may still be busy with it: the next run begins a Scene of its own."""
    first = api.detect()
    follower = next(reversed(session._state.followers.values()))
    assert follower.core is first.source.core and not follower.lock.locked()
    with follower.lock:
        assert api.detect().source.core is not first.source.core
    assert api.detect().source.core is follower.core


@pytest.mark.parametrize("stage", ["reading the scene", "contacts"])
def test_a_cancelled_run_lets_go(stage, hall, same):
    api.detect()
    follower = next(reversed(session._state.followers.values()))
    try:
        api.detect(progress=lambda now, _: now != stage)
    except Exception as error:
        assert stage == "reading the scene", error
    assert not follower.lock.locked()
    hall["A"].location.x += 0.1
    same()


def test_the_same_corners_cut_into_other_faces(empty_file):
    """A triangle beside a quad becomes a quad beside a triangle: vertices, corners and numbers of faces stay."""
    places = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 1), (-2, 2, 0), (-2, 0, 0), (-1, -1, 1)]
    fan, found = add("Fan", mesh_of("Fan", places, [(0, 1, 2)])), []
    add_cube("Other")
    for faces in ([(0, 1, 2), (3, 4, 5, 6)], [(0, 1, 2, 3), (4, 5, 6)], [(0, 1, 2), (3, 4, 5, 6)]):
        fan.data.clear_geometry()
        fan.data.from_pydata(places, [], faces)
        bpy.context.view_layer.update()
        followed, fresh = (triangles_of_first(each.core) for each in (api.detect().source, api.read_scene()))
        assert np.array_equal(followed, fresh)
        found.append(fresh)
    assert np.array_equal(found[0], found[2]) and not np.array_equal(found[0], found[1])


def triangles_of_first(core):
    return core.meshes[core.objects[0].mesh].triangles
