# SPDX-License-Identifier: GPL-3.0-or-later
"""`Movement`: how each object moves from one Instant to another one, and boxes around it on the way.

Rigid: x(t) + R(t)·S(t)·v with the origin x and the stretch S linear in t, R turning at a constant speed about a fixed
axis. Linear: each vertex goes straight. docs/moving-meshes.md says which object moves how, and derives the bounds.
"""
import numpy as np

from ..records import ObjectMotions
from .decompose import rotation_and_stretch, turn
from .instant import Instant

ROUNDING = 2.0 ** -46       # of a vertex at any time, relative to the sizes of what is added up
SLACK = 1.0 + 2.0 ** -20    # more than the rounding of curvatures and speeds
LARGEST = 1e100             # numbers of objects that can be followed: no product of three overflows
MOST_SLICES = 1 << 10


class Movement:
    """Per object (arrays of length n): `motions`, and what boxes and slices of time are made of."""

    def __init__(self, start: Instant, end: Instant):
        n = len(start.vertices)
        self.start, self.end = start, end
        self.followed = np.array([_same_triangles(*both) for both in zip(start.triangles, end.triangles)], bool)
        self.followed &= np.isfinite(start.poses).all(axis=(1, 2)) & np.isfinite(end.poses).all(axis=(1, 2))
        same = np.array([_same_vertices(*both) for both in zip(start.vertices, end.vertices)], bool)
        self._find_rigid(same)
        self._lows, self._highs = np.zeros((2, n, 2, 3))    # rigid: local box, twice; linear: world boxes at both ends
        self._boxes: dict[float, np.ndarray] = {}
        self._ends: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._bound_vertices()
        self.followed &= np.isfinite(self._lows).all(axis=(1, 2)) & np.isfinite(self._highs).all(axis=(1, 2))
        self.moves = ~same | (start.poses != end.poses).any(axis=(1, 2))       # (n,) bool
        with np.errstate(all="ignore"):
            self.motions = self._motions()
            self.followed &= ((self.motions.rounding < ROUNDING * LARGEST) & (self.motions.curvature < LARGEST)
                              & (self.motions.speed < LARGEST))

    def _find_rigid(self, same: np.ndarray) -> None:
        """Take poses apart. same: (n,) bool, the mesh did not deform."""
        n = len(same)
        first, last = self.start.poses[:, :, :3], self.end.poses[:, :, :3]
        self._rotation, self._stretch = np.tile(np.eye(3), (n, 1, 1)), np.stack([first, last], axis=1)
        self._axis, self._angle = np.zeros((n, 3)), np.zeros(n)
        self.linear = ~same
        turned = np.flatnonzero(same & self.followed & (first != last).any(axis=(1, 2)))
        if len(turned) == 0:
            return
        r0, s0, certain0 = rotation_and_stretch(np.ascontiguousarray(first[turned]))
        r1, s1, certain1 = rotation_and_stretch(np.ascontiguousarray(last[turned]))
        mirrored = (np.trace(s0, axis1=1, axis2=2) < 0.0) != (np.trace(s1, axis1=1, axis2=2) < 0.0)
        self.linear[turned] = ~(certain0 & certain1) | mirrored
        self._rotation[turned], self._stretch[turned, 0], self._stretch[turned, 1] = r0, s0, s1
        self._axis[turned], self._angle[turned] = turn(r0, r1)

    def _bound_vertices(self) -> None:
        boxes: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        for k in np.flatnonzero(self.followed & np.array([len(each) > 0 for each in self.start.triangles], bool)):
            if self.linear[k]:
                ends = self.world_ends(k)
                box = np.stack([_least(each) for each in ends]), np.stack([-_least(-each) for each in ends])
            else:
                vertices = self.start.vertices[k]
                if id(vertices) not in boxes:
                    boxes[id(vertices)] = _least(vertices), -_least(-vertices)
                box = boxes[id(vertices)]
            self._lows[k], self._highs[k] = box

    def world_ends(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """(v,3) float64 each: the vertices of a linear object in the world, at t = 0 and t = 1."""
        if k not in self._ends:
            with np.errstate(all="ignore"):
                self._ends[k] = _placed(self.start, k), _placed(self.end, k)
        return self._ends[k]

    def _motions(self) -> ObjectMotions:
        """The motions as kernels take them, with bounds over all vertices of each object."""
        corners = np.where(_CORNERS, self._highs[:, :1], self._lows[:, :1])                     # (n,8,3)
        first, last = (np.einsum("nij,nkj->nki", self._stretch[:, end], corners) for end in (0, 1))
        farthest = np.maximum(_longest(first), _longest(last))
        longest = _longest(last - first)
        origin = np.stack([self.start.poses[:, :, 3], self.end.poses[:, :, 3]], axis=1)
        origin[self.linear] = 0.0
        way = np.linalg.norm(origin[:, 1] - origin[:, 0], axis=1)
        curvature = self._angle * (self._angle * farthest + 2.0 * longest) * SLACK
        speed = (way + self._angle * farthest + longest) * SLACK
        most = np.maximum(np.abs(self._lows), np.abs(self._highs)).max(axis=1)                  # (n,3)
        reach = np.einsum("nij,nj->ni", np.abs(self._stretch).max(axis=1), most)
        reach[self.linear] = most[self.linear]
        rounding = ROUNDING * (np.linalg.norm(reach, axis=1) + np.linalg.norm(np.abs(origin).max(axis=1), axis=1))
        curvature[self.linear] = 0.0
        for k in np.flatnonzero(self.linear & self.followed):
            ends = self.world_ends(k)
            speed[k] = np.linalg.norm(ends[1] - ends[0], axis=1).max(initial=0.0) * SLACK
        return ObjectMotions(self.linear.astype(np.uint8), self._rotation, self._axis,
                             np.einsum("nij,nj->ni", self._rotation, self._axis), self._angle,
                             np.ascontiguousarray(self._stretch), origin,
                             np.stack([self.start.poses, self.end.poses], axis=1), curvature, speed, rounding)

    def sizes(self) -> np.ndarray:
        """(n,) float64: about the diameters of the objects."""
        stretched = np.einsum("nij,nj->ni", np.abs(self._stretch[:, 0]), (self._highs - self._lows)[:, 0])
        stretched[self.linear] = (self._highs - self._lows)[self.linear, 0]
        return np.linalg.norm(stretched, axis=1)

    def slices(self) -> np.ndarray:
        """(n,) int64: into how many slices of time, a power of two, trees cut an object's way, so that no vertex
        leaves its line by more than about half a triangle's size."""
        triangles = np.array([max(1, len(each)) for each in self.start.triangles], float)
        fine = np.maximum(self.sizes() / (2.0 * np.sqrt(triangles)), 1e-300)
        with np.errstate(all="ignore"):
            wanted = np.sqrt(0.125 * self.motions.curvature / fine)
        return np.where(wanted > 1.0, 2 ** np.ceil(np.log2(np.clip(wanted, 1.0, MOST_SLICES))), 1.0).astype(np.int64)

    def boxes_at(self, t: float) -> np.ndarray:
        """(n,6) float64, lo x y z hi x y z: boxes that hold the objects at the time t."""
        if t not in (0.0, 1.0):
            return self._boxes_at(t)
        if t not in self._boxes:
            self._boxes[t] = self._boxes_at(t)
        return self._boxes[t]

    def _boxes_at(self, t: float) -> np.ndarray:
        angle = (t * self._angle)[:, None, None]
        cross = np.zeros((len(angle), 3, 3))
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            cross[:, i, j], cross[:, j, i] = -self._axis[:, k], self._axis[:, k]
        turned = np.eye(3) + np.sin(angle) * cross + 2.0 * np.sin(0.5 * angle) ** 2 * (cross @ cross)
        matrix = self._rotation @ turned @ ((1.0 - t) * self._stretch[:, 0] + t * self._stretch[:, 1])
        origin = (1.0 - t) * self.motions.origin[:, 0] + t * self.motions.origin[:, 1]
        low, high = ((1.0 - t) * each[:, 0] + t * each[:, 1] for each in (self._lows, self._highs))
        centre = np.einsum("nij,nj->ni", matrix, 0.5 * (low + high)) + origin
        half = np.einsum("nij,nj->ni", np.abs(matrix), 0.5 * (high - low))
        boxes = np.concatenate([centre - half, centre + half], axis=1)
        boxes[self.linear] = np.concatenate([low, high], axis=1)[self.linear]
        more = 2.0 * self.motions.rounding[:, None]
        boxes[:, :3] -= more
        boxes[:, 3:] += more
        return boxes

    def swept_boxes(self) -> np.ndarray:
        """(n,6) float64: boxes that hold the objects all the while."""
        first, last = self.boxes_at(0.0), self.boxes_at(1.0)
        away = 0.125 * self.motions.curvature[:, None]
        return np.concatenate([np.minimum(first[:, :3], last[:, :3]) - away,
                               np.maximum(first[:, 3:], last[:, 3:]) + away], axis=1)


_CORNERS = np.array([[k & 1, k & 2, k & 4] for k in range(8)], bool)


def _least(points: np.ndarray) -> np.ndarray:
    """(3,): the least coordinates; points: (v,3)."""
    return np.array([np.ascontiguousarray(points[:, x]).min() for x in range(3)])


def _longest(vectors: np.ndarray) -> np.ndarray:
    """(n,): the length of the longest of each row's vectors. vectors: (n,k,3)."""
    return np.sqrt(np.einsum("nki,nki->nk", vectors, vectors)).max(axis=1, initial=0.0)


def _placed(instant: Instant, k: int) -> np.ndarray:
    """(v,3) float64: an object's vertices in the world, by the formula of trees/bvh/refit.py."""
    x, y, z = instant.vertices[k].T
    return np.stack([((m[0] * x + m[1] * y) + m[2] * z) + m[3] for m in instant.poses[k]], axis=1)


def _same_triangles(first: np.ndarray, second: np.ndarray) -> bool:
    return first is second or np.array_equal(first, second)


def _same_vertices(first: np.ndarray, second: np.ndarray) -> bool:
    return first is second or np.array_equal(first, second)
