# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that have triangles in common: objects that are there twice, changed, cut up, or filled."""
from functools import partial

import numpy as np
import pytest
from naive.answers import verdicts_of
from naive.self_meshes import shuffled
from naive.shapes import ball, box, cubes, fan, grid, joined
from touchpoint.core import Scene, detect
from touchpoint.core.verdicts import common_triangles as module
from touchpoint.core.verdicts import coplanar_overlap

TURN = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
TURN = TURN * np.sign(np.linalg.det(TURN))


def have_same_corners(*pairs):
    one, other = (np.array(each, float) for each in zip(*pairs))
    answer = np.zeros(len(one), bool)
    module.have_same_corners(one, other, np.empty((6, 3)), answer)
    return answer.tolist()


TRIANGLE = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0.25)])


@pytest.mark.parametrize("size", [1e-130, 1e-20, 1.0, 1e20, 1e130])
def test_the_same_corners_in_any_order(size):
    one = size * TRIANGLE
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (0, 2, 1), (1, 0, 2)):
        assert have_same_corners((one, one[list(order)])) == [True]
    moved = one.copy()
    moved[2, 2] = np.nextafter(moved[2, 2], 2 * size)
    assert have_same_corners((one, moved), (moved, one), (one, one[[0, 1, 1]]), (one[[0, 1, 1]], one)) == [False] * 4


@pytest.mark.parametrize("flat", [
    [(0, 0, 0), (1, 1, 1), (2, 2, 2)], [(0, 0, 0), (1, 0, 0), (0, 0, 0)], [(3, 3, 3)] * 3,
    [(0, 0, 0), (0.1, 0.2, 0.3), (0.2, 0.4, 0.6)], [(0, 0, 0), (1e-200, 0, 0), (0, 1e-200, 0)],
    [(0, 0, 0), (1e200, 0, 0), (0, 1e200, 0)]], ids=str)
def test_without_certain_area(flat):
    """Whoever says "common" says that it has area: else a sample has to say that it has none."""
    assert have_same_corners((flat, flat)) == [False]


def dented(mesh, rng):
    V, F = mesh
    V = V.copy()
    V[rng.integers(len(V))] *= rng.choice([0.5, 0.75, 1.25])
    return V, F


def with_a_hole(mesh, rng):
    V, F = mesh
    return V, np.delete(F, rng.integers(len(F)), axis=0)


def with_a_part(mesh, rng, offset=4.0):
    low = rng.integers(-1, 2, 3) * 0.5
    return joined(mesh, box(low + (offset, 0, 0), low + (offset + 0.5, 0.5, 0.5)))


def with_a_turned_triangle(mesh, rng):
    V, F = mesh
    F = F.copy()
    some = rng.integers(len(F))
    F[some] = F[some, ::-1]
    return V, F


def with_a_flat_triangle(mesh, rng):
    """One of its edges is cut at the middle, and closed with a triangle without area."""
    V, F = mesh
    i, j, k = F[0]
    V = np.concatenate([V, [0.5 * (V[i] + V[j])]])
    m = len(V) - 1
    return V, np.concatenate([[(i, m, k), (m, j, k), (i, j, m)], F[1:]]).astype(np.int32)


CORNER = cubes(np.array([[[1], [0]], [[1], [1]]], bool))
CHANGES = {"as it is": lambda mesh, rng: mesh, "dented": dented, "with a hole": with_a_hole, "with a part": with_a_part,
           "with a part inside": partial(with_a_part, offset=-0.25), "one turned": with_a_turned_triangle,
           "inside out": lambda mesh, rng: (mesh[0], mesh[1][:, ::-1]), "one is flat": with_a_flat_triangle}
TURNS = {"as they are": np.eye(3), "turned": TURN}


@pytest.mark.scenes
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("change", CHANGES)
def test_changed_copies(change, turn):
    rng, found = np.random.default_rng(1), []
    for mesh in (box((-1, -1, -1), (1, 1, 1)), ball(6, 4), CORNER):
        one, other = mesh, CHANGES[change](mesh, rng)
        for first, second in ((one, other), (other, one), (with_a_flat_triangle(one, rng), other)):
            meshes = [(V @ TURNS[turn].T, F) for V, F in (first, shuffled(rng, second)[0])]
            found.append(verdicts_of(*meshes))
            assert found[-1] == verdicts_of(*meshes, method="exact")
    assert len(found) == 9


