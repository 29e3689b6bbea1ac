# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of oriented boxes: the fit against numbers worked out by hand, sound trees, boxes that hold what is in them."""
from fractions import Fraction

import numpy as np
import pytest
from naive.scenes import SHAPES, crowd, pose, random_linear
from naive.scenes import build as scene_of
from naive.shapes import ball, box, grid
from naive.validate_obb import box_faults, box_holds, tree_faults
from touchpoint.core import Scene, detect
from touchpoint.core.reference import placed_corners
from touchpoint.core.run import Run
from touchpoint.core.scene.select import select
from touchpoint.core.trees.bvh.placed import PlacedMeshes
from touchpoint.core.trees.obb import trees as obb
from touchpoint.core.trees.obb.fit import covariance, eigenvectors, orthonormalize
from touchpoint.core.trees.obb.pose import factors
from touchpoint.core.trees.obb.trees import ObbTrees

SOUP = np.arange(3 * 70, dtype=np.int32).reshape(-1, 3)


def of_surface(vertices, triangles, weighted=True):
    """The covariance that the kernel gives, and the sum of weights."""
    C = np.zeros((3, 3))
    corners = np.ascontiguousarray(np.asarray(vertices, float)[triangles])
    return C, covariance(corners, 0, len(corners), weighted, C)


def trees_of(scene):
    run = Run(None, 1, True, {})
    return ObbTrees.of(PlacedMeshes(scene, select(scene), run), run), run


def corners_of(scene, obj):
    mesh = scene.meshes[scene.objects[obj].mesh]
    return placed_corners(mesh.vertices, mesh.triangles, scene.objects[obj].pose)


# The fit.

