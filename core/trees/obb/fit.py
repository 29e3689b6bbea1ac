# SPDX-License-Identifier: GPL-3.0-or-later
"""The oriented box around some triangles: covariance, axes, extents.

After Gottschalk, Lin and Manocha, "OBBTree" (1996), with the area-weighted covariance that "Complex scenes on a
topological spatial grid" (2017), §2.1, formulas 1 to 5, takes over from it. Coordinates are those of a tree: at most 1
from the origin. A box holds the float64 corners of its triangles whatever rounding did: SLACK is added to its halves.

Corners are projected on the axes with an error below 4 u (u = 2^-53; their length is at most 1), halves and middles
of what lies between lose 2 u, the centre 4 u. `square_up` leaves axes that are orthonormal but for 36 u, so that a
corner's coordinates along the edges of the box differ by at most three times that from its projections: below 128 u.
"""
import math

from ...machine_code.jit import kernel

BOX, AXES, HALF = 15, 3, 12     # numbers of a box: its centre, three axes one after another, half its sizes
SLACK = 2.0 ** -46              # 128 u
CANDIDATES = 3                  # axes that are tried: of the covariance, of the parent's box, of the coordinates
SWEEPS = 10                     # of Jacobi's method; three to five are enough
FLAT = 1e-14                    # of a length: a second direction that short is rounding


@kernel
def fit_box(corners, start, stop, node, parent, boxes, C, A, E):
    """The box of node `node`, around the triangles start … stop-1.

    corners: (n,3,3) float64; parent: its parent's number, or -1; boxes: (…,BOX); C (3,3), A (CANDIDATES,3,3),
    E (CANDIDATES,2,3): scratch.
    """
    tried = 1
    if stop - start == 1:
        _edge_directions(corners, start, A)
    else:
        if covariance(corners, start, stop, True, C) == 0.0:
            covariance(corners, start, stop, False, C)
        eigenvectors(C, A[0])
        tried = 2
        for i in range(3):
            for x in range(3):
                A[1, i, x] = 1.0 if i == x else 0.0
                if parent >= 0:
                    A[2, i, x] = boxes[parent, AXES + 3 * i + x]
        if parent >= 0:
            tried = 3
    square_up(A[0])
    best = 0
    least = math.inf
    for k in range(tried):
        extents(corners, start, stop, A[k], E[k])
        x = E[k, 1, 0] - E[k, 0, 0]
        y = E[k, 1, 1] - E[k, 0, 1]
        z = E[k, 1, 2] - E[k, 0, 2]
        surface = x * y + y * z + z * x
        if surface < least:
            least = surface
            best = k
    _write_box(A[best], E[best], boxes[node])


@kernel
def covariance(corners, start, stop, weighted, C):
    """Formula 5: the covariance (3,3) of the surface of the triangles start … stop-1, or with weighted=False, for
    triangles without area, of triangles that all count the same. Returns the sum of the weights, twice the area.

    All is taken relative to the first corner, so that nothing cancels in small boxes far from the origin.
    """
    ox = corners[start, 0, 0]
    oy = corners[start, 0, 1]
    oz = corners[start, 0, 2]
    xx = xy = xz = yy = yz = zz = mx = my = mz = total = 0.0
    for k in range(start, stop):
        px = corners[k, 0, 0] - ox
        py = corners[k, 0, 1] - oy
        pz = corners[k, 0, 2] - oz
        qx = corners[k, 1, 0] - ox
        qy = corners[k, 1, 1] - oy
        qz = corners[k, 1, 2] - oz
        rx = corners[k, 2, 0] - ox
        ry = corners[k, 2, 1] - oy
        rz = corners[k, 2, 2] - oz
        weight = 1.0
        if weighted:
            nx = (py - qy) * (pz - rz) - (pz - qz) * (py - ry)
            ny = (pz - qz) * (px - rx) - (px - qx) * (pz - rz)
            nz = (px - qx) * (py - ry) - (py - qy) * (px - rx)
            weight = math.sqrt(nx * nx + ny * ny + nz * nz)
        sx = px + qx + rx                   # three times the centroid
        sy = py + qy + ry
        sz = pz + qz + rz
        xx += weight * (sx * sx + px * px + qx * qx + rx * rx)
        xy += weight * (sx * sy + px * py + qx * qy + rx * ry)
        xz += weight * (sx * sz + px * pz + qx * qz + rx * rz)
        yy += weight * (sy * sy + py * py + qy * qy + ry * ry)
        yz += weight * (sy * sz + py * pz + qy * qz + ry * rz)
        zz += weight * (sz * sz + pz * pz + qz * qz + rz * rz)
        mx += weight * sx
        my += weight * sy
        mz += weight * sz
        total += weight
    if total > 0.0:
        mx /= 3.0 * total
        my /= 3.0 * total
        mz /= 3.0 * total
        part = 1.0 / (12.0 * total)
        C[0, 0] = xx * part - mx * mx
        C[1, 1] = yy * part - my * my
        C[2, 2] = zz * part - mz * mz
        C[0, 1] = C[1, 0] = xy * part - mx * my
        C[0, 2] = C[2, 0] = xz * part - mx * mz
        C[1, 2] = C[2, 1] = yz * part - my * mz
    return total


