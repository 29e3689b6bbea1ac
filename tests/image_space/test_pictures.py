# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixels of the processor's raster against float64 rays, and what pictures say against the exact answer."""
import numpy as np
import pytest
from touchpoint.benchmarks.documents.picture_errors import meeting, pieces_of, random_pairs
from touchpoint.core.image_space.cpu_raster import CpuRaster
from touchpoint.core.image_space.hulls.hull import convex_hull, planes_of
from touchpoint.core.image_space.pictures import ENDS, TILT, VIEW, _drawn, make_views
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries import convex_intersect
from touchpoint.core.records import ViewScratch


def pairs_to_look_at(seed, count):
    bodies = random_pairs(seed, count)
    return bodies, pieces_of(bodies), np.arange(0, 2 * count, 2), np.arange(1, 2 * count, 2)


def interval(points, view, side):
    """(side,side,2): the nearest and farthest depth of a body on the ray of each pixel, from 0 to 1, NaN where it
    misses."""
    planes = planes_of(points, convex_hull(points))
    low, high = view[ENDS:ENDS + 3], view[ENDS + 3:]
    place = (np.arange(side) + 0.5) / side
    right, up = np.meshgrid(low[0] + place * (high[0] - low[0]), low[1] + place * (high[1] - low[1]))
    starts = view[:3] + right[..., None] * view[3:6] + up[..., None] * view[6:9]
    along, room = planes[:, :3] @ view[9:12], planes[:, 3] - starts @ planes[:, :3].T
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = room / along
        near = np.where(along > 1e-14, ends, np.inf).min(axis=-1)
        far = np.where(along < -1e-14, ends, -np.inf).max(axis=-1)
    depth = (high[2] - np.stack([near, far], axis=-1)) / (high[2] - low[2])
    depth[near < far] = np.nan
    return depth


def expected_classes(first, second, view, side):
    a, b = interval(first, view, side), interval(second, view, side)
    with np.errstate(invalid="ignore"):
        behind = (b[..., 0] > a[..., 0]).astype(int) + (b[..., 1] >= a[..., 0])
    return np.bincount(np.where(np.isnan(a[..., 0]), 0, 1 + behind).ravel(), minlength=4)


def test_pixels_against_rays():
    """Of all pixels a few in a hundred thousand may differ, at the borders of classes."""
    count, side = (60, 64) if COMPILED else (3, 16)
    bodies, pieces, a, b = pairs_to_look_at(5, count)
    views, overlap = np.empty((count, VIEW)), np.zeros(count, np.uint8)
    make_views(pieces, a, b, ViewScratch(np.empty((2, 2, 3)), np.empty(15), TILT), views, overlap)
    rows = np.flatnonzero(overlap)
    found = CpuRaster(1).classes(_drawn(pieces, a[rows], views[rows]), _drawn(pieces, b[rows], views[rows]), side)
    expected = np.array([expected_classes(bodies[a[k]], bodies[b[k]], views[k], side) for k in rows])
    assert (found.sum(axis=1) == side * side).all() and (expected.sum(axis=0) > 10).all()
    assert np.abs(found - expected).sum() <= 2e-3 * found.sum()
    assert len(rows) > count // 3


def errors(seed, count, side):
    """(missed, invented, pairs that meet) among random pairs."""
    bodies, pieces, a, b = pairs_to_look_at(seed, count)
    found = meeting(pieces, a, b, side)
    exact = convex_intersect(bodies[::2], bodies[1::2])
    return int((exact & ~found).sum()), int((found & ~exact).sum()), int(exact.sum())


def test_pictures_against_the_exact_answer():
    missed, invented, number = errors(7, 150 if COMPILED else 8, 64 if COMPILED else 16)
    assert invented == 0 and missed <= max(1.0, 0.03 * number) and number > 1


@pytest.mark.slow
@pytest.mark.parametrize("side, most", [(16, 12), (32, 6), (64, 2), (128, 0), (256, 0)])
def test_thousands_of_pictures(side, most):
    missed, invented, number = errors(11, 2000, side)
    assert invented == 0 and missed <= most and number > 900


def triangle(*corners):
    return np.array(corners, np.float64)


@pytest.mark.parametrize("shift, meets", [((0, 0, 0), True), ((0.5, 0.25, 0.25), True), ((2.5, 0, 0), False)])
def test_copies_and_moved_copies(shift, meets):
    cube = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    pieces = pieces_of([cube, cube + shift])
    assert meeting(pieces, np.array([0]), np.array([1]), 16).tolist() == [meets]


def test_flat_pieces():
    """They have no inside; each is behind the other somewhere where they cross."""
    lying = triangle((-2, -2, 0), (2, -2, 0), (0, 3, 0))
    crossing = triangle((-1, -0.3, -1), (1.1, 0.2, -0.8), (0, 0.1, 1.5))
    beside = crossing + (0, 0, 2.0)
    pieces = pieces_of([lying, crossing, beside])
    assert meeting(pieces, np.array([0, 1, 0, 1]), np.array([1, 0, 2, 2]), 32)[:3].tolist() == [True, True, False]
