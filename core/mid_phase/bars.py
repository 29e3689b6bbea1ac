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
    if not np.count_nonzero(askew):         # `any` takes four times as long
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
    while i < one.low.shape[0] and j < other.low.shape[0] and count < candidates.shape[0]:
        if one.low[i] <= other.low[j]:
            count, ahead = compare(pair, False, one, i, other, j, ahead, candidates, count)
            i += ahead == 0
        else:
            count, ahead = compare(pair, True, other, j, one, i, ahead, candidates, count)
            j += ahead == 0
    state[0], state[1], state[2] = i, j, ahead
    return count


@kernel
def compare(pair, turned, one, i, other, j, ahead, candidates, count):
    """Compare a triangle with those of the other side from the j-th on that begin within its extent; `ahead` of these
    have been looked at before. turned: it is the pair's second object whose triangle it is.

    Returns (how many candidates there are now, how many have been looked at where the buffer is full, else 0).
    """
    k = j + ahead
    while k < other.low.shape[0] and other.low[k] <= one.high[i]:
        if count == candidates.shape[0]:
            return count, k - j
        if boxes_overlap(one.box[i], other.box[k]):
            candidates[count, 0] = pair
            candidates[count, 1] = other.slot[k] if turned else one.slot[i]
            candidates[count, 2] = one.slot[i] if turned else other.slot[k]
            count += 1
        k += 1
    return count, 0


@kernel
def boxes_overlap(one, other):
    """True where two boxes (6,) have a point in common."""
    for x in range(3):
        if one[x] > other[HIGH + x] or other[x] > one[HIGH + x]:
            return False
    return True
