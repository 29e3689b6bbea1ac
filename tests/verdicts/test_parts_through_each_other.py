# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes whose parts pass through each other, such as joined boxes, beside others with faces in the same planes."""
import numpy as np
import pytest
from naive.answers import verdicts_of
from naive.shapes import box, joined

pytestmark = pytest.mark.scenes


def test_an_edge_goes_on_into_another_part_of_its_mesh():
    """The upper edge of the long box is in the plane of the cube's side, and ends inside of the block. A sample at that
    end was taken for one beside the cube, which was called an overlap."""
    long, block, cube = box((1, 3, 2), (4, 4, 3)), box((2, 2, 2), (4, 5, 4)), box((1, 2, 3), (2, 3, 4))
    post = box((4, 4, 0), (6, 6, 2))        # so that no box tells
    for parts in ([long, block], [block, long]):
        assert verdicts_of(joined(*parts), joined(cube, post)) == {(0, 1): ("touching", None)}


BY_ANY_ANGLE = np.array([(np.cos(0.7), -np.sin(0.7), 0), (np.sin(0.7), np.cos(0.7), 0), (0, 0, 1)])
TURNS = {"as they are": np.eye(3), "turned": np.array([(3, -4, 0), (4, 3, 0), (0, 0, 5.0)]),
         "turned by any angle": BY_ANY_ANGLE}


def random_scene(seed, turn):
    """Six meshes of one to three boxes each."""
    random = np.random.default_rng(seed)

    def body():
        corners = [(low, low + random.integers(1, 4, 3)) for low in random.integers(0, 5, (random.integers(1, 4), 3))]
        vertices, faces = joined(*(box(low, high) for low, high in corners))
        return vertices @ turn.T, faces

    return [body() for _ in range(6)]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("seed", range(30))
def test_random_boxes_joined(seed, turn):
    """As rational arithmetic says. Of 40 such scenes, 9 pairs were called an overlap that touch."""
    meshes = random_scene(seed, TURNS[turn])
    assert verdicts_of(*meshes) == verdicts_of(*meshes, method="exact")


@pytest.mark.parametrize("seed", [40, 70, 135, 138, 213])
def test_edges_without_a_start_in_the_triangle(seed):
    """No number of floats is on them there. A sample at an end outside told of another part of the mesh: an overlap of
    what touches, or of what contains the other. Of 2,853 pairs, 11 were wrong."""
    meshes = random_scene(seed, BY_ANY_ANGLE)
    assert verdicts_of(*meshes) == verdicts_of(*meshes, method="exact")
