# SPDX-License-Identifier: GPL-3.0-or-later
"""`detect(regions=True)` against regions of known number and depth, and against a flood (naive/regions.py)."""
from fractions import Fraction

import numpy as np
import pytest
from naive.depths import depth_bounds
from naive.regions import as_mesh, regions_of_cells
from naive.shapes import ball, box, grid, joined, moved
from test_depth import COMB, L_SHAPE, cubes, pair_of, placed, size_of
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CROSSING, OVERLAP, TOUCHING
from touchpoint.core.errors import Unsupported

AGREEMENT = 2e-9        # of the bounds, where regions share triangles


def report_of(a, b, **asked):
    scene = Scene()
    for mesh in (a, b):
        scene.add_object(scene.add_mesh(*mesh))
    return detect(scene, regions=True, **asked)


def assert_regions(a, b, depths, allowed=AGREEMENT):
    """One pair, which has regions of these depths, the deepest first. Returns its regions."""
    report = report_of(a, b)
    assert len(report.pairs) == 1
    found, pair, size = report.regions, report.pairs[0], size_of(a, b)
    assert len(found) == len(depths)
    assert (found["pair"] == 0).all() and found["contacts"].sum() == pair["contacts"]
    assert (found["depth_upper"] - found["depth"] <= allowed * size).all()
    for region, depth in zip(found, sorted(depths, reverse=True)):
        assert region["depth"] - allowed * size <= depth <= region["depth_upper"] + allowed * size
        ends = region["depth_points"]
        assert np.isnan(ends).all() == (region["depth"] == 0.0)
        if region["depth"] > 0.0:
            assert np.linalg.norm(ends[0] - ends[1]) == pytest.approx(region["depth"], abs=2 * allowed * size)
    assert found["depth"][0] <= pair["depth_upper"] and pair["depth"] <= found["depth_upper"].max()
    return found


PLATE = box((0, 0, 0), (8, 8, 1))
BAR = box((1, 1, -2), (1.5, 1.5, 3))
SCENES = {
    "one corner": (box(), box((0.7, 0.6, 0.5), (1.7, 1.6, 1.5)), [0.3]),
    "a bar through a plate": (PLATE, BAR, [0.5]),
    "two bars through one triangle": (PLATE, joined(BAR, moved(BAR, (3, 0.5, 0))), [0.5, 0.5]),
    "bars of several depths": (PLATE, joined(*(box((x, 1, 1 - deep), (x + 1, 2, 3)) for x, deep in (
        (0.5, 0.125), (2, 0.25), (3.5, 0.0625), (5, 0.3)))), [0.3, 0.25, 0.125, 0.0625]),
    "bars on both sides of an edge": (
        PLATE, joined(box((1, 6.75, 0.8), (2, 8.5, 2)), box((6, 0.5, -1), (7, 1.5, 0.25))), [0.25, 0.2]),
    "an L that lies on a table": (box((-4, -4, -1), (9, 9, 0)), moved(L_SHAPE, (0, 0, -0.25)), [0.25]),
    "a bridge with two feet": (box((-1, -1, -3), (9, 2, 0)), moved(cubes(
        [(0, 0, 0), (4, 0, 0)] + [(x, 0, 1) for x in range(5)]), (0, 0, -0.25)), [0.25, 0.25]),
    "a comb in a block": (box((-1, -4, -1), (8, 0, 2)), moved((COMB[0] * (1, -1, 1), COMB[1][:, ::-1]), (0, 2.75, 0)),
                          [0.25] * 4),
    "a plate through two beams that pass through each other": (
        box((-1, -1.5, -0.001), (8, 7.5, 0.001)),
        joined(box((0.5, 2.5, -2), (4, 3, 2)), box((0, 1.5, -2), (1.5, 5, 2))), [0.75]),
    "a lump inside, another one through the side": (box((0, 0, 0), (4, 4, 4)), joined(
        box((1, 1, 1), (2, 2, 2)), box((3, 3, 3), (5, 5, 5))), [2.0, 1.0]),
    "two lumps inside": (box((0, 0, 0), (9, 4, 4)), joined(box((1, 1, 1), (2, 2, 2)), box((5, 1, 1), (6, 2.5, 3))),
                         [2.0, 2.0]),
    "a slab through a body": (box((0, 0, 0), (4, 4, 4)), box((-1, -1, 2), (5, 5, 2.5)), [2.0]),
    "a tip that touches beside a box that is deep": (
        PLATE, joined(box((1, 1, 0.75), (2, 2, 2)), moved(ball(5, 3), (4.3, 4.1, 2))), [0.25, 0.0]),
    "a flush box beside one that is deep, on the same triangle": (
        PLATE, joined(box((1, 1, 0.75), (2, 2, 2)), box((4, 4, 1), (5, 5, 2))), [0.25]),
}


