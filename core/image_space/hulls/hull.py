# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex hull of a few points, as triangles: point after point, faces that it sees are replaced by a cone."""
import numpy as np

from ...machine_code.jit import kernel

FLAT_RELATIVE = 1e-6    # of the size: bodies that are no thicker are flat
HULL_NOISE_RELATIVE = 1e-10  # of the size: points that are no farther out are in a face
FACES_PER_POINT = 8     # faces per point that there is room for; 2 are usual


def convex_hull(points: np.ndarray) -> np.ndarray:
    """(f,3) int32: the faces of the hull of points (n,3) float64, counterclockwise from outside; of a flat one both
    sides, none where the points lie on a line. Points that are less than a millionth of the size beside a face may stay
    outside."""
    size = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    first = _first_corners(points, size)
    if len(first) < 3:
        return np.zeros((0, 3), np.int32)
    if len(first) == 3:
        ring = flat_ring(points, first)
        fan = np.stack([np.full(len(ring) - 2, ring[0]), ring[1:-1], ring[2:]], axis=1)
        return np.concatenate([fan, fan[:, ::-1]]).astype(np.int32)
    rest = np.setdiff1d(np.arange(len(points)), first)
    order = np.concatenate([first, np.random.default_rng(len(points)).permutation(rest)]).astype(np.int64)
    room = FACES_PER_POINT * len(points) + 64
    faces, planes = np.empty((room, 3), np.int32), np.empty((room, 4))
    count = add_points(points, order, HULL_NOISE_RELATIVE * size, faces, planes, np.empty((room, 3), np.int32))
    return faces[:count].copy()


def planes_of(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(f,4) float64: the unit normals of faces and their offsets, 0 for faces without area."""
    a, b, c = (points[faces[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.sqrt((normals ** 2).sum(axis=1)), 1e-300)[:, None]
    return np.column_stack([normals, (normals * a).sum(axis=1)])


def _first_corners(points: np.ndarray, size: float) -> np.ndarray:
    """(k,) int64: four points of a solid tetrahedron, three of a triangle where all lie in its plane, or fewer."""
    if size == 0.0:
        return np.zeros(0, np.int64)
    a = int(np.argmin(points[:, int(np.ptp(points, axis=0).argmax())]))
    b = int(((points - points[a]) ** 2).sum(axis=1).argmax())
    along = points[b] - points[a]
    across = np.cross(points - points[a], along / np.sqrt((along ** 2).sum()))
    square = (across ** 2).sum(axis=1)
    c = int(square.argmax())
    if square[c] <= (FLAT_RELATIVE * size) ** 2:
        return np.array([a, b])
    normal = np.cross(along, points[c] - points[a])
    height = (points - points[a]) @ (normal / np.sqrt((normal ** 2).sum()))
    d = int(np.abs(height).argmax())
    if abs(height[d]) <= FLAT_RELATIVE * size:
        return np.array([a, b, c])
    return np.array([a, b, c, d] if height[d] < 0.0 else [a, c, b, d])


def flat_ring(points: np.ndarray, first: np.ndarray) -> np.ndarray:
    """(k,) int64: the corners of the hull of points in a plane, in order, seen so that the three of `first` go
    counterclockwise."""
    a, b, c = points[first]
    u = (b - a) / np.sqrt(((b - a) ** 2).sum())
    v = np.cross(np.cross(b - a, c - a), u)
    flat = np.column_stack([(points - a) @ u, (points - a) @ (v / np.sqrt((v ** 2).sum()))])
    order = np.lexsort((flat[:, 1], flat[:, 0])).tolist()
    half = [_chain(flat, turn) for turn in (order, order[::-1])]
    return np.array(half[0][:-1] + half[1][:-1], np.int64)


def _chain(flat: np.ndarray, order: list[int]) -> list[int]:
    """One half of the ring, by Andrew's monotone chain."""
    ring: list[int] = []
    for i in order:
        while len(ring) > 1:
            (px, py), (qx, qy) = flat[ring[-1]] - flat[ring[-2]], flat[i] - flat[ring[-2]]
            if px * qy - py * qx > 0.0:
                break
            ring.pop()
        ring.append(i)
    return ring


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
