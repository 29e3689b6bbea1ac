# SPDX-License-Identifier: GPL-3.0-or-later
"""`surely_cross` beside rational arithmetic: True is always right, and nearly all that cross are told."""
from fractions import Fraction

import numpy as np
import pytest
from touchpoint.core.geometry.sure_crossing import surely_cross


def side(a, b, c, d) -> int:
    """The exact sign of the determinant of a−d, b−d, c−d."""
    x, y, z = ([Fraction(float(p[k])) - Fraction(float(d[k])) for k in range(3)] for p in (a, b, c))
    value = (x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2])
             + x[2] * (y[0] * z[1] - y[1] * z[0]))
    return (value > 0) - (value < 0)


def cross(P) -> bool:
    """True where an edge of one triangle passes through the inside of the other one."""
    for face, other in ((P[:3], P[3:]), (P[3:], P[:3])):
        for k in range(3):
            p, q = other[k], other[(k + 1) % 3]
            if side(*face, p) * side(*face, q) < 0:
                turns = {side(p, q, face[i], face[(i + 1) % 3]) for i in range(3)}
                if turns in ({1}, {-1}):
                    return True
    return False


@pytest.mark.parametrize("scale", [1.0, 2.0 ** -60, 1e30])
def test_triangles_in_general_position_are_told(scale):
    rng = np.random.default_rng(1)
    told = 0
    for _ in range(60):
        P = scale * rng.normal(size=(6, 3))
        assert surely_cross(P) == cross(P)
        told += cross(P)
    assert told > 8


def test_what_only_touches_is_not_told():
    """Corners on a small lattice: corners in planes, on edges and on corners, triangles without area."""
    rng = np.random.default_rng(2)
    told = missed = 0
    for _ in range(150):
        P = rng.integers(-1, 2, (6, 3)).astype(float)
        told += surely_cross(P)
        missed += cross(P) and not surely_cross(P)
        assert cross(P) or not surely_cross(P)
    assert told > 4 and missed == 0        # no sum of these is rounded


def test_gaps_below_a_rounding_are_left_open():
    """The corner of one is moved from the other's plane by less than a determinant's bound."""
    P = np.array([[0, 0, 0], [1, 0, 0.3], [0, 1, 0.7], [0.25, 0.25, 0.25], [0.3, 0.2, 5], [0.2, 0.3, 5]])
    for shift in np.linspace(-1e-15, 1e-15, 21):
        P[3, 2] = 0.25 + shift
        assert cross(P) or not surely_cross(P)
    P[3, 2] = 0.25 - 1e-9
    assert cross(P) and surely_cross(P)


def test_far_numbers_are_left_open():
    P = np.array([[0, 0, -1], [1, 0, -1], [0.3, 0.4, 1], [-1, -1, 0], [3, 0, 0.1], [0, 3, -0.1]])
    assert surely_cross(P)
    assert not surely_cross(1e-90 * P)
    with np.errstate(all="ignore"):
        assert not surely_cross(1e150 * P)
