# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees: topology, boxes, and how placed objects are kept between runs."""
import numba
import numpy as np
import pytest
from naive.scenes import SHAPES, crowd, pose
from naive.scenes import build as scene_of
from naive.shapes import ball
from naive.validate_bvh import box_faults, tree_faults
from touchpoint.core import Scene, detect
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.scene.select import select
from touchpoint.core.trees.bvh import forest as forest_module
from touchpoint.core.trees.bvh.build import build
from touchpoint.core.trees.bvh.forest import Forest, MeshTrees, subtrees
from touchpoint.core.trees.bvh.node_overlap import lowest_bit, node_overlap_16
from touchpoint.core.trees.bvh.refit import round_down, round_up
from touchpoint.core.trees.refit_quality import RefitQuality

CENTRES = {
    "random": lambda rng, n: rng.random((n, 3)),
    "one place": lambda rng, n: np.full((n, 3), 7.0),
    "on a line": lambda rng, n: rng.random((n, 1)) * (1, 2, 3),
    "clusters": lambda rng, n: rng.integers(0, 3, (n, 3)) + 1e-9 * rng.random((n, 3)),
    "huge": lambda rng, n: rng.normal(size=(n, 3)) * 1e300,
    "tiny": lambda rng, n: rng.normal(size=(n, 3)) * 1e-300,
    "far away": lambda rng, n: 1e8 + rng.random((n, 3)),
}


@pytest.mark.parametrize("n", [1, 2, 4, 5, 17, 300])
@pytest.mark.parametrize("name", CENTRES)
def test_every_tree_is_sound(name, n):
    tree = build(np.ascontiguousarray(CENTRES[name](np.random.default_rng(n), n)))
    assert tree_faults(tree, n) == []


def test_the_checker_finds_faults():
    tree = build(np.random.default_rng(0).random((40, 3)))
    tree.children[1] = tree.children[2]
    assert tree_faults(tree, 40)


@pytest.mark.parametrize("scale, offset", [(1, 0), (1e-20, 0), (1e30, 0), (1e-3, 1e6), (1, -1e9)])
def test_boxes_hold_their_triangles(scale, offset):
    scene = Scene()
    vertices, triangles = ball(14, 9)
    mesh = scene.add_mesh(vertices * scale, triangles)
    for i in range(2):
        scene.add_object(mesh, pose(1, (offset, offset + scale * i, 0)))
    placed = placed_forest(scene)
    tree = placed.meshes.tree(0)
    for i in range(2):
        boxes = placed.boxes[placed.box_start[i]:placed.box_start[i] + placed.node_count[i]]
        corners = np.array([placed.corners.of(i, slot) for slot in range(len(triangles))])
        items = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
        assert box_faults(tree, boxes, items, placed.quantization) == []


def placed_forest(scene, threads=1):
    selection = select(scene)
    placed = Forest(scene, selection.objects, selection.bounds, lambda fraction=None: None, threads)
    n = len(selection.objects)
    next(placed.batches(np.arange(n - 1, dtype=np.int32), np.arange(1, n, dtype=np.int32)))
    return placed


def test_rounding_is_outward():
    rng = np.random.default_rng(1)
    for x in np.concatenate([rng.normal(size=200), 10.0 ** rng.uniform(-45, 37, 200), [0.0, 1e-50, -1e-50]]):
        assert float(round_down(float(x))) <= x <= float(round_up(float(x)))


def compiled(function):
    """Intrinsics can be called from compiled code only."""
    return numba.njit(function) if COMPILED else function


def test_sixteen_boxes_at_once_are_sixteen_tests():
    rng = np.random.default_rng(2)
    call = compiled(lambda boxes: node_overlap_16(boxes, 0, boxes, 1))
    for _ in range(100):
        low = rng.integers(0, 5, (2, 3, 4))
        boxes = np.concatenate([low, low + rng.integers(0, 3, (2, 3, 4))], axis=1).astype(np.float32)
        mask = int(call(boxes))
        for p in range(4):
            for q in range(4):
                apart = (boxes[0, :3, p] > boxes[1, 3:, q]) | (boxes[1, :3, q] > boxes[0, 3:, p])
                assert bool(mask >> (4 * p + q) & 1) == (not apart.any())


