# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of one mesh that have vertices in common: do they meet in anything else?

A vertex is a place: corners with equal coordinates are one vertex, whatever their numbers. Two triangles collide where
they share a point off the hull of their common vertices, or share area (docs/self-collision.md).

The filter proves for most neighbours that they do not. With one common vertex v, a plane through v that has both other
corners of the one strictly on one side, and those of the other on the other side, leaves them nothing but v. Such a
plane exists whenever v is all they share, and a perceptron finds it in a few turns (Rosenblatt, 1958). With a common
edge, corners that do not lie in one plane, or lie strictly on both sides of the edge as seen along an axis, leave them
nothing but the edge. docs/self-collision.md derives the bounds. The rest is decided by exact signs.
"""
from ..geometry.common_corners import is_corner
from ..geometry.float_bounds import LARGEST_SIZE, SMALLEST_SIZE, UNIT
from ..geometry.triangle_triangle import NO_EXPONENT, exact_contact, scale_exponent, scale_rows
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel, unsigned

TURNS = 12                      # of the perceptron before exact signs are asked
NEIGHBOUR_DOT_BOUND = 8.0 * UNIT  # of a dot product with rounded differences, as a share of its terms' sizes; 4 suffice
VOLUME_BOUND = 16.0 * UNIT      # of a determinant of rounded differences; 7 and a little suffice
# Sums of terms' sizes between which nothing has overflowed, or underflowed notably.
SMALLEST_SUM, LARGEST_SUM = 1e-200, 1e250

ONE, TWO, THREE, FIVE, NINE = (unsigned(number) for number in (1, 2, 3, 5, 9))    # signed places are tested for being
                                                                                  # negative
NOTHING_ELSE, SOMETHING_ELSE, NOT_SCALED = 0, 1, 2  # answers of `_beyond`


@kernel
def drop_neighbours(candidates, count, object_a, corners, scratch, stats):
    """Drop the candidates that share vertices and nothing else; returns how many are left, at the front. Of these the
    triangle with the smaller number comes first.

    candidates: (…,3) int32, rows of pair, slot, slot; object_a: (pairs,) int32, objects of `corners`, Corners; scratch:
    NeighbourScratch; stats: (2,) int64, counts the candidates that are dropped by exact signs, and those that are kept
    although they share vertices and were not decided, as their numbers span too much.
    """
    P = scratch.corners
    kept = 0
    for k in range(unsigned(count)):
        pair = candidates[k, 0]
        obj = unsigned(object_a[unsigned(pair)])
        s = candidates[k, 1]
        t = candidates[k, 2]
        row_s = unsigned(corners.triangle_start[obj] + s)
        row_t = unsigned(corners.triangle_start[obj] + t)
        if corners.order[row_s] > corners.order[row_t]:
            s, t = t, s
            row_s, row_t = row_t, row_s
        start = corners.world_start[obj]
        for i in range(unsigned(3)):
            v = unsigned(start + corners.triangles[row_s, i])
            w = unsigned(start + corners.triangles[row_t, i])
            for x in range(unsigned(3)):
                P[i, x] = corners.world[v, x]
                P[i + THREE, x] = corners.world[w, x]
        matches, i, j, p, q = _matches(P)
        if matches > 0:
            if matches == 1 and _surely_parted(P, i, j):
                continue
            if matches == 2 and i != p and j != q and _surely_unfolded(P, i, p, THREE - i - p, NINE + THREE - j - q):
                continue
            answer = _beyond(P, scratch.exact)
            if answer == NOTHING_ELSE:
                stats[0] += 1
                continue
            stats[1] += answer == NOT_SCALED
        to = unsigned(kept)
        candidates[to, 0] = pair
        candidates[to, 1] = s
        candidates[to, 2] = t
        kept += 1
    return kept


@kernel
def _matches(P):
    """(matches, i, j, p, q): how many of the rows 0 … 2 of P are the same point as one of the rows 3 … 5, each such
    pair of rows counted; rows i and j are the first pair, p and q the last."""
    matches = 0
    i = j = p = q = THREE - THREE
    for one in range(unsigned(3)):
        for other in range(THREE, unsigned(6)):
            if P[one, 0] == P[other, 0] and P[one, 1] == P[other, 1] and P[one, 2] == P[other, 2]:
                p = one
                q = other
                if matches == 0:
                    i = one
                    j = other
                matches += 1
    return matches, i, j, p, q


@kernel
def drop_parted(candidates, result, count, object_a, corners, scratch):
    """Drop the candidates with result[k] UNDECIDED that a plane surely parts; returns how many are left, at the front
    with their results. Flat parts of a mesh are full of them: triangles in one plane, which the filter of
    narrow_phase/ leaves to exact signs.

    result: (…,) uint8; other arguments as for `drop_neighbours`.
    """
    world = corners.world
    points = scratch.points
    kept = 0
    for k in range(unsigned(count)):
        if result[k] == UNDECIDED:
            obj = object_a[unsigned(candidates[k, 0])]
            row_s = unsigned(corners.triangle_start[obj] + candidates[k, 1])
            row_t = unsigned(corners.triangle_start[obj] + candidates[k, 2])
            for i in range(3):
                v = unsigned(corners.world_start[obj] + corners.triangles[row_s, i])
                w = unsigned(corners.world_start[obj] + corners.triangles[row_t, i])
                for x in range(3):
                    points[i, x] = world[v, x]
                    points[3 + i, x] = world[w, x]
            if _surely_apart(points):
                continue
        to = unsigned(kept)
        for column in range(3):
            candidates[to, column] = candidates[k, column]
        result[to] = result[k]
        kept += 1
    return kept


@kernel
def _surely_apart(points):
    """True where a plane surely has rows 0 … 2 strictly on one side, rows 3 … 5 on the other. points: (7,4) float64,
    overwritten; a row of them is a point, and the last row becomes the plane: its normal, and its offset."""
    length = 0.0
    for x in range(3):
        origin = points[0, x]
        for k in range(6):
            points[k, x] -= origin
            length = max(length, abs(points[k, x]))
    if not SMALLEST_SIZE < length < LARGEST_SIZE:
        return False
    inverse = 1.0 / length          # this, too, is only a choice of the plane
    for x in range(4):
        points[6, x] = 0.0
    for k in range(6):
        points[k, 3] = length
        _turn_plane(points, k, inverse)
    for _ in range(TURNS):
        wrong = 0
        for k in range(6):
            value = 0.0
            size = 0.0
            for x in range(4):
                term = points[6, x] * points[k, x]
                value += term
                size += abs(term)
            if k >= 3:
                value = -value
            if not (value > NEIGHBOUR_DOT_BOUND * size and size > SMALLEST_SUM):
                wrong += 1
                _turn_plane(points, k, inverse)
        if wrong == 0:
            return True
    return False


@kernel
def _turn_plane(points, k, inverse):
    """Turn the plane towards point k, or away from it where k ≥ 3."""
    share = inverse if k < 3 else -inverse
    for x in range(4):
        points[6, x] += share * points[k, x]


@kernel
def _surely_parted(P, v, w):
    """True where float64 proves that a plane through row v of P, which is the same point as row w, has the other two
    corners of the first triangle strictly on one side, those of the second on the other. v < 3 ≤ w < 6."""
    i = v + ONE if v < TWO else v - TWO
    j = THREE - v - i
    k = w + ONE if w < FIVE else w - TWO
    m = NINE + THREE - w - k
    ax = P[i, 0] - P[v, 0]
    ay = P[i, 1] - P[v, 1]
    az = P[i, 2] - P[v, 2]
    bx = P[j, 0] - P[v, 0]
    by = P[j, 1] - P[v, 1]
    bz = P[j, 2] - P[v, 2]
    cx = P[v, 0] - P[k, 0]          # backwards: all four are to be on one side
    cy = P[v, 1] - P[k, 1]
    cz = P[v, 2] - P[k, 2]
    dx = P[v, 0] - P[m, 0]
    dy = P[v, 1] - P[m, 1]
    dz = P[v, 2] - P[m, 2]
    a = 1.0 / max(abs(ax), max(abs(ay), abs(az)))       # no number where a corner is the common vertex: never certain
    b = 1.0 / max(abs(bx), max(abs(by), abs(bz)))
    c = 1.0 / max(abs(cx), max(abs(cy), abs(cz)))
    d = 1.0 / max(abs(dx), max(abs(dy), abs(dz)))
    nx = a * ax + b * bx + c * cx + d * dx
    ny = a * ay + b * by + c * cy + d * dy
    nz = a * az + b * bz + c * cz + d * dz
    for _ in range(TURNS):
        above_a = _surely_above(nx * ax, ny * ay, nz * az)
        above_b = _surely_above(nx * bx, ny * by, nz * bz)
        above_c = _surely_above(nx * cx, ny * cy, nz * cz)
        above_d = _surely_above(nx * dx, ny * dy, nz * dz)
        if above_a and above_b and above_c and above_d:
            return True
        wrong_a = 0.0 if above_a else a
        wrong_b = 0.0 if above_b else b
        wrong_c = 0.0 if above_c else c
        wrong_d = 0.0 if above_d else d
        nx += wrong_a * ax + wrong_b * bx + wrong_c * cx + wrong_d * dx
        ny += wrong_a * ay + wrong_b * by + wrong_c * cy + wrong_d * dy
        nz += wrong_a * az + wrong_b * bz + wrong_c * cz + wrong_d * dz
    return False


@kernel
def _surely_above(x, y, z):
    """True where the sum of three products is certainly positive."""
    size = abs(x) + abs(y) + abs(z)
    return (x + y + z > NEIGHBOUR_DOT_BOUND * size) & (size > SMALLEST_SUM) & (size < LARGEST_SUM)


@kernel
def _surely_unfolded(P, v, w, i, j):
    """True where float64 proves that two triangles with the common edge of rows v and w of P, and the third corners in
    rows i and j, meet in nothing else."""
    value = 0.0
    size = 0.0
    largest = 0.0
    for x in range(unsigned(3)):
        y = x + ONE if x < TWO else x - TWO
        z = THREE - x - y
        p = (P[w, y] - P[v, y]) * (P[i, z] - P[v, z])
        q = (P[w, z] - P[v, z]) * (P[i, y] - P[v, y])
        r = (P[w, y] - P[v, y]) * (P[j, z] - P[v, z])
        s = (P[w, z] - P[v, z]) * (P[j, y] - P[v, y])
        one = p - q
        other = r - s
        size_one = abs(p) + abs(q)
        size_other = abs(r) + abs(s)
        if (min(size_one, size_other) > SMALLEST_SUM and max(size_one, size_other) < LARGEST_SUM
                and abs(one) > NEIGHBOUR_DOT_BOUND * size_one and abs(other) > NEIGHBOUR_DOT_BOUND * size_other
                and (one > 0.0) != (other > 0.0)):
            return True
        value += one * (P[j, x] - P[v, x])
        size += size_one * abs(P[j, x] - P[v, x])
        largest = max(largest, abs(P[j, x] - P[v, x]))
    return SMALLEST_SUM < size < LARGEST_SUM and largest < LARGEST_SIZE and abs(value) > VOLUME_BOUND * size


@kernel
def _beyond(P, scratch):
    """SOMETHING_ELSE where the triangles in rows 0 … 2 and 3 … 5 of P share a point off the hull of their common
    vertices, or area; else NOTHING_ELSE. NOT_SCALED where numbers span too much for exact signs.

    P: (6,3) float64, overwritten; scratch: ExactScratch.
    """
    exponent = scale_exponent(P)
    if exponent == NO_EXPONENT:
        return NOT_SCALED
    scale_rows(P, exponent)
    number, _ = exact_contact(P, scratch.rows, scratch.side, scratch.edges, scratch.points, scratch.expansion)
    common = 0                          # how many different vertices are common, up to two
    first = -1
    for i in range(3):
        if is_corner(P, i, 3) and (first < 0 or not _same_point(P, i, P, first)):
            common = min(2, common + 1)
            first = i if first < 0 else first
    if common < 2 or number > 2:        # the shared part holds the common vertex, and its corners are all different
        return SOMETHING_ELSE if number > 1 else NOTHING_ELSE
    # A segment that holds a common edge: only two triangles without area can share a longer one, and then its ends
    # are corners of theirs, to the last bit.
    for end in range(number):
        known = False
        for i in range(3):
            known = known or (is_corner(P, i, 3) and _same_point(scratch.points, end, P, i))
        if not known:
            return SOMETHING_ELSE
    return NOTHING_ELSE


@kernel
def _same_point(P, i, Q, j):
    """True where row i of P and row j of Q are the same point."""
    return P[i, 0] == Q[j, 0] and P[i, 1] == Q[j, 1] and P[i, 2] == Q[j, 2]
