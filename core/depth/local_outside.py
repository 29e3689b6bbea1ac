# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of a triangle with a point outside the solid: what contacts leave out, and cuts along contacts.

What a triangle shares with the solid's surface are its contacts, and triangles in its own plane. A piece that none of
them passes through is outside as a whole, as one of its points is. A piece that some pass through is cut along one, or
along a side of such a triangle, until its parts are on one side.
"""
import math

import numpy as np

from ..contacts import AREA
from ..machine_code.jit import kernel, unsigned
from .features import DEPTH_MARGIN, LEEWAY, LENGTH_UNIT
from .items import CUTS, SIDE
from .local_parts import END_DOUBTS
from .local_pieces import TRIANGLE, add_corner, add_piece
from .local_triangles import CORNERS, LOCAL_STRIDE, NORMAL, OUTER_POINT
from .pieces import too_shallow

PASSES_BESIDE = 2.0 ** -38  # twice what the end of a contact may err along an edge, which has roundings besides
SHRUNK = 2.0                # times as much is a piece smaller that such a contact leaves alone
CLEARLY_FARTHER = 1.25      # than reach, a point of a piece is from the surface: more than either is rounded


@kernel
def cut_at_contact(item, bound, contacts, items, local, scratch):
    """True where a piece was cut along the contact that parts it most evenly; False where none passes through it."""
    side = np.int64(items.kind[item, SIDE])
    k = np.int64(items.kind[item, TRIANGLE])
    corner = items.features[item]
    best = -1.0
    chosen = np.int64(-1)
    line = 0
    look_across_edges(side, k, corner, local)
    for row in range(local.first[side, k], local.first[side, k + 1]):
        contact = local.listed[side, row]
        for each in range(3 if contacts.kind[contact] == AREA else 1):
            evenness = passes_through(side, k, contact, each, corner, contacts, local, scratch)
            if evenness > best:
                best = evenness
                chosen = contact
                line = each
    if chosen < 0:
        return False
    passes_through(side, k, chosen, line, corner, contacts, local, scratch)
    cut_along(side, k, bound, np.int64(items.kind[item, CUTS]) + 1, np.int64(corner[0]), np.int64(corner[1]),
              np.int64(corner[2]), items, local, scratch)
    return True


@kernel
def leave_out(item, items, local, scratch):
    """True where all of a piece that no contact passes through is outside, as the point is that was measured last, but
    for what is no deeper than what was found. Of a slender piece this is less when it was cut shorter."""
    if local.used[OUTER_POINT] == 0:
        return False
    corner = items.features[item]
    new = local.used[CORNERS]
    distance = math.sqrt(local.squares[local.corner_rows[new] + local.corner_nearest[new]]) - local.corner_slack[new]
    reach = beyond_shrunk(local.corner_points, np.int64(corner[0]), np.int64(corner[1]), np.int64(corner[2]),
                          SHRUNK * beside(local))
    return (distance > CLEARLY_FARTHER * reach
            and too_shallow(reach + scratch.numbers[DEPTH_MARGIN], scratch.numbers[LEEWAY], scratch.numbers))


@kernel
def beside(local):
    """A contact that is no farther inside a piece passes beside it."""
    return PASSES_BESIDE + END_DOUBTS * local.end_doubt[0]


@kernel
def beyond_shrunk(P, i, j, m, shrunk):
    """How far a point of a piece is at most from the part of it that is so far from its edges; infinity where there is
    no such part."""
    longest = around = 0.0
    for _ in range(3):
        length = math.sqrt((P[i, 0] - P[j, 0]) ** 2 + (P[i, 1] - P[j, 1]) ** 2 + (P[i, 2] - P[j, 2]) ** 2)
        longest = max(longest, length)
        around += length
        i, j, m = j, m, i
    ux, uy, uz = P[j, 0] - P[i, 0], P[j, 1] - P[i, 1], P[j, 2] - P[i, 2]
    vx, vy, vz = P[m, 0] - P[i, 0], P[m, 1] - P[i, 1], P[m, 2] - P[i, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    twice = math.sqrt(nx * nx + ny * ny + nz * nz)
    if not twice > 2.0 * shrunk * around:
        return math.inf
    return shrunk * longest * around / twice


@kernel
def write_ends(side, contact, line, contacts, local, scratch):
    """Write the ends of a contact, or, of a triangle in the same plane, those of a side of it, into scratch.foot[0:2].
    line: number of the side."""
    if contacts.kind[contact] != AREA:
        for which in range(2):
            for x in range(3):
                scratch.foot[which, x] = ((contacts.point[contact, which, x] - local.origin[x])
                                          * scratch.numbers[LENGTH_UNIT])
        return
    triangle = contacts.triangle_b[contact] if side == 0 else contacts.triangle_a[contact]
    other = local.triangle_of[1 - side, triangle]
    for which in range(2):
        for x in range(3):
            scratch.foot[which, x] = local.points[1 - side, local.corners[1 - side, other, (line + which) % 3], x]


@kernel
def look_across_edges(side, k, corner, local):
    """local.across[i] = across which way, and up to which level along it, a contact lies beside a piece of triangle k
    of a side, beyond its edge i: the edge's outward normal times the edge's length, in the triangle's plane, turned
    inward. corner: (3,) int32 numbers of the piece's corners."""
    C = local.columns[side]
    P = local.corner_points
    at = unsigned(NORMAL) * LOCAL_STRIDE + unsigned(k)
    nx = C[at]
    ny = C[at + LOCAL_STRIDE]
    nz = C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    close = beside(local)
    for i in range(3):
        p = corner[i]
        q = corner[(i + 1) % 3]
        r = corner[(i + 2) % 3]
        ex, ey, ez = P[q, 0] - P[p, 0], P[q, 1] - P[p, 1], P[q, 2] - P[p, 2]
        inx, iny, inz = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex
        inside = (P[r, 0] - P[p, 0]) * inx + (P[r, 1] - P[p, 1]) * iny + (P[r, 2] - P[p, 2]) * inz
        turn = 1.0 if inside > 0.0 else -1.0
        local.across[i, 0] = turn * inx
        local.across[i, 1] = turn * iny
        local.across[i, 2] = turn * inz
        local.across[i, 3] = close * math.sqrt(ex * ex + ey * ey + ez * ez)


