# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of a triangle with a point outside the solid: what contacts leave out, and cuts along contacts.

What a triangle shares with the solid's surface are its contacts, and triangles in its own plane. A piece that none of
them passes through is outside as a whole, as one of its points is. A piece that some pass through is cut along one, or
along a side of such a triangle, until its parts are on one side.
"""
import math

import numpy as np

from ..contacts import AREA
from ..geometry.squares import squared
from ..machine_code.jit import kernel, unsigned
from .features import BEST, DEPTH_MARGIN, LEEWAY, LENGTH_UNIT
from .items import CUTS, SIDE
from .local_ends import END_DOUBTS
from .local_pieces import TRIANGLE, add_corner, add_piece
from .local_triangles import CORNERS, LOCAL_STRIDE, NORMAL, OUTER_POINT

PASSES_BESIDE = 2.0 ** -38  # twice what the end of a contact may err along an edge, which has roundings besides
SHRUNK = 2.0                # times as much is a piece smaller that such a contact leaves alone
LEAST_COSINE = 0.5          # of half the angle at a corner that a contact can lie beyond
SINE_OF_TIP = 0.25          # least sine of half the angle at a corner that is no tip
BESIDE_TIPS = 8.0           # times as much as a piece was made smaller, a point that is in no tip is away at most
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
    look_across(side, k, corner, local)
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
def bound_beyond(item, contacts, items, local, scratch):
    """How deep a piece that no contact passes through is at most where the point is outside that was measured last: all
    of it is, but for what is no deeper than this. Infinity where nothing is known. Of a slender piece this is less when
    it was cut shorter."""
    if local.used[OUTER_POINT] == 0:
        return math.inf
    corner = items.features[item]
    numbers = scratch.numbers
    new = local.used[CORNERS]
    distance = math.sqrt(local.squares[local.corner_rows[new] + local.corner_nearest[new]]) - local.corner_slack[new]
    reach = beyond_shrunk(local.corner_points, np.int64(corner[0]), np.int64(corner[1]), np.int64(corner[2]),
                          SHRUNK * beside(local))
    if distance <= CLEARLY_FARTHER * reach or reach + numbers[DEPTH_MARGIN] > numbers[BEST] + numbers[LEEWAY]:
        side = np.int64(items.kind[item, SIDE])
        k = np.int64(items.kind[item, TRIANGLE])
        look_across(side, k, corner, local)
        reach = min(reach, beyond_contacts(side, k, corner, contacts, local, scratch))
    return reach + numbers[DEPTH_MARGIN] if distance > CLEARLY_FARTHER * reach else math.inf


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
        length = math.sqrt(squared(P[i, 0] - P[j, 0]) + squared(P[i, 1] - P[j, 1]) + squared(P[i, 2] - P[j, 2]))
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
def look_across(side, k, corner, local):
    """local.across[i] = across which way, and up to which level along it, a contact lies beside a piece of triangle k
    of a side: beyond its edge i the edge's outward normal times the edge's length, in the triangle's plane, turned
    inward; beyond its corner i - 3 the way into the piece that halves the angle there, unless that is blunt, and the
    sine of half the angle. corner: (3,) int32 numbers of the piece's corners."""
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
        fx, fy, fz = P[r, 0] - P[p, 0], P[r, 1] - P[p, 1], P[r, 2] - P[p, 2]
        inx, iny, inz = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex
        inside = fx * inx + fy * iny + fz * inz
        turn = 1.0 if inside > 0.0 else -1.0
        local.across[i, 0] = turn * inx
        local.across[i, 1] = turn * iny
        local.across[i, 2] = turn * inz
        one = math.sqrt(ex * ex + ey * ey + ez * ez)
        other = math.sqrt(fx * fx + fy * fy + fz * fz)
        local.across[i, 3] = close * one
        local.across[3 + i, 3] = -1.0
        local.across[3 + i, 4] = 1.0
        if not min(one, other) > 0.0:
            continue
        ex, ey, ez = ex / one, ey / one, ez / one
        fx, fy, fz = fx / other, fy / other, fz / other
        twice = math.sqrt(squared(ex + fx) + squared(ey + fy) + squared(ez + fz))     # the cosine of half the angle
        if twice > 2.0 * LEAST_COSINE:
            local.across[3 + i, 0] = (ex + fx) / twice
            local.across[3 + i, 1] = (ey + fy) / twice
            local.across[3 + i, 2] = (ez + fz) / twice
            local.across[3 + i, 3] = close
            local.across[3 + i, 4] = 0.5 * math.sqrt(squared(ex - fx) + squared(ey - fy) + squared(ez - fz))


@kernel
def farther_in(ends, corner, way, local):
    """How far along local.across[way] the two ends of a contact reach into a piece at most."""
    p = corner[way % 3]
    P = local.corner_points
    most = -math.inf
    for which in range(2):
        most = max(most, (ends[which, 0] - P[p, 0]) * local.across[way, 0]
                   + (ends[which, 1] - P[p, 1]) * local.across[way, 1]
                   + (ends[which, 2] - P[p, 2]) * local.across[way, 2])
    return most


