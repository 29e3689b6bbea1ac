# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixels of the processor's raster against float64 rays, and what pictures say against the exact answer."""
import numpy as np
import pytest
from touchpoint.core.image_space.cpu_raster import CpuRaster
from touchpoint.core.image_space.hulls.hull import convex_hull, planes_of
from touchpoint.core.image_space.pictures import ENDS, TILT, VIEW, _drawn, make_views, meet
from touchpoint.core.image_space.placed_pieces import fit_boxes
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries import convex_intersect
from touchpoint.core.records import PlacedPieces, ViewScratch


def body(rng):
    """The corners of a random convex body of about the size 1."""
    points = rng.normal(size=(int(rng.integers(5, 20)), 3))
    points *= rng.uniform(0.3, 1.0, 3) / np.sqrt((points ** 2).sum(axis=1))[:, None]
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return points @ turn


def pieces_of(bodies) -> PlacedPieces:
    faces = [convex_hull(points) for points in bodies]
    starts = [np.concatenate([[0], np.cumsum([len(each) for each in some])]).astype(np.int64)
              for some in (bodies, faces)]
    made = PlacedPieces(starts[0], np.concatenate(bodies), starts[1], np.concatenate(faces),
                        np.empty((len(bodies), 15)))
    rows = np.stack([starts[0][:-1], starts[0][1:]], axis=1)
    fit_boxes(rows, 0, len(bodies), made.points, np.empty((3, 3)), np.empty((2, 3, 3)), np.empty((2, 2, 3)), made.boxes)
    return made


def random_pairs(seed, count):
    rng = np.random.default_rng(seed)
    bodies = []
    for _ in range(count):
        along = rng.normal(size=3)
        bodies += [body(rng), body(rng) + along * rng.uniform(0.3, 1.5) / np.sqrt((along ** 2).sum())]
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
    bodies, pieces, a, b = random_pairs(5, count)
    views, overlap = np.empty((count, VIEW)), np.zeros(count, np.uint8)
    make_views(pieces, a, b, ViewScratch(np.empty((2, 2, 3)), np.empty(15), TILT), views, overlap)
    rows = np.flatnonzero(overlap)
    found = CpuRaster(1).classes(_drawn(pieces, a[rows], views[rows]), _drawn(pieces, b[rows], views[rows]), side)
    expected = np.array([expected_classes(bodies[a[k]], bodies[b[k]], views[k], side) for k in rows])
    assert (found.sum(axis=1) == side * side).all() and (expected.sum(axis=0) > 10).all()
    assert np.abs(found - expected).sum() <= 2e-3 * found.sum()
    assert len(rows) > count // 3


def asked(pieces, a, b, side):
    return meet(pieces, a.astype(np.int64), b.astype(np.int64), CpuRaster(1), side, lambda work: work())


def errors(seed, count, side):
    """(missed, invented, pairs that meet) among random pairs."""
    bodies, pieces, a, b = random_pairs(seed, count)
    found = asked(pieces, a, b, side)
    exact = convex_intersect(bodies[::2], bodies[1::2])
    return int((exact & ~found).sum()), int((found & ~exact).sum()), int(exact.sum())


def test_pictures_against_the_exact_answer():
    missed, invented, meeting = errors(7, 150 if COMPILED else 8, 64 if COMPILED else 16)
    assert invented == 0 and missed <= max(1.0, 0.03 * meeting) and meeting > 1


@pytest.mark.slow
@pytest.mark.parametrize("side, most", [(16, 12), (32, 6), (64, 2), (128, 0), (256, 0)])
def test_thousands_of_pictures(side, most):
    missed, invented, meeting = errors(11, 2000, side)
    assert invented == 0 and missed <= most and meeting > 900


def triangle(*corners):
    return np.array(corners, np.float64)


@pytest.mark.parametrize("shift, meets", [((0, 0, 0), True), ((0.5, 0.25, 0.25), True), ((2.5, 0, 0), False)])
def test_copies_and_moved_copies(shift, meets):
    cube = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    pieces = pieces_of([cube, cube + shift])
    assert asked(pieces, np.array([0]), np.array([1]), 16).tolist() == [meets]


def test_flat_pieces():
    """They have no inside; each is behind the other somewhere where they cross."""
    lying = triangle((-2, -2, 0), (2, -2, 0), (0, 3, 0))
    crossing = triangle((-1, -0.3, -1), (1.1, 0.2, -0.8), (0, 0.1, 1.5))
    beside = crossing + (0, 0, 2.0)
    pieces = pieces_of([lying, crossing, beside])
    assert asked(pieces, np.array([0, 1, 0, 1]), np.array([1, 0, 2, 2]), 32)[:3].tolist() == [True, True, False]
