# SPDX-License-Identifier: GPL-3.0-or-later
"""The oriented box around some triangles: covariance, axes, extents.

After Gottschalk, Lin and Manocha, "OBBTree" (1996), with the area-weighted covariance that "Complex scenes on a
topological spatial grid" (2017), §2.1, formulas 1 to 5, takes over from it. Coordinates are those of a tree: at most 1
from the origin. A box holds the float64 corners of its triangles whatever rounding did: its half sizes are larger by
FIT_SLACK.

With u = 2^-53: corners, whose length is at most 1, are projected on the axes with an error below 4 u. Half sizes and
middles lose 2 u, the centre 4 u. The axes from `orthonormalize` are orthonormal but for 36 u, so that a corner's
coordinates along the edges of the box differ by at most three times that from its projections. The sum is below 128 u.
"""
import math

from ...machine_code.jit import kernel
from .nodes import AXES_AT, HALF_AT

FIT_SLACK = 2.0 ** -46          # 128 u
CANDIDATES = 3                  # axes that are tried: of the covariance, of the parent's box, of the coordinates
JACOBI_SWEEPS = 10              # three to five are enough
ROUNDING_LENGTH = 1e-14         # of a length: a second direction that is so short is rounding


@kernel
def fit_box(corners, start, stop, node, parent, boxes, scratch):
    """boxes[node] = the box around the triangles start … stop-1: of the candidates that with the least surface.

    corners: (n,3,3) float64; parent: the parent's number, or -1; boxes: (…,BOX_NUMBERS) float64; scratch:
    ObbBuildScratch.
    """
    C = scratch.covariance
    A = scratch.axes
    E = scratch.extents
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
                    A[2, i, x] = boxes[parent, AXES_AT + 3 * i + x]
        if parent >= 0:
            tried = 3
    orthonormalize(A[0])
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
    """C (3,3) = the covariance of the surface of the triangles start … stop-1 (formula 5); returns the sum of the
    weights, which is twice the area.

    weighted=False is for triangles without area: all of them then count the same. Coordinates are taken relative to
    the first corner, so that nothing cancels in small boxes far from the origin.
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
    """V (3,3) = the eigenvectors of the symmetric C (3,3), as rows, by Jacobi's method. C becomes diagonal."""
    for i in range(3):
        for x in range(3):
            V[i, x] = 1.0 if i == x else 0.0
    for _ in range(JACOBI_SWEEPS):
        beside = abs(C[0, 1]) + abs(C[0, 2]) + abs(C[1, 2])
        if not beside > 1e-16 * (abs(C[0, 0]) + abs(C[1, 1]) + abs(C[2, 2])):
            break
        for pair in range(3):
            p = pair >> 1                   # (0,1), (0,2), (1,2)
            q = 1 + ((pair + 1) >> 1)
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
    """The first rows of A[0] = the longest edge of a triangle, on which its flat box stands, and another edge."""
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
def orthonormalize(V):
    """Make the rows of V (3,3) orthonormal. The first row keeps its direction, the second the plane of both; where
    they name no plane, or no direction at all, any other serves."""
    if not _unit(V[0], 1e-150):
        V[0, 0] = 1.0
        V[0, 1] = V[0, 2] = 0.0
    before = abs(V[1, 0]) + abs(V[1, 1]) + abs(V[1, 2])
    _project_out(V)
    if not _unit(V[1], max(1e-150, ROUNDING_LENGTH * before)):
        thin = 0
        for x in range(1, 3):
            if abs(V[0, x]) < abs(V[0, thin]):
                thin = x
        for x in range(3):
            V[1, x] = 1.0 if x == thin else 0.0
        _project_out(V)
        _unit(V[1], 0.0)
    _project_out(V)                         # what the first projection left of rounding, in slivers
    _unit(V[1], 0.0)
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        V[2, x] = V[0, y] * V[1, z] - V[0, z] * V[1, y]


@kernel
def _unit(v, least):
    """Give v (3,) the length 1 where it is longer than `least`; returns whether it is."""
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if not length > least:
        return False
    for x in range(3):
        v[x] /= length
    return True


@kernel
def _project_out(V):
    """Subtract from the second row of V its component along the first."""
    along = V[0, 0] * V[1, 0] + V[0, 1] * V[1, 1] + V[0, 2] * V[1, 2]
    for x in range(3):
        V[1, x] -= along * V[0, x]


@kernel
def extents(corners, start, stop, A, E):
    """E (2,3) = the least and the largest projections on the rows of A (3,3) of the corners of the triangles start …
    stop-1."""
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
    """box (BOX_NUMBERS,) = that along the rows of A (3,3) with the extents E (2,3), its longest axis first."""
    for x in range(3):
        box[x] = 0.0
    for i in range(3):
        size = E[1, i] - E[0, i]
        middle = 0.5 * (E[0, i] + E[1, i])
        rank = 0
        for j in range(3):
            other = E[1, j] - E[0, j]
            rank += other > size or (other == size and j < i)
        box[HALF_AT + rank] = 0.5 * size + FIT_SLACK
        for x in range(3):
            box[AXES_AT + 3 * rank + x] = A[i, x]
            box[x] += middle * A[i, x]
