# SPDX-License-Identifier: GPL-3.0-or-later
"""The least distance of triangles and of meshes, against rational arithmetic over all pairs of triangles."""
from fractions import Fraction

import numpy as np
import pytest
from naive.shapes import ball, box, grid
from naive.triangle_pairs import CLASSES, arrangements, draw
from numba import njit
from touchpoint.core.distance.leaves import WIDE, put_in_order
from touchpoint.core.distance.node_distance import box_distance_4, node_distance_16, node_distance_16_by_side
from touchpoint.core.distance.pair import RELATIVE_ERROR, UNDECIDED_DISTANCE, pair_scratch, triangle_distance
from touchpoint.core.distance.triangles import (
    BOUNDS_ROUNDING,
    COLUMNS,
    FOUND_ROWS,
    GIVEN_ROWS,
    LENGTH,
    LOWER,
    SIZE,
    nearest_features,
    nearest_features_of_one,
)
from touchpoint.core.geometry.parted import LANES
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries import mesh_distance
from touchpoint.core.reference.distance import mesh_gap, triangle_gap

ONE = np.array([[0, 1, 2]])
PER_CLASS = 40 if COMPILED else 4
LEFT_TO_RATIONALS = ("huge", "every exponent", "scale 1e-300", "subnormal", "stretched",
                     "coplanar rotated", "coplanar side", "one step off")   # gaps of a rounding error


def kernel_distance(a, b, limit=np.inf):
    scratch = pair_scratch()
    scratch.corners[:3], scratch.corners[3:] = a, b
    scratch.points[:] = np.nan
    return triangle_distance(float(limit), scratch), scratch.points


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
    undecided = 0
    for a, b in zip(A, B):
        distance, points = kernel_distance(a, b)
        squared = triangle_gap(a.tolist(), b.tolist()).squared
        undecided += squared > 0 and distance == UNDECIDED_DISTANCE
        if squared == 0:
            assert distance == UNDECIDED_DISTANCE
        elif distance != UNDECIDED_DISTANCE and distance > 1e-290:
            assert relative_error(distance, squared) < 2 * RELATIVE_ERROR
            if 1e-100 < np.abs(a).max() < 1e100:
                assert_points_on(points, a, b, distance)
    if not name.startswith(LEFT_TO_RATIONALS):
        assert undecided <= 1 + 0.2 * PER_CLASS


def test_a_corner_on_an_edge_whose_middle_is_a_rounding_off():
    a = np.array([[0.000192, 0.00023999999999999998, 0.00023999999999999998], [6.4e-05, 0.000176, 0.000112],
                  [9.6e-05, 9.6e-05, -6.4e-05]])
    b = np.array([[0.000192, -0.000176, 0.00023999999999999998], [0.000192, 0.000656, 0.00023999999999999998],
                  [7.999999999999999e-05, 6.4e-05, -6.4e-05]])
    assert triangle_gap(a.tolist(), b.tolist()).squared == 0 and kernel_distance(a, b)[0] == UNDECIDED_DISTANCE


@pytest.mark.parametrize("name", ["random", "lattice", "near 1e-06", "near 1e-12", "needle", "near parallel"])
def test_triangles_in_any_order_give_the_same_bits(name):
    for a, b in zip(*draw(name, 8 if COMPILED else 1, 2)):
        distance, points = kernel_distance(a, b)
        for i, (first, second) in enumerate(arrangements(a, b)):
            again, places = kernel_distance(first, second)
            assert again == distance
            assert distance == UNDECIDED_DISTANCE or np.array_equal(places, points if i < 36 else points[::-1])


def test_a_limit_dismisses_what_is_farther_and_nothing_else():
    for a, b in zip(*draw("random", PER_CLASS, 3)):
        distance, _ = kernel_distance(a, b)
        if distance != UNDECIDED_DISTANCE:
            assert kernel_distance(a, b, distance)[0] == distance
            assert kernel_distance(a, b, 0.999 * distance)[0] > 0.999 * distance


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_columns_bound_the_distance_from_both_sides(name):
    pairs = [np.concatenate(pair) for pair in zip(*draw(name, COLUMNS if COMPILED else LANES, 5))]
    T, F = np.zeros(GIVEN_ROWS * COLUMNS), np.full(FOUND_ROWS * COLUMNS, np.nan)
    T.reshape(GIVEN_ROWS, COLUMNS)[:18, :len(pairs)] = np.stack([pair.ravel() for pair in pairs], axis=1)
    with np.errstate(all="ignore"):
        nearest_features(T, F, len(pairs))
    for k, (pair, found) in enumerate(zip(pairs, F.reshape(FOUND_ROWS, COLUMNS).T.copy())):
        if not np.isnan(found[LOWER]):
            squared = triangle_gap(pair[:3].tolist(), pair[3:].tolist()).squared
            assert found[LOWER] <= 0 or Fraction(found[LOWER]) ** 2 <= squared
            assert Fraction(found[LENGTH] + BOUNDS_ROUNDING * found[SIZE]) ** 2 >= squared
        elif 1e-50 < np.abs(pair).min() and np.abs(pair).max() < 1e50:
            assert found[LENGTH] == 0
        if k < LANES:           # the same in any column and any company
            T.reshape(GIVEN_ROWS, COLUMNS)[:18, 0] = pair.ravel()
            for fill in (lambda: nearest_features(T, F, 1), lambda: nearest_features(T, F, LANES),
                         lambda: nearest_features_of_one(T, F)):
                with np.errstate(all="ignore"):
                    fill()
                assert np.array_equal(F[::COLUMNS], found, equal_nan=True)
                numbers = ~np.isnan(found)
                assert np.array_equal(np.signbit(F[::COLUMNS][numbers]), np.signbit(found[numbers]))
                F[:] = np.nan


