# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices around which triangles of a mesh stay spread out while it deforms: those share what they have in common
there, and nothing else, at any time.

Nearly all pairs of triangles whose boxes overlap have a vertex in common. Around most vertices one look at all of their
triangles, their *fan*, proves what planes would have to prove of each pair (moving_neighbours.py): seen along a
direction, all of them turn the same way round all the while, and at the start they go around once
(docs/moving-meshes.md).
"""
import math

import numpy as np

from ..geometry.float_bounds import UNIT
from ..machine_code.jit import kernel, unsigned
from ..parallel import run_chunks
from ..records import SweptTrees
from ..run import Run
from .moving_neighbours import LARGEST_SUM, SMALLEST_SUM

TURN_BOUND = 32.0 * UNIT        # of the sizes that a triangle's area along a direction is made of; 22 suffice
MOST_AROUND = 64                # triangles around a vertex: each is held against each
FAN_TRIANGLES_PER_CHUNK = 1 << 14   # at least: a millisecond
CORNER_AFTER, CORNER_BEFORE = 0, 1          # columns about a triangle around a vertex: its corners beside that
# First columns about a triangle of a fan: Bernstein coefficients of its area vector, which is quadratic in time, its
# edges at the start, and a size that the areas are made of.
AREA_AT_START, AREA_BETWEEN, AREA_AT_END, EDGE_AFTER, EDGE_BEFORE, AREA_SIZE = 0, 3, 6, 9, 12, 15
FAN_COLUMNS = 16


def spread_vertices(swept: SweptTrees, objects: np.ndarray, run: Run) -> np.ndarray:
    """(…) bool, a row for each one of swept.before.corners.world: triangles of these objects that have this vertex
    certainly share no more than their common vertices at any time. objects: (k,) int32. Raises Cancelled."""
    before, after = swept.before.corners, swept.after.corners
    spread, vertices, triangles = np.zeros(len(before.world), bool), *swept.counts[:, objects]
    ends, chunks = np.cumsum(triangles), [objects]
    if ends[-1] >= FAN_TRIANGLES_PER_CHUNK:
        chunks = np.split(objects, 1 + np.flatnonzero(np.diff(ends // FAN_TRIANGLES_PER_CHUNK)))
    most_vertices, most = vertices.max(), triangles.max()

    def work(number: int) -> None:
        mark_spread(chunks[number], swept.counts, before, after, np.empty(most_vertices + 2, np.int64),
                    np.empty((3 * most, 2), np.int32), np.empty((MOST_AROUND, FAN_COLUMNS)), spread)

    run_chunks(work, len(chunks), run.threads, lambda done: run.tick())
    return spread


@kernel
def mark_spread(objects, counts, before, after, starts, around, fan, spread):
    """Set `spread` for vertices of some objects, see `spread_vertices`.

    objects: (k,) int32; counts: (2,n) int64, vertices and triangles of each; before, after: Corners; starts:
    (≥ vertices + 2,) int64, around: (≥ 3·triangles,2) int32, fan: (MOST_AROUND,FAN_COLUMNS) float64, scratch.
    """
    for k in range(objects.shape[0]):
        obj = unsigned(objects[k])
        here = before.world_start[obj]
        there = after.world_start[obj]
        _put_around(before.triangles, before.triangle_start[obj], counts[0, obj], counts[1, obj], starts, around)
        for v in range(counts[0, obj]):
            begin = starts[v]
            end = starts[v + 1]
            if 2 <= end - begin <= MOST_AROUND:
                spread[here + v] = _is_spread(v, begin, end, around, before.world, here, after.world, there, fan)


@kernel
def _put_around(triangles, first, vertices, count, starts, around):
    """Order the corners of triangles, `count` rows from `first` on, by vertex: those of vertex v become the rows
    around[starts[v]:starts[v + 1]]."""
    for v in range(vertices + 2):
        starts[v] = 0
    for s in range(count):
        for i in range(3):
            starts[triangles[first + s, i] + 2] += 1
    for v in range(vertices + 1):
        starts[v + 1] += starts[v]
    for s in range(count):
        for i in range(3):
            v = triangles[first + s, i]
            at = starts[v + 1]
            starts[v + 1] += 1
            around[at, CORNER_AFTER] = triangles[first + s, i + 1 if i < 2 else 0]
            around[at, CORNER_BEFORE] = triangles[first + s, i - 1 if i > 0 else 2]


@kernel
def _is_spread(v, begin, end, around, before, here, after, there, fan):
    """True where the triangles around[begin:end] around a vertex are certainly spread out at any time. before, after:
    (…,3) float64, vertices from the rows here and there on."""
    closed, opening, closing = _ends_of(begin, end, around)
    if not closed and opening < 0:
        return False
    x = y = z = 0.0
    for k in range(begin, end):
        _put_triangle(v, np.int64(around[k, CORNER_AFTER]), np.int64(around[k, CORNER_BEFORE]), before, here, after,
                      there, fan, k - begin)
        area = _of_row(fan, k - begin, AREA_BETWEEN)
        largest = _largest(area)
        if not largest > 0.0:
            return False
        scale = 1.0 / largest
        x += scale * area[0]
        y += scale * area[1]
        z += scale * area[2]
    n = x, y, z
    # A direction within the first of them: none of the others may hold it.
    inside = _joined(_zero(), _of_row(fan, 0, EDGE_AFTER), _of_row(fan, 0, EDGE_BEFORE), 1.0)
    for row in range(end - begin):
        size = fan[row, AREA_SIZE]
        for column in (AREA_AT_START, AREA_BETWEEN, AREA_AT_END):
            if not _is_positive(n, _of_row(fan, row, column), size):
                return False
        if row > 0 and not _leaves_out(_of_row(fan, row, EDGE_AFTER), _of_row(fan, row, EDGE_BEFORE), inside, n):
            return False
    if closed:
        return True
    d0 = _opposite(v, begin, end, around, before, here)
    d1 = _opposite(v, begin, end, around, after, there)
    first0 = _edge(before, here, v, opening)
    first1 = _edge(after, there, v, opening)
    last0 = _edge(before, here, v, closing)
    last1 = _edge(after, there, v, closing)
    return (_turns(last0, last1, d0, d1, n) and _turns(d0, d1, first0, first1, n)
            and _leaves_out(last0, d0, inside, n) and _leaves_out(d0, first0, inside, n))


@kernel
def _put_triangle(v, b, c, before, here, after, there, fan, row):
    """Write what is known of the triangle of vertices v, b and c, whose corners go straight, to a row of `fan`."""
    p = _edge(before, here, v, b)
    q = _edge(before, here, v, c)
    u = _edge(after, there, v, b)
    w = _edge(after, there, v, c)
    one = _cross(p, q)
    two = _cross(p, w)
    three = _cross(u, q)
    four = _cross(u, w)
    for x in range(3):
        fan[row, AREA_AT_START + x] = one[x]
        fan[row, AREA_BETWEEN + x] = 0.5 * (two[x] + three[x])
        fan[row, AREA_AT_END + x] = four[x]
        fan[row, EDGE_AFTER + x] = p[x]
        fan[row, EDGE_BEFORE + x] = q[x]
    fan[row, AREA_SIZE] = max(_largest(p), _largest(u)) * max(_largest(q), _largest(w))


@kernel
def _of_row(fan, row, column):
    return fan[row, column], fan[row, column + 1], fan[row, column + 2]


@kernel
def _ends_of(begin, end, around):
    """(closed, first, last): whether each triangle around a vertex has one after it and one before it; else the corner
    that no triangle comes before, and the one that none comes after. (False, -1, -1): there are several of these, or
    two triangles lie beyond the same edge."""
    opening = closing = np.int64(-1)
    gaps = 0
    for k in range(begin, end):
        after = around[k, CORNER_BEFORE]
        before = around[k, CORNER_AFTER]
        is_first = is_last = True
        for other in range(begin, end):
            if other != k and (around[other, CORNER_BEFORE] == after or around[other, CORNER_AFTER] == before):
                return False, -1, -1
            is_last &= around[other, CORNER_AFTER] != after
            is_first &= around[other, CORNER_BEFORE] != before
        if is_first:
            opening = before
            gaps += 1
        if is_last:
            closing = after
    if gaps > 1:
        return False, -1, -1
    return gaps == 0, opening, closing


@kernel
def _opposite(v, begin, end, around, world, start):
    """A direction away from all edges around a vertex."""
    d = _zero()
    for k in range(begin, end):
        p = _edge(world, start, v, np.int64(around[k, CORNER_AFTER]))
        q = _edge(world, start, v, np.int64(around[k, CORNER_BEFORE]))
        d = _joined(d, p, q, -1.0)
    return d


@kernel
def _turns(p0, p1, q0, q1, n):
    """True where p × q, seen along n, is certainly positive while both change evenly."""
    size = max(_largest(p0), _largest(p1)) * max(_largest(q0), _largest(q1))
    one = _cross(p0, q1)
    other = _cross(p1, q0)
    middle = 0.5 * (one[0] + other[0]), 0.5 * (one[1] + other[1]), 0.5 * (one[2] + other[2])
    return (_is_positive(n, _cross(p0, q0), size) and _is_positive(n, middle, size)
            and _is_positive(n, _cross(p1, q1), size))


@kernel
def _leaves_out(p, q, inside, n):
    """True where a direction is certainly not between p and q, which are less than half a turn apart, as seen along n.
    """
    size = _largest(inside)
    return (_is_positive(n, _cross(inside, p), size * _largest(p))
            or _is_positive(n, _cross(q, inside), size * _largest(q)))


@kernel
def _is_positive(n, area, size):
    """True where an area vector, made of numbers of this size, has a certainly positive product with n."""
    x = n[0] * area[0]
    y = n[1] * area[1]
    z = n[2] * area[2]
    whole = (abs(n[0]) + abs(n[1]) + abs(n[2])) * size
    return ((x + y + z > TURN_BOUND * whole) & (size > SMALLEST_SUM) & (whole > SMALLEST_SUM)
            & (size < LARGEST_SUM) & (whole < LARGEST_SUM))


@kernel
def _edge(world, start, v, w):
    """(x, y, z) from vertex v to vertex w of an object whose vertices are the rows from `start` on."""
    v = unsigned(start + v)
    w = unsigned(start + w)
    return world[w, 0] - world[v, 0], world[w, 1] - world[v, 1], world[w, 2] - world[v, 2]


@kernel
def _cross(p, q):
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


@kernel
def _largest(p):
    return max(abs(p[0]), max(abs(p[1]), abs(p[2])))


@kernel
def _zero():
    return 0.0, 0.0, 0.0


@kernel
def _joined(d, p, q, sign):
    """d and the directions of p and q, or against them. No number where one of these is zero."""
    size_p = _largest(p)
    size_q = _largest(q)
    if not ((size_p > 0.0) & (size_q > 0.0)):
        return math.nan, math.nan, math.nan
    a = sign / size_p
    b = sign / size_q
    return d[0] + a * p[0] + b * q[0], d[1] + a * p[1] + b * q[1], d[2] + a * p[2] + b * q[2]
