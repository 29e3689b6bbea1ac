# SPDX-License-Identifier: GPL-3.0-or-later
"""Broad phase, mid phase and filter, each against brute force; and that every kernel is compiled once."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from naive.scenes import build as scene_of
from naive.scenes import crowd
from touchpoint.core import detect
from touchpoint.core.broad_phase.object_tree import overlapping_pairs
from touchpoint.core.geometry.undecided import UNDECIDED
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.mid_phase.descend import descend, divide_tasks
from touchpoint.core.mid_phase.thin_objects import thin_objects
from touchpoint.core.narrow_phase import canonical_order
from touchpoint.core.narrow_phase.triangle_filter import BLOCK, COLUMN_SIZE, DISJOINT, KIND, PROPER, classify_block
from touchpoint.core.records import Corners, ObjectPairs
from touchpoint.core.reference.triangle_pair import shared_part
from touchpoint.core.scene.select import select
from touchpoint.core.trees.bvh.forest import Forest
from touchpoint.core.trees.bvh.nodes import CHILD_PAIRS

ROOT = Path(__file__).resolve().parents[1]


def quiet(*_):
    return None


def random_bounds(rng, n, sizes):
    low = rng.random((n, 3)) * 10
    return np.concatenate([low, low + rng.random((n, 3)) * rng.choice(sizes, (n, 1))], axis=1)


@pytest.mark.parametrize("sizes", [[1.0], [0.0], [0.01, 5.0]])
@pytest.mark.parametrize("n", [2, 5, 40, 64, 65, 300])
def test_broad_phase_loses_and_repeats_no_pair(n, sizes):
    bounds = random_bounds(np.random.default_rng(n), n, sizes)
    a, b = overlapping_pairs(bounds, np.array([5.0, 5.0, 5.0, 1.0]), quiet)
    meet = (bounds[:, None, :3] <= bounds[None, :, 3:]).all(2) & (bounds[None, :, :3] <= bounds[:, None, 3:]).all(2)
    wanted = {(i, j) for i in range(n) for j in range(i + 1, n) if meet[i, j]}
    found = list(zip(a.tolist(), b.tolist()))
    assert found == sorted(set(found)) and all(i < j for i, j in found)
    assert wanted <= set(found)
    grown = bounds + np.array([-1, -1, -1, 1, 1, 1]) * 1e-5         # float32 boxes are a little larger, no more
    near = (grown[:, None, :3] <= grown[None, :, 3:]).all(2) & (grown[None, :, :3] <= grown[:, None, 3:]).all(2)
    assert all(near[i, j] for i, j in found)


def placed(scene):
    selection = select(scene)
    forest = Forest(scene, selection.objects, selection.bounds, quiet)
    a, b = (side.astype(np.int32) for side in np.triu_indices(len(selection.objects), 1))
    next(forest.batches(a, b))
    return forest, a, b


def candidates_of(forest, a, b, tasks, buffer=64, stack_rows=None):
    """All candidates, with buffers so small that the kernel stops again and again."""
    stack = np.empty((stack_rows or len(tasks) + 4096, 3), np.int32)
    stack[:len(tasks)] = tasks
    rows, depth, found, stats = np.empty((buffer, 3), np.int32), len(tasks), [], np.zeros(1, np.int64)
    pairs = ObjectPairs(a, b, np.zeros(len(a), np.uint8))
    while depth:
        depth, count = descend(pairs, forest.placed_trees, thin_objects(forest, a, b), stack, depth, 50, rows, stats)
        found += map(tuple, rows[:count].tolist())
    return found


def test_mid_phase_loses_and_repeats_no_pair_of_triangles():
    forest, a, b = placed(scene_of(crowd(np.random.default_rng(0), count=6, room=1.5)))
    tasks = np.stack([np.arange(len(a)), forest.root[a], forest.root[b]], axis=1)
    found = candidates_of(forest, a, b, tasks)
    assert len(found) == len(set(found)) > 300
    wanted = set()
    for pair, (i, j) in enumerate(zip(a, b)):
        one, other = (np.array([forest.corners.of(k, s) for s in range(forest.triangle_count[k])]) for k in (i, j))
        meet = ((one.min(1)[:, None] <= other.max(1)[None]) & (other.min(1)[None] <= one.max(1)[:, None])).all(2)
        wanted |= {(pair, *slots) for slots in np.argwhere(meet).tolist()}
    assert wanted <= set(found)
    queue = np.empty((4096, 3), np.int32)
    queue[:len(tasks)] = tasks
    pairs = ObjectPairs(a, b, np.zeros(len(a), np.uint8))
    head, tail = divide_tasks(pairs, forest.placed_trees, queue, len(tasks), 100)
    assert sorted(candidates_of(forest, a, b, queue[head:tail], stack_rows=4096)) == sorted(found)
    assert tail - head >= 100 - CHILD_PAIRS or (queue[head:tail, 1:] < 0).any()


def classes(A, B):
    """The filter's answers for pairs of triangles (n ≤ BLOCK)."""
    S, result = np.zeros((COLUMN_SIZE, BLOCK)), np.zeros(BLOCK, np.uint8)
    parts = (A[:, 1] - A[:, 0], A[:, 2] - A[:, 0], B[:, 1] - B[:, 0], B[:, 2] - B[:, 0], A[:, 0] - B[:, 0])
    S[:, :len(A)] = np.concatenate(parts, axis=1).T
    classify_block(S.ravel(), len(A), result)
    return result[:len(A)] & KIND


