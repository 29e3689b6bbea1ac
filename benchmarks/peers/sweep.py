# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of boxes that meet, for libraries that have no such search (or none that Python can use): sort and sweep."""
import numpy as np

AT_ONCE = 1 << 20


def meeting_boxes(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(k,2) pairs a < b of boxes (n,3) that have a point in common, found along the axis with the widest spread."""
    if len(low) == 0:
        return np.zeros((0, 2), np.int64)
    axis = int(np.argmax(low.std(axis=0)))
    order = np.argsort(low[:, axis], kind="stable")
    low, high = low[order], high[order]
    stop = np.searchsorted(low[:, axis], high[:, axis], side="right")
    count = stop - np.arange(len(low)) - 1
    others = [other for other in range(3) if other != axis]
    parts = []
    ends = np.cumsum(count)
    start = 0
    while start < len(low):
        end = max(start + 1, int(np.searchsorted(ends, (ends[start - 1] if start else 0) + AT_ONCE)))
        here = count[start:end]
        a = np.repeat(np.arange(start, end), here)
        b = a + 1 + np.arange(len(a)) - np.repeat(np.cumsum(here) - here, here)
        for other in others:
            meet = (low[a, other] <= high[b, other]) & (low[b, other] <= high[a, other])
            a, b = a[meet], b[meet]
        parts.append(np.column_stack([a, b]))
        start = end
    return np.sort(order[np.concatenate(parts)], axis=1)
