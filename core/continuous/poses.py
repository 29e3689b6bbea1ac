# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a moving object is at one time: kernels."""
import math

import numpy as np

from ..geometry.squares import squared
from ..machine_code.jit import kernel
from ..trees.bvh.refit import move_vertices, world_coordinate


@kernel
def pose_at(motions, obj, t, pose):
    """pose (1,3,4) = that of an object which is not `linear`, at the time t.

    Each column of the stretch is turned about the axis (Rodrigues), then rotated. At both ends it is the given pose, so
    that vertices are those of every other search.
    """
    if t == 0.0 or t == 1.0:
        given = motions.start_pose[obj] if t == 0.0 else motions.end_pose[obj]
        for i in range(3):
            for j in range(4):
                pose[0, i, j] = given[i, j]
        return
    angle = t * motions.angle[obj]
    sine = math.sin(angle)
    versine = 2.0 * squared(math.sin(0.5 * angle))
    ux = motions.axis[obj, 0]
    uy = motions.axis[obj, 1]
    uz = motions.axis[obj, 2]
    rest = 1.0 - t
    for j in range(3):
        x = rest * motions.stretch[obj, 0, 0, j] + t * motions.stretch[obj, 1, 0, j]
        y = rest * motions.stretch[obj, 0, 1, j] + t * motions.stretch[obj, 1, 1, j]
        z = rest * motions.stretch[obj, 0, 2, j] + t * motions.stretch[obj, 1, 2, j]
        if angle != 0.0:
            px = uy * z - uz * y
            py = uz * x - ux * z
            pz = ux * y - uy * x
            x += sine * px + versine * (uy * pz - uz * py)
            y += sine * py + versine * (uz * px - ux * pz)
            z += sine * pz + versine * (ux * py - uy * px)
        for i in range(3):
            pose[0, i, j] = (motions.rotation[obj, i, 0] * x + motions.rotation[obj, i, 1] * y
                             + motions.rotation[obj, i, 2] * z)
    for i in range(3):
        pose[0, i, 3] = rest * motions.origin[obj, 0, i] + t * motions.origin[obj, 1, i]


@kernel
def vertices_at(motions, obj, t, start, end, first, count, pose, world, world_start):
    """world[world_start + i] = where vertex first + i of an object is at the time t. start, end: see SweptTrees; where
    `end` has no rows, `linear` objects are there already. pose: (1,3,4), scratch."""
    if motions.linear[obj]:
        if end.shape[0] == 0:
            return
        rest = 1.0 - t
        for i in range(count):
            for x in range(3):
                world[world_start + i, x] = rest * start[first + i, x] + t * end[first + i, x]
    else:
        pose_at(motions, obj, t, pose)
        move_vertices(pose, 0, start, first, count, world, world_start)


@kernel
def placed_corners(trees, obj, slot, corners, row):
    """Rows row … row + 2 of `corners` = those of a placed triangle. trees: PlacedTrees."""
    triangle = trees.corners.triangle_start[obj] + slot
    for i in range(3):
        v = trees.corners.world_start[obj] + trees.corners.triangles[triangle, i]
        for x in range(3):
            corners[row + i, x] = trees.corners.world[v, x]


@kernel
def corners_at(motions, swept, obj, slot, t, pose, corners, row):
    """Rows row … row + 2 of `corners` = the corners of an object's triangle at the time t; pose: (1,3,4), scratch."""
    if not motions.linear[obj]:
        pose_at(motions, np.int64(obj), t, pose)      # as `vertices_at` has it: one signature
    corners_of(motions, swept, obj, slot, t, pose, corners, row)


@kernel
def corners_of(motions, swept, obj, slot, t, pose, corners, row):
    """The same where `pose` is that at the time t, of an object that is not `linear`."""
    triangles = swept.before.corners.triangles
    triangle = swept.before.corners.triangle_start[obj] + slot
    linear = motions.linear[obj]
    rest = 1.0 - t
    if linear and swept.end.shape[0] == 0:      # the slice is all of the time
        placed_corners(swept.before, obj, slot, corners, row)
        trees = swept.after
        for i in range(3):
            v = trees.corners.world_start[obj] + triangles[triangle, i]
            for x in range(3):
                corners[row + i, x] = rest * corners[row + i, x] + t * trees.corners.world[v, x]
        return
    for i in range(3):
        v = swept.vertex_start[obj] + triangles[triangle, i]
        for x in range(3):
            if linear:
                corners[row + i, x] = rest * swept.start[v, x] + t * swept.end[v, x]
            else:
                corners[row + i, x] = world_coordinate(pose[0, x, 0], pose[0, x, 1], pose[0, x, 2], pose[0, x, 3],
                                                       swept.start[v, 0], swept.start[v, 1], swept.start[v, 2])


@kernel
def triangle_curvature(motions, swept, obj, slot):
    """No point of an object's triangle is accelerated more than this: angle² · ρ + 2 · angle · σ (docs/continuous.md).
    For objects that are not `linear`."""
    angle = motions.angle[obj]
    if angle == 0.0:
        return 0.0
    stretch = motions.stretch[obj]
    triangle = swept.before.corners.triangle_start[obj] + slot
    farthest = 0.0
    longest = 0.0
    for i in range(3):
        v = swept.vertex_start[obj] + swept.before.corners.triangles[triangle, i]
        first = 0.0
        second = 0.0
        between = 0.0
        for x in range(3):
            p = 0.0
            q = 0.0
            for y in range(3):
                p += stretch[0, x, y] * swept.start[v, y]
                q += stretch[1, x, y] * swept.start[v, y]
            first += p * p
            second += q * q
            between += squared(q - p)
        farthest = max(farthest, max(first, second))
        longest = max(longest, between)
    return angle * (angle * math.sqrt(farthest) + 2.0 * math.sqrt(longest)) * (1.0 + 2.0 ** -20)


def no_pose() -> np.ndarray:
    """Scratch memory for one pose."""
    return np.empty((1, 3, 4))
