# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of which two frames do not tell whether they went straight or around something."""
import numpy as np

from ..continuous.instant import Instant

ASTRAY_RELATIVE = 0.05      # of an object's size: it may be that far from its straight way, and nobody is told


def perhaps_carried(first: Instant, last: Instant) -> np.ndarray:
    """(n,) bool: objects that turn and move on so far that they would be elsewhere in between, by more than a share of
    their size, if something carried them around as far as they turn: a blade whose origin is not on its axle. A wheel
    that rolls goes straight, and the two poses are alike.

    About: what is deformed, or flat, is not told of.
    """
    found = np.zeros(len(first.poses), bool)
    linear = first.poses[:, :, :3], last.poses[:, :, :3]
    rows = (first.finite & last.finite & (linear[0] != linear[1]).any(axis=(1, 2))).nonzero()[0]
    with np.errstate(all="ignore"):
        before, after = (each[rows] for each in linear)
        regular = np.linalg.det(before) != 0.0
        turn = after @ np.linalg.inv(np.where(regular[:, None, None], before, np.eye(3)))
        # Of a rotation: twice its axis times the sine, and one more than twice the cosine.
        odd = turn - turn.transpose(0, 2, 1)
        axis = np.stack([odd[:, 2, 1], odd[:, 0, 2], odd[:, 1, 0]], axis=1)
        length = np.linalg.norm(axis, axis=1)
        angle = np.arctan2(length, np.trace(turn, axis1=1, axis2=2) - 1.0)
        way = (last.poses[rows] - first.poses[rows])[:, :, 3]
        across = np.linalg.norm(np.cross(axis / length[:, None], way), axis=1)
        size = np.linalg.norm(np.abs(after) @ (last.local[rows, 3:] - last.local[rows, :3])[:, :, None], axis=(1, 2))
        # Halfway, an arc is so far from its chord.
        found[rows] = regular & (0.5 * across * np.tan(0.25 * angle) > ASTRAY_RELATIVE * size)
    return found & ~first.changed(last)[0] & (first.triangle_counts > 0)
