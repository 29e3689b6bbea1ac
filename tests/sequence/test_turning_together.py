# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of one thing that turns: nothing happens among them between frames (core/sequence/together.py)."""
import numpy as np
import pytest
from naive.shapes import box
from touchpoint.core import Scene, Sweep

TURN = np.radians(40.0)
HUB = box((-1, -1, -1), (1, 1, 1))


def turned(frame, turn=TURN):
    pose, angle = np.eye(4), 0.3 + frame * turn
    pose[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return pose


def at(x, y=0.0):
    pose = np.eye(4)
    pose[:2, 3] = x, y
    return pose


def report_of(parts, pose_of, frames=4, **how):
    """Of parts (mesh, pose in the whole) whose whole is at pose_of(number of the part, frame)."""
    scene, run = Scene(), Sweep(continuous=True, **how)
    for mesh, _ in parts:
        scene.add_object(scene.add_mesh(*mesh))
    for frame in range(frames):
        poses = [pose_of(number, frame) @ there for number, (_, there) in enumerate(parts)]
        scene.set_poses(range(len(parts)), [each.astype(np.float32).astype(float) for each in poses])
        run.add(frame, scene)
    return run.report()


def bolts(gap):
    """On two sides of the hub, each with an origin of its own."""
    bolt = box((0, -0.2, -0.2), (1, 0.2, 0.2))
    return [(HUB, np.eye(4)), (bolt, at(1 + gap)), (bolt, at(1 + gap, 0.6)), (bolt, at(-2 - gap))]


@pytest.mark.parametrize("way", [0.0, 300.0])
def test_parts_of_a_wheel_do_not_meet(way):
    """By themselves each of them would go straight, and so come 6 cm into the hub."""
    report = report_of(bolts(0.01), lambda _, frame: at(way * frame) @ turned(frame))
    assert len(report.pairs) == 0
    by_itself = report_of(bolts(0.01), lambda number, frame: turned(frame + 1e-3 * number * frame))
    assert len(by_itself.pairs) > 0


def test_parts_that_touch_go_on_touching():
    report = report_of(bolts(0.0), lambda _, frame: turned(frame), tolerance=1e-4)
    assert {report.verdict(row) for row in range(len(report.pairs))} == {"touching"} and len(report.pairs) == 3
    assert all(each.tolist() == [[0.0, 3.0]] for each in report.intervals)


def test_their_gap_is_that_of_the_frames():
    report = report_of(bolts(0.01), lambda _, frame: turned(frame), clearance=0.1)
    assert [report.verdict(row) for row in range(len(report.pairs))] == 3 * ["near"]
    assert report.pairs["gap"] == pytest.approx(0.01, abs=1e-5)


def test_what_moves_within_the_whole_is_followed():
    """A bullet that is shot through a bolt from frame to frame, on board."""
    parts = [(HUB, np.eye(4)), (box((-0.1, -0.1, 5), (0.1, 0.1, 6)), np.eye(4))]

    def pose(number, frame):
        shot = np.eye(4)
        shot[2, 3] = -10.0 * number * (frame > 1)
        return turned(frame) @ shot

    report = report_of(parts, pose)
    assert len(report.pairs) == 1 and 1.0 < report.first_contact[0] < 2.0


def test_what_grows_is_followed():
    """The hub is a tenth larger in the end, and so reaches the bolts."""
    report = report_of(bolts(0.01), lambda number, frame: turned(frame) @ np.diag(
        3 * [1.0 + 0.1 * (frame > 1) * (number == 0)] + [1.0]))
    assert sorted(report.first_contact.tolist()) == pytest.approx(3 * [1.1], abs=0.2)


def test_other_things_meet_them():
    post = box((1.5, 1.2, -0.1), (1.6, 1.3, 0.1))
    parts = [*bolts(0.01), (post, np.eye(4))]
    report = report_of(parts, lambda number, frame: turned(frame) if number < 4 else np.eye(4), frames=2)
    assert set(report.pairs["b"]) == {4}
