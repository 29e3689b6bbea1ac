# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates → contacts: the float filter on blocks, then the end points of what meets, exactly where in doubt."""
import math

import numpy as np

from ..contacts import AREA, EXACT, FILTERED, POINT, SEGMENT
from ..geometry.axis_planes import ALL_CORNERS, APART, NOT_SEEN, SECOND, corners_that_meet
from ..geometry.between import add_between
from ..geometry.corner_order import arranged
from ..geometry.parted import COLUMNS, PARTED_ROWS, parted_by, whole_lanes
from ..geometry.squares import squared
from ..geometry.triangle_triangle import (
    NO_EXPONENT,
    contact_of_corners,
    exact_contact,
    scale_exponent,
    scale_rows,
)
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel, unsigned
from ..machine_code.prefetch import prefetch
from .triangle_filter import BLOCK, DISJOINT, EDGES, KIND, classify_block

THREE_ROWS, SIX_ROWS, NINE_ROWS, TWELVE_ROWS = (unsigned(rows * BLOCK) for rows in (3, 6, 9, 12))


@kernel
def classify(candidates, count, object_a, object_b, corners, scratch, result, undecided):
    """Move the candidates that meet, or may meet, to the front. Returns their number; result[:number] says which.

    candidates: (…,3) int32, rows of pair, slot of a, slot of b; object_a, object_b: (pairs,) int32, objects of
    `corners`, Corners; scratch: FilterScratch; result: (…,) uint8, PROPER or UNDECIDED; undecided: (1,) int64, counts
    those.
    """
    answer = scratch.answer
    kept = 0
    left = 0
    for first in range(0, count, BLOCK):
        n = min(BLOCK, count - first)
        _find_vertices(candidates, first, n, object_a, object_b, corners, scratch.vertices)
        _fill_columns(scratch.vertices, n, corners.world, scratch.columns)
        classify_block(scratch.columns, n, answer)
        for k in range(unsigned(n)):
            row = unsigned(first) + k
            to = unsigned(kept)
            candidates[to, 0] = candidates[row, 0]
            candidates[to, 1] = candidates[row, 1]
            candidates[to, 2] = candidates[row, 2]
            kind = answer[k] & KIND
            result[to] = kind
            kept += kind != DISJOINT
            left += kind == UNDECIDED
    undecided[0] += left
    return kept


@kernel
def _find_vertices(candidates, first, n, object_a, object_b, corners, vertices):
    """vertices[k] (6,) = rows of corners.world, of the triangles of candidate first + k, for k < n. Fetches them."""
    triangle_start = corners.triangle_start
    triangles = corners.triangles
    world_start = corners.world_start
    world = corners.world
    # Signed indices are tested for being negative: without that, gathering takes little more than half the time.
    for k in range(unsigned(n)):
        row = unsigned(first) + k
        pair = unsigned(candidates[row, 0])
        a = unsigned(object_a[pair])
        b = unsigned(object_b[pair])
        t = unsigned(triangle_start[a] + candidates[row, 1])
        u = unsigned(triangle_start[b] + candidates[row, 2])
        for c in range(3):
            v = world_start[a] + triangles[t, c]
            w = world_start[b] + triangles[u, c]
            vertices[k, c] = v
            vertices[k, 3 + c] = w
            prefetch(world, 3 * v)
            prefetch(world, 3 * w)


@kernel
def _fill_columns(vertices, n, world, columns):
    """Columns 0 … n-1 as `classify_block` takes them. vertices: (BLOCK,6), rows of world (…,3)."""
    for k in range(unsigned(n)):
        a0 = unsigned(vertices[k, 0])
        a1 = unsigned(vertices[k, 1])
        a2 = unsigned(vertices[k, 2])
        b0 = unsigned(vertices[k, 3])
        b1 = unsigned(vertices[k, 4])
        b2 = unsigned(vertices[k, 5])
        for x in range(3):
            column = unsigned(x * BLOCK) + k
            p = world[a0, x]
            r = world[b0, x]
            columns[column] = world[a1, x] - p
            columns[column + THREE_ROWS] = world[a2, x] - p
            columns[column + SIX_ROWS] = world[b1, x] - r
            columns[column + NINE_ROWS] = world[b2, x] - r
            columns[column + TWELVE_ROWS] = p - r


