# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand with spread fingers, closed and smooth, of any fineness: blocks on a lattice, whose surface is smoothed."""
import numpy as np

from .meshes import single

# (low, high) of each block, in cells, the upper ends not included: across, through, along.
BLOCKS = (((0, 0, 0), (11, 3, 10)), ((3, 0, -4), (8, 3, 0)),                                    # palm, wrist
          ((0, 0, 10), (2, 2, 18)), ((3, 0, 10), (5, 2, 20)), ((6, 0, 10), (8, 2, 19)), ((9, 0, 10), (11, 2, 17)),
          ((-5, 0, 2), (0, 2, 4)), ((-5, 0, 4), (-3, 2, 9)))                                    # thumb
TRIANGLES = 1524    # at one part per cell; of n parts n² times as many
LENGTH = 2.0        # from the wrist to the tip of the longest finger
SMOOTHINGS = 6      # at one part per cell; as many times as many, for the same shape


def hand(parts: int = 1):
    """(vertices (n,3) float64, triangles (m,3) int32), each edge of a cell in so many parts: TRIANGLES · parts² of
    them. Fingers along z, about the origin."""
    filled, low = _cells(parts)
    vertices, quads = _surface(filled)
    points = (vertices + parts * low) / parts
    near = np.stack([quads, np.roll(quads, 1, axis=1)], axis=-1).reshape(-1, 2)     # each edge, both ways
    number = np.bincount(near[:, 0], minlength=len(points))[:, None]
    for _ in range(SMOOTHINGS * parts ** 2):
        around = [np.bincount(near[:, 0], points[near[:, 1], axis], len(points)) for axis in range(3)]
        points = 0.5 * points + 0.5 * np.stack(around, axis=1) / number
    points -= 0.5 * (points.min(axis=0) + points.max(axis=0))
    points *= LENGTH / np.ptp(points[:, 2])
    return single(points), np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.int32)


def _cells(parts: int) -> tuple[np.ndarray, np.ndarray]:
    """(filled, low): cells as bool, with an empty one all around, and the place of the first one."""
    blocks = np.array(BLOCKS)
    low = blocks[:, 0].min(axis=0)
    filled = np.zeros(blocks[:, 1].max(axis=0) - low, bool)
    for begin, end in blocks - low:
        filled[begin[0]:end[0], begin[1]:end[1], begin[2]:end[2]] = True
    return np.pad(np.kron(filled, np.ones((parts, parts, parts), bool)), 1), low


def _surface(filled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(corners (n,3), quads (m,4)) between filled and empty cells, counterclockwise from outside."""
    corners = []
    for axis in range(3):
        right, up = np.eye(3, dtype=np.int64)[[(axis + 1) % 3, (axis + 2) % 3]]
        for side in (1, -1):
            cells = np.argwhere(filled & ~np.roll(filled, -side, axis=axis))
            cells[:, axis] += (side + 1) // 2
            ring = [cells, cells + right, cells + right + up, cells + up]
            corners.append(np.stack(ring[::side], axis=1))
    quads = np.concatenate(corners)
    found, number = np.unique(quads.reshape(-1, 3), axis=0, return_inverse=True)
    return found - 1.0, number.reshape(-1, 4)
