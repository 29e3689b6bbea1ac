# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that meet without passing through each other: do the solids share volume all the same?

Two aligned boxes that are pushed into each other meet in coplanar faces and along edges only. Whether one object has
a part inside the other is asked at every corner of its triangles that meet the other one: an infinitely small step
from the corner into the triangle, is one inside the other mesh, outside it, or on it? And at a vertex of each part of
it that does not meet the other one.
"""
import numpy as np

from ..report import CONTAINED, OVERLAP
from ..trees.forest import Forest
from .closed import OPEN
from .contacts import Contacts
from .inside import DECIDES, closedness_of, parts_of
from .rays import FLAT, ON, UNKNOWN, locate_corners, scratch

INSIDE, OUTSIDE, SAME = 1, 2, 4         # what was found of one object against the other


def shared_volume(forest: Forest, a: np.ndarray, b: np.ndarray, contacts: Contacts, rows: np.ndarray,
                  verdict: np.ndarray, tick) -> None:
    """Set verdict[rows] to CONTAINED where one object lies in the other, to OVERLAP where they share some volume.

    a, b: (pairs,) int32, positions in the forest; contacts: all of these pairs; rows: pairs that touch.
    """
    for batch in forest.batches(a[rows], b[rows]) if len(rows) else ():
        tick(batch.start / len(rows))
        here = rows[batch]
        wanted = np.isin(contacts.pair, here)
        pair = np.searchsorted(here, contacts.pair[wanted])
        of_a = _evidence(forest, a[here], b[here], pair, contacts.triangle_a[wanted])
        of_b = _evidence(forest, b[here], a[here], pair, contacts.triangle_b[wanted])
        sharing = (of_a | of_b) & INSIDE > 0
        whole = ((of_a & (INSIDE | OUTSIDE)) == INSIDE) | ((of_b & (INSIDE | OUTSIDE)) == INSIDE)
        same = (of_a == SAME) & (of_b == SAME)      # nothing but common surface: the same solid twice
        verdict[here[sharing | same]] = OVERLAP
        verdict[here[whole]] = CONTAINED


def _evidence(forest: Forest, inner: np.ndarray, outer: np.ndarray, pair: np.ndarray,
              triangle: np.ndarray) -> np.ndarray:
    """(pairs,) uint8 of INSIDE, OUTSIDE, SAME: what of inner[i] was found against outer[i]; 0 where outer[i] is not
    closed. pair, triangle: (contacts,) triangles of inner[pair] that meet the other object."""
    closed = np.array([closedness_of(forest, obj) for obj in outer], np.int8)
    use = closed[pair] != OPEN
    pair, triangle = np.unique(np.stack([pair[use], triangle[use]]), axis=1)
    corners = _corners(forest, inner[pair], triangle)
    germs = np.concatenate([corners, np.roll(corners, -1, axis=1), np.roll(corners, -2, axis=1)])
    germ_pair = np.tile(pair, 3)
    free_pair, free = _free_starts(forest, inner, np.flatnonzero(closed != OPEN), pair, triangle)
    found = np.zeros(len(inner), np.uint8)
    for owner, places in ((germ_pair, germs), (free_pair, free)):
        answer = _locate(forest, places, outer[owner])
        decides = np.array([DECIDES[kind] for kind in closed[owner]], np.uint8)
        known = answer & (UNKNOWN | FLAT) == 0
        on = answer & ON > 0
        inside = answer & decides > 0
        for meaning, mask in ((SAME, on), (INSIDE, ~on & inside), (OUTSIDE, ~on & ~inside)):
            found[np.unique(owner[known & mask])] |= meaning
    return found


def _corners(forest: Forest, objects: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n,3,3) float64 world coordinates of triangles, by number, of placed objects."""
    corners = np.empty((len(objects), 3), np.int64)
    for obj in np.unique(objects):
        mine = objects == obj
        mesh = forest.scene.meshes[forest.scene.objects[forest.objects[obj]].mesh]
        corners[mine] = forest.world_start[obj] + mesh.triangles[triangles[mine]]
    return forest.world[corners]


def _free_starts(forest: Forest, inner: np.ndarray, rows: np.ndarray, pair: np.ndarray,
                 triangle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) pairs and (n,3,3) triangles that do not meet the other object, one for each part of inner[rows] that has
    one."""
    pairs, places = [], []
    for row in rows:
        starts = parts_of(forest, forest.scene.objects[forest.objects[inner[row]]].mesh)
        starts = starts[~np.isin(starts, triangle[pair == row])]
        pairs.append(np.full(len(starts), row))
        places.append(_corners(forest, np.full(len(starts), inner[row]), starts))
    return np.concatenate(pairs + [np.zeros(0, int)]), np.concatenate(places + [np.zeros((0, 3, 3))])


def _locate(forest: Forest, corners: np.ndarray, outer: np.ndarray) -> np.ndarray:
    answer = np.zeros(len(corners), np.uint8)
    locate_corners(np.ascontiguousarray(corners), outer, forest.root, forest.box_start, forest.node_start,
                   forest.meshes.children, forest.boxes, forest.frame, *forest.corners, *scratch(), answer)
    return answer
