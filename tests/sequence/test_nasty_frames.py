# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that make no sense, that have nothing to test, that are cancelled, and very many of them."""
import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import ball, box
from touchpoint.core import Refused, Scene, Sweep, Unsupported, sweep

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls


def boxes(*places):
    scene = Scene()
    mesh = scene.add_mesh(*box())
    for number, place in enumerate(places):
        scene.add_object(mesh, pose(1, (place, 0, 0)), name=f"o{number}")
    return scene


@pytest.mark.parametrize("frame", [np.nan, np.inf, "1", None, True, 10 ** 400, [1, 2]])
def test_a_frame_is_a_number(frame):
    with pytest.raises(Refused, match="must be a number"):
        Sweep().add(frame, boxes(0, 0.5))


def test_frames_ascend():
    run = Sweep()
    run.add(2, boxes(0, 0.5))
    for frame in (2, 1.5):
        with pytest.raises(Refused, match="must ascend"):
            run.add(frame, boxes(0, 0.5))
    run.add(2.5, boxes(0, 3))
    assert run.report().intervals[0].tolist() == [[2, 2]]


def test_no_frames_are_refused():
    with pytest.raises(Refused, match="no frames"):
        sweep([])
    with pytest.raises(Refused, match="At least two objects"):
        sweep([(1, boxes(0)), (2, boxes(0))])
    with pytest.raises(Refused, match="clearance"):
        sweep([(1, boxes(0, 1))], clearance=np.nan)


def test_frames_with_nothing_to_test_end_intervals():
    scenes = [boxes(0, 0.5), boxes(0), boxes(0, 0.5), boxes(0, 0.5), Scene()]
    run = Sweep()
    reports = [run.add(frame, scene) for frame, scene in enumerate(scenes)]
    assert [len(report.pairs) for report in reports] == [1, 0, 1, 1, 0] and "At least two" in reports[1].notes[0]
    report = run.report()
    assert report.frames.tolist() == [0, 2, 3] and report.intervals[0].tolist() == [[0, 0], [2, 3]]
    assert report.notes == ["2 of 5 frames were not tested, the first being 1: At least two objects are needed to look "
                            "for collisions; one alone can be tested with itself."]
    with pytest.raises(Refused, match="must ascend"):
        run.add(4, scenes[0])


def test_objects_that_cannot_be_tested_for_a_while_are_named():
    scene = boxes(0, 0.5, 5)
    whole = scene.meshes[0].vertices
    mesh = scene.add_mesh(whole.copy(), scene.meshes[0].triangles)
    scene.objects[1].mesh = mesh
    run = Sweep()
    for frame in range(4):
        scene.set_vertices(mesh, whole * (np.nan if frame in (1, 2) else 1))
        run.add(frame, scene)
    report = run.report()
    assert report.intervals[0].tolist() == [[0, 0], [3, 3]] and report.exit_code(fail_on=()) == 2
    assert [each.name for each in report.skipped] == ["o1"]
    assert report.notes == ["o1 was left out in 2 of 4 frames: it has coordinates that are not numbers (NaN or "
                            "infinite)."]


def crossing_balls():
    scene = Scene()
    mesh = scene.add_mesh(*ball(24, 16))
    for number in range(3):
        scene.add_object(mesh, pose(1, (0.7 * number, 0, 0)), name=f"o{number}")
    return scene


def moving(scene, frames=6):
    for frame in range(frames):
        scene.set_poses([0], [pose(1, (0.01 * frame, 0, 0))])
        yield frame, scene


@pytest.mark.parametrize("stage", ["prepare", "broad phase", "contacts", "verdicts"])
def test_a_cancelled_run_keeps_the_frames_that_are_done(stage):
    seen = []

    def progress(name, fraction):
        seen.append(name)
        return not (name == stage and seen.count("prepare") >= 3)

    report = sweep(moving(crossing_balls()), progress=progress)
    assert report.cancelled and report.exit_code(fail_on=()) == 2
    done = len(report.frames)
    assert 1 <= done < 6
    assert all(each.tolist() == [[0, done - 1]] for each in report.intervals) and len(report.pairs) == 3
    assert report.summary()["crossing"] == 3


def test_nothing_follows_a_cancelled_frame():
    run, frames = Sweep(), moving(crossing_balls())
    partial = run.add(*next(frames), progress=lambda name, fraction: False)
    assert partial.cancelled and run.report().cancelled and len(run.report().frames) == 0
    with pytest.raises(Refused, match="cancelled"):
        run.add(*next(frames))


def test_a_still_scene_can_be_cancelled():
    scene, calls = boxes(0, 0.5), []
    report = sweep(((frame, scene) for frame in range(100)),
                   progress=lambda name, fraction: calls.append(name) or len(calls) < 50)
    assert report.cancelled and 1 < len(report.frames) < 99


def test_progress_grows_where_the_number_of_frames_is_known():
    fractions = []
    sweep([(frame, boxes(0, 0.5 + frame)) for frame in range(4)],
          progress=lambda name, fraction: fractions.append(fraction))
    assert sorted(set(fractions)) == [0, 0.25, 0.5, 0.75] and fractions == sorted(fractions)


def test_ten_thousand_frames_take_the_memory_of_a_few():
    """A pair that gets worse and worse, one that meets now and then, one that never moves; contacts do not heap up."""
    scene = boxes(0, 0.5, 10, 10.5, 20)
    run, sizes = Sweep(depth=True), []
    for frame in range(10_000):
        step = frame // 10
        scene.set_poses([0, 4], [pose(1, (1e-4 * step - 0.4, 0.2, 0.1)), pose(1, (12 - 0.75 * (step % 2), 0.2, 0.1))])
        run.add(frame, scene)
        sizes.append(run.told._history._contacts._held + run._latest._store._held)
    report = run.report()
    assert len(report.frames) == 10_000 and [len(each) for each in report.intervals] == [1, 1, 500]
    assert report.worst_frame.tolist() == [9_990, 0, 10]
    assert max(sizes) < 15_000 and len(report.contacts) < 500
    assert len(report.notes) == 0 and len(report.stages) == 5


def test_what_detect_refuses_is_refused_before_anything_is_kept():
    run = Sweep(method="saga", tolerance=1e-3)
    with pytest.raises(Unsupported):
        run.add(1, boxes(0, 0.5))
    with pytest.raises(Refused):
        run.report()
