# SPDX-License-Identifier: GPL-3.0-or-later
"""R1, R3: pairs of triangles of every class against rational arithmetic, each in two arrangements."""
import numpy as np
from naive.agreement import allowance, point_problem
from naive.triangle_pairs import CLASSES, PERMUTATIONS, draw
from touchpoint.core.contacts import AREA
from touchpoint.core.queries import triangle_intersections, triangles_intersect
from touchpoint.core.reference import shared_part
from touchpoint.core.reference.triangle_pair import DISJOINT

from .outcome import Outcome, Proof, shared_out

# Numbers of a thousand digits: fewer questions.
SLOW = {"every exponent 300": 10, "scale 1e300": 5, "scale 1e+150": 2, "scale 1e+100": 2}


def run(count: int, seed: int) -> Outcome:
    rng, outcome = np.random.default_rng([seed, 1]), Outcome()
    for name, number in shared_out(count, CLASSES, rng, SLOW).items():
        a, b = draw(name, number, seed=[seed, 2])
        compare(name, a, b, outcome)
        rearranged(name, a, b, rng, outcome)
    return outcome


def compare(name, a, b, outcome: Outcome) -> None:
    """Hit, kind and points of every pair."""
    kind, points = triangle_intersections(a, b)
    hit = triangles_intersect(a, b)
    for row, (p, q) in enumerate(zip(a.tolist(), b.tolist())):
        shared = shared_part(p, q)
        outcome.asked += 1
        outcome.count("meeting", shared.kind != DISJOINT)
        if kind[row] != shared.kind or hit[row] != (shared.kind != DISJOINT):
            outcome.fail(f"{name}: kind {kind[row]}, hit {hit[row]}, not {shared.kind}: {p} {q}")
        elif shared.kind == AREA:
            problem = point_problem(a[row], b[row], shared, points[row])
            if problem:
                outcome.fail(f"{name}: {problem}: {p} {q}")
        elif shared.kind != DISJOINT:
            ends = np.array([[float(value) for value in end] for end in shared.ends()])
            problem = off(a[row], b[row], ends, points[row], outcome)
            if problem:
                outcome.fail(f"{name}: {points[row].tolist()} is off by {problem:g} of the size: {p} {q}")
        elif not np.isnan(points[row]).all():
            outcome.fail(f"{name}: points where there is nothing: {p} {q}")


def off(a, b, ends, points, outcome: Outcome) -> float:
    """How far the ends of a point or segment are off, as a share of the size; 0 where that is allowed."""
    error = min((np.abs(points - order) for order in (ends, ends[::-1])), key=np.max)
    beyond = np.maximum(error - np.spacing(np.abs(ends)), 0).max()
    size = max(np.ptp(a, axis=0).max(), np.ptp(b, axis=0).max())
    share = beyond / max(size, np.finfo(float).tiny) if beyond else 0.0
    outcome.measure("end points", share)
    return 0.0 if (error <= allowance(a, b, ends)).all() else share


def rearranged(name, a, b, rng, outcome: Outcome) -> None:
    """Triangles swapped and corners in another order: the same kind and the same points to the last bit."""
    kind, points = triangle_intersections(a, b)
    orders = np.array(PERMUTATIONS)[rng.integers(0, 6, (2, len(a)))]
    one, other = (np.take_along_axis(side, order[..., None], 1) for side, order in zip((a, b), orders))
    swap = rng.random(len(a)) < 0.5
    first, second = np.where(swap[:, None, None], other, one), np.where(swap[:, None, None], one, other)
    other_kind, other_points = triangle_intersections(first, second)
    same = np.array([np.array_equal(p, q, equal_nan=True) or np.array_equal(p, q[::-1], equal_nan=True)
                     for p, q in zip(points, other_points)]) & (kind == other_kind)
    for row in np.flatnonzero(~same):
        outcome.fail(f"{name}: another answer in another order: {a[row].tolist()} {b[row].tolist()}")


PROOF = Proof("R1 R3", "triangle pairs: hit, kind, end points, order", 10_000_000, 47_000, run)
