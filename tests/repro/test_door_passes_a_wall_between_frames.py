# SPDX-License-Identifier: GPL-3.0-or-later
"""A door that swings past a wall at 3 mm between two frames was clear with a clearance of 5 mm: gaps were those of
frames only, and in both it is a foot away."""
import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import box
from touchpoint.core import Scene, sweep

pytestmark = pytest.mark.scenes

TIP = np.hypot(0.9, 0.02)           # how far the edges of the door are from its hinge


def swinging():
    """The door turns by 40 degrees, and an edge of the wall stands at 20 degrees, 3 mm beyond it."""
    scene = Scene()
    scene.add_object(scene.add_mesh(*box((0, -0.02, 0), (0.9, 0.02, 2))), name="Door")
    edge = (TIP + 0.003) * np.array([np.cos(np.radians(20)), np.sin(np.radians(20)), 0])
    scene.add_object(scene.add_mesh(*box((0, 0, -1), (1, 1, 3))), pose(1, edge), name="Wall")
    for frame, degrees in ((1, 0), (2, 40)):
        cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        scene.set_poses([0], [pose(np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]]))])
        yield frame, scene


def test_it_is_near():
    assert len(sweep(swinging(), clearance=0.005).pairs) == 0
    report = sweep(swinging(), clearance=0.005, continuous=True)
    assert [report.verdict(row) for row in range(len(report.pairs))] == ["near"] and report.exit_code() == 1
    assert report.pairs["gap"][0] == pytest.approx(0.003, abs=1e-6)
    ((start, end),) = report.intervals[0]
    # Each of the two edges is nearest when it points at the wall's, off the middle of the door by atan(0.02 / 0.9).
    middle = 1.5 + np.array([-1, 1]) * np.degrees(np.arctan2(0.02, 0.9)) / 40
    assert start < middle[0] < end and start < middle[1] < end and 1.4 < start < end < 1.6
    assert np.abs(report.worst_frame[0] - middle).min() < 1e-3
