# SPDX-License-Identifier: GPL-3.0-or-later
"""Long thin objects that stand askew: nothing that meets is left out for their cores, and much else is."""
import numpy as np
import pytest
from naive.scenes import build, pose
from naive.shapes import box, grid, joined
from touchpoint.core import Scene, detect
from touchpoint.core.mid_phase import thin_objects
from touchpoint.core.mid_phase.thin_objects import (
    CORE_NUMBERS,
    FLAT,
    MIDDLE,
    THIN,
    box_apart,
    cores_apart,
    find_core,
    slab_apart,
    slab_beside,
)

SQUARE = box((-1.0, -0.02, -0.02), (1.0, 0.02, 0.02))
PLAIN = np.array([0.0, 0.0, 0.0, 1.0])


def prism(corners, length=2.0, radius=0.03):
    """A closed needle with so many sides."""
    angle = 2 * np.pi * np.arange(corners) / corners
    ring = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    vertices = np.concatenate([np.column_stack([np.full(corners, x), ring]) for x in (-0.5 * length, 0.5 * length)])
    k, after = np.arange(corners), (np.arange(corners) + 1) % corners
    sides = np.concatenate([np.column_stack([k, after, corners + after]), np.column_stack([k, corners + after,
                                                                                          corners + k])])
    fan = np.column_stack([np.zeros(corners - 2, int), k[2:], k[1:-1]])
    return vertices, np.concatenate([sides, fan, corners + fan[:, ::-1]]).astype(np.int32)


def turn(rng):
    return np.linalg.qr(rng.normal(size=(3, 3)))[0]


def thicket(rng, scale=1.0, offset=0.0, count=24):
    """Needles of several kinds at random, some beside others as if they touched, sheets and boxes among them."""
    meshes = [SQUARE, prism(6), prism(3, 2.0, 0.01), grid(6, 6), box((-0.3,) * 3, (0.3,) * 3)]
    objects = []
    for number in range(count):
        linear, place = turn(rng), rng.uniform(-0.7, 0.7, 3)
        kind = int(rng.integers(len(meshes)))
        stretch = np.diag([1.0, 1.0, float(rng.choice([1.0, 0.2]))]) if number % 5 == 0 else np.eye(3)
        objects.append((kind, pose(scale * linear @ stretch, scale * (place + offset))))
        if kind == 0:           # flush with the one before, but for rounding; and end to end with it
            for way, far in ((1, 0.04), (0, 2.0)):
                beside = place + far * (linear @ stretch)[:, way]
                objects.append((0, pose(scale * linear @ stretch, scale * (beside + offset))))
    return meshes, objects


def told(scene, monkeypatch, few, **asked):
    monkeypatch.setattr(thin_objects, "FEW_PAIRS", few)
    monkeypatch.setattr(thin_objects, "FEW_TRIANGLE_PAIRS", few)
    return detect(build(scene), **asked)


@pytest.mark.scenes
@pytest.mark.parametrize("scale", [1.0, 1e-7, 1e20])
@pytest.mark.parametrize("offset", [0.0, 1e3, 1e9], ids=["here", "far", "very far"])
def test_the_same_is_found_to_the_last_bit(scale, offset, monkeypatch):
    for seed in range(6):
        scene = thicket(np.random.default_rng(seed), scale, np.array([1.0, -0.7, 0.3]) * offset)
        for contacts in (True, False):
            with_cores, without = (told(scene, monkeypatch, few, contacts=contacts) for few in (0, 1 << 40))
            assert with_cores.pairs.tobytes() == without.pairs.tobytes()
            assert with_cores.contacts.point.tobytes() == without.contacts.point.tobytes()
            assert with_cores.counts["triangle_pairs"] <= without.counts["triangle_pairs"]


