# SPDX-License-Identifier: GPL-3.0-or-later
"""R7, R8: first contacts of moving vertices, faces and edges against algebraic numbers."""
from fractions import Fraction
from itertools import product
from time import thread_time

import numpy as np
from naive.moving_pairs import CLASSES, KINDS, draw
from naive.rational_continuous import first_contact
from touchpoint.core.queries import edge_edge_toi, vertex_face_toi
from touchpoint.core.reference.distance import triangle_gap

from .outcome import Outcome, Proof, shared_out

QUERY = {"vertex_face": vertex_face_toi, "edge_edge": edge_edge_toi}
SLOW = {(kind, "every exponent 300"): 20 for kind in KINDS}
EARLY, NEAR, LONGEST = Fraction(1, 10 ** 6), 1e-9, 0.010


def run(count: int, seed: int) -> Outcome:
    rng, outcome = np.random.default_rng([seed, 7]), Outcome()
    for (kind, name), number in shared_out(count, product(KINDS, CLASSES), rng, SLOW).items():
        X0, X1 = draw(name, kind, number, seed=[seed, 7])
        hit, toi = QUERY[kind](X0, X1)
        for start, end, said, time in zip(X0.tolist(), X1.tolist(), hit.tolist(), toi.tolist()):
            judge(name, kind, start, end, said, time, outcome)
    return outcome


def judge(name, kind, X0, X1, hit: bool, toi: float, outcome: Outcome) -> None:
    """One answer: never missed, never late, early by less than 1e-6, no contact where there is none."""
    first = first_contact(kind, X0, X1, bits=64)
    outcome.asked += 1
    outcome.count("contacts", first is not None)
    case = f"{name}: {kind} {X0} {X1}"
    if first is None:
        if hit:
            gap = smallest_gap(kind, X0, X1, toi)
            outcome.count("false")
            outcome.measure("false hit at gap", gap)
            if not gap < NEAR:
                outcome.fail(f"false hit at {toi}, {gap:g} of the size apart: {case}")
        return
    low, high = first
    if 0 < toi and low < toi < high:        # no float lies between the ends of this one
        low, high = first_contact(kind, X0, X1, bits=1200)
    if not hit:
        outcome.fail(f"missed, {float(low)}: {case}")
    elif not 0 <= toi <= 1:
        outcome.fail(f"time {toi}: {case}")
    elif toi > high:
        outcome.measure("late", Fraction(toi) - high)
        outcome.fail(f"late by {float(Fraction(toi) - high):g}, {toi}: {case}")
    else:
        early = low - Fraction(toi)
        outcome.measure("early", early)
        if early >= EARLY:
            outcome.fail(f"early by {float(early):g}, {toi}: {case}")


def smallest_gap(kind, X0, X1, toi: float) -> float:
    """The exact distance of the features shortly after the time, as a share of their size."""
    if not 0 <= toi <= 1:
        return np.inf
    times = {min(Fraction(toi) + k * EARLY / 10, Fraction(1)) for k in range(11)}
    gap = min(triangle_gap(*features(kind, corners_at(X0, X1, t))).squared for t in times)
    size = max(np.ptp(np.array(feature, float), axis=0).max() for X in (X0, X1) for feature in features(kind, X))
    size = size or np.abs(np.subtract(X1, X0)).max()
    return float(gap) ** 0.5 / size if size else np.inf


def corners_at(X0, X1, t: Fraction):
    return [tuple(Fraction(p) + t * (Fraction(q) - Fraction(p)) for p, q in zip(*ends)) for ends in zip(X0, X1)]


def features(kind, X):
    """Both as triangles, perhaps without area."""
    return ([X[0]] * 3, X[1:]) if kind == "vertex_face" else ([X[0], X[1], X[1]], [X[2], X[3], X[3]])


def run_times(count: int, seed: int) -> Outcome:
    """Every query on its own, by the processor's clock; the best of three tries."""
    rng, outcome = np.random.default_rng([seed, 8]), Outcome()
    for (kind, name), number in shared_out(count, product(KINDS, CLASSES), rng).items():
        X0, X1 = draw(name, kind, number, seed=[seed, 8])
        QUERY[kind](X0[:1], X1[:1])
        for row in range(number):
            seconds = min(timed(QUERY[kind], X0[row:row + 1], X1[row:row + 1]) for _ in range(3))
            outcome.asked += 1
            outcome.measure("longest ms", seconds * 1e3)
            if seconds > LONGEST:
                outcome.fail(f"{seconds * 1e3:.1f} ms: {name}: {kind} {X0[row].tolist()} {X1[row].tolist()}")
    return outcome


def timed(query, X0, X1) -> float:
    start = thread_time()
    query(X0, X1)
    return thread_time() - start


PROOF = Proof("R7", "first contacts: none missed, none late, early < 1e-6", 1_000_000, 8_000, run)
PROOF_OF_TIMES = Proof("R8", "first contacts: longest query alone", 40_000, 4_000, run_times)
