# SPDX-License-Identifier: GPL-3.0-or-later
"""Things that stand a little deep in a floor of few, large triangles: each of these has many contacts, whose ends lie
on the short edges of the thing."""
import numpy as np
import pytest
from naive.depths import depth_of_point
from naive.self_meshes import torus
from naive.shapes import ball, box, circle, pipe, prism, table
from test_depth import COMB
from test_local_search import both_ways, lumpy
from touchpoint.core import Scene, detect

pytestmark = pytest.mark.scenes

FLAT = {"box": box(), "prism": prism(circle(32, 0.5), 1.0), "pipe": pipe(circle(40, 0.4), circle(40, 0.5), 0.0, 1.0),
        "table": table(), "comb": COMB}
# Measured points: of a box nothing but corners, of the others what it takes to find what is inside.
MOST_POINTS = {"box": 60, "prism": 400, "pipe": 600, "table": 800, "comb": 400}


def open_floor(half):
    corners = half * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0.0)])
    return corners, np.array([(0, 1, 2), (0, 2, 3)], np.int32)


def slab(half):
    return box((-half, -half, -3.0), (half, half, 0.0))


def standing(mesh, sink, degrees, place):
    """The mesh turned about z, so deep in the plane z = 0."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    vertices = mesh[0] @ np.array([(c, s, 0), (-s, c, 0), (0, 0, 1)])
    return vertices + (*place, -sink - vertices[:, 2].min()), mesh[1]


def measured(a, b):
    """(pair, measured points): the one pair of two meshes."""
    scene = Scene()
    for mesh in (a, b):
        scene.add_object(scene.add_mesh(*mesh))
    report = detect(scene, depth=True, tolerance=0)
    assert len(report.pairs) == 1
    return report.pairs[0], report.counts["depth_tests"]


@pytest.mark.parametrize("half", [2.0, 80.0, 800.0])
@pytest.mark.parametrize("floor", [open_floor, slab])
@pytest.mark.parametrize("name", FLAT)
def test_a_flat_foot_is_as_deep_as_it_has_sunk(name, floor, half):
    """One plane tells all of it, so few points are measured. The search took 25,000, or ended before it was done."""
    for sink, degrees in ((0.001, 17.0), (0.02, 0.0)):
        pair, points = measured(floor(half), standing(FLAT[name], sink, degrees, (0.31 * half, -0.42 * half)))
        assert pair["depth"] <= sink <= pair["depth_upper"] + 1e-15
        assert pair["depth_upper"] - pair["depth"] < 1e-9 and points < MOST_POINTS[name]


@pytest.mark.parametrize("half", [2.0, 80.0, 800.0])
def test_a_ball_has_bounds_that_meet(half):
    for sink in (0.001, 0.1):
        pair, points = measured(open_floor(half), standing(ball(16, 8, 0.5), sink, 3.0, (0.3 * half, 0.2 * half)))
        assert 0.9 * sink < pair["depth"] <= pair["depth_upper"] < min(sink, pair["depth"] + 1e-9) and points < 1500


def test_a_floor_of_kilometres_leaves_what_rounding_leaves():
    """The search ends where bounds are as close as numbers of that size allow: it went on for 25,000 points."""
    pair, points = measured(open_floor(1e4), standing(FLAT["box"], 0.001, 17.0, (3e3, -4e3)))
    assert pair["depth"] <= 0.001 <= pair["depth_upper"] < pair["depth"] + 1e-8 and points < 60


@pytest.mark.parametrize("sides", [5, 8, 13])
def test_across_the_diagonal_of_a_floor_of_kilometres(sides):
    """Where the thing's edges pass the floor's diagonal, contacts end on an edge of 14 km. What that could be off was
    more than bounds may be apart: 25,889 points for eight sides."""
    vertices, faces = prism(circle(sides, 1.0), 3.0)
    cone = vertices * np.where(vertices[:, 2:] > 0.0, (0.1, 0.1, 1.0), (0.2, 0.2, 1.0)), faces
    for degrees in (0.0, 11.0):
        pair, points = measured(open_floor(5e3), standing(cone, 0.05, degrees, (0.1, 0.1 + 0.03 * sides)))
        assert pair["depth"] <= 0.05 <= pair["depth_upper"] + 1e-15
        assert pair["depth_upper"] - pair["depth"] < 1e-8 and points < 500


@pytest.mark.parametrize("seed", range(12))
def test_ends_on_long_edges_leave_nothing_out(seed):
    """Lumps across the long edges of a floor, anyhow, as deep as in a floor that is divided finely there."""
    rng = np.random.default_rng(seed)
    vertices, faces = lumpy(seed)
    lump = vertices + (*rng.uniform(-0.3, 0.3, 2), rng.uniform(-0.4, 0.4)), faces
    near = np.array([(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0.0)])
    corners = np.concatenate([open_floor(10.0 ** rng.integers(2, 5))[0], near, [(0, 0, 0)]])
    ring = [(i, (i + 1) % 4, 4 + (i + 1) % 4) for i in range(4)] + [(i, 4 + (i + 1) % 4, 4 + i) for i in range(4)]
    fine = np.array(ring + [(4 + i, 4 + (i + 1) % 4, 8) for i in range(4)], np.int32)
    (one, _), (other, _) = measured((corners[:4], open_floor(1.0)[1]), lump), measured((corners, fine), lump)
    assert max(one["depth"], other["depth"]) <= min(one["depth_upper"], other["depth_upper"]) + 1e-12
    assert one["depth"] > 0.0


FLOOR_CORNERS = 9.0 * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (0, 0, 0.0), (-3, -1, 0), (3, -1, 0),
                                (0, 4, 0)])


def star(seed):
    """A star on a floor, half in it, that leans a little."""
    random = np.random.default_rng(seed)
    outline = circle(2 * int(random.integers(5, 24)), 0.5)
    outline[::2] *= random.uniform(0.2, 0.9)
    vertices, faces = prism(outline * (1, random.choice((0.3, 1.0, 3.0))), 0.7)
    c, s = np.cos(turn := random.uniform(0, 6)), np.sin(turn)
    lean = np.linalg.qr(np.eye(3) + random.choice((1e-3, 0.1)) * random.normal(size=(3, 3)))[0]
    vertices = vertices @ np.array([(c, s, 0), (-s, c, 0), (0, 0, 1)]) @ (lean * np.sign(np.diag(lean)))
    return vertices + (*random.uniform(-0.7, 0.7, 2), -0.5 - vertices[:, 2].min()), faces


# Of the last six the upper bound was too low: what was known of a piece was taken for known of another triangle.
@pytest.mark.parametrize("seed", [*range(40), 158, 1258, 1279, 1880, 1978, 2173])
def test_how_a_floor_is_divided_changes_nothing(seed):
    body, found = star(seed), []
    for faces in ([(5, 6, 7)], [(0, 1, 2), (0, 2, 3)], [(1, 2, 3), (1, 3, 0)],
                  [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]):
        found.append(measured((FLOOR_CORNERS, np.array(faces, np.int32)), body)[0])
    assert max(pair["depth"] for pair in found) <= min(pair["depth_upper"] for pair in found)


def some_body(random):
    """A thing of many sides, mostly not convex."""
    around = int(random.integers(12, 40))
    ring = torus(around, max(3, around // 4), 0.5, random.choice((0.1, 0.3)))
    return (prism(circle(around, 0.5), 0.7), pipe(circle(around, 0.4), circle(around, 0.5), 0.0, 0.6), ring, table(),
            lumpy(int(random.integers(1000)), around, around // 2))[random.integers(5)]


@pytest.mark.parametrize("seed", range(60))
def test_random_bodies(seed, monkeypatch):
    """Askew, of all depths, in floors that have an inside or none, here and far away: what either search has found is
    no deeper than the other one's bound, and neither is any point of the floor."""
    random = np.random.default_rng(seed)
    half, tilt = random.choice((1.0, 3.0, 20.0)), random.choice((1e-6, 1e-3, 0.1, 1.0))
    linear = np.linalg.qr(np.eye(3) + tilt * random.normal(size=(3, 3)))[0]
    vertices, faces = some_body(random)
    body = standing((vertices @ linear, faces), random.choice((1e-6, 1e-3, 0.03, 0.2)), random.uniform(0, 90),
                    random.uniform(-0.5, 0.5, 2))
    floor = (open_floor, slab)[random.integers(2)](half)
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0] if random.random() < 0.5 else np.eye(3)
    away = random.choice((0.0, 1e5)) * np.array((1.0, -0.7, 0.3))
    strewn = np.append(random.uniform(-1.0, 1.0, (12, 2)) * min(half, 1.2), np.zeros((12, 1)), axis=1) @ turn + away
    floor, body = ((mesh[0] @ turn + away, mesh[1]) for mesh in (floor, body))
    fast, slow = both_ways(floor, body, monkeypatch)
    assert len(fast.pairs) == len(slow.pairs)
    for one, other in zip(fast.pairs, slow.pairs):
        assert one["depth"] <= other["depth_upper"] and other["depth"] <= one["depth_upper"]
        for point in strewn:
            square, inside = depth_of_point(point, body)
            assert not inside or square ** 0.5 <= one["depth_upper"] + 1e-10
