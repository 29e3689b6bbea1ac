# SPDX-License-Identifier: GPL-3.0-or-later
"""What two triangles share, decided by exact signs only: for pairs that the float filter left undecided.

This works for every input, as a triangle without area is the segment or the point that it is. The corners of the
intersection of two convex sets are of five sorts: a vertex of one in the other, two edges that cross inside both, an
edge of one that pierces the face of the other inside both. Each sort is found by itself, so that no corner comes twice.
One corner is a point, two are a segment, more are a polygon in a common plane.
"""
import math

from ..machine_code.jit import kernel
from .axis_planes import ALL_CORNERS, NOT_SEEN, SECOND
from .between import add_between
from .common_corners import common_corners, has_area, same_point
from .coplanar_triangles import contact_in_plane, edge_in_plane, one_sided
from .corner_order import before
from .orientation import orientation2, orientation3

NO_EXPONENT = 10000
MOST_COMMON_POINTS = 12     # two triangles share at most six corners; vertices may be counted for both sides
USUAL_EXPONENT = 200        # between 2^-200 and 2^200 no predicate overflows or underflows
LARGEST_SPAN = 250          # binary orders of magnitude that can be scaled into what the predicates take
NO_SIGN = math.inf         # an entry of `edges` that nothing depends on
SMALLEST_USUAL, LARGEST_USUAL = 2.0 ** -USUAL_EXPONENT, 2.0 ** (USUAL_EXPONENT - 1)
SMALLEST_SCALED, LARGEST_SCALED = 2.0 ** -LARGEST_SPAN, 2.0 ** USUAL_EXPONENT


@kernel
def scale_exponent(P):
    """k such that no predicate overflows or underflows on P·2^k; NO_EXPONENT where there is no such k.

    P: (n,3) float64, finite. 0 for usual numbers. Blender's coordinates and matrices are float32: there, only numbers
    made to provoke it have none.
    """
    largest = 0.0
    smallest = math.inf
    for i in range(P.shape[0]):
        for x in range(3):
            value = abs(P[i, x])
            largest = max(largest, value)
            smallest = min(smallest, value if value != 0.0 else math.inf)
    if smallest >= SMALLEST_USUAL and largest < LARGEST_USUAL:
        return 0
    low = math.frexp(smallest)[1]
    high = math.frexp(largest)[1]
    return NO_EXPONENT if high - low > LARGEST_SPAN else -high


@kernel
def are_usual(P, first, last):
    """True where all numbers in the rows first … last-1 are of sizes that `scale_exponent` leaves as they are, for whom
    some rows are known already. That one asks all rows without branches, in less time."""
    for i in range(first, last):
        for x in range(3):
            value = abs(P[i, x])
            if value >= LARGEST_USUAL or (value < SMALLEST_USUAL and value != 0.0):
                return False
    return True


@kernel
def scale_rows(P, exponent):
    """Replace P by P · 2^exponent: exact, and taken back exactly by the opposite exponent."""
    if exponent != 0:
        for i in range(P.shape[0]):
            for x in range(3):
                P[i, x] = math.ldexp(P[i, x], exponent)


@kernel
def scale_further(P, row, exponent):
    """Scale one more row, to stand beside others for which `scale_exponent` gave this exponent. Returns True where no
    predicate overflows or underflows on all of them."""
    for x in range(3):
        value = P[row, x]
        if value != 0.0:
            if exponent != 0:
                value = math.ldexp(value, exponent)
                P[row, x] = value
            if not SMALLEST_SCALED <= abs(value) <= LARGEST_SCALED:
                return False
    return True


@kernel
def _reduce(P, first, rows, expansion):
    """The number of vertices that span the triangle in rows first … first+2 of P: 3, 2 or 1. Their rows go to
    rows[first:]."""
    for i in range(3):
        rows[first + i] = first + i
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        if orientation2(P, first, first + 1, first + 2, x, y, 0, expansion) != 0.0:
            return 3
    low = first             # along a line, lexicographic order is order
    high = first
    for i in range(first + 1, first + 3):
        if before(P, i, low):
            low = i
        if before(P, high, i):
            high = i
    rows[first] = low
    rows[first + 1] = high
    return 2 if before(P, low, high) else 1


