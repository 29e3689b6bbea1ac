# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of the scene's cube: numbers, neighbours, cells of boxes and of diagonals, each against plain counting."""
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from naive.grid import box_meets_cell, diagonal_cells, published_neighbours
from touchpoint.core.broad_phase.cell_register import register_cells
from touchpoint.core.broad_phase.grid_cells import (
    NEIGHBOURS,
    Cube,
    cell_id,
    cells_of_boxes,
    cells_of_diagonals,
    grid_boxes,
    neighbours,
)
from touchpoint.core.records import PlacedObbTrees

UNIT = np.array([[0, 0, 0, 8, 8, 8]], float)


def turned(rng, n):
    return np.linalg.qr(rng.normal(size=(n, 3, 3)))[0]


def boxes_in(cube, centre, axes, half, reach=0.0, bounds=None):
    """World boxes in the cube, each of an object of its own; objects without bounds are in the cube."""
    centre = np.atleast_2d(np.asarray(centre, float))
    n = len(centre)
    poses = np.tile(np.concatenate([np.eye(3).ravel(), np.zeros(3), [1.0, 0.0]]), (n, 1))       # where they are
    axes, half = np.asarray(axes, float).reshape(-1, 9), np.atleast_2d(np.asarray(half, float))
    placed = PlacedObbTrees(poses, np.zeros(n, np.int32), np.concatenate([centre, axes, half], axis=1))
    trees = SimpleNamespace(shift=0, placed_trees=placed)
    if bounds is None:
        bounds = np.tile(cube.origin, (n, 2))
    return grid_boxes(cube, trees, np.arange(n), np.arange(n, dtype=np.int32), reach, bounds)


def cells_by(fill, boxes):
    start = np.empty(len(boxes.first) + 1, np.int64)
    cells = np.empty((boxes.last - boxes.first + 1).prod(axis=1).sum() + 1, np.int64)
    fill(start, cells)
    return [cells[i:j].tolist() for i, j in zip(start, start[1:])]


def exact_cells(cube, boxes):
    return cells_by(lambda *into: cells_of_boxes(boxes, boxes.inside, boxes.first, boxes.last, cube.side,
                                                 np.empty((12, 5)), *into), boxes)


def published_cells(cube, boxes):
    return cells_by(lambda *into: cells_of_diagonals(boxes, boxes.first, boxes.last, cube.side,
                                                     np.empty(NEIGHBOURS, np.int64), *into), boxes)


def near(cell, side):
    found = np.empty(NEIGHBOURS, np.int64)
    return found[:neighbours(cell, side, found)].tolist()


def test_numbers_of_cells():
    """m = 4: cell (1, 2, 3) is 1 + 2·4 + 3·16 = 57."""
    assert cell_id(1, 2, 3, 4) == 57 and cell_id(0, 0, 0, 4) == 0 and cell_id(3, 3, 3, 4) == 63
    cube = Cube.around(UNIT, 2)
    assert (cube.edge, cube.side, cube.cell) == (8.0, 4, 2.0)
    assert exact_cells(cube, boxes_in(cube, (3, 5, 7), np.eye(3), (0.25, 0.25, 0.25))) == [[57]]


def test_the_cube_has_the_longest_extent_of_the_scene():
    cube = Cube.around(np.array([[1, 2, 3, 2, 9, 4], [0, 3, 3, 2, 8, 5]], float), 3)
    assert cube.origin.tolist() == [0, 2, 3] and cube.edge == 7 and cube.cell == 7 / 8


def test_neighbours_by_hand():
    """m = 4. Around 21 = (1, 1, 1) all 27; in the corner 8; cell 3 = (3, 0, 0) has none of the next row."""
    assert near(21, 4) == [a + 4 * b + 16 * c for c in range(3) for b in range(3) for a in range(3)]
    assert near(0, 4) == [0, 1, 4, 5, 16, 17, 20, 21] and len(near(63, 4)) == 8
    assert near(3, 4) == [2, 3, 6, 7, 18, 19, 22, 23]
    assert 4 in published_neighbours(3, 4, by_distance=False)           # 3 + 1: the wrong side of the cube
    assert near(0, 1) == [0] and near(5, 2) == list(range(8))


@pytest.mark.parametrize("side", [1, 2, 4, 8])
def test_neighbours_are_the_published_ones(side):
    """Sums of numbers, without those out of range and those farther away than a diagonal of a cell."""
    for cell in range(side ** 3):
        assert near(cell, side) == sorted(published_neighbours(cell, side))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sizes", [(0.3, 0.3, 0.3), (3, 1, 0.2), (2, 2, 0), (4, 0, 0), (0, 0, 0)])