def test_lowest_bit():
    call = compiled(lambda mask: lowest_bit(mask))
    assert [int(call(np.uint32(mask))) for mask in (1, 2, 12, 0x8000)] == [0, 1, 2, 15]


def test_trees_are_kept_and_follow_what_changes():
    """The report after each change equals that of a scene made anew; the trees are the same objects."""
    meshes, objects = crowd(np.random.default_rng(3))
    scene = scene_of((meshes, objects))
    detect(scene)
    trees = {index: MeshTrees.of(scene).tree(index).order.copy() for index in range(len(meshes))}
    arrays = MeshTrees.of(scene).children
    moved = [(mesh, matrix @ pose(1, (0.1, 0, 0))) if i % 3 == 0 else (mesh, matrix)
             for i, (mesh, matrix) in enumerate(objects)]
    scene.set_poses(range(len(moved)), [matrix for _, matrix in moved])
    assert same_answer(detect(scene), detect(scene_of((meshes, moved))))
    bent = [(vertices * (1, 1.3, 0.8) if i == 1 else vertices, triangles)
            for i, (vertices, triangles) in enumerate(meshes)]
    scene.set_vertices(1, bent[1][0])
    assert same_answer(detect(scene), detect(scene_of((bent, moved))))
    assert MeshTrees.of(scene).children is arrays
    assert all(np.array_equal(MeshTrees.of(scene).tree(index).order, order) for index, order in trees.items())


def wavy_sheet(n=60):
    x, y = np.meshgrid(np.arange(n, dtype=float), np.arange(n, dtype=float))
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    triangles = np.concatenate([np.stack([corner, corner + 1, corner + n], 1),
                                np.stack([corner + 1, corner + n + 1, corner + n], 1)])
    return np.stack([x.ravel(), y.ravel(), np.sin(x + y).ravel()], 1), triangles


@pytest.mark.scenes
def test_a_tree_that_a_deformation_has_worn_out_is_built_anew():
    """A sheet in utter disorder, where a new tree is no better either and is not tried again at once, and back."""
    vertices, triangles = wavy_sheet()
    inside = len(vertices) + SHAPES[0][1]       # a second part of the same mesh, far off
    mesh = np.concatenate([vertices, SHAPES[0][0] + 200.0]), np.concatenate([triangles, inside])
    crumpled = mesh[0].copy()
    crumpled[:len(vertices)] = np.random.default_rng(6).permutation(vertices) * (0.5, 0.5, 1.0) + (0, 0, 0.5)
    other = mesh[0] * (1.0, 1.0, -1.0) + (0.3, 0.2, 0.1)

    def made_anew(first):
        scene = Scene()
        scene.add_object(scene.add_mesh(first, mesh[1]))
        scene.add_object(scene.add_mesh(other, mesh[1]))
        return scene

    scene, trees = made_anew(mesh[0]), None
    detect(scene)
    trees = MeshTrees.of(scene)
    for step, (now, built) in enumerate(((mesh[0] * 1.1, 0), (crumpled, 1), (crumpled * 1.01, 1), (mesh[0], 2),
                                         (mesh[0] * 1.2, 2))):
        scene.set_vertices(0, now)
        fresh = made_anew(now)
        kept_report, fresh_report = detect(scene), detect(fresh)
        assert same_answer(kept_report, fresh_report), step
        assert trees.built.tolist() == [built, 0]
        assert tree_faults(trees.tree(0), len(mesh[1])) == []
        assert kept_report.counts["box_pairs"] <= 1.5 * fresh_report.counts["box_pairs"]


def test_attempts_to_make_a_better_tree_grow_rare():
    quality = RefitQuality(best=1.0)
    attempts = []
    for step in range(40):
        if quality.needs_rebuild(5.0):
            attempts.append(step)
            quality.rebuilt(4.0)
    assert attempts == [0, 2, 5, 10, 19, 36]
    assert not quality.needs_rebuild(2.0)
    for _ in range(40):
        if quality.needs_rebuild(5.0):
            quality.rebuilt(0.5)           # at last a better one
    assert quality.best == 0.5 and quality.needs_rebuild(1.1) and not quality.needs_rebuild(0.9)


