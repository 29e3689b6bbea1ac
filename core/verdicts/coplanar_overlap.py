# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that meet without passing through each other: do the solids share volume all the same?

Two aligned boxes that are pushed into each other meet in coplanar faces and along edges only. Whether one object has
a part inside the other is asked of its triangles that meet the other one, an infinitely small step away from each of
their corners and from each edge that cuts them into pieces: is one inside the other mesh, outside it, or on it? And of
one triangle of each part that does not meet the other object.
"""
import numpy as np

from ..codes import A_IN_B, B_IN_A, CONTAINED, OVERLAP
from ..contacts import POINT, Contacts
from ..geometry.undecided import UNDECIDED
from ..trees.bvh.forest import Forest
from .closedness import OPEN
from .containment import DECIDES
from .cut_samples import places_at_edges
from .mesh_topology import MeshTopology
from .rays import FLAT, ON, locate_corners, ray_scratch, share_a_side

# Bits of one object against the other, beside UNDECIDED: pieces of its surface are inside the other, outside it, on its
# surface.
INSIDE, OUTSIDE, SAME = 1, 4, 8


def shared_volume(forest: Forest, a: np.ndarray, b: np.ndarray, contacts: Contacts, rows: np.ndarray,
                  verdict: np.ndarray, inner: np.ndarray, unsure: np.ndarray, tick) -> None:
    """Set verdict[rows] to CONTAINED, and `inner`, where one object lies in the other, to OVERLAP where they share some
    volume, and unsure[rows] where numbers span too much for exact signs.

    a, b: (pairs,) int32, positions in the forest; contacts: all of these pairs; rows: pairs that touch.
    """
    for batch in forest.batches(a[rows], b[rows]) if len(rows) else ():
        tick(batch.start / len(rows))
        here = rows[batch]
        row_of = np.full(len(a), -1, np.int64)
        row_of[here] = np.arange(len(here))
        found = contacts.take(row_of[contacts.pair] >= 0)
        pair, cut = row_of[found.pair], found.kind != POINT
        of_a, common = _evidence(forest, a[here], b[here], pair, found.triangle_a, found.triangle_b, cut)
        of_b, _ = _evidence(forest, b[here], a[here], pair, found.triangle_b, found.triangle_a, cut)
        sharing = (of_a | of_b) & INSIDE > 0
        shared, unknown = _same_side(forest, a[here], b[here], *common, ~sharing)
        sharing[shared] = True
        same = ((of_a | of_b) & (INSIDE | OUTSIDE) == 0) & (of_a & of_b & SAME > 0)     # the same solid twice
        verdict[here[sharing]] = OVERLAP
        for this, other, code in ((of_a, of_b, A_IN_B), (of_b, of_a, B_IN_A)):
            whole = (this & (INSIDE | SAME) > 0) & (this & OUTSIDE == 0) & (other & INSIDE == 0)
            contained = here[sharing & whole & ~same]
            verdict[contained], inner[contained] = CONTAINED, code
        unsure[here[(of_a | of_b) & UNDECIDED > 0]] = True
        unsure[here[unknown]] = True


def _evidence(forest: Forest, inner: np.ndarray, outer: np.ndarray, pair: np.ndarray, triangle: np.ndarray,
              other: np.ndarray, cut: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """(pairs,) uint8 of INSIDE, OUTSIDE, SAME, UNDECIDED: what of inner[i] was found against outer[i], 0 where outer[i]
    is not closed; and the samples on common surface, (n,) pairs and (n,3,3).

    pair, triangle, other: (contacts,) triangles of inner[pair] and outer[pair] that meet; cut: (contacts,) bool, in
    more than a point.
    """
    facts = MeshTopology(forest.scene)
    closed = facts.closed(forest.mesh_of(outer))
    use = closed[pair] != OPEN
    cut = np.flatnonzero(use & cut)
    row, edges = places_at_edges(forest.triangle_corners(inner[pair[cut]], triangle[cut]),
                                 forest.triangle_corners(outer[pair[cut]], other[cut]))
    edge_pair = pair[cut][row]
    width = 1 + int(triangle.max(initial=0))
    pair, triangle = np.divmod(np.unique(pair[use] * width + triangle[use]), width)
    corners = forest.triangle_corners(inner[pair], triangle)
    free_pair, free = _free_starts(forest, inner, np.flatnonzero(closed != OPEN), pair, triangle)
    owner = np.concatenate([pair, pair, pair, edge_pair, free_pair])
    places = np.concatenate([corners, corners[:, [1, 2, 0]], corners[:, [2, 0, 1]], edges, free])
    answer = _located(forest, outer, owner, places)
    # A triangle without area says nothing, and may hold together what is inside and what is outside: there every
    # triangle that does not meet the other object is asked.
    hidden = np.unique(owner[answer & FLAT > 0])
    if len(hidden):
        rest_pair, rest = _free_triangles(forest, inner, hidden, pair, triangle)
        owner, places = np.concatenate([owner, rest_pair]), np.concatenate([places, rest])
        answer = np.concatenate([answer, _located(forest, outer, rest_pair, rest)])
    known = answer & (UNDECIDED | FLAT) == 0
    on = known & (answer & ON > 0)
    inside = answer & DECIDES[closed[owner]] > 0
    found = np.zeros(len(inner), np.uint8)
    for meaning, mask in ((SAME, on), (INSIDE, known & ~on & inside), (OUTSIDE, known & ~on & ~inside),
                          (UNDECIDED, answer & UNDECIDED > 0)):
        found[owner[mask]] |= meaning
    return found, (owner[on], places[on])


def _located(forest: Forest, outer: np.ndarray, owner: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(n,) uint8 bits of rays.py: where places (n,3,3) are against outer[owner]."""
    answer = np.zeros(len(owner), np.uint8)
    locate_corners(places, outer[owner], forest.placed_trees, ray_scratch(), answer)
    return answer


