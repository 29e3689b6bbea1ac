# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain shapes as (vertices (n,3), faces (list of corner tuples)), closed and facing outward. Lengths in metres.

Coordinates given are coordinates kept: a box that ends at 0.875 ends there exactly, so things can touch exactly.
"""
import numpy as np


def box(low, high):
    """An axis-aligned box between two corners."""
    vertices = np.array([(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])])
    return vertices, [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def beam(lower, upper):
    """A slanted bar between two rectangles at heights of their own, each ((x0, y0), (x1, y1), z)."""
    corners = []
    for (x0, y0), (x1, y1), z in (lower, upper):
        corners += [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
    sides = [(k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4) for k in range(4)]
    return np.array(corners, float), [(3, 2, 1, 0), (4, 5, 6, 7), *sides]


def prism(outline, low: float, high: float):
    """A flat outline (n,2), counter-clockwise, made thick from z = low to z = high."""
    n = len(outline)
    vertices = np.array([(x, y, z) for z in (low, high) for x, y in outline], float)
    sides = [(k, (k + 1) % n, (k + 1) % n + n, k + n) for k in range(n)]
    return vertices, [tuple(range(n - 1, -1, -1)), tuple(range(n, 2 * n)), *sides]


def lathe(profile, around: int = 32, hollow: bool = False):
    """A profile [(radius, z), …], from the bottom's middle outward, turned about z. Ends off the axis get a cap;
    hollow: the profile is closed instead, as of a tube."""
    angle = 2 * np.pi * np.arange(around) / around
    vertices, rings = [], []
    for radius, z in profile:
        rings.append(np.arange(around if radius else 1) + len(vertices))
        turned = zip(radius * np.cos(angle), radius * np.sin(angle)) if radius else [(0.0, 0.0)]
        vertices += [(x, y, z) for x, y in turned]
    following = rings[1:] + rings[:1] if hollow else rings[1:]
    faces = [face for lower, upper in zip(rings, following) for face in band(lower, upper)]
    caps = [] if hollow else [rings[0][::-1], rings[-1]]
    return np.array(vertices), faces + [tuple(cap) for cap in caps if len(cap) > 1]


def band(lower, upper) -> list[tuple]:
    """The faces between two rings of vertex numbers; either may be a single point."""
    n = max(len(lower), len(upper))
    faces = []
    for k in range(n):
        corners = (lower[k % len(lower)], lower[(k + 1) % len(lower)],
                   upper[(k + 1) % len(upper)], upper[k % len(upper)])
        faces.append(tuple(dict.fromkeys(corners)))
    return [face for face in faces if len(face) > 2]


def ball(radius, around: int = 24, rows: int = 12):
    """A globe whose poles lie at ±radius on z exactly; radius may be three half axes."""
    radii = np.broadcast_to(radius, 3)
    polar = np.pi * np.arange(rows + 1) / rows
    profile = [(0.0 if k in (0, rows) else np.sin(a), -np.cos(a)) for k, a in enumerate(polar)]
    vertices, faces = lathe(profile, around)
    return vertices * radii, faces


def rod(start, end, radius: float, around: int = 16):
    """A round bar between two points."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    length = np.linalg.norm(end - start)
    vertices, faces = lathe([(radius, 0.0), (radius, length)], around)
    return vertices @ frame(end - start).T + start, faces


def frame(direction) -> np.ndarray:
    """(3,3) rotation whose third column points along a direction."""
    z = np.asarray(direction, float) / np.linalg.norm(direction)
    x = np.cross((0.0, 1.0, 0.0) if abs(z[1]) < 0.9 else (1.0, 0.0, 0.0), z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def facing_y(shape):
    """The same shape lying: its axis z becomes -y, exactly."""
    vertices, faces = shape
    return np.column_stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]]), faces


def moved(shape, by):
    """The shape at another place."""
    vertices, faces = shape
    return vertices + np.asarray(by, float), faces


def joined(*shapes):
    """Several shapes as one mesh."""
    vertices, faces, start = [], [], 0
    for part, part_faces in shapes:
        faces += [tuple(int(corner) + start for corner in face) for face in part_faces]
        vertices.append(part)
        start += len(part)
    return np.concatenate(vertices), faces
