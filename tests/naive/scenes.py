# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded small scenes: (meshes, objects), meshes as in `shapes`, objects as pairs (mesh number, 4×4 pose)."""
import numpy as np
from touchpoint.core import Scene

from .shapes import ball, box, fan, grid, joined, moved

KINDS_OF_POSES = ("turned", "mirrored", "stretched", "sheared")
TETRAHEDRON = (np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float),
               np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], np.int32))
SHAPES = [box((-0.5,) * 3, (0.5,) * 3), ball(6, 4, 0.6), TETRAHEDRON, grid(3, 3, (-1, -1, 0), (0.7, 0, 0), (0, 0.7, 0)),
          joined(box(), moved(box(), (1, 1, 0)))]


def pose(linear=1.0, offset=(0, 0, 0)):
    """4×4 from a number, three numbers or a 3×3 matrix, and an offset."""
    matrix = np.eye(4)
    matrix[:3, :3] = linear if np.ndim(linear) == 2 else np.diag(np.broadcast_to(linear, 3))
    matrix[:3, 3] = offset
    return matrix


def random_linear(rng, kind):
    """3×3: turned, mirrored, stretched, sheared."""
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return {"turned": turn, "mirrored": turn * (-1, 1, 1), "stretched": turn * rng.uniform(0.2, 2, 3),
            "sheared": turn @ (np.eye(3) + np.triu(rng.uniform(-1, 1, (3, 3)), 1))}[kind]


def crowd(rng, count=14, room=3.0):
    """Instances of all shapes at random poses of every kind."""
    kinds = ("turned", "mirrored", "stretched", "sheared")
    return SHAPES, [(int(rng.integers(len(SHAPES))),
                     pose(random_linear(rng, kinds[i % 4]), rng.uniform(0, room, 3))) for i in range(count)]


def transformed(scene, scale=1.0, offset=(0, 0, 0)):
    """The same scene in other units and elsewhere."""
    meshes, objects = scene
    return meshes, [(mesh, pose(matrix[:3, :3] * scale, matrix[:3, 3] * scale + offset)) for mesh, matrix in objects]


def touching_grid(rng):
    """12 unit boxes that fill a block: faces, edges and corners touch, some boxes mirrored."""
    corners = [(x, y, z) for x in range(3) for y in range(2) for z in range(2)]
    mirrored = rng.random(len(corners)) < 0.3
    return [box()], [(0, pose((-1, 1, 1), np.add(corner, (1, 0, 0))) if mirror else pose(1, corner))
                     for corner, mirror in zip(corners, mirrored)]


def lattice_boxes(rng):
    """Boxes with whole corners, anyhow: flush, nested, edge on edge, through each other."""
    low = rng.integers(0, 4, (10, 3))
    meshes = [box(corner, corner + size) for corner, size in zip(low, rng.integers(1, 4, (10, 3)))]
    return meshes, [(i, pose()) for i in range(10)]


def soup(rng):
    """Triangles with whole corners 0 … 3, many without area, no two of which need share a vertex."""
    meshes = []
    for _ in range(6):
        vertices = rng.integers(0, 4, (12, 3)).astype(float)
        meshes.append((vertices, rng.integers(0, 12, (7, 3)).astype(np.int32)))
    return meshes, [(i, pose()) for i in range(6)] + [(0, pose((1, -1, 1), (0, 3, 0)))]


def walls_and_floor(rng):
    """Walls through a floor and on it, along its lines and between them."""
    meshes = [grid(4, 4), grid(4, 2, (0, 0, -1), v=(0, 0, 1)), grid(3, 1, (0, 0, 0), v=(0, 0, 2)), box()]
    places = [(1, (0, 1, 0)), (1, (0, 1.5, 0)), (1, (0, 4, 0)), (1, (0.5, 2, 0)), (2, (0, 3, 0)), (2, (1, 2.25, 0)),
              (2, (0, 1, -1)), (3, (1, 1, 0)), (3, (2.25, 2.5, -0.5)), (3, (2, 3, -1)), (3, (4, 4, 0))]
    return meshes, [(0, pose())] + [(mesh, pose(1, place)) for mesh, place in places]


def duplicates(rng):
    """The same object several times, also as another mesh, and mirrored onto itself."""
    other = (SHAPES[0][0].copy(), SHAPES[0][1][::-1].copy())
    turn = pose(random_linear(rng, "turned"), (1, 2, 3))
    return [SHAPES[0], other], [(0, turn), (0, turn), (1, turn), (0, turn @ pose((-1, 1, 1)))]


