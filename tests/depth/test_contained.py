# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of contained pairs by planes (core/depth/contained.py) against both other searches and bounds in Fractions."""
from fractions import Fraction

import numpy as np
import pytest
from naive.depths import depth_bounds, depth_of_point
from naive.shapes import ball, box, circle, joined, moved, prism
from test_depth import COMB, L_SHAPE, placed, size_of
from test_local_search import lumpy, turned
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CONTAINED
from touchpoint.core.depth import depths, supports
from touchpoint.core.records import PairDepths
from touchpoint.core.scene.select import select
from touchpoint.core.trees.bvh.forest import Forest
from touchpoint.core.verdicts.rays import STACK_SIZE

AGREEMENT = 1e-9        # of the two bounds, relative to the smaller object


def without_planes(forest, pairs):
    return supports.no_planes(len(forest.objects))


def without_contacts(contacts, rows):
    return np.full(len(rows), -1), np.zeros(len(rows), np.int64)


def three_ways(a, b, monkeypatch):
    """Reports on two meshes: by planes, by few triangles near by, down trees."""
    scene = Scene()
    for mesh in (a, b):
        scene.add_object(scene.add_mesh(*mesh))
    reports = [detect(scene, depth=True, tolerance=0)]
    with monkeypatch.context() as patch:
        patch.setattr(depths, "_planes_of_outer", without_planes)
        scene.renew()       # which forgets the depths
        reports.append(detect(scene, depth=True, tolerance=0))
        patch.setattr(depths, "_places", without_contacts)
        scene.renew()
        reports.append(detect(scene, depth=True, tolerance=0))
    return reports


def assert_same(a, b, monkeypatch, allowed=AGREEMENT):
    """All searches have bounds of the same number, and the deepest point is as deep as is said. Returns the reports."""
    reports = three_ways(a, b, monkeypatch)
    pairs = [report.pairs[0] for report in reports]
    assert [pair["verdict"] for pair in pairs] == 3 * [CONTAINED]
    first = pairs[0]
    assert 0.0 < first["depth"] <= first["depth_upper"] <= first["depth"] + allowed * size_of(a, b)
    for other in pairs[1:]:
        assert first["depth"] <= other["depth_upper"] and other["depth"] <= first["depth_upper"]
    far, inside = max((depth_of_point(point, mesh) for point, mesh in zip(first["depth_points"], (b, a))),
                      key=lambda found: (found[1], found[0]))
    assert inside and far >= Fraction(float(first["depth"])) ** 2
    return reports


CONVEX = {
    "box": box((-1, -1.25, -1.5), (1, 1.25, 1.5)),
    "prism": moved(prism(circle(9, 1.3), 2.0), (0, 0, -1)),
    "many sides": moved(prism(circle(40, 1.3), 2.5), (0, 0, -1.25)),
    "ball": ball(9, 7, 1.5),
    "tetrahedron": (np.array([(3, 3, 3), (3, -3, -3), (-3, 3, -3), (-3, -3, 3)], float),
                    np.array([(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)], np.int32)),
}
SMALL = {
    "box": box((-0.5, -0.375, -0.625), (0.5, 0.375, 0.25)),
    "lump": (0.6 * lumpy(3)[0], lumpy(3)[1]),
    "needle": box((-0.75, -1e-4, -1e-4), (0.75, 1e-4, 1e-4)),
    "plate": box((-0.5, -0.5, 0.0), (0.5, 0.5, 1e-6)),
    "two parts": joined(box((0.25, 0.25, 0.25), (0.5, 0.5, 0.5)), box((-0.5, -0.5, -0.5), (-0.25, -0.375, -0.25))),
    "open": (0.6 * ball(8, 5)[0], ball(8, 5)[1][3:]),
}


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("outer", CONVEX)
@pytest.mark.parametrize("inner", SMALL)
def test_in_a_convex_solid(outer, inner, seed, monkeypatch):
    rng = np.random.default_rng(seed)
    a, b = placed(CONVEX[outer], seed), placed(SMALL[inner], 10 * seed, offset=rng.uniform(-0.1, 0.1, 3))
    reports = assert_same(*((a, b) if seed % 2 else (b, a)), monkeypatch)
    # Planes alone are exact: nothing is cut. Random and flat directions need no more points than a few per plane.
    assert reports[0].counts["depth_tests"] < 60


