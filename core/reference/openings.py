# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a thing could leave a mesh that is not closed by its openings: as verdicts/openings.py, in plain Python."""
import math
from collections import Counter

import numpy as np

MOST_OPENINGS = 512


def could_leave(inner: np.ndarray, vertices: np.ndarray, triangles: np.ndarray) -> bool:
    """True where each component of a mesh has an opening for a ball around the points `inner`, (k,3).

    vertices (n,3), triangles (m,3): of the mesh; all in world coordinates.
    """
    exponent = -math.frexp(float(np.abs(vertices).max()))[1]
    inner, vertices = np.ldexp(inner, exponent), np.ldexp(vertices, exponent)       # areas stay in range
    diameter = math.dist(inner.min(axis=0).tolist(), inner.max(axis=0).tolist())
    faces = [tuple(map(tuple, (vertices[triangle] + 0.0).tolist())) for triangle in triangles]
    uses = Counter(frozenset(edge) for face in faces for edge in sides(face) if edge[0] != edge[1])
    border = [edge for face in faces for edge in sides(face) if uses.get(frozenset(edge), 0) % 2]
    balance = Counter(border)
    border = [edge for edge, number in balance.items() if number > balance[edge[::-1]]]
    openings, bodies = connected(border), connected(faces)
    if not 0 < len(openings) <= MOST_OPENINGS:
        return False
    measured = [measure(opening) for opening in openings]
    return all(any(opening[0][0] in {corner for face in body for corner in face}
                   and is_wide_enough(row, measured, diameter) for row, opening in enumerate(openings))
               for body in bodies)


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
    """Area, length, lower and upper corner of the box of a closed border."""
    ends = np.array(opening)
    turned = np.cross(ends[:, 0] - ends[0, 0], ends[:, 1] - ends[0, 0]).sum(axis=0)
    length = sum(math.dist(*edge) for edge in opening)
    return 0.5 * math.hypot(*turned), length, ends.min(axis=(0, 1)), ends.max(axis=(0, 1))


def is_wide_enough(row: int, measured: list, diameter: float) -> bool:
    area, length, low, high = measured[row]
    for other, (more, longer, its_low, its_high) in enumerate(measured):
        if other != row and np.linalg.norm(np.maximum(0.0, np.maximum(low - its_high, its_low - high))) < diameter:
            area, length = area - more, length + longer
    return area > 0.0 and 2.0 * area >= diameter * length
