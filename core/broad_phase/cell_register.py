# SPDX-License-Identifier: GPL-3.0-or-later
"""Which items are in which cells, and pairs of items that share a cell.

Only cells that hold something are kept, in ascending order of their numbers, so that memory grows with what is in the
grid and not with the 8^k cells. Where boxes would take more than MAX_ENTRIES cells, the largest of them count as being
in every cell.
"""
from collections.abc import Callable, Iterator

import numpy as np

from ..machine_code.jit import kernel
from ..radix_sort import order_of
from ..records import CellRegister, GridItems

MAX_ENTRIES = 1 << 22           # of a register: 24 bytes each, and twice that while they are sorted
PAIRS_PER_BLOCK = 1 << 12       # that come in one go, besides as many as there are items
MAX_COMPARISONS_PER_CALL = 1 << 26      # of the kernel: a fraction of a second


def register_cells(first: np.ndarray, last: np.ndarray, side: int, fill: Callable) -> CellRegister:
    """The register of items whose cells are among those from first to last, (items,3) int64.

    side: cells per axis. fill(first, last, start, cells): writes the cells of each item, and where they begin; returns
    their number.
    """
    size = (last - first + 1).prod(axis=1)
    entries, everywhere = int(size.sum()), np.zeros(0, np.int64)
    if entries > MAX_ENTRIES:
        largest = np.argsort(-size, kind="stable")
        everywhere = np.sort(largest[entries - np.cumsum(size[largest]) + size[largest] > MAX_ENTRIES])
        entries -= int(size[everywhere].sum())
        last = last.copy()
        last[everywhere] = first[everywhere] - 1
    start, cells = np.empty(len(first) + 1, np.int64), np.empty(entries + 1, np.int64)
    cells = cells[:fill(first, last, start, cells)]
    keys = np.empty((2, len(cells)), np.int64)
    keys[0] = cells
    order = order_of(keys, 3 * (side.bit_length() - 1))
    members, group = np.empty(len(cells), np.int32), np.empty(len(cells), np.int64)
    group_start = np.empty(len(cells) + 1, np.int64)
    groups = group_by_cell(start, cells, order, np.empty(len(cells), np.int32), members, group, group_start)
    group_start = group_start[:groups + 1]
    return CellRegister(start, group, cells[order[group_start[:-1]]], group_start, members, everywhere)


@kernel
def group_by_cell(start, cells, order, item, members, group, group_start):
    """Fill the arrays of CellRegister from the ascending order of its entries' cells; returns the number of groups.
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


def _no_items() -> GridItems:
    start = np.zeros(1, np.int64)
    register = CellRegister(start, start[:0], start[:0], start, np.zeros(0, np.int32), start[:0])
    return GridItems(start[:0], np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)), register)


NO_ITEMS = _no_items()


def pairs_sharing_cells(moving: GridItems, still: GridItems, rank: np.ndarray, tick) -> tuple[np.ndarray, int]:
    """(pairs, tests): all that `blocks_sharing_cells` yields, (k,4) int32, and how many pairs were tested."""
    stats = np.zeros(1, np.int64)
    found = np.concatenate([np.zeros((0, 4), np.int32), *blocks_sharing_cells(moving, still, rank, tick, stats)])
    return found, int(stats[0])


def blocks_sharing_cells(moving: GridItems, still: GridItems, rank: np.ndarray, tick,
                         stats: np.ndarray) -> Iterator[np.ndarray]:
    """Yield (k,4) int32 rows of objects a < b, node of a, node of b: pairs of two moving items, and of a moving and a
    still one, that share a cell and whose projections on x, y and z overlap (§3.1).

    Each pair comes once, in blocks of about as many as there are items. rank: (moving items,) int64; two moving items
    of equal rank are no pair. tick(): may raise Cancelled. stats: (1,) int64, counts the pairs that meet in a cell and
    are tested, one that shares several cells in each of them.
    """
    here, there = moving.register, still.register
    match = np.searchsorted(there.cells, here.cells)
    match[match == len(there.cells)] = -1
    if len(there.cells):
        match[there.cells[match] != here.cells] = -1
    seen, seen_still = np.full(len(moving.owner), -1, np.int32), np.full(len(still.owner), -1, np.int32)
    buffer = np.empty((len(seen) + len(seen_still) + PAIRS_PER_BLOCK, 4), np.int32)
    yield from _pairs_everywhere(moving, still, rank, tick, stats)
    i = 0
    step = 1 + MAX_COMPARISONS_PER_CALL // len(buffer)
    while i < len(seen):
        tick()
        i, count = pairs_in_cells(i, min(i + step, len(seen)), moving, still, rank, match, seen, seen_still, buffer,
                                  stats)
        yield buffer[:count].copy()


def _pairs_everywhere(moving: GridItems, still: GridItems, rank: np.ndarray, tick,
                      stats: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the pairs of an item that is in every cell with any other item, as in `blocks_sharing_cells`."""
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
        stats += mask.sum()
        mask &= ~((low > high[item]) | (low[item] > high)).any(axis=1)
        others = np.flatnonzero(mask)
        swap = owner[others] < owner[item]
        first, second = np.where(swap, others, item), np.where(swap, item, others)
        yield np.stack([owner[first], owner[second], node[first], node[second]], axis=1).astype(np.int32)


