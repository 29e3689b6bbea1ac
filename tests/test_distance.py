# SPDX-License-Identifier: GPL-3.0-or-later
"""The least distance of triangles and of meshes, against rational arithmetic over all pairs of triangles."""
from fractions import Fraction

import numpy as np
import pytest
from naive.shapes import ball, box, grid
from naive.triangle_pairs import CLASSES, arrangements, draw
from touchpoint.core.distance.pair import TOLERANCE, UNTOLD, triangle_distance
from touchpoint.core.distance.triangles import COLUMNS, FOUND, ROWS
from touchpoint.core.jit import COMPILED
from touchpoint.core.queries import mesh_distance
from touchpoint.core.reference.distance import mesh_gap, triangle_gap

ONE = np.array([[0, 1, 2]])
PER_CLASS = 40 if COMPILED else 4
LEFT_TO_RATIONALS = ("huge", "every exponent", "scale 1e-300", "subnormal", "stretched",
                     "coplanar rotated", "coplanar side", "one step off")   # gaps of a rounding error


def kernel_distance(a, b, limit=np.inf):
    points = np.full((2, 3), np.nan)
    scratch = np.zeros(ROWS * COLUMNS), np.zeros(FOUND * COLUMNS), np.empty(3), np.empty((15, 2))
    return triangle_distance(np.concatenate([a, b]), float(limit), *scratch, points), points


def relative_error(distance: float, squared: Fraction) -> float:
    return abs(float(Fraction(distance) ** 2 / squared - 1)) / 2


def assert_points_on(points, a, b, distance):
    """Both points lie on their triangles, and as far apart as is said, but for the rounding of coordinates."""
    rounding = 1e-14 * max(np.abs(a).max(), np.abs(b).max())
    for point, corners in zip(points, (a, b)):
        assert triangle_gap([point.tolist()] * 3, corners.tolist()).squared <= Fraction(rounding) ** 2
    assert abs(np.linalg.norm(points[0] - points[1]) - distance) <= 4 * rounding


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_triangles_of_every_class(name):
    A, B = draw(name, PER_CLASS, 1)
    untold = 0
    for a, b in zip(A, B):
        distance, points = kernel_distance(a, b)
        squared = triangle_gap(a.tolist(), b.tolist()).squared
        untold += squared > 0 and distance == UNTOLD
        if squared == 0:
            assert distance == UNTOLD
        elif distance != UNTOLD and distance > 1e-290:
            assert relative_error(distance, squared) < 2 * TOLERANCE
            if 1e-100 < np.abs(a).max() < 1e100:
                assert_points_on(points, a, b, distance)
    if not name.startswith(LEFT_TO_RATIONALS):
        assert untold <= 1 + 0.2 * PER_CLASS


def test_a_corner_on_an_edge_whose_middle_is_a_rounding_off():
    a = np.array([[0.000192, 0.00023999999999999998, 0.00023999999999999998], [6.4e-05, 0.000176, 0.000112],
                  [9.6e-05, 9.6e-05, -6.4e-05]])
    b = np.array([[0.000192, -0.000176, 0.00023999999999999998], [0.000192, 0.000656, 0.00023999999999999998],
                  [7.999999999999999e-05, 6.4e-05, -6.4e-05]])
    assert triangle_gap(a.tolist(), b.tolist()).squared == 0 and kernel_distance(a, b)[0] == UNTOLD


@pytest.mark.parametrize("name", ["random", "lattice", "near 1e-06", "near 1e-12", "needle", "near parallel"])
def test_triangles_in_any_order_give_the_same_bits(name):
    for a, b in zip(*draw(name, 8 if COMPILED else 1, 2)):
        distance, points = kernel_distance(a, b)
        for i, (first, second) in enumerate(arrangements(a, b)):
            again, places = kernel_distance(first, second)
            assert again == distance
            assert distance == UNTOLD or np.array_equal(places, points if i < 36 else points[::-1])


def test_a_limit_dismisses_what_is_farther_and_nothing_else():
    for a, b in zip(*draw("random", PER_CLASS, 3)):
        distance, _ = kernel_distance(a, b)
        if distance != UNTOLD:
            assert kernel_distance(a, b, distance)[0] == distance
            assert kernel_distance(a, b, 0.999 * distance)[0] > 0.999 * distance


SHIFTS = {"apart": (2.5, 0.3, 0.2), "near": (1.31, 0.1, 0.05), "corner": (1.5, 1.5, 1.4),
          "hairline": (1.2 + 1e-9, 0, 0)}


def turned(rng, vertices):
    return vertices @ np.linalg.qr(rng.normal(size=(3, 3)))[0]


