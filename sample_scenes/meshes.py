# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded meshes of any size, and poses: vertices (n,3) float64, triangles (m,3) int32.

All coordinates are whole float32 numbers, so that libraries that store float32 are asked the same question.
"""
import numpy as np

WAVES, WAVE_NUMBER, WAVE_HEIGHT = 12, 15.0, 0.09       # of a shell


def torus_grid(around: int, across: int) -> np.ndarray:
    """(2·around·across, 3): triangles of a grid that is closed both ways, vertex i·across + j."""
    i, j = (index.ravel() for index in np.mgrid[:around, :across])
    corner = i * across + j
    right, up = (i + 1) % around * across + j, i * across + (j + 1) % across
    opposite = (i + 1) % around * across + (j + 1) % across
    return np.concatenate([np.column_stack([corner, right, opposite]),
                           np.column_stack([corner, opposite, up])]).astype(np.int32)


def knot(triangles: int, turn: float = 0.0, seed: int = 0, thickness: float = 0.4):
    """A bumpy tube along a trefoil knot of radius 1 to 3, turned about the y axis; about so many triangles. From a
    thickness of 0.8 on it passes through itself."""
    across = max(3, round((triangles / 24) ** 0.5))
    around = max(8, round(triangles / 2 / across))
    t = 2 * np.pi * np.arange(around) / around
    axis = _trefoil(t)
    along = _trefoil(t + 1e-4) - axis
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = np.cross(along, (0.0, 0.0, 1.0))
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(side, along)
    angle = 2 * np.pi * np.arange(across) / across
    phase = np.random.default_rng(seed).random() * 2 * np.pi
    radius = thickness + 0.04 * np.sin(9 * t[:, None] + 3 * angle + phase)
    vertices = axis[:, None] + radius[..., None] * (np.cos(angle)[:, None] * side[:, None]
                                                    + np.sin(angle)[:, None] * up[:, None])
    return shuffled(vertices.reshape(-1, 3) @ about_y(turn).T, torus_grid(around, across), seed)


def _trefoil(t):
    return np.column_stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)])


def about_y(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def octasphere(triangles: int):
    """The unit sphere as a subdivided octahedron of about so many triangles: unit vertices, faces outward."""
    k = max(1, round((triangles / 8) ** 0.5))
    side = np.arange(2 * k + 1) / k - 1
    x, y = (each.ravel() for each in np.meshgrid(side, side, indexing="ij"))
    height = 1 - np.abs(x) - np.abs(y)                  # a square folded into an octahedron
    outside = height < 0
    fold_x = np.where(outside, (1 - np.abs(y)) * np.where(x < 0, -1, 1), x)
    fold_y = np.where(outside, (1 - np.abs(x)) * np.where(y < 0, -1, 1), y)
    points = np.rint(np.column_stack([fold_x, fold_y, height]) * k).astype(np.int64)
    _, first, number = np.unique(points, axis=0, return_index=True, return_inverse=True)
    number = number.reshape(2 * k + 1, 2 * k + 1)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    i, j = np.mgrid[:2 * k, :2 * k]
    along = ((i < k) == (j < k))[..., None]             # no cell is cut across an edge of the octahedron
    one = np.where(along, np.stack([a, b, d], -1), np.stack([a, b, c], -1))
    other = np.where(along, np.stack([b, c, d], -1), np.stack([a, c, d], -1))
    directions = points[first].astype(float)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return directions, np.concatenate([one.reshape(-1, 3), other.reshape(-1, 3)]).astype(np.int32)


def crumpled(triangles: int, seed: int = 0):
    """A square cloth pushed together to a heap: smooth waves of all lengths move it in all directions, so that it
    passes through itself along many curves."""
    side = max(2, round((triangles / 2) ** 0.5) + 1)
    rng = np.random.default_rng(seed)
    u, v = (each.ravel() for each in np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side)))
    vertices = 0.25 * np.stack([u, v, 0 * u], axis=1)
    for frequency in (2, 4, 8, 16):
        ways = 2 * np.pi * frequency * rng.uniform(-1, 1, (6, 2))
        waves = np.sin(np.outer(u, ways[:, 0]) + np.outer(v, ways[:, 1]) + rng.uniform(0, 2 * np.pi, 6))
        vertices += waves @ rng.standard_normal((6, 3)) * 0.15 / frequency
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    faces = np.concatenate([np.stack([corner, corner + 1, corner + side], axis=1),
                            np.stack([corner + 1, corner + side + 1, corner + side], axis=1)])
    return shuffled(vertices, faces.astype(np.int32), seed)


def shell(triangles: int, seed: int):
    """A unit sphere with low waves: two seeds nearly coincide and cross along many curves."""
    vertices, faces = octasphere(triangles)
    rng = np.random.default_rng(seed)
    waves = rng.standard_normal((WAVES, 3))
    waves *= WAVE_NUMBER / np.linalg.norm(waves, axis=1, keepdims=True)
    height = WAVE_HEIGHT * np.sin(vertices @ waves.T + 2 * np.pi * rng.random(WAVES)).mean(axis=1)
    turned, _ = np.linalg.qr(rng.standard_normal((3, 3)))      # else edges of two seeds would lie in common planes
    turned *= np.linalg.det(turned)
    return shuffled((vertices * (1 + height)[:, None]) @ turned, faces, seed)


def ring(around: int, across: int, seed: int):
    """A small bumpy torus, not convex, of 2·around·across triangles and a radius of about 1."""
    rng = np.random.default_rng(seed)
    u = 2 * np.pi * np.arange(around)[:, None] / around
    v = 2 * np.pi * np.arange(across) / across
    thick = 0.35 * (0.8 + 0.4 * rng.random((around, across)))
    vertices = np.stack([(0.65 + thick * np.cos(v)) * np.cos(u), (0.65 + thick * np.cos(v)) * np.sin(u),
                         thick * np.sin(v)], axis=-1)
    return single(vertices.reshape(-1, 3)), torus_grid(around, across)


def shuffled(vertices: np.ndarray, triangles: np.ndarray, seed: int):
    """The same mesh with its vertices and faces in no order, as files have them."""
    rng = np.random.default_rng(seed)
    place = rng.permutation(len(vertices)).astype(np.int32)
    moved = np.empty_like(vertices)
    moved[place] = vertices
    return single(moved), rng.permutation(place[triangles])


def random_poses(count: int, extent: float, rng) -> np.ndarray:
    """(count,4,4) rigid poses with centres in a cube of this edge."""
    quaternions = rng.standard_normal((count, 4))
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, :3] = rotations(quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True))
    poses[:, :3, 3] = extent * rng.random((count, 3))
    return poses


def rotations(quaternions: np.ndarray) -> np.ndarray:
    """(n,4) unit quaternions w x y z → (n,3,3)."""
    w, x, y, z = quaternions.T
    return np.moveaxis(np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                                 [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                                 [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]), 2, 0)


def single(numbers: np.ndarray) -> np.ndarray:
    """Rounded to float32, kept as float64."""
    return np.asarray(numbers, np.float32).astype(np.float64)