@kernel
def pairs_in_cells(i, stop, moving, still, rank, match, seen, seen_still, pairs, stats):
    """Write the pairs of the moving items i … stop - 1 with items that share a cell, moving ones of a higher rank and
    still ones; returns (next i, number of pairs).

    moving, still: GridItems. match: (groups,) int64, the group of the same cell among still items, or -1. seen,
    seen_still: int32, -1 at first, each other item's last partner. pairs: (at least as many as all items, 4) int32.
    stats: (1,) int64, counts the pairs that were tested.
    """
    here = moving.register
    there = still.register
    start = here.start
    group = here.group
    group_start = here.group_start
    members = here.members
    owner = moving.owner
    node = moving.node
    count = 0
    tests = 0
    while i < stop and count + seen.shape[0] + seen_still.shape[0] <= pairs.shape[0]:
        for entry in range(start[i], start[i + 1]):
            g = group[entry]
            for k in range(group_start[g], group_start[g + 1]):
                j = members[k]
                tests += rank[j] > rank[i]
                if rank[j] > rank[i] and seen[j] != i:
                    seen[j] = i
                    if projections_overlap(moving, i, moving, np.int64(j)):
                        write_pair(owner[i], node[i], owner[j], node[j], pairs, count)
                        count += 1
            g = match[g]
            if g < 0:
                continue
            tests += there.group_start[g + 1] - there.group_start[g]
            for k in range(there.group_start[g], there.group_start[g + 1]):
                j = there.members[k]
                if seen_still[j] != i:
                    seen_still[j] = i
                    if projections_overlap(moving, i, still, np.int64(j)):
                        write_pair(owner[i], node[i], still.owner[j], still.node[j], pairs, count)
                        count += 1
        i += 1
    stats[0] += tests
    return i, count


@kernel
def projections_overlap(one, i, other, j):
    """False where item i of the one and item j of the other are apart on x, y or z. NaN overlaps everything."""
    apart = False
    for x in range(3):
        apart |= (one.low[i, x] > other.high[j, x]) | (other.low[j, x] > one.high[i, x])
    return not apart


@kernel
def write_pair(owner_i, node_i, owner_j, node_j, pairs, k):
    """pairs[k] = the lower object, the higher one, and their nodes."""
    swap = owner_j < owner_i
    pairs[k, 0] = min(owner_i, owner_j)
    pairs[k, 1] = max(owner_i, owner_j)
    pairs[k, 2] = node_j if swap else node_i
    pairs[k, 3] = node_i if swap else node_j


def number_pairs(found: np.ndarray, objects: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(a, b, tasks): each pair of objects once, (pairs,) int32, ordered; (l,3) int32 rows of a pair, node of a, node of
    b, ordered by pair, for those rows of `found` that have nodes (≥ 0).

    found: (k,4) int32, as from `blocks_sharing_cells`; objects: how many there are.
    """
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
    """Fill the arrays of `number_pairs`; returns how many pairs of objects and how many tasks there are."""
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
