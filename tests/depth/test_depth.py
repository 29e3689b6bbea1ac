# SPDX-License-Identifier: GPL-3.0-or-later
"""`detect(depth=True)` against known depths, and against bounds in Fractions (naive/depths.py)."""
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from naive.depths import Walls, depth_bounds, depth_of_point, distance_from
from naive.shapes import ball, box, grid, halves, joined, moved
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CONTAINED, CROSSING, OVERLAP, TOUCHING
from touchpoint.core.errors import Unsupported

AGREEMENT = 1e-9        # of the two bounds, relative to the smaller object


def pair_of(a, b, **asked):
    """The one row of a report on two meshes, None where they are clear."""
    scene = Scene()
    for mesh in (a, b):
        scene.add_object(scene.add_mesh(*mesh))
    pairs = detect(scene, depth=True, **asked).pairs
    return pairs[0] if len(pairs) else None


def size_of(*meshes):
    return min(np.ptp(vertices, axis=0).max() for vertices, _ in meshes)


def placed(mesh, seed=0, scale=1.0, offset=0.0, mirrored=False):
    """A mesh rotated by a random matrix, scaled and moved."""
    if seed:
        linear = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
        linear *= np.sign(np.linalg.det(linear)) * (-1.0 if mirrored else 1.0)
    else:
        linear = np.diag([-1.0 if mirrored else 1.0, 1.0, 1.0])
    return scale * (mesh[0] @ linear.T) + offset, mesh[1]


def cubes(cells, side=1.0):
    """The surface of a union of cubes, given by whole numbers (x, y, z)."""
    cells, number, quads = set(cells), {}, []
    for cell, axis, turn in product(sorted(cells), range(3), (0, 1)):
        beside = list(cell)
        beside[axis] += 2 * turn - 1
        if tuple(beside) in cells:
            continue
        corners = []
        for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))[::1 if turn else -1]:
            corner = list(cell)
            corner[axis] += turn
            corner[(axis + 1) % 3] += u
            corner[(axis + 2) % 3] += v
            corners.append(number.setdefault(tuple(corner), len(number)))
        quads.append(corners)
    return side * np.array(list(number), float), halves(quads)


L_SHAPE = cubes([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 2, 0)])
COMB = cubes([(x, 0, 0) for x in range(7)] + [(x, y, 0) for x in (0, 2, 4, 6) for y in (1, 2)])


def assert_between_bounds(a, b, steps=20):
    """Check the depth of two closed meshes: the points exactly, and both bounds against those of the oracle."""
    pair = pair_of(a, b)
    lower, upper, points = pair["depth"], pair["depth_upper"], pair["depth_points"]
    size = size_of(a, b)
    assert 0.0 <= lower <= upper <= lower + AGREEMENT * size
    found = [depth_bounds(surface, solid, steps, Fraction(size) ** 2 / 10 ** 4)
             for surface, solid in ((a, b), (b, a))]
    low, high = (max(each[k] for each in found) for k in (0, 1))
    assert low <= Fraction(upper) ** 2 and Fraction(lower) ** 2 <= high
    if lower == 0.0:
        assert np.isnan(points).all()
        return pair
    # One of the points is on its surface and inside the other solid, at least as deep as is said.
    on = [float(distance_from(points[k], mesh)) ** 0.5 for k, mesh in ((0, a), (1, b))]
    assert max(on) <= 1e-13 * (np.abs(a[0]).max() + np.abs(b[0]).max())
    deep = [depth_of_point(points[0], b), depth_of_point(points[1], a)]
    assert any(inside and far >= Fraction(lower) ** 2 for far, inside in deep)
    assert np.linalg.norm(points[0] - points[1]) == pytest.approx(lower, abs=AGREEMENT * size)
    return pair


@pytest.mark.scenes
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("scale, offset", [(1, 0), (1e-4, 0), (1e4, 0), (1, 1e5), (1e-100, 0), (1e60, 0)])
@pytest.mark.parametrize("seed", range(3))
def test_boxes_of_known_depth(seed, scale, offset, mirrored):
    for low, depth in (((0.7, 0.6, 0.5), 0.3), ((0.25, 0.25, 0.9), 0.1), ((0.875, -0.5, 0.5), 0.125),
                       ((0.25, 0.25, 1 - 1e-7), 1e-7)):
        a, b = (placed(mesh, seed, scale, offset, mirrored)
                for mesh in (box(), box(low, np.add(low, (1.5, 2.0, 1.5)))))
        pair = pair_of(a, b)
        assert pair["verdict"] == CROSSING
        slack = scale * 1e-9 + 1e-15 * offset
        assert pair["depth"] - slack <= scale * depth <= pair["depth_upper"] + slack
        assert pair["depth_upper"] - pair["depth"] <= AGREEMENT * size_of(a, b)
        assert np.linalg.norm(pair["depth_points"][0] - pair["depth_points"][1]) == pytest.approx(
            scale * depth, abs=2 * slack)


