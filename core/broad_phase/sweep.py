# SPDX-License-Identifier: GPL-3.0-or-later
"""Sort and sweep on arrays: intervals that overlap along two axes, a bounded number of pairs at a time.

Without kernels and trees, for methods that look at few objects or have a rule of their own for the pairs.
"""
import numpy as np

AT_ONCE = 1 << 18           # pairs in one go: about 30 MB
MOST_STRIPS = 3             # that an interval is in besides the first, on average


def overlapping_boxes(bounds: np.ndarray, tick=lambda fraction: None,
                      count=lambda tests: None) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32, a < b, ordered: boxes that overlap, touching included. bounds: (n,6) float64, lo x y z hi x y z.

    tick(fraction): called now and then, may raise. count(tests): see `sweep`.
    """
    low, high = bounds[:, :3], bounds[:, 3:]
    found = []
    for i, j in sweep(low, high, tick, count):
        meet = ((low[i] <= high[j]) & (low[j] <= high[i])).all(axis=1)
        found.append((i[meet], j[meet]))
    return in_order(found, len(bounds))


def sweep(low: np.ndarray, high: np.ndarray, tick, count=lambda tests: None):
    """Pairs (i, j) of int64 indices whose intervals overlap along two of the axes, each pair once. low, high: (n,3).

    Strips across one axis, each swept along another one: an interval is in all the strips that it reaches.
    count(tests): told how many pairs met in a strip, where a pair that shares several strips counts in each.
    """
    n = len(low)
    if n < 2:
        return
    along, across = _axes(low, high)
    order = np.argsort(low[:, along], kind="stable")
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    reach = np.searchsorted(low[order, along], high[:, along], side="right")    # lower ends up to one's upper end
    first, last = _strips(low[:, across], high[:, across])
    strips = last - first + 1
    who = np.repeat(np.arange(n), strips)
    strip = first[who] + np.arange(len(who)) - (np.cumsum(strips) - strips)[who]
    place = strip * n + rank[who]
    order = np.argsort(place)
    place, who, strip = place[order], who[order], strip[order]
    start = np.arange(1, len(who) + 1)
    ends = np.maximum(np.searchsorted(place, strip * n + reach[who]), start)
    before = np.concatenate([[0], np.cumsum(ends - start)])     # pairs whose first interval begins before that one
    total, done = int(before[-1]), 0
    count(total)
    while done < total:
        stop = min(done + AT_ONCE, total)
        code = np.arange(done, stop)
        here = np.searchsorted(before, code, side="right") - 1
        i, j = who[here], who[start[here] + code - before[here]]
        once = np.maximum(first[i], first[j]) == strip[here]
        yield i[once], j[once]
        tick(stop / total)
        done = stop


def in_order(pairs: list[tuple[np.ndarray, np.ndarray]], n: int) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32, a < b, ordered, of pairs (i, j) of n things in any order."""
    codes = [np.minimum(i, j) * n + np.maximum(i, j) for i, j in pairs]
    all_codes = np.sort(np.concatenate([np.zeros(0, np.int64), *codes]))
    a, b = np.divmod(all_codes, max(n, 1))
    return a.astype(np.int32), b.astype(np.int32)


def _axes(low: np.ndarray, high: np.ndarray) -> tuple[int, int]:
    """The two axes along which fewest intervals overlap, the best first."""
    overlaps = [int(np.searchsorted(np.sort(low[:, axis]), high[:, axis], side="right").sum()) for axis in range(3)]
    best, second, _ = np.argsort(overlaps, kind="stable").tolist()
    return best, second


def _strips(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) int64 first and last strip of each interval: as many strips as leave the intervals in few of them each."""
    number = 1 << max(0, len(low).bit_length() - 2)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        span = low.max() - low.min()
        while True:
            # Growing with x even after rounding, so that intervals that overlap have a strip in common.
            at = [np.clip(np.nan_to_num((x - low.min()) * (number / span)), 0, number - 1).astype(np.int64)
                  for x in (low, high)]
            if number == 1 or (at[1] - at[0]).sum() <= MOST_STRIPS * len(low):
                return at[0], at[1]
            number >>= 1