def test_covariance_of_one_triangle_by_hand():
    """Over the triangle with the legs 1 along x and y: the mean of x is 1/3, of x² 1/6, of xy 1/12."""
    C, total = of_surface([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert np.allclose(C, [[1 / 18, -1 / 36, 0], [-1 / 36, 1 / 18, 0], [0, 0, 0]], atol=1e-15) and total == 1.0


@pytest.mark.parametrize("place", [(0, 0, 0), (3, -7, 11)])
def test_covariance_of_a_box_by_hand(place):
    """Sides 2, 4, 6 (halves a, b, c = 1, 2, 3): the two faces across x have the area 4 b c each and x² = a² there, the
    other four 4 a (b + c) in pairs and a² / 3 in the mean, of 88 in all; and so for y and z."""
    C, total = of_surface(*box(np.array(place) - (1, 2, 3), np.array(place) + (1, 2, 3)))
    across = np.array([2 * 4 * 6, 2 * 2 * 6, 2 * 2 * 4], float)
    squares = np.array([1.0, 4.0, 9.0])
    assert np.allclose(C, np.diag(squares * (across + (88 - across) / 3) / 88), atol=1e-14) and total == 2 * 88


def test_how_a_surface_is_cut_into_triangles_does_not_matter():
    C, _ = of_surface(*grid(1, 1))
    finer, _ = of_surface(*grid(5, 3, u=(0.2, 0, 0), v=(0, 1 / 3, 0)))
    assert np.allclose(C, finer, atol=1e-15)


def test_triangles_without_area_count_all_the_same():
    """Two points, 0 and 2 along x, as triangles: the variance of x is 1."""
    C, total = of_surface([[0, 0, 0], [2, 0, 0]], [[0, 0, 0], [1, 1, 1]])
    assert total == 0.0
    C, total = of_surface([[0, 0, 0], [2, 0, 0]], [[0, 0, 0], [1, 1, 1]], weighted=False)
    assert total == 2.0 and np.array_equal(C, np.diag([1.0, 0, 0]))


def symmetric(rng):
    V = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    values = 10.0 ** rng.uniform(-12, 0, 3) * rng.choice((0, 1, 1, 1), 3)
    values[1] = values[0] if rng.random() < 0.3 else values[1]
    return V @ np.diag(values) @ V.T


def test_eigenvectors_are_those_of_numpy():
    rng = np.random.default_rng(1)
    for _ in range(300):
        C = symmetric(rng)
        C = (C + C.T) / 2
        V, work = np.empty((3, 3)), C.copy()
        eigenvectors(work, V)
        size = np.abs(C).max() + 1e-300
        assert np.allclose(V @ C @ V.T, np.diag(np.diag(work)), atol=1e-14 * size)
        assert np.allclose(np.sort(np.diag(work)), np.linalg.eigvalsh(C), atol=1e-14 * size)


def test_axes_are_orthonormal_to_what_the_bounds_count_on():
    """Of random rows, slivers, parallel rows, zero rows: |A Aᵀ - 1| is at most 36 u in exact arithmetic."""
    rng = np.random.default_rng(2)
    for k in range(400):
        V = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-200, 3, (3, 1))
        if k % 4 == 1:
            V[1] = V[0] * rng.normal() + rng.normal(size=3) * 10.0 ** rng.uniform(-20, 0) * np.abs(V[0]).max()
        if k % 4 == 2:
            V[rng.integers(2)] = 0
        if k % 4 == 3:
            V[:2] = rng.integers(-1, 2, (2, 3))
        orthonormalize(V)
        rows = [[Fraction(x) for x in row] for row in V.tolist()]
        off = [[float(sum(x * y for x, y in zip(p, q)) - (i == j)) for j, q in enumerate(rows)]
               for i, p in enumerate(rows)]
        assert np.linalg.norm(off, 2) <= 36 * 2.0 ** -53


# Trees.

def soup(make):
    return lambda rng: (make(rng), SOUP)


MESHES = {
    "ball": lambda rng: ball(7, 5), "box": lambda rng: box(),
    "one triangle": lambda rng: (rng.random((3, 3)), SOUP[:1]),
    "two triangles": lambda rng: (rng.random((6, 3)), SOUP[:2]),
    "twice the same": lambda rng: (rng.random((3, 3)), SOUP[[0, 0, 0, 0, 0]]),
    "flat": lambda rng: ((grid(8, 7)[0] @ random_linear(rng, "turned")), grid(8, 7)[1]),
    "soup": soup(lambda rng: rng.normal(size=(210, 3))),
    "one place": soup(lambda rng: np.full((210, 3), 7.1)),
    "points": soup(lambda rng: np.repeat(rng.random((70, 3)), 3, axis=0)),
    "on a line": soup(lambda rng: rng.random((210, 1)) * (1, 2, 3) + 5),
    "clusters": soup(lambda rng: rng.integers(0, 3, (210, 3)) + 1e-9 * rng.random((210, 3))),
    "ever smaller": soup(lambda rng: rng.normal(size=(210, 3)) * 0.5 ** np.repeat(np.arange(70), 3)[:, None]),
    "far away": soup(lambda rng: 1e8 + rng.random((210, 3))),
    "slivers": soup(lambda rng: rng.normal(size=(210, 3)) * (1, 1e-9, 1e-17)),
    "huge": soup(lambda rng: rng.normal(size=(210, 3)) * 1e300),
    "tiny": soup(lambda rng: rng.normal(size=(210, 3)) * 1e-310),
}


@pytest.mark.parametrize("name", MESHES)
def test_every_tree_is_sound_and_holds_its_mesh(name):
    vertices, triangles = MESHES[name](np.random.default_rng(3))
    scene = Scene()
    mesh = scene.add_mesh(vertices, triangles)
    scene.add_object(mesh)
    scene.add_object(mesh, pose((1, -1, 1)))
    trees, _ = trees_of(scene)
    assert len(trees.code) == 2 * len(triangles) - 1
    assert tree_faults(trees, int(trees.root[0]), len(triangles)) == []
    assert box_faults(trees, 0, corners_of(scene, 0)) == []
    assert depth(trees) <= 11.0 * np.log(len(triangles)) + 2
    assert (np.diff(trees.half, axis=1) <= 0).all()


def depth(trees):
    level = {int(trees.root[0]): 1}
    for node in sorted(range(len(trees.code)), key=lambda node: -int(trees.count[node])):
        if trees.code[node] >= 0:
            level[int(trees.code[node])] = level[int(trees.code[node]) + 1] = level[node] + 1
    return max(level.values())


def test_the_checker_finds_faults():
    scene = scene_of((SHAPES, [(1, pose()), (1, pose(1, (1, 0, 0)))]))
    trees, _ = trees_of(scene)
    good, corners = trees.boxes.copy(), corners_of(scene, 0)
    assert box_faults(trees, 0, corners) == []
    trees.boxes[3, 12] *= 0.99
    assert len(box_faults(trees, 0, corners)) == 1
    trees.boxes[:] = good
    leaves = np.flatnonzero(trees.code < 0)[:2]
    trees.code[leaves] = trees.code[leaves[::-1]]
    assert tree_faults(trees, 0, len(corners))


TURN = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]


