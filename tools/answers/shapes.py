# SPDX-License-Identifier: GPL-3.0-or-later
"""Small meshes, (vertices (n,3) float64, triangles (m,3) int32), and poses, (4,4) float64."""
import numpy as np


def box(low=(-0.5, -0.5, -0.5), high=(0.5, 0.5, 0.5)):
    """A closed box of 12 triangles."""
    vertices = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return vertices.astype(float), halves(quads)


def tetrahedron():
    vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
    return vertices, np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], np.int32)


def ball(columns=7, rows=5, radius=0.6):
    """A closed sphere of 2 · columns · (rows - 1) triangles."""
    around, polar = 2 * np.pi * np.arange(columns) / columns, np.pi * np.arange(1, rows) / rows
    rings = [(radius * np.cos(a) * np.sin(p), radius * np.sin(a) * np.sin(p), radius * np.cos(p))
             for p in polar for a in around]
    vertices = np.array([(0, 0, radius), *rings, (0, 0, -radius)])
    here = np.arange(columns)
    ahead, last = (here + 1) % columns, len(vertices) - 1
    faces = [np.stack([0 * here, 1 + here, 1 + ahead], 1),
             np.stack([0 * here + last, last - columns + ahead, last - columns + here], 1)]
    for row in range(rows - 2):
        above, below = 1 + row * columns, 1 + (row + 1) * columns
        faces += [np.stack([above + here, below + here, below + ahead], 1),
                  np.stack([above + here, below + ahead, above + ahead], 1)]
    return vertices, np.concatenate(faces).astype(np.int32)


def torus(around=8, across=5, radius=0.6, thickness=0.25):
    """A closed ring of 2 · around · across triangles."""
    a, b = (2 * np.pi * np.arange(count) / count for count in (around, across))
    ring = radius + thickness * np.cos(b)
    vertices = np.stack([np.cos(a)[:, None] * ring, np.sin(a)[:, None] * ring,
                         np.broadcast_to(thickness * np.sin(b), (around, across))], axis=-1).reshape(-1, 3)
    i, j = (index.ravel() for index in np.meshgrid(np.arange(around), np.arange(across), indexing="ij"))
    corner = [((i + u) % around) * across + (j + v) % across for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return vertices, halves(np.stack(corner, axis=1))


def sheet(columns=4, rows=4, origin=(0, 0, 0), u=(1, 0, 0), v=(0, 1, 0), height=None):
    """An open sheet of columns × rows parallelograms u, v; height(x, y) bends it along z."""
    i, j = (index.ravel() for index in np.meshgrid(np.arange(columns + 1), np.arange(rows + 1)))
    vertices = np.array(origin, float) + i[:, None] * np.array(u, float) + j[:, None] * np.array(v, float)
    if height is not None:
        vertices[:, 2] += height(vertices[:, 0], vertices[:, 1])
    corner = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).ravel()
    return vertices, halves(np.stack([corner, corner + 1, corner + columns + 2, corner + columns + 1], axis=1))


def fan(degrees):
    """Wings around the edge (0,0,0)–(0,0,1), a triangle for each angle."""
    turns = np.radians(degrees)
    tips = np.stack([np.cos(turns), np.sin(turns), np.full(len(turns), 0.5)], axis=1)
    wings = np.array([(0, 1, 2 + i) for i in range(len(turns))], np.int32)
    return np.concatenate([[(0.0, 0.0, 0.0), (0.0, 0.0, 1.0)], tips.round(3)]), wings


def halves(quads):
    """Two triangles for each quadrilateral (n,4)."""
    return np.asarray(quads)[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3).astype(np.int32)


def joined(*meshes):
    """One mesh of several; vertices are not merged."""
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in meshes])
    return (np.concatenate([vertices for vertices, _ in meshes]),
            np.concatenate([faces + start for (_, faces), start in zip(meshes, starts)]).astype(np.int32))


def moved(mesh, offset):
    return mesh[0] + np.array(offset, float), mesh[1]


def pose(linear=1.0, offset=(0.0, 0.0, 0.0)):
    """Of a number, three numbers or a 3×3 matrix, and an offset."""
    matrix = np.eye(4)
    matrix[:3, :3] = linear if np.ndim(linear) == 2 else np.diag(np.broadcast_to(linear, 3))
    matrix[:3, 3] = offset
    return matrix


def rotation(rng):
    """3×3, anywhere."""
    q = rng.normal(size=4)
    x, y, z, w = q / np.sqrt(q @ q)
    return np.array([(1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
                     (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
                     (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y))])


def linear_of(rng, kind):
    """3×3: turned, mirrored, stretched or sheared."""
    turn = rotation(rng)
    if kind == "mirrored":
        return turn * (-1.0, 1.0, 1.0)
    if kind == "stretched":
        return turn * rng.uniform(0.2, 2.0, 3)
    if kind == "sheared":
        return turn @ (np.eye(3) + np.triu(rng.uniform(-1.0, 1.0, (3, 3)), 1))
    return turn
