# SPDX-License-Identifier: GPL-3.0-or-later
"""Small meshes on whole numbers: (vertices (n,3) float64, triangles (m,3) int32)."""
import numpy as np


def box(low=(0, 0, 0), high=(1, 1, 1)):
    """12 triangles, seen from outside counterclockwise."""
    vertices = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])],
                        float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return vertices, halves(quads)


def grid(columns, rows, origin=(0, 0, 0), u=(1, 0, 0), v=(0, 1, 0)):
    """A sheet of columns × rows parallelograms u, v, each made of two triangles."""
    vertices = np.array([np.add(origin, np.multiply(i, u) + np.multiply(j, v))
                         for j in range(rows + 1) for i in range(columns + 1)], float)
    corner = [j * (columns + 1) + i for j in range(rows) for i in range(columns)]
    return vertices, halves([(c, c + 1, c + columns + 2, c + columns + 1) for c in corner])


def halves(quads):
    return np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))], np.int32)


def fan(angles, length=1.0):
    """Wings around the edge (0,0,0)–(0,0,1): one triangle per angle, in degrees."""
    tips = [(length * np.cos(np.radians(angle)), length * np.sin(np.radians(angle)), 0.5) for angle in angles]
    vertices = np.array([(0, 0, 0), (0, 0, 1), *np.round(tips, 3)])
    return vertices, np.array([(0, 1, 2 + i) for i in range(len(angles))], np.int32)


def ball(columns=6, rows=4, radius=1.0):
    """A closed sphere of 2 · columns · (rows - 1) triangles."""
    ring = [(np.cos(a), np.sin(a)) for a in 2 * np.pi * np.arange(columns) / columns]
    polar = np.pi * np.arange(1, rows) / rows
    vertices = [(0, 0, 1)] + [(x * np.sin(p), y * np.sin(p), np.cos(p)) for p in polar for x, y in ring] + [(0, 0, -1)]
    last = len(vertices) - 1
    faces = []
    for i in range(columns):
        j = (i + 1) % columns
        faces += [(0, 1 + i, 1 + j), (last, last - columns + j, last - columns + i)]
        for r in range(rows - 2):
            p, q = 1 + r * columns, 1 + (r + 1) * columns
            faces += [(p + i, q + i, q + j), (p + i, q + j, p + j)]
    return radius * np.array(vertices, float), np.array(faces, np.int32)


def moved(mesh, offset):
    return mesh[0] + np.array(offset, float), mesh[1]


def joined(*meshes):
    """One mesh of several, vertices not merged."""
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in meshes])
    return (np.concatenate([vertices for vertices, _ in meshes]),
            np.concatenate([faces + start for (_, faces), start in zip(meshes, starts)]).astype(np.int32))


def tube(path, radius, around):
    """A closed tube of 2 · around · points triangles along a path (points,3)."""
    ways = np.gradient(path, axis=0)
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    side = np.cross(ways[0], np.eye(3)[np.abs(ways[0]).argmin()])
    angle = 2 * np.pi * np.arange(around)[:, None] / around
    rings = []
    for point, way in zip(path, ways):
        side = side - way * (side @ way)
        side /= np.linalg.norm(side)
        rings.append(point + radius * (np.cos(angle) * side + np.sin(angle) * np.cross(way, side)))
    at = np.arange(around)
    beside = (at + 1) % around
    quads = [np.stack([k * around + at, k * around + beside, (k + 1) * around + beside, (k + 1) * around + at], axis=1)
             for k in range(len(path) - 1)]
    first, last = len(path) * around, len(path) * around + 1
    ends = [np.stack([np.full(around, first), beside, at], axis=1),
            np.stack([np.full(around, last), last - 1 - around + at, last - 1 - around + beside], axis=1)]
    return (np.concatenate([*rings, path[:1], path[-1:]]),
            np.concatenate([halves(np.concatenate(quads)), *ends]).astype(np.int32))


