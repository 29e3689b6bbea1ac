# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever makes a mesh another one from frame to frame, or when it is edited: what goes on from an earlier reading is
what a reading from scratch is, to the last bit, and a result is marked as soon as it is not that of what is shown."""
import json

import bpy
import moving_nodes
import moving_things
import numpy as np
import pytest
from moving_building import edit_keys_and_drivers
from scene_building import add_cube
from touchpoint.addon import api, session, staleness
from touchpoint.addon.live import engine
from touchpoint.addon.pieces import finished
from touchpoint.addon.scene_read import Follower, read_scene, reading, show_frame
from touchpoint.core import Sweep, detect

FRAMES = (1, 2, 3, 4, 5, 6, 7, 8, 8, 4.5, 9, 2, 1, 6)       # in order first, as simulations want it, then to and fro

# What no key and no driver changes without another frame: time does, or what came before.
BY_TIME = {"wave", "build", "points_of_a_file", "alembic_file", "cloth", "cloth_in_a_wind", "soft_body", "rigid_bodies",
           "dynamic_paint", "nodes_of_time", "simulation_nodes", "handler_that_edits"}
THINGS = {make.__name__: make for make in (*moving_things.ALL, *moving_nodes.ALL)}


@pytest.fixture
def thing(request, empty_file, tmp_path):
    """Adds one of them, by its name, beside two cubes that rest."""
    make, handlers = THINGS[request.param], list(bpy.app.handlers.frame_change_pre)
    add_cube("Rest")
    add_cube("Block", (0.4, 0.3, 1.4))
    if make in moving_things.WITH_A_FILE:
        make(tmp_path)
    else:
        make()
    show_frame(bpy.context.scene, 1)
    yield
    bpy.app.handlers.frame_change_pre[:] = handlers


of_each = pytest.mark.parametrize("thing", THINGS, indirect=True)


def objects_of(snapshot):
    """By name, all that is tested of each object, as bytes: place, vertices, triangles, faces."""
    core = snapshot.core
    meshes = [core.meshes[each.mesh] for each in core.objects]
    return {row.name: (pose.tobytes(), mesh.vertices.tobytes(), mesh.triangles.tobytes(),
                       None if mesh.faces is None else mesh.faces.tobytes())
            for row, pose, mesh in zip(snapshot.rows, core.poses, meshes)}


def said_of(report):
    """All that a report says of pairs."""
    return ([report.pairs[name].tobytes() for name in ("a", "b", "verdict", "gap", "contacts")],
            [np.ascontiguousarray(each).tobytes() for each in vars(report.contacts).values()])


@of_each
def test_a_reading_that_goes_on(thing):
    """What was read of each frame, and what a Sweep says of it, where what rests is not asked again."""
    follower, run, seen = Follower(), Sweep(clearance=0.125), []
    for number, frame in enumerate(FRAMES):
        show_frame(bpy.context.scene, frame)
        followed, fresh = finished(reading(follower=follower)), read_scene()
        seen.append(objects_of(fresh))
        assert objects_of(followed) == seen[-1], frame
        assert said_of(run.add(number, followed.core)) == said_of(detect(fresh.core, clearance=0.125)), frame
    assert any(one != other for one, other in zip(seen, seen[1:])), "nothing has moved: the test tells nothing"


@of_each
def test_check_animation(thing, tmp_path):
    """Which follows one scene, against frames that are each read and tested by themselves."""
    report = api.check_animation((1, 6))
    report.to_json(tmp_path / "animation.json")
    listed = [({pair["a"], pair["b"]}, pair["intervals"])
              for pair in json.loads((tmp_path / "animation.json").read_text())["pairs"]]
    for frame in (1, 2, 3, 4, 5, 6):
        show_frame(bpy.context.scene, frame)
        fresh = api.detect_in(read_scene())
        names = [each.name for each in fresh.objects]
        wanted = [{names[a], names[b]} for a, b in fresh.pairs[["a", "b"]].tolist()]
        found = [pair for pair, intervals in listed if any(start <= frame <= end for start, end in intervals)]
        assert sorted(map(sorted, found)) == sorted(map(sorted, wanted)), frame


@pytest.mark.parametrize("thing", [name for name in THINGS if name not in BY_TIME], indirect=True)
def test_an_edit_is_noticed(thing, registered):
    """By the mark at the rows of a result, and by Live."""
    scene = bpy.context.scene
    show_frame(scene, 5)
    before = read_scene()
    api.write_back(api.detect())
    assert not staleness.is_stale(scene.touchpoint.result)
    engine.start(scene)
    engine._live.marked = False
    edit_keys_and_drivers()
    after, marked, watch = read_scene(), engine._live.marked, session.watch(scene.touchpoint.result)
    engine.stop()
    now, then = objects_of(after), objects_of(before)
    changed = {name for name in now.keys() | then.keys() if now.get(name) != then.get(name)}
    assert changed, "nothing was edited: the test tells nothing"
    assert marked and staleness.is_stale(scene.touchpoint.result)
    of_row = {row.name: (row.object_name, "") for row in before.rows}
    missed = {of_row[name] for name in changed if name in of_row} - set(watch.changed)
    assert not missed
