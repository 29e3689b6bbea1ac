# SPDX-License-Identifier: GPL-3.0-or-later
"""Balanced trees: the penalty of a plane by hand and by trying all, what a tree must be, boxes and edges of objects."""
import numpy as np
import pytest
from naive.scenes import SHAPES, crowd, pose
from naive.scenes import build as scene_of
from naive.shapes import ball, grid
from touchpoint.core import detect
from touchpoint.core.run import Run
from touchpoint.core.scene.select import select
from touchpoint.core.trees.balanced import build as balanced_build
from touchpoint.core.trees.balanced.build import MIN_DIVIDED, USELESS_SHARE, best_plane, build, depth_limit
from touchpoint.core.trees.balanced.edges import edge_set
from touchpoint.core.trees.balanced.trees import BalancedTrees
from touchpoint.core.trees.bvh.placed import PlacedMeshes


def along_x(*intervals):
    """Boxes with these extents along x, and the unit interval along y and z."""
    boxes = np.zeros((len(intervals), 6))
    boxes[:, [0, 3]] = intervals
    boxes[:, 4:] = 1.0
    return boxes


def plane_of(boxes, axis, weight):
    ends = np.ascontiguousarray(boxes.T)
    orders = np.stack([np.argsort(row, kind="stable") for row in ends]).astype(np.int32)
    return best_plane(ends, orders, 0, len(boxes), axis, weight)


@pytest.mark.parametrize("weight, penalty, plane", [
    (1.0, 2.0, 1.0),        # at 1: left 1, right 2, crossed 1; between 1 and 2: 1, 1, 2; at 2: 2, 1, 1: all 2
    (0.25, 0.5, 1.5),       # 1.25, 0.5 and 1.25
    (4.0, 4.0, 0.0),        # nothing is crossed at 0: |0 − 4|, as at 4; at 1 and 2 it is 1 + 4
])
def test_the_penalty_of_a_plane(weight, penalty, plane):
    boxes = along_x((0, 1), (2, 3), (1, 2), (0, 4))
    assert plane_of(boxes, 0, weight) == (penalty, plane)


def test_what_touches_a_plane_is_not_crossed_by_it():
    assert plane_of(along_x((0, 1), (0, 1), (1, 2), (1, 2)), 0, 1.0) == (0.0, 1.0)


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0, 2.5])
def test_no_plane_has_a_lower_penalty(weight, flat):
    """Against all planes at and between the ends of boxes, counted one by one."""
    rng = np.random.default_rng(3)
    for _ in range(30):
        low = rng.integers(0, 8, (int(rng.integers(1, 14)), 3)).astype(float)
        boxes = np.concatenate([low, low + rng.integers(0, 1 if flat else 5, low.shape)], axis=1)
        for axis in range(3):
            begin, end = boxes[:, axis], boxes[:, 3 + axis]
            penalty, plane = plane_of(boxes, axis, weight)
            assert penalty == penalty_at(plane, begin, end, weight)
            places = np.unique(boxes[:, [axis, 3 + axis]])
            places = np.concatenate([places, 0.5 * (places[1:] + places[:-1])])
            assert penalty == min(penalty_at(place, begin, end, weight) for place in places)


def penalty_at(plane, begin, end, weight):
    left = end <= plane
    right = (begin >= plane) & ~left
    return abs(int(left.sum()) - int(right.sum())) + weight * int((~left & ~right).sum())


def boxes_of(mesh):
    corners = mesh[0][mesh[1]]
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


def fan_of(count):
    """Triangles that all meet in one point: every plane beside it crosses many."""
    angle = np.linspace(0.0, 2 * np.pi, count + 1)
    rim = np.stack([np.cos(angle), np.sin(angle), np.zeros(count + 1)], axis=1)
    return np.concatenate([[(0.0, 0.0, 1.0)], rim]), np.array([(0, 1 + i, 2 + i) for i in range(count)], np.int32)