@pytest.mark.scenes
def test_what_moves_is_looked_at_again(monkeypatch):
    """A scene that is kept tests as much as a new one, whatever was thin before: turned, deformed, hidden, shown."""
    for name in ("FEW_PAIRS", "FEW_TRIANGLE_PAIRS"):
        monkeypatch.setattr(thin_objects, name, 0)
    rng = np.random.default_rng(3)
    drawn = thicket(rng)
    scene, objects = build(drawn), [matrix for _, matrix in drawn[1]]
    seen = set()
    for step in range(8):
        moved = rng.choice(len(objects), 1 + step, replace=False).tolist()
        for index in moved:
            objects[index] = pose(turn(rng) @ np.diag(rng.uniform(0.3, 1.0, 3)), rng.uniform(-0.7, 0.7, 3))
        scene.set_poses(moved, [objects[index] for index in moved])
        if step in (3, 6):
            scene.set_vertices(2, scene.meshes[2].vertices * (1.0, 3.0, 1.0))
        hidden = [0, 4] if step in (4, 5) else []
        scene.show([0, 4])
        scene.hide(hidden)
        fresh = Scene()
        for mesh in scene.meshes:
            fresh.add_mesh(mesh.vertices, mesh.triangles)
        for index, each in enumerate(scene.objects):
            fresh.add_object(each.mesh, objects[index], name=each.name)
        fresh.hide(hidden)
        kept, new = detect(scene, threads=1), detect(fresh, threads=1)
        assert kept.pairs.tobytes() == new.pairs.tobytes() and kept.counts == new.counts
        seen.add(new.counts["box_pairs"])
    assert len(seen) == 8


@pytest.mark.scenes
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_the_answer_is_the_exact_one(offset, monkeypatch):
    columns = ["a", "b", "verdict", "status", "inner", "contacts"]
    for seed in range(4):
        scene = thicket(np.random.default_rng(seed), 1.0, offset, count=10)
        found = told(scene, monkeypatch, 0)
        assert found.pairs[columns].tolist() == detect(build(scene), "exact").pairs[columns].tolist()
        assert len(found.pairs) > 5


@pytest.mark.scenes
def test_hardly_any_triangles_of_crossing_needles_are_compared(monkeypatch):
    rng = np.random.default_rng(0)
    scene = [prism(6, 2.0, 0.005)], [(0, pose(turn(rng), rng.uniform(-0.5, 0.5, 3))) for _ in range(60)]
    with_cores, without = (told(scene, monkeypatch, few) for few in (0, 1 << 40))
    assert 4 * with_cores.counts["triangle_pairs"] < without.counts["triangle_pairs"]


@pytest.mark.scenes
def test_of_finely_divided_bars_hardly_any_triangles_are_compared():
    """Each of their triangles goes from one end to the other, and one pair of bars is worth a look at them."""
    rng, bar = np.random.default_rng(0), prism(200, 2.0, 0.05)
    sides = 400.0               # the other triangles are at the ends
    for count in (2, 9):
        scene = build(([bar], [(0, pose(turn(rng), rng.uniform(-0.3, 0.3, 3))) for _ in range(count)]))
        found = detect(scene)
        assert found.counts["pairs"] > 0
        assert found.counts["triangle_pairs"] < 0.35 * found.counts["pairs"] * sides ** 2


@pytest.mark.scenes
@pytest.mark.parametrize("contacts", [True, False])
def test_bars_in_all_arrangements(contacts, monkeypatch):
    """Crossing, side by side, one in the other, along an axis, end to end, far from the origin: what is found by trees
    is found along the direction across two bars, on two threads as well."""
    rng, found = np.random.default_rng(5), 0
    bar, pipe = prism(80, 4.0, 0.1), prism(90, 5.0, 0.12)
    for offset in (0.0, 1e7):
        linear = turn(rng)
        places = [(0, linear, (0, 0, 0)), (1, linear, (0.3, 0, 0)), (0, linear, linear[:, 1] * 0.2),
                  (0, linear, linear[:, 0] * 4.0), (0, np.eye(3), (0.1, 0.05, 0)), (0, np.eye(3), (0.1, 0.25, 0)),
                  *((int(rng.integers(2)), turn(rng), rng.uniform(-0.6, 0.6, 3)) for _ in range(8))]
        scene = [bar, pipe], [(mesh, pose(way, np.asarray(place) + offset)) for mesh, way, place in places]
        without = told(scene, monkeypatch, 1 << 40, contacts=contacts)
        for threads in (1, 2):
            swept = told(scene, monkeypatch, 0, contacts=contacts, threads=threads)
            assert swept.pairs.tobytes() == without.pairs.tobytes()
            assert swept.contacts.point.tobytes() == without.contacts.point.tobytes()
        assert swept.counts["triangle_pairs"] < 0.5 * without.counts["triangle_pairs"]
        found += len(swept.pairs)
    assert found > 20


