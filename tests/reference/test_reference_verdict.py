# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference's rule for "crossing": cases of which everybody knows the answer."""
import numpy as np
import pytest
from naive.shapes import ball, box, fan, grid, joined, moved
from touchpoint.core.reference import Surface, closedness, contacts_between, crosses, rounded

FLOOR = grid(4, 4)
VERTICES, FACES = joined(box(), box((1, 1, 0), (2, 2, 1)))
PLACES, NUMBER = np.unique(VERTICES, axis=0, return_inverse=True)
DIAGONAL = PLACES, NUMBER.reshape(-1)[FACES].astype(np.int32)       # two cubes that share an edge, with four wings
BENT = (np.array([(0, 1.125, 0), (4, 1.125, 0), (0, 0, 2), (4, 2, 3)]), np.array([(0, 1, 2), (1, 0, 3)], np.int32))

BY_HAND = {
    # name: (a, b, crossing)
    "box stands on a floor": (box((1, 1, 0), (2, 2, 1)), FLOOR, False),
    "box sunk into a floor": (box((1.25, 1.5, -0.5), (2.125, 2.5, 1)), FLOOR, True),
    "box sunk along the lines of the floor": (box((1, 1, -1), (2, 2, 1)), FLOOR, True),
    "wall through a floor, between its lines": (grid(4, 2, (0, 1.5, -1), v=(0, 0, 1)), FLOOR, True),
    "wall through a floor along its lines": (grid(4, 2, (0, 1, -1), v=(0, 0, 1)), FLOOR, True),
    "wall with no line of its own at the floor": (grid(4, 1, (0, 1, -1), v=(0, 0, 2)), FLOOR, True),
    "wall with its line on the floor, between the floor's lines":
        (grid(2, 2, (0.5, 1.125, -1), v=(0, 0, 1)), FLOOR, True),
    "wall stands on a line of the floor": (grid(4, 1, (0, 1, 0), v=(0, 0, 1)), FLOOR, False),
    "wall stands between the lines": (grid(4, 1, (0, 1.125, 0), v=(0, 0, 1)), FLOOR, False),
    "sheet stands with its bend on the floor": (BENT, FLOOR, False),
    "wall along the border of the floor": (grid(4, 2, (0, 0, -1), v=(0, 0, 1)), FLOOR, False),
    "two floors side by side": (moved(FLOOR, (4, 0, 0)), FLOOR, False),
    "two floors in one plane, overlapping": (moved(FLOOR, (0.5, 0.25, 0)), FLOOR, False),
    "the same floor": (FLOOR, FLOOR, False),
    "boxes flush, the same size": (box(), moved(box(), (1, 0, 0)), False),
    "boxes flush, shifted": (box(), moved(box(), (1, 0.25, 0.5)), False),
    "boxes edge on edge": (box(), moved(box(), (1, 1, 0)), False),
    "boxes corner on corner": (box(), moved(box(), (1, 1, 1)), False),
    "boxes through each other": (box(), moved(box(), (0.5, 0.25, 0.75)), True),
    "box in a box": (box((-1, -1, -1), (2, 2, 2)), box(), False),
    "bar through a box": (box((0.25, 0.25, -1), (0.75, 0.75, 2)), box(), True),
    "ball on its pole": (moved(ball(), (1.5, 1.25, 1)), FLOOR, False),
    "ball in the floor by its middle ring": (moved(ball(), (1.5, 1.25, 0)), FLOOR, True),
    "wings one after the other": (fan([0, 90]), fan([135, 200]), False),
    "wings alternate": (fan([0, 90]), fan([45, 200]), True),
    "wings alternate across more than half a turn": (fan([0, 200]), fan([100, 300]), True),
    "wings all within less than half a turn, nested": (fan([0, 170]), fan([30, 120]), False),
    "wings share a direction": (fan([0, 90]), fan([90, 200]), False),
    "wings opposite each other": (fan([0, 180]), fan([90, 270]), True),
    "wings folded together": (fan([0, 180]), fan([90, 90]), False),
    "wing alone": (fan([0, 180]), fan([90]), False),
    "two wings of four alternate": (fan([0, 180]), fan([30, 60, 100, 250]), True),
    "four wings, the other two between the same": (fan([0, 90, 180, 270]), fan([30, 60]), False),
    "four wings, the other two in neighbours": (fan([0, 90, 180, 270]), fan([45, 135]), True),
    "four wings, the other two in regions of one parity": (fan([0, 90, 180, 270]), fan([45, 225]), True),
    "four wings, and the same four": (fan([0, 90, 180, 270]), fan([0, 90, 180, 270]), False),
    "four wings, two of them the same": (fan([0, 90, 180, 270]), fan([0, 180]), True),
    "four wings and two of them": (fan([0, 90, 180, 270]), fan([0, 90]), False),
    "three wings, and the same three": (fan([0, 90, 180]), fan([0, 90, 180]), False),
    "three wings, the others in two of the three": (fan([0, 90, 180]), fan([45, 135]), True),
    "edges of cubes edge on edge, and of the same": (DIAGONAL, DIAGONAL, False),
    "cubes edge on edge, and one of the two": (DIAGONAL, box(), False),
    "cubes edge on edge, and those between them": (
        DIAGONAL, (DIAGONAL[0] * (-1, 1, 1) + (2, 0, 0), DIAGONAL[1]), False),
    "cubes edge on edge, and a wall between them": (DIAGONAL, moved(grid(1, 1, (-1, 1, 0), (2, -2, 0), (0, 0, 1)),
                                                                    (1, 1, 0)), True),
    "cubes edge on edge, and wings within both": (DIAGONAL, moved(fan([190, 260, 10, 80]), (1, 1, 0)), False),
    "cubes edge on edge, and wings within one": (DIAGONAL, moved(fan([190, 260]), (1, 1, 0)), False),
    "cubes edge on edge, and wings within and without": (DIAGONAL, moved(fan([190, 100]), (1, 1, 0)), True),
    "cubes edge on edge, and a sheet through both": (DIAGONAL, moved(fan([225, 45]), (1, 1, 0)), True),
    "wings that share places and no vertex index": (fan([0, 180]), joined(fan([90]), fan([270])), True),
    "edge on edge only at one point": (fan([0, 180]), moved(fan([90, 270]), (0, 0, 1)), False),
    "edge on edge for a part": (fan([0, 180]), moved(fan([90, 270]), (0, 0, 0.5)), True),
}


