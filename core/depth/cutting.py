# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of a triangle: clipped to half-spaces and boxes, cut in two."""
import math

from ..geometry.squares import squared
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH

MOST_CUT_CORNERS = 12       # of a triangle that was clipped by the six sides of a box


@kernel
def clip(polygon, count, heights, level, clipped):
    """The number of corners of the part of a convex polygon (≥ count,3) whose heights (≥ count,) are at most `level`;
    they are written to `clipped`."""
    kept = 0
    for i in range(count):
        j = (i + 1) % count
        if heights[i] <= level:
            for x in range(3):
                clipped[kept, x] = polygon[i, x]
            kept += 1
        if (heights[i] <= level) != (heights[j] <= level):
            t = (level - heights[i]) / (heights[j] - heights[i])
            for x in range(3):
                clipped[kept, x] = polygon[i, x] + t * (polygon[j, x] - polygon[i, x])
            kept += 1
    return kept


@kernel
def clip_to_box(box, margin, polygons, heights):
    """The number of corners of what the box (6,), larger by a margin, leaves of the triangle in polygons[0], which is
    written there; polygons: (2,MOST_CUT_CORNERS,3)."""
    count = 3
    for x in range(3):
        for side in range(2):
            source = polygons[side]
            for i in range(count):
                heights[i] = -source[i, x] if side == 0 else source[i, x]
            level = (-box[x] if side == 0 else box[HIGH + x]) + margin
            count = clip(source, count, heights, level, polygons[1 - side])
    return count


@kernel
def sticks_out(corners, box):
    """True where a triangle (3,3) is along some axis more than twice as long as its part in the box (6,)."""
    for x in range(3):
        low = min(corners[0, x], min(corners[1, x], corners[2, x]))
        high = max(corners[0, x], max(corners[1, x], corners[2, x]))
        if high - low > 2.0 * (min(high, box[HIGH + x]) - max(low, box[x])):
            return True
    return False


@kernel
def height_of_longest_edge(corners, heights):
    """heights (≥ 3,) = 1, -1 and 0: the plane through them halves the longest edge of a piece (3,3) and holds its
    other corner. Exact halves need no other place."""
    longest = -1.0
    best = 0
    for i in range(3):
        j = (i + 1) % 3
        square = 0.0
        for x in range(3):
            square += squared(corners[j, x] - corners[i, x])
        if square > longest:
            longest = square
            best = i
    heights[best] = 1.0
    heights[(best + 1) % 3] = -1.0
    heights[(best + 2) % 3] = 0.0


@kernel
def heights_over_sides(corners, world, rows, unit, heights):
    """(found, evenness): True where a plane upright on a triangle along one of its sides cuts a piece (3,3), and how
    far the piece reaches on both sides of it at least. heights (≥ 3,) are then those of the piece's corners over the
    plane that cuts it most evenly. The triangle: world[rows[0:3]]."""
    best = 0.0
    found = False
    ux, uy, uz = _edge(world, rows[0], rows[1], unit)
    vx, vy, vz = _edge(world, rows[0], rows[2], unit)
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    for i in range(3):
        ex, ey, ez = _edge(world, rows[i], rows[(i + 1) % 3], unit)
        mx = ey * nz - ez * ny
        my = ez * nx - ex * nz
        mz = ex * ny - ey * nx
        length = math.sqrt(mx * mx + my * my + mz * mz)
        if not length > 0.0:
            continue
        over = 1.0 / length
        p = over * _height(corners, 0, world, rows[i], mx, my, mz, unit)
        q = over * _height(corners, 1, world, rows[i], mx, my, mz, unit)
        r = over * _height(corners, 2, world, rows[i], mx, my, mz, unit)
        evenness = min(max(p, max(q, r)), -min(p, min(q, r)))
        if evenness > best:
            best = evenness
            heights[0] = p
            heights[1] = q
            heights[2] = r
            found = True
    return found, best


@kernel
def _edge(world, i, j, unit):
    """The vector from one vertex to another."""
    return (world[j, 0] - world[i, 0]) * unit, (world[j, 1] - world[i, 1]) * unit, (world[j, 2] - world[i, 2]) * unit


@kernel
def _height(corners, k, world, row, nx, ny, nz, unit):
    """How far a corner is from a vertex along a vector."""
    return ((corners[k, 0] - world[row, 0]) * unit * nx + (corners[k, 1] - world[row, 1]) * unit * ny
            + (corners[k, 2] - world[row, 2]) * unit * nz)
