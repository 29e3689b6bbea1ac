# SPDX-License-Identifier: GPL-3.0-or-later
"""Sort and sweep on arrays: intervals that overlap along two axes, a bounded number of pairs at a time.

For methods that test few objects, or have a rule of their own for the pairs.
"""
from collections.abc import Iterator

import numpy as np

from ..radix_sort import order_of
from .pair_order import bits_for, ordered_pairs, pair_codes

PAIRS_AT_ONCE = 1 << 18     # about 30 MB
MAX_STRIPS = 3              # that an interval is in besides the first, on average


def overlapping_boxes(bounds: np.ndarray, tick=lambda fraction: None,
                      count=lambda tests: None) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32, a < b, ordered: boxes that overlap, touching included. bounds: (n,6) float64, lo x y z hi x y z.

    tick(fraction): called now and then, may raise Cancelled. count(tests): see `sweep`.
    """
    low, high, bits = bounds[:, :3], bounds[:, 3:], bits_for(len(bounds))
    codes = []
    for i, j in sweep(low, high, tick, count):
        meet = ((low[i] <= high[j]) & (low[j] <= high[i])).all(axis=1)
        codes.append(pair_codes(i[meet], j[meet], bits))
    return ordered_pairs(codes, bits)


def sweep(low: np.ndarray, high: np.ndarray, tick,
          count=lambda tests: None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (i, j), int64 indices of intervals that overlap along two of the axes, each pair once, in no order.

    low, high: (n,3) float64. Strips across one axis are swept along another one; an interval is in all strips that it
    reaches. count(tests): told how many pairs met in a strip; a pair that shares several strips counts in each.
    """
    n = len(low)
    if n < 2:
        return
    along, across = _axes(low, high, tick)
    tick(0.0)
    order = np.argsort(low[:, along], kind="stable")
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    tick(0.0)
    reach = np.searchsorted(low[order, along], high[:, along], side="right")    # lower ends up to one's upper end
    tick(0.0)
    first, last = _strips(low[:, across], high[:, across], tick)
    tick(0.0)
    strips = last - first + 1
    who = np.repeat(np.arange(n), strips)
    strip = first[who] + np.arange(len(who)) - (np.cumsum(strips) - strips)[who]
    tick(0.0)
    keys = np.empty((2, len(who)), np.int64)
    keys[0] = key = strip * n + rank[who]
    order = order_of(keys, int(key.max()).bit_length(), lambda: tick(0.0))
    key, who, strip = key[order], who[order], strip[order]
    tick(0.0)
    start = np.arange(1, len(who) + 1)
    ends = np.maximum(np.searchsorted(key, strip * n + reach[who]), start)
    before = np.concatenate([[0], np.cumsum(ends - start)])     # pairs whose first interval begins before that one
    total, done = int(before[-1]), 0
    count(total)
    while done < total:
        stop = min(done + PAIRS_AT_ONCE, total)
        code = np.arange(done, stop)
        here = np.searchsorted(before, code, side="right") - 1
        i, j = who[here], who[start[here] + code - before[here]]
        once = np.maximum(first[i], first[j]) == strip[here]
        yield i[once], j[once]
        tick(stop / total)
        done = stop


def _axes(low: np.ndarray, high: np.ndarray, tick) -> tuple[int, int]:
    """The two axes along which fewest intervals overlap, the best first."""
    overlaps = []
    for axis in range(3):
        tick(0.0)
        overlaps.append(int(np.searchsorted(np.sort(low[:, axis]), high[:, axis], side="right").sum()))
    best, second, _ = np.argsort(overlaps, kind="stable").tolist()
    return best, second


def _strips(low: np.ndarray, high: np.ndarray, tick) -> tuple[np.ndarray, np.ndarray]:
    """(first, last) strip of each interval, (n,) int64. There are as many strips as leave each interval in few."""
    number = 1 << max(0, len(low).bit_length() - 2)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        span = low.max() - low.min()
        while True:
            tick(0.0)
            # This grows with x even after rounding, so intervals that overlap have a strip in common.
            at = [np.clip(np.nan_to_num((x - low.min()) * (number / span)), 0, number - 1).astype(np.int64)
                  for x in (low, high)]
            if number == 1 or (at[1] - at[0]).sum() <= MAX_STRIPS * len(low):
                return at[0], at[1]
            number >>= 1
