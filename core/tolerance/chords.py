# SPDX-License-Identifier: GPL-3.0-or-later
"""Chords of a mesh: from the middles of its largest triangles along their normals to where they meet it again."""
import math

import numpy as np

from ..arrays import unit_rows
from ..depth.point_triangle import to_triangle
from ..machine_code.jit import kernel
from ..records import TriangleShapes

CHORDS = 4              # per component, from its largest triangles
STEPS_TO_INSIDE = 3     # from the middle of the longest chord of either side to where the solid is thicker
MIDDLES = 2 * (2 * CHORDS + STEPS_TO_INSIDE)     # per component, at most
NO_STEP = 1e-9          # of the component's size: a point nearer to a triangle than that is on it
NO_TRIANGLE = -1


def middles_of_chords(vertices: np.ndarray, triangles: np.ndarray, component: np.ndarray, count: int) -> np.ndarray:
    """(k,3) float64: points inside a closed mesh, and some that are not.

    A chord begins in the middle of a triangle and goes on, along the triangle's normal and the other way, to where it
    meets the component again, and to where it meets any triangle. The middle of a chord may be near a side of the
    solid, or on a face inside of it. So from the longest ones further chords are followed, each from the nearest
    triangle on.

    vertices: (n,3) float64; triangles: (m,3) int32; component: (m,) of each triangle, from 0 to count - 1.
    """
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    order = np.lexsort((-np.linalg.norm(normals, axis=1), component))
    start = np.searchsorted(component[order], np.arange(count + 1))
    shapes = TriangleShapes(vertices, triangles, unit_rows(normals), corners.mean(axis=1), corners.min(axis=1),
                            corners.max(axis=1))
    points = np.empty((MIDDLES * count, 3))
    found = find_middles(order, start, shapes, np.empty(len(triangles), np.int64), np.empty(3, np.int64),
                         np.empty((5, 3)), points)
    return points[:found].copy()


@kernel
def find_middles(order, start, shapes, near, rows, memory, points):
    """Write points[:n], (…,3) float64; returns n.

    order: (m,) int64, the triangles by component, the largest ones of each first; start: (components+1,) int64, where
    each begins; shapes: TriangleShapes; near: (m,) int64, rows: (3,) int64, memory: (5,3) float64, scratch.
    """
    count = 0
    for component in range(start.shape[0] - 1):
        mine = order[start[component]:start[component + 1]]
        reach = _reaching(mine, shapes, memory, near)
        for turn in range(1, -2, -2):
            length, count = _from_triangles(mine, near[:reach], turn, shapes, memory, points, count)
            if length > 0.0:
                count = _steps_inward(near[:reach], shapes, rows, memory, points, count)
    return count


@kernel
def _reaching(mine, shapes, memory, near):
    """Write near[:n], the triangles that reach into the box of some, ascending; returns n."""
    low = memory[3]
    high = memory[4]
    _box_of(mine, shapes, low, high)
    count = 0
    for t in range(shapes.triangles.shape[0]):
        if (shapes.low[t, 0] <= high[0] and shapes.low[t, 1] <= high[1] and shapes.low[t, 2] <= high[2]
                and shapes.high[t, 0] >= low[0] and shapes.high[t, 1] >= low[1] and shapes.high[t, 2] >= low[2]):
            near[count] = t
            count += 1
    return count


@kernel
def _box_of(some, shapes, low, high):
    """low, high: (3,) float64, the box of some triangles."""
    for x in range(3):
        low[x] = math.inf
        high[x] = -math.inf
        for k in range(some.shape[0]):
            low[x] = min(low[x], shapes.low[some[k], x])
            high[x] = max(high[x], shapes.high[some[k], x])


@kernel
def _from_triangles(mine, near, turn, shapes, memory, points, count):
    """Chords from the first ones of a component's triangles. Returns (longest, points so far); of the longest one, the
    middle is left in memory[2]. mine: its triangles; near: all that reach into its box; turn: 1, -1 the other way."""
    origin = memory[0]
    direction = memory[1]
    longest = 0.0
    for k in range(min(CHORDS, mine.shape[0])):
        for x in range(3):
            origin[x] = shapes.middles[mine[k], x]
            direction[x] = turn * shapes.normals[mine[k], x]
        to_any = first_hit(origin, direction, shapes.vertices, shapes.triangles, near, mine[k], -1.0)
        to_own = to_any
        if near.shape[0] != mine.shape[0]:
            to_own = first_hit(origin, direction, shapes.vertices, shapes.triangles, mine, mine[k], -1.0)
        if to_any < math.inf:
            _middle(origin, direction, to_any, points[count])
            if to_any > longest:
                longest = to_any
                _middle(origin, direction, to_any, memory[2])
            count += 1
        if to_any < to_own < math.inf:
            _middle(origin, direction, to_own, points[count])
            count += 1
    return longest, count


