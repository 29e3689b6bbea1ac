# SPDX-License-Identifier: GPL-3.0-or-later
"""The one order of contacts, whatever order threads find them in: by pair of objects, triangle of a, triangle of b."""
import numpy as np

from ..machine_code.jit import kernel
from ..radix_sort import KEYS_AT_ONCE, order_of
from ..records import Corners

KEY_BITS = 63                       # that a packed key may have


def canonical_order(hits: np.ndarray, a: np.ndarray, b: np.ndarray, corners: Corners, tick=None) -> np.ndarray:
    """(n,) int32: the rows of `hits` in canonical order.

    hits: (n,3) int32, rows of pair, slot of a, slot of b; a, b: (pairs,) int32, objects of each pair; tick: called now
    and then, may raise. A radix sort, which takes an eighth of the time of `np.lexsort`.
    """
    bits_pair, bits = max(1, len(a).bit_length()), max(1, len(corners.order).bit_length())
    if bits_pair + 2 * bits > KEY_BITS:
        slots = corners.triangle_start[a[hits[:, 0]]] + hits[:, 1], corners.triangle_start[b[hits[:, 0]]] + hits[:, 2]
        return np.lexsort((corners.order[slots[1]], corners.order[slots[0]], hits[:, 0])).astype(np.int32)
    keys = np.empty((2, len(hits)), np.int64)
    for start in range(0, len(hits), KEYS_AT_ONCE):
        rows = slice(start, start + KEYS_AT_ONCE)
        pack_keys(hits[rows], a, b, corners, bits, keys[0, rows])
        if tick is not None:
            tick()
    return order_of(keys, bits_pair + 2 * bits, tick)


@kernel
def pack_keys(hits, object_a, object_b, corners, bits, keys):
    """keys[k] = pair, triangle of a, triangle of b of row k as one number. bits: those of a triangle."""
    triangle_start = corners.triangle_start
    order = corners.order
    for k in range(hits.shape[0]):
        pair = hits[k, 0]
        t = order[triangle_start[object_a[pair]] + hits[k, 1]]
        u = order[triangle_start[object_b[pair]] + hits[k, 2]]
        keys[k] = (((np.int64(pair) << bits) | np.int64(t)) << bits) | np.int64(u)
