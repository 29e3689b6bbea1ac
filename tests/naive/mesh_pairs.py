# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded classes of pairs of small meshes whose distance is asked for.

CLASSES maps a name to a function (rng) -> two meshes, (vertices (n,3) float64, triangles (m,3) int32) each.
"""
import numpy as np

from .scenes import SHAPES, random_linear
from .shapes import ball, box


def shape(rng):
    vertices, faces = [*SHAPES, ball(5, 3)][rng.integers(len(SHAPES) + 1)]
    return vertices @ random_linear(rng, ("turned", "stretched", "sheared", "mirrored")[rng.integers(4)]), faces


def soup(rng):
    """Whole corners, triangles without area among them."""
    return rng.integers(-3, 4, (9, 3)).astype(float), rng.integers(0, 9, (6, 3)).astype(np.int32)


def moved(mesh, by):
    return mesh[0] + by, mesh[1]


def strewn(rng):
    return shape(rng), moved(shape(rng), rng.normal(size=3) * rng.uniform(0, 6))


def soups(rng):
    return soup(rng), moved(soup(rng), rng.integers(-6, 7, 3))


def lattice_boxes(rng):
    """Gaps 0, 5, 13 and roots of whole numbers; corners, edges and faces opposite each other."""
    low, size = rng.integers(-8, 9, (2, 3)), rng.integers(1, 5, (2, 3))
    return tuple(box(corner, corner + extent) for corner, extent in zip(low, size))


def apart_by(gap):
    """One touches a plane from below, the other comes down to it but for the gap, both with a corner."""
    def make(rng):
        a, b = shape(rng), shape(rng)
        normal = rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        top, bottom = a[0][(a[0] @ normal).argmax()], b[0][(b[0] @ normal).argmin()]
        return a, moved(b, top - bottom + normal * gap)
    return make


def nested(rng):
    a, b = shape(rng), shape(rng)
    return a, (b[0] * 0.05 + a[0].mean(axis=0), b[1])


def parallel(rng):
    """Sheets over each other: many triangles are equally near."""
    vertices, faces = SHAPES[3]
    turn = random_linear(rng, "turned") if rng.random() < 0.5 else np.eye(3)
    by = rng.uniform(-1, 1, 3) * (1, 1, 0) + (0, 0, rng.choice((0.0, 1e-9, 0.25, 3.0)))
    return (vertices @ turn, faces), ((vertices + by) @ turn, faces)


def sizes(rng):
    """1e-3 … 1e-9 as large as the other, near one of its corners or triangles."""
    a, b = shape(rng), shape(rng)
    at = a[0][a[1][rng.integers(len(a[1]))]].T @ rng.dirichlet((1, 1, 1))
    factor = 10.0 ** rng.uniform(-9, -3)
    return a, (b[0] * factor + at + rng.normal(size=3) * factor * rng.choice((1, 10)), b[1])


ORDINARY = (strewn, lattice_boxes, apart_by(1e-6), nested, parallel)


def scaled(factor):
    return lambda rng: tuple((v * factor, f) for v, f in ORDINARY[rng.integers(len(ORDINARY))](rng))


def far(distance):
    def make(rng):
        shift = rng.normal(size=3) * distance
        return tuple((v + shift, f) for v, f in ORDINARY[rng.integers(len(ORDINARY))](rng))
    return make


def single_precision(rng):
    return tuple((v.astype(np.float32).astype(float), f) for v, f in ORDINARY[rng.integers(len(ORDINARY))](rng))


CLASSES = {
    "strewn": strewn, "soups": soups, "lattice boxes": lattice_boxes, "nested": nested, "parallel": parallel,
    "sizes": sizes,
    **{f"apart or into by {gap:g}": apart_by(gap) for gap in (1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 0.0, -1e-12)},
    **{f"scale {factor:g}": scaled(factor) for factor in (1e-150, 1e-30, 1e-6, 1e-3, 1e3, 1e6, 1e30, 1e150)},
    "far 1e5": far(1e5), "far 1e12": far(1e12), "single precision": single_precision,
}


def draw(name, n, seed):
    """n pairs of meshes of the class `name`, the same for the same seed."""
    rng = np.random.default_rng([*np.atleast_1d(seed), *name.encode()])
    return [CLASSES[name](rng) for _ in range(n)]
