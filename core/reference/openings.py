# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a thing could leave a mesh that is not closed by its openings: as verdicts/openings.py, in plain Python."""
import math
from collections import defaultdict

import numpy as np

MOST_SHEETS = 64


def could_leave(inner: np.ndarray, vertices: np.ndarray, triangles: np.ndarray) -> bool:
    """True where a ball around the points `inner`, (k,3), can leave a mesh by its openings.

    vertices (n,3), triangles (m,3): of the mesh; all in world coordinates.
    """
    exponent = -math.frexp(float(np.abs(vertices).max()))[1]
    inner, vertices = np.ldexp(inner, exponent), np.ldexp(vertices, exponent)       # areas stay in range
    diameter = math.dist(inner.min(axis=0).tolist(), inner.max(axis=0).tolist())
    faces = [tuple(map(tuple, (vertices[triangle] + 0.0).tolist())) for triangle in triangles]
    left = sheets([face for face in faces if len(set(face)) == 3])
    if not 0 < len(left) <= MOST_SHEETS:
        return False
    while left:
        users = users_of([face for sheet in left for face in sheet])
        border = [side for sheet in left for face in sheet for side in sides(face) if len(users[frozenset(side)]) == 1]
        openings = connected(border)
        if not 0 < len(openings) <= MOST_SHEETS:
            return False
        measured = [measure(opening) for opening in openings]
        widest = max(range(len(openings)), key=lambda row: width_of(row, measured))
        if diameter > width_of(widest, measured):
            return False
        rim = set(openings[widest])
        left = [sheet for sheet in left if not any(side in rim for face in sheet for side in sides(face))]
    return True


def sheets(faces: list[tuple]) -> list[list[tuple]]:
    """The faces in groups that are connected across edges which two faces have."""
    sheet_of = {row: [row] for row in range(len(faces))}
    for rows in users_of(faces).values():
        if len(rows) == 2 and sheet_of[rows[0]] is not sheet_of[rows[1]]:
            joined = sheet_of[rows[0]] + sheet_of[rows[1]]
            sheet_of.update(dict.fromkeys(joined, joined))
    return [[faces[row] for row in rows] for rows in {id(rows): rows for rows in sheet_of.values()}.values()]


def users_of(faces: list[tuple]) -> dict[frozenset, list[int]]:
    """The rows of the faces that have an edge, for each edge."""
    users = defaultdict(list)
    for row, face in enumerate(faces):
        for side in sides(face):
            users[frozenset(side)].append(row)
    return users


def sides(face) -> list[tuple]:
    return [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])]


def connected(pieces: list[tuple]) -> list[list[tuple]]:
    """The pieces, tuples of points, in groups that share points directly or through others."""
    group_of: dict[tuple, list] = {}
    for piece in pieces:
        groups = {id(group_of[point]): group_of[point] for point in piece if point in group_of}
        joined = [piece, *(each for group in groups.values() for each in group)]
        for each in joined:
            group_of.update(dict.fromkeys(each, joined))
    return list({id(group): group for group in group_of.values()}.values())


def measure(opening: list[tuple]) -> tuple[float, float, np.ndarray, np.ndarray]:
    """Area, length, lower and upper corner of the box of a border. What does not close is closed by ways to its
    middle."""
    ends = np.array(opening)
    middle = ends.mean(axis=(0, 1))
    turned = np.cross(ends[:, 0] - middle, ends[:, 1] - middle).sum(axis=0)
    loose: dict[tuple, int] = defaultdict(int)
    for begin, end in opening:
        loose[begin] += 1
        loose[end] -= 1
    length = sum(math.dist(*edge) for edge in opening) + sum(
        abs(number) * math.dist(point, middle) for point, number in loose.items())
    return 0.5 * math.hypot(*turned), length, ends.min(axis=(0, 1)), ends.max(axis=(0, 1))


def width_of(row: int, measured: list) -> float:
    """The largest diameter of a ball for which the opening is wide enough, with those that are nearer than the ball is
    wide."""
    area, length, low, high = measured[row]
    others = sorted((float(np.linalg.norm(np.maximum(0.0, np.maximum(low - its_high, its_low - high)))), more, longer)
                    for other, (more, longer, its_low, its_high) in enumerate(measured) if other != row)
    width = 0.0
    for gap, more, longer in [*others, (math.inf, 0.0, 0.0)]:
        width = max(width, min(gap, 2.0 * max(area, 0.0) / length))
        area, length = area - more, length + longer
    return width
