# SPDX-License-Identifier: GPL-3.0-or-later
"""`Movement`: how each object moves from one Instant to another one, and boxes around it on the way.

Rigid: x(t) + R(t)·S(t)·v with the origin x and the stretch S linear in t, R turning at a constant speed about a fixed
axis. Linear: each vertex goes straight. docs/moving-meshes.md says which object moves how, and derives the bounds.
"""
import math

import numpy as np

from ..arrays import moved_poses
from ..records import ObjectMotions
from ..trees.bounds import HIGH
from .instant import Instant
from .motion_bounds import (
    BOUND_SLACK_FACTOR,
    MOTION_ROUNDING,
    bound,
    bound_lines,
    mark_apart,
    take_apart,
    upright_boxes,
)
from .poses import no_pose

LARGEST_FOLLOWED = 1e100    # numbers of objects that can be followed: no product of three overflows
MOST_SLICES = 1 << 10


class Movement:
    """Per object (arrays of length n): `motions` and what is made of it. Rows are filled for objects that `follow` was
    asked for."""

    def __init__(self, start: Instant, end: Instant, follow: bool = True, has_turn: bool = False):
        """follow: all objects. has_turn: the caller is in a run on the Instants' scene."""
        n = len(start.mesh)
        self.has_turn = has_turn
        self.start, self.end = start, end
        self.deformed, others = start.changed(end)
        self.moves = self.deformed | moved_poses(start.poses, end.poses)      # (n,) bool
        self.linear = self.deformed.copy()     # (n,) bool: as `motions` has it
        self.followed = np.zeros(n, bool)
        self.lost = others & (start.triangle_counts > 0)
        # Rigid: the local box, at both ends; linear: boxes in the world.
        self._low, self._high = np.zeros((2, n, 2, 3))
        self._size = np.zeros(n)
        self._finite = start.finite & end.finite
        self.around: np.ndarray | None = None   # (6,) float64, a box around the ways of all; None: nobody has made it
        self.motions = ObjectMotions(
            linear=self.deformed.astype(np.uint8), rotation=np.zeros((n, 3, 3)), axis=np.zeros((n, 3)),
            world_axis=np.zeros((n, 3)), angle=np.zeros(n), stretch=np.zeros((n, 2, 3, 3)), origin=np.zeros((n, 2, 3)),
            poses=np.stack([start.poses, end.poses], axis=1), curvature=np.zeros(n), speed=np.zeros(n),
            rounding=np.zeros(n))
        if follow:
            self.follow(np.arange(n, dtype=np.int64))

    def follow(self, rows: np.ndarray) -> np.ndarray:
        """Find the motions of some objects; returns those of them that have triangles and can be followed, the others
        are `lost`. rows: (k,) int64, ascending, each once."""
        rows = rows[~self.lost[rows] & (self.start.triangle_counts[rows] > 0)]
        self.lost[rows[~self._finite[rows]]] = True
        rows = rows[~self.lost[rows]]
        if len(rows) == 0:
            return rows
        take_apart(rows, self.motions, np.empty((4, 3, 3)))
        self.linear[rows] = self.motions.linear[rows] != 0
        for end, instant in enumerate((self.start, self.end)):
            self._low[rows, end], self._high[rows, end] = instant.local[rows, :HIGH], instant.local[rows, HIGH:]
        bound(rows, self.motions, self._low, self._high, self._size)
        with np.errstate(all="ignore"):
            for k in rows[self.linear[rows]].tolist():
                self._bound_lines(k)
        motions = self.motions
        most = [each[rows] for each in (motions.curvature, motions.speed, motions.rounding / MOTION_ROUNDING)]
        self.lost[rows[~(np.max(most, axis=0, initial=0.0) < LARGEST_FOLLOWED)]] = True
        rows = rows[~self.lost[rows]]
        self.followed[rows] = True
        return rows

    def _bound_lines(self, k: int) -> None:
        """Bound speed and rounding of an object whose vertices move on lines, and put it into boxes."""
        motions = self.motions
        longest = bound_lines(*self.world_ends(k), self._low[k], self._high[k])
        self._size[k] = _length(self._high[k, 0] - self._low[k, 0])
        motions.angle[k], motions.curvature[k], motions.origin[k] = 0.0, 0.0, 0.0
        motions.speed[k] = np.sqrt(longest) * BOUND_SLACK_FACTOR
        most = np.maximum(np.abs(self._low[k]), np.abs(self._high[k])).max(axis=0)
        motions.rounding[k] = MOTION_ROUNDING * _length(most)

    def world_ends(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """(v,3) float64 each: the vertices of a linear object in the world, at t = 0 and t = 1."""
        return self.start.world_vertices(k), self.end.world_vertices(k)

    def sizes(self, rows: np.ndarray) -> np.ndarray:
        """(k,) float64: about the diameters of some objects. rows: (k,) int64."""
        return self._size[rows]

    def slices(self) -> np.ndarray:
        """(n,) int64: into how many slices of time, a power of two, trees cut an object's way, so that no vertex
        leaves its line by more than about half a triangle's size."""
        curved = np.flatnonzero(self.motions.curvature > 0.0)
        count = np.ones(len(self.moves), np.int64)
        fine = self.sizes(curved) / (2.0 * np.sqrt(np.maximum(1, self.start.triangle_counts[curved])))
        wanted = np.sqrt(0.125 * self.motions.curvature[curved] / np.maximum(fine, 1e-300))
        count[curved] = np.int64(1) << np.ceil(np.log2(np.clip(wanted, 1.0, MOST_SLICES))).astype(np.int64)
        return count

    def boxes_at(self, t: float, rows: np.ndarray) -> np.ndarray:
        """(k,6) float64, lo x y z hi x y z: boxes that hold some objects at the time t. rows: (k,) int64."""
        boxes = np.empty((len(rows), 6))
        upright_boxes(rows, t, self.motions, self._low, self._high, no_pose(), np.empty((4, 3)), boxes)
        return boxes

    def apart(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(k,) bool: pairs of objects that a direction certainly keeps apart all the while, by their own boxes. a, b:
        (k,) int32."""
        apart = np.empty(len(a), bool)
        mark_apart(a, b, self.motions, self._low, self._high, np.empty((2, 3, 4, 3)), no_pose(), np.empty(3), apart)
        return apart

    def swept_boxes(self, rows: np.ndarray | None = None) -> np.ndarray:
        """(k,6) float64: boxes that hold some objects all the while. rows: (k,) int64, None: all."""
        rows = np.arange(len(self.moves), dtype=np.int64) if rows is None else rows
        first, last = self.boxes_at(0.0, rows), self.boxes_at(1.0, rows)
        away = 0.125 * self.motions.curvature[rows, None]
        return np.concatenate([np.minimum(first[:, :HIGH], last[:, :HIGH]) - away,
                               np.maximum(first[:, HIGH:], last[:, HIGH:]) + away], axis=1)


def _length(x: np.ndarray) -> float:
    """That of a vector. As np.linalg.norm has it, at a fifth of the time."""
    return math.sqrt(x.dot(x))
