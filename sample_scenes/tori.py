# SPDX-License-Identifier: GPL-3.0-or-later
"""Many small tori in a cube, in equal and in mixed boxes, for the method `particle`: its document is about scenes in
which many objects have boxes of one size, and does not give its models.
"""
import numpy as np

from . import meshes

ROOM = 2.0                          # edge of the cube per object: each meets about one other
MIXED = 8                           # shapes of the mixed ones


def shapes(mixed: bool) -> list[tuple[np.ndarray, np.ndarray]]:
    """Bumpy tori of 48 triangles; object i has shape i, and after the last one the first again."""
    return [meshes.ring(6, 4, seed) for seed in range(MIXED if mixed else 1)]


def poses(count: int, mixed: bool, step: int) -> np.ndarray:
    """(count,4,4): every torus at random, elsewhere in every step. Equal: one shape, one size, so that one box is the
    unit of most. mixed: of very different sizes."""
    placed = meshes.random_poses(count, ROOM * count ** (1 / 3), np.random.default_rng(step))
    if mixed:
        placed[:, :3, :3] *= np.random.default_rng(98).lognormal(-0.5, 0.7, count)[:, None, None]
    return placed
