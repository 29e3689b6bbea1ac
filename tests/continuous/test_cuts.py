# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles a mesh has between two moments at which its faces are cut otherwise."""
import numpy as np
import pytest
from touchpoint.core import Scene
from touchpoint.core.continuous.contacts_between import contacts_between
from touchpoint.core.continuous.cuts import cut_alike
from touchpoint.core.continuous.instant import Instant

SQUARE = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0.0]])
ONE, OTHER = [[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]]


def with_corner(number, place):
    vertices = SQUARE.copy()
    vertices[number] = place
    return vertices


DENTED_3 = with_corner(3, (0.5, -0.5, 0))       # only OTHER does not fold,
DENTED_2 = with_corner(2, (-0.5, -0.5, 0))      # and here only ONE
BENT = with_corner(3, (-1, 1, 0.3))


def cut(first, before, last, after, faces=(0, 0), later_faces=None):
    """The triangles that a mesh has at both ends of an interval, or None where they are others at the end."""
    ends = []
    for vertices, triangles, of in ((first, before, faces), (last, after, later_faces or faces)):
        scene = Scene()
        scene.add_object(scene.add_mesh(vertices, triangles, of))
        ends.append(Instant.of(scene))
    start, end = cut_alike(*ends)
    if start is ends[0]:
        assert end is ends[1]
        return None
    assert start.triangles[0] is end.triangles[0]
    assert contacts_between(*ends).lost.tolist() == [False] and len(start.faces) == 1
    return start.triangles[0].tolist()


@pytest.mark.parametrize("first, before, last, after, expected", [
    (SQUARE, ONE, BENT, OTHER, OTHER), (BENT, OTHER, SQUARE, ONE, ONE), (1.5 * BENT, ONE, BENT, OTHER, OTHER),
    (SQUARE, ONE, DENTED_3, OTHER, OTHER), (DENTED_3, OTHER, SQUARE, ONE, OTHER),
    (SQUARE, OTHER, DENTED_2, ONE, ONE), (DENTED_2, ONE, SQUARE, OTHER, ONE),
    (DENTED_3, OTHER, DENTED_2, ONE, ONE), (DENTED_2, ONE, DENTED_3, OTHER, OTHER),     # both fold at the other end
], ids=range(9))
def test_the_later_cut_unless_it_folds(first, before, last, after, expected):
    assert cut(first, before, last, after) == expected


def test_each_face_has_the_cut_that_does_not_fold():
    """One face becomes concave, another one ceases to be, a third one stays as it is."""
    first, last = (np.concatenate([*places, SQUARE + (8, 0, 0)]) for places in (
        (SQUARE, DENTED_3 + (4, 0, 0)), (DENTED_3, SQUARE + (4, 0, 0))))
    before, after = (np.concatenate([each + np.array(4 * number) for number, each in enumerate(cuts)]) for cuts in (
        (np.array(ONE), np.array(OTHER), np.array(ONE)), (np.array(OTHER), np.array(ONE), np.array(ONE))))
    expected = np.concatenate([np.array(OTHER), np.array(OTHER) + 4, np.array(ONE) + 8])
    for faces in ((0, 0, 1, 1, 2, 2), (7, 7, 3, 3, 9, 9)):
        assert cut(first, before, last, after, faces) == expected.tolist()


@pytest.mark.parametrize("before, after, faces, later_faces", [
    (ONE, [[0, 1, 3], [1, 3, 2]], (0, 0), None),            # a triangle is turned over
    (ONE, [[0, 2, 1], [0, 3, 2]], (0, 0), None),            # the face is
    (ONE, [[0, 1, 2], [0, 1, 3]], (0, 0), None),            # other borders
    (ONE, OTHER, (0, 1), None),                             # two triangles are no quad
    (ONE, OTHER, (0, 0), (0, 1)),
    (ONE, OTHER[:1], (0, 0), (0,)),
    (ONE, OTHER, None, None), (ONE, OTHER, (0, 0), None), (ONE, ONE, (0, 0), None),
], ids=range(9))
def test_other_faces_are_other_triangles(before, after, faces, later_faces):
    """So are meshes of which nobody knows the faces, and those that rest; the same triangles stay as they are."""
    rests = faces == (0, 0) and after is OTHER and later_faces is None
    assert cut(SQUARE, before, SQUARE if rests else BENT, after, faces, later_faces) is None


def test_another_number_of_vertices():
    assert cut(SQUARE, ONE, np.concatenate([BENT, [(0, 0, 5)]]), OTHER) is None


def any_cut(rng, corners):
    """A polygon cut at random: an ear at a time."""
    left, triangles = list(corners), []
    while len(left) > 2:
        k = int(rng.integers(len(left)))
        triangles.append([left[k - 1], left[k], left[(k + 1) % len(left)]])
        del left[k]
    return [triangles[k] for k in rng.permutation(len(triangles))]


@pytest.mark.parametrize("seed", range(20))
def test_any_cuts_of_the_same_polygons(seed):
    """They are known as such; and not where one polygon has its corners in another order."""
    rng = np.random.default_rng(seed)
    loops, faces = np.split(rng.permutation(30), [4, 9, 12, 19]), []
    for number, loop in enumerate(loops):
        faces += [number] * (len(loop) - 2)
    before, after = ([each for loop in loops for each in any_cut(rng, loop)] for _ in range(2))
    first, last = rng.uniform(-1, 1, (2, 30, 3))
    triangles = cut(first, before, last, after, faces)
    assert all(row in (one, other) for row, one, other in zip(triangles, before, after))
    loops[3][[1, 2]] = loops[3][[2, 1]]
    assert cut(first, before, last, [each for loop in loops for each in any_cut(rng, loop)], faces) is None


@pytest.mark.parametrize("faces", [(0,), (0, 0, 0), (0.5, 0.5), (-1, 0), (2 ** 31, 0), ((0,), (0,)), ("a", "b")])
def test_faces_that_are_none(faces):
    with pytest.raises(ValueError, match="faces|numbers"):
        Scene().add_mesh(SQUARE, ONE, faces)


def test_overflowing_faces_are_no_error():
    first, last = SQUARE * 1e200, BENT * 1e300
    start = [Scene(), Scene()]
    for scene, vertices, triangles in zip(start, (first, last), (ONE, OTHER)):
        scene.add_object(scene.add_mesh(vertices, triangles, (0, 0)))
    assert contacts_between(*(Instant.of(scene) for scene in start)).lost.tolist() == [True]
