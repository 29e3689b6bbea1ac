# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries about whole meshes, against rational arithmetic pair by pair and against scenes whose answer is known."""
import numpy as np
import pytest
from naive.scenes import SHAPES, TETRAHEDRON, draw, pose, random_linear
from naive.shapes import ball, box, grid, joined, moved
from naive.triangle_pairs import CLASSES
from touchpoint.core import Unsupported, errors
from touchpoint.core.queries import (
    colliding_pairs,
    contained_pairs,
    mesh_triangle_pairs,
    points_in_mesh,
    segments_hit_triangles,
)
from touchpoint.core.reference import closedness, contacts_between, placed_vertices, shared_part
from touchpoint.core.reference.pieces import Solid, where_is
from touchpoint.core.scene import Scene

EMPTY = np.zeros((0, 3)), np.zeros((0, 3), np.int32)


def flipped(mesh):
    return mesh[0], mesh[1][:, ::-1].copy()


def by_reference(one, other):
    found = contacts_between(one[0][one[1]], other[0][other[1]])
    return [[contact.triangle_a, contact.triangle_b] for contact in found]


def soup(rng, triangles, limit):
    """Triangles with whole corners, many without area."""
    return rng.integers(0, limit, (triangles + 3, 3)).astype(float), rng.integers(0, triangles + 3, (triangles, 3))


@pytest.mark.scenes
@pytest.mark.parametrize("seed", range(4))
def test_triangle_pairs_are_those_of_the_reference(seed):
    rng = np.random.default_rng(seed)
    turned = [(mesh[0] @ random_linear(rng, "turned"), mesh[1]) for mesh in SHAPES]
    pairs = [(turned[0], turned[1]), (SHAPES[1], SHAPES[1]), (soup(rng, 12, 4), soup(rng, 15, 4)), (box(), grid(2, 2)),
             (SHAPES[3], soup(rng, 9, 3)), (box(), flipped(box((1, 0, 0), (2, 1, 1)))), (turned[2], TETRAHEDRON),
             (joined(box(), box()), moved(box(), (0.5, 0.25, 1))), (TETRAHEDRON, moved(TETRAHEDRON, (5, 5, 5)))]
    for one, other in pairs:
        for scale, offset in ((1, 0), (1e-30, 0), (1e30, 0), (1, 1e6)):
            a, b = ((vertices * scale + offset, faces) for vertices, faces in (one, other))
            found = mesh_triangle_pairs(*a, *b)
            assert found.dtype == np.int32 and found.shape[1] == 2
            assert found.tolist() == by_reference(a, b)
            back = mesh_triangle_pairs(*b, *a)[:, ::-1]
            assert sorted(back.tolist()) == found.tolist()


def test_triangle_pairs_where_numbers_span_more_than_exact_kernels_take():
    vertices = np.array([(0, 0, 0), (1e-200, 0, 0), (0, 1e200, 0), (1e200, 1e200, 1e-300)])
    one, other = (vertices, np.array([(0, 1, 2), (0, 3, 1)])), (vertices[::-1] * (1, 1, -1), np.array([(0, 1, 2)]))
    assert mesh_triangle_pairs(*one, *other).tolist() == by_reference(one, other)
    huge = (np.array([(-1.7e308, 0, 0), (1.7e308, 0, 0), (0, 1.7e308, 0)]), np.array([(0, 1, 2)]))
    assert mesh_triangle_pairs(*huge, *huge).tolist() == [[0, 0]]


@pytest.mark.scenes
def test_triangle_pairs_of_large_meshes_are_those_of_small_pieces():
    """Big enough to be shared between threads; every piece of the one against the other whole, and in all orders."""
    one, other = ball(60, 40), moved(ball(50, 44, 0.9), (0.3, 0.2, 0.1))
    found = mesh_triangle_pairs(*one, *other)
    assert len(found) > 200 and np.array_equal(found, found[np.lexsort(found.T[::-1])])
    pieces = [mesh_triangle_pairs(one[0], part, *other) for part in np.array_split(one[1], 7)]
    starts = np.cumsum([0] + [len(part) for part in np.array_split(one[1], 7)])
    assert np.concatenate([part + (start, 0) for part, start in zip(pieces, starts)]).tolist() == found.tolist()


