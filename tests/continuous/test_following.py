# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps pairs of objects from being searched between two frames, and where objects are placed for it, against
plain counterparts."""
import numpy as np
import pytest
from naive.moving_bodies import CLASSES, SHAPES, draw, pose, turned
from naive.shapes import ball
from touchpoint.core import Scene, detect
from touchpoint.core.continuous import placing
from touchpoint.core.continuous.contacts_between import contacts_between
from touchpoint.core.continuous.following import compare_ends, mark_finite
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.continuous.motion_bounds import differ
from touchpoint.core.continuous.motions import Movement, bits_of
from touchpoint.core.continuous.placing import choose_slots, find_with_trees, lay_out, put_starts
from touchpoint.core.machine_code.jit import COMPILED

NAN = np.nan


def movement_of(bodies):
    scene, ends = Scene(), []
    for body in bodies:
        vertices, first, last, vertices_end = body.given
        scene.add_object(scene.add_mesh(vertices, body.triangles), first)
        ends.append((last, vertices_end))
    start = Instant.of(scene)
    for k, (last, vertices) in enumerate(ends):
        scene.set_poses([k], [last])
        if vertices is not None:
            scene.set_vertices(k, vertices)
    return Movement(start, Instant.of(scene))


@pytest.mark.parametrize("name", CLASSES)
def test_upright_boxes_part_no_pair_that_comes_near(name):
    """By the oracle's own positions: pairs that are told apart are apart along one axis at every time."""
    rng, parted = np.random.default_rng([3, CLASSES.index(name)]), 0
    for _ in range(40 if COMPILED else 4):
        bodies = draw(rng, name)
        movement = movement_of(bodies)
        begin, end = sorted(rng.integers(0, 9, 2) / 8) if rng.random() < 0.5 else (0.0, 1.0)
        near = movement.near(np.array([0], np.int32), np.array([1], np.int32), np.zeros(1), begin, end)
        if near[0]:
            continue
        parted += 1
        gaps = []
        for t in np.linspace(begin, end, 33):
            one, other = (body.corners(t).reshape(-1, 3) for body in bodies)
            gaps.append(np.concatenate([one.min(0) - other.max(0), other.min(0) - one.max(0)]))
        noise = 4 * movement.motions.rounding.sum()
        assert (np.min(gaps, axis=0) > -noise).any()        # the same axis, the same way round
    assert parted or name in ("passes closely", "both at rest") or not COMPILED


def test_what_rests_near_is_found():
    """Every object whose vertices' own box meets one of the boxes, and none that is clearly away from all."""
    rng = np.random.default_rng(4)
    scene, corners = Scene(), []
    for _ in range(300):
        vertices, triangles = SHAPES[rng.choice(list(SHAPES))]
        where = pose(turned(rng, 0) @ np.diag(rng.uniform(0.1, 2, 3)), rng.normal(size=3) * 8)
        scene.add_object(scene.add_mesh(vertices, triangles), where)
        world = vertices @ where[:3, :3].T + where[:3, 3]
        half = np.abs(where[:3, :3]) @ np.abs(vertices - 0.5 * (vertices.min(0) + vertices.max(0))).max(0)
        middle = where[:3, :3] @ (0.5 * (vertices.min(0) + vertices.max(0))) + where[:3, 3]
        corners.append((world.min(0), world.max(0), middle - half, middle + half))
    start = Instant.of(scene)
    moved = rng.choice(300, 40, replace=False)
    scene.set_poses(moved, [pose(None, rng.normal(size=3)) for _ in moved])
    movement = Movement(start, Instant.of(scene), follow=False)
    for count in (1, 5):
        low = rng.normal(size=(count, 3)) * 6
        boxes = np.concatenate([low, low + rng.random((count, 3)) * 4], axis=1)
        found = movement.resting_near(boxes).tolist()
        assert found == sorted(set(found)) and not set(found) & set(moved.tolist())
        rests = [k for k in range(300) if k not in set(moved.tolist())]

        assert {k for k in rests if meets_any(*corners[k][:2], boxes)} <= set(found)
        assert set(found) <= {k for k in rests if meets_any(corners[k][2] - 1e-9, corners[k][3] + 1e-9, boxes)}


