# SPDX-License-Identifier: GPL-3.0-or-later
"""When deforming meshes first meet themselves: held against rational times of impact of all their corners and sides,
and against the definition of self-collision at many moments, in Fractions."""
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from naive.rational_continuous import first_contact
from naive.self_meshes import grid, soup, unwelded
from naive.self_pairs import self_pairs
from touchpoint.core import Scene
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.run import Run
from touchpoint.core.self_collision import first_contacts
from touchpoint.core.self_collision.first_contacts import first_self_contacts
from touchpoint.core.self_collision.known import Known

SIDES = ((0, 1), (1, 2), (2, 0))
MOMENTS = 12


def between(scene, V0, V1, F, known=None, met_at_end=False, threads=1):
    scene.add_object(scene.add_mesh(V0, F))
    start = Instant.of(scene)
    scene.set_vertices(0, V1)
    run = Run(None, threads, False, {})
    return first_self_contacts(start, Instant.of(scene), np.array([0]), [known], np.array([met_at_end]), run)


def first_time(V0, V1, F, **how) -> float:
    found = between(Scene(), V0, V1, F, **how)
    assert found.a.tolist() == found.b.tolist() == [0] * len(found.a)
    return found.toi[0] if len(found.toi) else np.inf


def features(one, other, V0, V1):
    """(kind, four vertices) of two triangles: those that have no place in common all the while."""
    place = [(*V0[v], *V1[v]) for v in range(len(V0))]
    for vertex, face in [(v, other) for v in one] + [(v, one) for v in other]:
        if place[vertex] not in [place[v] for v in face]:
            yield "vertex_face", (vertex, *face)
    for i, j in SIDES:
        for k, m in SIDES:
            if not {place[one[i]], place[one[j]]} & {place[other[k]], place[other[m]]}:
                yield "edge_edge", (one[i], one[j], other[k], other[m])


def rational_time(V0, V1, F) -> tuple[float, bool]:
    """The first time in (0, 1) at which corners and sides meet, of those that are apart at the start, and whether all
    are."""
    best, apart = np.inf, True
    for one, other in combinations(F.tolist(), 2):
        for kind, rows in features(one, other, V0, V1):
            found = first_contact(kind, V0[list(rows)].tolist(), V1[list(rows)].tolist())
            if found is not None:
                apart &= found[1] > 0
                best = min(best, float(found[0])) if found[1] > 0 and found[0] < 1 else best
    return best, apart


def at(V0, V1, moment: Fraction):
    return [[(1 - moment) * Fraction(p) + moment * Fraction(q) for p, q in zip(*rows)]
            for rows in zip(V0.tolist(), V1.tolist())]


def check(V0, V1, F) -> bool:
    """True where it is a case: the mesh does not meet itself at either end."""
    if self_pairs(V0.tolist(), F) or self_pairs(V1.tolist(), F):
        return False
    found, (wanted, apart) = first_time(V0, V1, F), rational_time(V0, V1, F)
    assert found <= wanted and (found == wanted or found >= wanted - first_contacts.EARLY or not apart)
    for number in range(1, MOMENTS):
        if self_pairs(at(V0, V1, Fraction(number, MOMENTS)), F):
            assert found <= number / MOMENTS
    return True


def crumpled(rng, size=1.0):
    """A strip whose vertices go anywhere."""
    V, F = grid(3)
    V = V.astype(float)
    return V * size, (V + rng.normal(0.0, 0.5, V.shape)) * size, F


def on_a_lattice(rng, _):
    """Triangles with common corners, anywhere, that go anywhere: whole numbers, so that most are in some plane."""
    V, F = soup(rng, 7, 4, 4)
    return V.astype(float), V + rng.integers(-3, 4, V.shape).astype(float), F


def turned(rng, size):
    """A sheet that turns while a corner folds over."""
    V, F = grid(3)
    V, angle = V.astype(float), rng.uniform(0.3, 1.5)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    W = V @ turn.T + rng.normal(0.0, 0.05, V.shape)
    W[0] = W[4] + rng.normal(0.0, 0.4, 3)
    V[0, 2] += 0.5
    W[0, 2] -= 0.5
    return (V + 100.0) * size, (W + 100.0) * size, F


@pytest.mark.parametrize(("make", "size"), ((crumpled, 1.0), (crumpled, 1e-5), (on_a_lattice, 1.0), (turned, 1.0)))
def test_against_all_corners_and_sides(make, size):
    wanted, seed = (8 if COMPILED else 2), 0
    cases = meetings = 0
    while cases < wanted:
        seed += 1
        V0, V1, F = make(np.random.default_rng(seed), size)
        if check(V0, V1, F):
            cases += 1
            meetings += first_time(V0, V1, F) < 1.0
    assert 0 < meetings < cases or not COMPILED        # of a few nobody knows


def two_flaps(t, n=4):
    """A sheet that is bent along its middle: a flap swings through the other one between t = 0 and t = 1."""
    V, F = grid(n)
    x, y = V[:, 0] - 0.5 * n, V[:, 1]
    angle = np.radians(np.where(x < 0, 130.0 * t, 80.0))
    return np.stack([np.where(x < 0, -1, 1) * np.abs(x) * np.cos(angle), y + 0.01 * x, np.abs(x) * np.sin(angle)], 1), F


