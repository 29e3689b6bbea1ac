# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances of convex hulls by annealing: by hand, against the rational reference and against GJK."""
import math

import numpy as np
import pytest
from naive.convex_pairs import draw as draw_pairs
from naive.hull_families import CUBE, FAMILIES, pairs_of
from naive.rational_convex import nearest_points
from naive.scenes import SCENES, build, draw, pose
from naive.shapes import ball, box, grid
from touchpoint.core import Scene, detect
from touchpoint.core.convex.annealing.annealing import Program, distance
from touchpoint.core.convex.annealing.evolve import (
    BELOW,
    EXCESS,
    FITNESS,
    STATE_COLUMNS,
    accepted,
    change,
    measure,
    penalised,
    random,
    repair,
)
from touchpoint.core.convex.hulls.convexity import is_convex
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries import convex_distance, convex_penetration
from touchpoint.core.records import Population

ROUNDING = 1e-14        # of the size: what distances err by beside the bounds
slow_uncompiled = pytest.mark.skipif(not COMPILED, reason="half a minute without compiled kernels")
EVERY = list(FAMILIES)[:None if COMPILED else 1]


def length(squared):
    shift = 2 * max(0, 80 - squared.numerator.bit_length() // 2 + squared.denominator.bit_length() // 2)
    return math.isqrt(int(squared * 2 ** shift)) / 2 ** (shift // 2)


def population(X, count_p, *rows):
    return Population(X, count_p, np.array(rows, float), np.zeros((len(rows), STATE_COLUMNS)), np.array([1, 1]))


def test_objective_and_penalty_by_hand():
    """P = {(0,0,0), (2,0,0)}, Q = {(0,3,0), (0,3,4)}: λ = (1.5, −0.5), μ = (0.25, 0.5)."""
    X = np.array([[0.0, 0, 0], [2, 0, 0], [0, 3, 0], [0, 3, 4]])
    people = population(X, 2, [1.5, -0.5, 0.25, 0.5])
    S = people.states
    measure(people, 0, 10.0)
    assert S[0, :3].tolist() == [-1.0, -2.25, -2.0]                     # Σλp − Σμq
    assert S[0, EXCESS:BELOW].tolist() == [0.0, -0.25] and S[0, BELOW] == 0.25
    assert S[0, FITNESS] == 1.0 + 5.0625 + 4.0 + 10.0 * (0.0625 + 0.25)
    assert penalised(S, 0, 0.0) == 10.0625                              # without penalty


def test_weights_that_are_allowed_have_no_penalty():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(7, 3))
    people = population(X, 3, [*rng.dirichlet(np.ones(3)), *rng.dirichlet(np.ones(4))])
    W, S = people.weights, people.states
    measure(people, 0, 1e6)
    expected = ((W[0, :3] @ X[:3] - W[0, 3:] @ X[3:]) ** 2).sum()
    assert np.isclose(S[0, FITNESS], expected, rtol=1e-9)


def test_changes_keep_the_state_up_to_date():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(6, 3))
    people = population(X, 2, rng.normal(size=6), np.zeros(6))
    W, S = people.weights, people.states
    measure(people, 0, 3.0)
    for i in rng.integers(0, 6, 40).tolist():
        change(people, 0, i, W[0, i], rng.normal())
    W[1] = W[0]
    measure(people, 1, 3.0)
    assert np.allclose(S[0, :FITNESS], S[1, :FITNESS]) and np.isclose(penalised(S, 0, 3.0), S[1, FITNESS])


def test_repair_by_hand():
    W = np.array([[0.5, -0.25, 1.5, -1.0, -2.0]])
    repair(W, 0, 0, 3)
    repair(W, 0, 3, 5)
    assert W.tolist() == [[0.25, 0.0, 0.75, 0.5, 0.5]]


def test_rule_of_metropolis():
    state = np.array([11, 12])
    assert all(accepted(2.0, 1.0, 1e-9, state) and accepted(1.0, 1.0, 1e-9, state) for _ in range(9))
    assert not any(accepted(1.0, 2.0, 1e-3, state) for _ in range(99))
    taken = sum(accepted(1.0, 2.0, 1.0, state) for _ in range(4000)) / 4000
    assert abs(taken - math.exp(-1.0)) < 0.03


def test_random_numbers_are_between_0_and_1_and_evenly_spread():
    state = np.array([1, 1])
    numbers = np.array([random(state) for _ in range(4000)])
    assert 0.0 < numbers.min() and numbers.max() < 1.0
    assert np.abs(np.histogram(numbers, 10, (0, 1))[0] - 400).max() < 90


