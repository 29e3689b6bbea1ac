# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex hull of a few points, as triangles: point after point, faces that it sees are replaced by a cone."""
import functools

import numpy as np

from ...geometry.squares import squared
from ...machine_code.jit import kernel
from ...records import HullRoom

FLAT_RELATIVE = 1e-6    # of the size: bodies that are no thicker are flat
HULL_NOISE_RELATIVE = 1e-10  # of the size: points that are no farther out are in a face
FACES_PER_POINT = 8     # faces per point that there is room for; 2 are usual


def convex_hull(points: np.ndarray) -> np.ndarray:
    """(f,3) int32: the faces of the hull of points (n,3) float64, counterclockwise from outside; of a flat one both
    sides, none where the points lie on a line. Points that are less than a millionth of the size beside a face may stay
    outside."""
    room = room_for(len(points))
    return room.faces[:make_hull(np.ascontiguousarray(points), shuffle_of(len(points)), room)].copy()


def room_for(points: int) -> HullRoom:
    """For hulls of at most so many points."""
    faces = FACES_PER_POINT * points + 64
    return HullRoom(np.empty(4, np.int64), np.empty(points, np.int64), np.empty(2 * points, np.int64),
                    np.empty((points, 2)), np.empty((faces, 3), np.int32), np.empty((faces, 4)),
                    np.empty((faces, 3), np.int32))


@functools.lru_cache(maxsize=256)
def shuffle_of(points: int) -> np.ndarray:
    """(points - 4,) int64: the order in which points are added after the first four, the same every time."""
    return np.random.default_rng(points).permutation(max(0, points - 4)).astype(np.int64)


