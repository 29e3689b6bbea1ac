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


TURNS = {"as they are": np.eye(3), "turned": np.array([(3, -4, 0), (4, 3, 0), (0, 0, 5.0)])}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("seed", range(30))
def test_random_boxes_joined(seed, turn):
    """As rational arithmetic says. Of 40 such scenes, 9 pairs were called an overlap that touch."""
    random = np.random.default_rng(seed)

    def body():
        corners = [(low, low + random.integers(1, 4, 3)) for low in random.integers(0, 5, (random.integers(1, 4), 3))]
        vertices, faces = joined(*(box(low, high) for low, high in corners))
        return vertices @ TURNS[turn].T, faces

    meshes = [body() for _ in range(6)]
    assert verdicts_of(*meshes) == verdicts_of(*meshes, method="exact")
