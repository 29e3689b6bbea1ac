# SPDX-License-Identifier: GPL-3.0-or-later
"""Is the hull of a patch one of its pieces? No other face may cut it, and a flat one is covered by its faces."""
from collections.abc import Callable

import numpy as np

from ...machine_code.jit import kernel
from ...radix_sort import order_of
from ...records import TriangleBlocks
from ...trees.bvh.build import triangle_codes

TRIANGLES_AT_ONCE = 1 << 18     # whose boxes take some hundredths of a second; blocks are not divided
CODE_BITS = 32
TRIANGLES_PER_BLOCK = 64    # triangles that have a box together
AREA_NOISE = 1e-6           # of the area of a flat hull: what its faces may leave uncovered


def blocks_of(points: np.ndarray, triangles: np.ndarray, tick: Callable[[], None] = lambda: None) -> TriangleBlocks:
    """Blocks of triangles (m,3) int32, m ≥ 1, of points (n,3) float64. tick(): called now and then, may raise."""
    codes = np.empty(len(triangles), np.uint32)
    triangle_codes(points, triangles, codes)
    keys = np.empty((2, len(codes)), np.int64)
    keys[0] = codes
    tick()
    order = order_of(keys, CODE_BITS, tick).astype(np.int64)
    boxes = []
    for first in range(0, len(order), TRIANGLES_AT_ONCE):
        tick()
        corners = points[triangles[order[first:first + TRIANGLES_AT_ONCE]]]
        begins = np.arange(0, len(corners), TRIANGLES_PER_BLOCK)
        boxes.append(np.concatenate([np.minimum.reduceat(corners.min(axis=1), begins),
                                     np.maximum.reduceat(corners.max(axis=1), begins)], axis=1))
    return TriangleBlocks(order, np.concatenate(boxes))


@kernel
def fits(points, members, vertices, triangles, blocks, room, count, noise, scratch):
    """True where the hull of a patch is cut by no other face, or, where it is flat, is covered by its faces.

    points: (n,3) float64, those of the patch; members: (k,) int32, its faces; blocks: TriangleBlocks of all faces;
    room: HullRoom with the hull's `count` faces; noise: how far a face may reach into it; scratch: CutScratch.
    """
    if count == 0:
        return False
    flat = True
    for i in range(points.shape[0]):
        if abs(height(points, i, room.planes[0])) > noise:
            flat = False
    if flat:
        covered = 0.0
        for m in range(members.shape[0]):
            covered += area(vertices, triangles, np.int64(members[m]))      # one kind of integer, one kernel
        both_sides = 0.0
        for f in range(count):
            both_sides += area(points, room.faces, f)
        return covered >= (1.0 - AREA_NOISE) * 0.5 * both_sides
    for axis in range(3):
        scratch.box[axis] = np.inf
        scratch.box[axis + 3] = -np.inf
        for i in range(points.shape[0]):
            scratch.box[axis] = min(scratch.box[axis], points[i, axis])
            scratch.box[axis + 3] = max(scratch.box[axis + 3], points[i, axis])
    for m in range(members.shape[0]):
        scratch.inside[members[m]] = 1
    cut = is_cut(vertices, triangles, blocks, room.planes[:count], noise, scratch)
    for m in range(members.shape[0]):
        scratch.inside[members[m]] = 0
    return not cut


@kernel
def height(points, i, plane):
    """How far point i is in front of a plane (4,)."""
    return plane[0] * points[i, 0] + plane[1] * points[i, 1] + plane[2] * points[i, 2] - plane[3]


@kernel
def area(points, faces, f):
    """The area of face f."""
    ux = points[faces[f, 1], 0] - points[faces[f, 0], 0]
    uy = points[faces[f, 1], 1] - points[faces[f, 0], 1]
    uz = points[faces[f, 1], 2] - points[faces[f, 0], 2]
    vx = points[faces[f, 2], 0] - points[faces[f, 0], 0]
    vy = points[faces[f, 2], 1] - points[faces[f, 0], 1]
    vz = points[faces[f, 2], 2] - points[faces[f, 0], 2]
    x = uy * vz - uz * vy
    y = uz * vx - ux * vz
    z = ux * vy - uy * vx
    return 0.5 * np.sqrt(x * x + y * y + z * z)


@kernel
def is_cut(points, triangles, blocks, planes, noise, scratch):
    """True where a triangle that is not marked in scratch.inside reaches into a hull of planes (f,4), whose box is
    scratch.box, by more than `noise`."""
    box = scratch.box
    for block in range(blocks.boxes.shape[0]):
        apart = False
        for x in range(3):
            if blocks.boxes[block, x + 3] <= box[x] + noise or blocks.boxes[block, x] >= box[x + 3] - noise:
                apart = True
        if apart:
            continue
        for k in range(TRIANGLES_PER_BLOCK * block, min(TRIANGLES_PER_BLOCK * (block + 1), blocks.order.shape[0])):
            t = blocks.order[k]
            if not scratch.inside[t] and reaches_in(points, triangles, t, planes, noise, scratch):
                return True
    return False


@kernel
def reaches_in(points, triangles, t, planes, noise, scratch):
    """True where triangle t does."""
    for x in range(3):
        p = points[triangles[t, 0], x]
        q = points[triangles[t, 1], x]
        r = points[triangles[t, 2], x]
        if (max(p, max(q, r)) <= scratch.box[x] + noise
                or min(p, min(q, r)) >= scratch.box[x + 3] - noise):
            return False
    one = scratch.one
    other = scratch.other
    for i in range(3):
        for x in range(3):
            one[i, x] = points[triangles[t, i], x]
    count = 3
    for f in range(planes.shape[0]):
        count = clip(one, count, planes[f], noise, other)
        one, other = other, one
        if count == 0:
            return False
    return True


@kernel
def clip(polygon, count, plane, noise, kept):
    """Write the part of a polygon that is more than `noise` behind a plane; returns its number of corners."""
    number = 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        here = (plane[0] * polygon[i, 0] + plane[1] * polygon[i, 1] + plane[2] * polygon[i, 2] - plane[3]) + noise
        there = (plane[0] * polygon[j, 0] + plane[1] * polygon[j, 1] + plane[2] * polygon[j, 2] - plane[3]) + noise
        if here < 0.0:
            for x in range(3):
                kept[number, x] = polygon[i, x]
            number += 1
        if (here < 0.0) != (there < 0.0):
            share = here / (here - there)
            for x in range(3):
                kept[number, x] = polygon[i, x] + share * (polygon[j, x] - polygon[i, x])
            number += 1
    return number
