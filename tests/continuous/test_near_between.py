# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes near between two instants: by hand, and against a plain oracle that samples the motion."""
import numpy as np
import pytest
from long.nearing import instants, judge
from long.outcome import Outcome
from naive.moving_bodies import CLASSES, SHAPES, WALL, draw, pose
from naive.shapes import ball, box, grid
from naive.whole_motions import rotation
from touchpoint.core import Scene
from touchpoint.core.continuous.contacts_between import contacts_between
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.continuous.near_between import least_gaps, near_between
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries import mesh_distance
from touchpoint.core.run import Run

CUBE = SHAPES["box"]


def at(x=0.0, y=0.0, z=0.0, linear=None):
    return pose(linear, (x, y, z))


def about(axis, angle):
    return rotation(np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.array(axis, float))]))


def moving(*bodies):
    """(start, end) of meshes with two poses each."""
    scene = Scene()
    for (vertices, triangles), first, _ in bodies:
        scene.add_object(scene.add_mesh(vertices, triangles), first)
    start = Instant.of(scene)
    scene.set_poses(range(len(bodies)), np.stack([last for _, _, last in bodies]))
    return start, Instant.of(scene)


def near(ends, *wish):
    """What `near_between` finds; wish: the clearance of each object."""
    return near_between(*ends, np.array(wish, float), None, Run(None, 1, False, {}))


def least(ends, clearance=1.0, known=np.inf):
    """(gap, slack, when, points) of the first two objects."""
    found = least_gaps(*ends, np.array([0], np.int32), np.array([1], np.int32), np.array([clearance]),
                       np.array([known]), Run(None, 1, False, {}))
    return tuple(each[0] for each in found)


@pytest.mark.parametrize("name", CLASSES)
def test_random_motions(name):
    rng, outcome = np.random.default_rng([8, CLASSES.index(name)]), Outcome()
    for row in range(6 if COMPILED else 1):        # tests/long asks as many as one likes
        judge(f"{name} {row}", draw(rng, name), rng, outcome, shortest=1 / (80 if COMPILED else 20))
    assert outcome.wrong == 0, outcome.examples
    assert outcome.counted.get("near") or not COMPILED or name == "both at rest"


def test_a_cube_flies_past_another_one():
    """At a gap of 0.3; within 0.5 while it is less than 0.4 beside it, which is between edges."""
    ends = moving((CUBE, at(-5, 1.3), at(5, 1.3)), (CUBE, at(), at()))
    found = near(ends, 0.5, 0)
    assert found.toi.tolist() == pytest.approx([(5 - 1 - 0.4) / 10], abs=1e-9) and found.toi[0] <= 0.36 + 1e-15
    assert 0 < found.tolerance[0] < 1e-8
    assert len(near(ends, 0.29, 0).toi) == 0
    gap, slack, when, points = least(ends, 0.5)
    assert 0.3 - 1e-12 <= gap <= 0.3 + slack and slack < 1e-3 * gap and 0.4 - 1e-3 <= when <= 0.6 + 1e-3
    assert points[0, 1] - points[1, 1] == pytest.approx(0.3, abs=1e-6)


def test_of_two_clearances_the_larger_one_counts():
    ends = moving((CUBE, at(-5, 1.3), at(5, 1.3)), (CUBE, at(), at()), (CUBE, at(0, 3), at(0, 3)))
    for wish, expected in (((0, 0, 0), []), ((0.31, 0, 0), [(0, 1)]), ((0, 0.31, 0), [(0, 1)]),
                           ((0, 0, 0.71), [(0, 2)]), ((0.1, 0.31, 0.71), [(0, 1), (0, 2)]),
                           ((9, 9, 9), [(0, 1), (0, 2)]), ((0.31, 0.31, 0.69), [(0, 1)])):
        found = near(ends, *wish)
        assert list(zip(found.a.tolist(), found.b.tolist())) == expected


