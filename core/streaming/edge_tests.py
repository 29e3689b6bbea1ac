# SPDX-License-Identifier: GPL-3.0-or-later
"""An edge against a triangle, and against an oriented box, in float32 with bounds of all rounding errors.

Nothing that meets is called a miss; docs/methods/stream.md derives the bounds. Each comparison is written so that a
number that is not one decides nothing. The shaders of a GPU do the same operations (addon/gpu_backend/streams.py).
"""
import numpy as np

from ..machine_code.jit import kernel
from .port import (
    AXIS,
    CENTRE,
    CLOSE,
    CORNER,
    DIRECTION,
    HALF,
    HIT,
    LENGTH,
    MISS,
    OFFSET,
    ORIGIN,
    RADIUS,
    SIDE_1,
    SIDE_2,
)

ZERO, HALF_OF = np.float32(0.0), np.float32(0.5)
UNIT = np.float32(2.0 ** -23)       # the error of one operation, however the computer rounds
TINY = np.float32(2.0 ** -115)      # more than all that vanishes below what float32 holds
BOX_SLACK = np.float32(16.0)        # units of the radius, for the boxes of an edge and a triangle
AXIS_SLACK = np.float32(64.0)       # units of the radius, along the axes of an oriented box
NEAR, FAR, ALONG, TURN = np.float32(16.0), np.float32(64.0), np.float32(72.0), np.float32(80.0)


@kernel
def apart(p, q, u, v, w, slack):
    """True where p and q are both below, or both above, u, v and w by more than the slack."""
    return max(p, q) < min(u, min(v, w)) - slack or min(p, q) > max(u, max(v, w)) + slack


@kernel
def edge_triangle(edges, e, tasks, t, triangles, k):
    """MISS, HIT or CLOSE: edge e, in the frame of task t, and triangle k."""
    length = edges[e, LENGTH]
    dx = edges[e, DIRECTION]
    dy = edges[e, DIRECTION + 1]
    dz = edges[e, DIRECTION + 2]
    px = edges[e, ORIGIN] + tasks[t, OFFSET]
    py = edges[e, ORIGIN + 1] + tasks[t, OFFSET + 1]
    pz = edges[e, ORIGIN + 2] + tasks[t, OFFSET + 2]
    vx = triangles[k, CORNER]
    vy = triangles[k, CORNER + 1]
    vz = triangles[k, CORNER + 2]
    ax = triangles[k, SIDE_1]
    ay = triangles[k, SIDE_1 + 1]
    az = triangles[k, SIDE_1 + 2]
    bx = triangles[k, SIDE_2]
    by = triangles[k, SIDE_2 + 1]
    bz = triangles[k, SIDE_2 + 2]
    radius = tasks[t, RADIUS]
    slack = BOX_SLACK * UNIT * radius + TINY
    if (apart(px, px + length * dx, vx, vx + ax, vx + bx, slack)
            or apart(py, py + length * dy, vy, vy + ay, vy + by, slack)
            or apart(pz, pz + length * dz, vz, vz + az, vz + bz, slack)):
        return MISS
    sx = px - vx
    sy = py - vy
    sz = pz - vz
    nx = ay * bz - az * by
    ny = az * bx - ax * bz
    nz = ax * by - ay * bx
    s = max(abs(sx), max(abs(sy), abs(sz)))
    a = max(abs(ax), max(abs(ay), abs(az)))
    b = max(abs(bx), max(abs(by), abs(bz)))
    begin = nx * sx + ny * sy + nz * sz                     # both are heights above the plane, times twice the area
    det = -(nx * dx + ny * dy + nz * dz)
    end = begin - length * det
    band_begin = UNIT * (a * b) * (NEAR * radius + FAR * s) + TINY
    band_end = UNIT * (a * b) * (NEAR * radius + ALONG * (s + length)) + TINY
    if (begin > band_begin and end > band_end) or (begin < -band_begin and end < -band_end):
        return MISS
    cx = sy * dz - sz * dy
    cy = sz * dx - sx * dz
    cz = sx * dy - sy * dx
    u = bx * cx + by * cy + bz * cz
    v = -(ax * cx + ay * cy + az * cz)
    band_u = UNIT * b * (NEAR * radius + FAR * s) + TINY
    band_v = UNIT * a * (NEAR * radius + FAR * s) + TINY
    band_w = UNIT * ((a + b) * (NEAR * radius + TURN * s) + TURN * (a * b)) + TINY
    band_det = UNIT * (FAR * (a * b)) + TINY
    size = abs(det)
    beyond_up = u < -band_u or v < -band_v or u + v - size > band_w         # a miss, if det is not negative
    beyond_down = u > band_u or v > band_v or -u - v - size > band_w        # a miss, if it is not positive
    if (beyond_up or det < -band_det) and (beyond_down or det > band_det):
        return MISS
    across = (begin > band_begin and end < -band_end) or (begin < -band_begin and end > band_end)
    if across and size > band_det:
        if det < ZERO:
            u = -u
            v = -v
        if u > band_u and v > band_v and size - u - v > band_w:
            return HIT
    return CLOSE


