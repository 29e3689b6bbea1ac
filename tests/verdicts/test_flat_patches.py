# SPDX-License-Identifier: GPL-3.0-or-later
"""Common surface that encloses nothing: against rational arithmetic, and against asking for the sides of all of it."""
from fractions import Fraction

import numpy as np
import pytest
from naive.scenes import build, pose
from naive.shapes import ball, box, cubes, moved
from test_whole_triangles import Found, solids
from touchpoint.core import detect
from touchpoint.core.contacts import AREA
from touchpoint.core.verdicts import coplanar_overlap
from touchpoint.core.verdicts.flat_patches import may_enclose

ANGLE = np.array([[[1, 1], [1, 0]]] * 3, bool)                     # an angle along the first axis


def has_normal_along(triangle: np.ndarray, axis: int) -> bool:
    p, q, r = [[Fraction(float(x)) for x in corner] for corner in triangle]
    x, y = (axis + 1) % 3, (axis + 2) % 3
    return (q[x] - p[x]) * (r[y] - p[y]) != (q[y] - p[y]) * (r[x] - p[x])


@pytest.mark.parametrize("seed", range(12))
def test_against_rational_arithmetic(seed):
    found = Found(solids(seed))
    answer = may_enclose(found.forest, found.a, found.pair, found.contacts)
    for pair in range(len(found.a)):
        rows = np.flatnonzero((found.pair == pair) & (found.contacts.kind == AREA))
        triangles = [found.corners(found.a, row, found.contacts.triangle_a[row]) for row in rows]
        assert answer[pair] == all(any(has_normal_along(each, axis) for each in triangles) for axis in range(3))


def pairs(seed):
    """Solids of cubes whose faces are flush, some of which pass through themselves."""
    rng, scene = np.random.default_rng(seed), []
    for _ in range(6):
        mesh = cubes(rng.random((3, 3, 2)) < 0.6)
        if rng.random() < 0.3:
            more = moved(mesh, rng.integers(-1, 2, 3) * 0.5)
            mesh = np.concatenate([mesh[0], more[0]]), np.concatenate([mesh[1], more[1] + len(mesh[0])])
        scene.append(mesh)
    return build((scene, [(k, pose(1, rng.integers(0, 4, 3) * 0.5)) for k in range(6)]))


@pytest.mark.parametrize("seed", range(20))
def test_sides_say_nothing_else(seed, monkeypatch):
    verdicts = detect(pairs(seed)).pairs["verdict"].tolist()
    monkeypatch.setattr(coplanar_overlap, "may_enclose", lambda forest, a, *more: np.ones(len(a), bool))
    assert detect(pairs(seed)).pairs["verdict"].tolist() == verdicts and len(verdicts) > 5


def mould():
    """A box around a ball, less the ball."""
    shell, (vertices, triangles) = box((-2, -2, -2), (2, 2, 2)), ball(8, 5)
    return np.concatenate([shell[0], vertices]), np.concatenate([shell[1], triangles[:, ::-1] + len(shell[0])])


# No boxes: of those, a box tells that they share nothing.
FLUSH = {"a pin in its hole": (cubes(~np.pad(ANGLE, ((0, 0), (1, 1), (1, 1)))), moved(cubes(ANGLE), (-1, 1, 1)), False),
         "a ball in its mould": (mould(), ball(8, 5), True)}


@pytest.mark.parametrize("name", list(FLUSH))
def test_sides_are_asked_where_something_may_be_enclosed(name, monkeypatch):
    one, other, may = FLUSH[name]
    real, asked = coplanar_overlap.share_a_side, []
    monkeypatch.setattr(coplanar_overlap, "share_a_side",
                        lambda samples, *more: (asked.append(len(samples)), real(samples, *more)))
    report = detect(build(([one, other], [(0, pose()), (1, pose())])))
    assert report.verdict(0) == "touching" and (sum(asked) > 0) == may