@pytest.mark.scenes
@pytest.mark.parametrize("name", SCENES)
def test_regions_of_known_depth(name):
    assert_regions(*SCENES[name])


@pytest.mark.scenes
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("scale, offset", [(1, 0), (1e-4, 0), (1e4, 0), (1, 1e5), (1e-100, 0), (1e60, 0)])
@pytest.mark.parametrize("name", ["bars of several depths", "two bars through one triangle", "a comb in a block"])
def test_moved_turned_and_scaled(name, scale, offset, mirrored):
    a, b, depths = SCENES[name]
    a, b = (placed(mesh, 3, scale, offset, mirrored) for mesh in (a, b))
    assert_regions(a, b, [scale * depth for depth in depths], AGREEMENT if offset == 0 else 1e-8)
    assert_regions(b, a, [scale * depth for depth in depths], AGREEMENT if offset == 0 else 1e-8)


def random_cells(rng, filled):
    cells = [(x, y, z) for x in range(3) for y in range(3) for z in range(2)]
    chosen = [cell for cell in cells if rng.random() < filled]
    return chosen or cells[:1]


@pytest.mark.scenes
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_random_bodies_of_cubes(seed, turned):
    """The flood has as many regions, and exact bounds of their depths."""
    rng = np.random.default_rng(seed)
    one, other = (random_cells(rng, filled) for filled in rng.uniform(0.25, 0.6, 2))
    shift = tuple(Fraction(int(n), 16) for n in rng.integers(-20, 20, 3) * 2 + 1)
    expected = regions_of_cells(one, other, shift)
    a, b = cubes(one), moved(cubes(other), [float(x) for x in shift])
    if not expected:
        assert pair_of(a, b) is None or pair_of(a, b)["verdict"] == TOUCHING
        return
    bounds = [[depth_bounds(as_mesh(patch), solid, 12, Fraction(1, 10 ** 4)) for patch, solid in zip(region, (b, a))
               if patch] for region in expected]
    low, high = (np.sort([float(max(each[k] for each in own)) ** 0.5 for own in bounds]) for k in (0, 1))
    if turned:
        a, b = placed(a, seed + 1, offset=3.0), placed(b, seed + 1, offset=3.0)
    found = report_of(a, b).regions
    assert len(found) == len(expected)
    assert (low <= np.sort(found["depth_upper"]) + 1e-12).all() and (np.sort(found["depth"]) <= high + 1e-12).all()


