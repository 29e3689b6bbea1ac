# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes whose borders are nowhere farther apart than a weld distance, beside the meshes that they are copies of."""
import json

import numpy as np
import pytest
from naive.winding_sum import by_all_triangles
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CANNOT_TELL, CLEAR, CONTAINED
from touchpoint.core.errors import Refused, Unsupported
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.verdicts.openings import sheets_of
from touchpoint.core.verdicts.rims import _moved, is_closed_by
from touchpoint.sample_scenes import meshes

CRACK = 1e-3


def in_pieces(rng, shell, crack):
    """A copy of a mesh whose triangles share no vertices: each corner is up to half a crack away from where it was."""
    vertices, faces = shell
    beside = rng.normal(size=(faces.size, 3))
    beside *= 0.5 * crack * rng.random((faces.size, 1)) / np.linalg.norm(beside, axis=1)[:, None]
    return vertices[faces.ravel()] + beside, np.arange(faces.size, dtype=np.int32).reshape(-1, 3)


def scene_of(shell, pose, things):
    """The shell, and octahedra (place, size) in the world."""
    scene = Scene()
    scene.add_object(scene.add_mesh(*shell), pose)
    vertices, faces = meshes.octasphere(8)
    for place, size in things:
        scene.add_object(scene.add_mesh(size * vertices + place, faces))
    return scene


def verdicts_of(report):
    return {(int(pair["a"]), int(pair["b"])): int(pair["verdict"]) for pair in report.pairs}


def some_shell(rng):
    make = meshes.octasphere if rng.random() < 0.5 else meshes.knot
    return make(int(rng.integers(200, 800)))


@pytest.mark.parametrize("seed", range(25))
def test_beside_the_closed_mesh(seed):
    rng = np.random.default_rng(seed)
    shell = some_shell(rng)
    pose = meshes.random_poses(1, 2.0, rng)[0]
    pose[:3, :3] *= rng.uniform(0.4, 2.5, 3)
    stretch = np.linalg.norm(pose[:3, :3], 2)
    size = np.ptp(shell[0] @ pose[:3, :3].T, axis=0).max()
    things = [(pose[:3, 3] + 0.3 * size * rng.normal(size=3), 0.02 * size) for _ in range(15)]
    closed = verdicts_of(detect(scene_of(shell, pose, things)))
    scene = scene_of(in_pieces(rng, shell, CRACK), pose, things)
    report = detect(scene, weld=1.01 * CRACK * stretch)
    found = verdicts_of(report)
    for pair in [(0, k + 1) for k in range(len(things))]:
        if found.get(pair, CLEAR) in (CLEAR, CONTAINED) and closed.get(pair, CLEAR) in (CLEAR, CONTAINED):
            assert found.get(pair) == closed.get(pair)          # else they meet, or it cannot be told
    assert CONTAINED not in found.values() or report.notes == ["1 object counts as closed, by the weld distance."]
    assert report.settings["weld"] == 1.01 * CRACK * stretch


def test_most_is_told():
    """So that the test above does not pass with answers that say nothing."""
    rng = np.random.default_rng(0)
    things = [(0.4 * rng.uniform(-1.0, 1.0, 3), 0.02) for _ in range(50)]
    report = detect(scene_of(in_pieces(rng, meshes.octasphere(400), CRACK), np.eye(4), things), weld=1.01 * CRACK)
    found = verdicts_of(report)
    assert sum(found.get((0, k + 1)) == CONTAINED for k in range(50)) == 50


@pytest.mark.parametrize("seed", range(10))
def test_with_its_strips_a_mesh_has_whole_winding_numbers(seed):
    rng = np.random.default_rng(seed)
    vertices, faces = in_pieces(rng, some_shell(rng), CRACK)
    rim = sheets_of(vertices, faces).rim
    assert is_closed_by(rim, 1.01 * CRACK)
    points, number = np.unique(rim.reshape(-1, 3), axis=0, return_inverse=True)
    (p, q), (p_moved, q_moved) = (each.reshape(-1, 2, 3).swapaxes(0, 1)
                                  for each in (rim, points[_moved(points, 1.01 * CRACK)][number.ravel()]))
    assert np.linalg.norm(p - p_moved, axis=1).max() <= 1.01 * CRACK
    strips = np.concatenate([np.stack([q, p, q_moved], 1), np.stack([p, p_moved, q_moved], 1)])
    corners = np.concatenate([vertices[faces], strips])
    for point in 0.7 * rng.normal(size=(10, 3)):
        number = by_all_triangles(point, corners)
        assert abs(number - round(number)) < 1e-6


def test_a_wide_opening_stays_open():
    """Its rim is finely divided: one end after another is near the next one."""
    vertices, faces = meshes.octasphere(5000)
    bowl = faces[vertices[faces][:, :, 2].mean(axis=1) < 0.5]
    rim = sheets_of(vertices, bowl).rim
    spacing = np.linalg.norm(rim[:, 1] - rim[:, 0], axis=1).max()
    for distance in (0.5, 1.0, 2.0, 5.0):
        assert not is_closed_by(rim, distance * spacing)
    things = [(np.zeros(3), 0.1)]
    assert verdicts_of(detect(scene_of((vertices, bowl), np.eye(4), things), weld=5.0 * spacing)) == {}


