# SPDX-License-Identifier: GPL-3.0-or-later
"""`Movement`: how each object moves from one Instant to another one, and boxes around it on the way.

Rigid: x(t) + R(t)·S(t)·v with the origin x and the stretch S linear in t, R turning at a constant speed about a fixed
axis. Linear: each vertex goes straight. docs/moving-meshes.md says which object moves how, and derives the bounds.
"""
import numpy as np

from ..arrays import moved_poses
from ..records import ObjectMotions
from ..trees.bounds import HIGH
from .decompose import rotation_and_stretch, turn
from .instant import Instant

ROUNDING = 2.0 ** -46       # of a vertex at any time, relative to the sizes of what is added up
SLACK = 1.0 + 2.0 ** -20    # more than the rounding of curvatures and speeds
LARGEST = 1e100             # numbers of objects that can be followed: no product of three overflows
MOST_SLICES = 1 << 10
CORNERS = np.array([[k & 1, k & 2, k & 4] for k in range(8)], bool)


class Movement:
    """Per object (arrays of length n): `motions` and what is made of it. Rows are filled for objects that `follow` was
    asked for."""

    def __init__(self, start: Instant, end: Instant, follow: bool = True, has_turn: bool = False):
        """follow: all objects. has_turn: the caller is in a run on the Instants' scene."""
        n = len(start.mesh)
        self.has_turn = has_turn
        self.start, self.end = start, end
        self._deformed, others = start.changed(end)
        self.moves = self._deformed | moved_poses(start.poses, end.poses)      # (n,) bool
        self.linear = self._deformed.copy()
        self.followed = np.zeros(n, bool)
        self.lost = others & (start.triangle_counts > 0)
        # Rigid: the local box, at both ends; linear: boxes in the world.
        self._low, self._high = np.zeros((2, n, 2, 3))
        self._ends: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.around: np.ndarray | None = None   # (6,) float64, a box around the ways of all; None: nobody has made it
        self.motions = ObjectMotions(
            linear=np.zeros(n, np.uint8), rotation=np.zeros((n, 3, 3)), axis=np.zeros((n, 3)),
            world_axis=np.zeros((n, 3)), angle=np.zeros(n), stretch=np.zeros((n, 2, 3, 3)), origin=np.zeros((n, 2, 3)),
            poses=np.stack([start.poses, end.poses], axis=1), curvature=np.zeros(n), speed=np.zeros(n),
            rounding=np.zeros(n))
        if follow:
            self.follow(np.arange(n))

    def follow(self, rows: np.ndarray) -> np.ndarray:
        """Find the motions of some objects; returns those of them that have triangles and can be followed, the others
        are `lost`. rows: (k,) int64, ascending, each once."""
        rows = rows[~self.lost[rows] & (self.start.triangle_counts[rows] > 0)]
        finite = [np.isfinite(each[rows]).all(axis=1) for instant in (self.start, self.end)
                  for each in (instant.bounds, instant.local)]
        self.lost[rows[~np.all(finite, axis=0)]] = True
        rows = rows[~self.lost[rows]]
        if len(rows) == 0:
            return rows
        with np.errstate(all="ignore"):
            self._take_apart(rows)
            self._bound_vertices(rows)
            self._bound_motions(rows)
        most = [each[rows] for each in (self.motions.curvature, self.motions.speed, self.motions.rounding / ROUNDING)]
        self.lost[rows[~(np.max(most, axis=0, initial=0.0) < LARGEST)]] = True
        rows = rows[~self.lost[rows]]
        self.followed[rows] = True
        return rows

    def _take_apart(self, rows: np.ndarray) -> None:
        """Find rotations and stretches of rigid objects, and which others are linear, too."""
        motions = self.motions
        first, last = self.start.poses[:, :, :3], self.end.poses[:, :, :3]
        motions.rotation[rows] = np.eye(3)
        motions.stretch[rows] = np.stack([first[rows], last[rows]], axis=1)
        motions.origin[rows] = np.stack([self.start.poses[rows, :, 3], self.end.poses[rows, :, 3]], axis=1)
        turned = rows[~self.linear[rows] & (first[rows] != last[rows]).any(axis=(1, 2))]
        if len(turned):
            r0, s0, certain0 = rotation_and_stretch(first[turned])
            r1, s1, certain1 = rotation_and_stretch(last[turned])
            mirrored = (np.trace(s0, axis1=1, axis2=2) < 0.0) != (np.trace(s1, axis1=1, axis2=2) < 0.0)
            self.linear[turned] = ~(certain0 & certain1) | mirrored
            motions.rotation[turned], motions.stretch[turned] = r0, np.stack([s0, s1], axis=1)
            motions.axis[turned], motions.angle[turned] = turn(r0, r1)
            motions.world_axis[turned] = np.einsum("nij,nj->ni", r0, motions.axis[turned])
        linear = rows[self.linear[rows]]
        motions.linear[linear] = 1
        motions.angle[linear], motions.origin[linear] = 0.0, 0.0

    def _bound_vertices(self, rows: np.ndarray) -> None:
        for end, instant in enumerate((self.start, self.end)):
            self._low[rows, end], self._high[rows, end] = instant.local[rows, :HIGH], instant.local[rows, HIGH:]
        for k in rows[self.linear[rows]].tolist():
            for end, points in enumerate(self.world_ends(k)):
                self._low[k, end], self._high[k, end] = points.min(axis=0), points.max(axis=0)

    def world_ends(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """(v,3) float64 each: the vertices of a linear object in the world, at t = 0 and t = 1."""
        if k not in self._ends:
            with np.errstate(all="ignore"):
                self._ends[k] = _placed(self.start, k), _placed(self.end, k)
        return self._ends[k]

    def _bound_motions(self, rows: np.ndarray) -> None:
        """Bound acceleration, speed and rounding over all vertices of each object, by its box."""
        motions, low, high = self.motions, self._low[rows], self._high[rows]
        corners = np.where(CORNERS, high[:, :1], low[:, :1])                                    # (k,8,3)
        first, last = (corners @ np.swapaxes(motions.stretch[rows, end], 1, 2) for end in (0, 1))
        farthest, longest = np.maximum(_longest(first), _longest(last)), _longest(last - first)
        angle, origin = motions.angle[rows], motions.origin[rows]
        motions.curvature[rows] = angle * (angle * farthest + 2.0 * longest) * SLACK
        motions.speed[rows] = (_longest(origin[:, 1:] - origin[:, :1]) + angle * farthest + longest) * SLACK
        most = np.maximum(np.abs(low), np.abs(high)).max(axis=1)                                # (k,3)
        reach = (np.abs(motions.stretch[rows]).max(axis=1) @ most[:, :, None])[:, :, 0]
        linear = self.linear[rows]
        reach[linear] = most[linear]
        motions.rounding[rows] = ROUNDING * (_longest(reach[:, None]) + _longest(np.abs(origin).max(axis=1)[:, None]))
        for k in rows[linear].tolist():
            before, after = self.world_ends(k)
            motions.curvature[k], motions.speed[k] = 0.0, _longest((after - before)[None])[0] * SLACK

    def sizes(self, rows: np.ndarray) -> np.ndarray:
        """(k,) float64: about the diameters of some objects. rows: (k,) int64."""
        extent = (self._high[rows] - self._low[rows])[:, 0]
        stretched = (np.abs(self.motions.stretch[rows, 0]) @ extent[:, :, None])[:, :, 0]
        return _longest(np.where(self.linear[rows, None], extent, stretched)[:, None])

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
        motions = self.motions
        angle, axis = (t * motions.angle[rows])[:, None, None], motions.axis[rows]
        cross = np.zeros((len(rows), 3, 3))
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            cross[:, i, j], cross[:, j, i] = -axis[:, k], axis[:, k]
        turned = np.eye(3) + np.sin(angle) * cross + 2.0 * np.sin(0.5 * angle) ** 2 * (cross @ cross)
        stretch, origin = ((1.0 - t) * each[rows, 0] + t * each[rows, 1] for each in (motions.stretch, motions.origin))
        matrix = motions.rotation[rows] @ turned @ stretch
        low, high = ((1.0 - t) * each[rows, 0] + t * each[rows, 1] for each in (self._low, self._high))
        centre = (matrix @ (0.5 * (low + high))[:, :, None])[:, :, 0] + origin
        half = (np.abs(matrix) @ (0.5 * (high - low))[:, :, None])[:, :, 0]
        more, linear = 2.0 * motions.rounding[rows, None], self.linear[rows]
        centre[linear], half[linear] = 0.5 * (low + high)[linear], 0.5 * (high - low)[linear]
        return np.concatenate([centre - half - more, centre + half + more], axis=1)

    def swept_boxes(self, rows: np.ndarray | None = None) -> np.ndarray:
        """(k,6) float64: boxes that hold some objects all the while. rows: (k,) int64, None: all."""
        rows = np.arange(len(self.moves)) if rows is None else rows
        first, last = self.boxes_at(0.0, rows), self.boxes_at(1.0, rows)
        away = 0.125 * self.motions.curvature[rows, None]
        return np.concatenate([np.minimum(first[:, :HIGH], last[:, :HIGH]) - away,
                               np.maximum(first[:, HIGH:], last[:, HIGH:]) + away], axis=1)


def _longest(vectors: np.ndarray) -> np.ndarray:
    """(n,): the length of the longest of each row's vectors. vectors: (n,k,3)."""
    return np.sqrt((vectors ** 2).sum(axis=2)).max(axis=1, initial=0.0)


def _placed(instant: Instant, k: int) -> np.ndarray:
    """(v,3) float64: an object's vertices in the world, by the formula of trees/bvh/refit.py."""
    x, y, z = instant.vertices[k].T
    return np.stack([((m[0] * x + m[1] * y) + m[2] * z) + m[3] for m in instant.poses[k]], axis=1)