@pytest.mark.scenes
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("seed", range(20))
def test_bodies_of_cubes(seed, turn):
    """Blocks that were cut from one, that fill each other's notches, and that have parts in common: their surfaces
    share squares, on one side or on both."""
    rng = np.random.default_rng(seed)
    cells = rng.random((3, 3, 2)) < 0.8
    part = cells & (rng.random(cells.shape) < 0.5)
    part[0, 0, 0] = cells[2, 2, 1] = True
    meshes = [(V @ TURNS[turn].T, F) for V, F in (cubes(cells), cubes(part), cubes(cells & ~part))]
    assert verdicts_of(*meshes) == verdicts_of(*meshes, method="exact")


def scene_of(*meshes) -> Scene:
    scene = Scene()
    for V, F in meshes:
        scene.add_object(scene.add_mesh(V, F))
    return scene


def counting(asked: dict, name: str, real):
    def count(samples, *args):
        asked[name] += len(samples)
        real(samples, *args)

    return count


def test_common_triangles_are_hardly_sampled(monkeypatch):
    """A solid that is there twice, numbered otherwise, and cut flush at some place: samples are taken at the cut."""
    asked = {"locate_corners": 0, "share_a_side": 0}
    for name in asked:
        monkeypatch.setattr(coplanar_overlap, name, counting(asked, name, getattr(coplanar_overlap, name)))
    mesh = ball(48, 24)
    report = detect(scene_of(mesh, shuffled(np.random.default_rng(0), mesh)[0]))
    assert report.verdict(0) == "overlap" and report.pairs["copy"].all()
    assert asked["locate_corners"] == 0 and asked["share_a_side"] <= 2 * coplanar_overlap.FEW_CONTACTS
    V, F = mesh
    top = np.flatnonzero(V[:, 2] == V[:, 2].max())
    dent = V.copy()
    dent[top] *= 0.9
    report = detect(scene_of(mesh, (dent, F)))
    assert report.verdict(0) == "contained"
    assert 0 < asked["locate_corners"] < len(F) // 2


@pytest.mark.parametrize("most", [7, 1 << 16])
def test_contacts_in_pieces(most, monkeypatch):
    """Where a triangle is met in several pieces, it is known to be common in those that have both."""
    monkeypatch.setattr(coplanar_overlap, "SAMPLED_CONTACTS", most)
    mesh = ball(8, 5)
    other = shuffled(np.random.default_rng(3), mesh)[0]
    for meshes in ((mesh, other), (mesh, dented(other, np.random.default_rng(4)))):
        assert verdicts_of(*meshes) == verdicts_of(*meshes, method="exact")


@pytest.mark.parametrize("tolerance", [0.0, "auto"])
def test_copies_are_not_deep(tolerance):
    """All of the one surface is on the other: the depth is 0, and no search has to say so."""
    mesh = ball(16, 9)
    other = shuffled(np.random.default_rng(2), mesh)[0]
    scene = scene_of(mesh, other, (0.5 * mesh[0], mesh[1]))
    scene.add_object(1)                                                         # a twin
    scene.add_object(2, np.diag([2.0, 2.0, 2.0, 1.0]))                          # the place is in the pose
    report = detect(scene, depth=True, tolerance=tolerance)
    copies = report.pairs["copy"]
    assert copies.sum() == 6 and report.summary()["overlap"] == 6
    assert not report.pairs["depth"][copies].any() and not report.pairs["depth_upper"][copies].any()
    assert np.isnan(report.pairs["depth_points"][copies]).all()
    assert (report.pairs["depth"][~copies] > 0.1).all()


def test_copies_without_an_inside_have_no_depth():
    across = grid(5, 5), grid(5, 5, (1.5, 2.25, -1.5), u=(0, 0, 1), v=(1, 0, 0))
    report = detect(scene_of(joined(*across), joined(*across[::-1])), depth=True)
    assert report.verdict(0) == "crossing" and report.pairs["copy"].all() and np.isnan(report.pairs["depth"]).all()


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("one", "other", "verdict"), [
    ((0, 180), (0, 90, 180, 270), "crossing"), ((0, 180), (0, 90, 180), "touching"),
    ((0, 90, 180, 270), (0, 90, 180, 270), "touching"), ((0, 120, 240), (0, 120, 240, 60), "touching"),
    ((0, 120, 240), (0, 120, 240, 60, 180), "crossing")])
def test_wings_that_both_have(one, other, verdict, turn):
    """Around an edge, wings of the one lie within different regions of the other only where both do not have them."""
    meshes = [(V @ TURNS[turn].T, F) for V, F in (fan(each) for each in (one, other))]
    assert verdicts_of(*meshes) == verdicts_of(*meshes, method="exact")
    assert verdicts_of(*meshes) == verdicts_of(*meshes[::-1]) == {(0, 1): (verdict, None)}
