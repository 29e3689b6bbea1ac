# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that turn together, as parts of one thing do: between two frames nothing happens among them."""
import math

import numpy as np

from ..continuous.instant import Instant
from ..continuous.motion_bounds import differ
from ..machine_code.jit import kernel, unsigned

TOGETHER_RELATIVE = 2.0 ** -20  # of all lengths, by which a place in the other object may change: poses are float32


def turn_together(first: Instant, last: Instant, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k,) bool: pairs of positions whose objects both turn, are not deformed, and are in one pose relative to each
    other at both Instants, as far apart as before, but for what single precision rounds off.

    Each by itself goes straight while it turns (docs/moving-meshes.md): what is bolted to a wheel, with an origin of
    its own, would cut the corner, and so come into the wheel.
    """
    found, a, b = np.zeros(len(a), bool), a.astype(np.int32, copy=False), b.astype(np.int32, copy=False)
    rows = np.empty(len(a), np.int64)       # of most nothing else is asked
    rows = rows[:find_perhaps_together(a, b, first.poses, last.poses, first.finite, last.finite, first.local, rows)]
    if len(rows) == 0:
        return found
    with np.errstate(all="ignore"):
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


@kernel
def find_perhaps_together(a, b, before, after, finite, last_finite, local, rows):
    """Fill `rows` (k,) int64 with those of the pairs whose objects both turn, and whose origins are as far from each
    other at both Instants, but for no more than `turn_together` lets pass; returns how many these are. a, b: (k,)
    int32; before, after: (n,3,4) poses; finite, last_finite: (n,) bool; local: (n,6), boxes at first."""
    count = 0
    for row in range(a.shape[0]):
        i = unsigned(a[row])
        j = unsigned(b[row])
        if not (finite[i] and last_finite[i] and finite[j] and last_finite[j]
                and turns(before, after, i) and turns(before, after, j)):
            continue
        square = 0.0
        last_square = 0.0
        numbers = 0.0
        largest = 0.0
        reach = 1.0
        for x in range(3):
            step = before[j, x, 3] - before[i, x, 3]
            square += step * step
            step = after[j, x, 3] - after[i, x, 3]
            last_square += step * step
            reach += abs(local[j, x]) + abs(local[j, 3 + x])
            for y in range(4):
                numbers += abs(before[j, x, y]) + abs(after[j, x, y])
                largest = max(largest, abs(before[i, x, y]))
        if abs(math.sqrt(last_square) - math.sqrt(square)) <= TOGETHER_RELATIVE * (numbers * reach + largest):
            rows[count] = row
            count += 1
    return count


@kernel
def turns(before, after, k):
    """True where the linear part of pose k is another one."""
    for x in range(3):
        for y in range(3):
            if before[k, x, y] != after[k, x, y]:
                return True
    return False


def _origins(instant: Instant, a: np.ndarray) -> np.ndarray:
    """(k,3,4): the origins of some objects, in the last column."""
    return np.concatenate([np.zeros((len(a), 3, 3)), instant.poses[a, :, 3:]], axis=2)


def _reach(poses: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """(k,) how far from the origin places (k,3), and what is nearer, are at most once poses (k,3,4) move them."""
    return np.linalg.norm((np.abs(poses[:, :, :3]) @ reach[:, :, None])[:, :, 0] + np.abs(poses[:, :, 3]), axis=1)
