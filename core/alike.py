# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows that are alike, of a million and more: `np.unique` along an axis takes seconds, in which nobody can cancel."""
from collections.abc import Callable, Sequence

import numpy as np

from .arrays import pieces
from .radix_sort import order_of

SIGN_BIT = np.int64(-2 ** 63)
HALF_BITS = 32              # of a number, which is sorted by in two halves


def kinds_of(columns: Sequence[np.ndarray], tick: Callable[[], object] = lambda: None) -> tuple[np.ndarray, np.ndarray]:
    """(first, kind): the first row of each kind, (kinds,) int64, kinds in the order of the first column, then of the
    second …; and the kind of each row, (n,) int64. As `np.unique` gives them for rows along axis 0.

    columns: (n,) int64 or float64 each, without NaN; 0 and -0 are one. tick(): called a few times a second, may raise.
    """
    n, telling = len(columns[0]), []
    for column in columns:
        tick()
        if n and not (column == column[0]).all():
            telling.append(column)
    order = ascending(telling, n, tick)
    new = np.zeros(n, bool)
    new[:1] = True
    for column in telling:
        tick()
        in_order = column[order]
        new[1:] |= in_order[1:] != in_order[:-1]
    tick()
    kind = np.empty(n, np.int64)
    kind[order] = np.cumsum(new) - 1
    return order[new], kind


def ascending(columns: Sequence[np.ndarray], count: int, tick: Callable[[], object] = lambda: None) -> np.ndarray:
    """(count,) int64: the rows in the order of the first column, those that are the same there in that of the second
    …, and all else as they stand. Arguments as above."""
    order = np.arange(count)
    for column in reversed(columns):
        keys = np.empty(count, np.int64)
        for some in pieces(count, tick):
            keys[some] = _keys(column[some])
        for shift in (0, HALF_BITS):
            halves = np.empty((2, count), np.int64)
            for some in pieces(count, tick):
                halves[0, some] = (keys[order[some]] >> shift) & ((1 << HALF_BITS) - 1)
            order = order[order_of(halves, HALF_BITS, tick)]
    return order


def _keys(column: np.ndarray) -> np.ndarray:
    """(n,) int64, whose bits, read as a number without a sign, are in the order of the column."""
    if column.dtype == np.int64:
        return column ^ SIGN_BIT
    bits = (column + 0.0).view(np.int64)
    return np.where(bits < 0, ~bits, bits ^ SIGN_BIT)