@kernel
def locate(hits, rows, first, last, object_a, object_b, corners, scratch, found):
    """Write the contacts first … last-1 of `found`: contact k is that of hits[rows[k]]. Its kind is 0 where the
    triangles do not meet.

    hits: (n,3) int32, rows of pair, slot of a, slot of b; rows: (n,) int32; object_a, object_b, corners: as in
    `classify`; scratch: ContactScratch; found: ContactColumns. The status is FILTERED, EXACT or UNDECIDED. A contact
    that is UNDECIDED has only its pair and triangles.
    """
    columns = scratch.filter.columns
    answer = scratch.filter.answer
    places = scratch.filter.vertices        # column 0: which contact of the block a column of the filter belongs to
    for start in range(first, last, BLOCK):
        n = min(BLOCK, last - start)
        _look_ahead(start, n, hits, rows, object_a, object_b, corners)
        filtered = 0
        for k in range(unsigned(n)):
            to = unsigned(start) + k
            hit = unsigned(rows[to])
            number = unsigned(hits[hit, 0])
            a = unsigned(object_a[number])
            b = unsigned(object_b[number])
            t = unsigned(corners.triangle_start[a] + hits[hit, 1])
            u = unsigned(corners.triangle_start[b] + hits[hit, 2])
            found.pair[to] = hits[hit, 0]
            found.triangle_a[to] = corners.order[t]
            found.triangle_b[to] = corners.order[u]
            vertices = scratch.exact.rows
            for i in range(3):
                vertices[i] = corners.world_start[a] + corners.triangles[t, i]
                vertices[3 + i] = corners.world_start[b] + corners.triangles[u, i]
            _unit_normal(corners.world, vertices, found.normal, to)
            P = scratch.corners[k]
            arranged(corners.world, vertices, P)
            bits = corners_that_meet(P)
            if bits == NOT_SEEN:
                _fill_column(P, columns, unsigned(filtered))
                places[filtered, 0] = k
                filtered += 1
            else:
                _locate_in_plane(P, bits, scratch.exact, start + np.int64(k), found)
        classify_block(columns, filtered, answer)
        left = 0
        for c in range(filtered):
            k = places[c, 0]
            if answer[c] >> EDGES:
                found.kind[start + k] = SEGMENT
                found.proper[start + k] = True
                found.status[start + k] = FILTERED
                _end_points(scratch.corners[k], answer[c] >> EDGES, columns, c, found.point[start + k])
            else:
                places[left, 0] = k
                left += 1
        for first in range(0, left, COLUMNS):
            _locate_left(places, first, min(left, first + COLUMNS), start, scratch, found)


@kernel
def _fill_column(P, columns, k):
    """Column k as `classify_block` takes it, of the two triangles in P (6,3)."""
    for x in range(3):
        column = unsigned(x * BLOCK) + k
        columns[column] = P[1, x] - P[0, x]
        columns[column + THREE_ROWS] = P[2, x] - P[0, x]
        columns[column + SIX_ROWS] = P[4, x] - P[3, x]
        columns[column + NINE_ROWS] = P[5, x] - P[3, x]
        columns[column + TWELVE_ROWS] = P[0, x] - P[3, x]


@kernel
def _locate_in_plane(P, bits, scratch, k, found):
    """Write contact k of two triangles that a plane across an axis parts but for the corners that `bits` say. The
    filter would leave them all."""
    found.proper[k] = False
    found.status[k] = EXACT
    if bits == APART:
        found.kind[k] = 0
    elif scale_exponent(P) == NO_EXPONENT:      # comparisons say where they meet, but floats not the normal
        found.kind[k] = 0
        found.status[k] = UNDECIDED
    elif bits & (bits - 1) & ALL_CORNERS == 0 and (bits >> SECOND) & ((bits >> SECOND) - 1) == 0:
        corner = (bits & ALL_CORNERS) >> 1
        found.kind[k] = POINT
        for x in range(3):
            found.point[k, 0, x] = P[corner, x]
            found.point[k, 1, x] = P[corner, x]
    else:
        _locate_exactly(P, bits, scratch, k, found)


@kernel
def _end_points(P, ends, columns, k, point):
    """Write both ends of the segment that two triangles share. ends: bits of the edges that they lie on; columns: as
    `classify_block` leaves them, with heights in column k."""
    n = 0
    for edge in range(6):
        if ends & (1 << edge):
            i = edge // 3 * 3 + (edge % 3 == 2)
            j = edge // 3 * 3 + 1 + (edge % 3 > 0)
            n = add_between(P, i, j, columns[i * BLOCK + k], columns[j * BLOCK + k], point, n)


@kernel
def _locate_exactly(P, bits, scratch, k, found):
    """Write contact k by exact signs, or that it is UNDECIDED. P: both triangles, arranged; overwritten. bits: what
    `corners_that_meet` says of them."""
    exponent = scale_exponent(P)
    if exponent == NO_EXPONENT:
        found.kind[k] = 0
        found.status[k] = UNDECIDED
        return
    scale_rows(P, exponent)
    number = NOT_SEEN
    proper = False
    if bits != NOT_SEEN:
        number = contact_of_corners(P, bits, scratch.rows, scratch.side, scratch.edges, scratch.points,
                                    scratch.expansion)
    if number == NOT_SEEN:
        number, proper = exact_contact(P, scratch.rows, scratch.side, scratch.edges, scratch.points, scratch.expansion)
    found.status[k] = EXACT
    found.kind[k] = min(number, AREA)
    found.proper[k] = proper
    if number > 0:
        one, other = _farthest(scratch.points, number)
        for x in range(3):
            found.point[k, 0, x] = math.ldexp(scratch.points[one, x], -exponent)
            found.point[k, 1, x] = math.ldexp(scratch.points[other, x], -exponent)


