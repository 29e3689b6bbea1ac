# SPDX-License-Identifier: GPL-3.0-or-later
"""Every pair of objects that may be tested, a block at a time, for methods without a broad phase."""
from collections.abc import Iterator

import numpy as np

from ..scene.select import Selection

PAIRS_AT_ONCE = 1 << 18     # or all of one object: about 20 MB


def allowed_pairs(selection: Selection, tick=lambda fraction: None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (a, b), int32 positions in the selection, a < b: all pairs that the rules allow, ordered, each once.

    tick(fraction): called before each block, may raise Cancelled.
    """
    n = len(selection.objects)
    blocks = _rows(n) if selection.wanted is None else _wanted(selection.wanted, n)
    total, seen = n * (n - 1) // 2 if selection.wanted is None else len(selection.wanted), 0
    for a, b in blocks:
        tick(seen / total)
        seen += len(a)
        allowed = selection.allows(a, b)
        yield a[allowed], b[allowed]


def _rows(n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all pairs of n objects."""
    first = 0
    while first < n - 1:
        last = min(n - 1, first + max(1, PAIRS_AT_ONCE // (n - 1 - first)))
        count = np.arange(n - 1 - first, n - 1 - last, -1)          # pairs that begin with first … last - 1
        a = np.repeat(np.arange(first, last, dtype=np.int32), count)
        b = np.arange(len(a)) - np.repeat(np.cumsum(count) - count, count) + a + 1
        yield a, b.astype(np.int32)
        first = last


def _wanted(codes: np.ndarray, n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the pairs of `Selection.wanted`."""
    for first in range(0, len(codes), PAIRS_AT_ONCE):
        a, b = np.divmod(codes[first:first + PAIRS_AT_ONCE], n)
        yield a.astype(np.int32), b.astype(np.int32)
