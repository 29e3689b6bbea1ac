# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of pairs with few triangles near by (core/depth/local_search.py) against the search down trees."""
import numpy as np
import pytest
from naive.shapes import ball, box, circle, halves, joined, moved, prism
from test_depth import cubes
from touchpoint.core import Scene, detect
from touchpoint.core.depth import depths

pytestmark = pytest.mark.scenes

AGREEMENT = 1e-9        # of the two bounds, relative to the smaller object


def lumpy(seed, around=7, across=5):
    """A ball whose vertices are nearer to its middle or farther, neither convex nor symmetric."""
    vertices, faces = ball(around, across)
    return vertices * np.random.default_rng(seed).uniform(0.6, 1.2, (len(vertices), 1)), faces


def turned(mesh, seed, stretch=(1.0, 1.0, 1.0)):
    """A mesh stretched along the axes, then turned by a random rotation."""
    linear = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0] * np.array(stretch)
    return mesh[0] @ linear.T, mesh[1]


def both_ways(a, b, monkeypatch):
    """The one pair of two meshes, by the contacts and by the trees, and how many points each has measured."""
    scene = Scene()
    for mesh in (a, b):
        scene.add_object(scene.add_mesh(*mesh))
    fast = detect(scene, depth=True, tolerance=0)
    with monkeypatch.context() as patch:
        patch.setattr(depths, "_places", lambda contacts, rows: (np.full(len(rows), -1), np.zeros(len(rows), np.int64)))
        scene.renew()       # which forgets the depths
        slow = detect(scene, depth=True, tolerance=0)
    return fast, slow


def assert_same(a, b, monkeypatch, allowed=AGREEMENT):
    """Both searches have bounds of the same number, which agree. Returns the fast one's pair."""
    fast, slow = both_ways(a, b, monkeypatch)
    assert len(fast.pairs) == len(slow.pairs) == 1
    size = min(np.ptp(vertices, axis=0).max() for vertices, _ in (a, b))
    one, other = fast.pairs[0], slow.pairs[0]
    assert 0.0 <= one["depth"] <= one["depth_upper"] <= one["depth"] + allowed * size
    assert one["depth"] <= other["depth_upper"] and other["depth"] <= one["depth_upper"]
    return one


