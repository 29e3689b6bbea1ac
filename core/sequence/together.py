# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that turn together, as parts of one thing do: between two frames nothing happens among them."""
import numpy as np

from ..continuous.following import differ
from ..continuous.instant import Instant

TOGETHER_RELATIVE = 2.0 ** -20  # of all lengths, by which a place in the other object may change: poses are float32


def turn_together(first: Instant, last: Instant, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k,) bool: pairs of positions whose objects both turn, are not deformed, and are in one pose relative to each
    other at both Instants, as far apart as before, but for what single precision rounds off.

    Each by itself goes straight while it turns (docs/moving-meshes.md): what is bolted to a wheel, with an origin of
    its own, would cut the corner, and so come into the wheel.
    """
    found = np.zeros(len(a), bool)
    rows = np.arange(len(a))
    for k in (a, b):
        k = k[rows]
        rows = rows[(first.poses[k, :, :3] != last.poses[k, :, :3]).any(axis=(1, 2)) & first.finite[k] & last.finite[k]]
    with np.errstate(all="ignore"):
        rows = rows[_keep_their_distance(first, last, a[rows], b[rows])]      # of most nothing else is asked
        a, b = a[rows], b[rows]
        linear = first.poses[a, :, :3]
        regular = np.abs(np.linalg.det(linear)) > TOGETHER_RELATIVE * np.linalg.norm(linear, axis=(1, 2)) ** 3
        linear = np.where(regular[:, None, None], linear, np.eye(3))
        turn = last.poses[a, :, :3] @ np.linalg.inv(linear)             # of the first object, from there to here
        # In the world, the second object's pose if it went along, and how far its vertices are from there at most.
        along = turn @ (first.poses[b] - _origins(first, a))
        away = along + _origins(last, a) - last.poses[b]
        reach = np.abs(first.local[b]).reshape(-1, 2, 3).max(axis=1)
        size = _reach(last.poses[b], reach) + np.abs(first.poses[a]).max(axis=(1, 2)) + _reach(first.poses[b], reach)
        together = regular & (_reach(away, reach) <= TOGETHER_RELATIVE * size)
    for n in together.nonzero()[0].tolist():
        found[rows[n]] = keeps_shape(first, last, int(a[n])) and keeps_shape(first, last, int(b[n]))
    return found


def keeps_shape(first: Instant, last: Instant, k: int) -> bool:
    """True where an object has the same vertices and triangles at both Instants."""
    return ((first.vertices[k] is last.vertices[k] or not differ(first.vertices[k], last.vertices[k]))
            and (first.triangles[k] is last.triangles[k] or np.array_equal(first.triangles[k], last.triangles[k])))


def _keep_their_distance(first: Instant, last: Instant, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k,) bool: origins are as far from each other at both Instants, but for more than `turn_together` lets pass."""
    before, after = (np.linalg.norm(each.poses[b, :, 3] - each.poses[a, :, 3], axis=1) for each in (first, last))
    numbers = sum(np.abs(each.poses[b]).sum(axis=(1, 2)) for each in (first, last))
    most = numbers * (1.0 + np.abs(first.local[b]).sum(axis=1)) + np.abs(first.poses[a]).max(axis=(1, 2))
    return np.abs(after - before) <= TOGETHER_RELATIVE * most


def _origins(instant: Instant, a: np.ndarray) -> np.ndarray:
    """(k,3,4): the origins of some objects, in the last column."""
    return np.concatenate([np.zeros((len(a), 3, 3)), instant.poses[a, :, 3:]], axis=2)


def _reach(poses: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """(k,) how far from the origin places (k,3), and what is nearer, are at most once poses (k,3,4) move them."""
    return np.linalg.norm((np.abs(poses[:, :, :3]) @ reach[:, :, None])[:, :, 0] + np.abs(poses[:, :, 3]), axis=1)