def meets_any(low, high, boxes):
    return any((low <= box[3:]).all() and (high >= box[:3]).all() for box in boxes)


def test_an_object_without_a_place_is_looked_at():
    """What is no number counts as near, so that it is called lost."""
    scene = Scene()
    mesh = scene.add_mesh(*SHAPES["box"])
    for _ in range(2):
        scene.add_object(mesh)
    nowhere = np.eye(4)
    nowhere[0, 3] = NAN
    scene.set_poses([1], [nowhere])
    start = Instant.of(scene)
    scene.set_poses([0], [pose(None, (0.1, 0, 0))])
    found = contacts_between(start, Instant.of(scene))
    assert found.lost.tolist() == [False, True] and len(found.a) == 0


def test_slices_are_what_the_bend_asks_for():
    rng = np.random.default_rng(6)
    scene = Scene()
    mesh = scene.add_mesh(*ball(24, 16))
    for _ in range(200):
        scene.add_object(mesh, pose(turned(rng, 0)))
    start = Instant.of(scene)
    scene.set_poses(range(200), [pose(turned(rng, rng.choice([0.0, 0.01, 0.5, 3.0]), each[:3, :3]))
                                 for each in scene.poses[:200]])
    movement = Movement(start, Instant.of(scene))
    fine = movement.sizes(np.arange(200)) / (2 * np.sqrt(len(scene.meshes[0].triangles)))
    wanted = np.maximum(1.0, np.sqrt(movement.motions.curvature / 8 / fine))
    slices = movement.slices()
    assert len(set(slices.tolist())) > 2
    assert (slices >= wanted).all() and (slices < 2 * wanted).all()
    assert (np.log2(slices) == np.round(np.log2(slices))).all()


def test_poses_differ_by_bits_and_vertices_by_numbers():
    before = np.zeros((4, 3, 4))
    now = before.copy()
    now[1, 2, 3], now[2, 0, 0], now[3, 1, 1] = -0.0, 1.0, NAN
    moved, states, rest = np.empty(4, bool), np.ones((3, 4), bool), np.zeros(4, bool)
    finite = np.isfinite(now).all(axis=(1, 2))
    compare_ends(bits_of(before), bits_of(now), rest, ~rest, finite, moved, states)
    assert moved.tolist() == [False, True, True, True] and states[2].tolist() == [True, True, True, False]
    states[1, 2] = False        # without triangles
    compare_ends(bits_of(before), bits_of(now), np.array([True, False, True, False]), ~rest, finite, moved, states)
    assert moved.tolist() == [True, True, False, True] and states[0].tolist() == [True, True, False, True]
    vertices = np.arange(12.0).reshape(4, 3)
    for row in range(4):
        for column in range(3):
            other = vertices.copy()
            other[row, column] += 0.5
            assert differ(vertices, other)
    assert not differ(vertices, vertices.copy()) and differ(vertices, vertices[:3].copy())
    assert differ(np.full((1, 3), NAN), np.full((1, 3), NAN)) and not differ(np.zeros((1, 3)), -np.zeros((1, 3)))


