# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel that divides a triangle into cells against numpy (naive/triangle_cells.py)."""
import numpy as np
import pytest
from naive import triangle_cells as naive
from touchpoint.core.depth.triangle_cells import (
    CELLS_IN_DOUBT,
    DIVIDED,
    NO_ROOM,
    divide,
    holds,
    middle_of,
    put_left_corners,
    put_right_corners,
    slack_of,
)
from touchpoint.core.depth.triangle_strips import CELLS, CRACKS, TRAPEZOIDS, cell_scratch

ERROR = 1e-11


def shared_with(rng, triangle, count):
    """(n,2,3): chords of a triangle, closed polygons in it, points, and one that goes on where another ends."""
    def inside(n, share=1.0):
        weights = rng.dirichlet((1.0, 1.0, 1.0), n)
        return (share * weights + (1.0 - share) * rng.dirichlet((1.0, 1.0, 1.0))) @ triangle

    segments = []
    for _ in range(count):
        kind = rng.integers(5)
        if kind == 0:           # from edge to edge
            t, (i, j) = rng.uniform(0.05, 0.95, 2), rng.permutation(3)[:2]
            ends = [triangle[k] + share * (triangle[(k + 1) % 3] - triangle[k]) for k, share in zip((i, j), t)]
            middle = inside(1)[0]
            segments += [(ends[0], middle), (middle, ends[1])] if rng.random() < 0.5 else [ends]
        elif kind == 1:         # around a hole
            ring = inside(3, 0.2)
            segments += list(zip(ring, np.roll(ring, -1, axis=0)))
        elif kind == 2:
            segments.append(np.repeat(inside(1), 2, axis=0))
        elif kind == 3:         # two that all but touch
            one, other = inside(2)
            segments += [(one, other), (one + 0.3 * ERROR, other + 0.3 * ERROR)]
        else:
            segments.append(inside(2))
    return np.array(segments).reshape(-1, 2, 3)


def divided(triangle, segments, error, room=1 << 14):
    cells = cell_scratch(room)
    cells.triangle[:] = triangle
    cells.segments[:len(segments)] = segments[:len(cells.segments)]
    return divide(len(segments), error, cells), cells


def assert_same(triangle, segments, error):
    """Returns the status."""
    expected = naive.divide(triangle, segments, error)
    answer, cells = divided(triangle, segments, error)
    if expected is None:
        assert answer == CELLS_IN_DOUBT
        return answer
    assert answer == DIVIDED
    count = int(cells.used[TRAPEZOIDS])
    assert cells.cell[:count].tolist() == expected.cell.tolist()
    assert int(cells.used[CELLS]) == len(expected.middle)
    size = np.abs(triangle).max()
    corners, middle = np.empty((4, 3)), np.empty(3)
    for k in range(count):
        put_left_corners(k, cells, corners)
        put_right_corners(k, cells, corners)
        assert np.abs(corners - expected.trapezoids[k]).max() <= 1e-12 * size
    for cell, known in enumerate(expected.middle):
        assert middle_of(cell, cells, middle) != np.isnan(known[0])
        flat = cells.axes @ (middle - triangle[0])      # of several that are equally wide, either may be the widest
        if not np.isnan(known[0]):
            assert {int(cells.cell[k]) for k in range(count) if holds(k, *flat, cells)} == {cell}
    touched = {(int(cells.cell[k]), int(contact)) for k in range(count) for contact in cells.number[cells.sides[k]]
               if contact >= 0}
    touched |= {(int(cells.cell[k]), n) for n in range(len(segments)) if not cells.is_wall[n] for k in range(count)
                if holds(k, *cells.ends[n].mean(axis=0), cells)}
    assert touched == set(map(tuple, expected.contacts.tolist()))
    around = {(int(cells.cell[k]), i) for i in range(3) for k in range(count) if holds(k, *cells.corners[i], cells)}
    assert around == set(map(tuple, expected.corners.tolist()))
    assert cells.cracks[:cells.used[CRACKS]].tolist() == expected.close.tolist()
    assert slack_of(cells) == pytest.approx(expected.slack, rel=1e-9)
    return answer


@pytest.mark.parametrize("seed", range(40))
def test_random_contacts(seed):
    rng = np.random.default_rng(seed)
    triangle = rng.uniform(-1, 1, (3, 3)) * (1, 1, rng.choice((1.0, 0.01))) + rng.choice((0.0, 10.0))
    assert_same(triangle, shared_with(rng, triangle, int(rng.integers(0, 7))), ERROR)


def test_what_cannot_be_divided():
    """Slivers, contacts that are nearly nothing wide, more of them than are looked at, and too little room."""
    rng = np.random.default_rng(0)
    triangle = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
    segments = shared_with(rng, triangle, 5)
    assert assert_same(triangle * (1, 1e-8, 1), segments * (1, 1e-8, 1), ERROR) == CELLS_IN_DOUBT
    assert assert_same(np.zeros((3, 3)), segments, ERROR) == CELLS_IN_DOUBT
    assert assert_same(triangle, segments, 0.1) == CELLS_IN_DOUBT
    assert assert_same(triangle, np.repeat(segments, 1100, axis=0), ERROR) == CELLS_IN_DOUBT
    way = 0.2 * np.array([[np.cos(angle), np.sin(angle), 0] for angle in np.linspace(0, 3, 60)])
    star = np.stack([0.3 + way, 0.3 - way], axis=1) * (1, 1, 0) + 1e-3 * rng.normal(size=(60, 2, 3)) * (1, 1, 0)
    assert assert_same(triangle, star, ERROR) == CELLS_IN_DOUBT       # 1,700 crossings
    assert assert_same(triangle, star[::3], ERROR) == DIVIDED
    assert divided(triangle, star[::3], ERROR, room=50)[0] == NO_ROOM