@kernel
def eigenvectors(C, V):
    """Rows of V (3,3): the directions that the symmetric C (3,3) keeps; C becomes diagonal. Jacobi's method."""
    for i in range(3):
        for x in range(3):
            V[i, x] = 1.0 if i == x else 0.0
    for _ in range(SWEEPS):
        beside = abs(C[0, 1]) + abs(C[0, 2]) + abs(C[1, 2])
        if not beside > 1e-16 * (abs(C[0, 0]) + abs(C[1, 1]) + abs(C[2, 2])):
            break
        for turn in range(3):
            p = turn >> 1                   # (0,1), (0,2), (1,2)
            q = 1 + ((turn + 1) >> 1)
            if C[p, q] == 0.0:
                continue
            ratio = (C[q, q] - C[p, p]) / (2.0 * C[p, q])
            t = 1.0 / (abs(ratio) + math.sqrt(ratio * ratio + 1.0))
            if ratio < 0.0:
                t = -t
            c = 1.0 / math.sqrt(t * t + 1.0)
            s = t * c
            for x in range(3):
                u = C[x, p]
                v = C[x, q]
                C[x, p] = c * u - s * v
                C[x, q] = s * u + c * v
            for x in range(3):
                u = C[p, x]
                v = C[q, x]
                C[p, x] = c * u - s * v
                C[q, x] = s * u + c * v
                u = V[p, x]
                v = V[q, x]
                V[p, x] = c * u - s * v
                V[q, x] = s * u + c * v


@kernel
def _edge_directions(corners, t, A):
    """The longest edge of a triangle and another one, as the first rows of A[0]: its flat box stands on that edge."""
    longest = -1.0
    for e in range(3):
        square = 0.0
        for x in range(3):
            d = corners[t, (e + 1) % 3, x] - corners[t, e, x]
            square += d * d
        if square > longest:
            longest = square
            for x in range(3):
                A[0, 0, x] = corners[t, (e + 1) % 3, x] - corners[t, e, x]
                A[0, 1, x] = corners[t, (e + 2) % 3, x] - corners[t, e, x]


@kernel
def square_up(V):
    """Make the rows of V (3,3) orthonormal: the first keeps its direction, the second its side of it. Where these two
    name no plane, or no direction at all, any other serves."""
    if not _unit(V[0], 1e-150):
        V[0, 0] = 1.0
        V[0, 1] = V[0, 2] = 0.0
    before = abs(V[1, 0]) + abs(V[1, 1]) + abs(V[1, 2])
    _turn_away(V)
    if not _unit(V[1], max(1e-150, FLAT * before)):
        thin = 0
        for x in range(1, 3):
            if abs(V[0, x]) < abs(V[0, thin]):
                thin = x
        for x in range(3):
            V[1, x] = 1.0 if x == thin else 0.0
        _turn_away(V)
        _unit(V[1], 0.0)
    _turn_away(V)                           # what the first turn left of rounding, in slivers
    _unit(V[1], 0.0)
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        V[2, x] = V[0, y] * V[1, z] - V[0, z] * V[1, y]


@kernel
def _unit(v, least):
    """Give v (3,) the length 1, if it is longer than `least`."""
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if not length > least:
        return False
    for x in range(3):
        v[x] /= length
    return True


@kernel
def _turn_away(V):
    """Take from the second row of V what lies along the first."""
    along = V[0, 0] * V[1, 0] + V[0, 1] * V[1, 1] + V[0, 2] * V[1, 2]
    for x in range(3):
        V[1, x] -= along * V[0, x]


@kernel
def extents(corners, start, stop, A, E):
    """E (2,3): from where to where the corners of the triangles start … stop-1 reach along the rows of A (3,3)."""
    for i in range(3):
        x = A[i, 0]
        y = A[i, 1]
        z = A[i, 2]
        low = math.inf
        high = -math.inf
        for k in range(start, stop):
            p = corners[k, 0, 0] * x + corners[k, 0, 1] * y + corners[k, 0, 2] * z
            q = corners[k, 1, 0] * x + corners[k, 1, 1] * y + corners[k, 1, 2] * z
            r = corners[k, 2, 0] * x + corners[k, 2, 1] * y + corners[k, 2, 2] * z
            low = min(low, min(p, min(q, r)))
            high = max(high, max(p, max(q, r)))
        E[0, i] = low
        E[1, i] = high


@kernel
def _write_box(A, E, box):
    """The box along the rows of A with the extents E, its longest axis first."""
    for x in range(3):
        box[x] = 0.0
    for i in range(3):
        size = E[1, i] - E[0, i]
        middle = 0.5 * (E[0, i] + E[1, i])
        place = 0
        for j in range(3):
            other = E[1, j] - E[0, j]
            place += other > size or (other == size and j < i)
        box[HALF + place] = 0.5 * size + SLACK
        for x in range(3):
            box[AXES + 3 * place + x] = A[i, x]
            box[x] += middle * A[i, x]
