# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of pairs of objects: their order, and structured arrays that grow."""
from collections.abc import Callable

import numpy as np

from ..machine_code.jit import kernel

OBJECT_BITS = 31


def coded(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k,) int64: pairs of numbers, in either order, as one number each."""
    return (np.minimum(a, b).astype(np.int64) << OBJECT_BITS) | np.maximum(a, b)


def is_among(codes: np.ndarray, known: np.ndarray) -> np.ndarray:
    """(k,) bool: which of the codes are known. known: (n,) int64, ascending."""
    if len(known) == 0:
        return np.zeros(len(codes), bool)
    return known.take(known.searchsorted(codes), mode="clip") == codes


def times_of(a: np.ndarray, b: np.ndarray, start: np.ndarray, end: np.ndarray) -> Callable:
    """What tells start and end of pairs: (2,k) float64, NaN where there is none, of pairs of numbers (k,), (k,). a, b:
    (n,) numbers of the pairs that have times, start and end (n,) float64."""
    codes = coded(a, b)
    order = np.argsort(codes)
    codes, times = codes[order], np.stack([start[order], end[order]])

    def of(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        found = np.full((2, len(a)), np.nan)
        if len(codes):
            wanted = coded(a, b)
            places = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
            known = codes[places] == wanted
            found[:, known] = times[:, places[known]]
        return found

    return of


class Rows:
    """A row for each pair of objects that was ever named, in the order in which they were."""

    def __init__(self):
        self._codes, self._rows = np.zeros(0, np.int64), np.zeros(0, np.int64)      # ascending, and the row of each

    def __len__(self) -> int:
        return len(self._codes)

    def of(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(k,) int64. Pairs that were never named get new rows. a, b: (k,) numbers, each pair once."""
        codes, rows = coded(a, b), np.empty(len(a), np.int64)
        missing = find_rows(codes, self._codes, self._rows, rows)
        if missing:
            known = len(self._codes)
            order = np.argsort(np.concatenate([self._codes, codes[rows < 0]]))
            self._codes = np.concatenate([self._codes, codes[rows < 0]])[order]
            self._rows = np.concatenate([self._rows, np.arange(known, known + missing)])[order]
            find_rows(codes, self._codes, self._rows, rows)
        return rows

    def ordered(self) -> np.ndarray:
        """(n,) int64: all rows, ordered by (a, b)."""
        return self._rows


@kernel
def find_rows(codes, known, row_of, rows):
    """rows[k] = the row of codes[k], -1 where it has none; returns how many have none. codes: (k,) int64; known: (n,)
    int64, ascending, and row_of: (n,) int64, the row of each."""
    missing = 0
    for k in range(codes.shape[0]):
        place = place_of(codes[k], known)
        if place < known.shape[0] and known[place] == codes[k]:
            rows[k] = row_of[place]
        else:
            rows[k] = -1
            missing += 1
    return missing


@kernel
def place_of(code, known):
    """How many of `known`, (n,) int64, ascending, are less than a code."""
    low = 0
    high = known.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if known[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def is_known(code, known):
    """True where a code is among `known`, (n,) int64, ascending."""
    place = place_of(code, known)
    return place < known.shape[0] and known[place] == code


def with_rows(array: np.ndarray, needed: int) -> np.ndarray:
    """The array, or a copy with room to grow where it has fewer rows than are needed."""
    if needed <= len(array):
        return array
    return joined(array, np.zeros(max(needed, 2 * len(array)) - len(array), array.dtype))


def joined(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The rows of two structured arrays. As bytes: numpy copies field by field, which takes twenty times as long."""
    return np.concatenate([_bytes(one), _bytes(other)]).view(one.dtype)


def put_rows(array: np.ndarray, where: np.ndarray, rows: np.ndarray) -> None:
    """array[where] = rows, of structured arrays of one kind. where: (k,) int64."""
    _bytes(array)[where] = _bytes(rows)


def copied(rows: np.ndarray) -> np.ndarray:
    return _bytes(rows).copy().view(rows.dtype)


def _bytes(rows: np.ndarray) -> np.ndarray:
    return rows.view(f"V{rows.dtype.itemsize}")