@pytest.mark.scenes
@pytest.mark.parametrize("seed", range(6))
def test_lumps_in_a_body_are_as_deep_as_each_by_itself(seed):
    rng = np.random.default_rng(seed)
    body = placed((ball(24, 12)[0] * (4, 4, 1), ball(24, 12)[1]), seed + 1)
    lumps = []
    for x, y in ((-2, -1.5), (-2, 1.5), (0, 0), (2, -1.5), (2, 1.5)):
        vertices, faces = ball(int(rng.integers(6, 12)), int(rng.integers(4, 8)))
        lump = vertices * rng.uniform(0.4, 0.6, (len(vertices), 1)) + (x, y, rng.uniform(0.3, 1.0))
        lumps.append(placed((lump, faces), seed + 1))
    alone = [report_of(body, lump) for lump in lumps]
    meet = [report for report in alone if len(report.pairs)]
    expected = np.sort(np.concatenate([report.regions["depth"] for report in meet]))
    found = report_of(body, joined(*lumps)).regions
    assert len(found) == len(expected) >= 4
    assert np.sort(found["depth"]) == pytest.approx(expected, abs=1e-8)
    assert (found["depth_upper"] - found["depth"] <= 1e-8).all()


@pytest.mark.scenes
def test_many_contacts_of_one_triangle():
    """A table with 120 pegs in it: its two triangles have hundreds of contacts each."""
    rng = np.random.default_rng(5)
    deep = rng.uniform(0.01, 0.4, (12, 10))
    pegs = joined(*(moved(box((0, 0, -deep[i, j]), (0.5, 0.5, 1)), (i + 0.25, j + 0.25, 0)) for i in range(12)
                    for j in range(10)))
    # A peg is 0.5 wide, so that nothing of the table is deeper in it than 0.25.
    found = assert_regions(box((0, 0, -2), (12, 10, 0)), pegs, deep.ravel(), 1e-8)
    at = np.floor(found["point"][:, :2]).astype(int)
    assert deep[at[:, 0], at[:, 1]] == pytest.approx(found["depth"], abs=1e-7)


@pytest.mark.scenes
def test_a_tube_around_a_rod_of_one_mesh():
    """One triangle has a ring and a disc inside."""
    ring = cubes([(x, y, z) for x in range(3) for y in range(3) for z in range(2) if (x, y) != (1, 1)])
    rod = box((1.25, 1.25, 0), (1.75, 1.75, 2.5))
    plate = box((-8, -8, 0.75), (20, 20, 1.75))
    # The plate's side is deepest in a corner of the ring, seen from the inner edge.
    assert_regions(plate, joined(ring, rod), [2.0 - 2.0 ** 0.5, 0.5], 1e-8)


def test_open_flush_and_touching_pairs():
    sheet = joined(grid(3, 3, (-1, -1, 0.25)), grid(1, 1, (0.2, 0.2, 0.9), (0, 0.5, 0), (0, 0, 0.5)))
    assert report_of(sheet, box()).regions["depth"] == pytest.approx([0.25, 0.1], abs=1e-9)
    flush = report_of(box(), box((0.5, 0, 0), (1.5, 1, 1)))
    assert flush.pairs["verdict"][0] == OVERLAP and flush.regions["depth"] == pytest.approx([0.5], abs=1e-9)
    touching = report_of(box(), box((1, 0, 0), (2, 1, 1)))
    assert touching.pairs["verdict"][0] == TOUCHING and len(touching.regions) == 0
    upright = grid(3, 3, (0.5, -1, -1), (0, 1, 0), (0, 0, 1))
    assert len(report_of(grid(3, 3, (-1, -1, 0.25)), upright).regions) == 0


def boxes(columns, rows, low=0.0):
    """Small boxes that do not meet, in one mesh."""
    return joined(*(box((x, y, low), (x + 0.5, y + 0.5, low + 0.5)) for x in range(columns) for y in range(rows)))


@pytest.mark.scenes
def test_what_cannot_be_divided_is_said():
    """More regions than there is anything to be seen of."""
    report = report_of(boxes(33, 33), moved(boxes(33, 33), (0.25, 0.25, 0.25)))
    assert len(report.regions) == 0 and "1 pair was not divided" in report.notes[0]
    assert report.pairs["verdict"][0] == CROSSING and report.pairs["depth"][0] == pytest.approx(0.25, abs=1e-9)


