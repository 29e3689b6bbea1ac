# SPDX-License-Identifier: GPL-3.0-or-later
"""Separating axes over an interval: when projections of two moving bodies meet, and when they part again: kernels."""
import math

from ...machine_code.jit import kernel
from ..directions import LONGEST_DIRECTION, SHORTEST_DIRECTION

MOST_AXIS_EDGE_PAIRS = 1 << 12  # beyond it only normals of faces are axes; the nearest points do the rest
# Entries of `limits`: the latest time at which projections meet, the earliest at which they part.
ENTRY, EXIT = 4, 5


@kernel
def projected(a, b, hulls, scratch):
    """`chosen` = of all axes the one along which the projections of the two, which are placed, meet last; `leaving` =
    the one along which they part first, zero where they never do.

    Axes are the normals of the faces of both and the products of their edges. Times are shares of what is left.
    """
    forget(scratch)
    P = scratch.now_p.points
    Q = scratch.now_q.points
    for face in range(hulls.face_starts[a], hulls.face_starts[a] + hulls.face_counts[a, 1]):
        if unit_normal(P, hulls.faces, face, scratch.axis):
            _ask(a, b, hulls, scratch)
    for face in range(hulls.face_starts[b], hulls.face_starts[b] + hulls.face_counts[b, 1]):
        if unit_normal(Q, hulls.faces, face, scratch.axis):
            _ask(a, b, hulls, scratch)
    if hulls.edge_counts[a, 1] * hulls.edge_counts[b, 1] > MOST_AXIS_EDGE_PAIRS:
        return
    for i in range(hulls.edge_starts[a], hulls.edge_starts[a] + hulls.edge_counts[a, 1]):
        for j in range(hulls.edge_starts[b], hulls.edge_starts[b] + hulls.edge_counts[b, 1]):
            if unit_product(P, Q, hulls.edges, i, j, scratch.axis):
                _ask(a, b, hulls, scratch)


@kernel
def forget(scratch):
    """Begin with no axis."""
    scratch.limits[ENTRY] = -math.inf
    scratch.limits[EXIT] = math.inf


@kernel
def _ask(a, b, hulls, scratch):
    """Remember an axis, either way round, if it is better than those before."""
    p = scratch.now_p
    q = scratch.now_q
    low_p, high_p = projection(p.points, 0, p.counts[0], scratch.axis)
    low_q, high_q = projection(q.points, 0, q.counts[0], scratch.axis)
    last_low_p, last_high_p = projection(hulls.end, hulls.starts[a], hulls.counts[a], scratch.axis)
    last_low_q, last_high_q = projection(hulls.end, hulls.starts[b], hulls.counts[b], scratch.axis)
    remember(low_p - high_q, last_low_p - last_high_q, 1.0, scratch)
    remember(low_q - high_p, last_low_q - last_high_p, -1.0, scratch)
    scratch.stats[1] += 1


@kernel
def projection(points, first, count, axis):
    """(lowest, highest) of some points along a vector."""
    x = axis[0]
    y = axis[1]
    z = axis[2]
    low = math.inf
    high = -math.inf
    for k in range(first, first + count):
        along = x * points[k, 0] + y * points[k, 1] + z * points[k, 2]
        low = min(low, along)
        high = max(high, along)
    return low, high


@kernel
def remember(now, last, sign, scratch):
    """Keep `axis` times a sign as `chosen` or `leaving` where it is better. now, last: the gap along it where the two
    are placed and at the end of the interval; between, it changes evenly."""
    limits = scratch.limits
    if now > 0.0:
        entry = now / (now - last) if last < 0.0 else math.inf
        if entry > limits[ENTRY]:
            limits[ENTRY] = entry
            for x in range(3):
                scratch.chosen[x] = sign * scratch.axis[x]
    elif last > 0.0:
        leave = now / (now - last)
        if leave < limits[EXIT]:
            limits[EXIT] = leave
            for x in range(3):
                scratch.leaving[x] = sign * scratch.axis[x]


@kernel
def _make_unit(x, y, z, vector):
    """vector (3,) = x, y, z with the length 1; False where it is too short to have a direction."""
    length = math.sqrt(x * x + y * y + z * z)
    if not (length > SHORTEST_DIRECTION and length < LONGEST_DIRECTION):
        return False
    vector[0] = x / length
    vector[1] = y / length
    vector[2] = z / length
    return True


@kernel
def unit_normal(points, faces, face, axis):
    """axis (3,) = the unit normal of a face; False where it has none."""
    p = faces[face, 0]
    q = faces[face, 1]
    r = faces[face, 2]
    ux = points[q, 0] - points[p, 0]
    uy = points[q, 1] - points[p, 1]
    uz = points[q, 2] - points[p, 2]
    vx = points[r, 0] - points[p, 0]
    vy = points[r, 1] - points[p, 1]
    vz = points[r, 2] - points[p, 2]
    return _make_unit(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx, axis)


@kernel
def unit_product(P, Q, edges, i, j, axis):
    """axis (3,) = the unit vector across edge i, of points P, and edge j, of points Q; False where there is none."""
    p = edges[i, 0]
    q = edges[i, 1]
    r = edges[j, 0]
    s = edges[j, 1]
    ux = P[q, 0] - P[p, 0]
    uy = P[q, 1] - P[p, 1]
    uz = P[q, 2] - P[p, 2]
    vx = Q[s, 0] - Q[r, 0]
    vy = Q[s, 1] - Q[r, 1]
    vz = Q[s, 2] - Q[r, 2]
    x = uy * vz - uz * vy
    y = uz * vx - ux * vz
    z = ux * vy - uy * vx
    parallel = x * x + y * y + z * z <= 1e-20 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)
    return not parallel and _make_unit(x, y, z, axis)
