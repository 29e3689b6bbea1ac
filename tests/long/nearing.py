# SPDX-License-Identifier: GPL-3.0-or-later
"""R9: which bodies that move and deform come within a distance, when first, and how near, against an oracle that
samples the motion."""
import numpy as np
from naive.moving_bodies import CLASSES, draw
from naive.whole_motions import Body, distance, triangle_distances
from touchpoint.core.continuous.contacts_between import contacts_between
from touchpoint.core.continuous.near_between import least_gaps, near_between
from touchpoint.core.run import Run

from .motions import instants
from .outcome import Outcome, Proof, shared_out

BEFORE = 10.0 ** np.arange(-9, -1)      # the reported time, at which nothing may be that near
SHORTEST = 1 / 200                      # step of the oracle
ORACLE_ROUNDING = 1e-13                 # of a distance of the oracle, relative to the largest coordinate
HALVINGS = 30                           # of a bracket around the least sample


def run(count: int, seed: int) -> Outcome:
    outcome = Outcome()
    for name, number in shared_out(count, CLASSES, np.random.default_rng([seed, 10])).items():
        rng = np.random.default_rng([seed, 10, CLASSES.index(name)])
        for row in range(number):
            judge(f"{name} {[seed, 10, CLASSES.index(name)]} {row}", draw(rng, name), rng, outcome, SHORTEST)
    return outcome


def judge(case: str, bodies: tuple[Body, Body], rng, outcome: Outcome, shortest: float) -> None:
    """A clearance of some size, and what is said of it: times never late, none missed, and surfaces as near as is said
    then; gaps that are true, and no sample nearer than they allow."""
    times, found = samples(bodies, shortest)
    size = max(np.abs(each).max() for body in bodies for each in body.ends)
    smallest = min(np.ptp(body.ends[0], axis=0).max() for body in bodies)
    error = ORACLE_ROUNDING * size
    clearance = float(rng.choice([found.min() * rng.uniform(0.5, 2.0), smallest * 10.0 ** rng.uniform(-3, 0.5),
                                  100.0 * size]))
    wish = np.array([clearance, 0.0 if rng.random() < 0.5 else clearance])
    start, end = instants(bodies)
    near = near_between(start, end, wish, None, Run(None, 1, False, {}))
    outcome.asked += 1
    outcome.count("near", len(near.toi))
    if all(np.array_equal(*body.ends) for body in bodies):
        if len(near.toi):
            outcome.fail(f"near though neither moves: {case}")
        return
    if len(near.toi) == 0:
        if found.min() < clearance - error:
            outcome.fail(f"missed, {found.min()} apart at {times[found.argmin()]}, within {clearance}: {case}")
        return
    time, tolerance = float(near.toi[0]), float(near.tolerance[0])
    before = np.array([distance(*bodies, time - each) for each in BEFORE if each < time])
    if (before < clearance - error).any() or (found[times < time - BEFORE[0]] < clearance - error).any():
        outcome.fail(f"late, {time} within {clearance}: {case}")
    if distance(*bodies, time) > clearance + tolerance + error:
        outcome.fail(f"early, at {time} within {clearance}: {case}")
    if len(contacts_between(start, end).toi) == 0:
        for known in (np.inf, min(found[0], found[-1])):
            judge_gap(case, bodies, clearance, known, (times, found), error, outcome)


def judge_gap(case: str, bodies: tuple[Body, Body], clearance: float, known: float, sampled, error: float,
              outcome: Outcome) -> None:
    """The least gap of bodies that do not meet and come within the clearance. known: as in `least_gaps`."""
    times, found = sampled
    nearest = found.min()
    gap, slack, when, points = (each[0] for each in least_gaps(
        *instants(bodies), np.array([0], np.int32), np.array([1], np.int32), np.array([clearance]), np.array([known]),
        Run(None, 1, False, {})))
    outcome.count("gaps", np.isfinite(gap))
    if not np.isfinite(gap):
        if not np.isfinite(known) or nearest < 0.999 * known - 1e-8 * np.abs(bodies[0].ends[0]).max() - error:
            outcome.fail(f"no gap below {known}, {nearest} at {times[found.argmin()]}: {case}")
        return
    outcome.measure("gap too large by", max(gap - nearest, 0.0) / gap)
    there = distance(*bodies, when)
    if not gap - slack - error <= there <= gap + error:
        outcome.fail(f"gap {gap} at {when}, where they are {there} apart: {case}")
    if nearest < gap - slack - error:
        outcome.fail(f"gap {gap}, and {nearest} at {times[found.argmin()]}: {case}")
    if abs(np.linalg.norm(points[0] - points[1]) - gap) > error or any(
            away(point, body.corners(when)) > error for point, body in zip(points, bodies)):
        outcome.fail(f"points {points.tolist()} of the gap {gap} at {when}: {case}")


def away(point: np.ndarray, corners: np.ndarray) -> float:
    """How far a point is from triangles (m,3,3)."""
    return triangle_distances(np.broadcast_to(point, corners.shape), corners).min()


def samples(bodies: tuple[Body, Body], shortest: float) -> tuple[np.ndarray, np.ndarray]:
    """(times, distances), ascending times from 0 to 1: no farther apart than `shortest`, and many about the least."""
    times = np.linspace(0.0, 1.0, round(1 / shortest) + 1)
    found = np.array([distance(*bodies, t) for t in times])
    at = int(found.argmin())
    low, high = times[max(at - 1, 0)], times[min(at + 1, len(times) - 1)]
    more = []
    for _ in range(HALVINGS):
        thirds = low + (high - low) / 3, high - (high - low) / 3
        there = [distance(*bodies, t) for t in thirds]
        more += zip(thirds, there)
        low, high = (low, thirds[1]) if there[0] < there[1] else (thirds[0], high)
    times, found = np.append(times, [t for t, _ in more]), np.append(found, [d for _, d in more])
    order = times.argsort()
    return times[order], found[order]


PROOF = Proof("R9", "moving meshes that come within a distance: none missed, none late, gaps between bounds", 5_000,
              200, run)
