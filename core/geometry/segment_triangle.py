# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a segment meet a triangle? A float filter with derived bounds, which leaves the rest to exact signs.

The signs that count are those of the two ends against the plane and of the segment's line against the three edges
(Segura and Feito, "Algorithms to Test Ray-Triangle Intersection", 2001). Let u = 2^-53, a and b the edges from the
first corner, w and v the vectors from there to the segment's ends, s the largest coordinate of a and b, r that of w and
v. A product of three differences goes through eight roundings, and a determinant has six of them, so that det(a,b,w)
errs by 48 u s²r and det(w,v,a) by 48 u s r², to first order. The sign of the third edge is a sum of two of each: 96 u s
r (s + r). Three additions of numbers of at most 12 s r (s + r) make it 132.
"""
from ..machine_code.jit import kernel
from .float_bounds import EDGE_BOUND, LARGEST_SIZE, PLANE_BOUND, SMALLEST_SIZE
from .undecided import UNDECIDED

NO, YES = 0, 1


@kernel
def filter_segments(segments, triangles, first, last, answer):
    """answer[k] = NO, YES or UNDECIDED: does segments[k] meet triangles[k]? first ≤ k < last.

    segments: (n,2,3), triangles: (n,3,3) float64, finite; answer: (n,) uint8.
    """
    for k in range(first, last):
        px = triangles[k, 0, 0]
        py = triangles[k, 0, 1]
        pz = triangles[k, 0, 2]
        ax = triangles[k, 1, 0] - px
        ay = triangles[k, 1, 1] - py
        az = triangles[k, 1, 2] - pz
        bx = triangles[k, 2, 0] - px
        by = triangles[k, 2, 1] - py
        bz = triangles[k, 2, 2] - pz
        wx = segments[k, 0, 0] - px
        wy = segments[k, 0, 1] - py
        wz = segments[k, 0, 2] - pz
        vx = segments[k, 1, 0] - px
        vy = segments[k, 1, 1] - py
        vz = segments[k, 1, 2] - pz
        size = max(max(max(abs(ax), abs(ay)), max(abs(az), abs(bx))), max(abs(by), abs(bz)))
        apart = max(max(max(abs(wx), abs(wy)), max(abs(wz), abs(vx))), max(abs(vy), abs(vz)))
        nx = ay * bz - az * by
        ny = az * bx - ax * bz
        nz = ax * by - ay * bx
        near = nx * wx + ny * wy + nz * wz
        far = nx * vx + ny * vy + nz * vz
        # The segment's line against the two edges at the first corner, and with the heights of its ends against the
        # third edge.
        mx = wy * vz - wz * vy
        my = wz * vx - wx * vz
        mz = wx * vy - wy * vx
        at_a = mx * ax + my * ay + mz * az
        at_b = mx * bx + my * by + mz * bz
        third = (far - near) - (at_a - at_b)
        plane = PLANE_BOUND * size * size * apart
        edge = EDGE_BOUND * size * apart * (apart + size)
        usual = (size > SMALLEST_SIZE) & (size < LARGEST_SIZE) & (apart < LARGEST_SIZE) & (apart > SMALLEST_SIZE)
        off = (min(near, far) > plane) | (max(near, far) < -plane)
        through = ((near > plane) & (far < -plane)) | ((near < -plane) & (far > plane))
        # Against the three edges, a segment that passes inside the triangle turns one way.
        low = min(at_a, min(-at_b, third))
        high = max(at_a, max(-at_b, third))
        outside = (low < -edge) & (high > edge)
        inside = (low > edge) | (high < -edge)
        answer[k] = UNDECIDED - (usual & (off | outside)) * 2 - (usual & through & inside)
