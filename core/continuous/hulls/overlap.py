# SPDX-License-Identifier: GPL-3.0-or-later
"""Do the surfaces of two convex bodies meet that share a point? They do unless one body holds the other: kernels."""
from ...convex.gjk.gjk import MEET
from ...machine_code.jit import kernel
from ..moving_triangles import ROUNDING_OF_BOTH
from .axes import projection, unit_normal

OUT_P, OUT_Q = 1, 2             # bits: the first body sticks out of the second one; the second out of the first


@kernel
def surfaces_meet(a, b, hulls, scratch):
    """True where the two that are placed certainly share a point, as GJK has just found, and each certainly has a point
    outside of the other one: beyond it along a coordinate axis or the normal of a face."""
    if scratch.found.answer[0] != MEET:
        return False
    axis = scratch.axis
    out = 0
    for x in range(3):
        for y in range(3):
            axis[y] = 1.0 if x == y else 0.0
        out |= _sticks_out(scratch)
    for face in range(hulls.face_starts[a], hulls.face_starts[a] + hulls.face_counts[a, 1]):
        if out == OUT_P | OUT_Q:
            return True
        if unit_normal(scratch.now_p.points, hulls.faces, face, axis):
            out |= _sticks_out(scratch)
    for face in range(hulls.face_starts[b], hulls.face_starts[b] + hulls.face_counts[b, 1]):
        if out == OUT_P | OUT_Q:
            return True
        if unit_normal(scratch.now_q.points, hulls.faces, face, axis):
            out |= _sticks_out(scratch)
    return out == OUT_P | OUT_Q


@kernel
def _sticks_out(scratch):
    """OUT_P and OUT_Q as far as the projections on `axis` show them."""
    p = scratch.now_p
    q = scratch.now_q
    low_p, high_p = projection(p.points, 0, p.counts[0], scratch.axis)
    low_q, high_q = projection(q.points, 0, q.counts[0], scratch.axis)
    rounding = scratch.limits[ROUNDING_OF_BOTH]
    out = 0
    if low_p + rounding < low_q or high_p > high_q + rounding:
        out |= OUT_P
    if low_q + rounding < low_p or high_q > high_p + rounding:
        out |= OUT_Q
    return out
