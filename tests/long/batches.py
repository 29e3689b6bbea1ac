# SPDX-License-Identifier: GPL-3.0-or-later
"""R12: a row of a batch query says the same, to the last bit, in whatever company and order it is asked."""
import numpy as np
from naive import box_pairs, convex_pairs, moving_pairs, triangle_pairs
from touchpoint.core import queries

from .outcome import Outcome, Proof


def mixed(classes, draw, count, rng):
    """Rows of all classes, in random order: a list of arrays or lists for each argument."""
    parts = [draw(name, -(-count // len(classes)), int(rng.integers(2 ** 30))) for name in classes]
    columns = [[row for part in parts for row in part[side]] for side in range(len(parts[0]))]
    order = rng.permutation(len(columns[0]))[:count]
    return [[column[i] for i in order] for column in columns]


def moving(kind):
    def make(count, rng):
        return mixed(moving_pairs.CLASSES, lambda name, n, seed: moving_pairs.draw(name, kind, n, seed), count, rng)
    return make


def triangles(count, rng):
    return mixed(triangle_pairs.CLASSES, triangle_pairs.draw, count, rng)


def hulls(count, rng):
    return mixed(convex_pairs.CLASSES, convex_pairs.draw, count, rng)


def boxes(count, rng):
    return mixed(box_pairs.CLASSES, box_pairs.draw, count, rng)


def segments(count, rng):
    a, b = triangles(count, rng)
    return [[corners[:2] for corners in a], b]


QUERIES = {
    # name: (maker of arguments, whether rows are of one shape)
    "triangles_intersect": (triangles, True), "triangle_intersections": (triangles, True),
    "segments_hit_triangles": (segments, True), "boxes_overlap": (boxes, True), "convex_intersect": (hulls, False),
    "convex_distance": (hulls, False), "convex_penetration": (hulls, False),
    "vertex_face_toi": (moving("vertex_face"), True), "edge_edge_toi": (moving("edge_edge"), True),
}


def answers(name: str, columns, rows) -> list[bytes]:
    """One string of bits for each row."""
    _, arrays = QUERIES[name]
    chosen = [[column[i] for i in rows] for column in columns]
    found = getattr(queries, name)(*(np.array(column) if arrays else column for column in chosen))
    found = found if isinstance(found, tuple) else (found,)
    return [b"".join(np.ascontiguousarray(part[i]).tobytes() for part in found) for i in range(len(rows))]


def run(count: int, seed: int) -> Outcome:
    rng, outcome = np.random.default_rng([seed, 120]), Outcome()
    for name, (make, _) in QUERIES.items():
        columns = make(max(2, count // len(QUERIES)), rng)
        everyone = np.arange(len(columns[0]))
        expected = answers(name, columns, everyone)
        shuffled = rng.permutation(everyone)
        few = rng.choice(everyone, min(20, len(everyone)), replace=False)
        outcome.asked += len(everyone)
        said = [*zip(shuffled, answers(name, columns, shuffled)), *zip(everyone, answers(name, columns, everyone))]
        said += [(row, bits) for part in np.array_split(shuffled, 7) if len(part)
                 for row, bits in zip(part, answers(name, columns, part))]
        said += [(row, answers(name, columns, [row])[0]) for row in few]
        for row, bits in said:
            if bits != expected[row]:
                outcome.fail(f"{name}: other bits in other company: {[np.array(c[row]).tolist() for c in columns]}")
    return outcome


PROOF = Proof("R12", "batch queries: the same in any company and order", 1_000_000, 20_000, run)