@pytest.mark.scenes
@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_that_is_cancelled_among_bars(threads):
    """At whatever moment: no pair is clear that was not searched yet, be it of bars or not."""
    rng = np.random.default_rng(6)
    scene = build(([prism(150, 2.0, 0.05), box((-0.2, -0.2, -0.2), (0.2, 0.2, 0.2))],
                   [(k % 2, pose(turn(rng), rng.uniform(-0.3, 0.3, 3))) for k in range(24)]))
    whole, stop, cancelled = detect(scene), 0, True
    pairs = set(zip(whole.pairs["a"].tolist(), whole.pairs["b"].tolist()))
    while cancelled:
        calls = iter([True] * stop)
        found = detect(scene, threads=threads,
                       progress=lambda stage, done, calls=calls: stage != "contacts" or next(calls, False))
        assert pairs <= set(zip(found.pairs["a"].tolist(), found.pairs["b"].tolist()))
        stop, cancelled = stop + 1, found.cancelled
    assert stop > 4


def rooms(rng, scale, offset):
    """Walls, slopes of two triangles and needles that stand askew, things at them, on them and between them."""
    meshes = [box((-2.0, -0.02, -1.0), (2.0, 0.02, 1.0)), grid(1, 1, (-2, -2, 0), (4, 0, 0), (0, 4, 0)),
              prism(12, 0.5, 0.2), SQUARE, box((-0.2,) * 3, (0.2,) * 3)]
    linear, objects = turn(rng), []
    for number in range(4):
        objects.append((0, pose(scale * linear, scale * (linear[:, 1] * 0.7 * number + offset))))
        objects.append((1, pose(scale * turn(rng), scale * (rng.uniform(-1, 1, 3) + offset))))
    for number in range(16):
        kind, way = int(rng.integers(2, 5)), linear if number % 2 else turn(rng)
        place = rng.uniform(-1.5, 1.5, 3) if number % 3 else linear @ (rng.uniform(-1, 1), 0.22, rng.uniform(-0.5, 0.5))
        objects.append((kind, pose(scale * way, scale * (place + offset))))
    return meshes, objects


@pytest.mark.scenes
@pytest.mark.parametrize("scale", [1.0, 1e-7, 1e20])
@pytest.mark.parametrize("offset", [0.0, 1e9], ids=["here", "very far"])
def test_walls_that_stand_askew(scale, offset, monkeypatch):
    found, compared = 0, [0, 0]
    for seed in range(5):
        scene = rooms(np.random.default_rng(seed), scale, np.array([1.0, -0.7, 0.3]) * offset)
        for contacts in (True, False):
            with_cores, without = (told(scene, monkeypatch, few, contacts=contacts) for few in (0, 1 << 40))
            assert with_cores.pairs.tobytes() == without.pairs.tobytes()
            assert with_cores.contacts.point.tobytes() == without.contacts.point.tobytes()
            compared[0] += with_cores.counts["triangle_pairs"]
            compared[1] += without.counts["triangle_pairs"]
        found += len(with_cores.pairs)
    assert found > 50 and compared[0] < 0.6 * compared[1]


