# SPDX-License-Identifier: GPL-3.0-or-later
"""An edge against a triangle, and against an oriented box, in float32 with bounds of all rounding errors.

Nothing that meets is called a miss; docs/methods/stream.md derives the bounds. Each comparison is written so that a
number that is not one decides nothing. The shaders of a GPU do the same operations (addon/gpu_backend/streams.py).
"""
import numpy as np

from ..machine_code.jit import kernel
from .port import (
    CLOSE_CALL,
    CORNER,
    EDGE_DIRECTION,
    EDGE_LENGTH,
    EDGE_ORIGIN,
    HIT,
    MISS,
    NODE_AXIS,
    NODE_CENTRE,
    NODE_HALF,
    OFFSET,
    RADIUS,
    SIDE_1,
    SIDE_2,
)

ZERO, HALF_OF = np.float32(0.0), np.float32(0.5)
UNIT_FLOAT32 = np.float32(2.0 ** -23)   # the error of one operation, however the computer rounds
UNDERFLOW_FLOAT32 = np.float32(2.0 ** -115)  # more than all that vanishes below what float32 holds
BOX_SLACK = np.float32(16.0)        # units of the radius, for the boxes of an edge and a triangle
AXIS_SLACK = np.float32(64.0)       # units of the radius, along the axes of an oriented box
NEAR_ULPS, FAR_ULPS, ALONG_ULPS, TURN_ULPS = np.float32(16.0), np.float32(64.0), np.float32(72.0), np.float32(80.0)


@kernel
def apart(p, q, u, v, w, slack):
    """True where p and q are both below, or both above, u, v and w by more than the slack."""
    return max(p, q) < min(u, min(v, w)) - slack or min(p, q) > max(u, max(v, w)) + slack


@kernel
def edge_triangle(edges, e, tasks, t, triangles, k):
    """MISS, HIT or CLOSE_CALL: edge e, in the frame of task t, and triangle k."""
    length = edges[e, EDGE_LENGTH]
    dx = edges[e, EDGE_DIRECTION]
    dy = edges[e, EDGE_DIRECTION + 1]
    dz = edges[e, EDGE_DIRECTION + 2]
    px = edges[e, EDGE_ORIGIN] + tasks[t, OFFSET]
    py = edges[e, EDGE_ORIGIN + 1] + tasks[t, OFFSET + 1]
    pz = edges[e, EDGE_ORIGIN + 2] + tasks[t, OFFSET + 2]
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
    slack = BOX_SLACK * UNIT_FLOAT32 * radius + UNDERFLOW_FLOAT32
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
    band_begin = UNIT_FLOAT32 * (a * b) * (NEAR_ULPS * radius + FAR_ULPS * s) + UNDERFLOW_FLOAT32
    band_end = UNIT_FLOAT32 * (a * b) * (NEAR_ULPS * radius + ALONG_ULPS * (s + length)) + UNDERFLOW_FLOAT32
    if (begin > band_begin and end > band_end) or (begin < -band_begin and end < -band_end):
        return MISS
    cx = sy * dz - sz * dy
    cy = sz * dx - sx * dz
    cz = sx * dy - sy * dx
    u = bx * cx + by * cy + bz * cz
    v = -(ax * cx + ay * cy + az * cz)
    band_u = UNIT_FLOAT32 * b * (NEAR_ULPS * radius + FAR_ULPS * s) + UNDERFLOW_FLOAT32
    band_v = UNIT_FLOAT32 * a * (NEAR_ULPS * radius + FAR_ULPS * s) + UNDERFLOW_FLOAT32
    band_w = UNIT_FLOAT32 * ((a + b) * (NEAR_ULPS * radius + TURN_ULPS * s) + TURN_ULPS * (a * b)) + UNDERFLOW_FLOAT32
    band_det = UNIT_FLOAT32 * (FAR_ULPS * (a * b)) + UNDERFLOW_FLOAT32
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
    return CLOSE_CALL


@kernel
def edge_box(edges, e, tasks, t, nodes, k):
    """False where edge e, in the frame of task t, surely does not meet the box of node k: one of six axes separates
    them, the box's own and those across the edge and one of its axes."""
    half = HALF_OF * edges[e, EDGE_LENGTH]
    hx = half * edges[e, EDGE_DIRECTION]
    hy = half * edges[e, EDGE_DIRECTION + 1]
    hz = half * edges[e, EDGE_DIRECTION + 2]
    x = edges[e, EDGE_ORIGIN] + tasks[t, OFFSET] + hx - nodes[k, NODE_CENTRE]
    y = edges[e, EDGE_ORIGIN + 1] + tasks[t, OFFSET + 1] + hy - nodes[k, NODE_CENTRE + 1]
    z = edges[e, EDGE_ORIGIN + 2] + tasks[t, OFFSET + 2] + hz - nodes[k, NODE_CENTRE + 2]
    slack = AXIS_SLACK * UNIT_FLOAT32 * tasks[t, RADIUS] + UNDERFLOW_FLOAT32
    c0 = nodes[k, NODE_AXIS] * x + nodes[k, NODE_AXIS + 1] * y + nodes[k, NODE_AXIS + 2] * z
    g0 = nodes[k, NODE_AXIS] * hx + nodes[k, NODE_AXIS + 1] * hy + nodes[k, NODE_AXIS + 2] * hz
    r0 = nodes[k, NODE_HALF] + slack
    if abs(c0) > r0 + abs(g0):
        return False
    c1 = nodes[k, NODE_AXIS + 4] * x + nodes[k, NODE_AXIS + 5] * y + nodes[k, NODE_AXIS + 6] * z
    g1 = nodes[k, NODE_AXIS + 4] * hx + nodes[k, NODE_AXIS + 5] * hy + nodes[k, NODE_AXIS + 6] * hz
    r1 = nodes[k, NODE_HALF + 4] + slack
    if abs(c1) > r1 + abs(g1):
        return False
    c2 = nodes[k, NODE_AXIS + 8] * x + nodes[k, NODE_AXIS + 9] * y + nodes[k, NODE_AXIS + 10] * z
    g2 = nodes[k, NODE_AXIS + 8] * hx + nodes[k, NODE_AXIS + 9] * hy + nodes[k, NODE_AXIS + 10] * hz
    r2 = nodes[k, NODE_HALF + 8] + slack
    if abs(c2) > r2 + abs(g2):
        return False
    return not (across(c1, g1, r1, c2, g2, r2, slack) or across(c2, g2, r2, c0, g0, r0, slack)
                or across(c0, g0, r0, c1, g1, r1, slack))


@kernel
def across(c, g, r, d, h, s, slack):
    """True where the axis across the edge and the third axis of a box separates them. c, d: the way from the box to the
    middle of the edge along the other two axes; g, h: half the edge; r, s: half the box."""
    return abs(c * h - d * g) > (r * (abs(h) + slack) + s * (abs(g) + slack)) + slack * (abs(c) + abs(d))