def around_a_vertex(rng):
    """Fans of wings, each an object of its own, around one edge and one vertex."""
    meshes = [fan(angles) for angles in ([0, 90], [90, 180], [45, 200], [135, 300], [10], [0, 120, 240])]
    return meshes, [(i, pose()) for i in range(6)] + [(2, pose((1, 1, -1))), (0, pose(1, (0, 0, 1)))]


def flattened(rng):
    """Scale zero in one, two and three directions, among whole shapes."""
    poses = [pose((1, 1, 0)), pose((0, 1, 1), (0.25, 0, 0)), pose((0, 1, 0), (0.25, 0, 0.25)),
             pose(0, (0.25, 0.25, 0)), pose(0, (0.25, 0.25, 0)), pose((1, 1, 0), (0.5, 0.5, 0)), pose()]
    shapes = [SHAPES[0], TETRAHEDRON, ball(4, 3, 0.6)]
    return shapes, [(i % 3, matrix) for i, matrix in enumerate(poses * 2)]


def mixed_sizes(rng):
    """Sizes from 1e-6 to 1e3, small ones on the surface of large ones."""
    meshes, objects = crowd(rng, 4)
    for _ in range(8):
        mesh, matrix = objects[rng.integers(4)]
        vertices, faces = meshes[mesh]
        corner = vertices[faces[rng.integers(len(faces))]].mean(axis=0)
        objects.append((int(rng.integers(5)), pose(random_linear(rng, "turned") * 10.0 ** rng.uniform(-6, -1),
                                                   matrix[:3, :3] @ corner + matrix[:3, 3])))
    return meshes, objects + [(3, pose(1e3)), (1, pose(1e3, (0, 0, 600)))]


def nested(rng):
    """Balls inside each other without contact, two of them meeting."""
    return [ball(8, 6)], [(0, pose(size)) for size in (1, 0.7, 0.5, 0.3)] + [(0, pose(0.3, (0.25, 0, 0)))]


def containers(rng):
    """Small shapes strewn in and around large ones, some of which are hollow, leaky or turned inside out."""
    large = joined(box((0,) * 3, (4,) * 3), box((5, 0, 0), (7, 2, 2)))
    hollow = joined(large, (box((1,) * 3, (3,) * 3)[0], box()[1][:, ::-1]))
    meshes = [large, hollow, (large[0], large[1][1:]), (large[0], large[1][:, ::-1]), *SHAPES]
    objects = [(mesh, pose(1, (0, 9 * mesh, 0))) for mesh in range(4)]
    for i in range(24):
        objects.append((4 + i % 5, pose(random_linear(rng, "turned") * rng.uniform(0.1, 0.4),
                                        rng.uniform(0, (7, 4, 4)) + (0, 9 * (i % 4), 0))))
    return meshes, objects


SCENES = {
    "crowd": crowd,
    "crowd far away": lambda rng: transformed(crowd(rng), offset=(1e6, -2e6, 3e5)),
    "crowd of 1e-9": lambda rng: transformed(crowd(rng), 1e-9),
    "crowd of 1e-30": lambda rng: transformed(crowd(rng), 1e-30),
    "crowd of 1e30": lambda rng: transformed(crowd(rng), 1e30),
    "touching grid": touching_grid,
    "touching grid far away": lambda rng: transformed(touching_grid(rng), 1, (1e6, 0, 7)),
    "lattice boxes": lattice_boxes, "lattice boxes of 1e-3": lambda rng: transformed(lattice_boxes(rng), 1e-3),
    "soup": soup, "walls and floor": walls_and_floor, "duplicates": duplicates, "around a vertex": around_a_vertex,
    "flattened": flattened, "mixed sizes": mixed_sizes, "nested": nested, "containers": containers,
}


def draw(name, seed):
    return SCENES[name](np.random.default_rng([seed, *name.encode()]))


def build(scene, order=None, **settings) -> Scene:
    """The Scene, its objects in the given order (the numbers of the scene by default)."""
    meshes, objects = scene
    result = Scene()
    for vertices, triangles in meshes:
        result.add_mesh(vertices, triangles)
    for index in range(len(objects)) if order is None else order:
        mesh, matrix = objects[index]
        result.add_object(mesh, matrix, name=f"object {index}", **settings)
    return result