@kernel
def _on_segment(P, v, p, q, expansion):
    """True where point v lies on the closed segment pq."""
    for axis in range(3):
        if orientation2(P, v, p, q, (axis + 1) % 3, (axis + 2) % 3, 0, expansion) != 0.0:
            return False
    for x in range(3):
        if P[v, x] < min(P[p, x], P[q, x]) or P[v, x] > max(P[p, x], P[q, x]):
            return False
    return True


@kernel
def _in_triangle(P, v, a, b, c, expansion):
    """True where point v, in the plane of the triangle abc with area, lies in the closed triangle."""
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        turn = orientation2(P, a, b, c, x, y, 0, expansion)
        if turn != 0.0:
            # Seen along one axis on which the triangle has area, everything in its plane is told apart.
            sign = 1.0 if turn > 0.0 else -1.0
            return (sign * orientation2(P, a, b, v, x, y, 0, expansion) >= 0.0
                    and sign * orientation2(P, b, c, v, x, y, 0, expansion) >= 0.0
                    and sign * orientation2(P, c, a, v, x, y, 0, expansion) >= 0.0)
    return False


@kernel
def _in_simplex(P, v, rows, first, n, side, expansion):
    """True where point v lies in the closed simplex of the n rows from `first`. side: sign of v against its plane,
    where n is 3."""
    if n == 3:
        return side == 0.0 and _in_triangle(P, v, rows[first], rows[first + 1], rows[first + 2], expansion)
    if n == 2:
        return _on_segment(P, v, rows[first], rows[first + 1], expansion)
    return same_point(P, v, rows[first])


@kernel
def _add_edge_crossing(P, p, q, r, s, points, n, expansion):
    """Add the point where the open segments pq and rs, which lie in one plane, cross. Returns the number of points.
    Along an axis that lies in their plane no crossing is seen."""
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        r_side = orientation2(P, p, q, r, x, y, 0, expansion)
        s_side = orientation2(P, p, q, s, x, y, 0, expansion)
        if (r_side > 0.0 and s_side < 0.0) or (r_side < 0.0 and s_side > 0.0):
            p_side = orientation2(P, r, s, p, x, y, 1, expansion)
            q_side = orientation2(P, r, s, q, x, y, 1, expansion)
            if (p_side > 0.0 and q_side < 0.0) or (p_side < 0.0 and q_side > 0.0):
                return add_between(P, p, q, p_side, q_side, points, n)
    return n


@kernel
def _add_piercing(P, p, q, face, side, turns, points, n, expansion):
    """Add the point where the open segment pq pierces the open triangle in rows face … face+2. Returns the number of
    points.

    side: (6,) signs of vertices against the plane of the other triangle; turns: the three signs of pq against the edges
    of the triangle.
    """
    u, v, w = turns
    if (_passes_plane(side, p, q)
            and ((u > 0.0 and v > 0.0 and w > 0.0) or (u < 0.0 and v < 0.0 and w < 0.0))):
        return add_between(P, p, q, orientation3(P, face, face + 1, face + 2, p, 1, expansion),
                            orientation3(P, face, face + 1, face + 2, q, 1, expansion), points, n)
    return n


@kernel
def _edge_count(n):
    """The number of edges of a simplex of n vertices, at most 3."""
    return 3 if n == 3 else n - 1


