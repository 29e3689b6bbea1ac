# SPDX-License-Identifier: GPL-3.0-or-later
"""What two triangles in one plane have in common (core/depth/shared_area.py), and depths of things that share areas."""
import numpy as np
import pytest
from naive.shapes import circle, halves, moved, prism
from test_depth import cubes
from test_local_search import assert_same
from touchpoint.core import Scene, detect
from touchpoint.core.depth.cutting import MOST_CUT_CORNERS
from touchpoint.core.depth.shared_area import AREA_MARGIN, shared_area


def common(one, other):
    """(k,3) corners of what two triangles (3,3) have in common."""
    polygons = np.zeros((2, MOST_CUT_CORNERS, 3))
    polygons[0, :3] = one
    count = shared_area(np.array(other), AREA_MARGIN, polygons, np.zeros(MOST_CUT_CORNERS))
    return polygons[1, :count]


def weights(triangle, points):
    """(n,3): the shares of three corners that points in their plane have."""
    return np.linalg.lstsq(np.concatenate([triangle.T, np.ones((1, 3))]),
                           np.concatenate([points.T, np.ones((1, len(points)))]), rcond=None)[0].T


def is_in(polygon, points, margin):
    """(n,) bool: which points are in a convex polygon of one plane, or so near to it."""
    normal = np.linalg.svd(polygon - polygon.mean(axis=0))[2][2]
    flat = np.linalg.svd(np.eye(3) - np.outer(normal, normal))[0][:, :2]
    P, Q = polygon @ flat, points @ flat
    after = np.roll(P, -1, axis=0)
    edge = after - P
    left = np.cross(edge[None], Q[:, None] - P[None]) / np.maximum(np.linalg.norm(edge, axis=1), 1e-300)
    return (left >= -margin).all(axis=1) | (left <= margin).all(axis=1)


@pytest.mark.parametrize("seed", range(60))
def test_no_common_point_is_left_out(seed):
    rng = np.random.default_rng(seed)
    linear = rng.normal(size=(3, 2)) / 4
    one, other = (rng.integers(-4, 5, (3, 2)) / 8 @ linear.T for _ in range(2)) if seed % 2 else (
        rng.uniform(-0.5, 0.5, (3, 2)) @ linear.T for _ in range(2))
    points = rng.dirichlet((0.5, 0.5, 0.5), 4000) @ one
    if np.linalg.norm(np.cross(*(one[1:] - one[0]))) < 1e-3 or np.linalg.norm(np.cross(*(other[1:] - other[0]))) < 1e-3:
        return
    both = points[(weights(other, points) > 1e-9).all(axis=1)]
    polygon = common(one, other)
    if len(both):
        assert is_in(polygon, both, 1e-9).all()
    # Nor is anything far away from it added.
    assert len(polygon) == 0 or (weights(other, polygon) > -1e-6).all() and (weights(one, polygon) > -1e-6).all()


def test_the_same_triangle_and_one_without_an_area():
    one = np.array([(0, 0, 0), (0.5, 0, 0), (0, 0.5, 0.25)])
    assert is_in(common(one, one), one, 1e-12).all()
    assert len(common(one, np.array([(0, 0, 0), (0.25, 0, 0), (0.5, 0, 0)]))) == 0


def rimmed_plate(around):
    """A plate of four rings with an upright rim, as thick as another one is above it: all in it is flush then."""
    low = [(0.4, 0), (0.56, 0.04), (0.96, 0.16), (1.0, 0.2)]
    outline = low + [(r, z + 0.032) for r, z in low[::-1]]
    angles = 2 * np.pi * np.arange(around) / around
    rings = [np.stack([r * np.cos(angles), r * np.sin(angles), np.full(around, z)], axis=1) for r, z in outline]
    vertices = np.concatenate([*rings, [(0, 0, 0), (0, 0, 0.032)]])
    i, after = np.arange(around), np.roll(np.arange(around), -1)
    quads = [q for k in range(7) for q in zip(k * around + i, k * around + after, (k + 1) * around + after,
                                              (k + 1) * around + i)]
    caps = [(8 * around, *q) for q in zip(after, i)] + [(8 * around + 1, 7 * around + p, 7 * around + q)
                                                        for p, q in zip(i, after)]
    return vertices, np.concatenate([halves(quads), np.array(caps, np.int32)])


@pytest.mark.scenes
def test_stacked_plates_take_few_points():
    """Their rims have areas of a billionth of their height in common. The search took 20,900 points."""
    scene, mesh = Scene(), rimmed_plate(64)
    for vertices, faces in (mesh, moved(mesh, (0, 0, 0.032 - 1e-9))):
        scene.add_object(scene.add_mesh(vertices, faces))
    report = detect(scene, depth=True, tolerance=1e-6)
    assert report.counts["depth_tests"] < 3000 and 0.9e-9 < report.pairs["depth_upper"][0] <= 1e-6


@pytest.mark.scenes
@pytest.mark.parametrize("seed", range(40))
def test_random_flush_bodies(seed, monkeypatch):
    """Bodies of cubes and prisms with faces in one plane, straight and sheared."""
    rng = np.random.default_rng(seed)

    def body():
        cells = rng.random((3, 3, 3)) < 0.6
        cells[1, 1] = True
        return cubes([tuple(cell) for cell in np.argwhere(cells).tolist()]) if rng.random() < 0.6 else (
            moved(prism(circle(int(rng.integers(3, 12)), 1.5), 2.0), (1.5, 1.5, 0)))

    shear = np.array([(1, 0.5, 0), (0, 1, 0.25), (0, 0, 1)]) if seed % 2 else np.eye(3)
    one, other = body(), moved(body(), rng.integers(-2, 3, 3) / 2)
    assert_same((one[0] @ shear.T, one[1]), (other[0] @ shear.T, other[1]), monkeypatch)
