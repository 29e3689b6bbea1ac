# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep hulls overlap, against the rational reference, which tries every direction that could be the best."""
import math
from fractions import Fraction

import numpy as np
import pytest
from naive.hull_families import CUBE, FAMILIES, THIN, blob, face_to_face, features, pairs_of, turn
from naive.rational_convex import separating_move as reference_move
from touchpoint.core.convex.gjk.rational import whole_numbers
from touchpoint.core.convex.gjk.rational_penetration import least_move
from touchpoint.core.convex.hulls.hulls import pair_up
from touchpoint.core.convex.pairs import deepest
from touchpoint.core.queries import convex_penetration
from touchpoint.core.queries.convex import separating_move

COUNT = 6


def deep(rng, P, Q):
    return P, Q + rng.normal(size=3) * 0.2


DEEP = {
    "deep": lambda rng: deep(rng, blob(rng), blob(rng)),
    "deep boxes": lambda rng: deep(rng, *(CUBE * rng.uniform(0.3, 1, 3) @ turn(rng).T for _ in "ab")),
    "deep aligned boxes": lambda rng: (CUBE * rng.integers(1, 4, 3),
                                       CUBE * rng.integers(1, 4, 3) + rng.integers(-1, 2, 3)),
    "the same twice": lambda rng: 2 * (blob(rng),),
    "deep and thin": lambda rng: deep(rng, blob(rng, THIN) @ turn(rng).T, blob(rng)),
    "deep and small": lambda rng: tuple(side * 1e-6 for side in deep(rng, blob(rng), blob(rng))),
    "deep and large": lambda rng: tuple(side * 1e6 for side in deep(rng, blob(rng), blob(rng))),
    "deep, far from the origin": lambda rng: tuple(side + 1e5 for side in deep(rng, blob(rng), blob(rng))),
    **{f"shallow faces {depth:g}": lambda rng, depth=depth: face_to_face(rng, -depth) for depth in (0.1, 1e-4, 1e-7)},
    **{f"shallow features {depth:g}": lambda rng, depth=depth: features(rng, -depth) for depth in (0.1, 1e-4, 1e-7)},
}


def made(family):
    if family in FAMILIES:
        return pairs_of(family, COUNT)
    rng = np.random.default_rng([3, *family.encode()])
    pairs = [DEEP[family](rng) for _ in range(COUNT)]
    return [P for P, _ in pairs], [Q for _, Q in pairs]


@pytest.mark.parametrize("family", [*FAMILIES, *DEEP])
def test_depth_against_the_reference(family):
    P, Q = made(family)
    depth, direction = separating_move(P, Q)
    assert (convex_penetration(P, Q) == depth).all()
    swapped = convex_penetration(Q, P)
    for k in range(COUNT):
        squared, _ = reference_move(P[k].tolist(), Q[k].tolist())
        for found in (depth[k], swapped[k]):
            assert squared <= Fraction(found) ** 2 <= squared * Fraction(1 + 2e-9)
        if squared:
            n = [Fraction(x) for x in direction[k]]
            reach = (max(sum(map(lambda a, b: a * Fraction(b), n, p)) for p in P[k].tolist())
                     - min(sum(map(lambda a, b: a * Fraction(b), n, q)) for q in Q[k].tolist()))
            size = max(np.ptp(P[k], axis=0).max(), np.ptp(Q[k], axis=0).max())
            assert abs(math.hypot(*direction[k]) - 1) < 1e-15
            assert reach <= Fraction(depth[k]) + Fraction(size) * Fraction(2e-15)


@pytest.mark.parametrize("family", [*FAMILIES, *DEEP])
def test_depth_in_whole_numbers(family):
    for p, q in zip(*made(family)):
        hulls, e = whole_numbers(p.tolist(), q.tolist())
        squared, _ = reference_move(p.tolist(), q.tolist())
        length, _ = least_move(*hulls, e)
        assert squared <= Fraction(length) ** 2 <= squared * Fraction(1 + 1e-15)


def test_depth_of_large_hulls():
    """Balls of 128 points: both ways agree, and no random direction is shorter."""
    rng = np.random.default_rng(4)
    P = rng.normal(size=(6, 128, 3))
    P /= np.linalg.norm(P, axis=2)[:, :, None]
    Q = P[::-1] @ turn(rng).T + np.linspace(0, 1.8, 6)[:, None, None] * turn(rng)[0]
    hulls = pair_up(P, Q)
    depth, direction, rational = deepest(*hulls, 1)
    assert rational == 0
    n = rng.normal(size=(2000, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    for k in range(6):
        assert depth[k] <= ((P[k] @ n.T).max(0) - (Q[k] @ n.T).min(0)).min()
        whole, e = whole_numbers(P[k].tolist(), Q[k].tolist())
        assert depth[k] == pytest.approx(least_move(*whole, e)[0], rel=1e-12)


def test_ordinary_depths_need_no_whole_numbers():
    rng = np.random.default_rng(8)
    for family in ("deep", "deep boxes", "deep and thin", "shallow faces 0.1"):
        pairs = [DEEP[family](rng) for _ in range(100)]
        assert deepest(*pair_up(*zip(*pairs)), 1)[2] == 0


def test_forms_of_input():
    assert convex_penetration(CUBE, CUBE + [1.5, 0.25, 0]).tolist() == pytest.approx([0.5])
    assert convex_penetration(CUBE, [CUBE + 2, CUBE + 3, CUBE[:1]]).tolist() == [0, 0, 0]
    assert convex_penetration(np.zeros((0, 8, 3)), CUBE).shape == (0,)
    with pytest.raises(ValueError, match="Q must"):
        convex_penetration(CUBE, CUBE[:, :2])
