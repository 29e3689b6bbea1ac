# SPDX-License-Identifier: GPL-3.0-or-later
"""The last part of a run: the result is written in pieces, with Esc, undo and other files in between."""
import bpy
import pytest
from report_building import all_data, colour, empties, point_mesh, report_of, results
from run_pumping import Held, finish, pump_until, result, start
from scene_building import add_cube
from touchpoint.addon import questions, session, staleness, write_back
from touchpoint.addon.operators.modal import progress_text
from touchpoint.addon.pumped_run import WRITING
from touchpoint.addon.run import DetectRun
from touchpoint.addon.write_back.listing import UNFINISHED

pytestmark = pytest.mark.usefixtures("registered")
WHITE = (1.0, 1.0, 1.0, 1.0)


@pytest.fixture(autouse=True)
def cubes(registered):
    return [add_cube(name, place) for name, place in (("A", (0, 0, 0)), ("B", (1.3, 1.2, 1.1)), ("C", (9, 0, 0)))]


@pytest.fixture
def held(monkeypatch):
    """A run that is in the middle, as soon as `started(run)` returns."""
    held = Held(("A", "B", "crossing", 3), ("B", "C", "overlap", 1))
    monkeypatch.setattr(questions, "detect_in", held)
    yield held
    held.released.set()


MANY = (("A", "B", "crossing", 40), ("B", "C", "overlap", 2))


def writing(held, *pairs):
    """A run that has begun to write."""
    held.pairs = pairs or MANY
    held.released.set()
    run = start()
    pump_until(run, lambda: run.is_writing)
    return run


def test_it_is_written_in_pieces(held):
    run = writing(held)
    fractions = []
    while not run.pump(0.0):
        assert run.progress.stage == WRITING and progress_text(run).startswith("Showing the result")
        fractions.append(run.progress.fraction)
    assert len(fractions) > 50 and fractions == sorted(fractions) and fractions[-1] == 1.0
    assert not result().partial and result().notes == "" and len(point_mesh().data.vertices) == 42


@pytest.mark.parametrize("pieces", range(1, 60, 7))
def test_what_is_written_to_is_deleted_meanwhile(held, pieces):
    run = writing(held)
    for _ in range(pieces):
        run.pump(0.0)
    for each in [*results(), bpy.data.objects["C"]]:
        bpy.data.objects.remove(each)
    for each in bpy.data.collections:
        bpy.data.collections.remove(each)
    assert len(finish(run).contacts) == 42
    assert not result().partial and colour(bpy.data.objects["A"]) != WHITE
    write_back.clear()
    assert results() == [] and colour(bpy.data.objects["A"]) == WHITE


def test_what_always_fails_is_not_tried_for_ever(held, monkeypatch):
    removed = add_cube("Removed")
    bpy.data.objects.remove(removed)

    def fail(*_):
        yield removed.name

    monkeypatch.setattr(DetectRun, "_writing", fail)
    held.released.set()
    with pytest.raises(ReferenceError):
        finish(start())


def test_half_written_it_says_so(held):
    run = writing(held)
    pump_until(run, lambda: result().run_id)
    assert result().partial and result().notes == UNFINISHED
    run.abandon()
    assert result().run_id and write_back.anything_coloured() is False


@pytest.mark.parametrize("written", [lambda: result().pairs, write_back.anything_coloured,
                                     lambda: "Touchpoint A × B 001" in empties(),
                                     lambda: "kind" in point_mesh().data.attributes])
def test_cancelled_while_it_is_written(held, written):
    """What is there belongs to this result, and the result says that something is missing."""
    before = all_data()
    write_back.write(report_of(("A", "C", "crossing", 60)))
    old, old_empties = result().run_id, set(empties())
    run = writing(held)
    pump_until(run, lambda: result().run_id != old)
    pump_until(run, written)
    run.cancel()
    assert progress_text(run) == "Cancelling"
    report = finish(run)
    assert not report.cancelled and result().partial and result().notes == UNFINISHED
    assert point_mesh() is None and not old_empties & set(empties()) and len(empties()) < 42
    assert bpy.ops.touchpoint.clear() == {"FINISHED"}
    assert all_data() == before
    finish(start())
    assert not result().partial and len(point_mesh().data.vertices) == 42 and len(empties()) == 42


@pytest.mark.parametrize("late", [lambda run: run.is_done, lambda run: run.is_writing])
def test_cancelled_before_anything_is_written(held, late):
    """Nothing of an earlier result is left, which would be taken for what was found now. Esc counts once the answer is
    there, too."""
    write_back.write(report_of(("A", "C", "crossing", 60)))
    old = result().run_id
    held.pairs = MANY
    held.released.set()
    run = start()
    while not late(run):
        assert not run.pump(0.0)
    run.cancel()
    finish(run)
    assert result().run_id != old and result().partial and result().notes == UNFINISHED
    assert point_mesh() is None and len(empties()) == 0 and result().headline.startswith("2 pairs collide")


def test_cancelled_while_it_is_written_it_is_one_step_to_undo(held):
    bpy.ops.ed.undo_push(message="cubes")
    run = writing(held)
    pump_until(run, empties)
    run.cancel()
    finish(run)
    bpy.ops.ed.undo_push(message="detect")
    bpy.ops.ed.undo()
    assert results() == [] and result().run_id == "" and colour(bpy.data.objects["A"]) == WHITE


def test_an_undo_while_it_is_written(held):
    bpy.ops.ed.undo_push(message="cubes")
    bpy.data.objects["C"].location.x += 1
    bpy.ops.ed.undo_push(message="moved")
    run = writing(held)
    pump_until(run, empties)
    bpy.ops.ed.undo()
    finish(run)
    assert len(empties()) == 42 == len(point_mesh().data.vertices) and not result().partial
    assert colour(bpy.data.objects["A"]) != WHITE


def test_another_file_while_it_is_written(held):
    run = writing(held)
    pump_until(run, empties)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert run.abandoned and results() == []
    del run
    assert not session.is_writing()


def test_what_it_writes_does_not_make_it_outdated(held):
    run = writing(held)
    while not run.pump(0.0):
        bpy.context.view_layer.update()     # as a redraw does
    bpy.context.view_layer.update()
    assert not staleness.is_stale(result())