def test_what_lies_between_the_planes_of_a_wall():
    """Of walls that are found to be flat no vertex is beyond their planes, and what is told apart from these is on one
    side of them."""
    rng, flat, apart = np.random.default_rng(4), 0, 0
    for _ in range(40):
        scene = build(([box((-2, -0.02, -1), (2, 0.02, 1)), SQUARE],
                       [(0, pose(turn(rng), rng.uniform(-1, 1, 3))), (1, pose(turn(rng), rng.uniform(-1, 1, 3)))]))
        detect(scene)
        forest, pair = scene.cache["forest"], np.zeros(1, np.int32)
        list(forest.batches(pair, pair + 1))
        thin = thin_objects.ThinObjects(np.zeros(2, np.uint8), np.empty((2, CORE_NUMBERS)))
        thin_objects.find_thin(pair, pair + 1, forest.bounds, forest.vertex_count, forest.triangle_count,
                               forest.placed_trees, thin)
        if thin.kind.tolist() != [FLAT, THIN]:
            continue
        flat += 1
        wall, needle = ((forest.world[start:start + 8] - forest.quantization[:3]) * forest.quantization[3]
                        for start in forest.world_start)
        normal = thin.core[0, 3:6]
        height = (wall - thin.core[0, :3]) @ normal
        assert np.abs(height).max() <= thin.core[0, 6] < 0.1
        of_needle = (needle - thin.core[0, :3]) @ normal
        if slab_beside(thin.core[0], thin.core[1]):
            apart += 1
            assert np.abs(of_needle).min() > thin.core[0, 6] and len(set(np.sign(of_needle))) == 1
        boxes = np.zeros((1, 6, 4), np.float32)
        boxes[0, :3, 0], boxes[0, 3:, 0] = needle.min(axis=0) - 1e-6, needle.max(axis=0) + 1e-6
        assert not slab_apart(thin.core[0], boxes, 0, 0) or slab_beside(thin.core[0], thin.core[1])
    assert flat > 10 and apart > 3


def core_of(vertices, quantization=PLAIN):
    core = np.empty(CORE_NUMBERS)
    return core if find_core(np.ascontiguousarray(vertices), 0, len(vertices), quantization, core) else None


def test_only_what_is_thin_has_a_core():
    assert core_of(box((0, 0, 0), (1, 1, 1))[0]) is None
    assert core_of(grid(4, 4)[0]) is None
    assert core_of(np.zeros((5, 3))) is None and core_of(np.ones((1, 3))) is None
    assert core_of(joined(SQUARE, box((0, 0, 0), (0.5, 0.5, 0.5)))[0]) is None
    assert np.allclose(core_of(SQUARE[0] + 3.0)[MIDDLE:MIDDLE + 3], 3.0)


def test_cores_that_are_apart_have_a_plane_between_them():
    """Beside plain numpy: some direction, of very many, has all vertices of one before all of the other. And cores
    whose objects are clearly apart are told apart."""
    rng, apart, clear = np.random.default_rng(1), 0, 0
    for _ in range(400):
        one = prism(int(rng.integers(3, 9)))[0] @ turn(rng).T
        other = prism(int(rng.integers(3, 9)))[0] @ turn(rng).T + rng.uniform(-0.6, 0.6, 3)
        p, q = core_of(one), core_of(other)
        across = np.cross(one[-1] - one[0], other[-1] - other[0])
        ways = np.concatenate([[across], rng.normal(size=(3000, 3))])
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        gap = (np.min(one @ ways.T, axis=0) - np.max(other @ ways.T, axis=0)).max()
        gap = max(gap, (np.min(other @ ways.T, axis=0) - np.max(one @ ways.T, axis=0)).max())
        found = bool(cores_apart(p, q))
        assert found == bool(cores_apart(q, p))
        assert not found or gap > 0.0
        assert found or gap < 0.15
        apart, clear = apart + found, clear + (gap > 0.15)
    assert apart > 100 and clear > 50


def test_a_box_that_is_apart_holds_no_point_of_the_object():
    rng, apart = np.random.default_rng(2), 0
    shares = rng.dirichlet(np.full(12, 0.1), 4000)
    for _ in range(300):
        vertices = prism(6)[0] @ turn(rng).T
        boxes = np.zeros((1, 6, 4), np.float32)
        low = rng.uniform(-0.7, 0.7, (4, 3))
        boxes[0, :3], boxes[0, 3:] = low.T, (low + rng.uniform(0.0, 0.4, (4, 3))).T
        points = shares @ vertices
        for child in range(4):
            inside = ((points >= boxes[0, :3, child]) & (points <= boxes[0, 3:, child])).all(axis=1).any()
            found = bool(box_apart(core_of(vertices), boxes, 0, child))
            assert not (found and inside)
            apart += found
    assert apart > 300
