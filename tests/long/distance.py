# SPDX-License-Identifier: GPL-3.0-or-later
"""R11: distances of meshes and of single triangles, and which pairs are closer than asked, against rational numbers."""
from fractions import Fraction

import numpy as np
from naive.agreement import square_root
from naive.mesh_pairs import CLASSES, draw
from naive.triangle_pairs import CLASSES as TRIANGLES
from naive.triangle_pairs import draw as draw_triangles
from touchpoint.core import Scene, detect
from touchpoint.core.queries import mesh_distance
from touchpoint.core.reference.distance import mesh_gap, triangle_gap

from .outcome import Outcome, Proof, shared_out
from .triangles import SLOW

RELATIVE, OF_POINTS, BEYOND = 1e-9, 1e-12, 1e-11
ONE = np.array([(0, 1, 2)], np.int32)


def run(count: int, seed: int) -> Outcome:
    rng, outcome = np.random.default_rng([seed, 11]), Outcome()
    for name, number in shared_out(count, CLASSES, rng).items():
        for a, b in draw(name, number, seed=[seed, 11]):
            exact = mesh_gap(a[0][a[1]], b[0][b[1]]).gap.squared
            judge(name, a, b, exact, outcome)
    return outcome


def run_triangles(count: int, seed: int) -> Outcome:
    rng, outcome = np.random.default_rng([seed, 112]), Outcome()
    for name, number in shared_out(count, TRIANGLES, rng, SLOW).items():
        for a, b in zip(*draw_triangles(name, number, seed=[seed, 112])):
            judge(name, (a, ONE), (b, ONE), triangle_gap(a.tolist(), b.tolist()).squared, outcome)
    return outcome


def judge(name, a, b, exact: Fraction, outcome: Outcome) -> None:
    """The distance in both orders, and the two points of the first."""
    distance, p, q = mesh_distance(*a, *b)
    swapped = mesh_distance(*b, *a)[0]
    true = square_root(exact)
    outcome.asked += 1
    outcome.count("meeting", exact == 0)
    case = f"{name}: {[part.tolist() for mesh in (a, b) for part in mesh]}"
    if true > 0 and distance != true:
        outcome.measure("distance", abs(distance - true) / true)
    if not (abs(distance - true) <= RELATIVE * true + 5e-324) or swapped != distance:
        outcome.fail(f"distance {distance}, {swapped} swapped, not {true}: {case}")
        return
    apart = square_root(sum((Fraction(u) - Fraction(v)) ** 2 for u, v in zip(p.tolist(), q.tolist())))
    size = max(np.ptp(mesh[0][mesh[1]].reshape(-1, 3), axis=0).max() for mesh in (a, b))
    place = 8 * np.spacing(max(np.abs(p).max(), np.abs(q).max()))
    off = max(0.0, abs(apart - true) - place, *(off_surface(mesh, point) - place for mesh, point in ((a, p), (b, q))))
    outcome.measure("points", off / size if off else 0.0)
    if off > OF_POINTS * size + RELATIVE * true:
        outcome.fail(f"points {p.tolist()} {q.tolist()}, not {true} apart or not on the meshes: {case}")


def off_surface(mesh, point) -> float:
    return square_root(mesh_gap(mesh[0][mesh[1]], np.array([[point] * 3])).gap.squared)


def run_clearance(count: int, seed: int) -> Outcome:
    """Which pairs detect calls near: every one whose gap is at most the clearance, none whose gap is more than that by
    1e-11 of it."""
    rng, outcome = np.random.default_rng([seed, 113]), Outcome()
    for name, number in shared_out(count, CLASSES, rng).items():
        for a, b in draw(name, number, seed=[seed, 113]):
            exact = mesh_gap(a[0][a[1]], b[0][b[1]]).gap.squared
            gap = square_root(exact)
            if exact == 0 or not 0 < gap < 1e300:
                continue
            for clearance in (gap, np.nextafter(gap, 0), np.nextafter(gap, np.inf), gap * rng.uniform(0.1, 3)):
                near(name, a, b, exact, float(clearance), outcome)
    return outcome


def near(name, a, b, exact: Fraction, clearance: float, outcome: Outcome) -> None:
    if not clearance > 0:
        return
    scene = Scene()
    for mesh in (a, b):
        scene.add_object(scene.add_mesh(*mesh))
    report = detect(scene, clearance=clearance)
    verdict = report.verdict(0) if len(report.pairs) else "clear"
    outcome.asked += 1
    if verdict in ("contained", "cannot tell"):
        return
    expected = "near" if exact <= Fraction(clearance) ** 2 else "clear"
    outcome.count(expected)
    if expected == "clear" and verdict == "near" and exact <= Fraction(clearance * (1 + BEYOND)) ** 2:
        outcome.count("near by a hair too much")
    elif verdict != expected:
        outcome.fail(f"{verdict}, not {expected}, within {clearance}: {name}: "
                     f"{[part.tolist() for mesh in (a, b) for part in mesh]}")


PROOF = Proof("R11", "distances of meshes, nearest points, order", 20_000, 400, run)
PROOF_OF_TRIANGLES = Proof("R11", "distances of triangles", 400_000, 8_000, run_triangles)
PROOF_OF_CLEARANCE = Proof("R11", "pairs nearer than the clearance", 20_000, 400, run_clearance)
