# SPDX-License-Identifier: GPL-3.0-or-later
"""Two boxes at one place, imported with a vertex per corner, only touched within any tolerance, also the automatic one
of Blender: each of their triangles was a component of its own, from which no chord leads to another one."""
import numpy as np
import pytest
from naive.scenes import build, pose, random_linear
from naive.shapes import ball, box, joined, moved
from touchpoint.core import Scene, detect
from touchpoint.core.tolerance import AUTOMATIC
from touchpoint.core.tolerance.inner_points import closed_components
from touchpoint.core.verdicts.mesh_topology import MeshTopology


def split(mesh, every=1):
    """A vertex per corner of each triangle whose number `every` divides."""
    vertices, faces = mesh
    faces, rows = faces.copy(), np.arange(0, len(faces), every)
    corners = vertices[faces[rows]].reshape(-1, 3)
    faces[rows] = len(vertices) + np.arange(len(corners)).reshape(-1, 3)
    return np.concatenate([vertices, corners]), faces


SOLIDS = {"box": box(), "ball": ball(7, 5), "two": joined(box(), moved(ball(7, 5), (5, 0, 0))),
          "flush": joined(box(), moved(box(), (1, 0, 0)))}


@pytest.mark.parametrize("every", [1, 2, 5])
@pytest.mark.parametrize("tolerance", [AUTOMATIC, 1e-9, 0.01])
@pytest.mark.parametrize("name", SOLIDS)
def test_solids_at_one_place_overlap(name, tolerance, every):
    turn = pose(random_linear(np.random.default_rng(len(name)), "turned"), (1, 2, 3))
    whole, parts = SOLIDS[name], split(SOLIDS[name], every)
    for meshes in ([parts], [whole, parts]):
        scene = build((meshes, [(0, turn), (len(meshes) - 1, turn)]))
        assert detect(scene, tolerance=tolerance).verdict(0) == detect(scene).verdict(0) == "overlap"


def test_split_solids_that_are_flush_touch():
    box_of_parts = split(box())
    scene = build(([box_of_parts], [(0, pose()), (0, pose(1, (1 - 1e-6, 0, 0)))]))
    assert detect(scene, tolerance=1e-5).verdict(0) == "touching"


def test_what_is_closed_by_itself_keeps_its_own_points():
    mesh = joined(box(), moved(box(), (1, 0, 0)), split(moved(box(), (2, 0, 0))), moved(split(box()), (9, 0, 0)))
    scene = Scene()
    scene.add_mesh(*mesh)
    topology = MeshTopology(scene)
    found = closed_components(scene.meshes[0], topology.edges(0), topology.components(0)[1])
    assert len(topology.components(0)[0]) == 2 + 24
    assert found.tolist() == np.repeat(np.arange(4), 12).tolist()
