# SPDX-License-Identifier: GPL-3.0-or-later
"""R2: which triangles of one mesh collide, of real and made meshes, against libigl and rational arithmetic.

Every second mesh is one of those that real_meshes.py finds, as it is in its file; without such files all are made:
sheets that are crumpled, folded or cut, tori through themselves, noise, soups, several in one, some of them on a coarse
lattice, unwelded or in single precision. Where libigl (not needed) and Touchpoint differ, rational arithmetic decides;
and it judges pairs that collide, and pairs beside those, whatever libigl says.
"""
from fractions import Fraction

import numpy as np
from naive.self_meshes import grid, shuffled, soup, torus, two_boxes, unwelded
from naive.self_pairs import collide
from naive.shapes import ball, joined
from touchpoint.core.queries import self_intersections

from . import real_meshes
from .outcome import Outcome, Proof

JUDGED = 10             # pairs that collide, and as many beside them, which are judged in any case
DOUBTFUL = 50           # at most, of those about which libigl says otherwise; the others are counted


def crumpled(rng):
    V, F = grid(int(rng.integers(4, 24)))
    return V * (0.2, 0.2, 1.0) + rng.uniform(0.05, 0.6) * rng.normal(size=V.shape), F


def folded(rng):
    """A sheet folded flat along some of its own lines, so that it lies on itself."""
    V, F = grid(int(rng.integers(4, 24)))
    for axis in (0, 1):
        line = float(rng.integers(1, 1 + int(V[:, axis].max())))
        V[:, axis] = line - np.abs(V[:, axis] - line)
    V[:, 2] += 1e-9 * rng.normal(size=len(V)) * (rng.random() < 0.5)
    return V, F


def through_itself(rng):
    return torus(int(rng.integers(5, 40)), int(rng.integers(4, 20)), 1.0, rng.uniform(0.3, 1.8))


def noisy(rng):
    V, F = ball(int(rng.integers(4, 20)), int(rng.integers(3, 14)))
    return V * (1.0 + rng.uniform(0.0, 0.8) * rng.normal(size=(len(V), 1))), F


def several(rng):
    first, second = noisy(rng), through_itself(rng)
    return joined(first, (second[0] + rng.normal(size=3), second[1]), two_boxes(rng.uniform(0.0, 1.2)))


def any_soup(rng):
    return soup(rng, int(rng.integers(5, 60)), int(rng.integers(4, 120)), int(rng.integers(2, 9)))


KINDS = (crumpled, folded, through_itself, noisy, several, any_soup)


def made(rng):
    """(name, vertices, triangles) of one of the kinds, changed in one way or none."""
    kind = KINDS[int(rng.integers(len(KINDS)))]
    V, F = kind(rng)
    V, F, change = np.asarray(V, float), np.asarray(F, np.int32), int(rng.integers(4))
    if change == 1:
        V = np.round(V * 8.0) / 8.0
    elif change == 2:
        V, F = unwelded((V, F))
    elif change == 3:
        V = V.astype(np.float32).astype(float) + np.float32(rng.normal(size=3) * 64.0)
    return f"{kind.__name__} {change}", *shuffled(rng, (V, F))[0]


def mesh_of(number: int, rng):
    """(name, vertices, triangles) of a question."""
    known = [] if real_meshes.reason_to_skip() else real_meshes.meshes()
    return known[number // 2 % len(known)] if number % 2 and known else made(rng)


def pairs_of(V, F) -> set[tuple[int, int]]:
    return set(map(tuple, self_intersections(V, F).tolist()))


def pairs_by_libigl(V, F) -> set[tuple[int, int]] | None:
    try:
        from igl.predicates import find_self_intersections
    except ImportError:
        return None
    found = np.reshape(find_self_intersections(V, F.astype(np.int64))[1], (-1, 2))
    return {(min(i, j), max(i, j)) for i, j in found.tolist() if i != j}


def some(pairs, most: int) -> list:
    """Up to so many of the pairs, spread evenly."""
    ordered = sorted(pairs)
    return [ordered[int(i)] for i in np.linspace(0, len(ordered) - 1, min(len(ordered), most))]


def beside(F, pairs: list, rng) -> set[tuple[int, int]]:
    """For each pair one whose second triangle shares a vertex with that of the pair."""
    found = set()
    for i, j in pairs:
        other = int(rng.choice(np.flatnonzero((F == rng.choice(F[j])).any(axis=1))))
        if other != i:
            found.add((min(i, other), max(i, other)))
    return found


def ask(outcome: Outcome, number: int, seed: int) -> None:
    """One question: a mesh."""
    rng = np.random.default_rng([seed, number, 23])
    name, V, F = mesh_of(number, rng)
    ours, libigl = pairs_of(V, F), pairs_by_libigl(V, F)
    outcome.asked += 1
    outcome.count("pairs", len(ours))
    doubtful = set() if libigl is None else ours ^ libigl
    outcome.count("libigl says otherwise", len(doubtful))
    sure = some(ours, JUDGED)
    for i, j in sorted({*some(doubtful, DOUBTFUL), *sure, *beside(F, sure, rng)}):
        truth = collide(*([tuple(map(Fraction, V[v])) for v in F[each].tolist()] for each in (i, j)))
        outcome.count("judged by rational arithmetic")
        if libigl is not None and ((i, j) in libigl) != truth:
            outcome.count("libigl: missed" if truth else "libigl: invented")
        if ((i, j) in ours) != truth:
            outcome.fail(f"{name}, number {number}, seed {seed}: triangles {i}, {j} "
                         f"{'missed' if truth else 'invented'}")


def run(count: int, seed: int) -> Outcome:
    """count: meshes."""
    outcome = Outcome()
    for number in range(seed * count, seed * count + count):
        ask(outcome, number, seed)
    return outcome


PROOF = Proof("R2", "triangles of one mesh", 600, 50, run)