@pytest.mark.parametrize("inside_out", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_ball_in_a_finely_divided_one(seed, inside_out, monkeypatch):
    """No direction has much of the outer surface along it: planes where some vertices are nearest settle all others."""
    rng = np.random.default_rng(seed)
    dome, small = placed(ball(32, 16, 20.0), seed), ball(12, 9)
    if inside_out:
        dome = dome[0], dome[1][:, ::-1]
    place = rng.normal(size=3)
    reports = assert_same(dome, moved(small, place * rng.uniform(2, 17) / np.linalg.norm(place)), monkeypatch)
    planes, few, trees = (each.counts["depth_tests"] for each in reports)
    assert max(planes, few) < 20 < trees


def test_a_ball_in_one_of_very_many_vertices(monkeypatch):
    """Where one more plane lies is found down the outer object's tree, however many vertices that has."""
    dome = placed(ball(160, 80, 20.0), 6)
    assert len(dome[0]) > 1 << 13
    reports = assert_same(dome, moved(ball(12, 9), 6.0 * np.random.default_rng(5).normal(size=3)), monkeypatch)
    assert reports[0].counts["depth_tests"] < 8


@pytest.mark.parametrize("scale, offset", [(1e-60, 0.0), (1.0, 0.0), (1.0, 1e6), (1e40, 0.0)])
@pytest.mark.parametrize("seed", range(4))
def test_how_far_an_object_reaches_along_a_direction(seed, scale, offset):
    """Down its tree, from whatever vertex, as far as by all of its vertices."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    for mesh in (placed(lumpy(seed), seed, scale, offset), placed(joined(COMB, ball(20, 12)), seed, scale, -offset)):
        scene.add_object(scene.add_mesh(*mesh))
    selection = select(scene)
    forest = Forest(scene, selection.objects, selection.bounds, lambda *_: None, 1)
    for _ in forest.batches(np.zeros(1, np.int32), np.ones(1, np.int32)):
        break
    objects = np.array([0, 1], np.int32)
    pairs = PairDepths(objects, objects, forest.tight_bounds(objects, objects), *11 * [np.zeros(0)])
    pairs = pairs._replace(vertices=forest.vertex_count)
    trees, stack = forest.placed_trees, np.empty(STACK_SIZE, np.int32)
    for obj in range(2):
        first, count = int(trees.corners.world_start[obj]), int(forest.vertex_count[obj])
        vertices = trees.corners.world[first:first + count]
        middle = pairs.bounds[obj].reshape(2, 3).mean(axis=0)
        for _ in range(20):
            direction = rng.normal(size=3) * rng.integers(0, 2, 3)
            direction /= np.linalg.norm(direction) or np.inf
            height = supports.highest_along(obj, first + rng.integers(count), *direction, pairs, trees, stack)
            assert height == pytest.approx(((vertices - middle) @ direction).max(), rel=1e-12,
                                           abs=2.0 ** -48 * np.abs(vertices).max())


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("scale, offset", [(1e-100, 0), (1e60, 0), (1, 1e5), (1e4, -1e4)])
def test_mirrored_far_away_and_of_any_size(scale, offset, mirrored, monkeypatch):
    a, b = (placed(mesh, 4, scale, offset, mirrored) for mesh in (CONVEX["prism"], SMALL["lump"]))
    assert_same(a, b, monkeypatch, AGREEMENT if abs(offset) < 1e5 else 1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_faces_turned_over(seed, monkeypatch):
    """Its normals point inward, or some do."""
    vertices, faces = placed(CONVEX["ball"], seed)
    over = np.arange(len(faces)) % (seed + 1) == 0
    assert_same((vertices, np.where(over[:, None], faces[:, ::-1], faces)), SMALL["box"], monkeypatch)


@pytest.mark.parametrize("seed", range(12))
def test_nearly_convex(seed, monkeypatch):
    """Vertices are off the faces by rounding, by a little, by much: planes do not touch where they are measured."""
    rng = np.random.default_rng(seed)
    outer = (ball(9, 7, 1.5), prism(circle(8, 1.3), 2.5), box((-1, -1, -1), (1, 1, 1)))[seed % 3]
    vertices = outer[0] - (0, 0, 1.25 if seed % 3 == 1 else 0)
    vertices = vertices * (1 + 10.0 ** -(seed + 2) * rng.uniform(-1, 1, (len(vertices), 1)))
    a = placed((vertices, outer[1]), seed)
    assert_same(a, placed(SMALL["box"], seed + 20), monkeypatch)
    assert_same((a[0].astype(np.float32).astype(float), a[1]), SMALL["lump"], monkeypatch)


@pytest.mark.parametrize("seed", range(10))
def test_in_solids_that_are_not_convex(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    outer, inner = ((L_SHAPE, moved(box((0, 0, 0), (0.5, 0.5, 0.5)), rng.uniform(0.1, 0.4, 3))),
                    (COMB, moved(box((0, 0, 0), (4, 0.5, 0.5)), rng.uniform(0.1, 0.4, 3))),
                    (turned(lumpy(seed, 9, 7), seed, (3, 3, 3)), turned(lumpy(seed + 9), seed, (0.5, 0.5, 0.5))),
                    (joined(box((-9, -9, -9), (9, 9, 9)), moved(L_SHAPE, (2, 0, 0))), placed(box(), seed)),
                    (joined(ball(9, 7, 3.0), ball(6, 4, 0.5)), box((1, 1, 0), (1.5, 1.25, 0.5))))[seed % 5]
    assert_same(outer, inner, monkeypatch)


@pytest.mark.parametrize("room", [2.0 ** -40, 2.0 ** -30, 2.0 ** -20])
def test_nested_with_little_room(room, monkeypatch):
    """A box in a box of the same shape, and one that is inside by what rounding left."""
    outer, inner = box((-1, -1, -1), (1, 1, 1)), box(3 * (room - 1,), 3 * (1 - room,))
    for seed in (0, 5):
        a, b = placed(outer, seed), placed(inner, seed)
        pair = three_ways(a, b, monkeypatch)[0].pairs[0]
        assert pair["verdict"] == CONTAINED
        assert pair["depth"] <= room + 1e-15 and pair["depth_upper"] >= room - 1e-15
        assert pair["depth_upper"] - pair["depth"] <= AGREEMENT * 2


def test_copies_inside_copies(monkeypatch):
    """Objects of one mesh at several scales, turned and mirrored by their poses, and two at one place."""
    rng = np.random.default_rng(1)
    scene = Scene()
    meshes = [scene.add_mesh(*mesh) for mesh in (CONVEX["prism"], CONVEX["box"], ball(7, 5, 1.2))]
    for k in range(9):
        pose = np.eye(4)
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        pose[:3, :3] = turn * 4.0 ** k @ np.diag((1, 1, -1 if k % 2 else 1))
        scene.add_object(meshes[k % 3], pose)
        if k == 4:
            scene.add_object(meshes[k % 3], pose)
    fast = detect(scene, depth=True).pairs
    monkeypatch.setattr(depths, "_planes_of_outer", without_planes)
    scene.renew()
    slow = detect(scene, depth=True).pairs
    assert np.count_nonzero(fast["verdict"] == CONTAINED) == 44 and np.isfinite(fast["depth"]).all()
    assert (fast["depth"] <= slow["depth_upper"]).all() and (slow["depth"] <= fast["depth_upper"]).all()


@pytest.mark.parametrize("name", ["box", "prism", "ball"])
def test_bounds_in_fractions(name):
    outer, inner = placed(CONVEX[name], 3), placed(SMALL["box"], 7, offset=(0.1, -0.05, 0.2))
    scene = Scene()
    for mesh in (outer, inner):
        scene.add_object(scene.add_mesh(*mesh))
    pair = detect(scene, depth=True).pairs[0]
    low, high = depth_bounds(inner, outer, 40, Fraction(1, 10 ** 4))
    assert low <= Fraction(float(pair["depth_upper"])) ** 2 and Fraction(float(pair["depth"])) ** 2 <= high


@pytest.mark.parametrize("mesh, count", [(box(), 6), (prism(circle(5, 1.0), 1.0), 7), (CONVEX["tetrahedron"], 4),
                                         (ball(60, 30), 0)])
def test_directions(mesh, count):
    """Those of flat faces, the outer way; none stands out on a ball."""
    for faces in (mesh[1], mesh[1][:, ::-1]):
        found = supports.directions_of(mesh[0], faces)
        assert len(found) == count
        inner = mesh[0].mean(axis=0)
        for normal in found:
            assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-15)
            heights = (mesh[0] - inner) @ normal
            assert np.isclose(heights, heights.max(), atol=1e-12).sum() >= 3


def test_a_mesh_that_moves_its_vertices_gets_other_directions():
    scene = Scene()
    inner, outer = (scene.add_mesh(*mesh) for mesh in (SMALL["lump"], CONVEX["box"]))
    for mesh in (inner, outer):
        scene.add_object(mesh)
    detect(scene, depth=True)
    turned_box = placed(CONVEX["box"], 6)
    scene.set_vertices(outer, turned_box[0])
    after = detect(scene, depth=True)
    fresh = Scene()
    for mesh in (SMALL["lump"], turned_box):
        fresh.add_object(fresh.add_mesh(*mesh))
    again = detect(fresh, depth=True)
    assert after.pairs["depth"][0] == again.pairs["depth"][0]
    assert after.counts["depth_tests"] == again.counts["depth_tests"]
