# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that meet without passing through each other: do the solids share volume all the same?

Two aligned boxes that are pushed into each other meet in coplanar faces and along edges only. So samples are taken of
each surface: is the surface there inside the other mesh, outside it, or on it? Samples lie an infinitely small step
away from each corner of each triangle that meets the other object, and beside each edge that cuts it into pieces. One
more lies in a triangle of each component that does not meet the other object.
"""
from collections.abc import Callable, Iterator

import numpy as np

from ..codes import A_IN_B, B_IN_A, CONTAINED, OVERLAP
from ..contacts import POINT, Contacts
from ..geometry.undecided import UNDECIDED
from ..trees.bvh.forest import Forest
from .closedness import OPEN
from .cut_samples import samples_at_edges
from .mesh_topology import MeshTopology
from .rays import INSIDE_BITS, ON, STARTS_FLAT, locate_corners, ray_scratch, share_a_side

# Bits of one object against the other, beside UNDECIDED: pieces of its surface are inside the other, outside it, on its
# surface.
HAS_INNER, HAS_OUTER, HAS_COMMON = 1, 4, 8
SAMPLED_CONTACTS = 1 << 16          # whose samples are in memory: a kilobyte for each contact


def shared_volume(forest: Forest, topology: MeshTopology, a: np.ndarray, b: np.ndarray, contacts: Contacts,
                  rows: np.ndarray, verdict: np.ndarray, inner: np.ndarray, undecided: np.ndarray,
                  tick: Callable[[float], None]) -> None:
    """Set the verdicts of pairs that touch.

    verdict[rows] becomes CONTAINED, and `inner` says how, where one object lies in the other, and OVERLAP where they
    share some volume. undecided[rows] becomes True where numbers span too much for exact signs.

    a, b: (pairs,) int32, positions in the forest; contacts: all of these pairs; verdict, inner, undecided: (pairs,);
    tick: called with the fraction done, may raise Cancelled.
    """
    for batch in forest.batches(a[rows], b[rows]) if len(rows) else ():
        for here, pair, found in _some_at_a_time(rows[batch], contacts):
            tick(np.searchsorted(rows, here[0]) / len(rows))
            _judge(forest, topology, a, b, here, pair, found, verdict, inner, undecided)


def _some_at_a_time(rows: np.ndarray, contacts: Contacts) -> Iterator[tuple[np.ndarray, np.ndarray, Contacts]]:
    """Yield some of the pairs `rows` (k,), ascending, all contacts of theirs, and (n,) the place of each contact's pair
    among those pairs: about SAMPLED_CONTACTS contacts at a time, at least one pair."""
    first, last = (np.searchsorted(contacts.pair, rows, side) for side in ("left", "right"))
    ends, start = np.cumsum(last - first), 0
    while start < len(rows):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + SAMPLED_CONTACTS, "right")))
        here = rows[start:stop]
        found = contacts.take(slice(first[start], last[stop - 1]))
        place = np.minimum(np.searchsorted(here, found.pair), len(here) - 1)
        wanted = here[place] == found.pair
        yield here, place[wanted], found if wanted.all() else found.take(wanted)
        start = stop


def _judge(forest: Forest, topology: MeshTopology, a: np.ndarray, b: np.ndarray, here: np.ndarray, pair: np.ndarray,
           found: Contacts, verdict: np.ndarray, inner: np.ndarray, undecided: np.ndarray) -> None:
    """`shared_volume` of the pairs `here` (k,) with the contacts `found`; pair: (contacts,) places in `here`."""
    i, j, cut = a[here], b[here], found.kind != POINT
    of_a, common = _evidence(forest, topology, i, j, pair, found.triangle_a, found.triangle_b, cut)
    of_b, _ = _evidence(forest, topology, j, i, pair, found.triangle_b, found.triangle_a, cut)
    sharing = (of_a | of_b) & HAS_INNER > 0
    shared, unknown = _same_side(forest, topology, i, j, *common, ~sharing)
    sharing[shared] = True
    # The same solid twice shares all of its surface, and all of its volume.
    same = ((of_a | of_b) & (HAS_INNER | HAS_OUTER) == 0) & (of_a & of_b & HAS_COMMON > 0)
    verdict[here[sharing]] = OVERLAP
    for this, other, code in ((of_a, of_b, A_IN_B), (of_b, of_a, B_IN_A)):
        whole = (this & (HAS_INNER | HAS_COMMON) > 0) & (this & HAS_OUTER == 0) & (other & HAS_INNER == 0)
        contained = here[sharing & whole & ~same]
        verdict[contained], inner[contained] = CONTAINED, code
    undecided[here[(of_a | of_b) & UNDECIDED > 0]] = True
    undecided[here[unknown]] = True


def _evidence(forest: Forest, topology: MeshTopology, inner: np.ndarray, outer: np.ndarray, pair: np.ndarray,
              triangle: np.ndarray, other: np.ndarray,
              cut: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """(pairs,) uint8 of HAS_INNER, HAS_OUTER, HAS_COMMON, UNDECIDED: what was found of inner[i] against outer[i], 0
    where outer[i] is not closed; and the samples on common surface, (n,) pairs and (n,3,3).

    pair, triangle, other: (contacts,) triangles of inner[pair] and outer[pair] that meet; cut: (contacts,) bool, in
    more than a point.
    """
    closed = topology.solid(forest.objects[outer])
    use = closed[pair] != OPEN
    cut = np.flatnonzero(use & cut)
    edges, row, unknown = samples_at_edges(forest.triangle_corners(inner[pair[cut]], triangle[cut]),
                                           forest.triangle_corners(outer[pair[cut]], other[cut]))
    edge_pair, unknown = pair[cut][row], pair[cut][unknown]
    width = 1 + int(triangle.max(initial=0))
    pair, triangle = np.divmod(np.unique(pair[use] * width + triangle[use]), width)
    corners = forest.triangle_corners(inner[pair], triangle)
    free_pair, free = _free_components(forest, topology, inner, np.flatnonzero(closed != OPEN), pair, triangle)
    owner = np.concatenate([pair, pair, pair, edge_pair, free_pair])
    samples = np.concatenate([corners, corners[:, [1, 2, 0]], corners[:, [2, 0, 1]], edges, free])
    answer = _located(forest, outer, owner, samples)
    # A triangle without area says nothing, and may hold together what is inside and what is outside: there every
    # triangle that does not meet the other object is asked.
    hidden = np.unique(owner[answer & STARTS_FLAT > 0])
    if len(hidden):
        rest_pair, rest = _free_triangles(forest, inner, hidden, pair, triangle)
        owner, samples = np.concatenate([owner, rest_pair]), np.concatenate([samples, rest])
        answer = np.concatenate([answer, _located(forest, outer, rest_pair, rest)])
    known = answer & (UNDECIDED | STARTS_FLAT) == 0
    on = known & (answer & ON > 0)
    inside = answer & INSIDE_BITS[closed[owner]] > 0
    found = np.zeros(len(inner), np.uint8)
    found[unknown] = UNDECIDED
    for meaning, mask in ((HAS_COMMON, on), (HAS_INNER, known & ~on & inside), (HAS_OUTER, known & ~on & ~inside),
                          (UNDECIDED, answer & UNDECIDED > 0)):
        found[owner[mask]] |= meaning
    return found, (owner[on], samples[on])


def _located(forest: Forest, outer: np.ndarray, owner: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """(n,) uint8 bits of rays.py: where samples (n,3,3) are against outer[owner]."""
    answer = np.zeros(len(owner), np.uint8)
    locate_corners(samples, outer[owner], forest.placed_trees, ray_scratch(), answer)
    return answer


def _same_side(forest: Forest, topology: MeshTopology, a: np.ndarray, b: np.ndarray, pair: np.ndarray,
               samples: np.ndarray, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs whose solids are on the same side of common surface at one of the samples (n,3,3) of pair (n,), and pairs
    for which numbers span too much to say. Only pairs that are asked, (pairs,) bool."""
    closed_a, closed_b = (topology.solid(forest.objects[side]) for side in (a, b))
    rows = (asked & (closed_a != OPEN) & (closed_b != OPEN))[pair]
    pair = pair[rows]
    answer = np.zeros(len(pair), np.uint8)
    share_a_side(samples[rows], a[pair], b[pair], INSIDE_BITS[closed_a[pair]], INSIDE_BITS[closed_b[pair]],
                 forest.placed_trees, ray_scratch(), answer)
    return pair[answer == 1], pair[answer == UNDECIDED]


