# SPDX-License-Identifier: GPL-3.0-or-later
"""The one order of contacts, whatever order threads find them in: by pair of objects, triangle of a, triangle of b."""
import numpy as np

from ..arrays import Corners
from ..jit import kernel

DIGIT = 11                          # bits sorted by at a time
KEY = 63                            # bits that a packed key may have


def canonical_order(hits: np.ndarray, a: np.ndarray, b: np.ndarray, corners: Corners) -> np.ndarray:
    """(n,) int32: the rows of `hits` in canonical order.

    hits: (n,3) int32 rows of pair, slot of a, slot of b; a, b: (pairs,) int32, objects of each pair. A radix sort:
    about a tenth of the time of `np.lexsort`.
    """
    bits_pair, bits = max(1, len(a).bit_length()), max(1, len(corners.order).bit_length())
    rows = np.empty((2, len(hits)), np.int32)
    if bits_pair + 2 * bits > KEY:
        slots = corners.triangle_start[a[hits[:, 0]]] + hits[:, 1], corners.triangle_start[b[hits[:, 0]]] + hits[:, 2]
        return np.lexsort((corners.order[slots[1]], corners.order[slots[0]], hits[:, 0])).astype(np.int32)
    keys = np.empty((2, len(hits)), np.int64)
    pack_keys(hits, a, b, corners.triangle_start, corners.order, bits, keys[0], rows[0])
    last = sort_keys(keys, rows, np.empty(1 << DIGIT, np.int64), bits_pair + 2 * bits)
    return rows[last]


@kernel
def pack_keys(hits, object_a, object_b, triangle_start, order, bits, keys, rows):
    """keys[k] = pair, triangle of a, triangle of b of row k as one number, rows[k] = k."""
    for k in range(hits.shape[0]):
        pair = hits[k, 0]
        t = order[triangle_start[object_a[pair]] + hits[k, 1]]
        u = order[triangle_start[object_b[pair]] + hits[k, 2]]
        keys[k] = (((np.int64(pair) << bits) | np.int64(t)) << bits) | np.int64(u)
        rows[k] = k


@kernel
def sort_keys(keys, rows, place, bits):
    """Stable radix sort of keys[0] with rows[0], the second rows being scratch; returns which row holds the result.

    keys: (2,n) int64 ≥ 0, less than 2^bits; rows: (2,n) int32; place: (2^DIGIT,) int64, scratch. Digits that are the
    same everywhere are passed over.
    """
    n = keys.shape[1]
    now = 0
    for shift in range(0, bits, DIGIT):
        for digit in range(place.shape[0]):
            place[digit] = 0
        for k in range(n):
            place[(keys[now, k] >> shift) & (place.shape[0] - 1)] += 1
        if n == 0 or place[(keys[now, 0] >> shift) & (place.shape[0] - 1)] == n:
            continue
        start = 0
        for digit in range(place.shape[0]):
            count = place[digit]
            place[digit] = start
            start += count
        for k in range(n):
            digit = (keys[now, k] >> shift) & (place.shape[0] - 1)
            keys[1 - now, place[digit]] = keys[now, k]
            rows[1 - now, place[digit]] = rows[now, k]
            place[digit] += 1
        now = 1 - now
    return now