def test_objects_are_finite_where_all_their_numbers_are():
    rng = np.random.default_rng(12)
    local, poses = rng.normal(size=(90, 6)), rng.normal(size=(90, 3, 4))
    for k in range(1, 90):
        row = (local, poses[:, 0], poses[:, 1], poses[:, 2])[k % 4][k]
        row[rng.integers(len(row))] = (NAN, np.inf, -np.inf, 1e308)[k // 4 % 4]
    finite = np.empty(90, bool)
    mark_finite(local, poses, finite)
    np.testing.assert_array_equal(finite, np.isfinite(local).all(axis=1) & np.isfinite(poses).all(axis=(1, 2)))
    assert 20 < finite.sum() < 30


def test_placements_have_room_of_their_own():
    """No two share a row, each has as many as its mesh asks for, and none is left over."""
    rng = np.random.default_rng(13)
    for _ in range(100):
        meshes, n = int(rng.integers(1, 6)), int(rng.integers(1, 12))
        row_of, vertex_count = rng.permutation(meshes) - 1, rng.integers(3, 9, meshes)
        triangle_count, node_count = rng.integers(1, 9, meshes), rng.integers(1, 5, meshes)
        mesh, moves, triangle_counts = rng.integers(0, meshes, n), rng.random(n) < 0.5, rng.integers(0, 3, n)
        there = np.empty(n, np.int64)
        count, vertices = find_with_trees(mesh, row_of, triangle_counts, moves, vertex_count, there)
        expected = [k for k in range(n) if row_of[mesh[k]] >= 0 and triangle_counts[k] > 0]
        assert there[:count].tolist() == expected
        assert vertices == sum((1 + moves[k]) * vertex_count[row_of[mesh[k]]] for k in expected)
        row, objects = row_of[mesh], there[:count].copy()
        counts, (nodes_of, places) = np.empty((2, n), np.int64), np.empty((2, n), np.int64)
        world_start, box_start = np.full((2, 2, n), -1)
        total, nodes = lay_out(objects, moves, row, vertex_count, triangle_count, node_count, counts, nodes_of, places,
                               world_start, box_start)
        used, used_nodes = [], []
        for k in range(n):
            if row[k] >= 0:
                assert counts[:, k].tolist() == [vertex_count[row[k]], triangle_count[row[k]]]
                assert nodes_of[k] == node_count[row[k]]
            assert places[k] == (1 + moves[k] if k in expected else 0)
            assert places[k] == 2 or world_start[0, k] == world_start[1, k] and box_start[0, k] == box_start[1, k]
            for slot in range(places[k]):
                used += range(world_start[slot, k], world_start[slot, k] + counts[0, k])
                used_nodes += range(box_start[slot, k], box_start[slot, k] + nodes_of[k])
        assert sorted(used) == list(range(total)) and sorted(used_nodes) == list(range(nodes)) and total == vertices
        slot, at = rng.integers(0, 2, (2, n)), np.full((2, 2, n), -5)
        put_starts(objects, slot, world_start, box_start, at)
        for k in range(n):
            for end in range(2):
                assert at[end, :, k].tolist() == ([world_start[slot[end, k], k], box_start[slot[end, k], k]]
                                                  if k in expected else [-5, -5])


def test_slots_hold_what_they_are_said_to():
    """Against a plain account of what is in each slot. What rests has memory for one placement, in slot 0, or has been
    placed anywhere."""
    rng, missing = np.random.default_rng(8), 0
    for _ in range(500):
        count = int(rng.integers(1, 9))
        begin, end = ((0.0, 1.0), (0.25, 0.5), (1.0, 0.0))[rng.integers(3)]
        times = rng.choice([NAN, NAN, begin, end, 0.75], (2, count))
        moves = rng.random(count) < 0.7
        objects = np.flatnonzero(rng.random(count) < 0.8)
        held, slot, new = times.copy(), np.zeros((2, count), np.int64), np.empty((2, count), np.int64)
        both = bool(rng.random() < 0.7)
        counts = choose_slots(objects, moves, begin, end, both, times, slot, new)
        placed = [new[which, :counts[which]].tolist() for which in range(2)]
        missing += sum(counts)
        for which, time in enumerate((begin, end)):
            for k in placed[which]:
                held[slot[which, k], k] = time
        np.testing.assert_array_equal(held, times)
        for k in range(count):
            if k not in objects:
                assert all(k not in each for each in placed)
            elif moves[k]:
                assert [held[slot[which, k], k] for which in range(2)] == [begin, end if both else begin]
            else:
                assert slot[0, k] == slot[1, k] and np.isfinite(held[slot[0, k], k]) and k not in placed[1]
    assert missing > 500


def large():
    """Two fine balls, one of which will be deformed, and a box at rest between them."""
    scene = Scene()
    vertices, triangles = ball(64, 40)
    assert len(triangles) >= placing.LEAST_COPIED
    scene.add_object(scene.add_mesh(vertices, triangles), pose(None, (-1.6, 0, 0)))
    scene.add_object(scene.add_mesh(vertices.copy(), triangles), pose(None, (1.6, 0, 0)))
    scene.add_object(scene.add_mesh(*SHAPES["box"]))
    return scene, vertices


def assert_same(found, expected):
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


def counted(monkeypatch):
    """How many objects are copied from a frame."""
    copied, copy = [], placing.SlicePlacer._copied_from_frame

    def watched(*arguments):
        mask = copy(*arguments)
        copied.append(int(mask.sum()))
        return mask

    monkeypatch.setattr(placing.SlicePlacer, "_copied_from_frame", watched)
    return copied


def test_what_a_frame_has_placed_serves_the_interval(monkeypatch):
    """It changes no bit, forwards and backwards, for what deforms and what glides."""
    copied, rng = counted(monkeypatch), np.random.default_rng(1)
    scene, vertices = large()
    detect(scene)
    met, before = 0, Instant.of(scene)
    for _ in range(4 if COMPILED else 1):
        scene.set_vertices(0, vertices * (1.1 + 0.2 * rng.random()))
        scene.set_poses([1], [pose(None, (1.3 + 0.2 * rng.random(), 0, 0))])
        detect(scene)
        now = Instant.of(scene)
        there, back = contacts_between(before, now), contacts_between(now, before)
        kept = dict(scene.cache)
        for ends, found in (((before, now), there), ((now, before), back)):
            scene.cache.clear()
            assert_same(found, contacts_between(*ends))
        scene.cache.clear()
        scene.cache.update(kept)
        met, before = met + len(there.a), now
    assert met and sum(copied) >= (4 if COMPILED else 1)


@pytest.mark.parametrize("change", ("nothing", "pose", "vertices", "other mesh", "tree", "hidden", "sign of zero"))
def test_what_a_frame_has_placed_otherwise_is_not_taken(monkeypatch, change):
    """The scene goes on after the frame was tested, before the interval is asked for. Where it does not, all is taken.
    """
    copied, rng = counted(monkeypatch), np.random.default_rng(2)
    scene, vertices = large()
    detect(scene)
    start = Instant.of(scene)
    for k, side in enumerate((-1.0, 1.0)):
        scene.set_poses([k], [pose(None, (1.45 * side, 0, 0))])
    detect(scene)
    if change == "pose":
        scene.set_poses([0, 1], [pose(None, (-1.42, 0, 0)), pose(None, (1.42, 0, 0))])
    elif change == "vertices":
        for mesh in range(2):
            scene.set_vertices(mesh, 1.1 * vertices)
    elif change == "other mesh":        # the same vertices, half of the triangles
        for k in range(2):
            mesh = scene.meshes[k]
            other = scene.add_mesh(mesh.vertices, mesh.triangles[::-2].copy())
            scene.add_object(other, scene.poses[k].copy())
        scene.hide([0, 1])
        start = Instant.of(scene, [3, 4, 2])
        scene.set_poses([3, 4], [pose(None, (-1.4, 0, 0)), pose(None, (1.4, 0, 0))])
    elif change == "tree":
        for mesh in range(2):
            scene.set_vertices(mesh, vertices[rng.permutation(len(vertices))])
    elif change == "hidden":
        scene.hide([0])
        detect(scene)
        scene.show([0])
        scene.set_poses([0, 1], [pose(None, (-1.4, 0, 0)), pose(None, (1.4, 0, 0))])
    elif change == "sign of zero":
        poses = scene.poses[:2].copy()
        poses[:, 2, 3] = -0.0
        scene.set_poses([0, 1], poses)
    end = Instant.of(scene, start.objects)
    found = contacts_between(start, end)
    assert copied and (sum(copied) == 0) == (change != "nothing")
    scene.cache.clear()
    assert_same(found, contacts_between(start, end))