@kernel
def _locate_left(places, first, last, start, scratch, found):
    """Write those contacts that floats leave open, at most COLUMNS of them: contact start + k of the triangles
    in scratch.corners[k], with k = places[i, 0] for i from first to last - 1. Most flush triangles that rounding has
    parted a plane tells apart, many at a time; exact signs decide the others."""
    columns = scratch.parted
    for i in range(first, last):
        P = scratch.corners[places[i, 0]]
        for r in range(PARTED_ROWS):
            columns[r * COLUMNS + i - first] = P[r // 3, r % 3]
    parted_by(columns, whole_lanes(last - first), scratch.lower)
    for i in range(first, last):
        k = places[i, 0]
        if scratch.lower[i - first] > 0.0:
            found.kind[start + k] = 0
            found.proper[start + k] = False
            found.status[start + k] = EXACT
        else:
            _locate_exactly(scratch.corners[k], NOT_SEEN, scratch.exact, start + k, found)


@kernel
def close_up(found):
    """Move the contacts of triangles that meet to the front, in their order; returns how many they are. found:
    ContactColumns."""
    to = unsigned(0)
    for k in range(unsigned(found.kind.shape[0])):
        if found.kind[k] == 0:
            continue
        if to < k:
            found.pair[to] = found.pair[k]
            found.triangle_a[to] = found.triangle_a[k]
            found.triangle_b[to] = found.triangle_b[k]
            found.kind[to] = found.kind[k]
            found.proper[to] = found.proper[k]
            found.status[to] = found.status[k]
            for x in range(3):
                found.point[to, 0, x] = found.point[k, 0, x]
                found.point[to, 1, x] = found.point[k, 1, x]
                found.normal[to, x] = found.normal[k, x]
        to += unsigned(1)
    return to


@kernel
def _look_ahead(start, n, hits, rows, object_a, object_b, corners):
    """Fetch what `locate` will read: in the order of triangles' numbers it lies all over memory. Each turn asks for
    what the next one needs to know."""
    triangle_start = corners.triangle_start
    triangles = corners.triangles
    world_start = corners.world_start
    world = corners.world
    for k in range(start, start + n):
        prefetch(hits, 3 * np.int64(rows[k]))
    for turn in range(2):
        for k in range(unsigned(n)):
            hit = unsigned(rows[unsigned(start) + k])
            number = unsigned(hits[hit, 0])
            a = unsigned(object_a[number])
            b = unsigned(object_b[number])
            t = triangle_start[a] + hits[hit, 1]
            u = triangle_start[b] + hits[hit, 2]
            if turn == 0:
                prefetch(triangles, 3 * t)
                prefetch(triangles, 3 * u)
                prefetch(corners.order, t)
                prefetch(corners.order, u)
            else:
                for c in range(3):
                    prefetch(world, 3 * (world_start[a] + triangles[unsigned(t), c]))
                    prefetch(world, 3 * (world_start[b] + triangles[unsigned(u), c]))


@kernel
def _farthest(corners, n):
    """The two of the first n corners, by row, that are farthest apart."""
    first = 0
    last = n - 1
    best = -1.0
    for i in range(n):
        for j in range(i + 1, n):
            square = (squared(corners[i, 0] - corners[j, 0]) + squared(corners[i, 1] - corners[j, 1])
                      + squared(corners[i, 2] - corners[j, 2]))
            if square > best:
                best = square
                first = i
                last = j
    return first, last


@kernel
def _unit_normal(world, vertices, normal, n):
    """normal[n] = unit normal of the triangle of the rows vertices[3:6] of world, zero where it has no area."""
    p = unsigned(vertices[3])
    q = unsigned(vertices[4])
    v = unsigned(vertices[5])
    rx = world[q, 0] - world[p, 0]
    ry = world[q, 1] - world[p, 1]
    rz = world[q, 2] - world[p, 2]
    sx = world[v, 0] - world[p, 0]
    sy = world[v, 1] - world[p, 1]
    sz = world[v, 2] - world[p, 2]
    size = max(max(max(abs(rx), abs(ry)), max(abs(rz), abs(sx))), max(abs(sy), abs(sz)))
    inverse = 1.0 / size if size > 0.0 else 0.0
    rx *= inverse
    ry *= inverse
    rz *= inverse
    sx *= inverse
    sy *= inverse
    sz *= inverse
    nx = ry * sz - rz * sy
    ny = rz * sx - rx * sz
    nz = rx * sy - ry * sx
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    inverse = 1.0 / length if length > 0.0 else 0.0
    normal[n, 0] = nx * inverse
    normal[n, 1] = ny * inverse
    normal[n, 2] = nz * inverse