def test_a_flap_swings_through_another_one():
    (V0, F), (V1, _) = two_flaps(0.0), two_flaps(1.0)
    time = first_time(V0, V1, F)
    assert 0.3 < time < 1.0 and time == pytest.approx(rational_time(V0, V1, F)[0], abs=1e-9)
    seam, F = unwelded((V0, F))         # corners at one place all the while are one
    assert first_time(seam, unwelded((V1, two_flaps(0.0)[1]))[0], F) == time


def test_a_sheet_that_is_carried_and_turned_far():
    V, F = grid(8)
    V = V + 1000.0
    for degrees in (10, 60, 120):
        angle = np.radians(degrees)
        turn = np.array([[np.cos(angle), 0, -np.sin(angle)], [0, 1, 0], [np.sin(angle), 0, np.cos(angle)]])
        assert first_time(V, V @ turn.T + 5.0, F) == np.inf


def test_folded_flat_and_on():
    """Two triangles at an edge, whose dihedral angle goes through zero."""
    V0 = np.array([[0, 0, 0], [1, 0, 0], [0.4, 1, 0.5], [0.5, 1, -0.5]], float)
    V1 = V0.copy()
    V1[2:, 2] *= -1.0
    F = np.array([[0, 1, 2], [0, 1, 3]], np.int32)
    assert first_time(V0, V1, F) == pytest.approx(0.5, abs=1e-9)
    V0[3, 1] = V1[3, 1] = -1.0          # the way through the other flat angle
    assert first_time(V0, V1, F) == np.inf


def test_slivers_that_lie_along_their_neighbours():
    """A triangle without area along a side of its neighbour meets it all the while, and does not collide with it."""
    V0 = np.array([[0, 0, 0], [2, 0, 0], [1, 0, 0], [0, 2, 0], [0, -2, 0]], float)
    F = np.array([[0, 1, 2], [0, 3, 1], [4, 0, 1]], np.int32)
    assert not self_pairs(V0, F)
    assert first_time(V0, 2.0 * V0 + 1.0, F) == np.inf


def test_many_small_objects_at_once():
    """Sheets of a few triangles, each a mesh of its own, of which every third one meets itself."""
    scene, ends, (V0, F) = Scene(), [], two_flaps(0.0, 3)
    for number in range(60 if COMPILED else 6):
        place = np.array([20.0 * number, 0, 0])
        scene.add_object(scene.add_mesh(V0 + place, F))
        ends.append(two_flaps(1.0 if number % 3 == 0 else 0.5, 3)[0] + place)
    start = Instant.of(scene)
    for number, end in enumerate(ends):
        scene.set_vertices(number, end)
    every = np.arange(len(ends))
    found = first_self_contacts(start, Instant.of(scene), every, [None] * len(every), np.zeros(len(every), bool),
                                Run(None, 1, False, {}))
    assert found.a.tolist() == found.b.tolist() == every[::3].tolist()
    np.testing.assert_allclose(found.toi, first_time(V0, two_flaps(1.0, 3)[0], F), atol=1e-9)


def test_the_numbers_of_boxes_may_be_large():
    """What boxes are grown by is rounded up, also where it is more than 1 in their numbers."""
    for size in (1.0, 1e6):
        numbers = np.array([0.0, 0.3, 1.0, 1.0 + 1e-9, 3.1]) * size
        assert (first_contacts._rounded_up(numbers).astype(float) >= numbers).all()


def test_known_pairs_do_not_count():
    (V0, F), (V1, _) = two_flaps(0.0), two_flaps(1.0)
    every = np.array([one * len(F) + other for one, other in combinations(range(len(F)), 2)])
    known = Known(len(V0), F, every, np.ones(len(every), np.int8), True)
    assert first_time(V0, V1, F, known=known) == np.inf
    assert first_time(V0, V1, F, known=known._replace(codes=every[:1], shares=known.shares[:1])) < 1.0


def test_what_meets_at_the_end_alone():
    """A corner comes to lie on a face at the end: that counts where the object is known to meet itself there."""
    V0 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 3], [2, 1, 4], [1, 2, 4]], float)
    V1 = V0 - np.repeat([0.0, 1.0], 3)[:, None] * (0, 0, 3.0)
    F = np.array([[0, 1, 2], [3, 4, 5]], np.int32)
    assert first_time(V0, V1, F, met_at_end=True) == pytest.approx(1.0)
    assert first_time(V0, V1, F) == np.inf


@pytest.mark.skipif(not COMPILED, reason="large enough to be shared by threads: minutes in plain Python")
def test_threads_and_buffers_change_nothing(monkeypatch):
    (V0, F), (V1, _) = two_flaps(0.0, 30), two_flaps(1.0, 30)
    alone = first_time(V0, V1, F)
    monkeypatch.setattr(first_contacts, "MAX_TASKS_PER_CALL", 40)
    monkeypatch.setattr(first_contacts, "STACK", 30)
    assert first_time(V0, V1, F) == alone == first_time(V0, V1, F, threads=2)