@pytest.mark.parametrize("seed", range(12))
def test_random_lumps(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    a = turned(lumpy(seed), seed)
    b = moved(turned(lumpy(seed + 50), seed + 1), rng.uniform(-0.8, 0.8, 3))
    assert assert_same(a, b, monkeypatch)["depth"] > 0.0


@pytest.mark.parametrize("stretch", [(1, 1, 0.02), (1, 0.03, 0.02), (3, 1, 0.3), (-1, 1, 1), (-2, 0.5, 1)])
@pytest.mark.parametrize("offset", [0.0, 1e5])
def test_stretched_flat_mirrored_and_far_away(stretch, offset, monkeypatch):
    a = moved(turned(lumpy(3), 3, stretch), (offset, -offset, offset))
    b = moved(turned(lumpy(4), 4), (offset + 0.3, -offset + 0.4, offset + 0.2))
    assert_same(a, b, monkeypatch, AGREEMENT if offset == 0.0 else 1e-8)


@pytest.mark.parametrize("scale", [1e-100, 1e-6, 1e60])
def test_sizes(scale, monkeypatch):
    a, b = lumpy(5), moved(lumpy(6), (0.4, 0.5, 0.3))
    assert_same((a[0] * scale, a[1]), (b[0] * scale, b[1]), monkeypatch)


@pytest.mark.parametrize("smaller", [1e-2, 1e-3])
def test_a_small_body_in_the_side_of_a_large_one(smaller, monkeypatch):
    vertices, faces = lumpy(7)
    pair = assert_same(box((-1, -1, -2), (1, 1, 0)), (vertices * smaller + (0.1, 0.2, 0.0), faces), monkeypatch)
    assert 0.1 * smaller < pair["depth"] < 1.2 * smaller


NESTED = {
    "boxes": (box((0, 0, 0), (4, 4, 4)), box((1, 1.5, 1), (2, 2, 2.5))),
    "a lump in a ball": (ball(12, 8, 3.0), lumpy(8)),
    "two lumps in a box": (box((-5, -5, -5), (5, 5, 5)), joined(lumpy(9), moved(lumpy(10), (2.5, 0, 0)))),
    "touching from inside": (box((0, 0, 0), (4, 4, 4)), box((0, 1, 1), (1, 2, 2))),
    "one part inside, one through the wall": (box(), joined(*(moved((0.1 * lumpy(11)[0], lumpy(11)[1]), place)
                                                              for place in ((0.5, 0.5, 0.5), (1, 0.5, 0.5))))),
    "deepest at an edge": (box((0, 0, 0), (4, 4, 1)), box((1, -1, 0.25), (2, 5, 0.5))),
}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", NESTED)
def test_nested(name, seed, monkeypatch):
    outer, inner = NESTED[name]
    if seed:
        outer, inner = turned(outer, seed), turned(inner, seed)
    assert assert_same(outer, inner, monkeypatch)["depth"] > 0.0


def test_triangles_that_are_segments(monkeypatch):
    """A solid with a triangle of no area on an edge, which its neighbours share at a vertex half way."""
    vertices, faces = box()
    p, q = faces[0, :2].tolist()
    vertices = np.concatenate([vertices, [0.5 * vertices[p] + 0.5 * vertices[q]]])
    r, half = faces[0, 2], len(vertices) - 1
    one = np.array([[p, half, r], [half, q, r], [p, q, half]])
    assert_same((vertices, np.concatenate([one, faces[1:]])), moved(box(), (0.5, 0.4, 0.3)), monkeypatch)


def test_contacts_are_used(monkeypatch):
    a, b = turned(lumpy(12), 1), moved(turned(lumpy(13), 2), (0.5, 0.4, 0.6))
    fast, slow = both_ways(a, b, monkeypatch)
    assert fast.counts["depth_tests"] != slow.counts["depth_tests"]
    boxes = both_ways(box(), box((0.7, 0.6, 0.5), (1.7, 1.6, 1.5)), monkeypatch)[0]
    assert boxes.counts["depth_tests"] < 30


def test_what_is_equally_deep_all_along_a_face(monkeypatch):
    """Fins around a pipe: whole curves of points are equally deep, and a triangle bounds only what is across itself."""
    pipe = prism(circle(16, 0.2), 4.0)
    fins = joined(*(box((-1, -1, z), (1, 1, z + 0.25)) for z in (0.5, 1.5, 2.5)))
    fast, slow = both_ways(pipe, fins, monkeypatch)
    assert fast.counts["depth_tests"] < 0.6 * slow.counts["depth_tests"]
    assert fast.pairs["depth"][0] <= 0.2 * np.cos(np.pi / 16) <= fast.pairs["depth_upper"][0] + 1e-15


def test_a_pipe_through_many_fins():
    """A pair with few triangles and hundreds of equally deep places: down trees it ends with bounds that are apart."""
    pipe = prism(circle(16, 0.02), 3.125)
    fins = joined(*(box((-0.0625, -0.25, z), (0.0625, 0.25, z + 0.046875)) for z in 0.125 + 0.0625 * np.arange(12)))
    scene = Scene()
    for mesh in (pipe, fins):
        scene.add_object(scene.add_mesh(*mesh))
    pair = detect(scene, depth=True).pairs[0]
    assert pair["depth"] <= 0.0234375 <= pair["depth_upper"] <= pair["depth"] + AGREEMENT * 0.734375


def roof(shift):
    """A solid below a ridge along x at z = 0. The diagonals of its slopes go through (0, ±shift, -shift)."""
    vertices = np.array([(x, y, -abs(y)) for x in (-shift, 1 - shift) for y in (-1.0, 0.0, 1.0)])
    return vertices, np.array([(1, 4, 5), (1, 5, 2), (1, 0, 3), (1, 3, 4), (0, 2, 5), (0, 5, 3), (0, 1, 2), (3, 5, 4)])


@pytest.mark.parametrize("deep", [2.0 ** -4, 2.0 ** -8, 2.0 ** -12])
def test_ridges_that_meet_on_a_diagonal(deep, monkeypatch):
    """Contacts end on edges of both surfaces, where only exact arithmetic knows."""
    (vertices, faces), (x, y, z) = roof(deep), roof(deep)[0].T
    above = np.stack([y, x - 0.25, -z - deep], axis=1), faces
    pair = assert_same((vertices, faces), above, monkeypatch)
    assert pair["depth"] <= deep * 0.5 ** 0.5 <= pair["depth_upper"]
    fast, slow = both_ways((vertices, faces), above, monkeypatch)
    assert fast.contacts.status.any() and fast.counts["depth_tests"] < 0.2 * slow.counts["depth_tests"]


@pytest.mark.parametrize("seed", range(30))
def test_bodies_of_cubes_whose_edges_meet(seed, monkeypatch):
    """Lattices that are moved by halves: surfaces pass each other along edges, at corners and on diagonals."""
    rng = np.random.default_rng(seed)
    one, other = ([cell for cell in np.ndindex(2, 2, 2) if rng.random() < 0.6] or [(0, 0, 0)] for _ in range(2))
    shift = rng.integers(-2, 3, 3) / 2 + (0.25, 0.5, 0.0)[int(rng.integers(3))]
    a, b = cubes(one), moved(cubes(other, (1.0, 0.5, 2.0)[int(rng.integers(3))]), shift)
    scene = Scene()
    for mesh in (a, b):
        scene.add_object(scene.add_mesh(*mesh))
    pairs = detect(scene, depth=True).pairs
    if len(pairs) and pairs["depth"][0] > 0.0:
        assert_same(a, b, monkeypatch)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_flat_face_that_is_not_convex(seed, monkeypatch):
    """An L inside a box, whose surfaces count. A small cube is in the hull of the L's flat sides, but not in the L."""
    outline = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
    caps = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)])
    vertices = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in outline])
    el = vertices, np.concatenate([caps[:, ::-1], caps + 6, halves([(k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k)
                                                                    for k in range(6)])])
    solid, cube = joined(box((-9, -9, -9), (9, 9, 9)), el), box((1.6, 1.6, 0.9), (1.8, 1.8, 1.1))
    if seed:
        solid, cube = turned(solid, seed), turned(cube, seed)
    pair = assert_same(solid, cube, monkeypatch)
    deepest = np.hypot(0.8, 0.1) if pair["depth"] > 0.8 else 0.8
    assert pair["depth"] == pytest.approx(deepest, abs=1e-8)


