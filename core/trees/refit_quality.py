# SPDX-License-Identifier: GPL-3.0-or-later
"""When a mesh that is deformed has lost the order of its tree, so that the tree's boxes are large and a new one is due.

Trees of every kind keep what lies together in space together in their leaves, so how far apart following corners are
tells how large boxes are without a look at any box.
"""
from dataclasses import dataclass

import numpy as np

from ..machine_code.jit import kernel

WORN = 2.0                      # a mesh that has spread by more than this factor gets a new tree


@dataclass
class Wear:
    """How far a deforming mesh is from the order of its tree. best: the least `spread` it has had.

    Where a new tree is no better, because the mesh itself has come into disorder, the next attempt waits for twice as
    many deformations as the last one did.
    """

    best: float
    pause: int = 0
    rest: int = 0

    def is_too_much(self, now: float) -> bool:
        if now <= WORN * self.best:
            return False
        self.rest -= 1
        return self.rest < 0

    def renewed(self, now: float) -> None:
        """The tree is new, and the spread is this."""
        self.best = min(self.best, now)
        self.pause = 0 if now <= WORN * self.best else max(1, 2 * self.pause)
        self.rest = self.pause


def disorder(corners: np.ndarray) -> float:
    """The `spread` of the middles of triangles in the order of a tree's leaves. corners: (n,3,3) float64, n ≥ 1."""
    with np.errstate(over="ignore", invalid="ignore"):
        return spread(corners[:, 0] + corners[:, 1] + corners[:, 2], 0, len(corners))


@kernel
def spread(vertices, start, count):
    """How far apart vertices are that follow one another, of the size of the whole: what tells how large boxes are of
    triangles that follow one another. 0 where all is one place, or too large to say."""
    way = 0.0
    size = 0.0
    for x in range(3):
        low = vertices[start, x]
        high = low
        for v in range(start + 1, start + count):
            way += abs(vertices[v, x] - vertices[v - 1, x])
            low = min(low, vertices[v, x])
            high = max(high, vertices[v, x])
        size += high - low
    return way / size if 0.0 < size < np.inf else 0.0