def _same_side(forest: Forest, a: np.ndarray, b: np.ndarray, pair: np.ndarray, places: np.ndarray,
               asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Those of the pairs that are asked for, (pairs,) bool, whose solids are on the same side of common surface: at one
    of the places (n,3,3) of pair (n,); and those for which numbers span too much to say."""
    closed_a, closed_b = (MeshTopology(forest.scene).closed(forest.mesh_of(side)) for side in (a, b))
    rows = (asked & (closed_a != OPEN) & (closed_b != OPEN))[pair]
    pair = pair[rows]
    answer = np.zeros(len(pair), np.uint8)
    share_a_side(places[rows], a[pair], b[pair], DECIDES[closed_a[pair]], DECIDES[closed_b[pair]],
                 forest.placed_trees, ray_scratch(), answer)
    return pair[answer == 1], pair[answer == UNDECIDED]


def _free_starts(forest: Forest, inner: np.ndarray, rows: np.ndarray, pair: np.ndarray,
                 triangle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) pairs and (n,3,3) triangles: one of each connected part of inner[rows] that does not meet the other
    object."""
    facts = MeshTopology(forest.scene)
    pairs, places = [np.zeros(0, int)], [np.zeros((0, 3, 3))]
    for row in rows[~facts.single(forest.mesh_of(inner[rows]))]:
        first, part = facts.parts(int(forest.mesh_of(inner[row])))
        free = np.setdiff1d(np.arange(len(first)), part[triangle[pair == row]])
        pairs.append(np.full(len(free), row))
        places.append(forest.triangle_corners(np.full(len(free), inner[row]), first[free]))
    return np.concatenate(pairs), np.concatenate(places)


def _free_triangles(forest: Forest, inner: np.ndarray, rows: np.ndarray, pair: np.ndarray,
                    triangle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same: all triangles of inner[rows] that do not meet the other object."""
    pairs, places = [np.zeros(0, int)], [np.zeros((0, 3, 3))]
    for row in rows.tolist():
        count = len(forest.scene.meshes[int(forest.mesh_of(inner[row]))].triangles)
        free = np.setdiff1d(np.arange(count), triangle[pair == row])
        pairs.append(np.full(len(free), row))
        places.append(forest.triangle_corners(np.full(len(free), inner[row]), free))
    return np.concatenate(pairs), np.concatenate(places)