@pytest.mark.parametrize("spread_out", [0.0, 1e-3, 1e-9, 1e-13, 1e-15, 1e-16])
@pytest.mark.parametrize("shape", ["any", "sliver", "unequal", "far"])
def test_the_filter_is_never_wrong(shape, spread_out):
    """Triangles that touch in a vertex on a face or edge on edge, moved apart or together by a hair."""
    rng = np.random.default_rng(5)
    A, B = rng.random((2, BLOCK, 3, 3))
    if shape == "sliver":
        A[:, 2] = A[:, 1] + 1e-7 * rng.random((BLOCK, 3))
    if shape == "unequal":
        B *= 1e-5
    weights = rng.dirichlet((1, 1, 1), BLOCK)
    weights[::2] *= (1, 1, 0)
    weights /= weights.sum(1, keepdims=True)
    contact = np.einsum("ni,nij->nj", weights, A)
    B += (contact - B[:, 0])[:, None]
    B += spread_out * rng.normal(size=(BLOCK, 1, 3))
    if shape == "far":
        A, B = A + 1e5, B + 1e5
    for answer, one, other in zip(classes(A, B), A, B):
        shared = shared_part(one.tolist(), other.tolist())
        if answer == DISJOINT:
            assert shared.kind == 0
        elif answer == PROPER:
            assert shared.proper


def test_the_filter_decides_nearly_everything_ordinary():
    rng = np.random.default_rng(6)
    answers = np.concatenate([classes(*rng.random((2, BLOCK, 3, 3))) for _ in range(200)])
    assert (answers == UNDECIDED).mean() < 1e-3 and (answers == PROPER).mean() > 0.05


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_warm_up_compiles_every_kernel_once(tmp_path):
    """A kernel that it forgets is compiled while the user waits; so is each further signature, up to a second each.
    Asked of processes with an empty cache: kernels that were loaded hide those that they call. Before its tests,
    `tools/check.py all` asks the same."""
    run = subprocess.run([sys.executable, "-m", "tools.precompile"], cwd=ROOT, capture_output=True, text=True,
                         env={**os.environ, "TOUCHPOINT_CACHE": str(tmp_path)})
    assert (run.returncode, run.stdout) == (0, "")


def test_progress_names_the_stages_in_order_and_never_goes_back():
    told = []
    detect(scene_of(crowd(np.random.default_rng(7))), progress=lambda *step: told.append(step))
    names = ["prepare", "broad phase", "contacts", "verdicts"]
    assert [(names.index(stage), fraction) for stage, fraction in told] == sorted(
        (names.index(stage), fraction) for stage, fraction in told)
    assert all(0.0 <= fraction <= 1.0 for _, fraction in told) and {stage for stage, _ in told} == set(names)


@pytest.mark.parametrize("key", [canonical_order.KEY_BITS, 0])
def test_canonical_order(key, monkeypatch):
    """By pair, triangle of a, triangle of b; with keys that fit into one number and with keys that do not."""
    monkeypatch.setattr(canonical_order, "KEY_BITS", key)
    rng = np.random.default_rng(1)
    order = rng.permutation(5000).astype(np.int32)
    corners = Corners(np.zeros(9, np.int64), np.zeros((5000, 3), np.int32), order, np.zeros(9, np.int64),
                      np.zeros((1, 3)))
    a, b = rng.integers(0, 9, (2, 300)).astype(np.int32)
    for n in (0, 1, 2, 4000):
        hits = np.stack([rng.integers(0, 300, n), *rng.integers(0, 5000, (2, n))], 1).astype(np.int32)
        rows = canonical_order.canonical_order(hits, a, b, corners)
        wanted = sorted(range(n), key=lambda k: (hits[k, 0], order[hits[k, 1]], order[hits[k, 2]], k))
        assert rows.tolist() == wanted
