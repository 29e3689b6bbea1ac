# SPDX-License-Identifier: GPL-3.0-or-later
"""R5, R6: convex hulls against rational arithmetic."""
from fractions import Fraction

import numpy as np
from naive import rational_convex as reference
from naive.agreement import square_root
from naive.convex_pairs import CLASSES, draw
from touchpoint.core.queries import convex_distance, convex_intersect, convex_penetration
from touchpoint.core.queries.convex import separating_move

from .outcome import Outcome, Proof, shared_out

SLOW = {"every exponent 300": 10}
RELATIVE = 1e-12


def run(count: int, seed: int) -> Outcome:
    rng, outcome = np.random.default_rng([seed, 5]), Outcome()
    for name, number in shared_out(count, CLASSES, rng, SLOW).items():
        P, Q = draw(name, number, seed=[seed, 5], most=int(rng.choice((4, 8, 60))))
        hit, (distance, on_p, on_q) = convex_intersect(P, Q), convex_distance(P, Q)
        swapped = convex_intersect(Q, P)
        for row in range(number):
            judge(name, P[row], Q[row], bool(hit[row]), bool(swapped[row]), distance[row], on_p[row], on_q[row],
                  outcome)
    return outcome


def judge(name, P, Q, hit: bool, swapped: bool, distance: float, on_p, on_q, outcome: Outcome) -> None:
    exact = reference.nearest_points(P.tolist(), Q.tolist())
    outcome.asked += 1
    outcome.count("meeting", exact.squared == 0)
    case = f"{name}: {P.tolist()} {Q.tolist()}"
    if hit != swapped:
        outcome.fail(f"{hit}, but {swapped} swapped: {case}")
    if hit != (exact.squared == 0):
        outcome.fail(f"{hit}: {case}")
    size = max(np.ptp(P, axis=0).max(), np.ptp(Q, axis=0).max())
    place = np.spacing(max(np.abs(P).max(), np.abs(Q).max()))
    true = square_root(exact.squared)
    if (distance == 0) != (true == 0):
        outcome.fail(f"distance {distance}, not {true}: {case}")
    error = max(0.0, abs(distance - true) - 4 * np.spacing(true))
    outcome.measure("distance", error / max(size, np.finfo(float).tiny))
    if error > RELATIVE * size:
        outcome.fail(f"distance {distance}, not {true}: {case}")
    beside = [square_root(reference.nearest_points(hull.tolist(), [point.tolist()]).squared)
              for hull, point in ((P, on_p), (Q, on_q))]
    apart = tuple(Fraction(p) - Fraction(q) for p, q in zip(on_p.tolist(), on_q.tolist()))
    gap = abs(square_root(sum(value * value for value in apart)) - true) - 4 * np.spacing(true)
    error = max(0.0, *(value - 4 * place for value in (*beside, gap)))
    outcome.measure("points", error / max(size, np.finfo(float).tiny))
    if error > RELATIVE * size:
        outcome.fail(f"points {on_p.tolist()} {on_q.tolist()}, not {true} apart or not on the hulls: {case}")


def run_depths(count: int, seed: int) -> Outcome:
    """Hulls of up to six points: how far must one be moved at least, and which way?"""
    rng, outcome = np.random.default_rng([seed, 6]), Outcome()
    for name, number in shared_out(count, CLASSES, rng, SLOW).items():
        P, Q = draw(name, number, seed=[seed, 6], most=6)
        depth, (length, direction), swapped = convex_penetration(P, Q), separating_move(P, Q), convex_penetration(Q, P)
        for row in range(number):
            judge_depth(name, P[row].tolist(), Q[row].tolist(), depth[row], swapped[row], outcome)
            if length[row] != depth[row]:
                outcome.fail(f"{name}: {length[row]} and {depth[row]}: {P[row].tolist()} {Q[row].tolist()}")
            if depth[row] > 0:
                judge_move(name, P[row], Q[row], depth[row], direction[row], outcome)
    return outcome


def judge_depth(name, P, Q, depth: float, swapped: float, outcome: Outcome) -> None:
    """Never too short, never too long by more than 1e-9 of it, in both orders."""
    true = square_root(reference.separating_move(P, Q)[0])
    outcome.asked += 1
    outcome.count("deep", true > 0)
    if true > 0:
        outcome.measure("too short", (true - depth) / true)
        outcome.measure("too long", (depth - true) / true)
    for said in (depth, swapped):
        if not true - np.spacing(true) <= said <= true * (1 + 1e-9) + np.spacing(true):
            outcome.fail(f"depth {depth}, {swapped} swapped, not {true}: {name}: {P} {Q}")


def judge_move(name, P, Q, depth: float, direction, outcome: Outcome) -> None:
    """Moved that way they are apart, but for what rounding the direction leaves."""
    move = [Fraction(depth) * Fraction(value) for value in direction.tolist()]
    away = [tuple(Fraction(value) + by for value, by in zip(point, move)) for point in Q.tolist()]
    left = square_root(reference.separating_move(P.tolist(), away)[0])
    size = max(np.ptp(P, axis=0).max(), np.ptp(Q, axis=0).max())
    outcome.measure("left after the move", left / size)
    if left > RELATIVE * size:
        outcome.fail(f"{left / size:g} of the size left after the move: {name}: {P.tolist()} {Q.tolist()}")


PROOF = Proof("R5", "convex hulls: meeting, distance, nearest points, order", 1_000_000, 10_000, run)
PROOF_OF_DEPTH = Proof("R6", "convex hulls: shortest separating move, order", 100_000, 2_000, run_depths)
