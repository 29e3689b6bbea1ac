# SPDX-License-Identifier: GPL-3.0-or-later
"""A vertex that no face has, left far away, made the automatic tolerance large: boxes half a metre apart touched, and
boxes that reach into each other no more than touched, in Blender by default and with exit code 0."""
import numpy as np
import pytest
from naive.scenes import build, pose
from naive.shapes import box
from touchpoint.core import Scene, detect
from touchpoint.core.tolerance import AUTOMATIC


def with_loose_vertex(mesh):
    return np.concatenate([[(1e6, 0.0, 0.0)], mesh[0], [(0.0, 0.0, -1e6)]]), mesh[1] + np.int32(1)


@pytest.mark.parametrize("offset, verdict", [(0.5, "crossing"), (1.4, "clear"), (1.0, "touching")])
def test_the_tolerance_is_that_of_the_faces(offset, verdict):
    turned = pose(1.0, (offset, 0.3, 0.2))
    reports = [detect(build(([box(), other], [(0, pose()), (1, turned)])), tolerance=AUTOMATIC)
               for other in (box(), with_loose_vertex(box()))]
    told = [[report.verdict(row) for row in range(len(report.pairs))] or ["clear"] for report in reports]
    assert told[0] == told[1] == [verdict]
    assert reports[0].settings["tolerance_at_most"] == reports[1].settings["tolerance_at_most"]


def test_meshes_that_are_added_moved_and_removed():
    scene = Scene()
    plain, loose = scene.add_mesh(*box()), scene.add_mesh(*with_loose_vertex(box()))
    first, second = scene.add_object(plain), scene.add_object(loose, pose(1.0, (1.4, 0, 0)))
    assert not len(detect(scene, tolerance=AUTOMATIC).pairs)
    vertices = scene.meshes[loose].vertices.copy()
    vertices[1:-1] -= (0.9, 0, 0)
    scene.set_vertices(loose, vertices)
    assert detect(scene, tolerance=AUTOMATIC).verdict(0) == "overlap"
    scene.remove_object(second)
    scene.remove_mesh(loose)
    scene.add_object(scene.add_mesh(*with_loose_vertex(box())), pose(1.0, (1.4, 0, 0)))
    assert not len(detect(scene, tolerance=AUTOMATIC).pairs)
    assert first == 0