@pytest.mark.parametrize("P, Q, expected", [
    ([(1, 2, 3)], [(4, 6, 3)], 5.0),                                            # points
    ([(0, 0, 0), (2, 0, 0)], [(1, -1, 1), (1, 1, 1)], 1.0),                     # edges across
    ([(0, 0, 0), (4, 0, 0), (0, 4, 0)], [(1, 1, 2), (5, 5, 9)], 2.0),           # a corner over a face
    (CUBE, CUBE + (3, 0, 0), None), (CUBE, CUBE + (3, 3, 3), None),
    ([(5, 5, 5)], [(5, 5, 5)], 0.0), (CUBE, CUBE * 0.5, 0.0),
])
@pytest.mark.parametrize("scale", [1.0, 1e-200, 3e150])
def test_known_distances(P, Q, expected, scale):
    P, Q = np.array(P, float) * scale, np.array(Q, float) * scale
    expected = convex_distance(P, Q)[0][0] if expected is None else expected * scale
    found = distance(P, Q, 1e-9)
    assert found.lower <= expected + ROUNDING * found.size
    assert expected <= found.distance + ROUNDING * found.size and found.distance - expected <= 1e-9 * found.size


def test_wrong_input():
    for bad in (np.zeros((0, 3)), np.zeros((2, 2)), np.full((1, 3), np.nan), np.zeros(3)):
        with pytest.raises(ValueError):
            distance(bad, CUBE)


@pytest.mark.parametrize("family", EVERY)
def test_bounds_hold_for_every_family(family):
    for P, Q in zip(*pairs_of(family, 6)):
        squared = nearest_points(P.tolist(), Q.tolist()).squared
        found = distance(P, Q, 1e-6)
        expected = length(squared) if squared else 0.0
        allowed = ROUNDING * found.size
        assert found.lower - allowed <= expected <= found.distance + allowed
        between = float(np.linalg.norm((found.p - found.q) / (found.size or 1.0)))
        assert abs(between - found.distance / (found.size or 1.0)) <= 1e-13 + 4 * (
            np.spacing(np.abs(P).max()) + np.spacing(np.abs(Q).max())) / (found.size or 1.0)
        assert found.distance - found.lower <= 2e-6 * found.size or squared == 0


@slow_uncompiled
@pytest.mark.parametrize("corners", [4, 12, 40, 150])
def test_error_beside_gjk(corners):
    """Random hulls of all distances, also flattened ones: the distance is within the tolerance, and proved to be."""
    rng = np.random.default_rng(corners)
    worst = 0.0
    for k in range(24):
        P, Q = (rng.normal(size=(corners, 3)) for _ in range(2))
        P, Q = (side / np.linalg.norm(side, axis=1)[:, None] for side in (P, Q))
        Q = Q * ([1, 0.1, 0.01] if k % 4 == 0 else 1.0) + rng.normal(size=3) * rng.uniform(0, 3)
        found, true = distance(P, Q), convex_distance(P, Q)[0][0]
        assert found.lower - ROUNDING <= true <= found.distance + ROUNDING
        worst = max(worst, (found.distance - true) / found.size)
        assert found.distance - found.lower <= 1e-6 * found.size or true == 0.0
    assert worst <= 1e-6


@slow_uncompiled
def test_the_order_of_points_and_hulls_does_not_matter():
    rng = np.random.default_rng(3)
    for P, Q in zip(*draw_pairs("round", 6, 2, most=20)):
        first = distance(P, Q)
        again = distance(P[rng.permutation(len(P))], np.concatenate([Q, Q[:2]])[::-1])
        turned = distance(Q, P)
        assert (first.distance, first.lower) == (again.distance, again.lower) == (turned.distance, turned.lower)
        assert (first.p == turned.q).all() and (first.q == again.q).all()


@slow_uncompiled
@pytest.mark.parametrize("name", ["clouds", "round", "boxes", "nested", "alike"])
def test_depth_is_never_too_small_and_close_to_the_least(name):
    errors = []
    for P, Q in zip(*draw_pairs(name, 25, 4, most=12)):
        true = convex_penetration(P, Q)[0]
        if convex_distance(P, Q)[0][0] == 0.0:
            pair = Program(P, Q)
            found = pair.depth()
            assert found >= true - ROUNDING * pair.size
            errors.append((found - true) / pair.size if pair.size else 0.0)
    assert len(errors) > 2 and np.median(errors) < 1e-8 and max(errors) < 0.005


CONVEX = {
    "box": box(), "ball": ball(8, 6, 1.0), "triangle": ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [[0, 1, 2]]),
    "sheet": grid(4, 3, (0, 0, 0), (1, 0, 0), (0, 1, 0)), "point": (np.zeros((3, 3)), [[0, 1, 2]]),
    "segment": ([(0, 0, 0), (1, 2, 3), (2, 4, 6)], [[0, 1, 1], [1, 2, 2]]),
    "turned inside out": (box()[0], box()[1][:, ::-1]), "float32": ((ball(9, 7, 1.0)[0] * 0.1).astype(np.float32), ball(
        9, 7, 1.0)[1]),
}
SEGMENTS = [(0, 0, 0), (1, 2, 3), (2, 4, 6), (3, 6, 9)]
NOT_CONVEX = {
    "open box": (box()[0], box()[1][1:]),
    "one face turned": (box()[0], np.concatenate([box()[1][:1, ::-1], box()[1][1:]])),
    "two boxes": (np.concatenate([box()[0], box()[0] + 3]), np.concatenate([box()[1], box()[1] + 8])),
    "dented": (np.where(np.arange(8)[:, None] == 0, 0.6, box()[0]), box()[1]),
    "bent sheet": ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0.1)], [[0, 1, 2], [1, 3, 2]]),
    "sheet with a notch": ([(0, 0, 0), (2, 0, 0), (0.5, 0.5, 0), (0, 2, 0)], [[0, 1, 2], [0, 2, 3]]),
    "sheet with a gap": (CONVEX["sheet"][0], CONVEX["sheet"][1][1:]),
    "segments apart": (SEGMENTS, [[0, 1, 1], [2, 3, 3]]),
    "doubled sheet": ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [[0, 1, 2], [2, 1, 0]]),
}


