# SPDX-License-Identifier: GPL-3.0-or-later
"""Which items are in which cells, and pairs of items that share one.

Only cells that hold something are kept, in ascending order of their numbers, so that memory grows with what is in the
grid and not with the 8^k cells. Where boxes would take more than a budget of cells, the largest of them are taken to be
in every cell.
"""
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..machine_code.jit import kernel
from ..radix_sort import order_of

BUDGET = 1 << 22            # entries of a register: 24 bytes each, and twice that while they are sorted
CHUNK = 1 << 12             # pairs at a time
PATIENCE = 1 << 26          # comparisons at a time, at most: a fraction of a second


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
        room, everywhere = int(size.sum()), np.zeros(0, np.int64)
        if room > BUDGET:
            largest = np.argsort(-size, kind="stable")
            everywhere = np.sort(largest[room - np.cumsum(size[largest]) + size[largest] > BUDGET])
            room -= int(size[everywhere].sum())
            last = last.copy()
            last[everywhere] = first[everywhere] - 1
        start, cells = np.empty(len(first) + 1, np.int64), np.empty(room + 1, np.int64)
        cells = cells[:fill(first, last, start, cells)]
        keys = np.empty((2, len(cells)), np.int64)
        keys[0] = cells
        order = order_of(keys, 3 * (side.bit_length() - 1))
        members, group = np.empty(len(cells), np.int32), np.empty(len(cells), np.int64)
        group_start = np.empty(len(cells) + 1, np.int64)
        groups = group_by_cell(start, cells, order, np.empty(len(cells), np.int32), members, group, group_start)
        group_start = group_start[:groups + 1]
        return cls(start, group, cells[order[group_start[:-1]]], group_start, members, everywhere)


@kernel
def group_by_cell(start, cells, order, item, members, group, group_start):
    """Fill the arrays of `Register` from the ascending order of its entries' cells; returns the number of groups.
    item: (entries,) int32, scratch."""
    for i in range(start.shape[0] - 1):
        for entry in range(start[i], start[i + 1]):
            item[entry] = i
    groups = 0
    for k in range(order.shape[0]):
        if k == 0 or cells[order[k]] != cells[order[k - 1]]:
            group_start[groups] = k
            groups += 1
        group[order[k]] = groups - 1
        members[k] = item[order[k]]
    group_start[groups] = order.shape[0]
    return groups


@dataclass(frozen=True, eq=False)
class Items:
    """Objects, or parts of them, in the grid."""

    owner: np.ndarray       # (k,) int64, number of the object
    node: np.ndarray        # (k,) int32, node of its tree
    low: np.ndarray         # (k,3) float64, projections of the node's box; NaN: not known
    high: np.ndarray
    register: Register


def _nothing() -> Items:
    start = np.zeros(1, np.int64)
    register = Register(start, start[:0], start[:0], start, np.zeros(0, np.int32), start[:0])
    return Items(start[:0], np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)), register)


NO_ITEMS = _nothing()


def pairs_sharing_cells(moving: Items, still: Items, rank: np.ndarray, tick) -> tuple[np.ndarray, int]:
    """(k,4) int32: what `blocks_sharing_cells` gives, at once; and how many pairs were looked at."""
    tally = np.zeros(1, np.int64)
    found = np.concatenate([np.zeros((0, 4), np.int32), *blocks_sharing_cells(moving, still, rank, tick, tally)])
    return found, int(tally[0])


def blocks_sharing_cells(moving: Items, still: Items, rank: np.ndarray, tick,
                         tally: np.ndarray) -> Iterator[np.ndarray]:
    """(k,4) int32, objects a < b, node of a, node of b: each pair of two moving items, and of a moving and a still one,
    that share a cell and whose projections on x, y and z overlap (§3.1). In blocks of about as many as there are items.

    rank: (moving items,) int64; pairs of two moving items of equal rank are left out. tick(): may raise Cancelled.
    tally: (1,) int64, counts the pairs that meet in a cell and are looked at; one that shares several, in each.
    """
    here, there = moving.register, still.register
    match = np.searchsorted(there.cells, here.cells)
    match[match == len(there.cells)] = -1
    if len(there.cells):
        match[there.cells[match] != here.cells] = -1
    seen, seen_still = np.full(len(moving.owner), -1, np.int32), np.full(len(still.owner), -1, np.int32)
    buffer = np.empty((len(seen) + len(seen_still) + CHUNK, 4), np.int32)
    yield from _pairs_everywhere(moving, still, rank, tick, tally)
    i = 0
    step = 1 + PATIENCE // len(buffer)
    while i < len(seen):
        tick()
        i, count = pairs_in_cells(i, min(i + step, len(seen)), here.start, here.group, here.group_start, here.members,
                                  rank, moving.owner, moving.node, moving.low, moving.high, seen, match,
                                  there.group_start, there.members, still.owner, still.node, still.low, still.high,
                                  seen_still, buffer, tally)
        yield buffer[:count].copy()