def test_cells_of_boxes_are_those_that_they_overlap(seed, sizes):
    """No cell is missing that a box overlaps in rational arithmetic, and none is too many but at a hair."""
    rng = np.random.default_rng(seed)
    cube = Cube.around(UNIT, 3)
    n = 6
    centre, axes = rng.uniform(1, 7, (n, 3)), turned(rng, n)
    half = rng.uniform(0.2, 1, (n, 3)) * sizes
    boxes = boxes_in(cube, centre, axes, half)
    for i, found in enumerate(exact_cells(cube, boxes)):
        candidates = list(product(*(range(max(0, int(np.floor(boxes.low[i, x])) - 1),
                                          min(8, int(np.floor(boxes.high[i, x])) + 2)) for x in range(3))))
        corners = {cell_id(*c, 8): box_meets_cell(centre[i], axes[i], half[i], c) for c in candidates}
        hair = {cell_id(*c, 8): box_meets_cell(centre[i], axes[i], half[i] + 1e-11, c) for c in candidates}
        overlapped, grown = ({cell for cell, meets in each.items() if meets} for each in (corners, hair))
        assert overlapped <= set(found) <= grown
        assert len(found) == len(set(found)) > 0


def test_boxes_on_borders_of_cells_are_in_both():
    """Whole numbers: a box that ends at a border touches the cell behind it, which is closed."""
    cube = Cube.around(UNIT, 3)
    found = exact_cells(cube, boxes_in(cube, (2.5, 2.5, 2.5), np.eye(3), (0.5, 0.25, 0.25)))[0]
    assert found == [cell_id(a, 2, 2, 8) for a in (1, 2, 3)]
    rhombus = np.array([(1, 1, 0), (1, -1, 0), (0, 0, 2 ** 0.5)]) / 2 ** 0.5
    found = exact_cells(cube, boxes_in(cube, (4, 4, 4.5), rhombus, (2 ** 0.5, 2 ** 0.5, 0.25)))[0]
    wanted = {(a, b) for a in range(2, 6) for b in range(2, 6)} - {(2, 2), (2, 5), (5, 2), (5, 5)}
    assert {(c % 8, c // 8 % 8) for c in found} >= wanted       # those in the corners meet it in no more than a point


@pytest.mark.parametrize("seed", range(4))
def test_cells_of_diagonals_are_the_published_ones_and_are_overlapped(seed):
    rng = np.random.default_rng(seed)
    cube = Cube.around(UNIT, 3)
    centre, axes, half = rng.uniform(2, 6, (12, 3)), turned(rng, 12), rng.uniform(0.1, 2, (12, 3))
    boxes = boxes_in(cube, centre, axes, half)
    exact = exact_cells(cube, boxes)
    lost = 0
    for i, found in enumerate(published_cells(cube, boxes)):
        assert set(found) == diagonal_cells(centre[i], axes[i], half[i], 8)
        assert len(found) == len(set(found)) and set(found) <= set(exact[i])
        lost += len(exact[i]) - len(found)
    assert lost > 0


def test_diagonals_lose_cells():
    """A flat box 8 × 4 in the plane z = ½, cells of 1: near the middle of its long sides no diagonal passes."""
    cube = Cube.around(UNIT, 3)
    boxes = boxes_in(cube, (4, 4, 0.5), np.eye(3), (3.9, 1.9, 0.1))
    all_cells = {cell_id(a, b, 0, 8) for a in range(8) for b in range(2, 6)}
    assert set(exact_cells(cube, boxes)[0]) == all_cells
    found = set(published_cells(cube, boxes)[0])
    assert cell_id(3, 2, 0, 8) not in found and cell_id(4, 5, 0, 8) not in found and found < all_cells


def test_boxes_outside_the_cube_are_in_cells_of_its_border():
    cube = Cube.around(UNIT, 3)
    bounds = np.array([[-6, 4, 99, -4, 5, 101], [19, -21, 4, 21, -19, 5]], float)
    boxes = boxes_in(cube, [(-5, 4.5, 100), (20, -20, 4.5)], [np.eye(3)] * 2, [(0.25,) * 3] * 2, bounds=bounds)
    assert exact_cells(cube, boxes) == [[cell_id(0, 4, 7, 8)], [cell_id(7, 0, 4, 8)]]
    bounds = np.array([[0, 0, 0, 8, 8, 8], [0, 0, -1e-300, 1, 1, 1], [0, 0, 0, 8.001, 1, 1]])
    boxes = boxes_in(cube, np.ones((3, 3)), [np.eye(3)] * 3, np.ones((3, 3)), bounds=bounds)
    assert boxes.inside.tolist() == [1, 0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_boxes_with_a_common_point_have_a_common_cell(seed):
    """In the cube, outside it and half outside, at any depth, scale and place."""
    rng = np.random.default_rng([7, seed])
    n = 60
    scale, offset = 10.0 ** rng.uniform(-6, 6), rng.normal(size=3) * 10.0 ** rng.uniform(-3, 5)
    point = rng.uniform(-4, 12, (n, 3))
    sets = []
    cube = Cube.around((UNIT.reshape(2, 3) * scale + offset).reshape(1, 6), int(rng.integers(0, 6)))
    for _ in range(2):
        axes, half = turned(rng, n), rng.uniform(0, 1.5, (n, 3)) * rng.integers(0, 2, (n, 3))
        centre = point + np.einsum("nj,njx->nx", half * rng.uniform(-0.999, 0.999, (n, 3)), axes)
        reach = (np.abs(axes) * half[:, :, None]).sum(1) + 1e-9
        bounds = np.concatenate([centre - reach, centre + reach], axis=1) * scale + np.tile(offset, 2)
        noise = 1e-9 * scale + 1e-15 * np.abs(offset).max()
        boxes = boxes_in(cube, centre * scale + offset, axes, half * scale, noise, bounds)
        sets.append(exact_cells(cube, boxes))
    for one, other in zip(*sets):
        assert set(one) & set(other)


@pytest.mark.parametrize("half", [0.0, 1e-320, 1.7e308])
def test_a_cube_whose_size_cannot_be_computed_with_has_one_cell(half):
    cube = Cube.around(np.array([[-half] * 3 + [half] * 3]), 5)
    boxes = boxes_in(cube, [(0, 0, 0), (-half,) * 3], [np.eye(3)] * 2, np.zeros((2, 3)))
    assert exact_cells(cube, boxes) == [[0], [0]] and cube.scale == 0.0


def test_a_box_that_reaches_to_infinity_is_in_every_cell():
    cube = Cube.around(UNIT, 1)
    boxes = boxes_in(cube, [(1, 1, 1), (1, 1, 1)], [np.eye(3)] * 2, [(1, 1, 1), (0, 0, 0)], np.inf)
    assert exact_cells(cube, boxes) == [list(range(8))] * 2


def test_a_register_lists_items_by_cell():
    """Three items along x in a row of four cells: 0 in cells 0 and 1, 1 in cell 1, 2 in cells 1, 2 and 3."""
    first, last = np.zeros((3, 3), np.int64), np.zeros((3, 3), np.int64)
    first[:, 0], last[:, 0] = (0, 1, 1), (1, 1, 3)

    boxes = boxes_in(Cube.around(UNIT, 2), first + 0.5, [np.eye(3)] * 3, np.zeros((3, 3)))

    def fill(first, last, start, cells):
        return cells_of_boxes(boxes, np.zeros(3, np.uint8), first, last, 4, np.empty((12, 5)), start, cells)

    register = register_cells(first, last, 4, fill)
    assert register.start.tolist() == [0, 2, 3, 6] and register.cells.tolist() == [0, 1, 2, 3]
    assert register.group.tolist() == [0, 1, 1, 1, 2, 3]
    assert register.group_start.tolist() == [0, 1, 4, 5, 6] and register.members.tolist() == [0, 0, 1, 2, 2, 2]
    assert len(register.everywhere) == 0


def test_rational_oracle_knows_a_corner_on_a_corner():
    """The oracle itself: a unit box with a corner at (1, 1, 1) meets cell (0, 0, 0) there, and not a hair away."""
    assert box_meets_cell(np.full(3, 1.5), np.eye(3), np.full(3, 0.5), (0, 0, 0))
    assert not box_meets_cell(np.full(3, 1.5 + 2 ** -50), np.eye(3), np.full(3, 0.5), (0, 0, 0))


def test_the_steady_cube_by_hand():
    """From 0 to 11: steps of 1, from a third of one beside whole numbers on. It holds the scene's own cube and is at
    most a quarter longer; small moves leave it where it is; flat, huge and far away scenes have the published one."""
    bounds = np.array([[0.0, 0, 0, 11, 2, 3]])
    cube = Cube.steady(bounds, 2)
    assert np.allclose(cube.origin, -0.62) and cube.edge == 12.0 and cube.depth == 2
    for move in (0.3, -0.3):
        other = Cube.steady(bounds + move, 2)
        assert np.array_equal(other.origin, cube.origin) and other.edge == cube.edge
    rng = np.random.default_rng(2)
    for size in (1e-200, 1e-3, 7.0, 1e200):
        for low in rng.uniform(-9, 9, (50, 3)) * size:
            bounds = np.concatenate([low, low + rng.uniform(0, 1, 3) * size])[None]
            tight, cube = Cube.around(bounds), Cube.steady(bounds)
            assert (cube.origin <= low).all() and (bounds[0, 3:] <= cube.origin + cube.edge).all()
            assert tight.edge <= cube.edge <= 1.25 * tight.edge
    for low, high in ((1.0, 1.0), (1e300, 1e300 + 1e285), (-1.7e308, 1.7e308)):
        bounds = np.array([[low] * 3 + [high] * 3])
        with np.errstate(over="ignore"):
            assert np.array_equal(Cube.steady(bounds).origin, Cube.around(bounds).origin)
