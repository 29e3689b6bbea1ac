# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded classes of pairs of oriented boxes, each made to be hard in one way, and a plain test of them in float64.

CLASSES maps a name to a function (rng, n) -> c1, R1, h1, c2, R2, h2: centres (n,3), axes (n,3,3) in columns, half
lengths (n,3). What the boxes are is what these float64 numbers say, as real numbers.
"""
from itertools import combinations

import numpy as np

from .triangle_pairs import rotations


def random(rng, n):
    c1, c2 = rng.normal(size=(2, n, 3)) * rng.uniform(0, 3, (n, 1))
    return c1, rotations(rng, n), rng.uniform(0.05, 1.5, (n, 3)), c2, rotations(rng, n), rng.uniform(0.05, 1.5, (n, 3))


def upright(rng, n):
    """Axes exchanged and mirrored only, whole numbers: many exact contacts, many boxes without volume."""
    def axes():
        return np.eye(3)[rng.permuted(np.tile([0, 1, 2], (n, 1)), axis=1)] * rng.choice((-1.0, 1.0), (n, 1, 3))
    c1, c2 = rng.integers(-2, 3, (2, n, 3)).astype(float)
    return c1, axes(), rng.integers(0, 3, (n, 3)) / 2, c2, axes(), rng.integers(0, 3, (n, 3)) / 2


def same_axes(rng, n):
    """Turned alike: nine of the fifteen axes vanish or repeat. Side by side, up to rounding, at times."""
    c1, R1, h1, c2, _, h2 = random(rng, n)
    flush = rng.random(n) < 0.5
    offset = rng.uniform(-1, 1, (n, 3)) * (h1 + h2)
    offset[:, 0] = h1[:, 0] + h2[:, 0]
    c2[flush] = (c1 + np.einsum("nij,nj->ni", R1, offset))[flush]
    return c1, R1, h1, c2, R1.copy(), h2


def nearly_same_axes(rng, n):
    c1, R1, h1, c2, R2, h2 = same_axes(rng, n)
    small = rng.normal(size=(n, 3, 3)) * 10.0 ** rng.uniform(-17, -6, (n, 1, 1))
    return c1, R1, h1, c2, np.linalg.qr(R2 + small)[0], h2


def apart_by(gap):
    """Moved along one of the fifteen axes until the boxes are ± gap apart along it (and so perhaps at all)."""
    def make(rng, n):
        c1, R1, h1, c2, R2, h2 = random(rng, n)
        i, j = rng.integers(0, 3, (2, n))
        rows = np.arange(n)
        axis = np.cross(R1[rows, :, i], R2[rows, :, j])
        kind = rng.integers(0, 3, n)
        axis[kind == 0], axis[kind == 1] = R1[rows, :, i][kind == 0], R2[rows, :, j][kind == 1]
        axis /= np.linalg.norm(axis, axis=1, keepdims=True)
        reach = sum((np.abs(np.einsum("ni,nij->nj", axis, R)) * h).sum(axis=1) for R, h in ((R1, h1), (R2, h2)))
        along = np.einsum("ni,ni->n", axis, c2 - c1)
        wanted = np.where(along < 0, -1, 1) * (reach + rng.choice((-gap, gap), n))
        return c1, R1, h1, c2 + axis * (wanted - along)[:, None], R2, h2
    return make


def without_volume(rng, n):
    """Sheets, rods and points, turned, that meet up to rounding at times."""
    c1, R1, h1, c2, R2, h2 = random(rng, n)
    for h in (h1, h2):
        h[rng.random((n, 3)) < 0.5] = 0
    meeting = rng.random(n) < 0.5
    inside = [np.einsum("nij,nj->ni", R, h * rng.choice((-1, 0, 0.5, 1), (n, 3))) for R, h in ((R1, h1), (R2, h2))]
    c2[meeting] = (c1 + inside[0] - inside[1])[meeting]
    return c1, R1, h1, c2, R2, h2


def thin(rng, n):
    """1 : 1e-6 : 1e-12."""
    c1, R1, h1, c2, R2, h2 = apart_by(1e-7)(rng, n)
    return c1, R1, h1 * rng.choice((1, 1e-6, 1e-12), (n, 3)), c2, R2, h2 * rng.choice((1, 1e-6, 1e-12), (n, 3))


def nested(rng, n):
    c1, R1, h1, _, R2, h2 = random(rng, n)
    return c1, R1, h1, c1 + rng.normal(size=(n, 3)) * 0.01, R2, h2 * 0.02


def any_of(*makers):
    def make(rng, n):
        parts = [maker(rng, n) for maker in makers]
        pick = rng.integers(0, len(parts), n)
        return tuple(np.stack([part[side] for part in parts])[pick, np.arange(n)] for side in range(6))
    return make


ORDINARY = any_of(random, upright, same_axes, apart_by(1e-6), apart_by(1e-12), without_volume)


def scaled(factor):
    def make(rng, n):
        c1, R1, h1, c2, R2, h2 = ORDINARY(rng, n)
        return c1 * factor, R1, h1 * factor, c2 * factor, R2, h2 * factor
    return make


def moved(distance):
    def make(rng, n):
        c1, R1, h1, c2, R2, h2 = ORDINARY(rng, n)
        shift = rng.normal(size=(n, 3)) * distance
        return c1 + shift, R1, h1, c2 + shift, R2, h2
    return make


def single_precision(rng, n):
    """The values of float32: the axes are at right angles to seven digits only."""
    return tuple(value.astype(np.float32).astype(float) for value in ORDINARY(rng, n))


CLASSES = {
    "random": random, "upright": upright, "same axes": same_axes, "nearly the same axes": nearly_same_axes,
    **{f"apart or into by {gap:g}": apart_by(gap) for gap in (1e-3, 1e-6, 1e-9, 1e-12, 1e-15)},
    "without volume": without_volume, "thin": thin, "nested": nested,
    **{f"scale {factor:g}": scaled(factor) for factor in (1e-150, 1e-6, 1e6, 1e150)},
    "far 1e5": moved(1e5), "far 1e12": moved(1e12), "single precision": single_precision,
}


def draw(name, n, seed):
    """n pairs of the class `name`: c1, R1, h1, c2, R2, h2, the same for the same seed."""
    made = CLASSES[name](np.random.default_rng([*np.atleast_1d(seed), *name.encode()]), n)
    return tuple(np.ascontiguousarray(value) for value in made)


def surely(c1, R1, h1, c2, R2, h2):
    """(n,) int8: 1 where two boxes surely meet, -1 where they surely do not, 0 where float64 leaves it open.

    The fifteen crossed pairs of the six sides, as for any two bodies with parallel faces; an axis speaks only where
    it does so by 1e-13 of all that went into it, 20 times more than rounding can do.
    """
    lengths = np.maximum(np.abs(c1), np.abs(c2)).max(axis=1) + np.maximum(h1, h2).max(axis=1)
    scale = 2.0 ** -np.round(np.log2(np.where(lengths > 0, lengths, 1)))[:, None]       # exact, and nothing overflows
    apart, size = (c1 - c2) * scale, np.linalg.norm(c1 * scale, axis=1) + np.linalg.norm(c2 * scale, axis=1)
    sides = np.concatenate([np.swapaxes(R, 1, 2) * (h * scale)[..., None] for R, h in ((R1, h1), (R2, h2))], axis=1)
    norms = np.linalg.norm(sides, axis=2)
    meet, separate = np.ones(len(c1), bool), np.zeros(len(c1), bool)
    for i, j in combinations(range(6), 2):
        axis = np.cross(sides[:, i], sides[:, j])
        over = np.abs((axis * apart).sum(axis=1)) - np.abs(np.einsum("ni,nki->nk", axis, sides)).sum(axis=1)
        unsure = 1e-13 * norms[:, i] * norms[:, j] * (size + norms.sum(axis=1)) + 1e-300
        separate |= over > unsure
        meet &= over < -unsure
    return meet.astype(np.int8) - separate
