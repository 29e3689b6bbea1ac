# SPDX-License-Identifier: GPL-3.0-or-later
"""The triangles of two objects where they meet, in columns, so that a point is measured against all of one at once.

Coordinates are counted from a point near by and in units of the pair, which keeps them exact far from the origin, too.
Rows of numbers are flat, LOCAL_STRIDE numbers each. Side 0 is object a, side 1 object b.
"""
import math

import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..trees.bounds import HIGH
from ..trees.bvh.triangles_in_box import NO_TRIANGLE, before_first, next_triangle, set_box
from .point_triangle import NEEDLE

MOST_PIECE_CORNERS = 1 << 15    # of all pieces of a pair
MOST_TRIANGLES = 512        # of one object: where there are more, a search down its tree is faster
LOCAL_STRIDE = unsigned(MOST_TRIANGLES + 8)  # no power of two: all rows would share the same lines of the cache
MOST_VERTICES = 3 * MOST_TRIANGLES
MOST_NEAR = 1 << 15         # triangles of one object in the box that both objects' boxes have in common
# Rows of columns: a triangle's first corner, its edges to the second and the third, the inverse squares of its edges,
# two vectors whose products with a point, from the first corner on, are the shares of its foot on the face, the unit
# normal, how much heights over the plane are in doubt, and the length of the longest edge.
TO_SECOND, TO_THIRD, INVERSE_SQUARE, FOOT_VECTORS = 3, 6, 9, 12
NORMAL, IN_DOUBT, LONGEST_EDGE, COLUMN_ROWS = 18, 21, 22, 23
HEIGHT_ROUNDING = 2.0 ** -47    # of heights over a plane, times the sine of the triangle's first angle
TRIANGLE_COUNT, VERTEX_COUNT, MEMBERS = 0, 1, 2      # columns of LocalPair.sizes
SQUARES, POINTS, CORNERS, ENDS_ON_SURFACE, OUTER_POINT, PIECE_UNPASSED, ENOUGH = range(7)   # LocalPair.used
NO_ROW = -1
PLANE_NOT_ASKED = -1        # of LocalPair.plane
NO_FACE = -1                # of LocalPair.face_first
# Of LocalPair.whole: contacts do not tell the sides of points; nor which parts may be inside; nor are all of them
# known, as the triangle reaches out of the box that is looked at.
SIDES_IN_DOUBT, PARTS_IN_DOUBT, PARTS_BEYOND = 1, 2, 3
UNASKED = 3                 # side of a group of vertices, beside those of nearest_surface.py


@kernel
def gather(side, obj, low, high, unit, trees, local, scratch):
    """True where all triangles of an object in the box from low to high, (3,) float64, are in `local` now. False where
    they are too many, or one is so thin that its distance is in doubt."""
    count = slots_in_box(obj, low, high, MOST_TRIANGLES, trees, local.near[side], scratch)
    if count > MOST_TRIANGLES:
        return False
    for k in range(count):
        if not add_triangle(side, obj, local.near[side, k], unit, trees.corners, local):
            return False
    return True


@kernel
def slots_in_box(obj, low, high, most, trees, slots, scratch):
    """How many triangles an object has whose boxes meet the one from low to high, (3,) float64; their slots are put
    into `slots`, at least (most,) int32. One more than `most`, where they are more."""
    for x in range(3):
        set_box(scratch.box, x, low[x], high[x], trees.quantization)
    count = 0
    at = before_first(obj, trees, scratch.stack)
    while True:
        slot, at = next_triangle(scratch.box, trees, scratch.stack, at)
        if slot == NO_TRIANGLE:
            break
        if count == most:
            return most + 1
        slots[count] = slot
        count += 1
    return count


@kernel
def add_triangle(side, obj, slot, unit, corners, local):
    """True where a triangle was added to those of a side."""
    k = local.sizes[side, TRIANGLE_COUNT]
    if k == MOST_TRIANGLES:
        return False
    local.sizes[side, TRIANGLE_COUNT] = k + 1
    triangle = corners.triangle_start[obj] + slot
    local.slots[side, k] = slot
    local.triangle_of[side, corners.order[triangle]] = k
    local.first[side, k] = 0
    local.whole[side, k] = 0
    local.face_first[side, k] = NO_FACE
    for i in range(3):
        vertex = corners.triangles[triangle, i]
        number = local.vertex_of[side, vertex]
        if number < 0:
            number = np.int32(local.sizes[side, VERTEX_COUNT])
            local.sizes[side, VERTEX_COUNT] += 1
            local.vertex_of[side, vertex] = number
            row = corners.world_start[obj] + vertex
            local.rows[side, number] = row
            local.group[side, number] = number
            local.sides[side, number] = UNASKED
            local.row_start[side, number] = NO_ROW
            for x in range(3):
                local.points[side, number, x] = (corners.world[row, x] - local.origin[x]) * unit
        local.corners[side, k, i] = number
    return fill_column(side, k, unit, corners.world, local)