def test_only_what_is_nearer_than_at_the_ends_is_found():
    sliding = moving((CUBE, at(-0.2, 1.3), at(0.2, 1.3)), (CUBE, at(), at()))
    assert np.isinf(least(sliding, known=0.3)[0])
    parting = moving((CUBE, at(0, 1.3), at(0, 1.8)), (CUBE, at(), at()))
    assert np.isinf(least(parting, known=0.3)[0])
    passing = moving((CUBE, at(-1.5, 1.3), at(1.5, 1.3)), (CUBE, at(), at()))
    assert least(passing, known=np.hypot(0.3, 0.5))[0] == pytest.approx(0.3, rel=1e-6)


def test_a_blade_that_turns_past_a_post():
    """Its tip, on a circle of radius 2, is 0.25 from a post at 45 degrees, and far from it at both ends."""
    where = 2.25 * np.sqrt(0.5)
    blade, post = box((0, -1e-6, -0.1), (2, 1e-6, 0.1)), box((0, 0, -1), (1, 1, 1))
    ends = moving((blade, at(), pose(about((0, 0, 1), np.pi / 2))), (post, at(where, where), at(where, where)))
    gap, _, when, points = least(ends, 0.4)
    assert gap == pytest.approx(0.25, abs=1e-6) and when == pytest.approx(0.5, abs=2e-3)
    assert points[1, :2] == pytest.approx([where, where], abs=1e-9)
    assert np.isinf(least(ends, 0.2)[0]) and len(near(ends, 0.2, 0.2).toi) == 0


def test_walls_of_no_thickness():
    sheet = np.array([[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]], float), WALL[1]
    ends = moving((sheet, at(0, -5, 4.5), at(0, 5, 4.5)), (WALL, at(), at()))       # over a wall that reaches to 4
    assert near(ends, 3.6, 0).toi.tolist() == pytest.approx([(5 - 4 - np.sqrt(3.6 ** 2 - 3.5 ** 2)) / 10], abs=1e-9)
    assert least(ends, 3.6)[0] == pytest.approx(3.5, rel=1e-6)


def test_what_is_near_all_the_while():
    """A clearance larger than everything: near from the start on, and the gap is the same."""
    ends = moving((CUBE, at(-5, 1.3), at(5, 1.3)), (CUBE, at(), at()))
    for clearance in (1e2, 1e9):
        assert near(ends, clearance, 0).toi.tolist() == [0.0]
        assert least(ends, clearance)[0] == pytest.approx(0.3, rel=1e-6)


def test_a_clearance_of_nothing_is_a_contact():
    rng = np.random.default_rng(1)
    for name in ("turns", "glides", "deforms", "passes closely"):
        for _ in range(4 if COMPILED else 1):
            ends = instants(draw(rng, name))
            found, met = near(ends, 0, 0), contacts_between(*ends)
            assert found.toi.tolist() == met.toi.tolist() and found.tolerance.tolist() == met.tolerance.tolist()


@pytest.mark.skipif(not COMPILED, reason="thousands of triangles")
def test_small_triangles_and_a_large_clearance():
    """A ball glides over a wavy floor."""
    shape, (vertices, triangles) = ball(24, 16, 0.5), grid(60, 60, (-3, -3, 0), (6, 0, 0), (0, 6, 0))
    vertices = vertices + np.outer(0.1 * np.sin(9 * vertices[:, 0]), (0, 0, 1))
    ends = moving((shape, at(-2, 0.1, 0.8), at(2, -0.1, 0.8)), ((vertices, triangles), at(), at()))
    gap, slack, _, points = least(ends, 2.0)
    assert 0.19 < gap < 0.25 and np.linalg.norm(points[0] - points[1]) == pytest.approx(gap, abs=1e-12)
    assert all(mesh_distance(shape[0] + (4 * t - 2, 0.1 - 0.2 * t, 0.8), shape[1], vertices, triangles)[0]
               >= gap - slack for t in np.linspace(0, 1, 201))
