# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlap volumes against rational arithmetic, and against what is known of shapes."""
import numpy as np
import pytest
from naive.volumes import shared_volume, volume_of
from touchpoint.core import Scene, detect
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries import overlap_volume
from touchpoint.core.scene.tiny import BOX, BOX_TRIANGLES
from touchpoint.core.volume import overlap
from touchpoint.tools.answers.shapes import ball, box, joined, moved, rotation, torus

NONE = [0.0, 0.0, 0.0]


@pytest.fixture(autouse=True)
def coarse_without_machine_code(monkeypatch):
    if not COMPILED:
        monkeypatch.setattr(overlap, "SIDES", (4,))


def tetrahedron(rng):
    """Four random points; half of them turned inside out, which is as much inside."""
    vertices = rng.normal(size=(4, 3))
    triangles = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], np.int32)
    return vertices, triangles[:, ::-1] if np.linalg.det(vertices[1:] - vertices[0]) < 0.0 else triangles


def check(one, other, exact, estimate):
    """The bounds hold, and the volume errs by at most `estimate` of the smaller body's box."""
    volume, lower, upper = overlap_volume(*one, *other)
    assert lower <= volume <= upper and lower <= exact <= upper
    if COMPILED:
        size = min(np.prod(np.ptp(mesh[0], axis=0)) for mesh in (one, other))
        assert abs(volume - float(exact)) <= estimate * size
    return volume, lower, upper


@pytest.mark.parametrize("seed", range(60 if COMPILED else 4))
def test_tetrahedra(seed):
    rng = np.random.default_rng([4, seed])
    one, other = tetrahedron(rng), tetrahedron(rng)
    exact = shared_volume(one, other)
    volume, lower, upper = check(one, other, exact, 2e-4)
    assert (upper == 0.0) <= (exact == 0)
    assert overlap_volume(*other, *one) == (volume, lower, upper)


def test_thousands_of_boxes():
    """Boxes along the axes have bounds that are equal but for rounding, wherever they are and however small."""
    rng = np.random.default_rng(5)
    shared, count = 0, 2000 if COMPILED else 20
    for _ in range(count):
        scale, place = 10.0 ** rng.integers(-6, 7), rng.integers(-4, 5, 3)
        corners = [np.sort(rng.integers(0, 9, (2, 3)) + np.array([[0], [1]]) * 0.5, axis=0) for _ in range(2)]
        lows, highs = np.array([(low, high) for low, high in corners]).transpose(1, 0, 2)
        one, other = (moved(box(low, high), place) for low, high in zip(lows, highs))
        exact = np.prod(np.maximum(0.0, np.minimum(*highs) - np.maximum(*lows))) * scale ** 3
        found = overlap_volume(one[0] * scale, one[1], other[0] * scale, other[1])
        assert found == pytest.approx([exact] * 3, rel=1e-6)
        assert found[1] <= exact * (1 + 1e-9) and exact <= found[2] * (1 + 1e-9)
        shared += exact > 0.0
    assert shared > 0.05 * count


@pytest.mark.parametrize("kind", ["ring and ball", "two rings"])
def test_bodies_that_are_not_convex(kind):
    rng = np.random.default_rng(6)
    ring = torus(5, 3)
    other = {"ring and ball": ball(4, 3, 0.5), "two rings": torus(4, 3)}[kind]
    other = other[0] @ rotation(rng).T + (0.3, 0.1, 0.05), other[1]
    exact = shared_volume(ring, other)
    assert exact > 0
    _, lower, upper = check(ring, other, exact, 5e-4)
    assert upper - lower < 0.15 * float(exact) or not COMPILED


@pytest.mark.skipif(not COMPILED, reason="the grids are finer than plain Python has the time for")
def test_few_cells_are_enough(monkeypatch):
    """Over most cells what is shared is known exactly: the finest grid is for bodies that are thin. Rooms along the
    axes, whose walls stand somewhere in cells, need no finer grid than the first one."""
    rng, far = np.random.default_rng(8), []
    monkeypatch.setattr(overlap, "SIDES", (96,))
    for one, other in ((box(), box()), (ball(8, 7), box()), (torus(12, 8), ball(8, 7))):
        turned = [(mesh[0] @ rotation(rng).T, mesh[1]) for mesh in (one, other)]
        volume, lower, upper = overlap_volume(*turned[0], *moved(turned[1], (0.2, 0.1, 0.15)))
        far.append((upper - lower) / volume)
    assert max(far) < 0.06
    monkeypatch.setattr(overlap, "SIDES", (16,))
    room = joined(box(), (0.9 * box()[0], box()[1][:, ::-1]))
    volume, lower, upper = overlap_volume(*room, *moved(room, (0.31, 0.12, 0.23)))
    assert 0.0 < volume and upper - lower < 1e-6 * volume


def test_one_inside_the_other():
    inner = moved(ball(6, 5, 0.2), (0.05, 0.02, -0.03))
    volume, lower, upper = check(box(), inner, volume_of(inner), 1e-4)
    itself = overlap_volume(*inner, *inner)
    assert itself[0] == pytest.approx(volume, rel=0.02)
    assert itself == pytest.approx((volume, lower, upper), rel=0.02) or not COMPILED


