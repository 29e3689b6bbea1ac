# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of things that meet at very many places (core/depth/local_boxes.py)."""
import numpy as np
import pytest
from naive.depths import depth_of_point
from naive.shapes import box, circle, joined, moved, prism, tube
from test_depth import pair_of

pytestmark = pytest.mark.scenes


def turned(mesh, seed, size):
    """The mesh turned by a random rotation of about this size."""
    linear = np.linalg.qr(np.eye(3) + size * np.random.default_rng(seed).normal(size=(3, 3)))[0]
    return mesh[0] @ (linear * np.sign(np.diag(linear))).T, mesh[1]


def bars(count):
    """Bars along z in a row, as one mesh."""
    return joined(*(moved(box((-0.05, -0.05, -1), (0.05, 0.05, 1)), (0.25 * (k - count / 2), 1.7, 0))
                    for k in range(count)))


def lattice(cells, thick):
    """Bars along all edges of cubes, which pass through each other at the corners."""
    meshes = []
    for axis in range(3):
        for i in range(cells + 1):
            for j in range(cells + 1):
                low, high = np.full(3, -0.1), np.full(3, cells + 0.1)
                others = [(axis + 1) % 3, (axis + 2) % 3]
                low[others], high[others] = np.array((i, j)) - thick, np.array((i, j)) + thick
                meshes.append(box(low, high))
    return joined(*meshes)


def assert_no_point_is_deeper(pair, a, b, random):
    for surface, solid in ((a, b), (b, a)):
        chosen = random.integers(len(surface[1]), size=6)
        weights = random.dirichlet((1.0, 1.0, 1.0), 6)
        for point in np.einsum("ni,nix->nx", weights, surface[0][surface[1][chosen]]):
            square, inside = depth_of_point(point, solid)
            assert not inside or square ** 0.5 <= pair["depth_upper"] + 1e-12


@pytest.mark.parametrize("count", [20, 50, 60])
def test_many_bars_through_a_plate_are_as_deep_as_half_the_plate(count):
    """From fifty on, the bounds were apart by a hundredth."""
    plate = box((-0.15 * count, -2, -0.1), (0.15 * count, 2, 0.1))
    pair = pair_of(plate, bars(count), tolerance=0)
    assert pair["depth"] <= 0.1 <= pair["depth_upper"] < pair["depth"] + 1e-9


@pytest.mark.parametrize("count", [45, 58])
@pytest.mark.parametrize("seed", [0, 2])
def test_many_bars_through_a_disc(count, seed):
    """All triangles of its faces meet at one corner, around which a box is never near to few."""
    disc = moved(prism(circle(130, 0.5), 0.2), (0, 0, -0.1))
    places = np.random.default_rng(seed).uniform(-0.45, 0.45, (count, 2))
    through = joined(*(moved(box((-0.02, -0.02, -0.5), (0.02, 0.02, 0.5)), (*place, 0)) for place in places))
    pair = pair_of(disc, through, tolerance=0)
    assert pair["depth"] <= 0.1 <= pair["depth_upper"] < pair["depth"] + 1e-9


@pytest.mark.parametrize("cells", [4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_lattices_in_each_other(cells, seed):
    """Bounds were as far apart as the lattice has holes."""
    random = np.random.default_rng(seed)
    a, b = lattice(cells, 0.08), moved(turned(lattice(cells, 0.06), seed, 0.2), random.uniform(0.02, 0.1, 3))
    pair = pair_of(a, b, tolerance=0)
    assert 0.07 < pair["depth"] <= pair["depth_upper"] < pair["depth"] + 1e-9
    assert_no_point_is_deeper(pair, a, b, random)


def test_a_spring_on_a_rod():
    """More triangles than box by box is asked of at first: the search down trees ended with an upper bound that was 17
    times the depth, which is reached at some hundred places."""
    turn = np.linspace(0, 2 * np.pi * 7, 280)
    spring = tube(np.column_stack([np.cos(turn), np.sin(turn), 0.05 * turn]), 0.14, 10)
    rod = moved(prism(circle(24, 0.87), 2.8), (0, 0, -0.3))
    pair = pair_of(spring, rod)
    assert 0.005 < pair["depth"] <= pair["depth_upper"] < pair["depth"] + 2e-9
    assert_no_point_is_deeper(pair, spring, rod, np.random.default_rng(0))
