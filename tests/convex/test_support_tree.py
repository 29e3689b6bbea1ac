# SPDX-License-Identifier: GPL-3.0-or-later
"""The highest of many points, and points in a hull with very many corners."""
import numpy as np
import pytest
from naive.rational_convex import hulls_meet
from touchpoint.core.convex.point_clouds import points_in_hull, support_tree
from touchpoint.core.convex.point_clouds.extremes import Extremes
from touchpoint.core.convex.point_clouds.points_in_hull import ManyCorners
from touchpoint.core.convex.point_clouds.support_tree import POINTS_PER_LEAF, SupportTree
from touchpoint.core.errors import Cancelled


def heights(points, direction):
    return (points[:, 0] * direction[0] + points[:, 1] * direction[1]) + points[:, 2] * direction[2]


def sphere(rng, n):
    points = rng.normal(size=(n, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


@pytest.mark.parametrize("n", [1, 2, POINTS_PER_LEAF, POINTS_PER_LEAF + 1, 300, 2000])
@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 1, 0), (1, 0, 0), (0, 0, 0), (1, 1e-9, 1e-18)])
def test_the_highest_is_that_of_a_look_at_all(n, shape):
    rng = np.random.default_rng([n, 1])
    points = np.round(rng.normal(size=(n, 3)) * 40) / 64 * shape
    tree = SupportTree(points)
    directions = np.concatenate([rng.normal(size=(60, 3)), np.eye(3), -np.eye(3), np.zeros((1, 3))])
    top, height = tree.highest(directions, 2)
    for direction, row, at in zip(directions, top, height):
        every = heights(points, direction)
        assert at == every.max() == every[row]
        assert tree.highest(direction[None], 1, np.array([at - 1.0]))[1] == at
        assert tree.highest(direction[None], 1, np.array([at]))[1] == at
        for floor in (at, 0.9 * at, 0.0):
            assert tree.above(direction, floor).tolist() == np.flatnonzero(every >= floor).tolist()


def test_points_that_follow_one_another_are_neighbours():
    """The curve through a cube of 2³ points, each of them twice as far on as the bits of its position say."""
    positions = support_tree._curve_positions(np.array(list(np.ndindex(2, 2, 2)), float))
    assert [position % 8 for position in positions.tolist()] == [0, 4, 2, 6, 1, 5, 3, 7]
    assert positions.max() == 8 ** support_tree.CURVE_BITS - 1
    numbers = np.arange(1 << support_tree.CURVE_BITS)
    assert [f"{x:b}" for x in support_tree._spaced(numbers)] == ["00".join(f"{x:b}") for x in numbers]


def many(cloud):
    extremes = Extremes(cloud)
    return ManyCorners(extremes, cloud[extremes.corners])


def test_points_near_the_border_of_a_sphere():
    rng = np.random.default_rng(4)
    cloud = sphere(rng, 250)
    middles = cloud[rng.integers(0, 250, (40, 3))].mean(axis=1)
    points = np.concatenate([sphere(rng, 60) * rng.uniform(0.95, 1.0, (60, 1)), cloud[:10], middles, 1.001 * cloud[:9]])
    asked = []
    found = many(cloud).holds(points, 1, lambda: asked.append(0))
    assert found.tolist() == [hulls_meet([point.tolist()], cloud.tolist()) for point in points]
    assert 40 < found.sum() < 110 and len(asked) > 3


@pytest.mark.parametrize("turned", [False, True])
def test_points_on_faces_need_whole_numbers_at_most_for_the_turned(turned, monkeypatch):
    """A block of 7³ points on a lattice; points of its faces, edges and inside, and a last digit above."""
    rng = np.random.default_rng(5)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0] if turned else np.eye(3)
    cloud = np.array(list(np.ndindex(7, 7, 7)), float) @ turn
    points = np.concatenate([cloud[::9], cloud[:40] * (1 + 2.0 ** -52), 0.5 * (cloud[:30] + cloud[1:31])])
    exactly = []
    whole = ManyCorners._holds_exactly
    monkeypatch.setattr(ManyCorners, "_holds_exactly", lambda self, point: exactly.append(0) or whole(self, point))
    found = many(cloud).holds(points, 1, lambda: None)
    assert found.tolist() == [hulls_meet([point.tolist()], cloud.tolist()) for point in points]
    assert (len(exactly) > 5) == turned or not turned


@pytest.mark.parametrize("most", [8, 48])
@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_sizes_out_of_the_range_of_squares(scale, most, monkeypatch):
    monkeypatch.setattr(points_in_hull, "MAX_CORNERS", most)
    rng = np.random.default_rng(6)
    cloud = sphere(rng, 40) * scale
    points = np.concatenate([cloud[:3], rng.normal(size=(9, 3)) * 0.6 * scale])
    found = many(cloud).holds(points, 1, lambda: None)
    assert found.tolist() == [hulls_meet([point.tolist()], cloud.tolist()) for point in points]


def test_a_search_can_be_stopped():
    rng = np.random.default_rng(7)
    cloud = sphere(rng, 3000)

    def stop():
        raise Cancelled

    with pytest.raises(Cancelled):
        many(cloud).holds(0.9999 * sphere(rng, 100), 1, stop)
