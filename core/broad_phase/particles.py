# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes as particles: all pairs of oriented boxes that may meet, by the distances of their centres.

After Tang, Hou, Wu, Gong, Zhang and Zhong, "Hybrid collision detection algorithm based on particle conversion and
bounding box", Journal of Harbin Engineering University 39(10), 2018, sections 2.2 and 2.3 (docs/methods/particle.md).
The document asks every pair. Here a sweep finds those that are close along two axes, a bounded number at a time, and
these are asked the document's question at once.
"""
import numpy as np

from ..alike import kinds_of
from .pair_order import bits_for, ordered_pairs, pair_codes
from .sweep import sweep

SIZE_BITS = 10              # that sizes of the same kind of box have in common: they agree to a thousandth
REACH_NOISE = 2.0 ** -49    # of the restoration distance, and
POINT_NOISE = 2.0 ** -50    # of the points: twice their rounding (docs/methods/particle.md)
UNDERFLOW = 2.0 ** -1050    # more than gradual underflow takes away
MAX_COORDINATE = 2.0 ** 900     # of a point


def close_pairs(centre: np.ndarray, axes: np.ndarray, half: np.ndarray, tick=lambda fraction: None,
                wider: np.ndarray | None = None, scale: float | None = None,
                count=lambda tests: None) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32, a < b, ordered: boxes whose distance is no more than the restoration distance on every axis.

    centre (n,3), axes (n,3,3) with the directions as rows, half (n,3): float64, oriented boxes. Two boxes that meet are
    never left out, whatever rounding does. tick(fraction): called now and then, may raise Cancelled. wider: (n,3)
    float64, by how much each box reaches farther along the world's axes. scale: the conversion coefficient, by default
    that of the unit box; it changes nothing but which pairs rounding lets through besides. count(tests): see `sweep`.
    """
    bits = bits_for(len(centre))
    scale = coefficient(half, tick) if scale is None else scale
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        points, extents = particles(centre, axes, half, scale, wider)
        tick(0.0)
        reach = extents * (1.0 + REACH_NOISE) + POINT_NOISE * np.abs(points) + UNDERFLOW
        low, high = np.nextafter(points - reach, -np.inf), np.nextafter(points + reach, np.inf)
        codes = [pair_codes(*_restored(points, reach, i, j), bits) for i, j in sweep(low, high, tick, count)]
    return ordered_pairs(codes, bits)


def unit_box(half: np.ndarray, tick=lambda fraction: None) -> np.ndarray:
    """(3,) float64: half sizes, the largest first, of the most common kind of box among half (n,3), and of several such
    kinds, of the smallest.

    Sizes count as equal where they agree after rounding to SIZE_BITS bits. Those of instances of one mesh do, whatever
    their rotation, although their boxes were computed with rounding.
    """
    mantissa, exponent = np.frexp(-np.sort(-half, axis=1))
    sizes = np.ldexp(np.round(mantissa * (1 << SIZE_BITS)), exponent - SIZE_BITS)
    first, kind = kinds_of(sizes.T, lambda: tick(0.0))
    return sizes[first[np.bincount(kind).argmax()]]


def coefficient(half: np.ndarray, tick=lambda fraction: None) -> float:
    """The conversion coefficient s: the longest edge of the unit box, 1 where that is a point. half: (n,3)."""
    longest = 2.0 * float(unit_box(half, tick)[0]) if len(half) else 0.0
    return longest if 0.0 < longest < np.inf else 1.0


def particles(centre: np.ndarray, axes: np.ndarray, half: np.ndarray, scale: float,
              wider: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(points, extents), (n,3) float64: the centres over s (equations 2–4), and the half extents of the boxes on the
    world's axes over s, where `wider` (n,3) is added before.

    The document takes half extents along each box's own axes. On the world's axes a rotated box reaches farther.
    """
    scale = max(scale, float(np.abs(centre).max(initial=0.0)) / MAX_COORDINATE)
    sides = np.abs(axes) * (half / scale)[:, :, None]       # scaled first: or tiny products would underflow
    extents = sides[:, 0] + sides[:, 1] + sides[:, 2]
    return centre / scale, extents if wider is None else extents + wider / scale


def restoration_distance(extents: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """(k,3) float64: the distance per axis up to which boxes i and j have to be compared as boxes (equations 5–7)."""
    return extents[i] + extents[j]


def _restored(points: np.ndarray, reach: np.ndarray, i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pairs that become boxes again: on no axis farther apart than the restoration distance (equations 8–10)."""
    apart = np.abs(points[i] - points[j])
    drop = (apart > restoration_distance(reach, i, j)).any(axis=1)      # False where a number is none: such are kept
    return i[~drop], j[~drop]
