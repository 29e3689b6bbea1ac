# SPDX-License-Identifier: GPL-3.0-or-later
"""`Model`: the parts of a scene at one time, and planted clashes among them."""
from dataclasses import dataclass, field

import numpy as np

CUBE = 0.02             # edge of a planted cube, metres
DEPTHS = (0.001, 0.002, 0.003, 0.005, 0.008)    # how far planted cubes reach into the part they are planted on
CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float) - 0.5
SIDES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6],
                  [0, 6, 4], [1, 5, 7], [1, 7, 3]], np.int32)


@dataclass(frozen=True)
class Part:
    """vertices: (n,3) float64, local, metres. pose: (4,4) to the world. link: number of the rigid piece it is of."""

    name: str
    vertices: np.ndarray
    triangles: np.ndarray
    pose: np.ndarray
    link: int = -1


@dataclass(frozen=True)
class Clash:
    """Two parts that are made to reach into each other. depth: in metres, as the design has it."""

    a: str
    b: str
    depth: float


@dataclass(frozen=True)
class Model:
    """A scene at one time. next_links: pairs of links that follow one another in a mechanism."""

    name: str
    parts: list[Part]
    next_links: list[tuple[int, int]] = field(default_factory=list)


def stored(part: Part) -> Part:
    """The part as a file of Blender keeps it: vertices and matrix in single precision."""
    vertices = np.ascontiguousarray(part.vertices, np.float32).astype(np.float64)
    return Part(part.name, vertices, part.triangles, np.float32(part.pose).astype(np.float64), part.link)


def box(name: str, low, high, pose) -> Part:
    """A box whose corners are rounded as any modeller would round them."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    return stored(Part(name, low + (CORNERS + 0.5) * (high - low), SIDES, pose))


def welded(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of (n,3,3) corners; equal corners are one vertex, and what has no area is left out."""
    vertices, which = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    triangles = which.reshape(-1, 3).astype(np.int32)
    whole = (triangles[:, 0] != triangles[:, 1]) & (triangles[:, 1] != triangles[:, 2]) & (
        triangles[:, 2] != triangles[:, 0])
    return vertices, triangles[whole]


def planted(model: Model, seed: int) -> list[Part]:
    """A cube per depth, each pushed so far into a triangle of a part, along its normal. Where it meets other parts,
    too, that is one more clash."""
    random = np.random.default_rng(seed)
    found = []
    for depth in DEPTHS:
        part = model.parts[random.integers(len(model.parts))]
        corners = (part.vertices @ part.pose[:3, :3].T + part.pose[:3, 3])[part.triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = np.linalg.norm(normals, axis=1)
        at = random.choice(len(area), p=area / area.sum())
        up = normals[at] / area[at]
        aside = np.cross(up, np.eye(3)[np.abs(up).argmin()])
        aside /= np.linalg.norm(aside)
        pose = np.eye(4)
        pose[:3, :3] = CUBE * np.stack([aside, np.cross(up, aside), up], axis=1)
        pose[:3, 3] = corners[at].mean(axis=0) + (0.5 * CUBE - depth) * up
        found.append(stored(Part(f"planted {1000 * depth:g} mm", CORNERS, SIDES, pose)))
    return found