@kernel
def passes_through(side, k, contact, line, corner, contacts, local, scratch):
    """How far a piece of triangle k of a side reaches to both sides of a contact at least, or of a side `line` of a
    triangle in the same plane; -1 where that passes beside it. scratch.heights[0:3] = those of the piece's corners,
    (3,) int32 numbers, over that line. Asks what `look_across` has left: most contacts of a large triangle are
    far from most of its pieces."""
    ends = scratch.foot
    write_ends(side, contact, line, contacts, local, scratch)
    for way in range(6):
        if local.across[way, 3] >= 0.0 and farther_in(ends, corner, way, local) <= local.across[way, 3]:
            return -1.0
    low, high = heights_over(side, k, corner, local, scratch)
    close = beside(local)
    if low >= -close or high <= close:
        return -1.0
    return min(high, -low)


@kernel
def heights_over(side, k, corner, local, scratch):
    """(least, largest) height of a piece's corners over the line through the ends in scratch.foot[0:2], in the plane of
    triangle k, which are scratch.heights[0:3]; (0, 0) where the two ends are one."""
    P = local.corner_points
    ends = scratch.foot
    ex, ey, ez = ends[1, 0] - ends[0, 0], ends[1, 1] - ends[0, 1], ends[1, 2] - ends[0, 2]
    over = math.sqrt(ex * ex + ey * ey + ez * ez)
    if not over > 0.0:
        return 0.0, 0.0
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
    return low, high


@kernel
def is_harmless(side, k, corner, local, scratch):
    """True where the contact whose ends are in scratch.foot[0:2] meets a piece nowhere, or at a corner only."""
    for way in range(6):
        level = local.across[way, 3]
        if level >= 0.0 and farther_in(scratch.foot, corner, way, local) <= (level if way >= 3 else -level):
            return True
    low, high = heights_over(side, k, corner, local, scratch)
    close = beside(local)
    return low >= close or high <= -close


@kernel
def beyond_contacts(side, k, corner, contacts, local, scratch):
    """How deep a piece is at most that no contact passes through, and of which a point is outside that is farther than
    that from the surface."""
    shrunk = SHRUNK * beside(local)
    if math.isinf(beyond_shrunk(local.corner_points, np.int64(corner[0]), np.int64(corner[1]), np.int64(corner[2]),
                                shrunk)):
        return BESIDE_TIPS * shrunk + beyond_nearest(side, k, -1, math.inf, corner, contacts, local, scratch)
    most = 0.0
    for i in range(3):
        sine = local.across[3 + i, 4]
        if sine < SINE_OF_TIP:
            length = shrunk / sine if sine > 0.0 else math.inf
            most = max(most, beyond_nearest(side, k, i, length, corner, contacts, local, scratch))
    return BESIDE_TIPS * shrunk + most


@kernel
def beyond_nearest(side, k, tip, length, corner, contacts, local, scratch):
    """How far the tip at a corner of a piece, so long, is at most from one of the contacts that may meet it, or
    `length` where that is less; 0 where none meets it. tip: number of the corner, -1 for a piece that is all tip."""
    P = local.corner_points
    ends = scratch.foot
    shrunk = SHRUNK * beside(local)
    least = math.inf
    for row in range(local.first[side, k], local.first[side, k + 1]):
        contact = local.listed[side, row]
        for each in range(3 if contacts.kind[contact] == AREA else 1):
            write_ends(side, contact, each, contacts, local, scratch)
            if is_harmless(side, k, corner, local, scratch):
                continue
            farthest = 0.0
            if tip < 0:
                for i in range(3):
                    c = corner[i]
                    farthest = max(farthest, distance_to_segment(P[c, 0], P[c, 1], P[c, 2], ends))
            else:
                c = corner[tip]
                way = local.across[3 + tip]
                near = math.inf
                for which in range(2):
                    near = min(near, (ends[which, 0] - P[c, 0]) * way[0] + (ends[which, 1] - P[c, 1]) * way[1]
                               + (ends[which, 2] - P[c, 2]) * way[2])
                if near > length + shrunk:
                    continue
                farthest = max(distance_to_segment(P[c, 0], P[c, 1], P[c, 2], ends),
                               distance_to_segment(P[c, 0] + length * way[0], P[c, 1] + length * way[1],
                                                   P[c, 2] + length * way[2], ends))
            least = min(least, farthest)
    return 0.0 if math.isinf(least) else min(least, length)


@kernel
def distance_to_segment(x, y, z, ends):
    """The distance of a point from the segment between two others, ends[0:2]."""
    ex, ey, ez = ends[1, 0] - ends[0, 0], ends[1, 1] - ends[0, 1], ends[1, 2] - ends[0, 2]
    px, py, pz = x - ends[0, 0], y - ends[0, 1], z - ends[0, 2]
    square = ex * ex + ey * ey + ez * ez
    t = min(max((px * ex + py * ey + pz * ez) / square, 0.0), 1.0) if square > 0.0 else 0.0
    px, py, pz = px - t * ex, py - t * ey, pz - t * ez
    return math.sqrt(px * px + py * py + pz * pz)


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
