# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that meet without passing through each other: do the solids share volume all the same?

Two aligned boxes that are pushed into each other meet in coplanar faces and along edges only. Whether one object has
a part inside the other is asked of its triangles that meet the other one, an infinitely small step away from each of
their corners and from each edge that cuts them into pieces: is one inside the other mesh, outside it, or on it? And of
one triangle of each part that does not meet the other object.
"""
import numpy as np

from ..report import A_IN_B, B_IN_A, CONTAINED, OVERLAP
from ..trees.forest import Forest
from .closed import OPEN
from .contacts import POINT, Contacts
from .facts import MeshFacts
from .inside import DECIDES
from .pieces import places_at_edges
from .rays import FLAT, ON, UNKNOWN, locate_corners, scratch, share_a_side

# What was found of one object against the other: pieces of its surface inside it, outside it, on its surface, on its
# surface with both solids on the same side; numbers that span too much.
INSIDE, OUTSIDE, SAME, SHARED, UNSURE = 1, 2, 4, 8, 16


def shared_volume(forest: Forest, a: np.ndarray, b: np.ndarray, contacts: Contacts, rows: np.ndarray,
                  verdict: np.ndarray, inner: np.ndarray, unsure: np.ndarray, tick) -> None:
    """Set verdict[rows] to CONTAINED, and `inner`, where one object lies in the other, to OVERLAP where they share some
    volume, and unsure[rows] where numbers span too much for exact signs.

    a, b: (pairs,) int32, positions in the forest; contacts: all of these pairs; rows: pairs that touch.
    """
    for batch in forest.batches(a[rows], b[rows]) if len(rows) else ():
        tick(batch.start / len(rows))
        here = rows[batch]
        wanted = np.isin(contacts.pair, here)
        found = contacts.take(wanted)
        pair = np.searchsorted(here, found.pair)
        flat = found.kind != POINT
        of_a = _evidence(forest, a[here], b[here], pair, found.triangle_a, found.triangle_b, flat, True)
        of_b = _evidence(forest, b[here], a[here], pair, found.triangle_b, found.triangle_a, flat, False)
        sharing = (of_a | of_b) & (INSIDE | SHARED) > 0
        same = ((of_a | of_b) & (INSIDE | OUTSIDE) == 0) & (of_a & of_b & SAME > 0)     # the same solid twice
        verdict[here[sharing]] = OVERLAP
        for this, other, code in ((of_a, of_b, A_IN_B), (of_b, of_a, B_IN_A)):
            whole = (this & (INSIDE | SAME) > 0) & (this & OUTSIDE == 0) & (other & INSIDE == 0)
            contained = here[sharing & whole & ~same]
            verdict[contained], inner[contained] = CONTAINED, code
        unsure[here[(of_a | of_b) & UNSURE > 0]] = True


def _evidence(forest: Forest, inner: np.ndarray, outer: np.ndarray, pair: np.ndarray, triangle: np.ndarray,
              other: np.ndarray, flat: np.ndarray, sides: bool) -> np.ndarray:
    """(pairs,) uint8 of INSIDE, OUTSIDE, SAME, SHARED, UNSURE: what of inner[i] was found against outer[i]; 0 where
    outer[i] is not closed.

    pair, triangle, other: (contacts,) triangles of inner[pair] and outer[pair] that meet; flat: (contacts,) bool, in
    more than a point; sides: look for SHARED, which is the same for both objects.
    """
    facts = MeshFacts(forest.scene)
    closed, closed_inner = (facts.closed(forest.mesh_of(side)) for side in (outer, inner))
    use = closed[pair] != OPEN
    cut = use & flat
    row, edges = places_at_edges(forest.triangle_corners(inner[pair[cut]], triangle[cut]),
                                 forest.triangle_corners(outer[pair[cut]], other[cut]))
    edge_pair = pair[cut][row]
    pair, triangle = np.unique(np.stack([pair[use], triangle[use]]), axis=1)
    corners = forest.triangle_corners(inner[pair], triangle)
    corners = np.concatenate([corners, np.roll(corners, -1, axis=1), np.roll(corners, -2, axis=1)])
    free_pair, free = _free_starts(forest, inner, np.flatnonzero(closed != OPEN), pair, triangle)
    owner = np.concatenate([np.tile(pair, 3), edge_pair, free_pair])
    places = np.concatenate([corners, edges, free])
    answer = _locate(forest, places, outer[owner])
    decides = DECIDES[closed[owner]]
    known = answer & (UNKNOWN | FLAT) == 0
    on = answer & ON > 0
    inside = answer & decides > 0
    both = on & (closed_inner[owner] != OPEN) & sides
    shared = np.zeros(len(owner), np.uint8)
    shared[both] = _share_a_side(forest, places[both], inner[owner[both]], outer[owner[both]],
                                 DECIDES[closed_inner[owner[both]]], decides[both])
    found = np.zeros(len(inner), np.uint8)
    for meaning, mask in ((SAME, known & on), (INSIDE, known & ~on & inside), (OUTSIDE, known & ~on & ~inside),
                          (SHARED, shared > 0), (UNSURE, answer & UNKNOWN > 0)):
        found[np.unique(owner[mask])] |= meaning
    return found


def _free_starts(forest: Forest, inner: np.ndarray, rows: np.ndarray, pair: np.ndarray,
                 triangle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) pairs and (n,3,3) triangles: one of each connected part of inner[rows] that does not meet the other
    object."""
    facts = MeshFacts(forest.scene)
    pairs, places = [np.zeros(0, int)], [np.zeros((0, 3, 3))]
    for row in rows[~facts.single(forest.mesh_of(inner[rows]))]:
        first, part = facts.parts(int(forest.mesh_of(inner[row])))
        free = np.setdiff1d(np.arange(len(first)), part[triangle[pair == row]])
        pairs.append(np.full(len(free), row))
        places.append(forest.triangle_corners(np.full(len(free), inner[row]), first[free]))
    return np.concatenate(pairs), np.concatenate(places)


def _locate(forest: Forest, corners: np.ndarray, outer: np.ndarray) -> np.ndarray:
    answer = np.zeros(len(corners), np.uint8)
    locate_corners(np.ascontiguousarray(corners), outer, *forest.placed_trees, *scratch(), answer)
    return answer


def _share_a_side(forest: Forest, corners: np.ndarray, inner: np.ndarray, outer: np.ndarray, decides_inner: np.ndarray,
                  decides_outer: np.ndarray) -> np.ndarray:
    answer = np.zeros(len(corners), np.uint8)
    share_a_side(np.ascontiguousarray(corners), inner, outer, decides_inner, decides_outer, *forest.placed_trees,
                 *scratch(), answer)
    return answer
