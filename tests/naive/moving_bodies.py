# SPDX-License-Identifier: GPL-3.0-or-later
"""Random pairs of meshes in motion, by class, for tests of times of impact."""
import numpy as np

from .shapes import ball, box
from .whole_motions import Body, rotation

WALL = np.array([[-4, -4, 0], [4, -4, 0], [4, 4, 0], [-4, 4, 0]], float), np.array([[0, 1, 2], [0, 2, 3]], np.int32)
TETRAHEDRON = (np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float) / 2,
               np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]], np.int32))
TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float), np.array([[0, 1, 2]], np.int32)
NEEDLE = np.array([[-2, 0, 0], [2, 0, 0], [0, 1e-3, 0]], float), np.array([[0, 1, 2]], np.int32)
SHAPES = {"box": box((-.5, -.5, -.5), (.5, .5, .5)), "wall": WALL, "tetrahedron": TETRAHEDRON, "triangle": TRIANGLE,
          "needle": NEEDLE, "ball": ball(4, 3, 0.7)}
CLASSES = ("glides", "turns", "half turn", "stretches", "shears", "mirrored", "mirrors", "flattens", "deforms",
           "deforms and turns", "fast", "far away", "tiny", "huge", "passes closely", "off centre", "both at rest")


def pose(linear=None, origin=(0, 0, 0)):
    matrix = np.eye(4)
    matrix[:3, :3] = np.eye(3) if linear is None else linear
    matrix[:3, 3] = origin
    return matrix


def turned(rng, most: float, start=None):
    """A rotation that differs from `start` by up to `most`; from the identity by any angle."""
    q = rng.normal(size=4)
    if start is None:
        return rotation(q / np.linalg.norm(q))
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    angle = most * rng.uniform(0.2, 1.0) / 2
    return start @ rotation(np.array([np.cos(angle), *(np.sin(angle) * axis)]))


def draw(rng, name: str) -> tuple[Body, Body]:
    """Two bodies of one class, some of which meet."""
    bodies = []
    size = {"tiny": 1e-7, "huge": 1e6}.get(name, 1.0)
    place = rng.normal(size=3) * 1e5 if name == "far away" else np.zeros(3)
    for side in range(2):
        vertices, triangles = SHAPES[rng.choice(list(SHAPES))]
        moves = side == 0 or rng.random() < 0.6
        vertices_end = None
        if name == "off centre":
            vertices = vertices + rng.normal(size=3) * 20
        first = turned(rng, 0)
        last = turned(rng, {"half turn": np.pi}.get(name, 1.5), first) if moves and name != "glides" else first
        if name in ("stretches", "shears") or rng.random() < 0.1:
            first, last = (each @ np.diag(rng.uniform(0.4, 1.6, 3)) for each in (first, last if moves else first))
            last = last if moves else first
        if name == "shears":
            first, last = (each @ (np.eye(3) + 0.4 * rng.normal(size=(3, 3))) for each in (first, last))
            last = last if moves else first
        if name == "mirrored":
            first, last = first @ np.diag([-1, 1, 1]), last @ np.diag([-1, 1, 1])
        if name == "mirrors" and moves:
            last = last @ np.diag([-1, 1, 1])
        if name == "flattens" and moves:
            last = last @ np.diag([1, 0, 1])
        if name.startswith("deforms") and moves:
            vertices_end = vertices + 0.5 * rng.normal(size=vertices.shape)
            last = last if name.endswith("turns") else first
        reach = 5e3 if name == "fast" and side == 0 else 1.8
        centre = np.mean(vertices, axis=0)
        ends = rng.normal(size=(2, 3)) * reach + 0.2 * rng.normal(size=3)
        if reach > 10:
            ends[1] = -ends[0] * rng.uniform(0.5, 1.5) + rng.normal(size=3)
        if not moves or name == "both at rest":
            ends[1], last, vertices_end = ends[0], first, None
        first, last = (pose(size * m, place + size * (end - m @ centre)) for m, end in zip((first, last), ends))
        bodies.append((vertices, triangles, first, last, vertices_end))
    made = tuple(Body(*each) for each in bodies)
    if name == "passes closely":
        made = slide_past(rng, made)
    for body, (vertices, _, first, last, vertices_end) in zip(made, bodies if name != "passes closely" else ()):
        body.given = vertices, first, last, vertices_end
    return made


def slide_past(rng, bodies):
    """A box over a wall, at a gap of 1e-3 to 1e-12, or that much into it."""
    gap = 10.0 ** -rng.integers(3, 13) * rng.choice([-1, 1])
    turn = turned(rng, 0)
    made = []
    for shape, origins, last in ((SHAPES["box"], ((-1, 0, 0.5 + gap), (1, 0.3, 0.5 + gap)), rotation(
            np.array([np.cos(0.2), 0, 0, np.sin(0.2)]))), (WALL, ((0, 0, 0), (0, 0, 0)), np.eye(3))):
        first, end = (pose(turn @ m, turn @ np.array(o)) for m, o in zip((np.eye(3), last), origins))
        body = Body(*shape, first, end)
        body.given = shape[0], first, end, None
        made.append(body)
    return tuple(made)

