# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls of points, and surfaces in convex pieces."""
import numpy as np
import pytest
from naive.shapes import ball, box
from touchpoint.core.image_space.hulls import pieces as pieces_of_meshes
from touchpoint.core.image_space.hulls.hull import convex_hull, planes_of
from touchpoint.core.image_space.hulls.pieces import convex_pieces, whole_hull


def is_closed(faces):
    edges = faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2).tolist()
    return len(edges) == len(set(map(tuple, edges))) and {(q, p) for p, q in edges} == set(map(tuple, edges))


@pytest.mark.parametrize("seed", range(6))
def test_a_hull_holds_its_points(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(4, 40)), 3)) * rng.uniform(0.1, 3.0, 3) + 10.0
    faces = convex_hull(points)
    planes = planes_of(points, faces)
    assert (points @ planes[:, :3].T - planes[:, 3] < 1e-8).all()
    assert is_closed(faces) and len(faces) == 2 * len(np.unique(faces)) - 4


def test_hulls_of_lattices_have_no_needless_corners():
    grid = np.array(np.meshgrid(*[np.arange(4.0)] * 3)).reshape(3, -1).T
    faces = convex_hull(grid)
    a, b, c = (grid[faces[:, i]] for i in range(3))
    assert np.sqrt((np.cross(b - a, c - a) ** 2).sum(axis=1)).sum() / 2 == pytest.approx(54.0)
    assert is_closed(faces)


def test_flat_and_thin_hulls():
    square = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1], [0.5, 0.5, 1], [0.5, 0, 1]], np.float64)
    faces = convex_hull(square)
    assert len(faces) == 4 and set(faces.ravel().tolist()) == {0, 1, 2, 3}
    assert len(convex_hull(np.outer(np.arange(5.0), [1, 2, 3]))) == 0
    assert len(convex_hull(np.ones((3, 3)))) == len(convex_hull(np.zeros((0, 3)))) == 0


def check(vertices, triangles, pieces):
    """Each piece is convex, and every triangle lies in one of them."""
    held = np.zeros(len(triangles), bool)
    for k in range(len(pieces.vertex_start) - 1):
        points = vertices[pieces.vertices[pieces.vertex_start[k]:pieces.vertex_start[k + 1]]]
        faces = pieces.triangles[pieces.triangle_start[k]:pieces.triangle_start[k + 1]]
        planes = planes_of(points, faces)
        assert (points @ planes[:, :3].T - planes[:, 3] < 1e-5).all()
        held |= (vertices[triangles] @ planes[:, :3].T - planes[:, 3] < 1e-5).all(axis=(1, 2))
    assert held.all()
    leaves = pieces.children[pieces.children[:, 1] < 0, 0]
    assert sorted(leaves.tolist()) == list(range(len(pieces.vertex_start) - 1))


def test_a_convex_mesh_is_one_piece():
    for mesh in (box(), ball(6, 8)):
        pieces = convex_pieces(*mesh)
        check(*mesh, pieces)
        assert len(pieces.spans) == 1


def torus(around, across):
    u, v = np.meshgrid(*(np.arange(n) * 2 * np.pi / n for n in (around, across)), indexing="ij")
    out = 1.0 + 0.4 * np.cos(v)
    vertices = np.stack([out * np.cos(u), out * np.sin(u), 0.4 * np.sin(v)], axis=-1).reshape(-1, 3)
    number = np.arange(around * across).reshape(around, across)
    a, b = number, np.roll(number, -1, axis=0)
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    return vertices, np.stack([[a, b, c], [a, c, d]]).transpose(2, 3, 0, 1).reshape(-1, 3).astype(np.int32)


def l_prism():
    """Closed, with a notch."""
    outline = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], np.float64)
    vertices = np.concatenate([np.column_stack([outline, np.full(6, z)]) for z in (0.0, 1.0)])
    bottom = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    sides = [[(i, j, j + 6), (i, j + 6, i + 6)] for i, j in zip(range(6), [1, 2, 3, 4, 5, 0])]
    return vertices, np.concatenate([bottom[:, ::-1], bottom + 6, np.reshape(sides, (-1, 3))]).astype(np.int32)


@pytest.mark.parametrize("mesh", [l_prism(), torus(8, 6)], ids=["notch", "torus"])
def test_pieces_of_what_is_not_convex(mesh):
    pieces = convex_pieces(*mesh)
    check(*mesh, pieces)
    assert 1 < len(pieces.spans) < 2 * len(mesh[1])


def test_no_piece_reaches_into_a_notch():
    vertices, triangles = l_prism()
    pieces = convex_pieces(vertices, triangles)
    for k in range(len(pieces.vertex_start) - 1):
        points = vertices[pieces.vertices[pieces.vertex_start[k]:pieces.vertex_start[k + 1]]]
        faces = pieces.triangles[pieces.triangle_start[k]:pieces.triangle_start[k + 1]]
        planes = planes_of(points, faces)
        in_notch = np.array([[1.2, 1.2, 0.5], [1.1, 1.1, 1.0 - 1e-3], [1.1, 1.1, 1.0]])
        assert not (in_notch @ planes[:, :3].T - planes[:, 3] < 0.0).all(axis=1).any()
        top = np.abs(points[:, 2] - 1.0).max() == 0.0
        assert not (top and (points[:, :2].max(axis=0) == 2.0).all())       # the flat L is not one piece


def test_open_and_odd_meshes():
    """A single triangle, a fan over one edge, triangles without area."""
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, -1, -1]], np.float64)
    fan = np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4], [2, 2, 3]], np.int32)
    assert len(convex_pieces(points, fan[:1]).spans) == 1
    assert len(convex_pieces(points, fan).vertex_start) - 1 == 3
    assert len(convex_pieces(points, fan[3:]).spans) == len(whole_hull(points, fan[3:]).spans) == 0


def test_whole_hulls_of_many_corners(monkeypatch):
    monkeypatch.setattr(pieces_of_meshes, "MOST_HULL_CORNERS", 64)
    vertices, triangles = ball(16, 16)
    hull = whole_hull(vertices, triangles)
    assert len(hull.vertices) <= 64 and len(hull.spans) == 1 and is_closed(hull.triangles)
