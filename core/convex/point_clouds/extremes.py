# SPDX-License-Identifier: GPL-3.0-or-later
"""What a few of its extreme points say about the hull of a cloud: which points are certainly inside, which outside.

The extremes in the directions of a subdivided octahedron span tetrahedra with one point of the cloud. All of these lie
in the hull, so a point inside one of them is no corner of the hull. Nothing of the hull is beyond the extreme point in
one of the directions. Both statements have derived margins, so that they are certain; the rest is left to exact
decisions (docs/methods/hull_points.md).
"""
from collections.abc import Callable
from functools import cache

import numpy as np

from ...machine_code.jit import kernel
from ...parallel import run_chunks

SUBDIVISIONS = 4                # 6, 18, 66 and 258 directions; 8, 32, 128 and 512 tetrahedra
FEW_EXTREME_POINTS = 64         # not worth a look at more directions
INSIDE_NOISE = 2.0 ** -43       # of the cube of the size 1: more than a determinant errs by
HEIGHT_NOISE = 2.0 ** -48       # of the largest coordinate: more than two heights err by
LOCATED_AT_ONCE = 1 << 14       # points
MEASURED_AT_ONCE = 1 << 9       # points whose heights in all directions are looked at in one go: they stay in the cache
OCTANTS = 8
RARE = 4                        # where fewer than a quarter of the points are left, all tetrahedra are tried, not only
                                # those of an octant


@cache
def octahedron(level: int) -> tuple[np.ndarray, np.ndarray]:
    """Directions (n,3), unit up to rounding, and triangles (m,3) between them, of an octahedron whose edges were cut in
    half `level` times. The directions of a lower level come first."""
    if level == 0:
        signs = [(i, 2 + j, 4 + k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        return np.concatenate([[row, -row] for row in np.eye(3)]), np.array(signs)
    corners, triangles = octahedron(level - 1)
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2))
    edges, row = np.unique(edges, axis=0, return_inverse=True)
    middle = corners[edges].sum(axis=1)
    middle /= np.sqrt((middle ** 2).sum(axis=1))[:, None]
    ab, bc, ca = row.reshape(-1, 3).T + len(corners)
    a, b, c = triangles.T
    quarters = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([corners, middle]), np.concatenate([np.stack(quarter, 1) for quarter in quarters])


@cache
def ring(level: int, *flat: bool) -> tuple[np.ndarray, np.ndarray]:
    """The same for clouds that are flat across some of the three axes: directions (n,3) in the plane and pairs (m,2) of
    neighbours, or the two along the line."""
    free = np.flatnonzero(~np.array(flat))
    if len(free) < 2:
        axis = np.eye(3)[free[0] if len(free) else 0]
        return np.stack([axis, -axis]), np.array([[0, 1]])
    count = 8 << 2 * level
    angle = 2.0 * np.pi * np.arange(count) / count
    directions = np.zeros((count, 3))
    directions[:, free[0]], directions[:, free[1]] = np.cos(angle), np.sin(angle)
    return directions, np.stack([np.arange(count), np.roll(np.arange(count), -1)], axis=1)


