# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether triangles of whole numbers meet, millions at a time, by int64 arithmetic that cannot overflow; and classes of
such pairs.

Two triangles meet where sides of both meet, where a side of one passes through the other, or where a corner of one lies
in the other. With differences of coordinates below 2**14 no value reaches 12 · 2**56.
"""
from itertools import product

import numpy as np

LIMIT = 2 ** 13         # coordinates are at most that far from 0
SIDES = ((0, 1), (1, 2), (2, 0))


def cross(u, v):
    return np.stack([u[:, 1] * v[:, 2] - u[:, 2] * v[:, 1], u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2],
                     u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]], axis=1)


def dot(u, v):
    return u[:, 0] * v[:, 0] + u[:, 1] * v[:, 1] + u[:, 2] * v[:, 2]


def meet(A, B) -> np.ndarray:
    """(n,) bool: triangle A[i] meets B[i]; closed sets, with or without area. A, B: (n,3,3) int64 within LIMIT."""
    assert max(np.abs(A).max(initial=0), np.abs(B).max(initial=0)) <= LIMIT
    found = np.zeros(len(A), bool)
    for (i, j), (k, m) in product(SIDES, SIDES):
        found |= sides_meet(A[:, i], A[:, j], B[:, k], B[:, m])
    for one, other in ((A, B), (B, A)):
        normal = cross(other[:, 1] - other[:, 0], other[:, 2] - other[:, 0])
        heights = [dot(normal, one[:, corner] - other[:, 0]) for corner in range(3)]
        for i, j in SIDES:
            found |= passes_through(one[:, i], one[:, j], heights[i], heights[j], other)
        for corner in range(3):
            found |= (heights[corner] == 0) & lies_in(one[:, corner], other, normal)
    return found


def sides_meet(p, q, r, s) -> np.ndarray:
    """Segments p q and r s, with or without length."""
    along, other, between = q - p, s - r, r - p
    normal = cross(along, other)
    whole = dot(normal, normal)
    u, v = dot(cross(between, other), normal), dot(cross(between, along), normal)
    crossing = (whole > 0) & (dot(between, normal) == 0) & (0 <= u) & (u <= whole) & (0 <= v) & (v <= whole)
    return crossing | (whole == 0) & (lies_on(p, r, s) | lies_on(q, r, s) | lies_on(r, p, q) | lies_on(s, p, q))


def lies_on(point, start, end) -> np.ndarray:
    u, v = start - point, end - point
    return (cross(u, v) == 0).all(axis=1) & (dot(u, v) <= 0)


def passes_through(p, q, height_p, height_q, triangle) -> np.ndarray:
    """Segments that do not run along the plane: the line passes all sides of the triangle on the same side."""
    turns = [dot(q - p, cross(triangle[:, i] - p, triangle[:, j] - p)) for i, j in SIDES]
    low, high = np.minimum.reduce(turns), np.maximum.reduce(turns)
    return (height_p != height_q) & (np.sign(height_p) * np.sign(height_q) <= 0) & ((low >= 0) | (high <= 0))


def lies_in(point, triangle, normal) -> np.ndarray:
    """Points of the plane of a triangle with area."""
    inside = normal.any(axis=1)
    for i, j in SIDES:
        inside &= dot(cross(triangle[:, i] - point, triangle[:, j] - point), normal) >= 0
    return inside


def anyhow(limit):
    return lambda rng, n: tuple(rng.integers(-limit, limit + 1, (2, n, 3, 3)))


def corner_on(rng, n):
    """A corner of B on a corner, a side or the face of A, up to one unit at times."""
    a, b = rng.integers(-250, 251, (2, n, 3, 3))
    shares = np.stack([rng.integers(0, 9, n) * rng.integers(0, 2, n), rng.integers(0, 9, n)], axis=1)
    shares[:, 1] = np.minimum(shares[:, 1], 8 - shares[:, 0])
    place = 8 * a[:, 0] + shares[:, :1] * (a[:, 1] - a[:, 0]) + shares[:, 1:] * (a[:, 2] - a[:, 0])
    step = rng.integers(-1, 2, (n, 3)) * (rng.random((n, 1)) < 0.3)
    return 8 * a, 8 * b + (place + step - 8 * b[:, 0])[:, None]


def side_across_side(rng, n):
    """The middle of a side of B on a point of a side of A, up to one unit at times."""
    a, b = rng.integers(-250, 251, (2, n, 3, 3))
    place = 8 * a[:, 0] + rng.integers(0, 9, (n, 1)) * (a[:, 1] - a[:, 0])
    step = rng.integers(-1, 2, (n, 3)) * (rng.random((n, 1)) < 0.3)
    return 8 * a, 8 * b + (place + step - 4 * (b[:, 0] + b[:, 1]))[:, None]


def in_a_plane(rng, n):
    u, v = rng.integers(-4, 5, (2, n, 1, 3))
    a, b = rng.integers(-9, 10, (2, 2, n, 3, 1))
    shift = rng.integers(-1, 2, (n, 1, 3)) * (rng.random((n, 1, 1)) < 0.2)
    return a[0] * u + a[1] * v, b[0] * u + b[1] * v + shift


def flattened(maker):
    """Corners repeated, or in the middle between the two others."""
    def make(rng, n):
        sides = []
        for side in maker(rng, n):
            kind = rng.integers(0, 4, n)
            side = side * 2
            side[kind == 1, 2] = side[kind == 1, 1]
            side[kind == 2, 2] = (side[kind == 2, 0] + side[kind == 2, 1]) // 2
            point = rng.random(n) < 0.1
            side[point] = side[point, :1]
            sides.append(side)
        return tuple(sides)
    return make


def common_corners(rng, n):
    a, b = rng.integers(-40, 41, (2, n, 3, 3))
    count = rng.integers(1, 3, n)
    b[:, 0] = a[:, 0]
    b[count == 2, 1] = a[count == 2, 1]
    flat = rng.random(n) < 0.3
    b[flat, 2] = a[flat, 2] + rng.integers(-3, 4, (int(flat.sum()), 1)) * (a[flat, 1] - a[flat, 0])
    return a, b


def thin(rng, n):
    """Long triangles one unit thick."""
    a, b = (rng.integers(-LIMIT // 4, LIMIT // 4, (n, 3, 3)) for _ in range(2))
    for side in (a, b):
        side[:, 2] = (side[:, 0] + side[:, 1]) // 2 + rng.integers(-1, 2, (n, 3))
    near = rng.random(n) < 0.7
    b[near] += (a[near, 2] - b[near, 2] + rng.integers(-1, 2, (int(near.sum()), 3)))[:, None]
    return a, b


CLASSES = {
    "anyhow 1": anyhow(1), "anyhow 2": anyhow(2), "anyhow 4": anyhow(4), "anyhow 30": anyhow(30),
    "anyhow 8000": anyhow(8000), "corner on": corner_on, "side across side": side_across_side, "in a plane": in_a_plane,
    "common corners": common_corners, "thin": thin,
    "flattened 2": flattened(anyhow(2)), "flattened 500": flattened(anyhow(500)),
    "flattened in a plane": flattened(in_a_plane), "flattened common corners": flattened(common_corners),
}


def draw(name, n, seed):
    """n pairs of the class `name`: (n,3,3) int64 A and B, the same for the same seed."""
    a, b = CLASSES[name](np.random.default_rng([*np.atleast_1d(seed), *name.encode()]), n)
    return np.ascontiguousarray(a), np.ascontiguousarray(b)


def disguised(rng, a, b):
    """float64 triangles of which the same is true: axes exchanged and mirrored, units of a power of two, of their own
    for each axis at times, far from the origin, or in single precision."""
    n = len(a)
    axes = rng.permuted(np.tile([0, 1, 2], (n, 1)), axis=1)[:, None]
    a, b = (np.take_along_axis(side, axes, 2) * rng_sign for rng_sign in [rng.choice((-1, 1), (n, 1, 3))]
            for side in (a, b))
    far = rng.integers(-2 ** 51, 2 ** 51, (n, 1, 3)) >> rng.integers(0, 64, (n, 1, 3))
    units = 2.0 ** rng.choice((0, -20, 20, -200, 200), (n, 1, 1))
    own = np.where(rng.random((n, 1, 1)) < 0.1, 2.0 ** rng.integers(-60, 61, (n, 1, 3)), 1.0)
    single = rng.random((n, 1, 1)) < 0.2
    moved = [np.where(single, side.astype(np.float32), (side + far).astype(float)) for side in (a, b)]
    return tuple(side * units * own for side in moved)
