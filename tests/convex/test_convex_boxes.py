# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of boxes against the rational reference."""
import numpy as np
import pytest
from naive.hull_families import turn
from naive.rational_convex import boxes_meet
from touchpoint.core.convex.pairs import overlapping
from touchpoint.core.queries import boxes_overlap
from touchpoint.core.records import Parallelepipeds

COUNT = 25


def loose(rng):
    """Two boxes as they come, near each other."""
    return rng.normal(size=3), turn(rng), rng.uniform(0.1, 1, 3), rng.normal(size=3), turn(rng), rng.uniform(0.1, 1, 3)


def with_gap(rng, gap, same_turn):
    """Boxes a gap apart along a face of the first, or across an edge of each."""
    c1, R1, h1, _, R2, h2 = loose(rng)
    R2 = R1 if same_turn else R2
    axis = R1[:, 0] if rng.random() < 0.5 or same_turn else np.cross(R1[:, 0], R2[:, 1])
    axis = axis / np.linalg.norm(axis)
    room = np.abs(axis @ R1) @ h1 + np.abs(axis @ R2) @ h2 + gap
    beside = np.cross(axis, rng.normal(size=3)) * 0.1
    return c1, R1, h1, c1 + axis * room + beside, R2, h2


def aligned(rng):
    P = [np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], 3) for _ in "ab"]
    return (rng.integers(-2, 3, 3) / 2, P[0], rng.integers(0, 4, 3) / 2, rng.integers(-2, 3, 3) / 2, P[1],
            rng.integers(1, 4, 3) / 2)


def decimal(rng):
    """Boxes along the axes on a lattice of tenths: their rounded numbers touch or miss each other by a bit."""
    c1, h1, c2, h2 = (rng.integers(0, 4, 3) * 0.1 for _ in range(4))
    return c1, np.eye(3), h1, c2, np.eye(3), h2


def flat(rng, parallel):
    """Rectangles, segments and points; in one plane or line where parallel."""
    c1, R1, h1, c2, R2, h2 = loose(rng)
    h1 = h1 * rng.integers(0, 2, 3)
    h2 = h2 * rng.integers(0, 2, 3)
    if parallel:
        R1 = np.eye(3) if rng.random() < 0.7 else R1
        beside = R1 @ (rng.normal(size=3) * [0.5, 0.5, 0])
        return c1, R1, h1 * [1, 1, 0], c1 + beside, R1 @ np.diag([1, -1, 1]), h2 * [1, 1, 0]
    return c1, R1, h1, c2, R2, h2


def nearly_parallel(rng):
    c1, R1, h1, c2, _, h2 = with_gap(rng, rng.choice([0, 1e-9, -1e-9]), True)
    return c1, R1, h1, c2, R1 + rng.normal(size=(3, 3)) * 10.0 ** rng.integers(-16, -6), h2


def sheared(rng):
    c1, R1, h1, c2, R2, h2 = loose(rng)
    return c1, R1 + rng.normal(size=(3, 3)), h1, c2, R2 @ np.diag([1, 1e-3, 1]) + 0.1, h2


def scaled(boxes, size, shift=0.0):
    c1, R1, h1, c2, R2, h2 = boxes
    return c1 * size + shift, R1, h1 * size, c2 * size + shift, R2, h2 * size


FAMILIES = {
    "loose": loose,
    **{f"gap {gap:g}": lambda rng, gap=gap: with_gap(rng, gap, False) for gap in (0, 1e-6, 1e-12, 1e-15, -1e-12)},
    **{f"same turn, gap {gap:g}": lambda rng, gap=gap: with_gap(rng, gap, True) for gap in (0, 1e-9, -1e-12)},
    "aligned": aligned,
    "decimal": decimal,
    "flat": lambda rng: flat(rng, False),
    "in a plane": lambda rng: flat(rng, True),
    "nearly parallel": nearly_parallel,
    "sheared": sheared,
    "small": lambda rng: scaled(with_gap(rng, 0, False), 1e-6),
    "large": lambda rng: scaled(loose(rng), 1e6),
    "far from the origin": lambda rng: scaled(with_gap(rng, 0, False), 1.0, 1e5),
    "extreme": lambda rng: scaled(loose(rng), 10.0 ** rng.choice([-250, 200])),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_boxes_against_the_reference(family):
    rng = np.random.default_rng([1, *family.encode()])
    made = [FAMILIES[family](rng) for _ in range(COUNT)]
    expected = [boxes_meet(*(array.tolist() for array in boxes)) for boxes in made]
    c1, R1, h1, c2, R2, h2 = (np.array(arrays) for arrays in zip(*made))
    assert boxes_overlap(c1, R1, h1, c2, R2, h2).tolist() == expected
    assert boxes_overlap(c2, R2, h2, c1, R1, h1).tolist() == expected


@pytest.mark.parametrize("family", ["loose", "gap 0", "same turn, gap 0", "nearly parallel"])
def test_few_boxes_need_whole_numbers(family):
    rng = np.random.default_rng(3)
    boxes = tuple(np.array(arrays) for arrays in zip(*(FAMILIES[family](rng) for _ in range(200))))
    assert overlapping(Parallelepipeds(*boxes[:3]), Parallelepipeds(*boxes[3:]), 1)[1] == 0


def test_threads_change_nothing():
    rng = np.random.default_rng(5)
    n = 5000
    boxes = (rng.normal(size=(n, 3)), rng.normal(size=(n, 3, 3)), rng.uniform(0, 1, (n, 3)),
             rng.normal(size=(n, 3)), rng.normal(size=(n, 3, 3)), rng.uniform(0, 1, (n, 3)))
    one = boxes_overlap(*boxes, threads=1)
    assert (one == boxes_overlap(*boxes, threads=3)).all() and 0 < one.sum() < n


def test_what_is_refused():
    c, R, h = np.zeros((2, 3)), np.zeros((2, 3, 3)), np.zeros((2, 3))
    assert boxes_overlap(c, R, h, c, R, h).all()
    assert boxes_overlap(*(array[:0] for array in (c, R, h, c, R, h))).shape == (0,)
    for wrong in ((c[:1], R, h), (c, h, R), (c, R, h - 1), (c + np.nan, R, h), (0.0, R, h)):
        with pytest.raises(ValueError, match="^[cRh][12] "):
            boxes_overlap(c, R, h, *wrong)
        with pytest.raises(ValueError, match="^[cRh][12] "):
            boxes_overlap(*wrong, c, R, h)
