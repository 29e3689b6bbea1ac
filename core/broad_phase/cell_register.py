# SPDX-License-Identifier: GPL-3.0-or-later
"""Which items are in which cells, and pairs of items that share one.

Only cells that hold something are kept, in ascending order of their numbers, so that memory grows with what is in the
grid and not with the 8^k cells. Where boxes would take more than a budget of cells, the largest of them are taken to be
in every cell.
"""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..jit import kernel
from ..radix_sort import order_of

BUDGET = 1 << 22            # entries of a register: 24 bytes each, and twice that while they are sorted
CHUNK = 1 << 14             # pairs at a time


@dataclass(frozen=True, eq=False)
class Register:
    """The topology between items and cells: an entry per item and cell that it is in."""

    start: np.ndarray       # (items + 1,) int64, where an item's entries begin
    group: np.ndarray       # (entries,) int64, in the order of items: which of `cells`
    cells: np.ndarray       # (groups,) int64, ascending numbers of the cells that are not empty
    group_start: np.ndarray  # (groups + 1,) int64, into members
    members: np.ndarray     # (entries,) int32, items by cell, ascending in each
    everywhere: np.ndarray  # (k,) int64, items that count as being in every cell; they have no entries

    @classmethod
    def of(cls, first: np.ndarray, last: np.ndarray, side: int, fill: Callable) -> "Register":
        """Items whose cells are among those from first to last, (items,3) int64.

        fill(first, last, start, cells): writes the cells of each item and where they begin, returns their number.
        """
        size = (last - first + 1).prod(axis=1)
        everywhere = np.zeros(0, np.int64)
        if size.sum() > BUDGET:
            largest = np.argsort(-size, kind="stable")
            everywhere = np.sort(largest[size.sum() - np.cumsum(size[largest]) + size[largest] > BUDGET])
            last = last.copy()
            last[everywhere] = first[everywhere] - 1
            size[everywhere] = 0
        start, cells = np.empty(len(first) + 1, np.int64), np.empty(size.sum() + 1, np.int64)
        cells = cells[:fill(first, last, start, cells)]
        keys = np.empty((2, len(cells)), np.int64)
        keys[0] = cells
        order = order_of(keys, 3 * (side.bit_length() - 1))
        ordered = cells[order]
        new = np.ones(len(cells), bool)
        new[1:] = ordered[1:] != ordered[:-1]
        group = np.empty(len(cells), np.int64)
        group[order] = np.cumsum(new) - 1
        items = np.repeat(np.arange(len(first), dtype=np.int32), np.diff(start))
        return cls(start, group, ordered[new], np.append(np.flatnonzero(new), len(cells)), items[order], everywhere)

    @property
    def count(self) -> int:
        """Number of items."""
        return len(self.start) - 1


NOTHING = Register.of(np.zeros((0, 3), np.int64), np.zeros((0, 3), np.int64), 1, lambda *_: 0)


def pairs_sharing_cells(moving: Register, still: Register, rank: np.ndarray, low: np.ndarray, high: np.ndarray, tick):
    """(k,2) int32: each pair of items once that share a cell and whose projections on x, y and z overlap (§3.1).

    Items are numbered through, those of `moving` first. rank: (items,) int64, of the object that an item belongs to:
    pairs of equal rank, and pairs of two still items, are left out. low, high: (items,3) float64, the projections, NaN
    where they are not known. tick(): may raise Cancelled.
    """
    place = np.searchsorted(still.cells, moving.cells)
    place[place == len(still.cells)] = 0
    here = still.cells[place] == moving.cells if len(still.cells) else np.zeros(len(moving.cells), bool)
    ranges = np.zeros((len(moving.cells), 2, 2), np.int64)
    ranges[:, 0, 0], ranges[:, 0, 1] = moving.group_start[:-1], moving.group_start[1:]
    ranges[here, 1] = np.stack([still.group_start[:-1], still.group_start[1:]], 1)[place[here]] + len(moving.members)
    members = np.concatenate([moving.members, still.members + np.int32(moving.count)])
    seen = np.full(len(rank), -1, np.int32)
    buffer = np.empty((len(rank) + CHUNK, 2), np.int32)
    found, i = list(_pairs_everywhere(moving, still, rank, low, high, tick)), 0
    while i < moving.count:
        tick()
        i, count = pairs_in_cells(i, moving.start, moving.group, ranges, members, rank, low, high, seen, buffer)
        found.append(buffer[:count].copy())
    return np.concatenate([np.zeros((0, 2), np.int32), *found])


def _pairs_everywhere(moving: Register, still: Register, rank, low, high, tick):
    """Pairs of an item that is in every cell with any other item."""
    wide = np.concatenate([moving.everywhere, still.everywhere + moving.count])
    candidate = np.ones(len(rank), bool)
    for item in wide:
        tick()
        candidate[item] = False             # each pair of two wide items once
        mask = candidate & (rank != rank[item]) & ~((low > high[item]) | (low[item] > high)).any(axis=1)
        if item >= moving.count:
            mask[moving.count:] = False
        others = np.flatnonzero(mask).astype(np.int32)
        yield np.stack([np.full_like(others, item), others], axis=1)


@kernel
def pairs_in_cells(i, start, group, ranges, members, rank, low, high, seen, pairs):
    """Pairs of the items from i on with those that share a cell, have a higher rank and whose projections overlap;
    returns (next i, number of pairs), to be called until i is the number of items with entries.

    ranges: (groups,2,2) int64, two ranges of members for each cell. seen: (items,) int32, -1, each other item's last
    partner. pairs: (at least items + 1, 2) int32.
    """
    count = 0
    while i < start.shape[0] - 1 and count + seen.shape[0] <= pairs.shape[0]:
        for entry in range(start[i], start[i + 1]):
            for part in range(2):
                for k in range(ranges[group[entry], part, 0], ranges[group[entry], part, 1]):
                    j = members[k]
                    if rank[j] <= rank[i] or seen[j] == i:
                        continue
                    seen[j] = i
                    apart = False
                    for x in range(3):
                        apart |= low[j, x] > high[i, x] or low[i, x] > high[j, x]
                    pairs[count, 0] = i
                    pairs[count, 1] = j
                    count += 1 - apart
        i += 1
    return i, count
