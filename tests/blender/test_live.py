# SPDX-License-Identifier: GPL-3.0-or-later
"""Live: the answer follows the scene, and the file never knows. How it is drawn is seen in tests/window."""
import random
import time
from types import SimpleNamespace

import bmesh
import bpy
import pytest
from animation_building import passing
from live_settling import settled
from moving_building import curves, edited
from moving_things import soft_body
from report_building import all_data, colour
from scene_building import add_cube, edit
from touchpoint.addon import api, handlers, session, staleness
from touchpoint.addon.live import engine
from touchpoint.addon.phrases import COLLIDING_WORDS, headline
from touchpoint.core import TouchpointError

pytestmark = pytest.mark.usefixtures("registered")


def manager():
    return bpy.context.window_manager.touchpoint


def moved(each, location):
    each.location = location
    bpy.context.view_layer.update()
    return settled()


@pytest.fixture
def cubes(registered):
    """A and B, which cross, and C far away; Live is on."""
    made = [add_cube("A"), add_cube("B", (1, 0.25, 0.5)), add_cube("C", (9, 9, 9))]
    manager().live = True
    return made


def test_it_follows_what_moves(cubes):
    found = settled()
    assert found.headline == "1 pair collides" and found.colliding == {("A", "B")}
    assert [row[0] for row in found.rows] == ["A × B"] and found.rows[0][2].endswith(" m")
    assert len(found.bodies) == 2 and len(found.lines) > 0 and found.bodies[1].pose[0, 3] in (0.0, 1.0)
    assert moved(cubes[1], (5, 0, 0)).headline == "No collisions" and engine.answer().bodies == []
    assert len(engine.answer().lines) == 0
    assert moved(cubes[2], (5.5, 0.25, 0.5)).colliding == {("B", "C")}


def test_it_says_what_detect_says(cubes):
    rng = random.Random(4)
    for _ in range(15):
        found = moved(rng.choice(cubes), [rng.uniform(-2.5, 2.5) for _ in range(3)])
        report = api.detect()
        names = {each.index: each.name for each in report.objects}
        assert found.colliding == {(names[int(pair["a"])], names[int(pair["b"])])
                                   for row, pair in enumerate(report.pairs) if report.verdict(row) in COLLIDING_WORDS}
        assert found.headline == headline(report)




def test_touches_are_not_drawn_over(cubes):
    found = moved(cubes[1], (2, 0, 0))
    assert found.headline == "No collisions; 1 pair touches" and found.bodies == [] and len(found.lines) == 0
    bpy.context.scene.touchpoint.show_touching = True
    assert len(settled().bodies) == 2 and len(engine.answer().lines) > 0


def test_nothing_is_read_while_nothing_changes(cubes):
    settled()
    number = engine._live.number
    for _ in range(20):
        engine.tick()
    assert engine._live.number == number
    bpy.data.objects["Camera" if "Camera" in bpy.data.objects else "C"].select_set(True)
    settled()
    bpy.context.scene.touchpoint.clearance = 20.0
    assert settled().headline == "1 pair collides; 2 are near" and engine._live.number > number


def test_what_a_key_hides_and_shows(cubes):
    """Blender tells of it no more than that the object was evaluated."""
    cubes[1].keyframe_insert("hide_viewport", frame=1)
    settled()
    for hidden, said in ((1.0, "No collisions"), (0.0, "1 pair collides")):
        for curve in curves():
            curve.keyframe_points[0].co.y = hidden
        edited()
        assert settled().headline == said


def test_frames(registered):
    passing()
    manager().live = True
    seen = {}
    for frame in (1, 5, 10, 16):
        bpy.context.scene.frame_set(frame)
        seen[frame] = settled().headline
    assert seen == {1: "No collisions", 5: "No collisions; 1 pair touches", 10: "1 pair collides",
                    16: "No collisions"}


def test_a_simulation_that_somebody_has_jumped_over(registered):
    """What is shown is not what is there when it is played, so nothing may be called clear."""
    add_cube("Floor", (0, 0, -9))
    soft_body()
    manager().live = True
    bpy.context.scene.frame_set(10)
    assert settled().headline == "No collisions; objects may stand elsewhere"
    assert api.detect().unsure
    for frame in range(1, 11):
        bpy.context.scene.frame_set(frame)
    assert settled().headline == "No collisions"


def test_the_file_never_knows(cubes):
    before = all_data()
    settled()
    moved(cubes[0], (0.5, 0, 0))
    assert all_data() == before and [colour(each) for each in cubes] == 3 * [(1.0, 1.0, 1.0, 1.0)]
    assert not any(key.startswith("touchpoint_") for each in cubes for key in each.keys())
    assert bpy.context.scene.touchpoint.result.run_id == ""