def test_corners_are_put_in_lexicographic_order():
    corners = np.random.default_rng(6).integers(0, 2, (60, WIDE, 3, 3)).astype(float)
    for eight in corners:
        C = np.ascontiguousarray(eight.reshape(WIDE, 9).T).ravel()
        put_in_order(C, WIDE)
        assert C.reshape(9, WIDE).T.reshape(WIDE, 3, 3).tolist() == [sorted(t) for t in eight.tolist()]


def distances(boxes, rows, limit, low):
    return (node_distance_16(boxes, 0, boxes, 1, limit, low[0]), node_distance_16_by_side(rows, limit, low[1]),
            box_distance_4(boxes, boxes, 1, limit, low[2]))


def test_sixteen_distances_at_once():
    rng = np.random.default_rng(7)
    call = njit(distances) if COMPILED else distances
    for limit in (0.0, 0.3, 2.0, np.inf):
        corner = rng.normal(size=(2, 3, 4)).astype(np.float32)
        boxes = np.concatenate([corner, corner + rng.random((2, 3, 4)).astype(np.float32)], axis=1)
        low = np.zeros((3, 16), np.float32)
        masks = call(boxes, np.ascontiguousarray(boxes.transpose(1, 0, 2)).ravel(), np.float32(limit), low)
        wanted = [sum(max(q[x] - p[3 + x], p[x] - q[3 + x], 0) ** 2 for x in range(3))
                  for p in boxes[0].T for q in boxes[1].T]
        assert low[0] == pytest.approx(wanted, rel=1e-6) and np.array_equal(low[0], low[1])
        assert masks[0] == masks[1] == np.sum((low[0] <= limit) << np.arange(16))
        assert np.array_equal(low[2, :4], low[0, :4]) and masks[2] == masks[0] & 15 and not low[2, 4:].any()


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
        assert relative_error(d, wanted) < 2 * RELATIVE_ERROR
    rounding = Fraction(1e-14 * max(np.abs(V1).max(), np.abs(V2).max())) ** 2
    for point, V, F in ((p, V1, F1), (q, V2, F2)):
        assert mesh_gap(np.broadcast_to(point, (1, 3, 3)), V[F]).gap.squared <= rounding


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e-20, 1e20, 1e30, 1e150])
def test_extreme_sizes(scale):
    V, F = box()
    d, _, _ = mesh_distance(V * scale, F, (V + (3, 0, 0)) * scale, F)
    assert d == pytest.approx(2 * scale, rel=1e-12)


@pytest.mark.parametrize("seed", [1, 9, 58])
def test_a_size_whose_squares_lose_digits(seed):
    rng = np.random.default_rng(seed)
    V, F = ball(24, 20, 0.5)
    A, B = turned(rng, V), turned(rng, V)
    B += 1.05 * turned(rng, np.eye(3))[0]
    d, _, _ = mesh_distance(A, F, B, F)
    tiny, _, _ = mesh_distance(np.ldexp(A, -530), F, np.ldexp(B, -530), F)
    assert np.ldexp(tiny, 530) == pytest.approx(d, rel=1e-12)


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
    monkeypatch.setattr("touchpoint.core.distance.gaps.DISTANCE_STEPS_PER_CALL", 2)
    monkeypatch.setattr("touchpoint.core.distance.gaps.CALLS_BEFORE_SHARING", 1)
    for _ in range(5):
        found = mesh_distance(V, F, W, F, threads=3)
        assert found[0] == wanted[0] == 0.0 and all(map(np.array_equal, found[1:], wanted[1:]))


def test_what_makes_no_sense_is_a_value_error():
    V, F = box()
    for bad in ((V[:0], F[:0]), (V, F[:0]), (V * np.nan, F), (V[:, :2], F), (V[:3], F), (np.full_like(V, np.inf), F)):
        with pytest.raises(ValueError):
            mesh_distance(*bad, V, F)