def _free_components(forest: Forest, topology: MeshTopology, inner: np.ndarray, rows: np.ndarray, pair: np.ndarray,
                     triangle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) pairs and (n,3,3) triangles: one of each component of inner[rows] that does not meet the other object."""
    pairs, samples = [np.zeros(0, int)], [np.zeros((0, 3, 3))]
    for row in rows[~topology.single(forest.mesh_of(inner[rows]))]:
        first, component = topology.components(int(forest.mesh_of(inner[row])))
        free = np.setdiff1d(np.arange(len(first)), component[triangle[pair == row]])
        pairs.append(np.full(len(free), row))
        samples.append(forest.triangle_corners(np.full(len(free), inner[row]), first[free]))
    return np.concatenate(pairs), np.concatenate(samples)


def _free_triangles(forest: Forest, inner: np.ndarray, rows: np.ndarray, pair: np.ndarray,
                    triangle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) pairs and (n,3,3) triangles: all of inner[rows] that do not meet the other object."""
    pairs, samples = [np.zeros(0, int)], [np.zeros((0, 3, 3))]
    for row in rows.tolist():
        count = len(forest.scene.meshes[int(forest.mesh_of(inner[row]))].triangles)
        free = np.setdiff1d(np.arange(count), triangle[pair == row])
        pairs.append(np.full(len(free), row))
        samples.append(forest.triangle_corners(np.full(len(free), inner[row]), free))
    return np.concatenate(pairs), np.concatenate(samples)
