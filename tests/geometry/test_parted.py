# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart planes show triangles to be, beside their distances in rational arithmetic."""
from fractions import Fraction

import numpy as np
import pytest
from naive.triangle_pairs import CLASSES, draw, rotations
from touchpoint.core.geometry.parted import COLUMNS, LANES, PARTED_ROWS, parted_by, whole_lanes
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.reference.distance import triangle_gap

SLACK = 1 - Fraction(1, 2 ** 48)
PER_CLASS = 2 * COLUMNS if COMPILED else 4


def parted(a, b):
    """What `parted_by` writes for the pairs (a[i], b[i]), (k,3,3) each."""
    lower = np.zeros(0)
    for first in range(0, len(a), COLUMNS):
        some = slice(first, first + COLUMNS)
        columns, found, count = np.zeros((PARTED_ROWS, COLUMNS)), np.full(COLUMNS, np.nan), len(a[some])
        columns[:, :count] = np.concatenate([a[some].reshape(-1, 9), b[some].reshape(-1, 9)], axis=1).T
        with np.errstate(all="ignore"):
            parted_by(columns.ravel(), whole_lanes(count), found)
        lower = np.concatenate([lower, found[:count]])
    return lower


def assert_no_farther(a, b, lower):
    for p, q, length in zip(a, b, lower):
        assert length >= 0.0
        if length > 0.0:
            assert triangle_gap(p.tolist(), q.tolist()).squared >= (Fraction(length) * SLACK) ** 2


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_triangles_of_every_class_are_no_nearer(name):
    a, b = draw(name, PER_CLASS, 7)
    assert_no_farther(a, b, parted(a, b))


@pytest.mark.parametrize("scale", [1.0, 1e-60, 1e60, 1e-85, 1e85])
def test_faces_that_rounding_has_parted(scale):
    """Small triangles on the faces of large ones, turned: some meet, some are a rounding apart. That is seen, and how
    far."""
    rng, a, b = np.random.default_rng(4), [], []
    for turn in rotations(rng, PER_CLASS):
        flat = np.concatenate([rng.integers(-4, 5, (6, 2)), np.zeros((6, 1))], axis=1) * (scale / 3.0)
        flat[3:] = flat[:3].mean(axis=0) + 0.01 * flat[3:]
        corners = flat @ turn.T + turn @ rng.uniform(-scale, scale, 3)
        a.append(corners[:3])
        b.append(corners[3:])
    a, b = np.array(a), np.array(b)
    lower, exact, apart = parted(a, b), 0, 0
    assert_no_farther(a, b, lower)
    for p, q, length in zip(a, b, lower):
        squared = triangle_gap(p.tolist(), q.tolist()).squared
        if Fraction(0) < squared < Fraction(scale * 1e-12) ** 2:
            apart += 1
            exact += Fraction(length) ** 2 >= squared * (1 - Fraction(1, 2 ** 20))
    assert not COMPILED or exact >= max(0.8 * apart, 4)


def test_what_touches_is_not_parted():
    rng = np.random.default_rng(5)
    a = rng.normal(size=(PER_CLASS, 3, 3))
    b = rng.normal(size=(PER_CLASS, 3, 3))
    b[:, 1] = a[:, 2]                                   # a common corner
    assert not parted(a, b).any()
    b = a[:, ::-1] + 0.0                                # the same triangle
    assert not parted(a, b).any()


@pytest.mark.parametrize("scale", [1.0, 2.0 ** -290, 2.0 ** 290])
@pytest.mark.parametrize("length", [2.0 ** -60, 1e-9, 1.0])
def test_the_length_between_parallel_faces(length, scale):
    """Also where squares of the normal would underflow, or overflow."""
    a = scale * np.array([[(0.0, 0, 0), (1, 0, 0), (0, 1, 0)]])
    for found in (parted(a, a + np.array((0.25, 0.125, length)) * scale),
                  parted(a, a - np.array((0.25, 0.125, length)) * scale)):
        assert length * scale * (1 - 2.0 ** -30) <= found[0] <= length * scale * (1 + 2.0 ** -48)


def test_slivers_and_what_has_no_plane():
    """A normal that rounding has made must not lengthen what is said."""
    rng, a, b = np.random.default_rng(6), [], []
    for exponent in rng.integers(-110, -20, PER_CLASS):
        p, u, side = rng.normal(size=(3, 3))
        p = np.round(p * 2.0 ** 20) / 2.0 ** 20
        a.append([p, p + u, p + u * rng.uniform() + side * 2.0 ** exponent])
        b.append(p + rng.normal(size=(3, 3)) * 2.0 ** rng.integers(-30, 1))
    a, b = np.array(a), np.array(b)
    assert_no_farther(a, b, parted(a, b))
    assert not parted(np.repeat(a[:1, :1], 3, axis=1), np.repeat(b[:1, :1], 3, axis=1)).any()


def test_the_same_in_any_column_and_company():
    a, b = draw("near 1e-12", LANES if COMPILED else 2, 8)
    together = parted(a, b)
    for i in range(len(a)):
        assert parted(a[i:i + 1], b[i:i + 1])[0] == together[i]