@pytest.mark.parametrize("name, mesh, halves", [
    ("brick", box((-3, -2, -1), (3, 2, 1)), (3, 2, 1)), ("cube", box((-1,) * 3, (1,) * 3), (1, 1, 1)),
    ("sheet", grid(6, 5), (3, 2.5, 0)), ("triangle", ([[0, 0, 0], [4, 0, 0], [1, 2, 0]], [[0, 1, 2]]), (2, 1, 0)),
    ("rod", ([[0, 0, 0], [2, 0, 0], [1, 0, 0]], [[0, 1, 2]] * 4), (1, 0, 0)),
    ("point", ([[5, 5, 5]], [[0, 0, 0]]), (0, 0, 0)),
])
def test_boxes_are_tight(name, mesh, halves):
    """Turned bricks, sheets, rods and points are in boxes of their own size. (The triangle stands on its long edge. A
    cube has no axes of its own for the covariance: this one is not turned.)"""
    scene = Scene()
    vertices = np.asarray(mesh[0], float)
    index = scene.add_mesh(vertices if name == "cube" else vertices @ TURN.T, mesh[1])
    scene.add_object(index)
    scene.add_object(index)
    trees, _ = trees_of(scene)
    assert np.allclose(trees.world_boxes([0])[2], halves, atol=1e-12)


def surface(half):
    return half[0] * half[1] + half[1] * half[2] + half[2] * half[0]


def test_no_box_is_larger_than_one_along_its_parents_axes_or_the_coordinates():
    scene = Scene()
    vertices, triangles = MESHES["soup"](np.random.default_rng(9))
    index = scene.add_mesh(vertices, triangles)
    scene.add_object(index)
    scene.add_object(index)
    trees, _ = trees_of(scene)
    size = 2.0 ** trees._trees.exponent[0]
    for parent in np.flatnonzero(trees.code >= 0).tolist():
        for node in (trees.code[parent], trees.code[parent] + 1):
            if trees.count[node] == 1:
                continue
            below = trees.slots[trees.first[node]:trees.first[node] + trees.count[node]]
            points = vertices[triangles[below]].reshape(-1, 3) / size
            others = [0.5 * np.ptp(points @ axes.T, axis=0) for axes in (trees.axes[parent], np.eye(3))]
            assert surface(trees.half[node]) <= min(map(surface, others)) * (1 + 1e-12)


# Poses.

def nasty_poses(rng):
    kinds = ("turned", "mirrored", "stretched", "sheared")
    for k in range(24):
        linear = random_linear(rng, kinds[k % 4])
        if k % 3 == 0:
            linear = linear * 10.0 ** rng.uniform(-30, 30)
        if k % 5 == 1:
            linear = linear @ np.diag(rng.choice((0, 1, 1e-9, 1e6), 3)) @ random_linear(rng, "turned")
        if k % 7 == 2:
            linear = linear.astype(np.float32).astype(float)
        yield pose(linear, rng.normal(size=3) * 10.0 ** rng.uniform(-30, 30) if k % 2 else (1e6, -3, 0))
    yield pose(0, (1, 2, 3))
    yield pose(np.ones((3, 3)))
    yield pose(np.eye(3) + 1e-5 * rng.normal(size=(3, 3)))


@pytest.mark.parametrize("scale, offset", [(1, 0), (1e-30, 0), (1e30, 0), (1, 1e7), (1e-200, 0)])
def test_world_boxes_hold_the_world_vertices_under_any_pose(scale, offset):
    rng = np.random.default_rng(5)
    scene = Scene()
    vertices, triangles = ball(4, 3)
    mesh = scene.add_mesh(vertices * scale + offset, triangles)
    for matrix in nasty_poses(rng):
        scene.add_object(mesh, matrix)
    trees, run = trees_of(scene)
    for obj in range(len(scene.objects)):
        assert box_faults(trees, obj, corners_of(scene, obj)) == [], obj
    centre, axes, half = trees.world_boxes(np.arange(3))
    assert centre.shape == half.shape == (3, 3) and axes.shape == (3, 3, 3) and run.notes == []


def test_a_margin_is_small():
    """Of a turned object near the origin 1e-14 of its size; of one from float32 numbers 1e-6."""
    scene = Scene()
    mesh = scene.add_mesh(*ball(20, 20))
    for linear in (TURN, 2.0 * TURN.astype(np.float32)):
        scene.add_object(mesh, pose(linear, (1, 2, 3)))
    trees, _ = trees_of(scene)
    assert (trees.poses[:, obb.POSE_MARGIN] / trees.poses[:, obb.POSE_SIZE] < (5e-14, 1e-6)).all()


def test_the_factors_of_a_pose():
    linear = np.array([matrix[:3, :3] for matrix in nasty_poses(np.random.default_rng(6))])
    exponent, size, rotation, stretch = factors(linear)
    assert np.abs(np.swapaxes(rotation, 1, 2) @ rotation - np.eye(3)).max() < 24 * 2.0 ** -53
    assert np.array_equal(stretch, np.swapaxes(stretch, 1, 2)) and (np.abs(stretch) <= 1).all()
    rebuilt = size[:, None, None] * rotation @ stretch
    assert np.abs(np.ldexp(linear, -exponent[:, None, None]) - rebuilt).max() < 1e-4
    assert np.array_equal(factors(np.eye(3)[None])[3][0], np.eye(3))


