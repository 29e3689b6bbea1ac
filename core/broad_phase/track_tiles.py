# SPDX-License-Identifier: GPL-3.0-or-later
"""The possible collision set: pairs of objects whose track boxes share a tile, by a hash table of tiles in layers.

After Luo, Hao and Fan (2003), sections 1.1 and 1.2; docs/methods/pcs.md. A track box lies around an object's whole way,
and its cube is the smallest one around it. A layer has the objects whose cubes are at most twice as large as one
another. Its tiles are larger than these, so that a box is in at most eight of them. An object is kept in the tiles of
its own layer, and looks for others in those and in the tiles of all layers of larger ones. The edge of a tile is a
power of two, so that its whole-numbered coordinates are exact.
"""
import math

import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..memory import refuse_beyond
from ..pair_table import BYTES_PER_PAIR
from ..trees.bounds import HIGH
from .pair_order import bits_for, ordered_pairs, pair_codes

FINEST = 58                 # binary orders between the largest coordinate and the least tile: coordinates stay int64
OBJECTS_PER_CALL = 1 << 12  # of the kernel: some milliseconds
NEXT, ENTRIES, SHARED, FOUND = range(4)     # of `counts`: object in turn, entries in tiles, pairs that share, overlap
MIX = 0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9, 0x14D049BB133111EB, 0x2545F4914F6CDD1D        # odd, of a hash


def possible_set(bounds: np.ndarray, moves: np.ndarray, tick, count=lambda tests: None):
    """(a, b) int32, a < b, ordered: objects whose track boxes overlap, touching included, of which at least one moves.

    bounds: (n,6) float64, lo x y z hi x y z; moves: (n,) bool. tick(): called now and then, may raise Cancelled.
    count(tests): told how many pairs share a tile, each counted once. Raises TooLarge where there is no memory for so
    many pairs.
    """
    n = len(bounds)
    exponent, layer = np.unique(_exponents(bounds), return_inverse=True)
    scales = np.ldexp(1.0, -exponent)
    order = np.lexsort((moves, -layer))         # the largest first, and of a layer what rests
    own = scales[layer][:, None]
    tiles = np.prod(1.0 + np.floor(bounds[:, HIGH:] * own) - np.floor(bounds[:, :HIGH] * own), axis=1)
    slots = 1 << max(4, int(2.0 * tiles.sum()).bit_length())
    refuse_beyond(40 * slots, "The tiles of these objects")
    table = np.empty((slots, 4), np.int64), np.full(slots, -1, np.int32), np.empty((slots, 2), np.int32)
    pairs, counts = np.empty((8 * n + 64, 2), np.int32), np.zeros(4, np.int64)
    while counts[NEXT] < n:
        until = min(n, int(counts[NEXT]) + OBJECTS_PER_CALL)
        if not share_tiles(bounds, order, layer.astype(np.int64), moves.view(np.uint8), scales, *table, pairs, counts,
                           until):
            refuse_beyond(BYTES_PER_PAIR * 2 * len(pairs), "The pairs of these objects")
            pairs = np.concatenate([pairs, np.empty_like(pairs)])
        tick()
    count(int(counts[SHARED]))
    found, bits = pairs[:counts[FOUND]], bits_for(n)
    return ordered_pairs([pair_codes(found[:, 0], found[:, 1], bits)], bits)


def _exponents(bounds: np.ndarray) -> np.ndarray:
    """(n,) int64: the edge of an object's tiles is two to the power of this, more than that of its cube."""
    cube = (bounds[:, HIGH:] - bounds[:, :HIGH]).max(axis=1, initial=0.0)
    farthest = math.frexp(np.abs(bounds).max(initial=0.0))[1]
    return np.maximum(np.frexp(cube)[1].astype(np.int64), farthest - FINEST)