def same_answer(one, other):
    return (np.array_equal(one.pairs[["a", "b", "verdict", "contacts"]], other.pairs[["a", "b", "verdict", "contacts"]])
            and np.array_equal(one.contacts.point, other.contacts.point))


@pytest.mark.parametrize("wanted", [1, 2, 5, 16, 200])
@pytest.mark.parametrize("n", [5, 17, 300])
def test_a_tree_falls_into_pieces_that_need_only_themselves(n, wanted):
    tree = build(np.random.default_rng(n).random((n, 3)))

    def under(node):
        return [] if tree.leaf[node] else [code if code > 0 else ~code for code in tree.children[node] if code]

    upper, below = subtrees(tree.children, wanted)
    pieces = [set(range(first, end)) for first, end in below]
    assert all(child in piece for piece in pieces for node in piece for child in under(node))
    ready = set().union(*pieces)
    for node in upper:
        assert ready.issuperset(under(node))
        ready.add(node)
    assert ready == set(range(len(tree.children))) and sum(map(len, pieces)) + len(upper) == len(ready)
    assert len(pieces) > wanted / 4 or all(tree.leaf[first] for first, _ in below)


def test_a_mesh_that_threads_share_is_placed_as_by_one(monkeypatch):
    vertices, triangles = ball(30, 20)
    scene = scene_of(([(vertices, triangles)], [(0, pose(1, (0.1, 0, 0))), (0, pose(0.5, (1, 2, 3)))]))
    one = placed_forest(scene)
    scene.cache.pop("forest")
    monkeypatch.setattr(forest_module, "TRIANGLES_PER_THREAD", 100)
    other = placed_forest(scene, threads=3)
    assert other is not one and np.array_equal(one.world, other.world) and np.array_equal(one.boxes, other.boxes)


def test_scenes_beyond_the_budget_are_worked_off_in_batches(monkeypatch):
    meshes, objects = crowd(np.random.default_rng(4), count=20)
    whole = detect(scene_of((meshes, objects)))
    monkeypatch.setattr(forest_module, "MAX_PLACED_BYTES", 1)
    scene = scene_of((meshes, objects))
    assert same_answer(detect(scene), whole)
    assert scene.cache["forest"].in_batches and len(whole.pairs) > 5


def test_instances_share_one_tree():
    scene = Scene()
    mesh = scene.add_mesh(*SHAPES[0])
    for i in range(5):
        scene.add_object(mesh, pose(1, (i * 0.5, 0, 0)))
    detect(scene)
    assert MeshTrees.of(scene).members == [mesh]
    assert len(MeshTrees.of(scene).vertices) == len(SHAPES[0][0])


def test_meshes_that_join_later_leave_the_others_alone():
    """The same answer as if all meshes had been there at once; trees are sound, unused vertices or not."""
    rng = np.random.default_rng(5)
    meshes, objects = crowd(rng)
    meshes = [(np.concatenate([rng.random((i, 3)), vertices]), triangles + i)
              for i, (vertices, triangles) in enumerate(meshes)]
    scene = Scene()
    used = sorted({mesh for mesh, _ in objects})
    for vertices, triangles in meshes:
        scene.add_mesh(vertices, triangles)
    for mesh, matrix in sorted(objects, key=lambda each: used.index(each[0])):
        scene.add_object(mesh, matrix)
        if len(scene.objects) in (2, len(objects) // 2):
            detect(scene)
    assert same_answer(detect(scene), detect(scene_of((meshes, sorted(objects, key=lambda each: used.index(each[0]))))))
    for index in used:
        tree, trees = MeshTrees.of(scene).tree(index), MeshTrees.of(scene)
        assert tree_faults(tree, len(meshes[index][1])) == []
        row = trees.row[index]
        slots = slice(trees.triangle_start[row], trees.triangle_start[row + 1])
        corners = trees.vertices[trees.vertex_start[row] + trees.triangles[slots]]
        assert np.array_equal(corners, meshes[index][0][meshes[index][1][tree.order]])
