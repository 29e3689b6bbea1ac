# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of two triangles by a plane between them, from the volume of a tetrahedron: it proves gaps of any
smallness, as between flush parts that rounding has parted.

A triangle on one side of the other one's plane is no nearer to it than its nearest vertex; two triangles that lie
beyond parallel planes through an edge of each are no nearer than these planes. Where the foot of the vertex lies in the
face, or the common normal meets both edges, they are as near (Ericson, Real-Time Collision Detection, 2005, section
5.1.10). The distance is six times the volume of the four corners, over the length of the normal.
"""
import math

from ..geometry.dd_vectors import cross, dot, subtract
from ..geometry.orientation import orientation3
from ..machine_code.jit import kernel
from .refine import BETWEEN, EDGE_1, EDGE_2
from .triangles import FACE_OF_B

# Feet err by less than 2^-94 of the size over the square of an angle's sine, which counts by its square: a gap of so
# much of the size, over that square, is proved.
PROVABLE_GAP = 2.0 ** -73
SURE_SIDE = 2.0 ** -90      # of the edges' lengths: a product of three is more than double-double errs by
# Rows of D, besides those of refine.py: the normal of both edges, another cross product, the normals of A and B.
NORMAL_OF_EDGES, SIDEWAYS, NORMAL_OF_A, NORMAL_OF_B, PLANE_ROWS = 0, 12, 15, 18, 21
NONE = -1                   # no plane proves a distance


@kernel
def nearest_by_planes(P, size, expansion, D):
    """(feature, distance, x, y) of the two triangles in P (6,3), as in triangles.py; the distance errs by less than
    2^-41 of itself. NONE where none is proved: mostly where a corner or a point of an edge is nearest to an edge.

    size: largest difference of two coordinates, within a factor of two; expansion: (EXPANSION_SIZE,) float64, D:
    (PLANE_ROWS,2), scratch.
    """
    for face in (3, 0):
        vertex, distance, x, y = _vertex_above(P, face, size, expansion, D)
        if vertex != NONE:
            return FACE_OF_B + vertex, distance, x, y
    for corner in (0, 3):
        subtract(P, corner + 1, corner, D, EDGE_1)
        subtract(P, corner + 2, corner, D, EDGE_2)
        cross(D, EDGE_1, EDGE_2, NORMAL_OF_A + corner)
    for feature in range(FACE_OF_B):
        distance, x, y = _edges_across(P, feature // 3, feature % 3, size, expansion, D)
        if distance > 0.0:
            return feature, distance, x, y
    return NONE, 0.0, 0.0, 0.0


@kernel
def _vertex_above(P, face, size, expansion, D):
    """(vertex, distance, x, y): the vertex of the other triangle that comes nearest above the face whose corners are
    rows face … face + 2, and its foot; NONE where it is not above, or not provably."""
    vertex = NONE
    least = math.inf
    side = 0.0
    for i in range(3 - face, 6 - face):
        volume = orientation3(P, face, face + 1, face + 2, i, 1, expansion)
        if volume * side < 0.0 or not abs(volume) > 0.0:
            return NONE, 0.0, 0.0, 0.0
        side = volume
        if abs(volume) < least:
            least = abs(volume)
            vertex = i
    subtract(P, face + 1, face, D, EDGE_1)
    subtract(P, face + 2, face, D, EDGE_2)
    subtract(P, vertex, face, D, BETWEEN)
    subtract(P, face + 2, face + 1, D, SIDEWAYS)
    longest = max(max(dot(D, EDGE_1, EDGE_1), dot(D, EDGE_2, EDGE_2)), dot(D, SIDEWAYS, SIDEWAYS))
    square, distance = _over_normal(least, size, longest * longest, D)
    if square == 0.0:
        return NONE, 0.0, 0.0, 0.0
    cross(D, BETWEEN, EDGE_2, SIDEWAYS)
    x = dot(D, SIDEWAYS, NORMAL_OF_EDGES) / square
    cross(D, EDGE_1, BETWEEN, SIDEWAYS)
    y = dot(D, SIDEWAYS, NORMAL_OF_EDGES) / square
    subtract(P, face + 2, face + 1, D, EDGE_1)
    subtract(P, vertex, face + 1, D, BETWEEN)
    cross(D, EDGE_1, BETWEEN, SIDEWAYS)
    inside = x >= 0.0 and y >= 0.0 and dot(D, SIDEWAYS, NORMAL_OF_EDGES) >= 0.0
    return vertex if inside else NONE, distance, x, y


@kernel
def _edges_across(P, i, j, size, expansion, D):
    """(distance, x, y): of edge i of A and edge j of B where the common normal meets both and either triangle lies
    beyond its own edge; 0 where that is not so, or not provably. The normals of A and B are in D."""
    k = (i + 1) % 3
    m = 3 + (j + 1) % 3
    j += 3
    subtract(P, k, i, D, EDGE_1)
    subtract(P, m, j, D, EDGE_2)
    beyond_a = dot(D, EDGE_2, NORMAL_OF_A)      # as the third corners lie along the normal, from the edges
    beyond_b = dot(D, EDGE_1, NORMAL_OF_B)
    if not (beyond_a * beyond_b > 0.0 and min(abs(beyond_a), abs(beyond_b)) > SURE_SIDE * size * size * size):
        return 0.0, 0.0, 0.0
    volume = orientation3(P, k, m, j, i, 1, expansion)
    if not volume * beyond_b > 0.0:
        return 0.0, 0.0, 0.0
    square, distance = _over_normal(abs(volume), size, dot(D, EDGE_1, EDGE_1) * dot(D, EDGE_2, EDGE_2), D)
    if square == 0.0:
        return 0.0, 0.0, 0.0
    subtract(P, j, i, D, BETWEEN)
    cross(D, BETWEEN, EDGE_2, SIDEWAYS)
    x = dot(D, SIDEWAYS, NORMAL_OF_EDGES) / square
    cross(D, BETWEEN, EDGE_1, SIDEWAYS)
    y = dot(D, SIDEWAYS, NORMAL_OF_EDGES) / square
    subtract(P, m, k, D, BETWEEN)
    cross(D, BETWEEN, EDGE_2, SIDEWAYS)
    inside = x >= 0.0 and y >= 0.0 and dot(D, SIDEWAYS, NORMAL_OF_EDGES) <= 0.0
    cross(D, BETWEEN, EDGE_1, SIDEWAYS)
    inside = inside and dot(D, SIDEWAYS, NORMAL_OF_EDGES) <= 0.0
    return distance if inside else 0.0, x, y


@kernel
def _over_normal(volume, size, square_of_lengths, D):
    """(square of the length of the normal of EDGE_1 and EDGE_2, which is written; volume over that length): 0 where the
    distance is too short for a proof. square_of_lengths: what the former would be if the angle were right."""
    cross(D, EDGE_1, EDGE_2, NORMAL_OF_EDGES)
    square = dot(D, NORMAL_OF_EDGES, NORMAL_OF_EDGES)
    if not square > 0.0:
        return 0.0, 0.0
    distance = volume / math.sqrt(square)
    return square if distance * square > PROVABLE_GAP * size * square_of_lengths else 0.0, distance
