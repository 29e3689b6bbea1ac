# SPDX-License-Identifier: GPL-3.0-or-later
"""Sort and sweep on arrays: intervals that overlap along the axis where fewest do, a bounded number at a time.

Without kernels and without trees, for methods that look at few objects or have a rule of their own for the pairs; the
tree of object_tree.py is faster (measured: eight times at 10,000 boxes).
"""
import numpy as np

AT_ONCE = 1 << 18           # pairs in one go: about 30 MB


def overlapping_boxes(bounds: np.ndarray, tick=lambda fraction: None) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32, a < b, ordered: boxes that overlap, touching included. bounds: (n,6) float64, lo x y z hi x y z.

    tick(fraction): called now and then, may raise.
    """
    low, high = bounds[:, :3], bounds[:, 3:]
    found = []
    for i, j in sweep(low, high, tick):
        meet = ((low[i] <= high[j]) & (low[j] <= high[i])).all(axis=1)
        found.append((i[meet], j[meet]))
    return in_order(found, len(bounds))


def sweep(low: np.ndarray, high: np.ndarray, tick):
    """Pairs (i, j) of int64 indices whose intervals overlap along one of the axes, each pair once. low, high: (n,3)."""
    n = len(low)
    if n < 2:
        return
    order, ends = _best_axis(low, high)
    start = np.arange(1, n + 1)
    before = np.concatenate([[0], np.cumsum(ends - start)])     # pairs whose first interval begins before that one
    total, done = int(before[-1]), 0
    while done < total:
        stop = min(done + AT_ONCE, total)
        code = np.arange(done, stop)
        first = np.searchsorted(before, code, side="right") - 1
        yield order[first], order[start[first] + code - before[first]]
        tick(stop / total)
        done = stop


def in_order(pairs: list[tuple[np.ndarray, np.ndarray]], n: int) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32, a < b, ordered, of pairs (i, j) of n things in any order."""
    codes = [np.minimum(i, j) * n + np.maximum(i, j) for i, j in pairs]
    all_codes = np.sort(np.concatenate([np.zeros(0, np.int64), *codes]))
    a, b = np.divmod(all_codes, max(n, 1))
    return a.astype(np.int32), b.astype(np.int32)


def _best_axis(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For the axis with the fewest overlaps: the order of the lower ends along it, and for each interval in this order
    how many lower ends there are up to its upper end."""
    found = []
    for axis in range(3):
        order = np.argsort(low[:, axis], kind="stable")
        ends = np.searchsorted(low[order, axis], high[order, axis], side="right")
        found.append((order, np.maximum(ends, np.arange(1, len(low) + 1))))
    return min(found, key=lambda each: int(each[1].sum()))
