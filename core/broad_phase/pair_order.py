# SPDX-License-Identifier: GPL-3.0-or-later
"""The one order of pairs of objects: a < b, by a, then by b."""
import numpy as np

from ..machine_code.jit import kernel
from ..radix_sort import in_order


def bits_for(objects: int) -> int:
    """How many bits the number of one of so many objects takes in a code."""
    return objects.bit_length()


def pair_codes(i: np.ndarray, j: np.ndarray, bits: int) -> np.ndarray:
    """(n,) int64: the pairs (i[k], j[k]), in either order, as one number each. i, j: (n,) whole numbers."""
    return (np.minimum(i, j).astype(np.int64) << bits) | np.maximum(i, j)


def ordered_pairs(codes: list[np.ndarray], bits: int) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32, a < b, ordered: the pairs with these codes, min << bits | max of two objects, (…,) int64 each."""
    keys = np.empty((2, sum(map(len, codes))), np.int64)
    np.concatenate([keys[0, :0], *codes], out=keys[0])
    keys = in_order(keys, 2 * bits)
    a, b = np.empty(len(keys), np.int32), np.empty(len(keys), np.int32)
    unpack_pairs(keys, bits, a, b)
    return a, b


@kernel
def unpack_pairs(keys, bits, a, b):
    """a[k], b[k] = the objects of a code."""
    for k in range(keys.shape[0]):
        a[k] = keys[k] >> bits
        b[k] = keys[k] & ((1 << bits) - 1)
