# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole meshes in motion, as an oracle: poses by quaternions of an eigenvalue problem, distances of all pairs of
triangles by their features, times by sampling. Slow, plain, and without a line of the core."""
import numpy as np


class Body:
    """A mesh that moves from t = 0 to t = 1. ends: two 4×4 poses; vertices_end: None where the mesh does not deform."""

    def __init__(self, vertices, triangles, first, last, vertices_end=None):
        self.vertices, self.triangles = np.asarray(vertices, float), np.asarray(triangles)
        self.ends = [self.vertices @ first[:3, :3].T + first[:3, 3],
                     (self.vertices if vertices_end is None else vertices_end) @ last[:3, :3].T + last[:3, 3]]
        self.origins = first[:3, 3], last[:3, 3]
        self.rigid = vertices_end is None and comparable(first, last)
        if self.rigid:
            (r0, self.s0), (r1, self.s1) = (polar(each[:3, :3]) for each in (first, last))
            self.q0, q1 = quaternion(r0), quaternion(r1)
            self.q1 = q1 if self.q0 @ q1 >= 0 else -q1

    def corners(self, t: float):
        """(m,3,3) world corners at a time."""
        if not self.rigid:
            return ((1 - t) * self.ends[0] + t * self.ends[1])[self.triangles]
        matrix = rotation(slerp(self.q0, self.q1, t)) @ ((1 - t) * self.s0 + t * self.s1)
        return (self.vertices @ matrix.T + (1 - t) * self.origins[0] + t * self.origins[1])[self.triangles]

    def speed(self) -> float:
        """No vertex is faster."""
        if not self.rigid:
            return np.linalg.norm(self.ends[1] - self.ends[0], axis=1).max()
        size = np.linalg.norm(self.vertices, axis=1).max()
        angle = 2 * np.arccos(min(1.0, abs(self.q0 @ self.q1)))
        return (np.linalg.norm(np.subtract(*self.origins)) + size * angle * max(np.linalg.norm(self.s0, 2),
                np.linalg.norm(self.s1, 2)) + size * np.linalg.norm(self.s1 - self.s0, 2))


def comparable(first, last) -> bool:
    """Both poses can be taken apart, and are mirrored or not alike."""
    values = [np.linalg.svd(each[:3, :3])[1] for each in (first, last)]
    if any(v[2] <= 1e-9 * v[0] for v in values):
        return np.array_equal(first[:3, :3], last[:3, :3])
    return np.linalg.det(first[:3, :3]) * np.linalg.det(last[:3, :3]) > 0


def polar(matrix):
    """(rotation, stretch) by Newton's iteration."""
    q = matrix / np.cbrt(abs(np.linalg.det(matrix)) or 1.0)
    for _ in range(200):
        better = 0.5 * (q + np.linalg.inv(q).T)
        if np.abs(better - q).max() < 1e-16:
            break
        q = better
    q = q * (1 if np.linalg.det(q) > 0 else -1)
    return q, q.T @ matrix