def test_a_long_face_that_passes_many_walls(monkeypatch):
    """Between the walls it is outside, which the contacts tell."""
    walls = joined(*(box((x, -1, -1), (x + 0.3, 1, 1)) for x in range(6)))
    vertices, faces = box((-0.5, -0.2, -0.1), (6.5, 0.2, 0.15))
    rail = vertices @ (np.eye(3) + np.random.default_rng(0).uniform(-0.01, 0.01, (3, 3))), faces
    fast, slow = both_ways(walls, rail, monkeypatch)
    assert fast.counts["depth_tests"] < 0.5 * slow.counts["depth_tests"]
    assert assert_same(walls, rail, monkeypatch)["depth"] > 0.1


def test_a_part_whose_side_is_not_known_has_no_depth():
    """A ray from the part in the gap meets numbers that span too much; the other part is 0.01 deep."""
    outline = [(0, 1e-90), (3, 1e-90), (3, 1), (2, 1), (2, 0.2), (1, 0.2), (1, 1), (0, 1)]
    vertices = np.array([(x, y, z) for y in (0.0, 4.0) for x, z in outline])
    caps = np.array([(0, 1, 4), (0, 4, 5), (1, 2, 3), (1, 3, 4), (0, 5, 6), (0, 6, 7)])
    sides = halves([(k, 8 + k, 8 + (k + 1) % 8, (k + 1) % 8) for k in range(8)])
    clamp = vertices, np.concatenate([caps, 8 + caps[:, ::-1], sides])
    scene = Scene()
    for mesh in (joined(box((1.4, 1, 0.3), (1.6, 1.2, 0.45)), box((-0.2, 1, 0.5), (0.01, 1.2, 0.6))), clamp):
        scene.add_object(scene.add_mesh(*mesh))
    pair = detect(scene, depth=True).pairs[0]
    assert pair["depth"] <= 0.01 <= pair["depth_upper"]


