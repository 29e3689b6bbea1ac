# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed bodies of machines: prisms, tubes, plates with holes, and springs; their axes are z."""
import math

import numpy as np

from .parts import Part, stored

SEGMENTS = 32                   # of a circle


def circle(radius: float, count: int = SEGMENTS) -> np.ndarray:
    """(count,2) corners around the origin."""
    angles = 2.0 * math.pi * np.arange(count) / count
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def prism(name: str, pose: np.ndarray, radius: float, heights: tuple[float, float], count: int = SEGMENTS) -> Part:
    return stored(Part(name, *_between(circle(radius, count), None, *heights), pose))


def tube(name: str, pose: np.ndarray, radii: tuple[float, float], heights: tuple[float, float]) -> Part:
    """radii: inside, outside."""
    return stored(Part(name, *_between(circle(radii[1]), circle(radii[0]), *heights), pose))


def plate(name: str, pose: np.ndarray, holes, cell: tuple[float, float], radius: float,
          heights: tuple[float, float]) -> Part:
    """Rectangles of the size `cell` with a round hole in the middle, side by side: one closed body for each hole, in
    one mesh. holes: (n,2) their middles."""
    vertices, triangles, count = [], [], 0
    around = circle(1.0)
    rectangle = 0.5 * np.asarray(cell) * around / np.abs(around).max(axis=1)[:, None]
    for middle in holes:
        corners, sides = _between(rectangle + middle, circle(radius) + middle, *heights)
        vertices.append(corners)
        triangles.append(sides + count)
        count += len(corners)
    return stored(Part(name, np.concatenate(vertices), np.concatenate(triangles), pose))


def spring(name: str, pose: np.ndarray, radius: float, wire: float, heights: tuple[float, float], turns: int) -> Part:
    """A wire of eight sides along a helix, closed at its ends."""
    rows, sides = 24 * turns + 1, 8
    along = 2.0 * math.pi * turns * np.arange(rows) / (rows - 1)
    out = np.stack([np.cos(along), np.sin(along), np.zeros(rows)], axis=1)
    middle = radius * out
    middle[:, 2] = np.linspace(*heights, rows)
    around = circle(wire, sides)
    rings = middle[:, None] + around[:, :1] * out[:, None] + around[:, 1:] * np.array([0.0, 0.0, 1.0])
    i, j = (each.ravel() for each in np.mgrid[:rows - 1, :sides])
    here, beside = i * sides + j, i * sides + (j + 1) % sides
    last, fan = (rows - 1) * sides, np.arange(1, sides - 1)
    triangles = np.concatenate([np.stack(corners, axis=1) for corners in (
        (here, beside, beside + sides), (here, beside + sides, here + sides),
        (0 * fan, fan + 1, fan), (0 * fan + last, fan + last, fan + 1 + last))])
    return stored(Part(name, rings.reshape(-1, 3), triangles.astype(np.int32), pose))


def _between(outer: np.ndarray, inner: np.ndarray | None, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """A closed body between two heights: within a polygon, without what is within another one of as many corners."""
    n = len(outer)
    loops = [outer] if inner is None else [outer, inner]
    vertices = np.concatenate([np.column_stack([loop, np.full(n, z)]) for loop in loops for z in (low, high)])
    i, j = np.arange(n), (np.arange(n) + 1) % n
    sides = [(i, j, j + n), (i, j + n, i + n)]
    if inner is None:
        sides += [(0 * i[2:], i[1:-1] + 1, i[1:-1]), (0 * i[2:] + n, i[1:-1] + n, i[1:-1] + 1 + n)]
    else:
        sides += [(i + 2 * n, j + 3 * n, j + 2 * n), (i + 2 * n, i + 3 * n, j + 3 * n), (i, i + 2 * n, j + 2 * n),
                  (i, j + 2 * n, j), (i + n, j + 3 * n, i + 3 * n), (i + n, j + n, j + 3 * n)]
    return vertices, np.concatenate([np.stack(side, axis=1) for side in sides]).astype(np.int32)