@kernel
def share_tiles(bounds, order, layer, moves, scales, tiles, head, entries, pairs, counts, until):
    """Put the objects order[counts[NEXT]] … order[until - 1] into tiles, and write the pairs whose boxes overlap.

    False where `pairs` is full: then it is to be called again with more memory. order: what is in a tile before an
    object looks there. scales: (layers,) float64, of coordinates to tiles, finest first. tiles, head, entries: the hash
    table: x, y, z and layer of a slot's tile; its first entry, -1 for an empty slot; object and next entry. counts:
    (4,) int64, 0 at first.
    """
    layers = scales.shape[0]
    while counts[NEXT] < until:
        i = order[counts[NEXT]]
        own = int(layer[i])
        kind = 1 if moves[i] else 0
        shared = counts[SHARED]
        found = counts[FOUND]
        for k in range(own, layers):
            if kind == 1:                   # what rests looks for what moves, and only in layers of larger ones
                look_up(i, k, 0, bounds, scales, tiles, head, entries, pairs, counts)
            if kind == 1 or k > own:
                look_up(i, k, 1, bounds, scales, tiles, head, entries, pairs, counts)
        if counts[FOUND] > pairs.shape[0]:
            counts[SHARED] = shared
            counts[FOUND] = found
            return False
        put_in(i, own, kind, bounds, scales, tiles, head, entries, counts)
        counts[NEXT] += 1
    return True


@kernel
def slot_of(x, y, z, kind, tiles, head):
    """The slot of a tile, or the empty one that it would have. kind: twice its layer, and 1 more for what moves."""
    mask = tiles.shape[0] - 1
    slot = ((x * MIX[0] + y * MIX[1] + z * MIX[2] + kind * MIX[3]) >> 20) & mask
    while head[slot] >= 0 and not (tiles[slot, 0] == x and tiles[slot, 1] == y and tiles[slot, 2] == z
                                   and tiles[slot, 3] == kind):
        slot = (slot + 1) & mask
    return slot


@kernel
def put_in(i, layer, kind, bounds, scales, tiles, head, entries, counts):
    """Enter an object in the tiles of its own layer."""
    scale = scales[layer]
    for x in range(math.floor(bounds[i, 0] * scale), math.floor(bounds[i, 3] * scale) + 1):
        for y in range(math.floor(bounds[i, 1] * scale), math.floor(bounds[i, 4] * scale) + 1):
            for z in range(math.floor(bounds[i, 2] * scale), math.floor(bounds[i, 5] * scale) + 1):
                slot = slot_of(x, y, z, 2 * layer + kind, tiles, head)
                tiles[slot, 0] = x
                tiles[slot, 1] = y
                tiles[slot, 2] = z
                tiles[slot, 3] = 2 * layer + kind
                entry = counts[ENTRIES]
                entries[entry, 0] = i
                entries[entry, 1] = head[slot]
                head[slot] = entry
                counts[ENTRIES] += 1


@kernel
def look_up(i, layer, kind, bounds, scales, tiles, head, entries, pairs, counts):
    """Count the objects in a layer's tiles that object i shares, and write the pairs with those whose boxes overlap.

    A pair that shares several tiles counts in the last of the first tiles of both, along each axis.
    """
    scale = scales[layer]
    for x in range(math.floor(bounds[i, 0] * scale), math.floor(bounds[i, 3] * scale) + 1):
        for y in range(math.floor(bounds[i, 1] * scale), math.floor(bounds[i, 4] * scale) + 1):
            for z in range(math.floor(bounds[i, 2] * scale), math.floor(bounds[i, 5] * scale) + 1):
                entry = head[slot_of(x, y, z, 2 * layer + kind, tiles, head)]
                while entry >= 0:
                    j = unsigned(entries[unsigned(entry), 0])
                    entry = entries[unsigned(entry), 1]
                    if (x == math.floor(max(bounds[i, 0], bounds[j, 0]) * scale)
                            and y == math.floor(max(bounds[i, 1], bounds[j, 1]) * scale)
                            and z == math.floor(max(bounds[i, 2], bounds[j, 2]) * scale)):
                        counts[SHARED] += 1
                        if (bounds[i, 0] <= bounds[j, 3] and bounds[j, 0] <= bounds[i, 3]
                                and bounds[i, 1] <= bounds[j, 4] and bounds[j, 1] <= bounds[i, 4]
                                and bounds[i, 2] <= bounds[j, 5] and bounds[j, 2] <= bounds[i, 5]):
                            if counts[FOUND] < pairs.shape[0]:
                                pairs[counts[FOUND], 0] = i
                                pairs[counts[FOUND], 1] = j
                            counts[FOUND] += 1
