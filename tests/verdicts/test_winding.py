# SPDX-License-Identifier: GPL-3.0-or-later
"""Winding numbers of meshes that are not closed, beside the sum over all their triangles and beside known angles."""

import numpy as np
import pytest
from naive.winding_sum import by_all_triangles
from touchpoint.core import Scene, detect
from touchpoint.core.codes import A_IN_B, CANNOT_TELL, CONTAINED, NOT_CLOSED, OVERLAP
from touchpoint.core.methods import touchpoint as default
from touchpoint.core.run import Run
from touchpoint.core.scene.select import select
from touchpoint.core.scene.tiny import BOX, BOX_TRIANGLES
from touchpoint.core.verdicts import winding
from touchpoint.core.verdicts.mesh_topology import MeshTopology
from touchpoint.sample_scenes import meshes

CUBE = 2.0 * BOX - 1.0


def around(shell, pose, points) -> np.ndarray:
    """The winding numbers of a mesh, placed by a pose, at points, as the product finds them."""
    scene = Scene()
    scene.add_object(scene.add_mesh(*shell), pose)
    for point in points:
        scene.add_object(scene.add_mesh(np.tile(point, (3, 1)), np.array([(0, 1, 2)], np.int32)))
    run = Run.unwatched(True)
    forest = default.prepare(scene, select(scene), run)
    inner = np.arange(1, len(points) + 1, dtype=np.int32)
    outer = np.zeros(len(points), np.int32)
    for _ in forest.batches(inner, outer):
        found = winding.winding_of_pairs(forest, MeshTopology(scene), inner, outer)
    return found


def ragged(rng, keep: float, flip: float):
    vertices, faces = meshes.octasphere(int(rng.integers(8, 300)))
    faces = faces[rng.random(len(faces)) < keep]
    turned = rng.random(len(faces)) < flip
    faces[turned] = faces[turned, ::-1]
    return vertices * rng.uniform(0.5, 2.0, 3), faces


@pytest.mark.parametrize("seed", range(40))
def test_beside_the_sum_over_all_triangles(seed):
    rng = np.random.default_rng(seed)
    shell = ragged(rng, rng.choice([0.3, 0.8, 0.97, 1.0]), rng.choice([0.0, 0.0, 0.2]))
    pose = meshes.random_poses(1, 3.0, rng)[0]
    pose[:3, :3] *= rng.uniform(0.3, 2.0, 3)
    points = pose[:3, 3] + rng.normal(size=(20, 3))
    corners = (shell[0] @ pose[:3, :3].T + pose[:3, 3])[shell[1]]
    expected = [by_all_triangles(point, corners) for point in points]
    assert np.abs(around(shell, pose, points) - expected).max() < 1e-12


@pytest.mark.parametrize("scale", [1e-120, 1.0, 1e120])
@pytest.mark.parametrize("missing, expected", [(0, 1.0), (1, 5 / 6), (2, 4 / 6), (5, 1 / 6)])
def test_a_cube_without_faces(missing, expected, scale):
    """In the middle each face of a cube takes a sixth of the view. The middle sees edges of the rim edge on, along
    the axes and in planes of them."""
    pose = np.diag([scale, scale, scale, 1.0])
    found = around((CUBE, BOX_TRIANGLES[2 * missing:]), pose, np.zeros((1, 3)))
    assert abs(found[0] - expected) < 1e-14


def test_a_point_that_sees_strips_edge_on_in_every_direction():
    """Above, below and beside the middle of edges that point away along each axis."""
    edges = np.concatenate([np.array([(x, -0.1, 0.0), (x, 0.1, 0.0), (x, 0.0, 0.5)]) @ np.roll(np.eye(3), turn, axis=0)
                            for x in (-1.0, 1.0) for turn in range(3)])
    found = around((edges, np.arange(18, dtype=np.int32).reshape(6, 3)), np.eye(4), np.zeros((1, 3)))
    assert abs(found[0] - by_all_triangles(np.zeros(3), edges.reshape(6, 3, 3))) < 1e-15


def test_numbers_that_span_too_much_have_none():
    assert np.isnan(around((CUBE, BOX_TRIANGLES[1:]), np.diag([1e200, 1e200, 1e200, 1.0]), np.zeros((1, 3)))[0])


def test_a_rim_that_is_too_long_has_none(monkeypatch):
    shell = CUBE, BOX_TRIANGLES[1:]
    monkeypatch.setattr(winding, "MOST_RIM_EDGES", 3)
    assert abs(around(shell, np.eye(4), np.zeros((1, 3)))[0] - 11 / 12) < 1e-14
    monkeypatch.setattr(winding, "MOST_RIM_EDGES", 2)
    assert np.isnan(around(shell, np.eye(4), np.zeros((1, 3)))[0])


def scene_of(*bodies) -> Scene:
    scene = Scene()
    for number, (vertices, faces) in enumerate(bodies):
        scene.add_object(scene.add_mesh(vertices, faces), name=f"body {number}")
    return scene


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("method", ["touchpoint", "exact", "rapid"])
def test_cannot_tell_names_the_mesh_that_leaks(method, swapped):
    """A cube without one triangle, and a smaller one in it that is too large for the hole."""
    leaky, held = (2.0 * CUBE, BOX_TRIANGLES[1:]), (CUBE, BOX_TRIANGLES)
    report = detect(scene_of(*((held, leaky) if swapped else (leaky, held))), method=method)
    pair, = report.pairs
    outer, inner = ("body 1", "body 0") if swapped else ("body 0", "body 1")
    assert (pair["verdict"], pair["status"]) == (CANNOT_TELL, NOT_CLOSED) and report.inner(0) is None
    told = f"{inner} seems to be inside {outer}, which has a hole"
    if method == "exact":
        assert np.isnan(pair["winding"]) and report.reason(0) == told
    else:
        corners = (2.0 * CUBE)[BOX_TRIANGLES[1:]]
        assert abs(pair["winding"] - by_all_triangles(np.array([-1.0, -1.0, -1.0]), corners)) < 1e-14
        assert report.reason(0) == f"{told}, with a winding number of {pair['winding']:.2f}"


def test_shared_volume_goes_before_what_cannot_be_told():
    """A leaky shell around a ball that holds a loose part of the shell's mesh, and another part of it is elsewhere."""
    speck = np.concatenate([0.1 * CUBE, 0.1 * CUBE + (9.0, 0.0, 0.0)])
    both = np.concatenate([BOX_TRIANGLES, BOX_TRIANGLES + 8, BOX_TRIANGLES[1:] + 16]).astype(np.int32)
    shell = np.concatenate([speck, 20.0 * CUBE]), both
    for method in ("touchpoint", "exact"):
        pair, = detect(scene_of(shell, (CUBE, BOX_TRIANGLES)), method=method).pairs
        assert (pair["verdict"], pair["status"], pair["inner"]) == (OVERLAP, 0, 0)


def test_a_contained_pair_has_no_reason():
    report = detect(scene_of((2.0 * CUBE, BOX_TRIANGLES), (0.5 * CUBE, BOX_TRIANGLES)))
    assert report.pairs["verdict"][0] == CONTAINED and report.pairs["inner"][0] != A_IN_B
    assert report.reason(0) == "" and report.inner(0) == 1 and np.isnan(report.pairs["winding"][0])
