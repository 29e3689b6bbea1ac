# SPDX-License-Identifier: GPL-3.0-or-later
"""A run from the click to the written result, with things happening in between, pumped as a window does it. The modal
operator around it needs a window: tests/window."""
import time

import bpy
import pytest
from report_building import colour, empties, point_mesh, report_of, results
from run_pumping import LONG, Held, finish, result, start, started
from scene_building import add_cube
from touchpoint.addon import kernels, operators, questions, session, write_back
from touchpoint.addon.operators.modal import progress_text
from touchpoint.addon.run import NOTHING_TESTED, DetectRun
from touchpoint.addon.scene_read import read as reading
from touchpoint.core import Cancelled, Refused, TouchpointError

pytestmark = pytest.mark.usefixtures("registered")
WHITE = (1.0, 1.0, 1.0, 1.0)


@pytest.fixture(autouse=True)
def cubes(registered):
    """A and B cross, C is far away."""
    return [add_cube(name, place) for name, place in (("A", (0, 0, 0)), ("B", (1.3, 1.2, 1.1)), ("C", (9, 0, 0)))]


@pytest.fixture
def held(monkeypatch):
    """A run that is in the middle, as soon as `started(run)` returns."""
    held = Held(("A", "B", "crossing", 3), ("B", "C", "touching", 1))
    monkeypatch.setattr(questions, "detect_in", held)
    yield held
    held.released.set()


def test_from_the_click_to_the_result(cubes):
    report = finish(start())
    assert report.verdict(0) == "crossing"
    assert [pair.name for pair in result().pairs] == ["A × B"]
    assert colour(cubes[0]) == colour(cubes[1]) != WHITE and colour(cubes[2]) == WHITE
    assert len(point_mesh().data.vertices) == len(report.contacts) > len(empties()) == int(report.places[0]) == 1


def test_a_refusal_comes_before_the_thread():
    run = DetectRun.of_settings(bpy.context)
    assert progress_text(run) == "Reading the scene"
    bpy.context.scene.touchpoint.scope = "SELECTED"
    with pytest.raises(Refused, match="selected"):
        run.pump(LONG)
    assert not run.is_handed_over and not run.is_done


@pytest.mark.parametrize("size, pieces", [(reading.SIZE_OF_ANY, 3), (reading.SIZE_OF_PIECE, 1)])
def test_it_is_read_in_pieces_that_can_be_cancelled(cubes, size, pieces, monkeypatch):
    """Each large mesh is a piece, and many small ones are; before them come pieces in which objects are looked up."""
    monkeypatch.setattr(reading, "SIZE_OF_PIECE", size)
    run = DetectRun.of_settings(bpy.context)
    fractions = []
    while not run.is_handed_over:
        run.pump(0.0)
        fractions.append(run.progress.fraction)
    of_meshes = [fraction for fraction in fractions[:-1] if fraction > 0.0]     # the last one is of the run
    assert len(of_meshes) == pieces and of_meshes[-1] == 1.0 and fractions[:-1] == sorted(fractions[:-1])
    finish(run)
    run = DetectRun.of_settings(bpy.context)
    assert not run.pump(0.0)
    run.cancel()
    with pytest.raises(Cancelled, match=NOTHING_TESTED):
        run.pump(0.0)
    assert not run.is_handed_over and len(result().pairs) == 1


def move(cubes):
    cubes[2].location = (1.2, 0.0, 0.0)
    bpy.context.view_layer.update()


def edit_a_mesh(cubes):
    for vertex in cubes[2].data.vertices:
        vertex.co.x -= 8.0
    cubes[2].data.update()
    bpy.context.view_layer.update()


def change_the_frame(cubes):
    cubes[2].location.x = 1.2
    cubes[2].keyframe_insert("location", frame=2)
    bpy.context.scene.frame_set(2)


@pytest.mark.parametrize("change", [move, edit_a_mesh, change_the_frame])
def test_a_change_while_it_is_read(change, cubes):
    """All is read anew: not one object as it was and another one as it is."""
    run = DetectRun.of_settings(bpy.context)
    assert not run.pump(0.0) and not run.is_handed_over
    change(cubes)
    finish(run)
    assert {pair.name for pair in result().pairs} == {"A × B", "A × C", "B × C"}


def test_a_deletion_and_an_undo_while_it_is_read(cubes):
    bpy.ops.ed.undo_push(message="cubes")
    run = DetectRun.of_settings(bpy.context)
    assert not run.pump(0.0)
    bpy.data.objects.remove(cubes[2])
    bpy.ops.ed.undo_push(message="deleted")
    finish(run)
    assert result().tested.startswith("2 objects")
    run = DetectRun.of_settings(bpy.context)
    assert not run.pump(0.0)
    bpy.ops.ed.undo()
    finish(run)
    assert result().tested.startswith("3 objects")


def test_another_scene_is_opened_while_it_is_read():
    run = DetectRun.of_settings(bpy.context)
    bpy.context.window_manager.windows[0].scene = bpy.data.scenes.new("Other")
    with pytest.raises(TouchpointError, match="Another scene"):
        run.pump(LONG)


def test_progress(held, monkeypatch):
    run = started(held)
    manager = bpy.context.window_manager.touchpoint
    assert manager.running
    run._worker._report("contacts", 0.43)
    assert (manager.stage, manager.fraction) == ("contacts", pytest.approx(0.43))
    assert progress_text(run) == "Testing triangles 43%"
    run.cancel()
    assert progress_text(run) == "Cancelling"
    held.released.set()
    finish(run)
    assert not manager.running