@kernel
def _middle(origin, direction, length, found):
    """found = the middle of what is so long from an origin on."""
    for x in range(3):
        found[x] = origin[x] + 0.5 * length * direction[x]


@kernel
def _steps_inward(near, shapes, rows, memory, points, count):
    """Up to STEPS_TO_INSIDE points, each the middle of the chord through the one before along the nearest triangle's
    normal, from that triangle to the next one. The first one before is memory[2]. Returns the points so far."""
    direction = memory[1]
    point = memory[2]
    _box_of(near, shapes, memory[3], memory[4])
    size = 0.0
    for x in range(3):
        size = max(size, memory[4, x] - memory[3, x])
    unit = math.ldexp(1.0, -math.frexp(size)[1])
    for _ in range(STEPS_TO_INSIDE):
        nearest = nearest_triangle(point, shapes.vertices, shapes.triangles, near, unit, rows)
        height = 0.0
        for x in range(3):
            height += shapes.normals[nearest, x] * (point[x] - shapes.vertices[shapes.triangles[nearest, 0], x])
        is_on = abs(height) <= NO_STEP * size
        longest = 0.0
        way = 0
        for turn in range(1, -2, -2):
            if is_on or turn * height > 0.0:
                for x in range(3):
                    direction[x] = turn * shapes.normals[nearest, x]
                length = first_hit(point, direction, shapes.vertices, shapes.triangles, near, np.int64(NO_TRIANGLE),
                                   NO_STEP * size)
                if longest < length < math.inf:
                    longest = length
                    way = turn
        if longest <= abs(height):
            break
        for x in range(3):
            point[x] += 0.5 * (longest - abs(height)) * way * shapes.normals[nearest, x]
            points[count, x] = point[x]
        count += 1
    return count


@kernel
def first_hit(origin, direction, vertices, triangles, among, skipped, flat):
    """How far a ray goes before it meets one of some triangles; infinity where it meets none.

    origin, direction: (3,) float64, the direction a unit vector; among: (k,) int64 triangles; skipped: a triangle that
    does not count, NO_TRIANGLE: none; nor do those that are nowhere farther than `flat`, along the ray, from its
    origin.
    """
    best = math.inf
    dx = direction[0]
    dy = direction[1]
    dz = direction[2]
    for k in range(among.shape[0]):
        slot = among[k]
        if slot == skipped:
            continue
        i = triangles[slot, 0]
        j = triangles[slot, 1]
        m = triangles[slot, 2]
        px = vertices[i, 0] - origin[0]
        py = vertices[i, 1] - origin[1]
        pz = vertices[i, 2] - origin[2]
        qx = vertices[j, 0] - origin[0]
        qy = vertices[j, 1] - origin[1]
        qz = vertices[j, 2] - origin[2]
        rx = vertices[m, 0] - origin[0]
        ry = vertices[m, 1] - origin[1]
        rz = vertices[m, 2] - origin[2]
        if max(abs(px * dx + py * dy + pz * dz),
               max(abs(qx * dx + qy * dy + qz * dz), abs(rx * dx + ry * dy + rz * dz))) <= flat:
            continue
        # Corner p and the edges u, v; the ray meets p + s u + t v.
        ux = qx - px
        uy = qy - py
        uz = qz - pz
        vx = rx - px
        vy = ry - py
        vz = rz - pz
        ax = dy * vz - dz * vy
        ay = dz * vx - dx * vz
        az = dx * vy - dy * vx
        determinant = ux * ax + uy * ay + uz * az
        if determinant == 0.0:              # a flat triangle, or one along the ray, is not met
            continue
        s = -(px * ax + py * ay + pz * az) / determinant
        if not 0.0 <= s <= 1.0:
            continue
        bx = pz * uy - py * uz
        by = px * uz - pz * ux
        bz = py * ux - px * uy
        t = (bx * dx + by * dy + bz * dz) / determinant
        if t < 0.0 or s + t > 1.0:
            continue
        length = (vx * bx + vy * by + vz * bz) / determinant
        if 0.0 < length < best:
            best = length
    return best


@kernel
def nearest_triangle(point, vertices, triangles, among, unit, rows):
    """The one of some triangles that is nearest to a point (3,). among: (k,) int64 triangles, k ≥ 1; unit: a power of
    two, by which lengths are multiplied; rows: (3,) int64, memory."""
    square = math.inf
    best = among[0]
    for k in range(among.shape[0]):
        for c in range(3):
            rows[c] = triangles[among[k], c]
        other, _, _, _ = to_triangle(point, vertices, rows, unit, square)
        if other < square:
            square = other
            best = among[k]
    return best
