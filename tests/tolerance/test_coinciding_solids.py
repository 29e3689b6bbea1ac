# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids that coincide, or enclose nothing, have small depths and still do more than touch."""
import numpy as np
import pytest
from naive.shapes import box, halves, joined, moved
from touchpoint.core import Scene, detect
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