@kernel
def fill_column(side, k, unit, world, local):
    """Write column k of local.columns. False where its triangle is nearly a segment."""
    # Edges by exact corners: an error relative to the pair would turn the planes of small triangles.
    i = local.corners[side, k, 0]
    p = local.rows[side, i]
    q = local.rows[side, local.corners[side, k, 1]]
    r = local.rows[side, local.corners[side, k, 2]]
    ux = (world[q, 0] - world[p, 0]) * unit
    uy = (world[q, 1] - world[p, 1]) * unit
    uz = (world[q, 2] - world[p, 2]) * unit
    vx = (world[r, 0] - world[p, 0]) * unit
    vy = (world[r, 1] - world[p, 1]) * unit
    vz = (world[r, 2] - world[p, 2]) * unit
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    uu = ux * ux + uy * uy + uz * uz
    vv = vx * vx + vy * vy + vz * vz
    ee = (vx - ux) * (vx - ux) + (vy - uy) * (vy - uy) + (vz - uz) * (vz - uz)
    if not nn > max(NEEDLE * uu * vv, 1e-280):
        return False
    C = local.columns[side]
    put(C, 0, k, local.points[side, i, 0], local.points[side, i, 1], local.points[side, i, 2])
    put(C, TO_SECOND, k, ux, uy, uz)
    put(C, TO_THIRD, k, vx, vy, vz)
    put(C, INVERSE_SQUARE, k, 1.0 / uu, 1.0 / vv, 1.0 / ee)
    over = 1.0 / nn
    put(C, FOOT_VECTORS, k, (vy * nz - vz * ny) * over, (vz * nx - vx * nz) * over, (vx * ny - vy * nx) * over)
    put(C, FOOT_VECTORS + 3, k, (ny * uz - nz * uy) * over, (nz * ux - nx * uz) * over, (nx * uy - ny * ux) * over)
    over = 1.0 / math.sqrt(nn)
    put(C, NORMAL, k, nx * over, ny * over, nz * over)
    C[unsigned(IN_DOUBT) * LOCAL_STRIDE + unsigned(k)] = HEIGHT_ROUNDING * over * math.sqrt(uu * vv)
    C[unsigned(LONGEST_EDGE) * LOCAL_STRIDE + unsigned(k)] = math.sqrt(max(uu, max(vv, ee)))
    local.plane[side, k] = PLANE_NOT_ASKED
    return True


@kernel
def put(C, row, k, x, y, z):
    """Write column k of three rows."""
    at = unsigned(row) * LOCAL_STRIDE + unsigned(k)
    C[at] = x
    C[at + LOCAL_STRIDE] = y
    C[at + LOCAL_STRIDE + LOCAL_STRIDE] = z


@kernel
def squares_to(C, count, x, y, z, squares, start):
    """squares[start + k] = the squared distance of a point to triangle k of the first `count` columns of C. The
    arithmetic is that of point_triangle.py, with the foot found twice always."""
    for k in range(unsigned(count)):
        k1 = k + LOCAL_STRIDE
        k2 = k1 + LOCAL_STRIDE
        k3 = k2 + LOCAL_STRIDE
        k4 = k3 + LOCAL_STRIDE
        k5 = k4 + LOCAL_STRIDE
        k6 = k5 + LOCAL_STRIDE
        k7 = k6 + LOCAL_STRIDE
        k8 = k7 + LOCAL_STRIDE
        k9 = k8 + LOCAL_STRIDE
        k10 = k9 + LOCAL_STRIDE
        k11 = k10 + LOCAL_STRIDE
        k12 = k11 + LOCAL_STRIDE
        k13 = k12 + LOCAL_STRIDE
        k14 = k13 + LOCAL_STRIDE
        k15 = k14 + LOCAL_STRIDE
        k16 = k15 + LOCAL_STRIDE
        k17 = k16 + LOCAL_STRIDE
        wx = x - C[k]
        wy = y - C[k1]
        wz = z - C[k2]
        ux = C[k3]
        uy = C[k4]
        uz = C[k5]
        vx = C[k6]
        vy = C[k7]
        vz = C[k8]
        s = min(max((ux * wx + uy * wy + uz * wz) * C[k9], 0.0), 1.0)
        rx = wx - s * ux
        ry = wy - s * uy
        rz = wz - s * uz
        square = rx * rx + ry * ry + rz * rz
        s = min(max((vx * wx + vy * wy + vz * wz) * C[k10], 0.0), 1.0)
        rx = wx - s * vx
        ry = wy - s * vy
        rz = wz - s * vz
        square = min(square, rx * rx + ry * ry + rz * rz)
        ex = vx - ux
        ey = vy - uy
        ez = vz - uz
        px = wx - ux
        py = wy - uy
        pz = wz - uz
        s = min(max((ex * px + ey * py + ez * pz) * C[k11], 0.0), 1.0)
        rx = px - s * ex
        ry = py - s * ey
        rz = pz - s * ez
        square = min(square, rx * rx + ry * ry + rz * rz)
        s = wx * C[k12] + wy * C[k13] + wz * C[k14]
        t = wx * C[k15] + wy * C[k16] + wz * C[k17]
        rx = wx - s * ux - t * vx
        ry = wy - s * uy - t * vy
        rz = wz - s * uz - t * vz
        s += rx * C[k12] + ry * C[k13] + rz * C[k14]
        t += rx * C[k15] + ry * C[k16] + rz * C[k17]
        rx = wx - s * ux - t * vx
        ry = wy - s * uy - t * vy
        rz = wz - s * uz - t * vz
        face = rx * rx + ry * ry + rz * rz
        face = face if (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0) else math.inf
        squares[unsigned(start) + k] = min(square, face)


