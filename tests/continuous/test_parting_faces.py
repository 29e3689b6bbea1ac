# SPDX-License-Identifier: GPL-3.0-or-later
"""Small objects that a face keeps apart through an interval (core/continuous/parting_faces.py)."""
import numpy as np
import pytest
from naive.shapes import box
from touchpoint.core import Scene
from touchpoint.core.continuous.contacts_between import contacts_between
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.continuous.near_between import near_between
from touchpoint.core.run import Run

ANGLE = np.radians(-17.0)
SLOPE = np.array([[1, 0, 0], [0, np.cos(ANGLE), -np.sin(ANGLE)], [0, np.sin(ANGLE), np.cos(ANGLE)]])


def about_up(angle):
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])


def on_a_slope(heights, turn=0.0):
    """Instants of a box above a slope, whose own box is upright, at heights above it; the box goes on by 0.1 and turns
    about the slope's normal in each."""
    scene, (vertices, triangles) = Scene(), box((-9, -9, -1), (9, 9, 0))
    scene.add_object(scene.add_mesh(vertices @ SLOPE.T, triangles))
    scene.add_object(scene.add_mesh(*box((0, 0, 0), (0.5, 0.8, 0.6))))
    instants = []
    for number, height in enumerate(heights):
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = SLOPE @ about_up(number * turn), SLOPE @ (0.1 * number, 0.0, height)
        scene.set_poses([1], [pose])
        instants.append(Instant.of(scene))
    return instants


@pytest.mark.parametrize("turn", [0.0, 0.3, np.pi])
@pytest.mark.parametrize("height", [1e-3, 1e-12])
def test_a_box_that_glides_along_a_slope_costs_no_triangles(height, turn):
    run = Run.unwatched(contacts_wanted=False)
    assert len(contacts_between(*on_a_slope((height, height), turn), run=run).a) == 0
    assert run.counts["triangle_pairs"] == 0


@pytest.mark.parametrize("turn", [0.0, 0.3, np.pi])
def test_what_sinks_into_it_is_met_in_time(turn):
    found = contacts_between(*on_a_slope((3e-3, -1e-3), turn))
    assert found.a.tolist() == [0] and found.toi[0] == pytest.approx(0.75, abs=1e-6) and found.toi[0] <= 0.75


def test_within_a_distance_is_not_apart():
    ends, run = on_a_slope((3e-3, 1e-3)), Run.unwatched(contacts_wanted=False)
    assert len(near_between(*ends, np.full(2, 0.5e-3), None, run).a) == 0
    found = near_between(*ends, np.full(2, 2e-3), None, run)
    assert found.a.tolist() == [0] and found.toi[0] == pytest.approx(0.5, abs=1e-6)


def test_an_opening_parts_nothing():
    """A box between two bars of one mesh: faces of both are apart from it, and none has all of both on two sides."""
    scene = Scene()
    bars = [box((-3, -3, -1), (3, -1, 1)), box((-3, 1, -1), (3, 3, 1))]
    vertices = np.concatenate([each for each, _ in bars])
    scene.add_object(scene.add_mesh(vertices, np.concatenate([bars[0][1], bars[1][1] + 8])))
    scene.add_object(scene.add_mesh(*box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))))
    start = Instant.of(scene)
    pose = np.eye(4)
    pose[1, 3] = 1.0
    scene.set_poses([1], [pose])
    found = contacts_between(start, Instant.of(scene))
    assert found.a.tolist() == [0] and found.toi[0] == pytest.approx(0.5, abs=1e-6) and found.toi[0] <= 0.5