def test_a_crack_wider_than_the_distance_stays_open():
    vertices, faces = meshes.octasphere(400)
    apart = np.concatenate([vertices[faces[:200].ravel()] * (1.0 + CRACK), vertices[faces[200:].ravel()]])
    cracked = apart, np.arange(faces.size, dtype=np.int32).reshape(-1, 3)
    scene = scene_of(cracked, np.eye(4), [(np.zeros(3), 0.05)])
    assert verdicts_of(detect(scene, weld=0.99 * CRACK)) == {(0, 1): CANNOT_TELL}
    assert verdicts_of(detect(scene, weld=1.01 * CRACK)) == {(0, 1): CONTAINED}
    scaled = scene_of(cracked, np.diag([10.0, 1.0, 1.0, 1.0]), [(np.zeros(3), 0.05)])
    assert verdicts_of(detect(scaled, weld=1.01 * CRACK)) == {(0, 1): CANNOT_TELL}     # it is wider in the world


def test_nothing_is_told_of_what_may_be_in_a_crack():
    """One thing lies in the crack between two halves of a ball, without touching either, another one far from it."""
    vertices, faces = meshes.octasphere(400)
    lower = vertices[faces][:, :, 2].mean(axis=1) < 0.0
    lifted = np.concatenate([vertices, vertices + (0.0, 0.0, 0.1)])
    halves = lifted, np.concatenate([faces[lower], faces[~lower] + len(vertices)])
    where = {"in the crack": (0.97, 0.02, 0.05), "in the middle": (0.0, 0.0, 0.05)}
    found = {name: verdicts_of(detect(scene_of(halves, np.eye(4), [(np.array(place), 0.01)]), weld=0.101))
             for name, place in where.items()}
    assert found == {"in the crack": {(0, 1): CANNOT_TELL}, "in the middle": {(0, 1): CONTAINED}}


def test_faces_turned_either_way_are_not_welded():
    rng = np.random.default_rng(2)
    vertices, faces = in_pieces(rng, meshes.octasphere(400), CRACK)
    faces[::3] = faces[::3, ::-1]
    assert not is_closed_by(sheets_of(vertices, faces).rim, 1.01 * CRACK)


def test_shells_stay_surfaces():
    rng = np.random.default_rng(3)
    scene = Scene()
    scene.add_object(scene.add_mesh(*in_pieces(rng, meshes.octasphere(400), CRACK)), shell=True)
    vertices, faces = meshes.octasphere(8)
    scene.add_object(scene.add_mesh(0.1 * vertices, faces))
    assert verdicts_of(detect(scene, weld=1.01 * CRACK)) == {}


def test_order_of_the_triangles_does_not_count():
    rng = np.random.default_rng(4)
    rim = sheets_of(*in_pieces(rng, meshes.octasphere(300), CRACK)).rim
    for distance in np.linspace(0.3, 1.2, 10) * CRACK:
        assert len({is_closed_by(rng.permutation(rim), distance) for _ in range(5)}) == 1


def test_every_exact_method_says_the_same():
    rng = np.random.default_rng(5)
    things = [(0.4 * rng.uniform(-1.0, 1.0, 3), 0.02) for _ in range(5)]
    scene = scene_of(in_pieces(rng, meshes.octasphere(300), CRACK), np.eye(4), things)
    found = {method: verdicts_of(detect(scene, method, weld=1.01 * CRACK))
             for method in ("touchpoint", "rapid", "hybrid", "tsgo", "particle", "parallel")}
    assert all(each == found["touchpoint"] for each in found.values())
    assert CONTAINED in found["touchpoint"].values()


def test_a_deformed_mesh_is_asked_anew():
    rng = np.random.default_rng(6)
    vertices, faces = in_pieces(rng, meshes.octasphere(300), CRACK)
    scene = scene_of((vertices, faces), np.eye(4), [(np.zeros(3), 0.05)])
    assert verdicts_of(detect(scene, weld=1.01 * CRACK)) == {(0, 1): CONTAINED}
    corners = vertices.reshape(-1, 3, 3)
    middle = corners.mean(axis=1, keepdims=True)
    scene.set_vertices(0, (middle + 0.9 * (corners - middle)).reshape(-1, 3))
    assert verdicts_of(detect(scene, weld=1.01 * CRACK)) == verdicts_of(detect(scene))


def test_what_only_welding_contains_is_not_measured():
    """None of the mesh is in what it contains: a depth of 0 would say that the two touch."""
    rng = np.random.default_rng(7)
    scene = scene_of(in_pieces(rng, meshes.octasphere(300), CRACK), np.eye(4), [(np.zeros(3), 0.05)])
    report = detect(scene, weld=1.01 * CRACK, regions=True, tolerance=1e-3)
    assert verdicts_of(report) == {(0, 1): CONTAINED}
    assert np.isnan([report.pairs["depth"][0], report.pairs["depth_upper"][0]]).all() and len(report.regions) == 0
    pair = ((Ref("object 0"), Ref("object 1")),)
    report = detect(scene, weld=1.01 * CRACK, rules=RuleSet([Rule("pairs", allowed_depth=0.01, pairs=pair)]))
    assert verdicts_of(report) == {(0, 1): CONTAINED} and report.exit_code() == 1
    assert (report.rules.kept == 1).all() and len(report.rules.taken) == 0


def test_refusals(tmp_path):
    scene = scene_of(meshes.octasphere(8), np.eye(4), [(np.zeros(3), 0.1)])
    for wrong in (-1.0, np.nan, np.inf):
        with pytest.raises(Refused, match="weld distance"):
            detect(scene, weld=wrong)
    with pytest.raises(Unsupported, match="weld"):
        detect(scene, "exact", weld=0.1)
    report = detect(scene, weld=0.5)
    report.unit_scale = 0.01
    report.to_json(tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text())["settings"]["weld"] == 0.005