def random_soup(count, scale=1.0):
    rng = np.random.default_rng(count)
    return scale * rng.normal(size=(3 * count, 3)), np.arange(3 * count, dtype=np.int32).reshape(-1, 3)


MESHES = {
    "one triangle": random_soup(1), "nine": random_soup(9), "ten": random_soup(10), "ball": ball(40, 20),
    "sheet": grid(20, 17), "fan": fan_of(500), "soup": random_soup(300), "huge": random_soup(100, 1e300),
    "tiny": random_soup(100, 1e-300), "points": (np.zeros((3, 3)), np.tile(np.arange(3, dtype=np.int32), (200, 1))),
    "a line": (np.outer(np.arange(100.0) ** 4, (1, 2, 3)),
               np.stack([np.arange(98), np.arange(98), np.arange(2, 100)], axis=1).astype(np.int32)),
}


@pytest.mark.parametrize("name", MESHES)
def test_a_tree_holds_each_triangle_once(name):
    boxes = boxes_of(MESHES[name])
    tree = build(boxes)
    assert sorted(tree.slots.tolist()) == list(range(len(boxes)))
    level = np.zeros(len(tree.children), int)
    assert tree.span[0].tolist() == [0, len(boxes)]
    for node, (left, right) in enumerate(tree.children.tolist()):
        first, count = tree.span[node].tolist()
        if left < 0:
            assert right < 0
            continue
        assert node < left and node < right and count >= MIN_DIVIDED
        assert tree.span[left].tolist() == [first, tree.span[left, 1]]
        assert tree.span[right].tolist() == [first + tree.span[left, 1], count - tree.span[left, 1]]
        assert max(tree.span[[left, right], 1]) <= USELESS_SHARE * count
        level[[left, right]] = level[node] + 1
    assert level.max() <= depth_limit(len(boxes))
    leaves = tree.children[:, 0] < 0
    if name == "points":
        assert len(tree.children) == 1              # no plane divides what is all at one place
    else:
        assert tree.span[leaves, 1].max() < MIN_DIVIDED


def test_a_large_mesh_lets_others_have_a_say(monkeypatch):
    """Whoever cancels waits for one piece of the work, not for all; and pieces make the same tree."""
    boxes, told = boxes_of(ball(40, 30)), []
    whole = build(boxes)
    monkeypatch.setattr(balanced_build, "MAX_ITEMS_PER_CALL", 200)
    pieces = build(boxes, pause=lambda: told.append(0))
    assert len(told) > 50
    assert all(np.array_equal(getattr(whole, name), getattr(pieces, name)) for name in ("children", "span", "slots"))
    scene = scene_of(([ball(40, 30)], [(0, pose()), (0, pose(1, (0.3, 0, 0)))]))
    calls = []

    def progress(stage, fraction):
        calls.append(stage)
        return len(calls) < 10
    assert detect(scene, method="parallel", threads=1, progress=progress).cancelled
    assert calls == ["prepare"] * 10 and "balanced trees" not in scene.cache
    assert_boxes_fit(trees_of(scene)[0])


def test_halves_are_about_equal():
    tree = build(boxes_of(ball(60, 40)))
    level = np.zeros(len(tree.children), int)
    for node, children in enumerate(tree.children):
        if children[0] >= 0:
            level[children] = level[node] + 1
    assert level.max() <= np.log2(60 * 39 * 2 / 5) + 2


def trees_of(scene, threads=1):
    run = Run(None, threads, True, {})
    with run.stage("prepare", 0):
        trees = BalancedTrees(PlacedMeshes(scene, select(scene), run), run)
        everyone = np.arange(len(trees.placed.objects))
        trees.fit(everyone, everyone[:0], run)
        return trees, trees.edges(run)