def pair_of_meshes(seed, shift):
    rng = np.random.default_rng(seed)
    (V1, F1), (V2, F2) = (ball(5, 4, 0.6), box((-0.6,) * 3, (0.6,) * 3)) if seed % 2 else (box(), box())
    return turned(rng, V1) if seed % 3 else V1, F1, (turned(rng, V2) if seed % 3 == 1 else V2) + shift, F2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("place", sorted(SHIFTS))
@pytest.mark.parametrize("scale, offset", [(1, 0), (1e-6, 0), (1e6, 0), (1, 1e5), (1e-6, 1e5)])
def test_meshes_against_all_pairs_of_triangles(seed, place, scale, offset):
    V1, F1, V2, F2 = pair_of_meshes(seed, SHIFTS[place])
    V1, V2 = V1 * scale + offset, V2 * scale + offset
    assert_right(V1, F1, V2, F2)


def assert_right(V1, F1, V2, F2):
    d, p, q = mesh_distance(V1, F1, V2, F2)
    wanted = mesh_gap(V1[F1], V2[F2]).gap.squared
    if wanted == 0:
        assert d == 0.0 and np.array_equal(p, q)
    else:
        assert relative_error(d, wanted) < 2 * TOLERANCE
    rounding = Fraction(1e-14 * max(np.abs(V1).max(), np.abs(V2).max())) ** 2
    for point, V, F in ((p, V1, F1), (q, V2, F2)):
        assert mesh_gap(np.broadcast_to(point, (1, 3, 3)), V[F]).gap.squared <= rounding


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e-20, 1e20, 1e30, 1e150])
def test_extreme_sizes(scale):
    V, F = box()
    d, _, _ = mesh_distance(V * scale, F, (V + (3, 0, 0)) * scale, F)
    assert d == pytest.approx(2 * scale, rel=1e-12)


def test_needles_points_and_segments():
    segment = np.array([[0, 0, 0], [1, 0, 0], [0.5, 0, 0]])
    point = np.array([[0.5, 2, 0]] * 3)
    needle = np.array([[0, 1, -1], [1e-9, 1, 1], [0, 1, 1]])
    assert mesh_distance(segment, ONE, point, ONE)[0] == 2.0
    assert mesh_distance(point, ONE, point + (0, 0, 3), ONE)[0] == 3.0
    assert_right(segment, ONE, needle, ONE)
    assert_right(needle, ONE, needle + (0.25, 1e-7, 0), ONE)


def test_parallel_faces_and_open_meshes():
    V, F = grid(6, 5, (0, 0, 0), (0.3, 0, 0), (0, 0.2, 0))
    assert mesh_distance(V, F, V + (0, 0, 0.005), F)[0] == 0.005
    for seed in range(3):
        W = turned(np.random.default_rng(seed), V)
        assert_right(W, F, W + turned(np.random.default_rng(seed), np.array([[0, 0, 0.01]])), F)


def test_meeting_surfaces_have_the_distance_zero():
    V, F = box()
    for shift in ((0.5, 0.25, 0.125), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 0, 0), (0.3, 0.4, 1)):
        assert_right(V, F, V + shift, F)
    inside = 0.2 * V + 0.4
    assert mesh_distance(V, F, inside, F)[0] == pytest.approx(0.4, rel=1e-12)     # surfaces, not solids


def test_order_of_meshes_triangles_and_threads_changes_no_bit():
    rng = np.random.default_rng(4)
    for seed in range(4):
        V1, F1, V2, F2 = pair_of_meshes(seed, SHIFTS["near"])
        d, p, q = mesh_distance(V1, F1, V2, F2)
        e, s, r = mesh_distance(V2, F2, V1, F1, threads=3)
        assert d == e and (d == 0.0 or np.array_equal(p, r) and np.array_equal(q, s))
        shuffled = rng.permutation(F1)[:, [2, 0, 1]]
        e, r, s = mesh_distance(V1, shuffled, V2, F2[::-1])
        assert d == e and (d == 0.0 or np.array_equal(p, r) and np.array_equal(q, s))


def test_threads_find_the_same_common_point(monkeypatch):
    V, F = ball(12, 8, 0.5)
    W = turned(np.random.default_rng(3), V) + (0.02, 0.01, 0.03)
    wanted = mesh_distance(V, F, W, F, threads=1)
    monkeypatch.setattr("touchpoint.core.distance.gaps.PATIENCE", 2)
    monkeypatch.setattr("touchpoint.core.distance.gaps.HEAD_START", 1)
    for _ in range(5):
        found = mesh_distance(V, F, W, F, threads=3)
        assert found[0] == wanted[0] == 0.0 and all(map(np.array_equal, found[1:], wanted[1:]))


def test_what_makes_no_sense_is_a_value_error():
    V, F = box()
    for bad in ((V[:0], F[:0]), (V, F[:0]), (V * np.nan, F), (V[:, :2], F), (V[:3], F), (np.full_like(V, np.inf), F)):
        with pytest.raises(ValueError):
            mesh_distance(*bad, V, F)