def test_undo_and_deletion(cubes):
    settled()
    bpy.ops.ed.undo_push(message="before")
    moved(cubes[1], (5, 0, 0))
    bpy.ops.ed.undo_push(message="moved")
    bpy.ops.ed.undo()
    assert settled().headline == "1 pair collides"
    bpy.ops.ed.redo()
    assert settled().headline == "No collisions"
    bpy.ops.ed.undo()
    settled()
    bpy.data.objects.remove(bpy.data.objects["A"])
    assert settled().headline == "No collisions"


def test_too_little_to_test_is_said(registered):
    only = add_cube("A")
    manager().live = True
    assert "two objects" in settled().headline or "only one" in settled().headline.lower()
    add_cube("B", (1, 0.25, 0.5))
    assert settled().headline == "1 pair collides" and manager().live and only


def test_a_result_of_detect_stays(cubes):
    settled()
    bpy.ops.touchpoint.detect()
    red = colour(cubes[0])
    moved(cubes[1], (5, 0, 0))
    assert colour(cubes[0]) == red and len(bpy.context.scene.touchpoint.result.pairs) == 1
    bpy.ops.touchpoint.clear()
    assert [colour(each) for each in cubes] == 3 * [(1.0, 1.0, 1.0, 1.0)]


def test_it_waits_for_runs_and_renders(cubes, monkeypatch):
    settled()
    number = engine._live.number
    for begin, end in ((lambda: session.set_run(SimpleNamespace(title="Detect")), lambda: session.set_run(None)),
                       (lambda: monkeypatch.setattr(engine, "is_rendering", lambda: True), monkeypatch.undo)):
        begin()
        cubes[1].location.x += 0.125
        bpy.context.view_layer.update()
        for _ in range(10):
            engine.tick()
        assert engine._live.number == number
        end()
        settled()
        number += 1
        assert engine._live.number == number


def test_off(cubes, tmp_path):
    """By the switch, with another file, with its scene, with the add-on; never on in a file."""
    def listening():
        return [each for event in ("depsgraph_update_post", "frame_change_post")
                for each in getattr(bpy.app.handlers, event) if each.__module__ == engine.__name__]

    settled()
    assert len(listening()) == 2
    manager().live = False
    assert not engine.is_on() and listening() == [] and engine.tick() is None and engine.answer() is None
    manager().live = True
    settled()
    path = str(tmp_path / "live.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert manager().live
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not manager().live and listening() == []
    manager().live = True
    engine.tick()
    other = bpy.data.scenes.new("Other")
    bpy.data.scenes.remove(bpy.context.scene)
    assert other and engine.tick() is None and not engine.is_on()
    manager().live = True
    engine.unregister()
    assert not engine.is_on() and not bpy.app.timers.is_registered(engine.tick)


def test_a_fault_switches_it_off(cubes, monkeypatch, caplog):
    settled()

    def fail(*_):
        raise RuntimeError("on purpose")

    monkeypatch.setattr(engine, "answer_of", fail)
    cubes[1].location.x += 0.125
    bpy.context.view_layer.update()
    end = time.perf_counter() + 30.0
    while engine.tick() is not None and time.perf_counter() < end:
        time.sleep(0.001)
    assert not engine.is_on() and "on purpose" in session.message() and "Live failed" in caplog.text


def test_edit_mode(cubes):
    settled()
    edit(cubes[1])
    assert settled().headline == "1 pair collides"
    mesh = bmesh.from_edit_mesh(cubes[1].data)
    for vertex in mesh.verts:
        vertex.co.x += 8.0
    bmesh.update_edit_mesh(cubes[1].data)
    bpy.context.view_layer.update()
    assert settled().headline == "No collisions" and bpy.context.mode == "EDIT_MESH"
    number = engine._live.number
    for _ in range(5):
        bpy.context.view_layer.update()
        engine.tick()
    assert engine._live.number <= number + 1
    bpy.ops.object.mode_set(mode="OBJECT")


def test_where_numba_is_missing(registered, monkeypatch):
    def refuse():
        raise TouchpointError("There is no numba.")

    monkeypatch.setattr(engine.questions, "prepare", refuse)
    manager().live = True
    assert not manager().live and session.message() == "There is no numba."


def test_a_result_is_not_marked_by_it(cubes):
    bpy.ops.touchpoint.detect()
    result = bpy.context.scene.touchpoint.result
    settled()
    assert not staleness.is_stale(result)
    moved(cubes[1], (5, 0, 0))
    assert staleness.is_stale(result) and handlers.is_rendering() is False