def test_cancelled_it_keeps_what_was_found(held):
    run = started(held)
    run.cancel()
    held.released.set()
    assert finish(run).cancelled
    assert result().partial and [pair.verdict for pair in result().pairs] == ["crossing", "cannot tell"]
    assert len(point_mesh().data.vertices) == 3


def test_cancelled_with_nothing_found_it_keeps_the_earlier_result(held):
    write_back.write(report_of(("A", "C", "touching", 2)))
    before = result().run_id
    held.pairs = ()
    run = started(held)
    run.cancel()
    held.released.set()
    with pytest.raises(Cancelled, match=NOTHING_TESTED):
        finish(run)
    assert result().run_id == before and not result().partial


def test_cancelled_before_the_reading_it_is_over():
    run = DetectRun.of_settings(bpy.context)
    run.cancel()
    assert run.abandoned and progress_text(run) == "Cancelling"


def test_an_object_deleted_meanwhile(held, cubes):
    run = started(held)
    bpy.data.objects.remove(cubes[0])
    held.released.set()
    finish(run)
    assert [pair.name for pair in result().pairs] == ["A × B", "B × C"]
    assert colour(cubes[1]) != WHITE and "A" not in bpy.data.objects


def test_an_object_renamed_and_one_edited_meanwhile(held, cubes):
    run = started(held)
    cubes[0].name = "Other"
    bpy.context.view_layer.objects.active = cubes[1]
    bpy.ops.object.mode_set(mode="EDIT")
    held.released.set()
    finish(run)
    assert colour(cubes[0]) != WHITE and bpy.context.mode == "EDIT_MESH"


def test_undo_meanwhile(held):
    bpy.ops.ed.undo_push(message="cubes")
    add_cube("Undone")
    bpy.ops.ed.undo_push(message="one more")
    run = started(held)
    bpy.ops.ed.undo()
    assert "Undone" not in bpy.data.objects
    held.released.set()
    finish(run)
    assert colour(bpy.data.objects["A"]) != WHITE and len(result().pairs) == 2


def test_the_scene_renamed_meanwhile(held):
    run = started(held)
    bpy.context.scene.name = "Other"
    held.released.set()
    finish(run)
    assert len(result().pairs) == 2


def test_the_scene_deleted_meanwhile(held):
    run = started(held)
    gone = bpy.context.scene
    bpy.context.window_manager.windows[0].scene = bpy.data.scenes.new("Other")
    bpy.data.scenes.remove(gone)
    held.released.set()
    with pytest.raises(TouchpointError, match="scene was deleted"):
        finish(run)
    assert results() == []


def test_another_file_meanwhile(held):
    run = started(held)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert run.abandoned and run.is_cancelled and session.run() is None
    held.released.set()
    run.wait(LONG)
    assert run.is_done and results() == [] and result().run_id == ""


def test_the_add_on_disabled_meanwhile(held):
    run = started(held)
    held.released.set()
    operators.stop_run()
    assert run.abandoned and run.is_done and session.run() is None


@pytest.mark.parametrize("error", [MemoryError(), ValueError("wrong"), Refused("A sentence.")])
def test_an_error_in_the_thread_reaches_the_main_thread(monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(questions, "detect_in", fail)
    with pytest.raises(type(error)):
        finish(start())
    assert results() == []


def test_it_waits_for_kernels_that_are_being_compiled(held, monkeypatch):
    monkeypatch.setattr(kernels.state, "stage", "compiling")
    monkeypatch.setattr(kernels.state, "fraction", 0.25)
    run = start()
    while run.progress.fraction != 0.25:
        time.sleep(0.01)
    assert progress_text(run) == "Preparing for the first run 25%" and not held.running.is_set()
    kernels.state.stage = "ready"
    held.released.set()
    assert len(finish(run).pairs) == 2


@pytest.mark.parametrize(("setting", "value", "waits"), [("clearance", 0.5, False), ("method", "parallel", True),
                                                         ("self_collisions", True, True)])
def test_detect_does_not_wait_for_kernels_of_other_methods(held, monkeypatch, setting, value, waits):
    monkeypatch.setattr(kernels.state, "others_wait", True)
    monkeypatch.setattr(kernels.state, "fraction", 0.25)
    setattr(bpy.context.scene.touchpoint, setting, value)
    run = start()
    if waits:
        while run.progress.fraction != 0.25:
            time.sleep(0.01)
        assert not held.running.is_set()
        kernels.state.others_wait = False
    assert held.running.wait(20)
    held.released.set()
    assert len(finish(run).pairs) == 2


def test_waiting_for_kernels_can_be_cancelled(held, monkeypatch):
    monkeypatch.setattr(kernels.state, "stage", "compiling")
    run = start()
    run.cancel()
    with pytest.raises(Cancelled, match=NOTHING_TESTED):
        finish(run)
    assert not held.running.is_set()


def test_numba_missing(monkeypatch):
    monkeypatch.setattr(kernels, "problem", lambda: "numba is missing")
    with pytest.raises(TouchpointError, match="numba is missing"):
        start()


def test_the_clearance_of_the_sidebar(cubes):
    settings = bpy.context.scene.touchpoint
    for each, place in zip(cubes, (0.0, 2.25, 6.0)):
        each.location = (place, 0, 0)
    finish(start())
    assert result().headline == "No collisions"
    settings.clearance = 0.5
    finish(start())
    assert result().headline == "No collisions; 1 pair is near"
    assert result().pairs[0].line == "Near, 25 cm apart"
    assert result().pairs[0].centre[0] == pytest.approx(1.125)
    bpy.context.scene.unit_settings.system = "NONE"
    finish(start())
    assert result().pairs[0].line == "Near, 0.25 apart"
