# SPDX-License-Identifier: GPL-3.0-or-later
"""The possible collision set against all pairs of boxes: complete, each pair once, whatever the sizes."""
import numpy as np
import pytest
from touchpoint.core.broad_phase import track_tiles
from touchpoint.core.broad_phase.track_tiles import possible_set
from touchpoint.core.errors import Cancelled
from touchpoint.core.machine_code.jit import COMPILED

COUNT = 300 if COMPILED else 40


def boxes(low, size):
    return np.concatenate([low, low + size], axis=1)


def plain(rng, n):
    return boxes(rng.uniform(0, 4, (n, 3)), rng.uniform(0, 1, (n, 3)))


def many_sizes(rng, n):
    """From 1e-12 to 1e3, and the small ones near each other."""
    size = 10.0 ** rng.uniform(-12, 3, (n, 1))
    return boxes(rng.normal(size=(n, 3)) * size, size * rng.uniform(0.1, 1, (n, 3)))


def far_away(rng, n):
    """Clusters at 0, 1e6, -1e12 and 1e15."""
    return boxes(rng.choice([0, 1e6, -1e12, 1e15], (n, 1)) + rng.uniform(0, 3, (n, 3)), rng.uniform(0, 1, (n, 3)))


def beyond_the_finest(rng, n):
    """Boxes of 1e-9, and one that is 1e40 away."""
    made = boxes(rng.uniform(0, 3e-9, (n, 3)), rng.uniform(0, 1e-9, (n, 3)))
    made[0] += 1e40
    return made


def without_size(rng, n):
    """Points and flat boxes on whole numbers, many of them the same."""
    return boxes(rng.integers(-2, 3, (n, 3)).astype(float), rng.integers(0, 2, (n, 3)).astype(float))


def on_a_lattice(rng, n):
    """Small cubes that touch, at multiples of 1024 times their size, and sheets that hold many of them."""
    made = boxes(rng.integers(-3, 4, (n, 3)) * 1024.0 + rng.integers(0, 2, (n, 3)), np.ones((n, 3)))
    made[::17] = [-4000, -3000, 0, 4000, 3000, 0]
    return made


def each_its_layer(rng, n):
    n = min(n, 60)
    size = 2.0 ** np.arange(n)[:, None]
    return boxes(size * rng.uniform(-1, 0.5, (n, 3)), np.tile(size, (1, 3)))


def tiny_numbers(rng, n):
    return plain(rng, n) * 1e-300


KINDS = (plain, many_sizes, far_away, beyond_the_finest, without_size, on_a_lattice, each_its_layer, tiny_numbers)


def brute_force(bounds, moves):
    a, b = np.triu_indices(len(bounds), 1)
    meet = ((bounds[a, :3] <= bounds[b, 3:]) & (bounds[b, :3] <= bounds[a, 3:])).all(axis=1) & (moves[a] | moves[b])
    return list(zip(a[meet].tolist(), b[meet].tolist()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("moving", [1.0, 0.3, 0.0])
def test_equals_all_pairs_of_boxes(kind, moving):
    rng, shared = np.random.default_rng([8, KINDS.index(kind)]), []
    for n in (COUNT, 2, 1, 0):
        bounds = kind(rng, max(n, 1))[:n]
        moves = rng.random(len(bounds)) < moving
        a, b = possible_set(bounds, moves, lambda: None, shared.append)
        assert a.dtype == b.dtype == np.int32
        assert list(zip(a.tolist(), b.tolist())) == brute_force(bounds, moves)
        assert len(a) <= shared[-1] <= n * (n - 1) // 2


def test_pairs_that_share_a_tile_by_hand():
    """Tiles of 2: the first two boxes and the fourth share one, without overlapping."""
    bounds = boxes(np.array([[0, 0, 0], [0, 0, 1.5], [8, 0, 0], [1.5, 0, 0]], float), np.full((4, 3), [0.25, 1, 0.25]))
    shared = []
    assert len(possible_set(bounds, np.ones(4, bool), lambda: None, shared.append)[0]) == 0
    assert shared == [3]


def test_memory_for_pairs_grows(monkeypatch):
    """All of them overlap: far more pairs than there is memory for at first."""
    monkeypatch.setattr(track_tiles, "OBJECTS_PER_CALL", 7)
    n = 60
    a, b = possible_set(boxes(np.zeros((n, 3)), np.ones((n, 3))), np.ones(n, bool), lambda: None)
    assert len(a) == n * (n - 1) // 2 and len(set(zip(a.tolist(), b.tolist()))) == len(a)


def test_cancelled():
    def stop():
        raise Cancelled

    with pytest.raises(Cancelled):
        possible_set(plain(np.random.default_rng(1), 5), np.ones(5, bool), stop)
