# SPDX-License-Identifier: GPL-3.0-or-later
"""R10: points in solids made of unit cubes, where everybody can see what is inside; segments against triangles."""
from itertools import product

import numpy as np
from naive.shapes import halves
from naive.triangle_pairs import CLASSES, draw
from touchpoint.core.queries import points_in_mesh, segments_hit_triangles
from touchpoint.core.reference import shared_part
from touchpoint.core.reference.triangle_pair import DISJOINT

from .outcome import Outcome, Proof, shared_out
from .triangles import SLOW

SIDE = 4            # cubes along each axis of the room
STEPS = 4           # points stand at whole multiples of 1 / STEPS
POINTS = 250


def surface(filled: np.ndarray):
    """The sides between filled and empty cubes, seen from outside counterclockwise: vertices, triangles."""
    quads, vertices = [], {}
    around = np.pad(filled, 1)
    for cube in np.argwhere(filled):
        for axis, side in product(range(3), (0, 1)):
            step = np.eye(3, dtype=int)[axis] * (2 * side - 1)
            if around[tuple(cube + 1 + step)]:
                continue
            u, v = np.eye(3, dtype=int)[[(axis + 1) % 3, (axis + 2) % 3]]
            corner = cube + np.eye(3, dtype=int)[axis] * side
            ring = [corner, corner + u, corner + u + v, corner + v]
            quads.append([vertices.setdefault(tuple(place), len(vertices)) for place in (ring if side else ring[::-1])])
    return np.array([*vertices], float), halves(quads)


def place(filled: np.ndarray, point) -> int:
    """1 where all cubes around a point, in units of 1 / STEPS, are filled, -1 where none is, else 0."""
    around = np.pad(filled, 1)
    sides = [{(value - 1) // STEPS, value // STEPS} for value in point.tolist()]
    found = {bool(around[i + 1, j + 1, k + 1]) for i, j, k in product(*sides)}
    return 0 if len(found) == 2 else 1 if True in found else -1


def run(count: int, seed: int) -> Outcome:
    rng, outcome = np.random.default_rng([seed, 110]), Outcome()
    for _ in range(-(-count // POINTS)):
        filled = rng.random((SIDE,) * 3) < rng.uniform(0.1, 0.9)
        filled[0, 0, 0] = True
        vertices, faces = surface(filled)
        points = rng.integers(0, SIDE * STEPS + 1, (min(count, POINTS), 3))
        expected = np.array([place(filled, point) for point in points])
        if rng.random() < 0.3:
            faces = faces[:, ::-1]
        faces = rng.permutation(faces)
        unit, shift = 2.0 ** rng.integers(-40, 40), rng.integers(-9, 10, 3)
        said = points_in_mesh((vertices + shift) * unit, faces, (points / STEPS + shift) * unit)
        outcome.asked += len(points)
        outcome.count("inside", (expected == 1).sum())
        outcome.count("on it", (expected == 0).sum())
        for row in np.flatnonzero(said != expected):
            outcome.fail(f"{said[row]}, not {expected[row]}: {points[row].tolist()} / {STEPS} in the cubes "
                         f"{np.argwhere(filled).tolist()}, moved by {shift.tolist()}, times {unit}")
    return outcome


def run_segments(count: int, seed: int) -> Outcome:
    """The first two corners of the triangles of every class."""
    rng, outcome = np.random.default_rng([seed, 111]), Outcome()
    for name, number in shared_out(count, CLASSES, rng, SLOW).items():
        a, b = draw(name, number, seed=[seed, 111])
        hit = segments_hit_triangles(a[:, :2], b)
        back = segments_hit_triangles(a[:, 1::-1], b[:, [2, 0, 1]])
        for row, (p, q) in enumerate(zip(a.tolist(), b.tolist())):
            meets = shared_part([p[0], p[1], p[1]], q).kind != DISJOINT
            outcome.asked += 1
            outcome.count("meeting", meets)
            if not meets == hit[row] == back[row]:
                outcome.fail(f"{name}: {hit[row]}, {back[row]} in another order: {p[:2]} {q}")
    return outcome


PROOF = Proof("R10", "points inside, on and outside of solids of cubes", 5_000_000, 50_000, run)
PROOF_OF_SEGMENTS = Proof("R1", "segments against triangles", 1_000_000, 26_000, run_segments)
