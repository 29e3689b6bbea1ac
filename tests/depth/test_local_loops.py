# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths where a triangle meets a solid in many places, each of which has a hull of its own (local_loops.py)."""
import numpy as np
import pytest
from naive.shapes import box, circle, joined, moved, pipe, prism
from test_local_search import assert_same, both_ways

pytestmark = pytest.mark.scenes

PLATE = box((-3, -1, -0.1), (3, 1, 0.1))


def pegs(count, sides, radius=0.1):
    """Round pegs in a row, which go through the plate, some of them across the edge between its triangles."""
    places = np.linspace(-2.7, 2.7, count)
    return joined(*(moved(prism(circle(sides, radius), 1.0), (x, 0.31 * x + 0.02, -0.45 + 0.01 * x)) for x in places))


@pytest.mark.parametrize(("radius", "most"), [(0.05, 1300), (0.1, 1700)])
def test_pegs_through_a_plate_are_measured_one_by_one(radius, most, monkeypatch):
    fast, _ = both_ways(PLATE, pegs(10, 12, radius), monkeypatch)
    assert fast.counts["depth_tests"] < most        # 1,936 and 2,126 in the box around all of them


def test_bars_through_a_plate_are_measured_one_by_one(monkeypatch):
    bars = joined(*(moved(box((-0.02, -0.2, -0.5), (0.02, 0.2, 0.5)), (x, 0.01 * x, 0.02 * x))
                    for x in np.linspace(-2.8, 2.8, 40)))
    fast, _ = both_ways(PLATE, bars, monkeypatch)
    assert fast.counts["depth_tests"] < 2500        # 4,983


@pytest.mark.parametrize("turn", [0.0, 0.3])
@pytest.mark.parametrize("case", ["hole", "ring in ring", "peg in pipe", "at the edges", "corner inside", "beside",
                                  "over the corner", "half open", "mirrored"])
def test_nothing_inside_is_left_out(case, turn, monkeypatch):
    """Loops in loops, loops that end at one edge of a triangle or at several, and triangles with corners inside."""
    tube = pipe(circle(24, 0.6), circle(24, 0.9), -0.5, 1.0)
    small = pipe(circle(20, 0.3), circle(20, 0.4), -0.45, 1.0)
    other = {
        "hole": tube,
        "ring in ring": joined(tube, small),
        "peg in pipe": joined(tube, moved(prism(circle(16, 0.2), 1.0), (0.02, 0.01, -0.4))),
        "at the edges": joined(pegs(7, 16, 0.25), moved(pegs(5, 10, 0.2), (0, 0.95, 0.05))),
        "corner inside": joined(moved(box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), (3.1, 1.05, 0.2)), pegs(8, 16)),
        "beside": joined(moved(tube, (0, 1.0, 0)), pegs(6, 16)),
        "over the corner": joined(moved(tube, (-3.0, -1.0, 0)), pegs(6, 16)),
        "half open": joined(pegs(6, 12), moved(box((-0.6, -0.2, -0.05), (0.6, 0.2, 0.4)), (2.6, -0.4, 0))),
        "mirrored": joined(tube, pegs(5, 16))}[case]
    if case == "mirrored":
        other = other[0] * (1, 1, -1), other[1]
    cosine, sine = np.cos(turn), np.sin(turn)
    lean = np.array([(cosine, 0, sine), (0, 1, 0), (-sine, 0, cosine)])
    assert_same(PLATE, (other[0] @ lean.T + (0.013, 0.007, 0.003), other[1]), monkeypatch)


@pytest.mark.parametrize("seed", range(24))
def test_random_holes_and_pegs(seed, monkeypatch):
    random = np.random.default_rng(seed)
    parts = []
    for _ in range(int(random.integers(3, 12))):
        radius = random.uniform(0.05, 0.5)
        sides = int(random.integers(3, 24))
        part = (prism(circle(sides, radius), 1.0) if random.random() < 0.5
                else pipe(circle(sides, radius), circle(sides, 1.4 * radius), 0.0, 1.0))
        parts.append(moved(part, (*random.uniform((-3, -1), (3, 1)), random.uniform(-0.9, 0.0))))
    assert_same(PLATE, joined(*parts), monkeypatch)
