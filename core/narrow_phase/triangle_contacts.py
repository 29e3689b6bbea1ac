# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates → contacts: the float filter on blocks, then corner points for what meets, exactly where in doubt."""
import math

import numpy as np

from ..geometry.triangle_triangle import (
    NO_EXPONENT,
    add_between,
    arrange,
    exact_contact,
    scale_exponent,
    scale_rows,
)
from ..machine_code.jit import kernel, unsigned
from ..machine_code.prefetch import prefetch
from .triangle_filter import BLOCK, EDGES, KIND, NONE, UNDECIDED, classify_block

THREE_ROWS, SIX_ROWS, NINE_ROWS, TWELVE_ROWS = (unsigned(rows * BLOCK) for rows in (3, 6, 9, 12))
FILTERED, EXACT, RATIONAL = 0, 1, 2     # status: how a contact was found; RATIONAL is left to the caller


@kernel
def classify(candidates, count, object_a, object_b, triangle_start, triangles, world_start, world, at, S, block,
             result, tally):
    """Move the candidates that meet, or may meet, to the front; returns their number, result[:number] says which.

    triangles: (…,3) int32 in leaf order, of the object's mesh from triangle_start[object] on; world: (…,3) float64,
    of the object from world_start[object] on. at (BLOCK, 6) int64, S (ROWS · BLOCK,) float64 and block
    (BLOCK,) uint8 are scratch. tally: (1,) int64, counts UNDECIDED.
    """
    kept = 0
    undecided = 0
    for first in range(0, count, BLOCK):
        n = min(BLOCK, count - first)
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
                at[k, c] = v
                at[k, 3 + c] = w
                prefetch(world, 3 * v)
                prefetch(world, 3 * w)
        for k in range(unsigned(n)):
            a0 = unsigned(at[k, 0])
            a1 = unsigned(at[k, 1])
            a2 = unsigned(at[k, 2])
            b0 = unsigned(at[k, 3])
            b1 = unsigned(at[k, 4])
            b2 = unsigned(at[k, 5])
            for x in range(3):
                column = unsigned(x * BLOCK) + k
                p = world[a0, x]
                r = world[b0, x]
                S[column] = world[a1, x] - p
                S[column + THREE_ROWS] = world[a2, x] - p
                S[column + SIX_ROWS] = world[b1, x] - r
                S[column + NINE_ROWS] = world[b2, x] - r
                S[column + TWELVE_ROWS] = p - r
        classify_block(S, n, block)
        for k in range(unsigned(n)):
            row = unsigned(first) + k
            to = unsigned(kept)
            candidates[to, 0] = candidates[row, 0]
            candidates[to, 1] = candidates[row, 1]
            candidates[to, 2] = candidates[row, 2]
            kind = block[k] & KIND
            result[to] = kind
            kept += kind != NONE
            undecided += kind == UNDECIDED
    tally[0] += undecided
    return kept


@kernel
def locate(hits, rows, first, last, object_a, object_b, triangle_start, triangles, order, world_start, world,
           C, S, block, spans, side, edges, corners, expansion, pair, triangle_a, triangle_b, kind, proper,
           point, normal, status):
    """Contact k of first … last-1 from hits[rows[k]]; the kind is 0 where the triangles do not meet.

    hits: (n,3) int32 rows of pair, slot of a, slot of b; rows: (n,) int32; order: (…,) int32, triangle in each slot;
    C (BLOCK,6,3), S (ROWS · BLOCK,), block (BLOCK,) uint8, spans (6,) int64, side (6,), edges (3,3), corners
    (MOST_POINTS,3), expansion (EXPANSION_SIZE,): scratch; the rest are arrays of Contacts. Of a row with the status
    RATIONAL only its pair and triangles are written.
    """
    for start in range(first, last, BLOCK):
        n = min(BLOCK, last - start)
        _look_ahead(start, n, hits, rows, object_a, object_b, triangle_start, triangles, order, world_start, world)
        for k in range(unsigned(n)):
            to = unsigned(start) + k
            hit = unsigned(rows[to])
            number = unsigned(hits[hit, 0])
            a = unsigned(object_a[number])
            b = unsigned(object_b[number])
            t = unsigned(triangle_start[a] + hits[hit, 1])
            u = unsigned(triangle_start[b] + hits[hit, 2])
            pair[to] = hits[hit, 0]
            triangle_a[to] = order[t]
            triangle_b[to] = order[u]
            P = C[k]
            _load(P, triangles, t, u, world, world_start[a], world_start[b])
            _unit_normal(P, normal, to)
            arrange(P)
            for x in range(3):
                column = unsigned(x * BLOCK) + k
                S[column] = P[1, x] - P[0, x]
                S[column + THREE_ROWS] = P[2, x] - P[0, x]
                S[column + SIX_ROWS] = P[4, x] - P[3, x]
                S[column + NINE_ROWS] = P[5, x] - P[3, x]
                S[column + TWELVE_ROWS] = P[0, x] - P[3, x]
        classify_block(S, n, block)
        for k in range(n):
            kind[start + k] = 2
            proper[start + k] = True
            status[start + k] = FILTERED
            if block[k] >> EDGES:
                _end_points(C[k], block[k] >> EDGES, S, k, point[start + k])
            else:
                _locate_exactly(C[k], spans, side, edges, corners, expansion, start + k, kind, proper, point, normal,
                                status)