@pytest.mark.parametrize("seed", range(6))
def test_a_tip_that_only_just_goes_through_a_large_face(seed, monkeypatch):
    """All contacts of the face are one point, but for rounding."""
    rng = np.random.default_rng(seed)
    large = (np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.3, 0.3, -1)]),
             np.array([(0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)]))
    size, deep = 10.0 ** rng.uniform(-4, -2.5), 10.0 ** rng.uniform(-14.3, -13)
    x, y = rng.uniform(1, 9, 2) * size
    tip = np.array([(x, y, -deep), (x + size, y + 0.1 * size, size), (x - 0.5 * size, y + 0.8 * size, size),
                    (x - 0.5 * size, y - 0.8 * size, size)])
    assert_same((tip, large[1]), large, monkeypatch, 1e-8)


@pytest.mark.parametrize("place", [(2.1, 0), (0, 2.1), (1.5, 1.47)])
def test_gears_with_flush_sides(place, monkeypatch):
    """Contacts of faces in one plane are off by rounding. Pieces as narrow as that are cut until they count for
    nothing."""
    teeth, rim = 48, 96
    radius = np.where(np.arange(rim) % 2, 1.0, 1.1)
    outline = circle(rim, 1.0) * radius[:, None]
    vertices = np.concatenate([*(np.column_stack([outline, np.full(rim, z)]) for z in (0, 0.3)),
                               [(0, 0, 0), (0, 0, 0.3)]])
    side = np.array([(k, (k + 1) % rim) for k in range(rim)])
    ends = [np.column_stack([np.full(rim, 2 * rim), side[:, ::-1]]),
            np.column_stack([np.full(rim, 2 * rim + 1), side + rim])]
    faces = np.concatenate([halves(np.column_stack([side, side[:, ::-1] + rim])), *ends])
    turn = np.pi / teeth
    turned_by = np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    other = vertices @ turned_by.astype(np.float32).astype(float) + np.float32((*place, 0)).astype(float)
    assert_same((vertices, faces), (other, faces), monkeypatch)


def room(low, high, thick):
    """A hollow box with walls."""
    inner = box(np.add(low, thick), np.subtract(high, thick))
    return joined(box(low, high), (inner[0], inner[1][:, ::-1]))


@pytest.mark.parametrize("seed", range(12))
def test_rooms_whose_walls_meet(seed, monkeypatch):
    """What a wall has inside goes round a part that is outside, and several contacts end along one edge of it."""
    rng = np.random.default_rng(seed)
    a = room((0, 0, 0), (10, 8, 6), 0.3)
    b = room(rng.uniform(0.2, 0.35, 3), (10, 8, 6) - rng.uniform(0.2, 0.4, 3), 0.27)
    if seed % 3 == 2:
        a, b = turned(a, seed), turned(b, seed)
    found = assert_same(a, b, monkeypatch)
    fast, _ = both_ways(a, b, monkeypatch)
    assert found["depth"] > 0.0 and fast.counts["depth_tests"] < 5000
