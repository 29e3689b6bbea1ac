# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that meet themselves in all ways, and some that do not: (V (n,3) float64, F (m,3) int32)."""
import numpy as np

from .shapes import box


def soup(rng, vertices: int, triangles: int, side: int):
    """Triangles between points of a small lattice, any corners: degenerate, doubled, folded, pierced."""
    return (rng.integers(0, side, (vertices, 3)).astype(float),
            rng.integers(0, vertices, (triangles, 3)).astype(np.int32))


def grid(n: int, height=lambda x, y: 0.0 * x):
    """A sheet of n·n vertices, one unit apart, with z = height(x, y)."""
    x, y = np.meshgrid(np.arange(n, dtype=float), np.arange(n, dtype=float))
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    triangles = np.concatenate([np.stack([corner, corner + 1, corner + n], 1),
                                np.stack([corner + 1, corner + n + 1, corner + n], 1)])
    return np.stack([x.ravel(), y.ravel(), height(x, y).ravel()], axis=1), triangles.astype(np.int32)


def torus(n: int, m: int, radius: float, tube: float):
    """A closed torus of n·m vertices; a tube wider than the radius passes through itself."""
    u, v = np.meshgrid(np.arange(n) * 2 * np.pi / n, np.arange(m) * 2 * np.pi / m, indexing="ij")
    far = radius + tube * np.cos(v)
    i, j = (each.ravel() for each in np.meshgrid(np.arange(n), np.arange(m), indexing="ij"))
    a, b, c, d = i * m + j, (i + 1) % n * m + j, (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return (np.stack([far * np.cos(u), far * np.sin(u), tube * np.sin(v)], axis=-1).reshape(-1, 3),
            triangles.astype(np.int32))


def unwelded(mesh):
    """The same surface, each triangle with vertices of its own."""
    V, F = mesh
    return V[F].reshape(-1, 3), np.arange(3 * len(F), dtype=np.int32).reshape(-1, 3)


def shuffled(rng, mesh):
    """(mesh, order): the same triangles in another order, with corners turned and vertices renumbered; triangle k is
    the old triangle order[k]."""
    V, F = mesh
    place, order = rng.permutation(len(V)), rng.permutation(len(F))
    turned = np.stack([np.roll(row, k) for row, k in zip(place[F[order]], rng.integers(0, 3, len(F)))])
    renumbered = np.empty_like(V)
    renumbered[place] = V
    return (renumbered, turned.astype(np.int32)), order


def points(*rows) -> np.ndarray:
    return np.array(rows, float)


# name: (V, F, the pairs that collide)
PLAIN = {
    "two triangles of a square": (points((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)), [[0, 1, 2], [1, 3, 2]], []),
    "folded flat onto each other": (points((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)), [[0, 1, 2], [0, 1, 3]],
                                    [[0, 1]]),
    "folded by a right angle": (points((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), [[0, 1, 2], [0, 1, 3]], []),
    "almost folded flat": (points((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 2.0 ** -70)), [[0, 1, 2], [0, 1, 3]], []),
    "there twice": (points((0, 0, 0), (1, 0, 0), (0, 1, 0)), [[0, 1, 2], [1, 0, 2]], [[0, 1]]),
    "meet in a corner": (points((0, 0, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)), [[0, 1, 2], [0, 3, 4]], []),
    "pierce beyond their corner": (points((0, 0, 0), (4, 0, 0), (0, 4, 0), (3, 3, -2), (3, 3, 2)),
                                   [[0, 1, 2], [0, 3, 4]], [[0, 1]]),
    "share a corner and half a side": (points((0, 0, 0), (2, 0, 0), (0, 2, 0), (1, 0, 0), (0, -1, 0)),
                                       [[0, 1, 2], [0, 3, 4]], [[0, 1]]),
    "corner of one in a side of the other": (points((0, 0, 0), (2, 0, 0), (0, 2, 0), (1, 0, 0), (1, -1, 0), (2, -1, 0)),
                                             [[0, 1, 2], [3, 4, 5]], [[0, 1]]),
    "seam: one place, two numbers": (points((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)),
                                     [[0, 1, 2], [3, 5, 4]], []),
    "seam that is folded": (points((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (0.5, 0.25, 0)),
                            [[0, 1, 2], [3, 5, 4]], [[0, 1]]),
    "minus zero is zero": (points((0.0, 0, 0), (1, 0, 0), (0, 1, 0), (-0.0, -0.0, -0.0), (-1, 0, 0), (0, -1, 0)),
                           [[0, 1, 2], [3, 4, 5]], []),
    "no area, along a side": (points((0, 0, 0), (2, 0, 0), (0, 2, 0), (1, 0, 0)), [[0, 1, 2], [0, 3, 1]], []),
    "no area, and beyond a side": (points((0, 0, 0), (2, 0, 0), (0, 2, 0), (3, 0, 0)), [[0, 1, 2], [0, 3, 1]], []),
    "no area, all within": (points((0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 1, 0)), [[0, 1, 2], [0, 3, 3]], [[0, 1]]),
    "two without area on one line": (points((0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)), [[0, 1, 2], [0, 1, 3]],
                                     [[0, 1]]),
    "a needle and its end": (points((0, 0, 0), (1, 0, 0)), [[0, 0, 1], [1, 1, 1]], []),
    "points apart": (points((0, 0, 0), (1, 0, 0)), [[0, 0, 0], [1, 1, 1]], []),
    "a point in a triangle": (points((0, 0, 0), (2, 0, 0), (0, 2, 0), (0.5, 0.5, 0)), [[0, 1, 2], [3, 3, 3]],
                              [[0, 1]]),
}


def two_boxes(shift: float):
    """Two boxes in one mesh, the second one beside the first by so much."""
    V, F = box()
    return np.concatenate([V, V + (shift, 0.0, 0.0)]), np.concatenate([F, F + len(V)]).astype(np.int32)
