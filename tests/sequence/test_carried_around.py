# SPDX-License-Identifier: GPL-3.0-or-later
"""A note tells of objects that perhaps did not go straight between two frames (core/sequence/carried.py)."""
import numpy as np
import pytest
from naive.shapes import box
from touchpoint.core import Scene, Sweep

BLADE, PIN = box((-1, -0.1, -0.1), (1, 0.1, 0.1)), box((-0.03, -0.03, -0.5), (0.03, 0.03, 0.5))


def about_up(degrees):
    pose, angle = np.eye(4), np.radians(degrees)
    pose[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return pose


def place(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def report_of(*poses):
    """Of a blade at these poses in turn, and a pin that a blade which is carried around by 60 degrees meets."""
    scene, run = Scene(), Sweep(continuous=True)
    scene.add_object(scene.add_mesh(*BLADE), name="Blade")
    scene.add_object(scene.add_mesh(*PIN), place(2.9 * np.cos(np.pi / 6), 2.9 * np.sin(np.pi / 6)), name="Pin")
    for frame, pose in enumerate(poses):
        scene.set_poses([0], [pose])
        run.add(frame, scene)
    return run.report()


def test_what_goes_around_is_told_of():
    """It is not met, as its origin is taken to go straight."""
    far = [about_up(60 * frame) @ place(2) for frame in range(6)]
    report = report_of(*far)
    note, = report.notes
    assert len(report.pairs) == 0 and "Blade" in note and "Pin" not in note and "smaller step" in note
    near = report_of(*(about_up(5 * frame) @ place(2) for frame in range(13)))
    assert len(near.pairs) == 1 and not near.notes


@pytest.mark.parametrize("pose_of", [
    lambda frame: place(5 * frame, 9),                                          # goes straight
    lambda frame: place(0, 9) @ about_up(90 * frame),                           # turns about its origin
    lambda frame: place(0, 9, 5 * frame) @ about_up(90 * frame),                # or along its axis, as a drill does
    lambda frame: place(0.3 * frame, 9) @ about_up(20 * frame),                 # rolls slowly
    lambda frame: place(5 * frame, 9) @ np.diag([1.0 + frame, 1.0, 1.0, 1.0])], ids=range(5))
def test_nothing_is_told_of_what_is_certain(pose_of):
    assert report_of(*map(pose_of, range(4))).notes == []


def test_it_is_told_of_the_one_interval_in_which_it_is_so():
    poses = [place(0.01 * frame, 9) for frame in range(5)]
    assert report_of(*poses, place(5, 9) @ about_up(90), place(5, 9) @ about_up(90)).notes


@pytest.mark.parametrize("clearance", [0.0, 0.01])
@pytest.mark.parametrize("y", [0.8, -0.8])
def test_half_a_turn_is_looked_at_one_way_round(y, clearance):
    """From each frame to the next the blade turns by exactly half a circle, and passes a pin on one side of its axis:
    as long as the last contact is looked for on the way back, and not on the other side."""
    scene, run = Scene(), Sweep(continuous=True, clearance=clearance)
    scene.add_object(scene.add_mesh(*box((0, -0.1, -0.1), (1, 0.1, 0.1))), name="Blade")
    scene.add_object(scene.add_mesh(*PIN), place(0.0, y), name="Pin")
    for frame in range(3):
        scene.set_poses([0], [np.diag([(-1.0) ** frame, (-1.0) ** frame, 1.0, 1.0])])
        run.add(frame, scene)
    report = run.report()
    assert len(report.pairs) == (y > 0) and "Blade" in report.notes[0]
    for start, end in report.intervals[0] if y > 0 else ():
        assert 0.4 < start % 1.0 < 0.5 < end % 1.0 < 0.6 and start + end == pytest.approx(1 + 2 * np.floor(start))
