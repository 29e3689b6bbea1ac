# SPDX-License-Identifier: GPL-3.0-or-later
"""Two thin objects whose triangles are as long as they are: round bars, finely divided, that stand askew.

Their boxes along the axes all overlap, and no tree of such boxes tells their triangles apart: 1,000 by 1,000 of them
would be compared. Seen along both bars a triangle is as narrow as the bar is finely divided. So the triangles are
sorted along the direction across both, and only those are compared that reach equally far along it.
"""
from collections.abc import Iterator

import numpy as np

from ..machine_code.jit import kernel
from ..records import Extents, ThinObjects
from ..trees.bounds import HIGH
from .thin_objects import ALONG, ASKEW_BAR, CORE_NOISE, CORE_SIZE, MIDDLE, STRAIGHT_BAR, cores_apart

FEW_COMPARED = 1 << 14      # pairs of triangles that take no longer than to sort them
PARALLEL = 1e-3             # the sine of an angle: the direction across two bars says little below it


def pairs_of_bars(forest, thin: ThinObjects, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k,) int64, ascending: which of the pairs (a[i], b[i]) are two bars of many triangles, not both straight: boxes
    tell the triangles of those apart. forest: a Forest; a, b: (pairs,) int32."""
    askew = thin.kind == ASKEW_BAR
    if not askew.any():
        return np.zeros(0, np.int64)
    bar = askew | (thin.kind == STRAIGHT_BAR)
    both = (askew[a] | askew[b]) & bar[a] & bar[b]
    return np.flatnonzero(both & (forest.triangle_count[a] * forest.triangle_count[b] > FEW_COMPARED))


def compile_search() -> None:
    """Load or compile the kernels without a scene of bars."""
    side = Extents(np.zeros(1), np.ones(1), np.zeros(1, np.int32), np.zeros((1, 6)))
    overlaps(0, side, side, np.empty((1, 3), np.int32), np.zeros(3, np.int64))


def axis_of(forest, thin: ThinObjects, obj: int) -> np.ndarray:
    """(3,) float64: the direction in which a bar's triangles are long, of length 1. The core's leads from one rim to
    the opposite side of the other one, and is not as exact."""
    corners = _numbers(forest, obj)[_triangles(forest, obj)]
    edges = corners[:, [1, 2, 0]] - corners
    longest = edges[np.arange(len(edges)), np.einsum("nkx,nkx->nk", edges, edges).argmax(axis=1)]
    along = thin.core[obj, ALONG:ALONG + 3]
    mean = (np.where(longest @ along < 0.0, -1.0, 1.0)[:, None] * longest).sum(axis=0)
    return mean / np.linalg.norm(mean)


def candidates_of_bars(forest, thin: ThinObjects, axes: dict[int, np.ndarray], pair: int, a: int, b: int,
                       candidates: np.ndarray) -> Iterator[int]:
    """Write the candidates of a pair of bars, a bufferful at a time, and yield how many.

    forest: a Forest in which both, a and b, are placed; axes: `axis_of` both; candidates: (…,3) int32, rows of pair,
    slot of a, slot of b.
    """
    if cores_apart(thin.core[a], thin.core[b]):
        return
    way = across(axes[a], axes[b], thin.core[b, MIDDLE:MIDDLE + 3] - thin.core[a, MIDDLE:MIDDLE + 3])
    sides = [extents(forest, each, way, thin.core[each, CORE_SIZE]) for each in (a, b)]
    state = np.zeros(3, np.int64)
    while state[0] < len(sides[0].low) and state[1] < len(sides[1].low):
        yield overlaps(pair, *sides, candidates, state)


def across(one: np.ndarray, other: np.ndarray, aside: np.ndarray) -> np.ndarray:
    """(3,) float64: a direction of length 1 in which two bars are narrow, by their axes and the way from the middle of
    one to that of the other, (3,) each. Any direction is right."""
    for way in (np.cross(one, other), aside - (aside @ one) * one):
        length = np.linalg.norm(way)
        if length > PARALLEL:
            return way / length
    way = np.cross(one, np.eye(3)[np.argmin(np.abs(one))])
    return way / np.linalg.norm(way)


def extents(forest, obj: int, way: np.ndarray, size: float) -> Extents:
    """How far the triangles of an object reach along a direction. size: of the core of the object; by this rounding is
    bounded, and extents are larger by more than that."""
    numbers, triangles = _numbers(forest, obj), _triangles(forest, obj)
    x, y, z = numbers.T
    height, corners = (x * way[0] + y * way[1] + z * way[2])[triangles], numbers[triangles]
    low, high = height.min(axis=1) - CORE_NOISE * size, height.max(axis=1) + CORE_NOISE * size
    order = np.argsort(low, kind="stable")
    box = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    return Extents(low[order], high[order], order.astype(np.int32), box[order])


def _numbers(forest, obj: int) -> np.ndarray:
    """(n,3) float64: the vertices of a placed object, in the numbers of boxes."""
    vertices = slice(forest.world_start[obj], forest.world_start[obj] + forest.vertex_count[obj])
    return (forest.world[vertices] - forest.quantization[:3]) * forest.quantization[3]


def _triangles(forest, obj: int) -> np.ndarray:
    """(m,3) int32: the triangles of an object, by slot."""
    return forest.meshes.triangles[forest.triangle_start[obj]:forest.triangle_start[obj] + forest.triangle_count[obj]]


@kernel
def overlaps(pair, one, other, candidates, state):
    """Write pairs of triangles whose extents and boxes overlap, until the buffer is full or all are written; returns
    how many.

    one, other: Extents; state: (3,) int64, zeros at first: how many of each side are done, and how many of the other
    side have been looked at for the next one.
    """
    count = 0
    i, j, ahead = state[0], state[1], state[2]
    room = candidates.shape[0]
    while i < one.low.shape[0] and j < other.low.shape[0] and count < room:
        if one.low[i] <= other.low[j]:
            k = j + ahead
            while k < other.low.shape[0] and other.low[k] <= one.high[i] and count < room:
                count = add_if_near(pair, one, i, other, k, candidates, count)
                k += 1
            ahead = k - j if count == room else 0
            i += 0 if count == room else 1
        else:
            k = i + ahead
            while k < one.low.shape[0] and one.low[k] <= other.high[j] and count < room:
                count = add_if_near(pair, one, k, other, j, candidates, count)
                k += 1
            ahead = k - i if count == room else 0
            j += 0 if count == room else 1
    state[0], state[1], state[2] = i, j, ahead
    return count


@kernel
def add_if_near(pair, one, i, other, j, candidates, count):
    """The new number of candidates, with two triangles if their boxes overlap."""
    for x in range(3):
        if one.box[i, x] > other.box[j, HIGH + x] or other.box[j, x] > one.box[i, HIGH + x]:
            return count
    candidates[count, 0] = pair
    candidates[count, 1] = one.slot[i]
    candidates[count, 2] = other.slot[j]
    return count + 1