SOLIDS = {
    "corners": (box(), box((0.7, 0.6, 0.5), (1.7, 1.6, 1.5))),
    "plate through box": (box(), box((-1, -1, 0.45), (2, 2, 0.5))),
    "plate in the middle": (box(), box((0.3, 0.3, -1), (0.4, 0.7, 2))),
    "bar through plate": (box((0, 0, 0), (8, 8, 0.25)), placed(box((3, 3, -2), (3.5, 3.5, 3)), 0)),
    "balls": (ball(8, 5), moved(ball(7, 5), (1.25, 0.3, 0.2))),
    "ball in table": (moved(ball(8, 6), (0.1, 0.2, 0.9)), box((-4, -4, -1), (4, 4, 0))),
    "L in L": (L_SHAPE, moved(L_SHAPE, (0.5, 0.25, 0.5))),
    "combs": (COMB, moved(COMB, (0.75, 1.5, 0.25))),
    "comb in box": (COMB, box((1.5, 1.25, -0.5), (4.75, 4, 0.75))),
    "nested": (box((0, 0, 0), (4, 4, 4)), box((1, 1.5, 1), (2, 2, 2.5))),
    "bubble": (joined(box((0, 0, 0), (4, 4, 4)), (box((1, 1, 1), (3, 3, 3))[0], box()[1][:, ::-1])),
               box((0.25, 1.5, 1.5), (2, 2.5, 2.5))),
    "flush": (box(), box((0.5, 0, 0), (1.5, 1, 1))),
    "same": (box(), box()),
}


@pytest.mark.scenes
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", SOLIDS)
def test_bounds_hold_the_depth(name, seed):
    a, b = SOLIDS[name]
    turned = placed(a, seed), placed(b, seed)
    pair = assert_between_bounds(*turned)
    again = pair_of(turned[1], turned[0])
    assert again["depth"] <= pair["depth_upper"] and pair["depth"] <= again["depth_upper"]


@pytest.mark.parametrize("seed", range(6))
def test_random_solids(seed):
    rng = np.random.default_rng(seed)
    shapes = [ball(5, 4), ball(6, 3), box(), L_SHAPE, cubes([(0, 0, 0), (1, 1, 0), (1, 0, 0)])]
    a, b = (shapes[i] for i in rng.integers(len(shapes), size=2))
    a = placed(a, int(rng.integers(1, 99)))
    b = placed(b, int(rng.integers(1, 99)), rng.uniform(0.5, 1.5))
    shift = a[0].mean(axis=0) - b[0].mean(axis=0) + rng.uniform(-0.5, 0.5, 3)
    assert_between_bounds(a, moved(b, shift), steps=20)


def test_contained_flush_and_touching_pairs():
    inner = pair_of(box((0, 0, 0), (4, 4, 4)), box((1, 1.5, 1), (2, 2, 2.5)))
    assert inner["verdict"] == CONTAINED and inner["depth"] == pytest.approx(2.0, abs=1e-9)
    flush = pair_of(box(), box((0.5, 0, 0), (1.5, 1, 1)))
    assert flush["verdict"] == OVERLAP and flush["depth"] == pytest.approx(0.5, abs=1e-9)
    touching = pair_of(box(), box((1, 0, 0), (2, 1, 1)))
    assert touching["verdict"] == TOUCHING and touching["depth"] == touching["depth_upper"] == 0.0
    assert np.isnan(touching["depth_points"]).all()


def test_open_meshes_are_measured_where_the_other_is_closed():
    sheet = grid(3, 3, (-1, -1, 0.25))
    pair = pair_of(sheet, box())
    assert pair["verdict"] == CROSSING and pair["depth"] == pytest.approx(0.25, abs=1e-9)
    on_sheet, on_box = pair["depth_points"]     # of many that are equally deep
    assert on_sheet[2] == 0.25 and np.isin(on_box, (0.0, 1.0)).any() and np.linalg.norm(on_sheet - on_box) == 0.25
    other = pair_of(box(), sheet)
    assert other["depth"] == pytest.approx(0.25, abs=1e-9) and other["depth_points"][1, 2] == 0.25
    upright = grid(3, 3, (0.5, -1, -1), (0, 1, 0), (0, 0, 1))
    for column in ("depth", "depth_upper", "depth_points"):
        assert np.isnan(pair_of(sheet, upright)[column]).all()


def test_a_mesh_with_faces_turned_over_is_a_solid_too():
    vertices, faces = box()
    turned = np.where(np.arange(len(faces))[:, None] % 3 == 0, faces[:, ::-1], faces)
    assert pair_of((vertices, turned), box((0.7, 0.6, 0.5), (1.7, 1.6, 1.5)))["depth"] == pytest.approx(0.3, abs=1e-9)


LARGE = {
    "balls": (ball(60, 30), moved(ball(60, 30), (0.9, 0.4, 0.3))),
    "ball in table": (moved(ball(60, 30), (0.1, 0.2, 0.95)), box((-4, -4, -1), (4, 4, 0))),
    "ball in ball": (ball(60, 30), moved(ball(40, 20, 0.5), (0.3, 0.1, 0))),
    "ball in comb": (moved(ball(60, 30), (3, 1.5, 0.5)), COMB),
}


