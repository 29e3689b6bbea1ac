# SPDX-License-Identifier: GPL-3.0-or-later
"""The openings of meshes that are not closed: is a thing inside such a mesh shut in, or could it leave?

An opening is a connected piece of border: of edges that an odd number of triangles has, vertices at one position
counting as one. docs/decisions/0010 says what follows from it.
"""
from dataclasses import dataclass

import numpy as np

from ..machine_code.jit import kernel
from .closedness import number_positions
from .components import components
from .edges import DIRECTION, HIGH_END, edges_of

MOST_OPENINGS = 512     # of a mesh; more are no door, but triangles that lie about


@dataclass(frozen=True, eq=False)
class Openings:
    """The borders of a mesh. Edges of an opening follow one another."""

    ends: np.ndarray            # (edges,2,3) float64: ends of border edges, local, turned as their triangles have them
    start: np.ndarray           # (openings + 1,) int64, first edge of each
    component: np.ndarray       # (openings,) int32, component of the mesh that it is in
    components: int             # how many the mesh has


def openings_of(vertices: np.ndarray, triangles: np.ndarray) -> Openings:
    """Of a mesh: vertices (n,3) float64, triangles (m,3) int32."""
    number = np.empty(len(vertices), np.int32)
    table = np.full(4 << len(vertices).bit_length(), -1, np.int32)
    positions = number_positions((vertices + 0.0).view(np.uint64), table, number)       # + 0.0: -0 is 0
    merged = number[triangles]
    first, component = components(merged, positions)
    edges = edges_of(merged, positions)
    low = np.repeat(np.arange(positions, dtype=np.int32), np.diff(edges.start))
    ends = np.stack([low, edges.wings[:, HIGH_END]], axis=1)
    begin = np.flatnonzero(np.r_[True, (ends[1:] != ends[:-1]).any(axis=1)])[:len(ends)]
    count = np.diff(np.r_[begin, len(ends)])
    turn = np.add.reduceat(edges.wings[:, DIRECTION], begin) if len(begin) else begin
    odd = count % 2 == 1
    ends, turn = ends[begin[odd]], turn[odd]
    ends[turn < 0] = ends[turn < 0, ::-1]
    opening = components(np.stack([ends[:, 0], ends[:, 1], ends[:, 1]], axis=1), positions)[1]
    order = np.argsort(opening, kind="stable")
    found = int(opening.max()) + 1 if len(opening) else 0
    where, part = np.empty((positions, 3)), np.empty(positions, np.int32)
    where[number] = vertices
    part[merged] = component[:, None]
    start = np.searchsorted(opening[order], np.arange(found + 1))
    return Openings(where[ends[order]], start, part[ends[order[start[:-1]], 0]], len(first))


def lets_out(openings: Openings, pose: np.ndarray, diameters: np.ndarray) -> np.ndarray:
    """(n,) bool: a ball of this diameter could leave each component of the mesh by an opening.

    An opening of area A and length L holds a disc of diameter 2 A / L, where it is flat and convex. From A the areas of
    other openings are taken that are nearer than the diameter, and their lengths are added to L: two half shells whose
    rims almost meet let nothing out.

    pose: (3,4) float64; diameters: (n,) float64, world lengths.
    """
    found = len(openings.component)
    if not 0 < found <= MOST_OPENINGS:
        return np.zeros(len(diameters), bool)
    ends = openings.ends @ pose[:, :3].T
    ends -= 0.5 * ends.min(axis=(0, 1)) + 0.5 * ends.max(axis=(0, 1))   # a closed curve has the same area anywhere
    ends, diameters = _about_one(ends, diameters)
    first = openings.start[:-1]
    area = 0.5 * np.linalg.norm(np.add.reduceat(np.cross(ends[:, 0], ends[:, 1]), first), axis=1)
    length = np.add.reduceat(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), first)
    low, high = np.minimum.reduceat(ends.min(axis=1), first), np.maximum.reduceat(ends.max(axis=1), first)
    answer = np.zeros(len(diameters), np.uint8)
    wide_enough(np.concatenate([low, high], axis=1), area, length, openings.component, diameters,
                np.empty(openings.components, np.uint8), answer)
    return answer > 0


def _about_one(ends: np.ndarray, diameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both times the power of two that makes the largest coordinate about 1, so that areas are in range."""
    with np.errstate(over="ignore"):        # an infinite diameter fits nowhere
        exponent = -np.frexp(np.abs(ends).max())[1]
        return np.ldexp(ends, exponent), np.ldexp(diameters, exponent)


@kernel
def wide_enough(boxes, area, length, component, diameters, wide, answer):
    """answer[k] = 1 where each component has an opening for a ball of this diameter; see `lets_out`.

    boxes: (openings,6) float64, lo x y z hi x y z; area, length: (openings,) float64; component: (openings,) int32;
    wide: (components,) uint8, scratch; answer: (n,) uint8, zero.
    """
    for k in range(diameters.shape[0]):
        diameter = diameters[k]
        for part in range(wide.shape[0]):
            wide[part] = 0
        for i in range(area.shape[0]):
            free = area[i]
            rim = length[i]
            for j in range(area.shape[0]):
                square = 0.0
                for x in range(3):
                    gap = max(0.0, max(boxes[i, x] - boxes[j, 3 + x], boxes[j, x] - boxes[i, 3 + x]))
                    square += gap * gap
                if i != j and square < diameter * diameter:
                    free -= area[j]
                    rim += length[j]
            if free > 0.0 and 2.0 * free >= diameter * rim:
                wide[component[i]] = 1
        everywhere = True
        for part in range(wide.shape[0]):
            everywhere = everywhere and wide[part] == 1
        answer[k] = everywhere