@kernel
def measure_row(side, x, y, z, local):
    """Where the squared distances of a point to all triangles of a side begin in local.squares, which has room."""
    start = local.used[SQUARES]
    local.used[SQUARES] += local.sizes[side, TRIANGLE_COUNT]
    local.used[POINTS] += 1
    squares_to(local.columns[side], local.sizes[side, TRIANGLE_COUNT], x, y, z, local.squares, start)
    return start


@kernel
def is_common(point, local):
    """True where a point (3,) is in local.common."""
    for x in range(3):
        if not local.common[x] <= point[x] <= local.common[HIGH + x]:
            return False
    return True


@kernel
def height(C, k, x, y, z):
    """How far a point is above the plane of triangle k of the columns C."""
    at = unsigned(k)
    to = unsigned(NORMAL) * LOCAL_STRIDE + at
    return ((x - C[at]) * C[to] + (y - C[at + LOCAL_STRIDE]) * C[to + LOCAL_STRIDE]
            + (z - C[at + LOCAL_STRIDE + LOCAL_STRIDE]) * C[to + LOCAL_STRIDE + LOCAL_STRIDE])


@kernel
def plane_axes(side, k, local):
    """The two axes that the plane of triangle k of a side is least upright on."""
    at = unsigned(NORMAL) * LOCAL_STRIDE + unsigned(k)
    C = local.columns[side]
    x = abs(C[at])
    y = abs(C[at + LOCAL_STRIDE])
    z = abs(C[at + LOCAL_STRIDE + LOCAL_STRIDE])
    axis = 0 if x >= max(y, z) else 1 if y >= z else 2
    return (axis + 1) % 3, (axis + 2) % 3


@kernel
def nearest_of(squares, start, count):
    """(least square, its first place) of a row of so many."""
    first = unsigned(start)
    one = two = three = four = math.inf     # each waits for itself only
    for k in range(unsigned(count) >> unsigned(2)):
        at = first + (k << unsigned(2))
        one = min(one, squares[at])
        two = min(two, squares[at + unsigned(1)])
        three = min(three, squares[at + unsigned(2)])
        four = min(four, squares[at + unsigned(3)])
    for rest in range(count & ~3, count):
        one = min(one, squares[first + unsigned(rest)])
    least = min(min(one, two), min(three, four))
    place = 0
    while place < count - 1 and squares[first + unsigned(place)] != least:
        place += 1
    return least, place


@kernel
def least_of_largest(squares, p, q, r, count):
    """The least of the largest squares in three rows of so many, which begin at p, q and r."""
    one = two = three = four = math.inf
    for k in range(unsigned(count) >> unsigned(2)):
        at = k << unsigned(2)
        one = min(one, largest_of(squares, p + at, q + at, r + at))
        at += unsigned(1)
        two = min(two, largest_of(squares, p + at, q + at, r + at))
        at += unsigned(1)
        three = min(three, largest_of(squares, p + at, q + at, r + at))
        at += unsigned(1)
        four = min(four, largest_of(squares, p + at, q + at, r + at))
    for rest in range(count & ~3, count):
        last = unsigned(rest)
        one = min(one, largest_of(squares, p + last, q + last, r + last))
    return min(min(one, two), min(three, four))


@kernel
def largest_of(squares, i, j, k):
    """The largest of three squares."""
    return max(squares[i], max(squares[j], squares[k]))


@kernel
def forget(side, obj, corners, local):
    """Leave no triangle on a side."""
    for k in range(local.sizes[side, TRIANGLE_COUNT]):
        local.triangle_of[side, corners.order[corners.triangle_start[obj] + local.slots[side, k]]] = -1
    for number in range(local.sizes[side, VERTEX_COUNT]):
        local.vertex_of[side, local.rows[side, number] - corners.world_start[obj]] = -1
    local.sizes[side] = 0
