# SPDX-License-Identifier: GPL-3.0-or-later
"""The fifteen axes: never wrongly apart by the exact test of boxes, needlessly met only where boxes all but touch."""
import numpy as np
import pytest
from naive.box_pairs import CLASSES, draw, surely
from touchpoint.core.mid_phase.obb_overlap import boxes_meet, separating_axes
from touchpoint.core.queries import boxes_overlap

ORTHONORMAL = [name for name in CLASSES if name != "single precision"]


def as_rows(c1, R1, h1, c2, R2, h2):
    """The same boxes with their axes as rows."""
    return c1, np.swapaxes(R1, 1, 2), h1, c2, np.swapaxes(R2, 1, 2), h2


@pytest.mark.parametrize("name", ORTHONORMAL)
def test_against_the_exact_test(name):
    boxes = draw(name, 400, 11)
    exact, meet = boxes_overlap(*boxes), boxes_meet(*as_rows(*boxes))
    assert not (exact & ~meet).any(), "wrongly apart"
    assert not (meet & (surely(*boxes) < 0)).any(), "needlessly met, though clearly apart"
    assert np.array_equal(meet, boxes_meet(*as_rows(*boxes[3:], *boxes[:3])))


@pytest.mark.parametrize("gap, apart", [(1e-3, True), (1e-9, True), (1e-12, True), (1e-15, False), (-1e-9, False)])
def test_what_is_apart_by_little(gap, apart):
    """Two unit cubes face to face: an ordinary gap is seen, one of the size of rounding is not believed."""
    c = np.zeros((1, 3)), np.array([[2.0 + gap, 0.3, -0.2]])
    axes, half = np.eye(3)[None], np.ones((1, 3))
    assert boxes_meet(c[0], axes, half, c[1], axes, half).tolist() == [not apart]


def test_each_axis_can_be_the_one_that_separates():
    """Boxes moved apart along one of the fifteen axes: over many, every axis is the first to separate some."""
    boxes = draw("apart or into by 0.001", 3000, 12)
    assert set(separating_axes(*as_rows(*boxes)).tolist()) == set(range(16))


def test_the_first_axis_by_hand():
    """Apart along a's second side; along b's first, which is turned away from all of a's; the same the other way."""
    eye, half = np.eye(3)[None], np.ones((1, 3))
    zero = np.zeros((1, 3))
    assert separating_axes(zero, eye, half, np.array([[0, 2.5, 0.0]]), eye, half).tolist() == [2]
    r = np.sqrt(0.5)
    turned = np.array([[[r, r, 0], [-r, r, 0], [0, 0, 1]]])
    assert separating_axes(zero, eye, half, np.array([[1.8, 1.8, 0.0]]), turned, half).tolist() == [4]
    assert separating_axes(zero, turned, half, np.array([[1.8, 1.8, 0.0]]), eye, half).tolist() == [1]


def test_parallel_edges_separate_nothing_by_themselves():
    """Turned alike or nearly so, and overlapping: the axes across parallel edges are all noise."""
    rng = np.random.default_rng(13)
    n = 2000
    turn = np.linalg.qr(rng.normal(size=(n, 3, 3)))[0]
    other = np.linalg.qr(turn + rng.normal(size=(n, 3, 3)) * 10.0 ** rng.uniform(-17, -12, (n, 1, 1)))[0]
    half = rng.uniform(0.1, 1, (n, 3)) * 10.0 ** rng.uniform(-9, 0, (n, 3))
    inside = np.einsum("ni,nij->nj", half * rng.uniform(-1.9, 1.9, (n, 3)), turn)
    centre = rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-3, 6, (n, 1))
    assert boxes_meet(centre, turn, half, centre + 0.9 * inside, other, half + 1e-11).all()


def test_numbers_that_overflow_never_separate():
    axes, half = np.eye(3)[None], np.full((1, 3), 1e308)
    assert boxes_meet(np.full((1, 3), 1e308), axes, half, np.full((1, 3), -1e308), axes, half).all()
    assert boxes_meet(np.zeros((1, 3)), axes, np.full((1, 3), np.inf), np.full((1, 3), 9.0), axes, half).all()