def test_empty_and_wrong_meshes():
    assert mesh_triangle_pairs(*EMPTY, *box()).shape == mesh_triangle_pairs(*box(), *EMPTY).shape == (0, 2)
    assert mesh_triangle_pairs(*EMPTY, *EMPTY).dtype == np.int32
    assert mesh_triangle_pairs(box()[0], [], *box()).shape == (0, 2)
    vertices, faces = box()
    broken = vertices.copy()
    broken[3, 1] = np.nan
    for mesh in ((vertices, faces + 1), (vertices, faces - 1), (broken, faces), (vertices, faces * 1.0),
                 (vertices[:, :2], faces), (vertices + np.inf, faces)):
        for query in (lambda mesh=mesh: mesh_triangle_pairs(*mesh, *box()),
                      lambda mesh=mesh: mesh_triangle_pairs(*box(), *mesh),
                      lambda mesh=mesh: colliding_pairs([mesh, box()], [np.eye(4)] * 2),
                      lambda mesh=mesh: contained_pairs([mesh, box()], [np.eye(4)] * 2),
                      lambda mesh=mesh: points_in_mesh(*mesh, [(0, 0, 0)])):
            with pytest.raises(ValueError, match=" "):
                query()
    for transforms in ([np.eye(4)], [np.eye(3)] * 2, [np.eye(4), np.full((4, 4), np.nan)], [np.eye(4) * 2] * 2):
        for query in (colliding_pairs, contained_pairs):
            with pytest.raises(ValueError):
                query([box(), box()], transforms)
    with pytest.raises(ValueError, match="large"):
        colliding_pairs([box(), (box()[0] * 1e300, box()[1])], [np.eye(4), pose(1e100)])


@pytest.mark.parametrize("name", ["crowd", "lattice boxes", "soup", "flattened", "duplicates", "containers"])
def test_colliding_pairs_are_those_of_the_reference(name):
    meshes, objects = draw(name, 3)
    transforms = [matrix for _, matrix in objects]
    given = [meshes[mesh] for mesh, _ in objects]
    placed = [(placed_vertices(mesh[0], matrix), mesh[1]) for mesh, matrix in zip(given, transforms)]
    wanted = [[i, j] for i in range(len(placed)) for j in range(i + 1, len(placed))
              if by_reference(placed[i], placed[j])]
    found = colliding_pairs(given, transforms)
    assert found.tolist() == wanted and found.dtype == np.int32


def test_no_objects_collide_where_there_are_none():
    for query in (colliding_pairs, contained_pairs):
        for meshes in ([], [box()], [EMPTY, EMPTY], [EMPTY, box(), EMPTY]):
            found = query(meshes, [np.eye(4)] * len(meshes))
            assert found.shape == (0, 2) and found.dtype == np.int32


def test_one_mesh_at_many_places_has_one_tree(monkeypatch):
    made = []
    add_mesh = Scene.add_mesh
    monkeypatch.setattr(Scene, "add_mesh", lambda *given: made.append(1) or add_mesh(*given))
    mesh = box()
    assert colliding_pairs([mesh] * 5, [pose(1, (0.75 * i, 0, 0)) for i in range(5)]).tolist() == [
        [i, i + 1] for i in range(4)]
    assert len(made) == 1


NESTINGS = {
    # name: (meshes, transforms, pairs (inner, outer))
    "four deep": ([ball(5, 4)] * 4, [pose(size, (0.01 * size, 0, 0)) for size in (8, 1, 4, 2)],
                  {(1, 0), (2, 0), (3, 0), (1, 2), (1, 3), (3, 2)}),
    "four deep, turned inside out by turns": (
        [ball(5, 4), flipped(ball(5, 4))] * 2, [pose(size, (0.01 * size, 0, 0)) for size in (8, 1, 4, 2)],
        {(1, 0), (2, 0), (3, 0), (1, 2), (1, 3), (3, 2)}),
    "mirrored": ([box()] * 2, [pose((-4, 4, 4), (4, 0, 0)), pose((1, -1, 1), (1, 2, 1))], {(1, 0)}),
    "shells within shells": (
        [joined(ball(6, 4, 4.0), flipped(ball(6, 4, 3.5))), joined(ball(6, 4, 2.0), flipped(ball(6, 4, 1.5))),
         ball(6, 4), moved(ball(4, 3, 0.05), (3.7, 0.01, 0))], [pose()] * 4, {(3, 0)}),
    "beside each other": ([box()] * 2, [pose(), pose(1, (3, 0, 0))], set()),
    "through each other": ([box()] * 2, [pose(), pose(1, (0.5, 0.25, 0.125))], set()),
    "the same": ([box(), box()], [pose(), pose()], set()),
    "flush in a corner": ([box(), box()], [pose(4), pose(1, (3, 3, 3))], {(1, 0)}),
    "half inside": ([joined(box(), moved(box(), (9, 0, 0))), box()], [pose(), pose(4, (-1, -1, -1))], set()),
    "open around it": ([(box()[0], box()[1][1:]), box()], [pose(4), pose(1, (1, 1, 1))], set()),
    "open inside": ([box(), grid(1, 1)], [pose(4), pose(1, (1, 1, 1))], {(1, 0)}),
    "bubble around it": ([joined(box(), flipped(box((0.25,) * 3, (0.75,) * 3))), box()],
                         [pose(8), pose(1, (3, 3, 3))], set()),
}