@kernel
def _end_points(P, ends, S, k, point):
    """Both ends of the segment that two triangles share, from the edges that they lie on and the heights in S."""
    n = 0
    for edge in range(6):
        if ends & (1 << edge):
            i = edge // 3 * 3 + (edge % 3 == 2)
            j = edge // 3 * 3 + 1 + (edge % 3 > 0)
            n = add_between(P, i, j, S[i * BLOCK + k], S[j * BLOCK + k], point, n)


@kernel
def _locate_exactly(P, spans, side, edges, corners, expansion, k, kind, proper, point, normal, status):
    """One contact by exact signs, or status RATIONAL. P: both triangles, arranged; overwritten."""
    exponent = scale_exponent(P)
    if exponent == NO_EXPONENT:
        kind[k] = 0
        status[k] = RATIONAL
        return
    scale_rows(P, exponent)
    found, through = exact_contact(P, spans, side, edges, corners, expansion)
    status[k] = EXACT
    kind[k] = min(found, 3)
    proper[k] = through
    if found > 0:
        one, other = _farthest(corners, found)
        for x in range(3):
            point[k, 0, x] = math.ldexp(corners[one, x], -exponent)
            point[k, 1, x] = math.ldexp(corners[other, x], -exponent)


@kernel
def _look_ahead(start, n, hits, rows, object_a, object_b, triangle_start, triangles, order, world_start, world):
    """Fetch what `locate` will read: in the order of triangles' numbers it lies all over memory. Each turn asks for
    what the next one needs to know."""
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
                prefetch(order, t)
                prefetch(order, u)
            else:
                for c in range(3):
                    prefetch(world, 3 * (world_start[a] + triangles[unsigned(t), c]))
                    prefetch(world, 3 * (world_start[b] + triangles[unsigned(u), c]))


@kernel
def _load(P, triangles, t, u, world, start_a, start_b):
    """Corners of triangle t to the rows 0 … 2 of P, of u to 3 … 5."""
    for i in range(3):
        v = unsigned(start_a + triangles[t, i])
        w = unsigned(start_b + triangles[u, i])
        for x in range(3):
            P[i, x] = world[v, x]
            P[3 + i, x] = world[w, x]


@kernel
def _farthest(corners, n):
    """The two of the first n corners that are farthest apart."""
    first = 0
    last = n - 1
    best = -1.0
    for i in range(n):
        for j in range(i + 1, n):
            square = ((corners[i, 0] - corners[j, 0]) ** 2 + (corners[i, 1] - corners[j, 1]) ** 2
                      + (corners[i, 2] - corners[j, 2]) ** 2)
            if square > best:
                best = square
                first = i
                last = j
    return first, last


@kernel
def _unit_normal(P, normal, n):
    """normal[n] = unit normal of the triangle in rows 3 … 5, zero where it has no area."""
    size = 0.0
    for x in range(3):
        size = max(size, max(abs(P[4, x] - P[3, x]), abs(P[5, x] - P[3, x])))
    inverse = 1.0 / size if size > 0.0 else 0.0
    rx = (P[4, 0] - P[3, 0]) * inverse
    ry = (P[4, 1] - P[3, 1]) * inverse
    rz = (P[4, 2] - P[3, 2]) * inverse
    sx = (P[5, 0] - P[3, 0]) * inverse
    sy = (P[5, 1] - P[3, 1]) * inverse
    sz = (P[5, 2] - P[3, 2]) * inverse
    nx = ry * sz - rz * sy
    ny = rz * sx - rx * sz
    nz = rx * sy - ry * sx
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    inverse = 1.0 / length if length > 0.0 else 0.0
    normal[n, 0] = nx * inverse
    normal[n, 1] = ny * inverse
    normal[n, 2] = nz * inverse