def quaternion(r):
    """(w, x, y, z): the eigenvector of Bar-Itzhack's matrix for its largest eigenvalue."""
    k = np.array([[r[0, 0] + r[1, 1] + r[2, 2], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
                  [0, r[0, 0] - r[1, 1] - r[2, 2], r[1, 0] + r[0, 1], r[2, 0] + r[0, 2]],
                  [0, 0, r[1, 1] - r[0, 0] - r[2, 2], r[2, 1] + r[1, 2]],
                  [0, 0, 0, r[2, 2] - r[0, 0] - r[1, 1]]])
    return np.linalg.eigh(np.triu(k) + np.triu(k, 1).T)[1][:, 3]


def slerp(p, q, t: float):
    angle = np.arccos(min(1.0, p @ q))
    if angle < 1e-7:
        between = (1 - t) * p + t * q
        return between / np.linalg.norm(between)
    return (np.sin((1 - t) * angle) * p + np.sin(t * angle) * q) / np.sin(angle)


def rotation(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def distance(first: Body, second: Body, t: float) -> float:
    """Of the two surfaces at a time; 0 where an edge passes through a face."""
    p, q = first.corners(t), second.corners(t)
    i, j = np.divmod(np.arange(len(p) * len(q)), len(q))
    least = np.sqrt(np.square(np.maximum(np.maximum(p.min(axis=1)[i] - q.max(axis=1)[j],
                                                    q.min(axis=1)[j] - p.max(axis=1)[i]), 0)).sum(axis=1))
    best = np.inf
    for some in np.array_split(np.argsort(least), max(1, len(least) // 64)):
        some = some[least[some] <= best]
        if len(some):
            best = min(best, triangle_distances(p[i[some]], q[j[some]]).min())
    return best


def triangle_distances(p, q):
    """(n,) distances of the triangles p, q (n,3,3)."""
    sides_p, sides_q = ((each, np.roll(each, 1, axis=1)) for each in (p, q))
    every = [np.repeat(ends, 3, axis=1).reshape(-1, 3) for ends in sides_p]
    beside = [np.tile(ends, (1, 3, 1)).reshape(-1, 3) for ends in sides_q]
    best = segment_distances(*every, *beside).reshape(-1, 9).min(axis=1)
    for sides, other in ((sides_p, q), (sides_q, p)):
        found = face_distances(*(ends.reshape(-1, 3) for ends in sides), np.repeat(other, 3, axis=0))
        best = np.minimum(best, found.reshape(-1, 3).min(axis=1))
    return best


def segment_distances(a, b, c, d):
    """(n,) of the segments ab and cd (n,3): the least over both ends of either, and over the inner points of both."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    with np.errstate(all="ignore"):
        candidates = [((uv * vw - vv * uw) / (uu * vv - uv * uv), (uu * vw - uv * uw) / (uu * vv - uv * uv))]
        candidates += [(np.full(len(a), s), (vw + s * uv) / vv) for s in (0.0, 1.0)]
        candidates += [((t * uv - uw) / uu, np.full(len(a), t)) for t in (0.0, 1.0)]
    best = np.full(len(a), np.inf)
    for s, t in candidates:
        s, t = (np.where(each > 0.0, np.minimum(each, 1.0), 0.0)[:, None] for each in (s, t))     # 0 for nan
        away = w + s * u - t * v
        best = np.minimum(best, dot(away, away))
    return np.sqrt(best)


def face_distances(a, b, triangle):
    """(n,) of the segments ab from the inside of faces: 0 where one passes through, else of those of its ends that are
    above it."""
    o, e, f = triangle[:, 0], triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0]
    n = cross(e, f)
    best = np.full(len(a), np.inf)
    with np.errstate(all="ignore"):
        below, above, square = dot(a - o, n), dot(b - o, n), dot(n, n)
        share = below / (below - above)
        for point, wanted in ((a, None), (b, None), (a + share[:, None] * (b - a), (below > 0) != (above > 0))):
            w = point - o
            x, y = dot(cross(w, f), n) / square, dot(cross(e, w), n) / square
            inside = (x >= 0) & (y >= 0) & (x + y <= 1)
            away = np.abs(dot(w, n)) / np.sqrt(square) if wanted is None else np.where(wanted, 0.0, np.inf)
            best = np.where(inside & (away < best), away, best)
    return best


def cross(u, v):
    """(n,3): np.cross, which takes longer to find out what it is given than to multiply."""
    return np.stack([u[:, 1] * v[:, 2] - u[:, 2] * v[:, 1], u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2],
                     u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]], axis=1)


def dot(u, v):
    return np.einsum("ij,ij->i", u, v)


def first_meeting(first: Body, second: Body, until: float = 1.0, shortest: float = 1 / 256) -> float | None:
    """A time up to `until` at which the surfaces meet, soon after the first such time, None where no sample does.

    Between samples the distance changes by no more than the speeds say: a step is no longer than that proves to be
    free, but at least the shortest.
    """
    speed, t = max(first.speed() + second.speed(), 1e-300), 0.0
    while True:
        away = distance(first, second, t)
        if away == 0.0:
            return t
        if t >= until:
            return None
        t = min(until, t + max(away / speed, shortest))
