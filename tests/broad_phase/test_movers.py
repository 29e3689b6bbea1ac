# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of boxes of which one moves, against all pairs that the tree finds."""
import numpy as np
import pytest
from touchpoint.core.broad_phase import object_tree
from touchpoint.core.broad_phase.object_tree import overlapping_pairs, pairs_of_movers


def quiet(_):
    pass


@pytest.mark.parametrize("count, movers, size",
                         [(1, 1, 1.0), (70, 0, 1.0), (70, 70, 3.0), (300, 1, 0.5), (300, 7, 2.0)])
def test_each_mover_beside_all(count, movers, size):
    rng = np.random.default_rng(count + movers)
    low = np.round(10.0 * rng.random((count, 3)), 1)        # many boxes only touch
    bounds = np.concatenate([low, low + np.round(size * rng.random((count, 3)), 1)], axis=1)
    moves = np.zeros(count, bool)
    moves[rng.choice(count, movers, replace=False)] = True
    quantization, told = np.array([5.0, 5.0, 5.0, 0.125]), []
    a, b = overlapping_pairs(bounds, quantization, quiet)
    wanted = moves[a] | moves[b]
    found = pairs_of_movers(bounds, quantization, moves, quiet, told.append)
    assert found[0].dtype == found[1].dtype == np.int32 and told == [count * movers]
    assert found[0].tolist() == a[wanted].tolist() and found[1].tolist() == b[wanted].tolist()


def test_more_pairs_than_objects():
    """All boxes meet: there is room for all pairs the second time."""
    bounds, moves = np.tile([0.0, 0, 0, 1, 1, 1], (90, 1)), np.arange(90) < 4
    a, b = pairs_of_movers(bounds, np.array([0.5, 0.5, 0.5, 1.0]), moves, quiet, quiet)
    assert list(zip(a.tolist(), b.tolist())) == [(i, j) for i in range(4) for j in range(i + 1, 90)]


def test_whether_few_objects_move_makes_no_difference(monkeypatch):
    rng = np.random.default_rng(2)
    low = 10.0 * rng.random((200, 3))
    bounds, moves = np.concatenate([low, low + 3.0 * rng.random((200, 3))], axis=1), rng.random(200) < 0.1
    answers = []
    for most in (0, 1 << 16):
        monkeypatch.setattr(object_tree, "MOST_MOVER_TESTS", most)
        a, b = overlapping_pairs(bounds, np.array([5.0, 5.0, 5.0, 0.125]), quiet, moves=moves)
        answers.append([pair for pair in zip(a.tolist(), b.tolist()) if moves[list(pair)].any()])
    assert answers[0] == answers[1] and answers[0]