@pytest.mark.scenes
def test_in_doubt_all_that_a_triangle_touches_is_one_region():
    """A floor of two triangles that have more contacts than are looked at."""
    report = report_of(box((-1, -1, -1), (20, 20, 0.25)), boxes(20, 20))
    assert report.regions["depth"] == pytest.approx([0.25], abs=1e-9)
    assert len(report_of(box((-1, -1, -1), (20, 20, 0.25)), boxes(4, 4)).regions) == 16


def test_regions_count_contacts_that_the_report_does_not_list():
    """As 0 means that all of a region is inside the other object."""
    inner = joined(BAR, moved(box((0, 0, 0), (0.2, 0.2, 0.2)), offset=(4, 4, 0.3)))
    listed, short = report_of(PLATE, inner), report_of(PLATE, inner, contacts=False)
    assert sorted(listed.regions["contacts"] == 0) == [False, True] and listed.pairs["contacts"][0] > 0
    assert short.pairs["contacts"][0] == len(short.contacts) == 0
    assert short.regions["contacts"].tolist() == listed.regions["contacts"].tolist()


def test_nothing_is_divided_unasked():
    scene = Scene()
    for mesh in (PLATE, BAR):
        scene.add_object(scene.add_mesh(*mesh))
    report = detect(scene, depth=True)
    assert report.regions is None and "regions" not in [each.name for each in report.stages]
    assert len(report.regions_of(0)) == 0
    asked = detect(scene, regions=True)
    assert asked.settings == {"contacts": True, "depth": True, "regions": True}
    assert len(asked.regions_of(0)) == 1
    assert asked.pairs.tobytes() == report.pairs.tobytes()


@pytest.mark.scenes
def test_rows_threads_batches_and_self_collisions(monkeypatch):
    """Regions are those of their rows, whatever else there is in the scene."""
    def scene():
        scene = Scene()
        for x in range(4):
            scene.add_object(scene.add_mesh(*moved(PLATE, (20 * x, 0, 0))))
            bars = [moved(BAR, (20 * x + k, k, 0.25 * k)) for k in range(x + 1)]
            scene.add_object(scene.add_mesh(*joined(*bars)))
        return scene

    report = detect(scene(), regions=True, threads=1)
    assert [len(report.regions_of(row)) for row in range(4)] == [1, 2, 3, 4]
    for row in range(4):
        assert (np.diff(report.regions_of(row)["depth"]) <= 0.0).all()
    for asked in ({"threads": 2}, {"contacts": False}):
        assert detect(scene(), regions=True, **asked).regions.tobytes() == report.regions.tobytes()
    own = detect(scene(), regions=True, self_collisions=True)
    assert own.regions["depth"].tobytes() == report.regions["depth"].tobytes()
    some = detect(scene(), regions=True, tolerance=1e-6)
    assert np.array_equal(some.regions["pair"], report.regions["pair"])
    monkeypatch.setattr("touchpoint.core.trees.bvh.forest.MAX_PLACED_BYTES", 5_000)
    again = detect(scene(), regions=True)
    assert len(again.regions) == len(report.regions)
    assert again.regions["depth"] == pytest.approx(report.regions["depth"], abs=1e-9)


def test_a_cancelled_run_says_nothing_of_regions():
    scene = Scene()
    for mesh in (PLATE, joined(BAR, moved(BAR, (3, 0.5, 0)))):
        scene.add_object(scene.add_mesh(*mesh))
    report = detect(scene, regions=True, progress=lambda name, done: name != "regions", threads=1)
    assert report.cancelled and len(report.regions) == 0 and not report.notes


def test_other_methods_refuse():
    scene = Scene()
    for mesh in (PLATE, BAR):
        scene.add_object(scene.add_mesh(*mesh))
    with pytest.raises(Unsupported, match="cannot measure depths of regions"):
        detect(scene, "exact", regions=True)
