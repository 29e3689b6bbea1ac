# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of which two frames do not tell whether they went straight or around something."""
import numpy as np

from ..continuous.instant import Instant
from .together import keeps_shape

ASTRAY_RELATIVE = 0.05      # of an object's size: it may be that far from its straight way, and nobody is told


def perhaps_carried(first: Instant, last: Instant) -> np.ndarray:
    """(k,) int64: objects that turn and move on so far that they would be elsewhere in between, by more than a share of
    their size, if something carried them around as far as they turn: a blade whose origin is not on its axle. A wheel
    that rolls goes straight, and the two poses are alike.

    About: what is deformed, or flat, is not told of.
    """
    with np.errstate(all="ignore"):
        step = last.poses[:, :, 3] - first.poses[:, :, 3]
        before, after = first.poses[:, :, :3], last.poses[:, :, :3]
        # Most do neither: of a rotation, `change` is 2.8 times the sine of half the angle.
        change = _length(after - before)
        size = _length(last.local[:, 3:] - last.local[:, :3]) * np.abs(after).max(axis=(1, 2))
        far = np.abs(step).sum(axis=1) * change > 3.0 * ASTRAY_RELATIVE * size * _length(before)
        rows = (far & first.finite & last.finite & (first.triangle_counts > 0)).nonzero()[0]
        rows = rows[np.linalg.det(before[rows]) != 0.0]
        after = after[rows]
        turn = after @ np.linalg.inv(before[rows])
        # Of a rotation: twice its axis times the sine, and one more than twice the cosine.
        odd = turn - turn.transpose(0, 2, 1)
        axis = np.stack([odd[:, 2, 1], odd[:, 0, 2], odd[:, 1, 0]], axis=1)
        length = np.linalg.norm(axis, axis=1)
        angle = np.arctan2(length, np.trace(turn, axis1=1, axis2=2) - 1.0)
        across = np.linalg.norm(np.cross(axis / length[:, None], step[rows]), axis=1)
        sides = np.abs(after) @ (last.local[rows, 3:] - last.local[rows, :3])[:, :, None]
        # Halfway, an arc is so far from its chord.
        rows = rows[0.5 * across * np.tan(0.25 * angle) > ASTRAY_RELATIVE * np.linalg.norm(sides, axis=(1, 2))]
    return rows[[keeps_shape(first, last, k) for k in rows.tolist()]] if len(rows) else rows


def _length(numbers: np.ndarray) -> np.ndarray:
    """(n,) float64: the root of the sum of the squares of numbers (n,…)."""
    flat = numbers.reshape(len(numbers), -1)
    return np.sqrt(np.einsum("ij,ij->i", flat, flat))
