# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids that coincide, or enclose nothing, have small depths and still do more than touch."""
import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import box, halves, joined, moved
from touchpoint.core import Scene, detect
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.tolerance import AUTOMATIC

pytestmark = pytest.mark.scenes


def verdict_of(a, b, tolerance):
    scene = Scene()
    for mesh in (a, b):
        scene.add_object(scene.add_mesh(*mesh))
    return detect(scene, tolerance=tolerance).verdict(0)


def divided_box(count):
    """The unit box, each side of it in count × count squares; the first triangles are those in its corners."""
    number: dict = {}
    quads = [[number.setdefault(tuple(np.roll((end, i + di, j + dj), axis)), len(number))
              for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))[::1 if end else -1]]
             for i in range(count) for j in range(count) for axis in range(3) for end in (0, count)]
    return np.array(list(number), float) / count, halves(quads)


def both_sides(mesh):
    """Each triangle once for either side: closed by its edges, with nothing inside."""
    return mesh[0], np.concatenate([mesh[1], mesh[1][:, ::-1]])


@pytest.mark.parametrize("tolerance", [0.03, 0.1, 0.4])
@pytest.mark.parametrize("offset", [(0, 0, 0), (0.01, 0.02, 0.003)])
def test_solids_whose_largest_triangles_lie_along_an_edge(tolerance, offset):
    """Chords from there are nowhere deep below the nearest side."""
    mesh = divided_box(16)
    assert verdict_of(mesh, moved(mesh, offset), tolerance) != "touching"


@pytest.mark.parametrize("tolerance", [AUTOMATIC, 1e-6, 0.01, 0.2])
def test_solids_with_faces_inside(tolerance):
    """The middles of the chords of either box lie on a face of the other one, where the mesh has no depth."""
    mesh = joined(box(), box((0.5, 0, 0), (1.5, 1, 1)))
    assert verdict_of(mesh, mesh, tolerance) == "overlap"


@pytest.mark.parametrize("tolerance", [AUTOMATIC, 1e-6, 0.01, 0.05])
def test_hollow_solids(tolerance):
    """Chords from the outside to the other outside have their middles in the hollow."""
    vertices, faces = box((0.2, 0.2, 0.2), (0.8, 0.8, 0.8))
    mesh = joined(box(), (vertices, faces[:, ::-1]))
    assert verdict_of(mesh, mesh, tolerance) == "overlap"
    assert verdict_of(mesh, moved(mesh, (1e-7, 2e-7, 0)), tolerance) != "touching" or tolerance == AUTOMATIC


def test_plates_that_share_most_of_their_volume():
    """No surface is deep in the other plate; the middle of the one is not deep in the other, but inside it."""
    plate = box((0, 0, 0), (1, 1, 0.03))
    assert verdict_of(plate, moved(plate, (0, 0, 0.009)), 0.01) == "overlap"
    assert verdict_of(plate, moved(plate, (0, 0, 0.029)), 0.01) == "touching"


@pytest.mark.parametrize("turned", [False, True])
def test_rooms_whose_faces_are_there_for_either_side(turned):
    """Nothing is inside, so nothing is deep; yet each goes half through the other."""
    rng = np.random.default_rng(1)
    a, b = both_sides(box()), both_sides(moved(box(), (0.5, 0.4, 0.3)))
    if turned:
        vertices, faces = a
        a = vertices, np.roll(faces, 1, axis=1)[rng.permutation(len(faces))]
    assert verdict_of(a, b, 0.01) == "crossing"
    split = joined((a[0], a[1][:len(a[1]) // 2]), (a[0], a[1][len(a[1]) // 2:]))
    assert verdict_of(split, b, 0.01) == "crossing"
    rod = box((0.4, 0.4, -1), (0.405, 0.405, 2))
    assert verdict_of(a, rod, 0.01) == "crossing"


@pytest.mark.parametrize("tolerance", [AUTOMATIC, 1e-6, 0.01])
@pytest.mark.parametrize("thickness", [0.0, 1e-9])
def test_flattened_solids_that_pass_through_each_other(tolerance, thickness):
    """Both are closed, and nothing is deep in either: there is no room in them."""
    upright = np.array(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)))
    vertices, faces = box((0, 0, 0), (1, 1, thickness))
    assert verdict_of((vertices, faces), (vertices @ upright.T + (0.5, 0.3, 0.5), faces), tolerance) == "crossing"
    scene, flat = Scene(), pose((1.0, 1.0, thickness))
    scene.add_object(scene.add_mesh(*box()), flat, name="A")
    scene.add_object(scene.add_mesh(*box()), pose(upright, (0.5, 0.3, 0.5)) @ flat, name="B")
    assert detect(scene, tolerance=tolerance).verdict(0) == "crossing"
    allowed = Rule("pairs", pairs=((Ref("A"), Ref("B")),), allowed_depth=0.01)
    assert len(detect(scene, tolerance=tolerance, rules=RuleSet([allowed])).pairs) == 1


def test_a_flattened_solid_on_a_thick_one_touches():
    """The thick one tells how deep they are. They are turned in their coordinates, so that no move is tried that frees
    them."""
    turn = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0].T
    sheet = box((0.2, 0.2, 1.0), (0.8, 0.8, 1.0 + 1e-9))
    thick, flat = ((vertices @ turn, faces) for vertices, faces in (box(), sheet))
    for deep, verdict in ((0.0, "touching"), (1e-7, "touching"), (1e-3, "contained")):
        assert verdict_of(thick, moved(flat, -deep * turn[2]), AUTOMATIC) == verdict