@kernel
def passes_through(side, k, contact, line, corner, contacts, local, scratch):
    """How far a piece of triangle k of a side reaches to both sides of a contact at least, or of a side `line` of a
    triangle in the same plane; -1 where that passes beside it. scratch.heights[0:3] = those of the piece's corners,
    (3,) int32 numbers, over that line. Asks what `look_across_edges` has left: most contacts of a large triangle are
    far from most of its pieces."""
    P = local.corner_points
    ends = scratch.foot
    write_ends(side, contact, line, contacts, local, scratch)
    for i in range(3):
        p = corner[i]
        passes_beside = True
        for which in range(2):
            up = ((ends[which, 0] - P[p, 0]) * local.across[i, 0] + (ends[which, 1] - P[p, 1]) * local.across[i, 1]
                  + (ends[which, 2] - P[p, 2]) * local.across[i, 2])
            passes_beside = passes_beside and up <= local.across[i, 3]
        if passes_beside:
            return -1.0
    ex, ey, ez = ends[1, 0] - ends[0, 0], ends[1, 1] - ends[0, 1], ends[1, 2] - ends[0, 2]
    over = math.sqrt(ex * ex + ey * ey + ez * ez)
    if not over > 0.0:
        return -1.0
    over = 1.0 / over
    C = local.columns[side]
    at = unsigned(NORMAL) * LOCAL_STRIDE + unsigned(k)
    nx = C[at]
    ny = C[at + LOCAL_STRIDE]
    nz = C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    low = math.inf
    high = -math.inf
    for i in range(3):
        c = corner[i]
        scratch.heights[i] = over * ((P[c, 0] - ends[0, 0]) * (ny * ez - nz * ey)
                                     + (P[c, 1] - ends[0, 1]) * (nz * ex - nx * ez)
                                     + (P[c, 2] - ends[0, 2]) * (nx * ey - ny * ex))
        low = min(low, scratch.heights[i])
        high = max(high, scratch.heights[i])
    close = beside(local)
    if low >= -close or high <= close:
        return -1.0
    return min(high, -low)


@kernel
def cut_along(side, k, bound, cuts, i, j, m, items, local, scratch):
    """Make pieces of the two parts of a piece with the corners i, j, m, whose heights over a line are
    scratch.heights[0:3]."""
    p, q, r = scratch.heights[0], scratch.heights[1], scratch.heights[2]
    numbers = scratch.numbers
    close = beside(local)
    for _ in range(2):      # a corner on the line, or the one that is alone on its side, comes first
        on_line = min(abs(p), min(abs(q), abs(r))) <= close
        if (abs(p) <= close) if on_line else ((p > 0.0) != (q > 0.0) and (p > 0.0) != (r > 0.0)):
            break
        i, j, m, p, q, r = j, m, i, q, r, p
    if abs(p) <= close:
        new = corner_between(side, j, m, q, r, local, scratch.share)
        add_piece(side, k, i, j, new, bound, cuts, items, local, numbers)
        add_piece(side, k, i, new, m, bound, cuts, items, local, numbers)
        return
    one = corner_between(side, i, j, p, q, local, scratch.share)
    other = corner_between(side, i, m, p, r, local, scratch.share)
    add_piece(side, k, i, one, other, bound, cuts, items, local, numbers)
    add_piece(side, k, one, j, m, bound, cuts, items, local, numbers)
    add_piece(side, k, one, m, other, bound, cuts, items, local, numbers)


@kernel
def corner_between(side, i, j, p, q, local, share):
    """A new corner where heights p and q of two corners have 0 between them. share: (3,) scratch."""
    share[0] = q / (q - p)
    share[1] = 1.0 - share[0]
    share[2] = 0.0
    new = add_corner(side, i, j, i, local, share)
    local.used[CORNERS] += 1
    return new
