# SPDX-License-Identifier: GPL-3.0-or-later
"""A wall through a floor along its grid lines is found by the triangles at the common edges. They were not found where
the last mesh has vertices that no face uses: edges were numbered with the count of all vertices here, of used ones
there."""
import numpy as np
import pytest
from naive.scenes import build, pose
from naive.shapes import grid
from touchpoint.core import detect, methods

EXACT = [name for name in methods.ids()
         if methods.load(name).answer == "exact" and not methods.load(name).needs]
FLOOR, WALL = grid(4, 4), grid(4, 2, (0, 1, -1), v=(0, 0, 1))


def with_loose_vertex(mesh):
    return np.concatenate([mesh[0], [(9.0, 9.0, 9.0)]]), mesh[1]


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("meshes", [(FLOOR, with_loose_vertex(WALL)), (WALL, with_loose_vertex(FLOOR)),
                                    (with_loose_vertex(FLOOR), WALL)])
def test_wall_still_passes_through_the_floor(method, meshes):
    report = detect(build((meshes, [(0, pose()), (1, pose())])), method=method)
    assert [report.verdict(row) for row in range(len(report.pairs))] == ["crossing"]