@kernel
def exact_contact(P, rows, side, edges, points, expansion):
    """(number, proper): how many corners the shared part has, and whether the triangles pass through each other.

    No corner: they do not meet. One is a point, two are a segment, more are a coplanar area. proper: both have area,
    each has vertices strictly on both sides of the other's plane, and they share a segment. P: (6,3) float64, both
    triangles, scaled (`scale_exponent`). points: (MOST_COMMON_POINTS,3), the corners go here. rows (6,) int64, side
    (6,), edges (6,3) and expansion (EXPANSION_SIZE,) float64 are scratch.
    """
    n = common_corners(P, rows, expansion)
    if n > 0:
        for k in range(n):
            for x in range(3):
                points[k, x] = P[rows[k], x]
        return n, False
    count_a = _reduce(P, 0, rows, expansion)
    count_b = _reduce(P, 3, rows, expansion)
    for i in range(3):
        side[i] = orientation3(P, 3, 4, 5, i, 0, expansion) if count_b == 3 else 0.0
        side[3 + i] = orientation3(P, 0, 1, 2, 3 + i, 0, expansion) if count_a == 3 else 0.0
    if (count_b == 3 and one_sided(side, 0)) or (count_a == 3 and one_sided(side, 3)):
        return 0, False
    if count_a == 3 and count_b == 3:
        if not _off_plane(side):
            return contact_in_plane(P, edges, points, expansion), False
        count_a = _kept_in_plane(side, 0, rows)
        count_b = _kept_in_plane(side, 3, rows)
        if count_a < 3 or count_b < 3:
            return _contact_of_faces(P, rows, side, count_a, count_b, edges, points, expansion), False
    n = _shared_vertices(P, rows, side, count_a, count_b, points, expansion)
    for i in range(_edge_count(count_a)):
        for j in range(_edge_count(count_b)):
            p = rows[i]
            q = rows[(i + 1) % count_a]
            r = rows[3 + j]
            s = rows[3 + (j + 1) % count_b]
            edges[i, j] = NO_SIGN
            if _passes_plane(side, p, q) or _passes_plane(side, r, s) or (
                    _lies_in_plane(side, p, q) and _lies_in_plane(side, r, s)):
                edges[i, j] = orientation3(P, p, q, r, s, 0, expansion)
    n = _edges_on_edges(P, rows, count_a, count_b, edges, points, n, expansion)
    n = _edges_on_faces(P, rows, side, count_a, count_b, edges, points, n, expansion)
    return n, n == 2 and _straddles(side, 0) and _straddles(side, 3)


@kernel
def contact_of_corners(P, bits, rows, side, edges, points, expansion):
    """How many corners the shared part of two triangles has, which goes to `points`; NOT_SEEN where one has no area
    and `exact_contact` must say.

    bits: of the corners that span all that they can share, an answer of `corners_that_meet` for these triangles as they
    were before they were scaled; other arguments as for `exact_contact`.
    """
    count_a = _chosen(bits & ALL_CORNERS, 0, rows)
    count_b = _chosen(bits >> SECOND, 3, rows)
    if not (_spans_face(P, rows, 0, count_a, expansion) and _spans_face(P, rows, 3, count_b, expansion)):
        return NOT_SEEN
    if count_a == 3 and count_b == 3:
        return contact_in_plane(P, edges, points, expansion)
    for i in range(6):
        side[i] = 0.0
    return _contact_of_faces(P, rows, side, count_a, count_b, edges, points, expansion)


@kernel
def _chosen(bits, first, rows):
    """How many bits are set; the rows of these corners of the triangle in rows first … first+2 go to rows[first:]."""
    count = 0
    for i in range(3):
        if bits >> i & 1:
            rows[first + count] = first + i
            count += 1
    return count


@kernel
def _spans_face(P, rows, first, count, expansion):
    """True where the `count` corners in rows[first:] are a point, two different ones, or a triangle with area."""
    if count == 3:
        return has_area(P, first, expansion)
    return count == 1 or not same_point(P, rows[first], rows[first + 1])


@kernel
def _kept_in_plane(side, first, rows):
    """The number of vertices of the triangle in rows first … first+2 that span what it has in the other one's plane,
    with its border on that plane; 3 where it reaches through it. Their rows go to rows[first:]."""
    if _straddles(side, first):
        return 3
    count = 0
    for i in range(first, first + 3):
        if side[i] == 0.0:
            rows[first + count] = i
            count += 1
    return count


