# SPDX-License-Identifier: GPL-3.0-or-later
"""When a deformed mesh has lost the order of its tree: then the tree's boxes are large, and a new tree is due.

Leaf order follows space in trees of every kind. So the way from triangle to triangle in that order tells how large
boxes are, without a look at any box.
"""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..arrays import pieces
from ..machine_code.jit import kernel, unsigned

MAX_GROWTH = 2.0                # of the path; a mesh whose path grows by more gets a new tree


@dataclass
class RefitQuality:
    """How well a deforming mesh still follows the order of its tree.

    Where a new tree is no better, because the mesh itself has come into disorder, the next attempt waits for twice as
    many deformations as the last one did.
    """

    best: float                 # the least `path_length` that the mesh has had
    pause: int = 0              # deformations between two attempts
    left: int = 0               # of these until the next attempt

    def is_kept(self, now: float) -> bool:
        """True where a mesh with this path length is in order, and `needs_rebuild` would change nothing."""
        return now <= MAX_GROWTH * self.best

    def needs_rebuild(self, now: float) -> bool:
        """True where a mesh with this path length is due for a new tree. Ask once per deformation."""
        if self.is_kept(now):
            return False
        self.left -= 1
        return self.left < 0

    def rebuilt(self, now: float) -> None:
        """Take note of a new tree, in whose order the path length is this."""
        self.best = min(self.best, now)
        self.pause = 0 if now <= MAX_GROWTH * self.best else max(1, 2 * self.pause)
        self.left = self.pause


def corners_of(vertices: np.ndarray, triangles: np.ndarray, pause: Callable[[], object]) -> np.ndarray:
    """(n,3,3) float64: the corners of triangles (n,3). pause(): called a few times a second, may raise."""
    corners = np.empty((len(triangles), 3, 3))
    for some in pieces(len(triangles), pause):
        corners[some] = vertices[triangles[some]]
    return corners


def triangle_path_length(corners: np.ndarray, slots: np.ndarray | None, pause: Callable[[], object]) -> float:
    """The `path_length` through the middles of triangles, (n,3,3) float64, n ≥ 1, in the order of a tree's leaves.
    slots: (n,) this order, None where they are in it. pause(): called a few times a second, may raise."""
    middles = np.empty((len(corners), 3))
    with np.errstate(over="ignore", invalid="ignore"):
        for some in pieces(len(corners), pause):
            part = corners[some] if slots is None else corners[slots[some]]
            middles[some] = part[:, 0] + part[:, 1] + part[:, 2]
    pause()
    return path_length(middles, 0, len(middles))


@kernel
def path_length(vertices, start, count):
    """The length of the way through `count` vertices in their order, axis by axis, relative to their extent. It grows
    with the boxes of triangles that follow one another. 0 where all are in one place, or too far apart to say."""
    way0 = way1 = way2 = 0.0        # three sums wait for each other less than one does
    before0, before1, before2 = vertices[start, 0], vertices[start, 1], vertices[start, 2]
    low0, low1, low2 = before0, before1, before2
    high0, high1, high2 = before0, before1, before2
    for v in range(unsigned(start + 1), unsigned(start + count)):
        x = vertices[v, 0]
        y = vertices[v, 1]
        z = vertices[v, 2]
        way0 += abs(x - before0)
        way1 += abs(y - before1)
        way2 += abs(z - before2)
        before0, before1, before2 = x, y, z
        low0 = min(low0, x)
        low1 = min(low1, y)
        low2 = min(low2, z)
        high0 = max(high0, x)
        high1 = max(high1, y)
        high2 = max(high2, z)
    way = way0 + way1 + way2
    extent = (high0 - low0) + (high1 - low1) + (high2 - low2)
    return way / extent if 0.0 < extent < np.inf else 0.0