def test_what_counts_as_inside():
    """A winding number of 2 counts once; a void is outside; without an orientation, in and out alternate."""
    twice = joined(box(), moved(box(), (0.5, 0, 0)))
    assert overlap_volume(*twice, *box((-9, -9, -9), (9, 9, 9))) == pytest.approx([1.5] * 3, rel=1e-6)
    small = moved((0.5 * box()[0], box()[1]), (0, 0, 0))
    void = joined(box(), (small[0], small[1][:, ::-1]))
    assert overlap_volume(*void, *box((0, -9, -9), (9, 9, 9))) == pytest.approx([0.4375] * 3, rel=1e-6)
    mixed = void[0], void[1].copy()
    mixed[1][::3] = mixed[1][::3, ::-1]
    assert overlap_volume(*mixed, *box((0, -9, -9), (9, 9, 9))) == pytest.approx([0.4375] * 3, rel=1e-6)


def test_what_shares_nothing():
    assert list(overlap_volume(*box(), *moved(box(), (1, 0, 0)))) == NONE       # flush
    assert list(overlap_volume(*box(), *moved(box(), (3, 0, 0)))) == NONE
    ring = torus(24, 12)
    linked = moved((ring[0][:, [0, 2, 1]], ring[1]), (0.6, 0, 0))
    volume, lower, upper = overlap_volume(*ring, *linked)
    assert volume == lower == 0.0 <= upper


def test_what_is_not_measured():
    assert np.isnan(overlap_volume(*box(), box()[0], box()[1][1:])).all()
    assert np.isnan(overlap_volume(*box(), *(np.array([(1e-14 * x, y, z) for x, y, z in box()[0]]) + (0.3, 0, 0),
                                             box()[1]))).all()
    for wrong in (np.zeros((0, 3), int), [(0, 1, 99)]):
        with pytest.raises(ValueError):
            overlap_volume(*box(), box()[0], wrong)
    with pytest.raises(ValueError):
        overlap_volume(*box(), box()[0] * np.inf, box()[1])


def test_turning_and_mirroring_and_unused_vertices():
    """The bounds hold for bodies in any place: the same volume, seen along other axes."""
    rng = np.random.default_rng(7)
    one, other = ball(4, 3), torus(5, 3)
    exact = shared_volume(one, other)
    for far in (0.0, 1e6):
        turn = rotation(rng) * (1, 1, -1)
        turned = [(np.vstack((mesh[0] @ turn.T + far, [(1e9, 0, 0)])), mesh[1]) for mesh in (one, other)]
        volume, lower, upper = overlap_volume(*turned[0], *turned[1])
        assert lower * (1 - 1e-5) <= exact <= upper * (1 + 1e-5)
        assert volume == pytest.approx(float(exact), rel=5e-3) or not COMPILED


def scene_of(*places):
    scene = Scene()
    closed, open_one = scene.add_mesh(BOX, BOX_TRIANGLES), scene.add_mesh(BOX, BOX_TRIANGLES[1:])
    for place, size, mesh, shell in places:
        pose = np.diag([size, size, size, 1.0])
        pose[:3, 3] = place
        scene.add_object((closed, open_one)[mesh], pose, shell=shell)
    return scene


def test_the_stage():
    """Columns of a report: pairs that cross, overlap, touch or hold each other; not those of open meshes and shells."""
    scene = scene_of(((0, 0, 0), 1, 0, False), ((0.5, 0.25, 0.5), 1, 0, False), ((1, 0, 0), 0.5, 0, False),
                     ((0.1, 0.1, 0.1), 0.25, 0, False), ((0.5, -0.5, -0.5), 1, 1, False),
                     ((-0.9, 0.3, 0.4), 1, 0, True))
    report = detect(scene, volume=True)
    names = ["volume", "volume_lower", "volume_upper"]
    found = {(int(pair["a"]), int(pair["b"])): [pair[name] for name in names] for pair in report.pairs}
    assert found[0, 1] == pytest.approx([0.5 * 0.75 * 0.5] * 3) and found[0, 2] == NONE
    assert found[0, 3] == pytest.approx([0.25 ** 3] * 3)
    assert all(np.isnan(volumes).all() for pair, volumes in found.items() if pair[1] in (4, 5))
    assert report.settings["volume"] is True and "volumes" in [each.name for each in report.stages]
    other = detect(scene, "parallel", volume=True, threads=1, tolerance=0.0)
    assert np.array_equal(other.pairs["volume"], report.pairs["volume"], equal_nan=True)
    assert np.isnan(detect(scene).pairs["volume"]).all()


def test_a_cancelled_run_and_one_with_a_tolerance():
    scene = scene_of(((0, 0, 0), 1, 0, False), ((0.999, 0.25, 0.5), 1, 0, False))
    report = detect(scene, volume=True, tolerance=0.01)
    assert report.verdict(0) == "touching"
    assert report.pairs["volume"][0] == pytest.approx(0.001 * 0.75 * 0.5)
    report = detect(scene, volume=True, progress=lambda stage, fraction: stage != "volumes")
    assert report.cancelled and np.isnan(report.pairs["volume"][0])
