# SPDX-License-Identifier: GPL-3.0-or-later
"""The method rapid: the same contacts as the default, to the last bit, whatever objects and poses there are."""
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from naive.scenes import SHAPES, build, pose, random_linear
from naive.shapes import ball, box, grid
from touchpoint.core import Scene, detect
from touchpoint.core.broad_phase import all_pairs, cell_register
from touchpoint.core.codes import CANCELLED
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.mid_phase import obb_roots
from touchpoint.core.scene.select import Selection

SLOTS = np.arange(21, dtype=np.int32).reshape(7, 3)


def degenerate(rng):
    """Meshes that are flat, straight, one point, tiny beside their place, and soups of slivers."""
    line = rng.integers(-2, 3, (21, 1)) * np.array([1.0, 1.0, 0])
    return [*SHAPES, grid(4, 3, (-2, -1.5, 0)), (line, SLOTS), (np.zeros((3, 3)), SLOTS[:1]),
            (rng.normal(size=(21, 3)) * (1, 1e-8, 1e-16), SLOTS), (rng.integers(-1, 2, (21, 3)) * 0.5, SLOTS),
            (np.concatenate([ball(4, 3, 1e-7)[0] + (1, 0, 0), [(-1, 0, 0)]]),
             np.concatenate([ball(4, 3)[1], [[0, 1, len(ball(4, 3)[0])]]]))]


def nasty(rng, count=26):
    meshes = degenerate(rng)
    objects = []
    for k in range(count):
        linear = random_linear(rng, ("turned", "mirrored", "stretched", "sheared")[k % 4])
        if k % 5 == 0:
            linear = linear @ np.diag(rng.choice((0, 1, 1e-9, 50), 3))
        if k % 7 == 0:
            linear = np.round(linear)
        objects.append((int(rng.integers(len(meshes))), pose(linear, rng.integers(-1, 2, 3) * rng.choice((0.5, 0.7)))))
    return meshes, objects


def same(one, other):
    columns = ["a", "b", "verdict", "inner", "contacts"]
    assert np.array_equal(one.pairs[columns], other.pairs[columns])
    for name in ("pair", "triangle_a", "triangle_b", "kind", "proper", "point", "normal"):
        assert np.array_equal(getattr(one.contacts, name), getattr(other.contacts, name)), name


@pytest.mark.scenes
@pytest.mark.parametrize("scale", [1.0, 1e-30, 1e30, 1e-200])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_contacts_as_the_default(scale, seed):
    meshes, objects = nasty(np.random.default_rng([21, seed]))
    objects = [(mesh, pose(matrix[:3, :3] * scale, matrix[:3, 3] * scale)) for mesh, matrix in objects]
    report = detect(build((meshes, objects)), method="rapid")
    same(report, detect(build((meshes, objects))))
    assert len(report.contacts) > 100 and report.notes == []


def test_the_same_as_the_reference():
    scene = nasty(np.random.default_rng(22), 16)
    report, exact = detect(build(scene), method="rapid"), detect(build(scene), method="exact")
    columns = ["a", "b", "verdict", "inner", "contacts"]
    assert len(exact.contacts) > 50 and np.array_equal(report.pairs[columns], exact.pairs[columns])


def test_every_allowed_pair_goes_to_the_test_of_its_roots():
    scene = build((SHAPES, [(k % 5, pose(1, (5.0 * k, 0, 0))) for k in range(12)]))
    report = detect(scene, method="rapid")
    assert report.counts["pairs"] == report.counts["broad_tests"] == 66 and len(report.pairs) == 0
    report = detect(scene, method="rapid", pairs=[(0, 1), (5, 7)])
    assert report.counts["pairs"] == report.counts["broad_tests"] == 2


def big_pair():
    scene = Scene()
    mesh = scene.add_mesh(*ball(16, 14))
    scene.add_object(mesh)
    scene.add_object(mesh, pose(1, (0.1, 0.05, 0.02)))
    scene.add_object(scene.add_mesh(*box()), pose(1, (7, 0, 0)))
    return scene


def test_the_answer_does_not_depend_on_threads():
    one, four = (detect(big_pair(), method="rapid", threads=threads) for threads in (1, 4))
    same(one, four)
    assert len(one.contacts) > 50
    verdicts_only = detect(big_pair(), method="rapid", contacts=False)
    assert np.array_equal(verdicts_only.pairs["verdict"], one.pairs["verdict"]) and len(verdicts_only.contacts) == 0
    assert verdicts_only.counts["triangle_pairs"] < one.counts["triangle_pairs"]


def test_a_clearance_is_measured():
    scene = build((SHAPES, [(0, pose()), (0, pose(1, (1.25, 0, 0))), (1, pose(1, (9, 0, 0)))]))
    report, default = (detect(scene, method=method, clearance=0.5) for method in ("rapid", "touchpoint"))
    assert report.pairs["gap"].tolist() == [0.25] and np.array_equal(report.pairs["gap"], default.pairs["gap"])


