# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances by a plane between two triangles, for gaps as small as roundings, against rational arithmetic."""
from fractions import Fraction

import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import box
from touchpoint.core import detect
from touchpoint.core.distance.pair import (
    RELATIVE_ERROR,
    UNDECIDED_DISTANCE,
    pair_scratch,
    triangle_distance,
)
from touchpoint.core.distance.planes import NONE, nearest_by_planes
from touchpoint.core.distance.triangles import FACE_OF_B, nearest_points
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.reference import last_resort
from touchpoint.core.reference.distance import triangle_gap
from touchpoint.core.scene import Scene

PER_KIND = 400 if COMPILED else 20


def flat(rng):
    return [np.column_stack([rng.integers(-4, 5, (3, 2)), np.zeros(3)]) for _ in range(2)]


def corner_on_face(rng):
    heights = (0, *rng.integers(0, 3, 2))
    return [np.column_stack([rng.integers(-4, 5, (3, 2)), np.zeros(3)]),
            np.column_stack([rng.integers(-2, 3, (3, 2)), heights])]


def crossed_edges(rng):
    return [np.array([(-2, 0, 0), (2, 0, 0), (*rng.integers(-2, 3, 2), -rng.integers(0, 3))]),
            np.array([(0, -2, 0), (rng.integers(-1, 2), 2, 0), (*rng.integers(-2, 3, 2), rng.integers(0, 3))])]


def lattice(rng):
    return list(rng.integers(-2, 3, (2, 3, 3)))


def shared_corners(rng):
    corners = rng.normal(size=(3, 3))
    return [corners, corners[rng.permutation(3)] + rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-17, -3)]


KINDS = {each.__name__: each for each in (flat, corner_on_face, crossed_edges, lattice, shared_corners)}


def drawn(kind, seed):
    """Pairs of triangles that touch or nearly do, turned so that rounding parts them or lets them meet; some as they
    are."""
    rng = np.random.default_rng([seed, *map(ord, kind)])
    for number in range(PER_KIND):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0] if number % 4 else np.eye(3)
        place = rng.uniform(-1, 1, 3) * 10.0 ** rng.integers(-2, 3) if number % 4 else np.zeros(3)
        yield [corners @ turn.T + place for corners in KINDS[kind](rng)]


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_plane_proves(kind):
    """It never proves a distance of what meets, the distance is right, and feature and numbers point out where."""
    faces = edges = 0
    for a, b in drawn(kind, 1):
        scratch, points = pair_scratch(), np.empty((2, 3))
        scratch.corners[:3], scratch.corners[3:] = a, b
        size = float(np.ptp(scratch.corners, axis=0).max())
        feature, distance, x, y = nearest_by_planes(scratch.corners, size, scratch.expansion, scratch.vectors)
        if feature == NONE:
            continue
        gap = triangle_gap(a.tolist(), b.tolist())
        assert abs(Fraction(distance) ** 2 / gap.squared - 1) < 2 * RELATIVE_ERROR
        nearest_points(scratch.corners, feature, x, y, points)
        rounding = 1e-14 * np.abs(scratch.corners).max()
        for point, corners in zip(points, (a, b)):
            assert triangle_gap([point.tolist()] * 3, corners.tolist()).squared <= Fraction(rounding) ** 2
        assert abs(np.linalg.norm(points[0] - points[1]) - distance) <= 4 * rounding
        faces, edges = faces + (feature >= FACE_OF_B), edges + (feature < FACE_OF_B)
    assert (faces > 0 or kind == "crossed_edges") and edges > 0


@pytest.mark.parametrize("kind", KINDS)
def test_hardly_anything_apart_is_left_to_rational_arithmetic(kind):
    apart = undecided = 0
    for a, b in drawn(kind, 2):
        scratch = pair_scratch()
        scratch.corners[:3], scratch.corners[3:] = a, b
        distance, squared = triangle_distance(np.inf, scratch), triangle_gap(a.tolist(), b.tolist()).squared
        apart, undecided = apart + (squared > 0), undecided + (squared > 0 and distance == UNDECIDED_DISTANCE)
        assert distance == UNDECIDED_DISTANCE or abs(Fraction(distance) ** 2 / squared - 1) < 2 * RELATIVE_ERROR
    assert undecided <= 0.06 * apart + 1 or not COMPILED


@pytest.mark.scenes
def test_boxes_on_a_slope_are_measured_without_rational_arithmetic(monkeypatch):
    """All of them stand on it but for the rounding of their places, a part of them above it by as much."""
    asked, gap = [], last_resort.gap
    monkeypatch.setattr(last_resort, "gap", lambda a, b: asked.append(1) or gap(a, b))
    turn = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    scene = Scene()
    scene.add_object(scene.add_mesh(*box((-50, -50, -1), (50, 50, 0))), pose(turn))
    mesh = scene.add_mesh(*box((0, 0, 0), (0.5, 0.5, 0.5)))
    for i in range(64):
        scene.add_object(mesh, pose(turn, turn @ (6.0 * (i % 8) - 20.3, 6.0 * (i // 8) - 19.2, 0.0)))
    report = detect(scene, tolerance=1e-6)
    assert [report.verdict(row) for row in range(len(report.pairs))] == ["touching"] * 64
    assert np.isfinite(report.pairs["gap"]).sum() > 10 and len(asked) < 64
