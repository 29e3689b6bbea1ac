# SPDX-License-Identifier: GPL-3.0-or-later
"""Ducts in openings of walls, and boxes on steps: surfaces that lie in one plane to the last bit, beside others that
lie in one plane but for roundings. What is in the air must be proved to be, and what is inside must be found."""
import math

import numpy as np
import pytest
from naive.depths import depth_of_point
from naive.shapes import box, pipe
from test_depth import cubes
from test_local_search import assert_same, both_ways
from touchpoint.core import Scene, detect

pytestmark = pytest.mark.scenes

SITE = np.array((118.43, -76.21, 3.05))
ROUNDED = 8.0 * 2.0 ** -18      # some steps of single precision at that place
WALL = cubes([(x, 0, z) for x in range(7) for z in range(4) if (x, z) not in ((2, 2), (5, 0), (5, 1))])


def on_site(mesh, degrees, stretch=(1.0, 1.0, 1.0)):
    """The mesh turned about z and far away, as a file in single precision has it."""
    x, y, z = (mesh[0] * stretch).T
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.float64(np.float32(np.stack([c * x - s * y, s * x + c * y, z], axis=1) + SITE)), mesh[1]


@pytest.mark.parametrize("degrees", [0.0, 12.5, 31.7, 45.0])
@pytest.mark.parametrize("low, high", [((2, -4, 2), (3, 5, 3)), ((5, -2, 0), (6, 3, 2)), ((2, 0, 2), (3, 1, 3)),
                                       ((2, -4, 2), (3, 0.5, 3))])
def test_what_fills_an_opening_is_as_deep_as_it_is_rounded(degrees, low, high, monkeypatch):
    """Above and below it lies in the planes of the opening, beside it does but for roundings."""
    stretch = (0.4, 0.1, 0.3)
    wall, duct = on_site(WALL, degrees, stretch), on_site(box(low, high), degrees, stretch)
    fast, _ = both_ways(wall, duct, monkeypatch)
    for pair in fast.pairs:
        assert pair["depth_upper"] <= ROUNDED


@pytest.mark.parametrize("degrees", [0.0, 31.7])
@pytest.mark.parametrize("deeper", [0.003, 0.02])
def test_what_is_too_large_for_its_opening_is_as_deep_as_it_is_too_large(degrees, deeper, monkeypatch):
    """On one side; on the others it is flush."""
    stretch = (0.4, 0.1, 0.3)
    for side in ((-deeper / 0.4, 0.0), (0.0, deeper / 0.3)):
        duct = box((2 + side[0], -4, 2), (3, 5, 3 + side[1]))
        pair = assert_same(on_site(WALL, degrees, stretch), on_site(duct, degrees, stretch), monkeypatch, 1e-7)
        assert pair["depth"] == pytest.approx(deeper, abs=ROUNDED)


@pytest.mark.parametrize("seed", range(24))
def test_a_face_that_goes_on_into_the_solid_is_found(seed, monkeypatch):
    """Blocks of cubes: faces lie in faces of the other one, beside the solid, or go on inside of it."""
    random = np.random.default_rng(seed)
    degrees = (0.0, 31.7)[seed % 2]
    bodies = []
    for _ in range(2):
        cells = [tuple(each) for each in np.argwhere(random.random((3, 3, 2)) < 0.6).tolist()]
        bodies.append(cubes(cells))
    shift = np.append(random.integers(-2, 3, 2) + random.choice((0.0, 0.0, 0.25, 0.5), 2), random.integers(-1, 2))
    a, b = (on_site(each, degrees) for each in (bodies[0], (bodies[1][0] + shift, bodies[1][1])))
    fast, slow = both_ways(a, b, monkeypatch)
    assert len(fast.pairs) == len(slow.pairs)
    for one, other in zip(fast.pairs, slow.pairs):
        assert one["verdict"] == other["verdict"]
        assert one["depth"] <= other["depth_upper"] and other["depth"] <= one["depth_upper"]
        points = [random.dirichlet((1.0, 1.0, 1.0), 12)[:, :, None] * surface[0][surface[1]][
            random.integers(len(surface[1]), size=12)] for surface in (a, b)]
        for strewn, solid in zip(points, (b, a)):
            for point in strewn.sum(axis=1):
                square, inside = depth_of_point(point, solid)
                assert not inside or math.sqrt(square) <= one["depth_upper"] + 1e-12