def test_objects_share_trees_where_their_stretches_agree():
    scene = Scene()
    mesh = scene.add_mesh(*SHAPES[1])
    shear = np.array([[1, 0.5, 0], [0, 1, 0], [0, 0, 1]])
    for linear in (TURN, 3 * TURN.T, TURN * (-1, 1, 1), 1e-9, (TURN @ TURN).astype(np.float32),     # one tree
                   (1, 2, 1), TURN @ np.diag((2, 4, 2)), -TURN @ np.diag((1, 2, 1)),                # another
                   shear, TURN @ shear):                                                            # the third
        scene.add_object(mesh, pose(linear))
    trees, run = trees_of(scene)
    roots = trees.root.tolist()
    assert [roots.index(root) for root in roots] == [0, 0, 0, 0, 0, 5, 5, 5, 8, 8]
    assert len(trees.code) == 3 * (2 * len(SHAPES[1][1]) - 1) and run.notes == []


@pytest.mark.scenes
def test_beyond_the_budget_boxes_are_wider_and_nothing_is_lost(monkeypatch):
    meshes, objects = crowd(np.random.default_rng(7), 20, 3.0)
    whole = detect(scene_of((meshes, objects)), method="rapid")
    monkeypatch.setattr(obb, "MAX_TREE_BYTES", 1)
    scene = scene_of((meshes, objects))
    report = detect(scene, method="rapid")
    assert len(scene.cache["obb trees"]._trees.mesh) == 5 and "more ways" in report.notes[0] and whole.notes == []
    assert same_answer(report, whole) and report.counts["box_pairs"] > whole.counts["box_pairs"]
    trees = scene.cache["obb trees"]
    for obj in range(0, 20, 5):
        assert box_faults(trees, obj, corners_of(scene, obj)) == []


def same_answer(one, other):
    columns = ["a", "b", "verdict", "contacts"]
    return (np.array_equal(one.pairs[columns], other.pairs[columns])
            and np.array_equal(one.contacts.point, other.contacts.point))


# What is kept.

def test_trees_are_kept_and_follow_what_changes():
    meshes, objects = crowd(np.random.default_rng(8))
    scene = scene_of((meshes, objects))
    detect(scene, method="rapid")
    nodes = scene.cache["obb trees"]._trees.nodes
    code, boxes = nodes.code.copy(), nodes.boxes.copy()
    moved = [(mesh, pose(TURN) @ matrix if i % 3 == 0 else matrix) for i, (mesh, matrix) in enumerate(objects)]
    scene.set_poses(range(len(moved)), [matrix for _, matrix in moved])
    assert same_answer(detect(scene, method="rapid"), detect(scene_of((meshes, moved))))
    assert scene.cache["obb trees"]._trees.nodes is nodes and np.array_equal(nodes.boxes, boxes)
    bent = [(vertices * (1, 1.3, 0.8) + 0.1 if i == 1 else vertices, triangles)
            for i, (vertices, triangles) in enumerate(meshes)]
    scene.set_vertices(1, bent[1][0])
    assert same_answer(detect(scene, method="rapid"), detect(scene_of((bent, moved))))
    trees = scene.cache["obb trees"]
    assert trees._trees.nodes is nodes and np.array_equal(nodes.code, code)
    assert not np.array_equal(nodes.boxes, boxes)
    for obj in range(len(objects)):
        assert box_faults(trees, obj, corners_of(scene, obj)) == []


def test_objects_that_join_or_stretch_later_leave_other_trees_alone():
    scene = scene_of((SHAPES, [(0, pose()), (1, pose(1, (0.5, 0, 0))), (1, pose((1, 2, 1), (1, 0, 0)))]))
    detect(scene, method="rapid")
    scene.add_object(2, pose(TURN, (0.5, 0.5, 0)))
    scene.set_poses([0], [pose((1, 1, 3))])
    report = detect(scene, method="rapid")
    assert same_answer(report, detect(scene))
    trees = scene.cache["obb trees"]
    for obj, count in enumerate((12, len(SHAPES[1][1]), len(SHAPES[1][1]), 4)):
        assert tree_faults(trees, int(trees.root[obj]), count) == []
        assert box_faults(trees, obj, corners_of(scene, obj)) == []


def test_the_exact_test_of_a_point_in_a_box():
    box_of_one = np.zeros(3), np.eye(3), np.ones(3)
    assert box_holds(*box_of_one, [[Fraction(1), Fraction(-1), Fraction(0)]])
    assert not box_holds(*box_of_one, [[Fraction(1) + Fraction(1, 10 ** 40), Fraction(0), Fraction(0)]])