def verdict(a, b):
    corners_b = b[0][b[1]]
    contacts = rounded(contacts_between(a[0][a[1]], corners_b), corners_b)
    one, other = (Surface(*mesh, closedness(*mesh)) for mesh in (a, b))
    return crosses(one, other, contacts), len(contacts) > 0


@pytest.mark.parametrize("name", BY_HAND)
def test_known_answers(name):
    a, b, crossing = BY_HAND[name]
    assert verdict(a, b)[0] == verdict(b, a)[0] == crossing
    assert verdict(a, b)[1] == (name != "box in a box")


@pytest.mark.parametrize("seed", range(4))
def test_answer_does_not_depend_on_the_order_of_anything(seed):
    rng = np.random.default_rng(seed)
    for a, b, crossing in BY_HAND.values():
        assert verdict(shuffled(a, rng), shuffled(b, rng))[0] == crossing


def shuffled(mesh, rng):
    """The same surface: vertices and triangles in another order, corners rotated or reversed, axes permuted."""
    vertices, faces = mesh
    order = rng.permutation(len(vertices))
    faces = np.argsort(order)[faces][rng.permutation(len(faces))]
    return vertices[order], np.array([face[rng.permutation(3)] for face in faces], np.int32)


def test_closed_border_of_a_face_is_no_inside():
    """The edge of a box corner, and a bent sheet that touches it from outside with wings on both sides of one face."""
    corner, sheet = fan([0, 90]), fan([135, 350])
    assert verdict(corner, sheet) == (False, True)
