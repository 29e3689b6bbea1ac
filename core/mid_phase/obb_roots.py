# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs of objects have root boxes that meet, for methods whose pairs may be too many to be kept: these come some
at a time, and only those that meet are kept."""
from collections.abc import Iterable, Iterator

import numpy as np

from ..parallel import run_chunks
from ..run import Run
from ..trees.obb.trees import ObbTrees
from .obb_descend import BLOCK, LARGER, Descent

AT_ONCE = 1 << 18               # pairs that threads share: about 10 MB
GROWTH = 1.0 + 2.0 ** -20       # more than all roundings of a reach


def meeting_roots(trees: ObbTrees, blocks: Iterable[tuple[np.ndarray, np.ndarray]], selection,
                  run: Run) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of `blocks`, (a, b) int32 each, whose root boxes meet, in the order in which they come.

    selection: perhaps with larger bounds than the trees were made for (`Selection.grown`): then root boxes are as much
    larger, so that no pair is left out that is as near as that. run: run.Run, may raise Cancelled; the counts
    `pairs`, of all that came, and `broad_tests` grow.
    """
    known, now = trees.placed.selection.bounds, selection.bounds
    reach = max((known[:, :3] - now[:, :3]).max(initial=0.0), (now[:, 3:] - known[:, 3:]).max(initial=0.0))
    grown = trees.reaching(GROWTH * float(reach)) if reach > 0.0 else trees
    found_a, found_b = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    for a, b in _gathered(blocks):
        rows = _meeting(grown, a, b, run)
        found_a.append(a[rows])
        found_b.append(b[rows])
        run.count(pairs=len(a), broad_tests=len(a))
    return np.concatenate(found_a), np.concatenate(found_b)


def _gathered(blocks: Iterable[tuple[np.ndarray, np.ndarray]]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The same pairs in blocks that are worth several threads."""
    held: list[tuple[np.ndarray, np.ndarray]] = []
    for block in blocks:
        held.append(block)
        if sum(len(a) for a, _ in held) >= AT_ONCE:
            yield _joined(held)
            held = []
    if held:
        yield _joined(held)


def _joined(blocks: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    return np.concatenate([a for a, _ in blocks]), np.concatenate([b for _, b in blocks])


def _meeting(trees: ObbTrees, a: np.ndarray, b: np.ndarray, run: Run) -> np.ndarray:
    """(…,) int32, ascending: the rows whose root boxes meet."""
    tasks = np.stack([np.arange(len(a), dtype=np.int32), trees.root[a], trees.root[b]], axis=1).astype(np.int32)
    parts = [tasks[begin:begin + BLOCK] for begin in range(0, len(tasks), BLOCK)]
    done = np.zeros(len(a), np.uint8)
    kept = [np.zeros(0, np.int32)] * len(parts)

    def work(number):
        kept[number] = Descent(trees, a, b, LARGER, done).meeting(parts[number])[:, 0]

    run_chunks(work, len(parts), run.threads, lambda ready: run.tick())
    return np.concatenate([np.zeros(0, np.int32), *kept])