@pytest.mark.parametrize("size", [1.0, 1e-30, 1e300])
@pytest.mark.parametrize("name", [*CONVEX, *NOT_CONVEX])
def test_convexity(name, size):
    vertices, triangles = (np.array(part) for part in {**CONVEX, **NOT_CONVEX}[name])
    assert is_convex(vertices.astype(float) * size, triangles, 1e-6) == (name in CONVEX)


def found_in(scene, **settings):
    report = detect(scene, "saga", **settings)
    return {(int(row["a"]), int(row["b"])): report.verdict(i) for i, row in enumerate(report.pairs)}, report


def test_verdicts_and_contacts_by_hand():
    scene = Scene()
    cube = scene.add_mesh(*box())
    for middle in ((0, 0, 0), (1, 0, 0), (1.5, 0.5, 0.5), (5, 5, 5), (5.25, 5.25, 5.25)):
        scene.add_object(cube, pose(1.0 if middle != (5.25, 5.25, 5.25) else 0.5, middle))
    found, report = found_in(scene)
    assert found == {(0, 1): "touching", (1, 2): "overlap", (3, 4): "overlap"}
    assert report.contacts.triangle_a.tolist() == [-1] * 3 == report.contacts.triangle_b.tolist()
    point = report.contacts_of(0).point[0]
    assert np.allclose(point[:, 0], 1.0, atol=1e-5) and (point > -1e-5).all() and (point < 1.00001).all()
    assert "annealing" in report.notes[0] and len(report.notes) == 1


def test_what_is_not_convex_is_not_judged():
    """A cube in the notch between two others that are one object: the hulls meet, nothing else does."""
    scene = Scene()
    cube = box()
    two = np.concatenate([cube[0], cube[0] + (3, 0, 0)]), np.concatenate([cube[1], cube[1] + 8])
    scene.add_object(scene.add_mesh(*two))
    for middle in ((1.5, 0, 0), (9, 9, 9)):
        scene.add_object(scene.add_mesh(*cube), pose(1.0, middle))
    found, report = found_in(scene)
    assert found == {(0, 1): "cannot tell"} and len(report.contacts) == 0 and report.exit_code() == 2
    assert "not convex" in detect(scene, "saga").notes[1].lower()


def test_near_pairs():
    scene = Scene()
    cube = scene.add_mesh(*box())
    for middle in ((0, 0, 0), (1.25, 0, 0), (0, 1.5, 0), (0, 0, 5)):
        scene.add_object(cube, pose(1.0, middle))
    found, report = found_in(scene, clearance=0.3)
    assert found == {(0, 1): "near"}
    assert abs(report.pairs["gap"][0] - 0.25) < 1e-5
    assert np.allclose(report.pairs["gap_points"][0][:, 0], [1.0, 1.25], atol=1e-5)


@slow_uncompiled
@pytest.mark.parametrize("name", ["crowd", "lattice boxes", "touching grid"])
@pytest.mark.parametrize("seed", range(2))
def test_clear_is_right_and_meeting_is_seen_beside_the_exact_method(name, seed):
    assert name in SCENES
    scene = build(draw(name, seed))
    expected, (found, _) = detect(scene), found_in(scene)
    exact = {(int(row["a"]), int(row["b"])): expected.verdict(i) for i, row in enumerate(expected.pairs)}
    for pair in set(exact) | set(found):
        here, there = found.get(pair, "clear"), exact.get(pair, "clear")
        assert (here == "clear") <= (there == "clear")
        if here == "touching":
            assert there == "touching"
        if here == "overlap":
            assert there in ("crossing", "overlap", "contained")


@slow_uncompiled
def test_the_same_on_any_number_of_threads_and_after_cancelling():
    scene = build(draw("lattice boxes", 3))
    first, report = found_in(scene, threads=1)
    for threads in (2, 5):
        again, other = found_in(scene, threads=threads)
        assert again == first and (other.contacts.point == report.contacts.point).all()
    for stop in (3, 6, 20):
        calls = iter(range(stop))
        part, cut = found_in(scene, threads=2, progress=lambda *_, calls=calls: next(calls, -1) >= 0)
        assert all(verdict in ("cannot tell", first.get(pair, "clear")) for pair, verdict in part.items())
    assert found_in(scene)[0] == first
