# SPDX-License-Identifier: GPL-3.0-or-later
"""R1: triangles of whole numbers, in disguise, against int64 arithmetic: as many as one likes."""
import numpy as np
from naive.triangle_pairs import PERMUTATIONS
from naive.whole_triangles import CLASSES, disguised, draw, meet
from touchpoint.core.queries import triangles_intersect
from touchpoint.core.reference import shared_part
from touchpoint.core.reference.triangle_pair import DISJOINT

from .outcome import Outcome, Proof, shared_out

EVERY = 5000        # one in so many by rational arithmetic too


def run(count: int, seed: int) -> Outcome:
    rng, outcome = np.random.default_rng([seed, 101]), Outcome()
    for name, number in shared_out(count, CLASSES, rng).items():
        whole = draw(name, number, seed=[seed, 101])
        expected = meet(*whole)
        a, b = disguised(rng, *whole)
        orders = np.array(PERMUTATIONS)[rng.integers(0, 6, (2, number))]
        one, other = (np.take_along_axis(side, order[..., None], 1) for side, order in zip((a, b), orders))
        hit, swapped = triangles_intersect(a, b), triangles_intersect(other, one)
        outcome.asked += number
        outcome.count("meeting", expected.sum())
        for row in np.flatnonzero((hit != expected) | (swapped != expected)):
            outcome.fail(f"{name}: {hit[row]}, {swapped[row]} swapped, not {expected[row]}: "
                         f"{a[row].tolist()} {b[row].tolist()}")
        for row in np.flatnonzero(rng.random(number) < 1 / EVERY):
            if (shared_part(a[row].tolist(), b[row].tolist()).kind != DISJOINT) != expected[row]:
                outcome.fail(f"the two oracles differ: {name}: {a[row].tolist()} {b[row].tolist()}")
    return outcome


PROOF = Proof("R1", "whole triangle pairs in disguise: hit, order", 20_000_000, 200_000, run)
