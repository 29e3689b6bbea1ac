# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact copies of objects, and faces that lie on each other."""
import json

import numpy as np
import pytest
from naive.self_meshes import grid, shuffled
from naive.shapes import ball, box
from touchpoint.core import Scene, detect
from touchpoint.core.verdicts import copies as module


@pytest.fixture(autouse=True, params=[0, module.FEW_ROWS])
def few_rows(request, monkeypatch):
    """Boxes are compared all at once, and one by one."""
    monkeypatch.setattr(module, "FEW_ROWS", request.param)


def scene_of(*placed) -> Scene:
    """placed: (mesh, x) each."""
    scene = Scene()
    for number, ((V, F), x) in enumerate(placed):
        pose = np.eye(4)
        pose[0, 3] = x
        scene.add_object(scene.add_mesh(V, F), pose, name=f"Object {number}")
    return scene


def copies(scene, **question):
    report = detect(scene, **question)
    return [(int(pair["a"]), int(pair["b"])) for pair in report.pairs[report.pairs["copy"]]]


@pytest.mark.parametrize("mesh", [box(), ball(8, 5), grid(6), (box()[0], box()[1][:7])])
@pytest.mark.parametrize("method", ["touchpoint", "exact", "rapid"])
def test_copies(mesh, method):
    """However numbered and turned, and also where the place is in the vertices of the one and the pose of the other."""
    other, _ = shuffled(np.random.default_rng(2), mesh)
    there = mesh[0] + (3.0, 0.0, 0.0), mesh[1]
    scene = scene_of((mesh, 0.0), (other, 0.0), (there, 0.0), (mesh, 3.0), (mesh, 0.5))
    assert copies(scene, method=method) == [(0, 1), (2, 3)]


def test_not_copies():
    V, F = box()
    less, nudged, flipped = F[1:], V.copy(), V * (1.0, 1.0, -1.0)
    nudged[0, 0] = np.nextafter(nudged[0, 0], 9.0)
    assert copies(scene_of(((V, F), 0.0), ((V, less), 0.0))) == []
    assert copies(scene_of(((V, F), 0.0), ((nudged, F), 0.0))) == []
    assert copies(scene_of(((V + 0.1, F), 0.0), ((flipped + 0.1, F), 0.0))) == []


def test_more_triangles_of_the_same():
    """A triangle that is there twice is not the same as once."""
    V, F = grid(3)
    assert copies(scene_of(((V, F), 0.0), ((V, np.concatenate([F, F[:1]])), 0.0))) == []


def test_where_they_are_said(tmp_path):
    scene = scene_of((box(), 0.0), (box(), 0.0), (grid(4), 9.0))
    report = detect(scene, self_collisions=True)
    assert report.pairs["copy"].tolist() == [True] and report.coplanar[0] >= 12
    report.to_json(tmp_path / "report.json")
    pair, = json.loads((tmp_path / "report.json").read_text())["pairs"]
    assert pair["copy"] is True and pair["coplanar"] == report.coplanar[0]


def test_doubled_faces_of_one_mesh():
    V, F = grid(4)
    scene = scene_of(((V, np.concatenate([F, F[:5, ::-1]])), 0.0))
    report = detect(scene, self_collisions=True)
    assert report.coplanar.tolist() == [5] and not report.pairs["copy"].any()