@pytest.mark.parametrize("calls", [1, 2, 3, 5, 8])
def test_a_run_can_be_cancelled_anywhere_and_the_next_is_right(calls):
    scene = big_pair()
    left = iter(range(calls))
    report = detect(scene, method="rapid", threads=1, progress=lambda stage, done: next(left, None) is not None)
    assert report.cancelled and set(report.pairs["status"].tolist()) <= {CANCELLED, 0}
    same(detect(scene, method="rapid"), detect(big_pair()))


@pytest.mark.scenes
@pytest.mark.parametrize("method", ["rapid", "hybrid"])
@pytest.mark.parametrize("clearance", [0.0, 0.3])
@pytest.mark.parametrize("pairs", [None, [(k, 25 - k) for k in range(12)] + [(3, k) for k in range(4, 20)]])
def test_a_few_pairs_at_a_time_give_what_all_at_once_do(method, clearance, pairs, monkeypatch):
    if pairs is None and not COMPILED:
        pytest.skip("a quarter of a minute each")
    scene = nasty(np.random.default_rng(24))
    at_once = detect(build(scene), method=method, clearance=clearance, pairs=pairs)
    assert len(at_once.contacts) > 10
    for module, number in ((all_pairs, 7), (obb_roots, 10), (cell_register, 5)):
        monkeypatch.setattr(module, "PAIRS_PER_BLOCK" if module is cell_register else "PAIRS_AT_ONCE", number)
    streamed = detect(build(scene), method=method, clearance=clearance, pairs=pairs, threads=3)
    same(streamed, at_once)
    default = detect(build(scene), clearance=clearance, pairs=pairs)
    same(streamed, default)
    assert np.array_equal(streamed.pairs["gap"], default.pairs["gap"], equal_nan=True)
    assert streamed.counts == at_once.counts


@pytest.mark.parametrize("n", [2, 3, 4, 12])
@pytest.mark.parametrize("at_once", [1, 4, 1000])
def test_all_pairs_come_once_and_in_order(n, at_once, monkeypatch):
    monkeypatch.setattr(all_pairs, "PAIRS_AT_ONCE", at_once)
    nothing_left_out = np.zeros(n, bool), np.zeros(n, np.int32), np.ones((1, 1), bool)
    selection = Selection(np.arange(n, dtype=np.int32), np.zeros((n, 6)), [], *nothing_left_out, None)
    told = []
    blocks = list(all_pairs.allowed_pairs(selection, told.append))
    found = np.concatenate([np.stack(block, axis=1) for block in blocks])
    assert found.dtype == np.int32 and np.array_equal(found, np.stack(np.triu_indices(n, 1), axis=1))
    assert max(len(a) for a, _ in blocks) <= max(at_once, n - 1) and told == sorted(told) and told[-1] < 1.0
    wanted = np.array([1, n + 0, 2 * n - 1])[:n]        # among them (1, 0), which is no pair of a < b
    selection = replace(selection, wanted=wanted[np.divmod(wanted, n)[0] < np.divmod(wanted, n)[1]])
    found = np.concatenate([np.stack(block, axis=1) for block in all_pairs.allowed_pairs(selection)])
    assert np.array_equal(found[:, 0].astype(np.int64) * n + found[:, 1], selection.wanted)


@pytest.mark.scenes
@pytest.mark.skipif(not COMPILED, reason="two million tests of boxes")
def test_memory_does_not_grow_with_the_pairs():
    """2,000 objects far apart: two million pairs, of 50 bytes each if all were kept."""
    scene = build(([box()], [(0, pose(1, (3.0 * k, 0, 0))) for k in range(2000)]))
    detect(scene, method="rapid")
    tracemalloc.start()
    try:
        report = detect(scene, method="rapid")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert report.counts["pairs"] == 1_999_000 and len(report.pairs) == 0 and most < 40e6


@pytest.mark.scenes
@pytest.mark.parametrize("calls", range(1, 12))
def test_looking_at_all_pairs_can_be_cancelled(calls, monkeypatch):
    monkeypatch.setattr(all_pairs, "PAIRS_AT_ONCE", 8)
    monkeypatch.setattr(obb_roots, "PAIRS_AT_ONCE", 8)
    scene = build(([ball(4, 3)], [(0, pose(np.eye(3), (0.4 * k, 0, 0))) for k in range(12)]))
    left = iter(range(calls))
    report = detect(scene, method="rapid", threads=1, progress=lambda stage, done: next(left, None) is not None)
    assert report.cancelled and report.counts["pairs"] < 66
    same(detect(scene, method="rapid"), detect(scene))
