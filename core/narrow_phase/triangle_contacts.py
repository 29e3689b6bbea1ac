# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates → contacts: the float filter on blocks, then corner points for what meets, exactly where in doubt."""
import math

from ..geometry.triangle_triangle import (
    NO_EXPONENT,
    arrange,
    crossing_contact,
    exact_contact,
    scale_exponent,
    scale_rows,
)
from ..jit import kernel
from .triangle_filter import BLOCK, NONE, UNDECIDED, classify_block

FILTERED, EXACT, RATIONAL = 0, 1, 2     # status: how a contact was decided; RATIONAL is left to the caller


@kernel
def classify(candidates, count, object_a, object_b, triangle_start, triangles, world_start, world, S, block, result,
             tally):
    """Move the candidates that meet, or may meet, to the front; returns their number, result[:number] says which.

    triangles: (…,3) int32 in leaf order, of the object's mesh from triangle_start[object] on; world: (…,3) float64,
    of the object from world_start[object] on. S (ROWS, BLOCK) float64
    and block (BLOCK,) uint8 are scratch. tally: (1,) int64, counts UNDECIDED.
    """
    kept = 0
    undecided = 0
    for first in range(0, count, BLOCK):
        n = min(BLOCK, count - first)
        for k in range(n):
            pair = candidates[first + k, 0]
            a = object_a[pair]
            b = object_b[pair]
            t = triangle_start[a] + candidates[first + k, 1]
            u = triangle_start[b] + candidates[first + k, 2]
            a0 = world_start[a] + triangles[t, 0]
            a1 = world_start[a] + triangles[t, 1]
            a2 = world_start[a] + triangles[t, 2]
            b0 = world_start[b] + triangles[u, 0]
            b1 = world_start[b] + triangles[u, 1]
            b2 = world_start[b] + triangles[u, 2]
            for x in range(3):
                S[x, k] = world[a1, x] - world[a0, x]
                S[3 + x, k] = world[a2, x] - world[a0, x]
                S[6 + x, k] = world[b1, x] - world[b0, x]
                S[9 + x, k] = world[b2, x] - world[b0, x]
                S[12 + x, k] = world[a0, x] - world[b0, x]
        classify_block(S, n, block)
        for k in range(n):
            candidates[kept, 0] = candidates[first + k, 0]
            candidates[kept, 1] = candidates[first + k, 1]
            candidates[kept, 2] = candidates[first + k, 2]
            result[kept] = block[k]
            kept += block[k] != NONE
            undecided += block[k] == UNDECIDED
    tally[0] += undecided
    return kept


@kernel
def locate(candidates, result, count, object_a, object_b, triangle_start, triangles, order, world_start, world,
           P, rows, side, edges, corners, expansion, pair, triangle_a, triangle_b, kind, proper, point, normal, status):
    """Write one contact per pair of triangles that meets; returns their number.

    candidates[:count] and result as `classify` leaves them; order: (…,) int32, triangle in each slot; P (6,3), rows
    (6,) int64, side (6,), edges (3,3), corners (MOST_POINTS,3), expansion (EXPANSION_SIZE,): scratch; the rest are the
    arrays of Contacts, with room for `count` rows. A row with the status RATIONAL holds only its pair and both slots.
    """
    n = 0
    for k in range(count):
        number = candidates[k, 0]
        a = object_a[number]
        b = object_b[number]
        t = triangle_start[a] + candidates[k, 1]
        u = triangle_start[b] + candidates[k, 2]
        for i in range(3):
            for x in range(3):
                P[i, x] = world[world_start[a] + triangles[t, i], x]
                P[3 + i, x] = world[world_start[b] + triangles[u, i], x]
        pair[n] = number
        triangle_a[n] = order[t]
        triangle_b[n] = order[u]
        exponent = scale_exponent(P)
        if exponent == NO_EXPONENT:
            triangle_a[n] = candidates[k, 1]
            triangle_b[n] = candidates[k, 2]
            status[n] = RATIONAL
            n += 1
            continue
        scale_rows(P, exponent)
        _unit_normal(P, normal, n)
        arrange(P)
        if result[k] == UNDECIDED:
            found, through = exact_contact(P, rows, side, edges, corners, expansion)
            status[n] = EXACT
        else:
            found, through = crossing_contact(P, rows, side, edges, corners, expansion)
            status[n] = FILTERED
        if found == 0:
            continue
        kind[n] = min(found, 3)
        proper[n] = through
        first, last = _farthest(corners, found)
        for x in range(3):
            point[n, 0, x] = math.ldexp(corners[first, x], -exponent)
            point[n, 1, x] = math.ldexp(corners[last, x], -exponent)
        n += 1
    return n


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