def _pairs_everywhere(moving: Items, still: Items, rank: np.ndarray, tick, tally: np.ndarray):
    """Pairs of an item that is in every cell with any other item, as in `blocks_sharing_cells`."""
    count = len(moving.owner)
    wide = np.concatenate([moving.register.everywhere, still.register.everywhere + count])
    if len(wide) == 0:
        return
    owner, node, low, high = (np.concatenate([getattr(items, name) for items in (moving, still)])
                              for name in ("owner", "node", "low", "high"))
    candidate = np.ones(len(owner), bool)
    for item in wide.tolist():
        tick()
        candidate[item] = False             # each pair of two wide items once
        mask = candidate.copy()
        if item < count:
            mask[:count] &= rank != rank[item]
        else:
            mask[count:] = False
        tally += mask.sum()
        mask &= ~((low > high[item]) | (low[item] > high)).any(axis=1)
        others = np.flatnonzero(mask)
        swap = owner[others] < owner[item]
        first, second = np.where(swap, others, item), np.where(swap, item, others)
        yield np.stack([owner[first], owner[second], node[first], node[second]], axis=1).astype(np.int32)


@kernel
def pairs_in_cells(i, stop, start, group, group_start, members, rank, owner, node, low, high, seen, match, still_start,
                   still_members, still_owner, still_node, still_low, still_high, seen_still, pairs, tally):
    """Pairs of the items i … stop - 1 with those that share a cell and have a higher rank, and with still items there;
    returns (next i, number of pairs).

    match: (groups,) int64, the group of the same cell among still items, or -1. seen, seen_still: int32, -1, each
    other item's last partner. pairs: (at least as many as all items, 4) int32. tally: (1,) int64, counts pairs that
    were looked at.
    """
    count = 0
    looks = 0
    while i < stop and count + seen.shape[0] + seen_still.shape[0] <= pairs.shape[0]:
        for entry in range(start[i], start[i + 1]):
            g = group[entry]
            for k in range(group_start[g], group_start[g + 1]):
                j = members[k]
                looks += rank[j] > rank[i]
                if rank[j] > rank[i] and seen[j] != i:
                    seen[j] = i
                    if projections_overlap(low, high, i, low, high, j):
                        write_pair(owner[i], node[i], owner[j], node[j], pairs, count)
                        count += 1
            g = match[g]
            if g < 0:
                continue
            looks += still_start[g + 1] - still_start[g]
            for k in range(still_start[g], still_start[g + 1]):
                j = still_members[k]
                if seen_still[j] != i:
                    seen_still[j] = i
                    if projections_overlap(low, high, i, still_low, still_high, j):
                        write_pair(owner[i], node[i], still_owner[j], still_node[j], pairs, count)
                        count += 1
        i += 1
    tally[0] += looks
    return i, count


@kernel
def projections_overlap(low, high, i, other_low, other_high, j):
    """Not apart on x, y or z, nor unknown."""
    apart = False
    for x in range(3):
        apart |= (low[i, x] > other_high[j, x]) | (other_low[j, x] > high[i, x])
    return not apart


@kernel
def write_pair(owner_i, node_i, owner_j, node_j, pairs, k):
    swap = owner_j < owner_i
    pairs[k, 0] = min(owner_i, owner_j)
    pairs[k, 1] = max(owner_i, owner_j)
    pairs[k, 2] = node_j if swap else node_i
    pairs[k, 3] = node_i if swap else node_j


def number_pairs(found: np.ndarray, objects: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(a, b, tasks): each pair of objects in `found`, (k,4) as above, once and ordered, int32; (l,3) int32 rows of a
    pair, node of a, node of b, ordered by pair, of those with nodes (≥ 0)."""
    bits = objects.bit_length()
    keys = np.empty((2, len(found)), np.int64)
    keys[0] = found[:, 0]
    keys[0] <<= bits
    keys[0] |= found[:, 1]
    order = order_of(keys, 2 * bits)
    a, b = np.empty((2, len(found)), np.int32)
    tasks = np.empty((len(found), 3), np.int32)
    rows, count = write_rows(found, order, a, b, tasks)
    return a[:rows], b[:rows], tasks[:count]


@kernel
def write_rows(found, order, a, b, tasks):
    """See `number_pairs`; returns how many pairs of objects and how many tasks."""
    rows = 0
    count = 0
    for k in range(order.shape[0]):
        i = order[k]
        if rows == 0 or found[i, 0] != a[rows - 1] or found[i, 1] != b[rows - 1]:
            a[rows] = found[i, 0]
            b[rows] = found[i, 1]
            rows += 1
        if found[i, 2] >= 0:
            tasks[count, 0] = rows - 1
            tasks[count, 1] = found[i, 2]
            tasks[count, 2] = found[i, 3]
            count += 1
    return rows, count