def test_a_box_in_the_step_of_a_block(monkeypatch):
    """The top of the box lies in the step, and goes on into the block behind it: half of the step's height deep."""
    block = cubes([(0, 0, 0), (1, 0, 0), (1, 0, 1)])
    for degrees in (0.0, 31.7):
        pair = assert_same(on_site(block, degrees), on_site(box((0.25, 0.25, 0.5), (1.75, 0.75, 1.0)), degrees),
                           monkeypatch, 1e-7)
        assert pair["depth"] == pytest.approx(0.5, abs=ROUNDED)


SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
I_BEAM = cubes([(x, 0, z) for x, z in ((0, 0), (1, 0), (2, 0), (1, 1), (1, 2), (0, 3), (1, 3), (2, 3))])


def about(axis, degrees):
    """(3,3): a rotation."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn, i, j = np.eye(3), (axis + 1) % 3, (axis + 2) % 3
    turn[[i, i, j, j], [i, j, i, j]] = c, -s, s, c
    return turn


def beam_on_a_wall(seed):
    """Both tilted; the bottom of the beam is in the plane of the wall's top but for roundings, and wider than that."""
    turn, low = about(2, 31.7) @ about(0, 2.0 + seed), (-0.05 - 0.01 * seed, 0.05 * seed, -3.0)
    return [(np.float64(np.float32(vertices @ turn.T + SITE)), faces)
            for vertices, faces in ((I_BEAM[0] * (0.05, 5.0, 0.075), I_BEAM[1]), box(low, (0.2, 4.7, 0.0)))]


def ducts_end_to_end(seed):
    """The second one begins 2 µm before the first one ends, some µm to the side."""
    random, turn = np.random.default_rng(seed), about(2, 31.7) @ about(0, 90.0 if seed % 2 else 40.0)
    aside = np.append(random.uniform(-3e-6, 3e-6, 2), 2e-6)
    made = [pipe(SQUARE * (0.195, 0.12), SQUARE * (0.2, 0.125), *ends) for ends in ((-2.0, 0.0), (0.0, 3.0))]
    return [((vertices - shift) @ turn.T + SITE, faces) for (vertices, faces), shift in zip(made, (0.0 * aside, aside))]


@pytest.mark.parametrize("make, seed", [(beam_on_a_wall, 0), (beam_on_a_wall, 7), (beam_on_a_wall, 2),
                                        (ducts_end_to_end, 2), (ducts_end_to_end, 11), (ducts_end_to_end, 3)])
def test_faces_that_pass_through_each_other_in_slivers(make, seed, monkeypatch):
    """Contacts are nearly parallel, and cut off slender pieces in the air beside the other solid. Those were cut until
    25,000 points had been measured; one of each kind never needed that."""
    fast, slow = both_ways(*make(seed), monkeypatch)
    assert len(fast.pairs) == len(slow.pairs) == 1
    one, other = fast.pairs[0], slow.pairs[0]
    assert 0.0 < one["depth"] <= one["depth_upper"] <= one["depth"] + 4e-9
    assert one["depth"] <= other["depth_upper"] and other["depth"] <= one["depth_upper"]
    assert fast.counts["depth_tests"] < 5_000


def test_few_points_are_measured():
    """A search that cuts what is beside an opening ever finer needs 50,000."""
    stretch, scene = (0.4, 0.1, 0.3), Scene()
    for mesh in (WALL, box((2, -4, 2), (3, 5, 3))):
        scene.add_object(scene.add_mesh(*on_site(mesh, 31.7, stretch)))
    assert detect(scene, depth=True, tolerance=0).counts["depth_tests"] < 5_000
