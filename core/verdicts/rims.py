# SPDX-License-Identifier: GPL-3.0-or-later
"""The rim of a mesh that is not closed: would it be closed if ends of its edges that are near each other were one?"""
from itertools import product

import numpy as np

MOST_RIM_EDGES = 1 << 14    # of a mesh whose rim is looked at: tenths of a millisecond per winding number


def is_closed_by(rim: np.ndarray, distance: float) -> bool:
    """True where the edges of a rim cancel each other out once their ends are moved, by no more than a distance.

    rim: (k,2,3) float64, `Sheets.rim`. The ends are taken in the order of their coordinates. One that has another near
    enough, to which ends are moved, goes to the first such one; ends are moved to any other one. So ends that follow
    each other closely along a wide opening do not shut it.
    """
    if not 0 < len(rim) <= MOST_RIM_EDGES:
        return False
    points, number = np.unique(rim.reshape(-1, 3) + 0.0, axis=0, return_inverse=True)
    ends = _moved(points, distance)[number.reshape(-1, 2)]
    ends = ends[ends[:, 0] != ends[:, 1]]
    low, high = np.sort(ends, axis=1).T
    _, edge = np.unique(low * np.int64(len(points)) + high, return_inverse=True)
    return not np.bincount(edge, np.where(ends[:, 0] < ends[:, 1], 1.0, -1.0)).any()


def _moved(points: np.ndarray, distance: float) -> np.ndarray:
    """(n,) int64: the point that each of them is moved to. points: (n,3) float64, in the order in which they are
    taken."""
    cell = np.floor((points - points.min(axis=0)) / distance).tolist()
    around = list(product((-1.0, 0.0, 1.0), repeat=3))
    taken: dict[tuple[float, ...], list[int]] = {}
    target = np.arange(len(points))
    for k, (x, y, z) in enumerate(cell):
        near = [other for i, j, h in around for other in taken.get((x + i, y + j, z + h), ())]
        near = [other for other in near if np.linalg.norm(points[k] - points[other]) <= distance]
        if near:
            target[k] = min(near)
        else:
            taken.setdefault((x, y, z), []).append(k)
    return target