@pytest.mark.parametrize("name", NESTINGS)
def test_nested_pairs_are_all_named_and_none_is_invented(name):
    meshes, transforms, wanted = NESTINGS[name]
    found = contained_pairs(meshes, transforms)
    assert found.dtype == np.int32 and len(found) == len(wanted)
    assert set(map(tuple, found.tolist())) == wanted
    order = np.random.default_rng(1).permutation(len(meshes))
    back = contained_pairs([meshes[i] for i in order], [transforms[i] for i in order])
    assert {(int(order[i]), int(order[j])) for i, j in back} == wanted


def test_nothing_in_the_hole_of_a_ring():
    n, m = 16, 8
    u, v = 2 * np.pi * np.arange(n)[:, None] / n, 2 * np.pi * np.arange(m) / m
    ring = np.stack([(3 + np.cos(v)) * np.cos(u), (3 + np.cos(v)) * np.sin(u), np.sin(v) + 0 * u], axis=2)
    i, j = np.divmod(np.arange(n * m), m)
    a, b, c, d = i * m + j, (i + 1) % n * m + j, (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m
    ring = ring.reshape(-1, 3), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    small = ball(5, 4, 0.4)
    transforms = [pose(), pose(), pose(1, (3, 0.01, 0)), pose(1, (0, -3, 0.2)), pose(1, (0, 0, 2))]
    assert contained_pairs([ring] + [small] * 4, transforms).tolist() == [[2, 0], [3, 0]]


SOLIDS = {
    "box": box(), "ball": ball(7, 5), "inside out": flipped(box()),
    "two boxes, one mesh": joined(box(), box((0.5,) * 3, (2,) * 3)),
    "hollow": joined(box((0,) * 3, (3,) * 3), flipped(box((1,) * 3, (2,) * 3))),
    "some faces turned": (box()[0], np.where(np.arange(12)[:, None] % 3, box()[1], box()[1][:, ::-1])),
    "split vertices": (box()[0][box()[1]].reshape(-1, 3), np.arange(36).reshape(-1, 3)),
    "faces twice": (box()[0], np.concatenate([box()[1], box()[1]])),
    "with a spike": (np.concatenate([box()[0], [(0.5, 0.5, 3)]]), np.concatenate([box()[1], [(0, 8, 0), (8, 8, 8)]])),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_points_are_where_the_reference_says(name):
    mesh, rng = SOLIDS[name], np.random.default_rng(3)
    corners = mesh[0][mesh[1]]
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    weights = rng.dirichlet((1, 1, 1), 8)
    points = np.concatenate([
        rng.integers(-1, 5, (25, 3)) / 2, rng.uniform(low - 0.5, high + 0.5, (25, 3)), mesh[0][:6],
        np.einsum("ni,nij->nj", weights, corners[rng.integers(len(corners), size=8)]),
        (corners[:8, 0] + corners[:8, 1]) / 2, [(0.5, 0.5, 2), (0.5, 0.25, 1e200), (-1e200, 0, 0), (1e-200, 0.5, 0.5)]])
    for scale, offset in ((1.0, 0.0), (2.0 ** -100, 0.0), (2.0 ** 100, 0.0), (1.0, 2.0 ** 17)):
        solid = Solid(corners * scale + offset, closedness(mesh[0], mesh[1]))
        answer = points_in_mesh(mesh[0] * scale + offset, mesh[1], points * scale + offset)
        assert answer.dtype == np.int8
        assert answer.tolist() == [where_is(point, solid) for point in (points * scale + offset).tolist()]


@pytest.mark.scenes
def test_many_points_at_once_are_answered_like_single_ones():
    mesh = ball(30, 20)
    points = np.random.default_rng(2).uniform(-1.1, 1.1, (9000, 3))
    answer = points_in_mesh(*mesh, points)
    radius = np.linalg.norm(points, axis=1)
    assert (answer[radius > 1] == -1).all() and (answer[radius < 0.96] == 1).all()
    assert points_in_mesh(*mesh, points[::-1])[::-1].tolist() == answer.tolist()
    assert [points_in_mesh(*mesh, points[k:k + 1])[0] for k in range(20)] == answer[:20].tolist()


@pytest.mark.scenes
def test_very_many_points_in_a_large_mesh():
    """Enough of both that points are put in another order."""
    mesh = ball(100, 60)
    points = np.random.default_rng(4).uniform(-1.1, 1.1, (9000, 3))
    answer = points_in_mesh(*mesh, points)
    radius = np.linalg.norm(points, axis=1)
    assert (answer[radius > 1] == -1).all() and (answer[radius < 0.996] == 1).all()
    assert points_in_mesh(*mesh, points[5::900]).tolist() == answer[5::900].tolist()


def test_points_of_nothing_and_in_nothing():
    assert points_in_mesh(*box(), np.zeros((0, 3))).shape == (0,)
    assert points_in_mesh(*EMPTY, [(0, 0, 0)]).tolist() == [-1]
    assert issubclass(Unsupported, errors.TouchpointError)
    for mesh in ((box()[0], box()[1][1:]), grid(2, 2), (box()[0], box()[1][:1])):
        with pytest.raises(Unsupported, match="not closed"):
            points_in_mesh(*mesh, [(0.5, 0.5, 0.5)])
    for points in ([(np.nan, 0, 0)], [(np.inf, 0, 0)], [(0, 0)], [[(0, 0, 0)]]):
        with pytest.raises(ValueError):
            points_in_mesh(*box(), points)


@pytest.mark.parametrize("name", CLASSES)
def test_segments_are_decided_like_triangles_without_area(name):
    rng = np.random.default_rng(11)
    A, B = CLASSES[name](rng, 60)
    for S, T in ((A[:, :2], B), (B[:, 1:], A), (A[:, [0, 0]], B)):
        hit = segments_hit_triangles(np.ascontiguousarray(S), T)
        assert hit.dtype == bool
        wanted = [shared_part([p, q, q], t).kind > 0 for (p, q), t in zip(S.tolist(), T.tolist())]
        assert hit.tolist() == wanted
        assert segments_hit_triangles(S[:, ::-1], T[:, [2, 0, 1]]).tolist() == wanted


def test_segments_through_a_face_by_a_hair():
    """Ends moved by the spacing of floats to either side of a slanted face, lines by as much past its edge."""
    rng = np.random.default_rng(12)
    T = rng.normal(size=(400, 3, 3))
    weights = rng.dirichlet((1, 1, 1), 400)
    weights[::2, 2] = 0
    place_on = np.einsum("ni,nij->nj", weights / weights.sum(1, keepdims=True), T)
    S = np.stack([place_on * (1 + rng.integers(-2, 3, (400, 1)) * 2.0 ** -52), rng.normal(size=(400, 3))], axis=1)
    S[::4, 0] = 2 * place_on[::4] - S[::4, 1]
    wanted = [shared_part([p, q, q], t).kind > 0 for (p, q), t in zip(S.tolist(), T.tolist())]
    assert segments_hit_triangles(S, T).tolist() == wanted and 50 < sum(wanted) < 350


def test_wrong_segments():
    assert segments_hit_triangles(np.zeros((0, 2, 3)), np.zeros((0, 3, 3))).shape == (0,)
    for S, T in ((np.zeros((2, 2, 3)), np.zeros((1, 3, 3))), (np.zeros((1, 3, 3)), np.zeros((1, 3, 3))),
                 (np.full((1, 2, 3), np.nan), np.zeros((1, 3, 3))), (np.zeros((1, 2, 3)), np.full((1, 3, 3), np.inf))):
        with pytest.raises(ValueError):
            segments_hit_triangles(S, T)
