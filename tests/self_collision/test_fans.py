# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices whose triangles are said to stay spread out: held against the definition of self-collision at many moments,
in Fractions."""
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from naive.self_meshes import grid, shuffled, soup, torus, unwelded
from naive.self_pairs import collide, self_pairs
from touchpoint.core import Scene
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.continuous.motions import Movement
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.run import Run
from touchpoint.core.self_collision import fans
from touchpoint.core.self_collision.first_contacts import _swept

MOMENTS = 5


def spread(V0, V1, F) -> list[list[int]]:
    """The triangles around each vertex that is said to be spread."""
    return of_all([(V0, V1, F)])[0]


def of_all(films, threads=1) -> list[list[list[int]]]:
    scene, run = Scene(), Run(None, threads, False, {})
    for V0, _, F in films:
        scene.add_object(scene.add_mesh(V0, F))
    start = Instant.of(scene)
    for number, (_, V1, _) in enumerate(films):
        scene.set_vertices(number, V1)
    objects = np.arange(len(films), dtype=np.int32)
    movement = Movement(start.taken(objects), Instant.of(scene).taken(objects))
    with run.stage("continuous", 1):
        swept = _swept(movement, objects, run)
        found = fans.spread_vertices(swept, objects, run)
    corners, around = swept.before.corners, []
    for number, (vertices, triangles) in enumerate(swept.counts.T):
        rows = corners.triangle_start[number] + np.arange(triangles)
        own = found[corners.world_start[number] + np.arange(vertices)].nonzero()[0]
        around.append([sorted(corners.order[rows[(corners.triangles[rows] == v).any(axis=1)]].tolist()) for v in own])
    return around


def at(V0, V1, moment: Fraction):
    return [[(1 - moment) * Fraction(p) + moment * Fraction(q) for p, q in zip(*rows)]
            for rows in zip(V0.tolist(), V1.tolist())]


def collides(V0, V1, F, fans) -> bool:
    """True where two triangles of one of these fans collide at one of many moments."""
    pairs = sorted({pair for triangles in fans for pair in combinations(triangles, 2)})
    for number in range(MOMENTS + 1):
        V = [tuple(point) for point in at(V0, V1, Fraction(number, MOMENTS))]
        corners = [[V[v] for v in triangle] for triangle in F.tolist()]
        if any(collide(corners[one], corners[other]) for one, other in pairs):
            return True
    return False


def fan(turns, count=9, closed=False, height=0.0):
    """(V, F): triangles around vertex 0, in so many turns."""
    angle = np.linspace(0.0, 2.0 * np.pi * turns, count, endpoint=not closed)
    rim = np.stack([np.cos(angle), np.sin(angle), height * angle], axis=1)
    F = [(0, k, k + 1) for k in range(1, count)] + ([(0, count, 1)] if closed else [])
    return np.concatenate([np.zeros((1, 3)), rim]), np.array(F, np.int32)


def crumpled(rng):
    V, F = grid(4)
    return V + rng.normal(0.0, 0.1, V.shape), V + rng.normal(0.0, rng.choice([0.1, 0.4]), V.shape), F


def pinched(rng):
    V, F = torus(5, 4, 2.0, 1.0)
    return V, V + rng.normal(0.0, 0.6, V.shape), F


def on_a_lattice(rng):
    V, F = soup(rng, 7, 8, 4)
    return V, V + rng.integers(-2, 3, V.shape), F


def some_fans(rng):
    V, F = fan(rng.choice([0.4, 0.9, 1.0, 1.1, 1.6, 2.0]), int(rng.integers(5, 12)), bool(rng.integers(2)),
               rng.choice([0.0, 0.05]))
    return V, V + rng.normal(0.0, rng.choice([0.01, 0.3]), V.shape), F


@pytest.mark.parametrize("make", (crumpled, pinched, on_a_lattice, some_fans))
def test_what_is_spread_never_meets_beyond_common_vertices(make):
    said = 0
    for seed in range(6 if COMPILED else 1):
        rng = np.random.default_rng(seed)
        V0, V1, F = make(rng)
        (V1, F), _ = shuffled(np.random.default_rng(seed), (V1, F))
        (V0, _), _ = shuffled(np.random.default_rng(seed), (V0, F))
        found = spread(V0, V1, F)
        said += len(found)
        assert not collides(V0, V1, F, found)
    assert said or make is on_a_lattice or not COMPILED


@pytest.mark.parametrize(("turns", "closed", "is_spread"), (
    (0.3, False, True), (0.5, False, True), (0.75, False, True), (1.0, True, True), (1.0, False, False),
    (1.2, False, False), (2.0, True, False), (1.9, False, False), (3.0, True, False)))
def test_how_often_triangles_go_around(turns, closed, is_spread):
    """Seen from above all of them turn the same way round; those that go around more than once lie on each other."""
    V, F = fan(turns, 13, closed)
    assert any(len(each) == len(F) for each in spread(V, V * 1.5, F)) == is_spread
    assert bool(self_pairs(V.tolist(), F)) <= (not is_spread)


def test_a_triangle_that_is_there_twice():
    V, F = fan(1.0, 6, True)
    for k in range(6):
        assert all(len(each) < 4 for each in spread(V, V + 1.0, np.concatenate([F, F[k:k + 1]])))


def test_turned_over_in_between():
    """At both ends all triangles turn the same way round, once at first; one of them is turned over meanwhile, and then
    they go around twice."""
    V, F = fan(1.0, 6, True)
    V1 = V.copy()
    V1[1:, :2] += np.random.default_rng(2506).normal(0.0, 1.0, (6, 2))
    for W in (V, V1):
        assert (np.cross(W[F[:, 1]], W[F[:, 2]])[:, 2] > 0.0).all()
    assert collides(V, V1, F, [range(6)]) and not self_pairs(V.tolist(), F)
    assert [len(each) for each in spread(V, V + 1.0, F)].count(6) == 1
    assert [len(each) for each in (*spread(V, V1, F), *spread(V1, V, F))].count(6) == 0


def test_nearly_all_vertices_of_a_sheet_that_swings():
    V, F = grid(6, lambda x, y: 0.3 * np.sin(x))
    angle = 0.3
    turn = np.array([[np.cos(angle), 0, -np.sin(angle)], [0, 1, 0], [np.sin(angle), 0, np.cos(angle)]])
    one = (V, V @ turn.T + 0.01 * np.sin(7.0 * V), F)
    assert len(spread(*one)) == len(V) - 2          # two corners have one triangle, and no pair
    seam = unwelded(one[::2])[0], *unwelded((one[1], F))
    assert spread(*seam) == []                      # each vertex has one triangle
    other_way = F[:, ::-1].copy()
    other_way[::2] = F[::2]                         # neighbours that are wound otherwise
    assert len(spread(one[0], one[1], other_way)) < len(V) // 2


def test_several_objects_on_threads(monkeypatch):
    monkeypatch.setattr(fans, "FAN_TRIANGLES_PER_CHUNK", 1 << 5)
    films = []
    for seed in range(6):
        V, F = grid(3 + seed)
        films.append((V, V + np.random.default_rng(seed).normal(0.0, 0.2, V.shape), F))
    assert of_all(films, threads=2) == [spread(*each) for each in films]


@pytest.mark.parametrize("size", (1e-120, 1e-60, 1e60, 1e99))
def test_numbers_of_any_size(size):
    """Too small or too large for float64 to tell: nothing is said, or what is said at size one."""
    V, F = grid(4)
    V1 = V + np.random.default_rng(0).normal(0.0, 0.1, V.shape)
    assert spread(V * size, V1 * size, F) in ([], spread(V, V1, F))