def planes_of(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(f,4) float64: the unit normals of faces and their offsets, 0 for faces without area."""
    a, b, c = (points[faces[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.sqrt((normals ** 2).sum(axis=1)), 1e-300)[:, None]
    return np.column_stack([normals, (normals * a).sum(axis=1)])


@kernel
def make_hull(points, shuffle, room):
    """Write the faces of the hull of points (n,3) and their planes to room, HullRoom; returns how many they are, as
    `convex_hull`. shuffle: of `shuffle_of`."""
    n = points.shape[0]
    size = largest_extent(points)
    number = first_corners(points, size, room.first)
    if number < 3:
        return 0
    if number == 3:
        return fan(points, flat_ring(points, room), room)
    rest = 0
    for i in range(n):
        if i != room.first[0] and i != room.first[1] and i != room.first[2] and i != room.first[3]:
            room.ring[rest] = i
            rest += 1
    for i in range(4):
        room.order[i] = room.first[i]
    for i in range(rest):
        room.order[4 + i] = room.ring[shuffle[i]]
    return add_points(points, room.order[:n], HULL_NOISE_RELATIVE * size, room.faces, room.planes, room.seen)


@kernel
def largest_extent(points):
    """The largest edge of the box around points (n,3), 0 for none."""
    size = 0.0
    for axis in range(3):
        low = np.inf
        high = -np.inf
        for i in range(points.shape[0]):
            low = min(low, points[i, axis])
            high = max(high, points[i, axis])
        size = max(size, high - low)
    return size


@kernel
def first_corners(points, size, first):
    """Write to first (4,) four points of a solid tetrahedron and return 4, three of a triangle where all lie in its
    plane, and 3, or return less. size: of `largest_extent`."""
    if size == 0.0:
        return 0
    a = 0
    widest = -1.0
    for axis in range(3):
        low = 0
        high = 0
        for i in range(points.shape[0]):
            if points[i, axis] < points[low, axis]:
                low = i
            if points[i, axis] > points[high, axis]:
                high = i
        if points[high, axis] - points[low, axis] > widest:
            widest = points[high, axis] - points[low, axis]
            a = low
    b = a
    most = -1.0
    for i in range(points.shape[0]):
        x = points[i, 0] - points[a, 0]
        y = points[i, 1] - points[a, 1]
        z = points[i, 2] - points[a, 2]
        if x * x + y * y + z * z > most:
            most = x * x + y * y + z * z
            b = i
    first[0] = a
    first[1] = b
    return third_and_fourth(points, size, first)


@kernel
def third_and_fourth(points, size, first):
    """Complete first (4,), whose first two are far apart; returns as `first_corners`."""
    a = first[0]
    b = first[1]
    ux = points[b, 0] - points[a, 0]
    uy = points[b, 1] - points[a, 1]
    uz = points[b, 2] - points[a, 2]
    length = np.sqrt(ux * ux + uy * uy + uz * uz)
    c = a
    most = -1.0
    for i in range(points.shape[0]):
        x, y, z = across(points, a, i, ux / length, uy / length, uz / length)
        if x * x + y * y + z * z > most:
            most = x * x + y * y + z * z
            c = i
    first[2] = c
    if most <= squared(FLAT_RELATIVE * size):
        return 2
    x, y, z = across(points, a, c, ux, uy, uz)      # down, as across turns the other way round
    length = np.sqrt(x * x + y * y + z * z)
    d = a
    most = 0.0
    for i in range(points.shape[0]):
        height = -((points[i, 0] - points[a, 0]) * (x / length) + (points[i, 1] - points[a, 1]) * (y / length)
                   + (points[i, 2] - points[a, 2]) * (z / length))
        if abs(height) > abs(most):
            most = height
            d = i
    if abs(most) <= FLAT_RELATIVE * size:
        return 3
    first[3] = d
    if most >= 0.0:
        first[1] = c
        first[2] = b
    return 4


@kernel
def across(points, a, i, ux, uy, uz):
    """The way from point a to point i, times u: its cross product."""
    x = points[i, 0] - points[a, 0]
    y = points[i, 1] - points[a, 1]
    z = points[i, 2] - points[a, 2]
    return y * uz - z * uy, z * ux - x * uz, x * uy - y * ux


@kernel
def flat_ring(points, room):
    """Write to room.ring the corners of the hull of points in a plane, in order, seen so that the three of room.first
    go counterclockwise; returns how many they are. By Andrew's monotone chain."""
    put_flat(points, room.first, room.flat)
    n = points.shape[0]
    flat = room.flat
    order = room.order
    for i in range(n):
        k = i
        while k > 0 and (flat[i, 0] < flat[order[k - 1], 0]
                         or (flat[i, 0] == flat[order[k - 1], 0] and flat[i, 1] < flat[order[k - 1], 1])):
            order[k] = order[k - 1]
            k -= 1
        order[k] = i
    end = 0
    for half in range(2):
        begin = end
        for k in range(n):
            i = order[k] if half == 0 else order[n - 1 - k]
            while end > begin + 1 and not turns_left(flat, room.ring[end - 2], room.ring[end - 1], i):
                end -= 1
            room.ring[end] = i
            end += 1
        end -= 1        # the other half begins with it
    return end


@kernel
def turns_left(flat, i, j, k):
    """True where the way i, j, k in a plane turns to the left."""
    px = flat[j, 0] - flat[i, 0]
    py = flat[j, 1] - flat[i, 1]
    qx = flat[k, 0] - flat[j, 0]
    qy = flat[k, 1] - flat[j, 1]
    return px * qy - py * qx > 0.0


@kernel
def put_flat(points, first, flat):
    """flat[i] = point i in the plane of three points, of which the first is the origin and the second lies on x."""
    a = first[0]
    ux = points[first[1], 0] - points[a, 0]
    uy = points[first[1], 1] - points[a, 1]
    uz = points[first[1], 2] - points[a, 2]
    length = np.sqrt(ux * ux + uy * uy + uz * uz)
    nx, ny, nz = across(points, a, first[2], -ux, -uy, -uz)
    ux /= length
    uy /= length
    uz /= length
    vx = ny * uz - nz * uy
    vy = nz * ux - nx * uz
    vz = nx * uy - ny * ux
    length = np.sqrt(vx * vx + vy * vy + vz * vz)
    for i in range(points.shape[0]):
        x = points[i, 0] - points[a, 0]
        y = points[i, 1] - points[a, 1]
        z = points[i, 2] - points[a, 2]
        flat[i, 0] = x * ux + y * uy + z * uz
        flat[i, 1] = x * (vx / length) + y * (vy / length) + z * (vz / length)


@kernel
def fan(points, corners, room):
    """Write both sides of the polygon room.ring, of so many corners; returns how many faces they are."""
    count = 0
    for side in range(2):
        for k in range(1, corners - 1):
            j = room.ring[k]
            m = room.ring[k + 1]
            if side == 0:
                count = add_face(points, room.ring[0], j, m, room.faces, room.planes, count)
            else:
                count = add_face(points, m, j, room.ring[0], room.faces, room.planes, count)
    return count


@kernel
def add_points(points, order, noise, faces, planes, seen):
    """Write the faces of the hull and their planes; returns how many they are.

    order: (n,) int64, the first four are a tetrahedron, the fourth being behind the other three. seen: (…,3) int32
    scratch, with room for as many faces.
    """
    count = 0
    for k in range(4):
        i = order[(k + 1) & 3]
        j = order[(k + 2) & 3]
        m = order[(k + 3) & 3]
        count = add_face(points, i, j, m, faces, planes, count)
        other = order[k]
        height = (planes[count - 1, 0] * points[other, 0] + planes[count - 1, 1] * points[other, 1]
                  + planes[count - 1, 2] * points[other, 2] - planes[count - 1, 3])
        if height > 0.0:
            count = add_face(points, i, m, j, faces, planes, count - 1)
    for k in range(4, order.shape[0]):
        p = order[k]
        visible = 0
        kept = 0
        for f in range(count):
            height = (planes[f, 0] * points[p, 0] + planes[f, 1] * points[p, 1] + planes[f, 2] * points[p, 2]
                      - planes[f, 3])
            if height > noise:
                for x in range(3):
                    seen[visible, x] = faces[f, x]
                visible += 1
            elif visible > 0:
                for x in range(3):
                    faces[kept, x] = faces[f, x]
                for x in range(4):
                    planes[kept, x] = planes[f, x]
            if height <= noise:
                kept += 1
        if visible == 0:
            continue
        count = kept
        if count + 3 * visible > faces.shape[0]:
            return count
        for f in range(visible):
            for x in range(3):
                i = np.int64(seen[f, x])
                j = np.int64(seen[f, (x + 1) % 3])
                if not has_edge(seen, visible, j, i):
                    count = add_face(points, i, j, p, faces, planes, count)
    return count


@kernel
def has_edge(faces, count, i, j):
    """True where one of the first `count` faces has the edge from i to j."""
    for f in range(count):
        for x in range(3):
            if faces[f, x] == i and faces[f, (x + 1) % 3] == j:
                return True
    return False


@kernel
def add_face(points, i, j, m, faces, planes, count):
    """Append a face; returns how many there are then."""
    faces[count, 0] = i
    faces[count, 1] = j
    faces[count, 2] = m
    ux = points[j, 0] - points[i, 0]
    uy = points[j, 1] - points[i, 1]
    uz = points[j, 2] - points[i, 2]
    vx = points[m, 0] - points[i, 0]
    vy = points[m, 1] - points[i, 1]
    vz = points[m, 2] - points[i, 2]
    x = uy * vz - uz * vy
    y = uz * vx - ux * vz
    z = ux * vy - uy * vx
    length = max(np.sqrt(x * x + y * y + z * z), 1e-300)
    planes[count, 0] = x / length
    planes[count, 1] = y / length
    planes[count, 2] = z / length
    planes[count, 3] = (x * points[i, 0] + y * points[i, 1] + z * points[i, 2]) / length
    return count + 1