class Extremes:
    """The extreme points of a cloud.

    corners: (k,) int64, ascending, rows of the points: every corner of the hull is among them, repeated points once or
    more often. extreme: (…,) int64, those that are farthest in one of the directions.
    """

    def __init__(self, points: np.ndarray, threads: int = 1, tick: Callable[[], None] = lambda: None):
        """points: (n,3) float64, n ≥ 1, finite. tick(): called now and then, may raise."""
        self.points = points
        self.centre = _innermost(points)
        tick()
        # Coordinates from the centre, times a power of two that makes the largest about 1.
        with np.errstate(over="ignore"):
            self._first = 0 if np.isfinite(np.abs(points - self.centre).max()) else 2
            largest = np.abs(self._shifted(points)).max()
        self._exponent = int(np.frexp(largest)[1])
        tick()
        local = self.local(points)
        tick()
        self.corners = np.arange(len(points))
        self._planes = np.empty((1, 0, 4, 4))
        self._flat = (points == self.centre).all(axis=0)        # across these axes, exactly
        for level in range(SUBDIVISIONS):
            directions, triangles = ring(level, *self._flat.tolist()) if self._flat.any() else octahedron(level)
            self.extreme, self._heights = _farthest(local, self.corners, directions, tick)
            self._directions = directions
            corners = local[self.extreme[triangles]]
            self._planes = _prisms(corners, self._flat)[None] if self._flat.any() else _by_octant(_tetrahedra(corners))
            if len(self.corners) <= FEW_EXTREME_POINTS:
                break
            inside = self._in_tetrahedra(local[self.corners], threads, tick, len(points))
            inside[np.searchsorted(self.corners, self.extreme)] = False
            self.corners = self.corners[~inside]
        # The cloud's own axes: a thin rotated cloud would leave much undecided across itself.
        own = np.concatenate([np.linalg.eigh(np.cov(local[self.corners].T, bias=True))[1].T, np.eye(3)])
        more, heights = _farthest(local, self.corners, np.concatenate([own, -own]), tick)
        self._directions = np.concatenate([self._directions, own, -own])
        self._heights = np.concatenate([self._heights, heights])
        self.extreme = np.unique(np.concatenate([self.extreme, more]))

    def _shifted(self, points: np.ndarray) -> np.ndarray:
        """Differences from the centre, rounded once; in two steps where they would be too large."""
        return np.ldexp(points, -self._first) - np.ldexp(self.centre, -self._first)

    def local(self, points: np.ndarray) -> np.ndarray:
        """(n,3) float64: the points as seen from the centre, in units of about the size of the cloud."""
        return np.ldexp(self._shifted(points), -self._exponent)

    def certainly_inside(self, points: np.ndarray, threads: int = 1,
                         tick: Callable[[], None] = lambda: None) -> np.ndarray:
        """(n,) bool: points (n,3) inside the hull, and not on its border (of a flat hull: not on its outline). tick():
        may raise."""
        local = self.local(points)
        near = np.abs(local).max(axis=1) <= 1.0         # the hull is; farther away the margins would not do
        near &= (points[:, self._flat] == self.centre[self._flat]).all(axis=1)
        return self._in_tetrahedra(local, threads, tick) & near

    def certainly_outside(self, points: np.ndarray, tick: Callable[[], None] = lambda: None) -> np.ndarray:
        """(n,) bool: points (n,3) neither in the hull nor on its border. tick(): may raise."""
        outside = np.zeros(len(points), bool)
        with np.errstate(over="ignore", invalid="ignore"):
            for first in range(0, len(points), MEASURED_AT_ONCE):
                tick()
                local = self.local(points[first:first + MEASURED_AT_ONCE])
                beyond = (local @ self._directions.T - self._heights).max(axis=1)
                outside[first:first + MEASURED_AT_ONCE] = beyond > HEIGHT_NOISE * (1.0 + np.abs(local).max(axis=1))
        return outside

    def _in_tetrahedra(self, local: np.ndarray, threads: int, tick, most: int | None = None) -> np.ndarray:
        """(n,) bool: local points certainly inside one of the tetrahedra. most: how many points there were at first,
        where these are left of them."""
        inside = self._in_any(self._planes, local, threads, tick)
        rest = np.flatnonzero(~inside)
        if 0 < RARE * len(rest) < (most or len(local)):     # else most lie at the border, where none has them
            inside[rest] = self._in_any(self._planes.reshape(1, -1, 4, 4), local[rest], threads, tick)
        return inside

    @staticmethod
    def _in_any(planes: np.ndarray, local: np.ndarray, threads: int, tick) -> np.ndarray:
        inside = np.zeros(len(local), np.uint8)
        if planes.size:
            step = LOCATED_AT_ONCE
            run_chunks(lambda k: in_tetrahedra(local, k * step, min(len(local), (k + 1) * step), planes, INSIDE_NOISE,
                                               inside), -(-len(local) // step), threads, lambda done: tick())
        return inside.astype(bool)


@kernel
def in_tetrahedra(points, first, last, planes, noise, inside):
    """inside[k] = 1 where point first ≤ k < last is certainly inside one of the tetrahedra of its octant.

    points: (n,3) float64; planes: (8,m,4,4) float64, by octants, or (1,m,4,4) for all: four (a, b, c, d) each, whose
    heights x·a + y·b + z·c + d grow inwards; inside: (n,) uint8 of zeros.
    """
    for k in range(first, last):
        x = points[k, 0]
        y = points[k, 1]
        z = points[k, 2]
        octant = (4 * (x < 0.0) + 2 * (y < 0.0) + (z < 0.0)) & (planes.shape[0] - 1)
        for t in range(planes.shape[1]):
            side = 0
            while side < 4 and (planes[octant, t, side, 0] * x + planes[octant, t, side, 1] * y
                                + planes[octant, t, side, 2] * z + planes[octant, t, side, 3]) > noise:
                side += 1
            if side == 4:
                inside[k] = 1
                break


def _innermost(points: np.ndarray) -> np.ndarray:
    """(3,) a copy of the point closest to the middle of the box around all."""
    columns = [np.ascontiguousarray(points[:, x]) for x in range(3)]
    away = np.zeros(len(points))
    with np.errstate(over="ignore"):
        for column in columns:
            low, high = column.min(), column.max()
            away += np.abs(0.5 * column - (0.25 * low + 0.25 * high))
    return points[int(np.argmin(away))].copy()


def _farthest(local: np.ndarray, rows: np.ndarray, directions: np.ndarray, tick) -> tuple[np.ndarray, np.ndarray]:
    """(directions,) the row that is farthest in each direction, the first where several are; and how far it is."""
    best, at = np.full(len(directions), -np.inf), np.zeros(len(directions), np.int64)
    for first in range(0, len(rows), MEASURED_AT_ONCE):
        tick()
        chunk = rows[first:first + MEASURED_AT_ONCE]
        heights = directions @ local[chunk].T
        top = heights.argmax(axis=1)
        height = heights[np.arange(len(directions)), top]
        higher = height > best
        best[higher], at[higher] = height[higher], chunk[top[higher]]
    return at, best


def _prisms(corners: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """(m,4,4) planes as those of tetrahedra, for triangles of the origin and corners (…,2,3), or for the segment
    between two corners (1,2,3): endless across the axes that are flat."""
    planes = np.zeros((len(corners), 4, 4))
    planes[:, :, 3] = 1.0
    free = np.flatnonzero(~flat)
    if len(free) < 2:
        for axis in free:
            planes[:, 0, axis], planes[:, 0, 3] = 1.0, -corners[:, 1, axis]
            planes[:, 1, axis], planes[:, 1, 3] = -1.0, corners[:, 0, axis]
        return planes[:len(free)]
    a, b = corners[:, 0, free], corners[:, 1, free]
    area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    for side, (start, way) in enumerate(((b, -b), (a, b - a), (0.0 * a, a))):
        planes[:, side, free] = np.stack([-way[:, 1], way[:, 0]], axis=1)
        planes[:, side, 3] = way[:, 1] * start[:, 0] - way[:, 0] * start[:, 1]
    planes[area < 0.0, :3] *= -1.0
    return np.ascontiguousarray(planes[np.abs(area) > INSIDE_NOISE])


def _tetrahedra(corners: np.ndarray) -> np.ndarray:
    """(m,4,4) planes of tetrahedra of the origin and corners (m,3,3). Those without a certain volume hold nothing."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    planes = np.zeros((len(corners), 4, 4))
    planes[:, 0, :3], planes[:, 1, :3], planes[:, 2, :3] = np.cross(b, c), np.cross(c, a), np.cross(a, b)
    planes[:, 3, :3] = -np.cross(b - a, c - a)
    planes[:, 3, 3] = -(planes[:, 3, :3] * a).sum(axis=1)
    volume = (planes[:, 0, :3] * a).sum(axis=1)
    planes[volume < 0.0] *= -1.0
    planes[~(np.abs(volume) > INSIDE_NOISE)] = (0.0, 0.0, 0.0, -1.0)
    return planes


def _by_octant(planes: np.ndarray) -> np.ndarray:
    """(8,m,4,4): in `octahedron`, triangle t lies in octant t mod 8, numbered by the signs of x, y and z. A tetrahedron
    may reach into other octants; points there are not found in it."""
    return np.ascontiguousarray(planes.reshape(-1, OCTANTS, 4, 4).swapaxes(0, 1))