def assert_boxes_fit(trees):
    """Equal, not only as large: no rounding is involved."""
    for i in range(len(trees.placed.objects)):
        start, count = trees.placed.triangle_start[i], trees.placed.triangle_count[i]
        corners = trees.placed.world_of(i)[trees.placed.triangles[start:start + count]]
        slots = trees.slots[start:start + count]
        assert np.array_equal(boxes_of_corners(corners[slots]),
                              trees.slot_boxes[trees.slot_box_start[i]:trees.slot_box_start[i] + count])
        for node in range(trees.node_count[i]):
            first, number = trees.span[trees.node_start[i] + node]
            inside = corners[slots[first:first + number]].reshape(1, -1, 3)
            assert np.array_equal(boxes_of_corners(inside)[0], trees.boxes[trees.box_start[i] + node])


def boxes_of_corners(corners):
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


@pytest.mark.parametrize("threads", [1, 3])
def test_boxes_follow_what_moves_and_is_deformed(threads):
    rng = np.random.default_rng(0)
    meshes, objects = crowd(rng)
    scene = scene_of(([*meshes, ball(20, 10)], [*objects, (len(meshes), pose(1e9, (1e9, 0, 0)))]))
    first, _ = trees_of(scene, threads)
    assert_boxes_fit(first)
    scene.set_poses([0, 3], [pose(0.5, (1, 2, 3)), pose(2.0, (-1, 0, 1e6))])
    scene.set_vertices(1, scene.meshes[1].vertices * (1, 2, 3) + rng.normal(size=scene.meshes[1].vertices.shape))
    second, _ = trees_of(scene, threads)
    assert_boxes_fit(second)
    assert second.boxes is first.boxes and np.array_equal(second.children, first.children)
    scene.add_object(scene.add_mesh(*random_soup(50)))
    assert_boxes_fit(trees_of(scene, threads)[0])


def test_only_what_moved_is_fitted_again():
    scene = scene_of(crowd(np.random.default_rng(1)))
    first, _ = trees_of(scene)
    assert first.fitted.all()
    scene.set_poses([2], [pose(1, (9, 9, 9))])
    run = Run(None, 1, True, {})
    with run.stage("prepare", 0):
        again = BalancedTrees(PlacedMeshes(scene, select(scene), run), run)
    assert np.flatnonzero(~again.fitted).tolist() == [2]


def test_objects_of_a_mesh_share_its_tree():
    scene = scene_of((SHAPES[:1], [(0, pose()), (0, pose(1, (5, 0, 0)))]))
    trees, edges = trees_of(scene)
    assert trees.node_start[0] == trees.node_start[1] and trees.box_start[0] != trees.box_start[1]
    assert len(trees.children) == trees.node_count[0] and edges.edge_count.tolist() == [18, 18]


def test_edges_of_a_tetrahedron():
    edges = edge_set(SHAPES[2][1], np.arange(4, dtype=np.int32))
    assert sorted(map(tuple, np.sort(edges.ends, axis=1).tolist())) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert np.diff(edges.owner_start).tolist() == [2] * 6
    assert edges.first_edge.tolist() == [0, 3, 5, 6, 6]      # the second triangle brings two new edges, the third one


@pytest.mark.parametrize("faces", [
    SHAPES[1][1], SHAPES[3][1], np.array([(0, 0, 0), (0, 0, 1), (1, 0, 1), (2, 1, 0), (0, 1, 2), (0, 1, 2)], np.int32)])
def test_every_side_of_every_triangle_is_an_edge(faces):
    slots = np.random.default_rng(2).permutation(len(faces)).astype(np.int32)
    edges = edge_set(faces, slots)
    assert sorted(edges.owners.tolist()) == list(range(3 * len(faces)))
    keys = set()
    for edge in range(len(edges.ends)):
        ends = tuple(sorted(edges.ends[edge].tolist()))
        mine = edges.owners[edges.owner_start[edge]:edges.owner_start[edge + 1]]
        keys.add(ends)
        assert (edges.sides[mine] == edge).all()
        assert all(ends == tuple(sorted((faces[k // 3, k % 3], faces[k // 3, (k + 1) % 3]))) for k in mine)
        first = min(slots.tolist().index(k // 3) for k in mine.tolist())
        assert edges.first_edge[first] <= edge < edges.first_edge[first + 1]
    assert len(keys) == len(edges.ends)