def bundle(count, points, around, press=0.97, wave=0.004, seed=0):
    """Tubes of radius 0.05 that follow one bent path side by side, `press` of two radii apart, and are a little
    wavy: neighbours graze each other all along."""
    rng = np.random.default_rng(seed)
    s = np.linspace(0, 1, points)
    path = np.stack([2 * s, 0.4 * np.sin(3 * s), 0.3 * np.cos(2.5 * s)], axis=1)
    ways = np.gradient(path, axis=0)
    u = np.cross(ways, (0, 0, 1.0))
    u /= np.linalg.norm(u, axis=1)[:, None]
    v = np.cross(ways, u)
    v /= np.linalg.norm(v, axis=1)[:, None]
    waves = [sum(rng.uniform(-wave, wave) * np.sin(2 * np.pi * (turns * s + rng.random())) for turns in (1, 3, 7))
             for _ in range(2 * count)]
    columns = int(np.ceil(np.sqrt(count)))
    return [tube(path + (0.1 * press * (k % columns) + waves[2 * k])[:, None] * u
                 + (0.1 * press * (k // columns) + waves[2 * k + 1])[:, None] * v, 0.05, around) for k in range(count)]


def circle(n, radius):
    """The corners (n,2) of a regular polygon."""
    turn = 2.0 * np.pi * np.arange(n) / n
    return radius * np.column_stack([np.cos(turn), np.sin(turn)])


def prism(outline, height):
    """A convex polygon (n,2) from z = 0 to this height, whose ends are fans."""
    n = len(outline)
    vertices = np.concatenate([np.column_stack([outline, np.full(n, z)]) for z in (0.0, height)])
    fan = np.array([(0, k, k + 1) for k in range(1, n - 1)])
    return vertices, np.concatenate([fan[:, ::-1], fan + n, halves([(k, (k + 1) % n, n + (k + 1) % n, n + k)
                                                                    for k in range(n)])])


def pipe(inner, outer, low, high):
    """Between two polygons, (n,2), with as many corners, from one height to another."""
    sides = len(inner)
    loops = [np.column_stack([loop, np.full(sides, z)]) for loop in (outer, inner) for z in (low, high)]
    quads = []
    for i in range(sides):
        j = (i + 1) % sides
        ends = [(k * sides + i, k * sides + j) for k in range(4)]
        (a, b), (c, d), (e, f), (g, h) = ends       # outside below and above, inside below and above
        quads += [(a, b, d, c), (f, e, g, h), (b, a, e, f), (c, d, h, g)]
    return np.concatenate(loops), halves(quads)


def table():
    """A table of five boxes, whose legs end inside of its top."""
    legs = (moved(box((0, 0, 0), (0.1, 0.1, 0.9)), (x, y, 0)) for x in (0, 0.7) for y in (0, 0.7))
    return joined(*legs, box((0, 0, 0.85), (0.8, 0.8, 1.0)))


def cubes(cells):
    """A closed mesh of the unit cubes that are True, (i,j,k) bool, without the faces between them."""
    kept, corners, faces = np.pad(cells, 1), {}, []
    for cell in np.argwhere(cells):
        for axis in range(3):
            for end in (0, 1):
                if kept[tuple(cell + 1 + (2 * end - 1) * np.eye(3, dtype=int)[axis])]:
                    continue
                around = np.zeros((4, 3), int)
                around[:, axis], around[:, (axis + 1) % 3], around[:, (axis + 2) % 3] = end, (0, 1, 1, 0), (0, 0, 1, 1)
                p, q, r, s = (corners.setdefault(tuple(cell + corner), len(corners))
                              for corner in (around if end else around[::-1]))
                faces += [(p, q, r), (p, r, s)]
    return np.array(list(corners), float), np.array(faces, np.int32)


def studs(count):
    """A plate up to height 1 with studs on it."""
    cells = np.ones((count, count, 2), bool)
    cells[:, :, 1] = False
    cells[1::2, 1::2, 1] = True
    return cubes(cells)
