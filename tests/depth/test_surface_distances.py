# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances of points to a surface, against Fractions (naive/depths.py)."""
from fractions import Fraction

import numpy as np
import pytest
from naive.depths import depth_of_point, distance_from, turns_cancel
from naive.shapes import ball, box, grid, halves, joined, moved
from touchpoint.core.depth import surface_distances as module
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries import points_in_mesh, surface_distances

POINTS = 40 if COMPILED else 6
RING = np.array([(0, 0), (4, 0), (4, 4), (0, 4), (1, 1), (3, 1), (3, 3), (1, 3)], float)


def frame():
    """A square ring of square section, whose hole is outside."""
    vertices = np.concatenate([np.c_[RING, np.full(8, z)] for z in (0.0, 1.0)])
    quads = []
    for i in range(4):
        j = (i + 1) % 4
        quads += [(i, 4 + i, 4 + j, j), (8 + i, 8 + j, 12 + j, 12 + i), (i, j, 8 + j, 8 + i),
                  (4 + i, 12 + i, 12 + j, 4 + j)]
    return vertices, halves(quads)


def mixed():
    """A box with a void, triangles turned any way: in and out alternate."""
    inner = 0.5 * box()[0] + 0.25, box()[1]
    vertices, triangles = joined(box(), inner)
    triangles = triangles.copy()
    triangles[::3] = triangles[::3, ::-1]
    return vertices, triangles


def needle():
    """A closed sliver with angles of 1e-6."""
    return np.array([(0, 0, 0), (1, 0, 0), (0.5, 1e-6, 0), (0.5, 0, 1e-6)]), np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2),
                                                                                         (1, 2, 3)])


CLOSED = {"box": box(), "ball": ball(9, 7), "frame": frame(), "mixed": mixed(), "needle": needle(),
          "two": joined(box(), moved(ball(5, 4), (3, 0, 0)))}
OPEN = {"grid": grid(3, 2), "box without a face": (box()[0], box()[1][2:]),
        "line": (np.array([(0, 0, 0), (1, 2, 3), (2, 4, 6)], float), np.array([(0, 1, 2)]))}


def places(mesh, rng):
    """Near and far, on corners, on sides and on faces as far as rounding lets them be, and a hair beside them."""
    vertices, triangles = mesh
    low, size = vertices.min(axis=0), np.ptp(vertices, axis=0).max()
    around = low + size * rng.uniform(-0.5, 1.5, (POINTS, 3))
    corners = vertices[triangles[rng.integers(0, len(triangles), POINTS)]]
    on = np.einsum("ni,nij->nj", rng.dirichlet((1, 1, 1), POINTS).round(2), corners)
    beside = on + size * 10.0 ** rng.integers(-17, -2, (POINTS, 1)) * rng.normal(size=(POINTS, 3))
    return np.concatenate((around, corners[:, 0], corners[:, :2].mean(axis=1), on, beside,
                           low + 1e4 * size * rng.normal(size=(4, 3))))


def check(mesh, points, sided):
    """The error holds, in Fractions, and the side is that of a line through the point."""
    distance, error = surface_distances(*mesh, points)
    spread = np.ptp(np.concatenate((mesh[0], points)), axis=0).max() + 2.0 ** -4 * np.abs(points).max()
    thin = np.ptp(mesh[0], axis=0).max() * 1e-5     # of a needle, the doubt is its height
    assert (error <= spread * 2.0 ** -43 + thin * (mesh[0].shape == (4, 3))).all()
    for k, point in enumerate(points):
        if sided:
            squared, inside = depth_of_point(point, mesh)
            assert (distance[k] < 0.0) == inside and (squared == 0) == (distance[k] == 0.0)
        else:
            squared = distance_from(point, mesh)
            assert distance[k] >= 0.0
        far, doubt = Fraction(abs(float(distance[k]))), Fraction(float(error[k]))
        assert max(far - doubt, Fraction(0)) ** 2 <= squared <= (far + doubt) ** 2, (k, float(far), float(squared))
    return distance


@pytest.mark.parametrize("name", [*CLOSED, *OPEN])
@pytest.mark.parametrize("scale, offset", [(1.0, 0.0), (1e-30, 0.0), (1e30, 0.0), (1.0, 1e5)])
def test_points_of_all_kinds(name, scale, offset):
    mesh = {**CLOSED, **OPEN}[name]
    rng = np.random.default_rng([9, [*CLOSED, *OPEN].index(name)])
    mesh = mesh[0] * scale + offset, mesh[1]
    points = places(mesh, rng)
    distance = check(mesh, points, name in CLOSED)
    if name in CLOSED:
        assert np.array_equal(np.sign(-distance).astype(int), points_in_mesh(*mesh, points))
        assert (distance > 0.0).any()
        assert (distance < 0.0).any() or (name == "needle" and not COMPILED)    # few points find no way into a sliver


def test_which_kinds_there_are():
    assert turns_cancel(frame()[1].tolist()) and not turns_cancel(mixed()[1].tolist())


def test_threads_order_and_company_change_nothing(monkeypatch):
    """Neither the sign nor, but for the error, the distance."""
    monkeypatch.setattr(module, "DISTANCES_AT_ONCE", 7)
    mesh, rng = ball(30, 20), np.random.default_rng(3)
    points = rng.normal(size=(200, 3)) * 0.7
    distance, error = surface_distances(*mesh, points)
    assert np.array_equal(surface_distances(*mesh, points, threads=1)[0], distance)
    shuffled = rng.permutation(200)
    again, _ = surface_distances(*mesh, points[shuffled])
    assert (np.abs(again - distance[shuffled]) <= error[shuffled]).all()
    assert np.array_equal(again < 0.0, distance[shuffled] < 0.0)
    alone = np.array([surface_distances(*mesh, point[None])[0][0] for point in points[:20]])
    assert (np.abs(alone - distance[:20]) <= error[:20]).all()


def test_numbers_that_span_more_than_exact_kernels_take():
    vertices = np.array([(0, 0, 0), (1e200, 0, 0), (0, 1e200, 0), (0, 0, 1e200)])
    mesh = vertices, np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    points = np.array([(1e-200, 1e-200, 1e-200), (-1e-200, 1.0, 1.0), (1e100, 0.0, 3.0)])
    distance, error = surface_distances(*mesh, points)
    assert np.sign(distance).tolist() == [-1, 1, 0] and error[2] == 0.0
    assert points_in_mesh(*mesh, points).tolist() == [1, -1, 0]


def test_what_cannot_be_measured():
    assert [len(each) for each in surface_distances(*box(), np.zeros((0, 3)))] == [0, 0]
    point = np.zeros((1, 3)), np.array([(0, 0, 0)])
    assert surface_distances(*point, np.zeros((2, 3)))[0].tolist() == [0.0, 0.0]
    assert surface_distances(*point, [(3, 4, 0)])[0] == pytest.approx([5.0])
    for mesh, points in (((box()[0], []), [(0, 0, 0)]), (box(), [(0, 0, np.nan)]), ((box()[0] + np.inf, box()[1]), []),
                         (box(), [(1e300, 0, 0)]), (box(), [(0, 0)])):
        with pytest.raises(ValueError):
            surface_distances(*mesh, points)
