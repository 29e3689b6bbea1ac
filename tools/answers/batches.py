# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions for `touchpoint.core.queries`: (name, function, arguments, warm), always the same."""
from collections.abc import Iterator

import numpy as np

from .shapes import ball, box, joined, linear_of, moved, pose, rotation, sheet, tetrahedron, torus

SEED = 20_170_612
COUNT = 1500


def batches() -> Iterator[tuple]:
    """Of every query: ordinary input, whole numbers (where much touches), far away, tiny, huge, of all magnitudes.
    warm: None, or an array of that name, which the query updates."""
    for name, rng, points in clouds():
        A, B = points(COUNT, 3), points(COUNT, 3)
        B[: COUNT // 4, 0] = A[: COUNT // 4, 1]             # a corner in common
        B[: COUNT // 8, 1] = A[: COUNT // 8, 2]             # an edge
        yield f"triangles, {name}", "triangles_intersect", (A, B), None
        yield f"triangles, {name}", "triangle_intersections", (A, B), None
        yield f"segments, {name}", "segments_hit_triangles", (A[:, :2], B), None
        X0, X1 = points(COUNT, 4), points(COUNT, 4)
        X1[: COUNT // 5] = X0[: COUNT // 5]                 # nothing moves
        for function in ("vertex_face_toi", "edge_edge_toi"):
            yield f"motions, {name}", function, (X0, X1), None
        yield f"boxes, {name}", "boxes_overlap", boxes(rng, points), None
        P, Q = hulls(rng, points), hulls(rng, points)
        for function in ("convex_intersect", "convex_distance", "convex_penetration"):
            yield f"hulls, {name}", function, (P, Q), None
        for function in ("convex_intersect", "convex_distance"):
            yield f"hulls again, {name}", function, (P, Q), np.zeros((len(P), 8), np.int32)
    yield from meshes()


def clouds():
    """(name, rng, points(count, corners) → (count, corners, 3) float64) each."""
    kinds = {"any numbers": lambda rng, shape: rng.normal(size=shape),
             "whole numbers": lambda rng, shape: rng.integers(0, 4, shape).astype(float),
             "single precision": lambda rng, shape: rng.normal(size=shape).astype(np.float32).astype(float),
             "far away": lambda rng, shape: rng.integers(0, 9, shape) * 2.0 ** -20 + (1e6, -2e6, 3e5),
             "tiny": lambda rng, shape: rng.normal(size=shape) * 1e-40,
             "huge": lambda rng, shape: rng.normal(size=shape) * 1e40,
             "of all magnitudes": lambda rng, shape: rng.normal(size=shape) * 10.0 ** rng.integers(-12, 4, shape)}
    for number, (name, make) in enumerate(kinds.items()):
        rng = np.random.default_rng([SEED, number])
        yield name, rng, lambda count, corners, rng=rng, make=make: make(rng, (count, corners, 3))


def boxes(rng, points):
    """Centres, axes and half sizes of two sides; axes along the world's, turned, and not at right angles."""
    sides = []
    for _ in range(2):
        centres, sizes = points(COUNT, 2).transpose(1, 0, 2)
        turns = np.stack([np.eye(3)[rng.permutation(3)] if i % 3 == 0 else linear_of(rng, "sheared") if i % 3 == 1
                          else rotation(rng) for i in range(COUNT)])
        sides += [np.ascontiguousarray(centres), turns, np.abs(sizes) * 0.5]
    return tuple(sides)


def hulls(rng, points) -> list[np.ndarray]:
    """Points, segments, flat ones, bodies of up to twenty corners."""
    counts = rng.choice([1, 2, 3, 4, 8, 20], COUNT // 5)
    return [points(1, int(count))[0] for count in counts]


def meshes() -> Iterator[tuple]:
    """Of whole meshes in pairs, points in them, many of them at places."""
    rng, moving = np.random.default_rng([SEED, 99]), np.random.default_rng([SEED, 100])
    big = sheet(40, 40, (-2, -2, 0), (0.1, 0, 0), (0, 0.1, 0), lambda x, y: 0.3 * np.sin(4 * x) * np.cos(3 * y))
    shapes = {"box": box(), "ball": ball(24, 16), "torus": torus(24, 12), "tetrahedron": tetrahedron(), "sheet": big,
              "two boxes": joined(box(), moved(box(), (1, 1, 0))), "leaky box": (box()[0], box()[1][1:])}
    for first, one in shapes.items():
        for second, other in shapes.items():
            vertices = other[0] @ linear_of(rng, "stretched").T + rng.normal(size=3) * 0.4
            for apart in (0.0, 3.0):
                name = f"{first} and {second}, {apart:g} further"
                yield name, "mesh_distance", (*one, vertices + apart, other[1]), None
                yield name, "mesh_triangle_pairs", (*one, vertices + apart, other[1]), None
            yield f"{first} and {second}", "overlap_volume", (*one, vertices, other[1]), None
        yield f"{first} with itself", "self_intersections", one, None
        for kind in ("turned", "mirrored", "sheared", "stretched"):
            ways = [pose(linear_of(moving, kind), moving.normal(size=3) * 2.0) for _ in range(4)]
            yield f"{first} and a box, {kind}", "rigid_toi", (one, *ways[:2], shapes["box"], *ways[2:]), None
        lattice = np.stack(np.meshgrid(*3 * [np.arange(-4, 5) * 0.25]), axis=-1).reshape(-1, 3)
        points = np.concatenate([lattice, one[0], rng.normal(size=(2000, 3)) * 0.5])
        for function in ("points_in_mesh", "surface_distances"):
            yield f"points in {first}", function, (*one, points), None
    closed = [shape for name, shape in shapes.items() if name not in ("sheet", "leaky box")]
    for room in (1.0, 2.5):
        placed = [closed[i] for i in rng.integers(0, len(closed), 60)]
        transforms = [pose(linear_of(rng, ("turned", "mirrored", "sheared")[i % 3]) * rng.choice([0.1, 0.4, 1.0]),
                           rng.uniform(0, room, 3)) for i in range(60)]
        for function in ("colliding_pairs", "contained_pairs"):
            yield f"sixty bodies in {room:g}", function, (placed, transforms), None