@kernel
def _contact_of_faces(P, rows, side, count_a, count_b, edges, points, expansion):
    """How many corners the shared part of two edges or corners of triangles has, or of one and the other triangle,
    which lie in one plane. rows: of their count_a and count_b corners, from 0 and from 3; other arguments as for
    `exact_contact`."""
    if count_a == 2 and count_b == 3:
        p, q = _edge(rows, 0, 0, 2)
        return edge_in_plane(P, p, q, 3, edges, points, expansion)
    if count_a == 3 and count_b == 2:
        p, q = _edge(rows, 3, 0, 2)
        return edge_in_plane(P, p, q, 0, edges, points, expansion)
    n = _shared_vertices(P, rows, side, count_a, count_b, points, expansion)
    for i in range(_edge_count(count_a)):
        p, q = _edge(rows, 0, i, count_a)
        for j in range(_edge_count(count_b)):
            r, s = _edge(rows, 3, j, count_b)
            n = _add_edge_crossing(P, p, q, r, s, points, n, expansion)
    return n


@kernel
def _edge(rows, first, i, count):
    """Both rows of edge i of the `count` corners in rows[first:], from the one to the other as the triangle turns: then
    points on it are the same as those of the whole triangle, to the last bit."""
    p = rows[first + i]
    q = rows[first + (i + 1) % count]
    if count == 2 and q - p == 2:
        return q, p
    return p, q


@kernel
def _off_plane(side):
    """True where some vertex is not in the other triangle's plane."""
    for i in range(6):
        if side[i] != 0.0:
            return True
    return False


@kernel
def _passes_plane(side, p, q):
    """True where the ends of an edge are strictly on both sides of the other triangle's plane."""
    return (side[p] > 0.0 and side[q] < 0.0) or (side[p] < 0.0 and side[q] > 0.0)


@kernel
def _lies_in_plane(side, p, q):
    """True where both ends of an edge are in the other triangle's plane."""
    return side[p] == 0.0 and side[q] == 0.0


@kernel
def _straddles(side, first):
    """True where three vertices lie strictly on both sides of a plane."""
    low = min(side[first], min(side[first + 1], side[first + 2]))
    high = max(side[first], max(side[first + 1], side[first + 2]))
    return low < 0.0 and high > 0.0


@kernel
def _shared_vertices(P, rows, side, count_a, count_b, points, expansion):
    """Add the vertices of either triangle that lie in the other, each position once. Returns their number."""
    n = 0
    for i in range(count_a):
        v = rows[i]
        if _in_simplex(P, v, rows, 3, count_b, side[v], expansion):
            for x in range(3):
                points[n, x] = P[v, x]
            n += 1
    for j in range(3, 3 + count_b):
        v = rows[j]
        known = False
        for i in range(count_a):
            known = known or same_point(P, v, rows[i])
        if not known and _in_simplex(P, v, rows, 0, count_a, side[v], expansion):
            for x in range(3):
                points[n, x] = P[v, x]
            n += 1
    return n


@kernel
def _edges_on_edges(P, rows, count_a, count_b, edges, points, n, expansion):
    """Add the points where edges cross inside both triangles. Returns the number of points. `edges` tells which pairs
    of edges lie in one plane. Edges that cross pass the planes of the triangles there, or lie in them."""
    for i in range(_edge_count(count_a)):
        for j in range(_edge_count(count_b)):
            if edges[i, j] == 0.0:
                n = _add_edge_crossing(P, rows[i], rows[(i + 1) % count_a], rows[3 + j], rows[3 + (j + 1) % count_b],
                                       points, n, expansion)
    return n


@kernel
def _edges_on_faces(P, rows, side, count_a, count_b, edges, points, n, expansion):
    """Add the points where edges of either triangle pierce the other's face. Returns the number of points."""
    if count_b == 3:
        for i in range(_edge_count(count_a)):
            p = rows[i]
            q = rows[(i + 1) % count_a]
            n = _add_piercing(P, p, q, 3, side, (edges[i, 0], edges[i, 1], edges[i, 2]), points, n, expansion)
    if count_a == 3:
        for j in range(_edge_count(count_b)):
            p = rows[3 + j]
            q = rows[3 + (j + 1) % count_b]
            n = _add_piercing(P, p, q, 0, side, (edges[0, j], edges[1, j], edges[2, j]), points, n, expansion)
    return n
