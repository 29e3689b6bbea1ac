# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects whose root boxes meet, for methods with too many pairs to be kept.

Pairs come in blocks, and only those that meet are kept.
"""
from collections.abc import Iterable, Iterator

import numpy as np

from ..parallel import run_chunks
from ..run import Run
from ..scene.select import Selection
from ..trees.obb.trees import REACH_GROWTH, ObbTrees
from .obb_descend import LARGER_FIRST, OBB_TASKS_AT_ONCE, Descent

PAIRS_AT_ONCE = 1 << 18         # that threads share: about 10 MB


def meeting_roots(trees: ObbTrees, blocks: Iterable[tuple[np.ndarray, np.ndarray]], selection: Selection,
                  run: Run) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32: the pairs of `blocks`, (a, b) int32 each, whose root boxes meet, in the order in which they come.

    selection: perhaps with larger bounds than the trees were made for (`Selection.grown`). Root boxes are then larger
    by the same length, so that no pair is left out that is as near as that. The run's counts `pairs`, of all that came,
    and `broad_tests` grow. May raise Cancelled.
    """
    known, now = trees.placed.selection.bounds, selection.bounds
    reach = max((known[:, :3] - now[:, :3]).max(initial=0.0), (now[:, 3:] - known[:, 3:]).max(initial=0.0))
    grown = trees.reaching(REACH_GROWTH * float(reach)) if reach > 0.0 else trees
    found_a, found_b = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    for a, b in _gathered(blocks):
        rows = _meeting(grown, a, b, run)
        found_a.append(a[rows])
        found_b.append(b[rows])
        run.count(pairs=len(a), broad_tests=len(a))
    return np.concatenate(found_a), np.concatenate(found_b)


def _gathered(blocks: Iterable[tuple[np.ndarray, np.ndarray]]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the same pairs in blocks that are worth several threads."""
    waiting: list[tuple[np.ndarray, np.ndarray]] = []
    for block in blocks:
        waiting.append(block)
        if sum(len(a) for a, _ in waiting) >= PAIRS_AT_ONCE:
            yield _joined(waiting)
            waiting = []
    if waiting:
        yield _joined(waiting)


def _joined(blocks: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Several blocks as one."""
    return np.concatenate([a for a, _ in blocks]), np.concatenate([b for _, b in blocks])


def _meeting(trees: ObbTrees, a: np.ndarray, b: np.ndarray, run: Run) -> np.ndarray:
    """(…,) int32, ascending: the rows whose root boxes meet."""
    tasks = np.stack([np.arange(len(a), dtype=np.int32), trees.root[a], trees.root[b]], axis=1).astype(np.int32)
    chunks = [tasks[begin:begin + OBB_TASKS_AT_ONCE] for begin in range(0, len(tasks), OBB_TASKS_AT_ONCE)]
    done = np.zeros(len(a), np.uint8)
    kept = [np.zeros(0, np.int32)] * len(chunks)

    def work(number):
        kept[number] = Descent(trees, a, b, LARGER_FIRST, done).meeting(chunks[number])[:, 0]

    run_chunks(work, len(chunks), run.threads, lambda ready: run.tick())
    return np.concatenate([np.zeros(0, np.int32), *kept])