@kernel
def edge_box(edges, e, tasks, t, nodes, k):
    """False where edge e, in the frame of task t, surely does not meet the box of node k: one of six axes separates
    them, the box's own and those across the edge and one of its axes."""
    half = HALF_OF * edges[e, LENGTH]
    hx = half * edges[e, DIRECTION]
    hy = half * edges[e, DIRECTION + 1]
    hz = half * edges[e, DIRECTION + 2]
    x = edges[e, ORIGIN] + tasks[t, OFFSET] + hx - nodes[k, CENTRE]
    y = edges[e, ORIGIN + 1] + tasks[t, OFFSET + 1] + hy - nodes[k, CENTRE + 1]
    z = edges[e, ORIGIN + 2] + tasks[t, OFFSET + 2] + hz - nodes[k, CENTRE + 2]
    slack = AXIS_SLACK * UNIT * tasks[t, RADIUS] + TINY
    c0 = nodes[k, AXIS] * x + nodes[k, AXIS + 1] * y + nodes[k, AXIS + 2] * z
    g0 = nodes[k, AXIS] * hx + nodes[k, AXIS + 1] * hy + nodes[k, AXIS + 2] * hz
    r0 = nodes[k, HALF] + slack
    if abs(c0) > r0 + abs(g0):
        return False
    c1 = nodes[k, AXIS + 4] * x + nodes[k, AXIS + 5] * y + nodes[k, AXIS + 6] * z
    g1 = nodes[k, AXIS + 4] * hx + nodes[k, AXIS + 5] * hy + nodes[k, AXIS + 6] * hz
    r1 = nodes[k, HALF + 4] + slack
    if abs(c1) > r1 + abs(g1):
        return False
    c2 = nodes[k, AXIS + 8] * x + nodes[k, AXIS + 9] * y + nodes[k, AXIS + 10] * z
    g2 = nodes[k, AXIS + 8] * hx + nodes[k, AXIS + 9] * hy + nodes[k, AXIS + 10] * hz
    r2 = nodes[k, HALF + 8] + slack
    if abs(c2) > r2 + abs(g2):
        return False
    return not (across(c1, g1, r1, c2, g2, r2, slack) or across(c2, g2, r2, c0, g0, r0, slack)
                or across(c0, g0, r0, c1, g1, r1, slack))


@kernel
def across(c, g, r, d, h, s, slack):
    """True where the axis across the edge and the third axis of a box separates them. c, d: the way from the box to the
    middle of the edge along the other two axes; g, h: half the edge; r, s: half the box."""
    return abs(c * h - d * g) > (r * (abs(h) + slack) + s * (abs(g) + slack)) + slack * (abs(c) + abs(d))