@pytest.mark.scenes
@pytest.mark.parametrize("name", LARGE)
def test_no_point_of_large_surfaces_is_deeper(name):
    """Points strewn over both surfaces, most of them near the deepest one."""
    rng = np.random.default_rng(3)
    a, b = (placed(mesh, 5) for mesh in LARGE[name])
    pair = pair_of(a, b)
    lower, upper, points = pair["depth"], pair["depth_upper"], pair["depth_points"]
    assert 0.0 < lower <= upper <= lower + AGREEMENT * size_of(a, b)
    assert any(inside and far >= Fraction(lower) ** 2
               for far, inside in (depth_of_point(points[0], b), depth_of_point(points[1], a)))
    for (vertices, faces), solid in ((a, b), (b, a)):
        corners = vertices[faces]
        middles = corners.mean(axis=1)
        near = np.argsort(np.linalg.norm(middles - points[0], axis=1))[:len(faces) // 10]
        chosen = corners[np.concatenate([rng.choice(near, 60), rng.integers(len(faces), size=30)])]
        strewn = np.einsum("ni,nij->nj", rng.dirichlet((0.5, 0.5, 0.5), len(chosen)), chosen)
        walls = Walls(solid)
        for point in strewn:
            if walls.about(point) > upper + 1e-12:
                assert not walls.hold(tuple(map(Fraction, point)))


@pytest.mark.scenes
def test_a_search_that_ends_early_keeps_honest_bounds():
    shallow = pair_of(moved(ball(320, 160), (0, 0, 1 - 1e-5)), box((-4, -4, -1), (4, 4, 0)))
    assert shallow["depth"] <= 1e-5 + 1e-15 <= shallow["depth_upper"] < 1e-3


def crowd_of(count, seed=0):
    rng = np.random.default_rng(seed)
    scene = Scene()
    meshes = [scene.add_mesh(*mesh) for mesh in (box(), ball(7, 5), L_SHAPE, grid(4, 4, (-2, -2, 0.1)))]
    for i in range(count):
        pose = np.eye(4)
        pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        pose[:3, 3] = rng.uniform(0, 5, 3)
        scene.add_object(meshes[i % len(meshes)], pose)
    return scene


@pytest.mark.scenes
def test_threads_and_batches_change_no_bit(monkeypatch):
    report = detect(crowd_of(40), depth=True, threads=1)
    assert np.count_nonzero(report.pairs["depth"] > 0.0) > 20 and report.counts["depth_tests"] > 0
    assert report.settings == {"contacts": True, "depth": True}
    again = detect(crowd_of(40), depth=True, threads=2)
    assert again.pairs.tobytes() == report.pairs.tobytes()
    without = detect(crowd_of(40), depth=True, contacts=False)
    for column in ("depth", "depth_upper", "depth_points"):
        assert np.array_equal(without.pairs[column], report.pairs[column], equal_nan=True)
    monkeypatch.setattr("touchpoint.core.trees.bvh.forest.MAX_PLACED_BYTES", 20_000)
    again = detect(crowd_of(40), depth=True, threads=2)
    assert again.pairs.tobytes() == report.pairs.tobytes()


def progress_of(name, scene, **asked):
    """The fractions that a stage reports, in their order."""
    fractions = []
    detect(scene, progress=lambda stage, fraction: stage != name or fractions.append(fraction) is None, **asked)
    return fractions


@pytest.mark.scenes
@pytest.mark.parametrize("name", ["depths", "regions"])
def test_progress_is_that_of_all_batches(monkeypatch, name):
    """Objects that are placed a few at a time: the first ones' end is not the stage's."""
    monkeypatch.setattr("touchpoint.core.trees.bvh.forest.MAX_PLACED_BYTES", 20_000)
    fractions = progress_of(name, crowd_of(40), depth=True, regions=name == "regions", threads=1)
    assert fractions == sorted(fractions) and fractions[-1] <= 1.0
    assert len({round(each, 2) for each in fractions}) > 20


@pytest.mark.scenes
def test_finding_contacts_again_is_no_progress_of_the_depths(monkeypatch):
    """Of pairs whose contacts are not all listed, some at a time."""
    monkeypatch.setattr("touchpoint.core.search.contact_budget.MOST_LISTED_CONTACTS", 200)
    fractions = progress_of("depths", crowd_of(40), depth=True, threads=1)
    assert max(np.diff(fractions)) < 0.1


def test_nothing_is_measured_unasked_or_after_a_cancel():
    assert np.isnan(detect(crowd_of(12)).pairs["depth"]).all()
    stages = []

    def stop(stage, fraction):
        stages.append(stage)
        return stage != "depths"

    report = detect(crowd_of(40), depth=True, progress=stop, threads=1)
    assert report.cancelled and stages[-1] == "depths" and len(report.pairs)


def test_other_methods_refuse():
    with pytest.raises(Unsupported, match="cannot measure depths"):
        detect(crowd_of(3), "exact", depth=True)
