# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that meet without passing through each other: do the solids share volume all the same?

Two aligned boxes that are pushed into each other meet in coplanar faces and along edges only. So samples are taken of
each surface: is the surface there inside the other mesh, outside it, or on it? Samples lie an infinitely small step
away from each corner of each triangle that meets the other object, and beside each edge that cuts it into pieces. One
more lies in a triangle of each component that does not meet the other object. A triangle that both objects have is on
the surface of both, and is sampled only to see on which side of it they are. Triangles that are met on their border are
not cut, and one sample tells of many (whole_triangles.py).
"""
from collections.abc import Callable, Iterator

import numpy as np

from ..arrays import first_of_each
from ..codes import A_IN_B, B_IN_A, CONTAINED, OVERLAP, TOUCHING
from ..contacts import AREA, POINT, Contacts
from ..geometry.undecided import UNDECIDED
from ..pair_table import PairTable
from ..trees.bvh.forest import Forest
from .bare_edges import bare_edges
from .closedness import OPEN
from .common_triangles import common_triangles
from .cut_samples import samples_at_edges
from .flat_patches import may_enclose
from .mesh_topology import MeshTopology
from .rays import INSIDE_BITS, ON, STARTS_FLAT, locate_corners, ray_scratch, share_a_side
from .whole_triangles import whole_triangles

# Bits of one object against the other, beside UNDECIDED: pieces of its surface are inside the other, outside it, on its
# surface.
HAS_INNER, HAS_OUTER, HAS_COMMON = 1, 4, 8
SAMPLED_CONTACTS = 1 << 16          # whose samples are in memory: a kilobyte for each contact
FEW_CONTACTS = 32                   # of two twins, or common triangles: nearly always, the first one shows that they
                                    # share volume
FIRST_CONTACTS = 8                  # of a pair: where solids overlap flush, these nearly always show it


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
            evidence = Evidence(forest, topology, a[here], b[here])
            cut = evidence.know(pair, found)
            left = evidence.still_asked(pair, np.flatnonzero(cut[0] | cut[1]))
            first = _spread(pair[left], FIRST_CONTACTS)
            evidence.add(pair[left[first]], found.take(left[first]), cut[:, left[first]])
            left = evidence.still_asked(pair, left[~first])
            for start in range(0, len(left), SAMPLED_CONTACTS):     # one pair may have any number
                some = left[start:start + SAMPLED_CONTACTS]
                evidence.add(pair[some], found.take(some), cut[:, some])
                tick(np.searchsorted(rows, here[0]) / len(rows))
            verdict[here], inner[here], undecided[here] = evidence.judged()


def _spread(pair: np.ndarray, most: int) -> np.ndarray:
    """(contacts,) bool: of each pair up to about so many contacts, evenly spread. They come by triangles, so that the
    first ones would all be at one end of the object. pair: (contacts,) int, ascending."""
    start = np.flatnonzero(np.diff(pair, prepend=-1))
    count = np.diff(start, append=len(pair))
    place = np.arange(len(pair)) - np.repeat(start, count)
    return place % np.repeat(-(-count // most), count) == 0


def twins_that_overlap(forest: Forest, topology: MeshTopology, table: PairTable, rows: np.ndarray, verdict: np.ndarray,
                       tick: Callable[[float], None]) -> np.ndarray:
    """(k,) bool: of the pairs `rows` (k,), ascending, that touch, those of two twins that are seen to share volume by a
    few contacts; sets verdict[rows], (pairs,), to OVERLAP there.

    All of the surface of one twin is on that of the other, and no sample can tell of anything inside or outside. So one
    that has both solids on one side of it is enough.
    """
    answer = np.zeros(len(rows), bool)
    if table.twin_of is None:
        return answer
    equal = np.flatnonzero(table.twin_of[table.a[rows]] == table.twin_of[table.b[rows]])
    contacts = table.contacts
    assert contacts is not None
    first, last = (np.searchsorted(contacts.pair, rows[equal], side) for side in ("left", "right"))
    count = np.minimum(last - first, FEW_CONTACTS)
    a, b = table.a[rows[equal]], table.b[rows[equal]]
    at_once = SAMPLED_CONTACTS // FEW_CONTACTS
    for batch in forest.batches(a, b) if len(equal) else ():
        for start in range(batch.start, batch.stop, at_once):
            tick(start / len(equal))
            some = slice(start, min(start + at_once, batch.stop))
            evidence = Evidence(forest, topology, a[some], b[some])
            evidence.add(np.repeat(np.arange(len(evidence.a)), count[some]),
                         contacts.take(first_of_each(first[some], count[some])))
            answer[equal[some]] = evidence.same_side
    verdict[rows[answer]] = OVERLAP
    return answer


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


class Evidence:
    """What samples tell of some pairs that touch. A sample is true whatever the others say, so contacts may come in any
    number of pieces."""

    def __init__(self, forest: Forest, topology: MeshTopology, a: np.ndarray, b: np.ndarray):
        """a, b: (pairs,) int32, positions in the forest."""
        self.forest, self.topology, self.a, self.b = forest, topology, a, b
        self.sides = _Side(forest, topology, a, b), _Side(forest, topology, b, a)
        self.same_side, self.unknown = np.zeros((2, len(a)), bool)
        self.encloses = np.ones(len(a), bool)       # common surface may enclose something

    def know(self, pair: np.ndarray, found: Contacts) -> np.ndarray:
        """Learn what all contacts of these pairs tell together: what common surface may enclose, which triangles both
        objects have, and which are not cut. Returns (2,contacts) bool: the triangle of a, and that of b, may be cut,
        and the contact is to be added. pair: (contacts,) the pair of each, ascending."""
        self.encloses = may_enclose(self.forest, self.a, pair, found)
        common = self.know_common(pair, found)
        triangles = found.triangle_a, found.triangle_b
        return np.stack([self.sides[0].know_whole(pair, triangles, found, common),
                         self.sides[1].know_whole(pair, triangles[::-1], found, common)])

    def still_asked(self, pair: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Those of some contacts whose pairs have not shown yet that they overlap."""
        return rows[~self.overlap[pair[rows]]]

    def know_common(self, pair: np.ndarray, found: Contacts) -> np.ndarray:
        """Learn which triangles both objects have: before the contacts of these are looked at, else all the same.
        Returns (contacts,) bool, where that is seen. pair: (contacts,) the pair of each."""
        asked = np.maximum(*(side.closed for side in self.sides)) != OPEN       # of sheets no side is asked
        common = common_triangles(self.forest, self.a, self.b, pair, found, asked)
        rows = np.flatnonzero(common)
        for side, triangle in zip(self.sides, (found.triangle_a, found.triangle_b)):
            side.know_common(pair[rows], triangle[rows])
        return common

    def add(self, pair: np.ndarray, found: Contacts, cut: np.ndarray | None = None) -> None:
        """Look at some contacts. pair: (contacts,) the pair of each; cut: of them, what `know` returns, or None where
        that was not asked."""
        kind, flat = found.kind, (found.kind == AREA) & ~self.encloses[pair]
        triangles, common = (found.triangle_a, found.triangle_b), []
        for number, side in enumerate(self.sides):
            if cut is None:
                side.meet(pair, triangles[number])
            use = side.not_common(pair, triangles[number]) if cut is None else cut[number]
            common.append(side.at_contacts(pair[use], triangles[number][use], triangles[1 - number][use], kind[use],
                                           flat[use]))
        self._look_at(common[0])

    @property
    def overlap(self) -> np.ndarray:
        """(pairs,) bool: what was sampled so far shows that the verdict is OVERLAP: some surface is inside, and neither
        object can be in the other as a whole. No sample can take that back."""
        of_a, of_b = (side.found for side in self.sides)
        inner = (of_a | of_b) & HAS_INNER > 0
        return inner & ((of_a & HAS_OUTER) | (of_b & HAS_INNER) > 0) & ((of_b & HAS_OUTER) | (of_a & HAS_INNER) > 0)

    def judged(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(verdict, inner, undecided), (pairs,) each, once all contacts were added. verdict: TOUCHING, OVERLAP or
        CONTAINED."""
        common = self.sides[0].elsewhere()
        self.sides[1].elsewhere()
        self._look_at(common)
        for few in (True, False):       # which nearly always show it where the solids share volume
            self._look_at(self.sides[0].in_common_triangles(self._asked, few))
        of_a, of_b = (side.found for side in self.sides)
        sharing = (of_a | of_b) & HAS_INNER > 0
        undecided = (((of_a | of_b) & UNDECIDED > 0) | (self.unknown & ~sharing)) & ~self.overlap
        sharing |= self.same_side
        # The same solid twice shares all of its surface, and all of its volume.
        same = ((of_a | of_b) & (HAS_INNER | HAS_OUTER) == 0) & (of_a & of_b & HAS_COMMON > 0)
        verdict, inner = np.where(sharing, OVERLAP, TOUCHING).astype(np.int8), np.zeros(len(sharing), np.int8)
        for this, other, code in ((of_a, of_b, A_IN_B), (of_b, of_a, B_IN_A)):
            whole = (this & (HAS_INNER | HAS_COMMON) > 0) & (this & HAS_OUTER == 0) & (other & HAS_INNER == 0)
            contained = sharing & whole & ~same
            verdict[contained], inner[contained] = CONTAINED, code
        return verdict, inner, undecided

    @property
    def _asked(self) -> np.ndarray:
        """(pairs,) bool: whether the solids are on the same side of common surface still decides something."""
        return self.encloses & ((self.sides[0].found | self.sides[1].found) & HAS_INNER == 0) & ~self.same_side

    def _look_at(self, common: tuple[np.ndarray, np.ndarray]) -> None:
        """See whether the solids are on the same side of common surface, where that still decides something."""
        shared, unknown = _same_side(self.forest, self.topology, self.a, self.b, *common, self._asked)
        self.same_side[shared] = True
        self.unknown[unknown] = True


class _Side:
    """What was found of inner[i] against outer[i]. found: (pairs,) uint8 of HAS_INNER, HAS_OUTER, HAS_COMMON and
    UNDECIDED; 0 where outer[i] is not closed."""

    def __init__(self, forest: Forest, topology: MeshTopology, inner: np.ndarray, outer: np.ndarray):
        self.forest, self.topology, self.inner, self.outer = forest, topology, inner, outer
        self.closed = topology.solid(forest.objects[outer])
        self.found, self._hidden = np.zeros(len(inner), np.uint8), np.zeros(len(inner), bool)
        self._width = 1 + int(forest.triangle_count[inner].max(initial=0))
        # pair · width + triangle of inner, of those that meet: sorted, each once; and (pairs, triangles) added since.
        self._met, self._more = np.zeros(0, np.int64), [(np.zeros(0, np.int64),) * 2]
        self._common = np.zeros(0, np.int64)        # as `_met`: those that outer has, too

    def know_common(self, pair: np.ndarray, triangle: np.ndarray) -> None:
        """Learn that these triangles of inner[pair] are on outer[pair] as a whole."""
        use = self.closed[pair] != OPEN
        self.found[pair[use]] |= HAS_COMMON
        self._common = np.union1d(self._common, self._codes(pair[use], triangle[use]))

    def know_whole(self, pair: np.ndarray, triangles: tuple[np.ndarray, np.ndarray], found: Contacts,
                   common: np.ndarray) -> np.ndarray:
        """Take samples for triangles that are not cut, which all contacts of some pairs tell. Returns (contacts,) bool,
        those whose triangle may be cut. triangles: (contacts,) of inner[pair] and of outer[pair]; common: (contacts,)
        bool."""
        self._more.append((pair, triangles[0]))
        asked = self.closed != OPEN
        left, covered, owner, samples = whole_triangles(self.forest, (self.inner, self.outer, asked), pair, triangles,
                                                        found, common)
        self.know_common(pair[covered], triangles[0][covered])
        self._sampled(owner, samples)
        return left

    def in_common_triangles(self, asked: np.ndarray, few: bool) -> tuple[np.ndarray, np.ndarray]:
        """A sample in each triangle that both have, or in a few of them, of pairs that are asked, (pairs,) bool.
        Returns as `at_contacts`."""
        owner, triangle = np.divmod(self._common, self._width)
        rows = asked[owner] & (_spread(owner, FEW_CONTACTS) if few else True)
        return owner[rows], self.forest.triangle_corners(self.inner[owner[rows]], triangle[rows])

    def _codes(self, pair: np.ndarray, triangle: np.ndarray) -> np.ndarray:
        return pair * np.int64(self._width) + triangle

    def meet(self, pair: np.ndarray, triangle: np.ndarray) -> None:
        """Learn that these triangles of inner[pair] meet outer[pair]."""
        self._more.append((pair, triangle))
        if sum(len(rows) for rows, _ in self._more) > len(self._met) + SAMPLED_CONTACTS:
            self._join()

    def not_common(self, pair: np.ndarray, triangle: np.ndarray) -> np.ndarray:
        """(n,) bool: the triangles of inner[pair] that are to be sampled, as outer[pair] is not known to have them."""
        use = self.closed[pair] != OPEN
        use[use] = ~np.isin(self._codes(pair[use], triangle[use]), self._common)
        return use

    def at_contacts(self, pair: np.ndarray, triangle: np.ndarray, other: np.ndarray, kind: np.ndarray,
                    flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Take samples in triangles that meet. Returns those on common surface, (n,) pairs and (n,3,3).

        pair, triangle, other: (contacts,) triangles of inner[pair] and outer[pair] that meet; kind: (contacts,) how;
        flat: (contacts,) bool, in areas of which nobody asks for the sides: what is known to be in one is not sampled.
        """
        self.found[pair[flat]] |= HAS_COMMON
        along = kind != POINT
        beside, at_edges = self._beside_edges(pair[along], triangle[along], other[along], flat[along])
        owner, triangle = np.divmod(np.unique(self._codes(pair, triangle)), self._width)
        corners = self.forest.triangle_corners(self.inner[owner], triangle)
        return self._sampled(np.concatenate([owner, owner, owner, beside]), np.concatenate(
            [corners, corners[:, [1, 2, 0]], corners[:, [2, 0, 1]], at_edges]))

    def _beside_edges(self, pair: np.ndarray, triangle: np.ndarray, other: np.ndarray,
                      flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) pairs and (n,3,3) samples beside edges that cut triangles that meet, each (contacts,). flat: as in
        `at_contacts`."""
        samples, row, outside, unknown = samples_at_edges(
            self.forest.triangle_corners(self.inner[pair], triangle),
            self.forest.triangle_corners(self.outer[pair], other), flat)
        owner = pair[row]
        told = ~outside
        told[outside] = bare_edges(self.forest, self.outer[owner[outside]], samples[outside, :2])
        self.found[np.concatenate([pair[unknown], owner[~told]])] |= UNDECIDED
        return owner[told], samples[told]

    def elsewhere(self) -> tuple[np.ndarray, np.ndarray]:
        """Take samples in triangles that do not meet the other object, once all that do are known. Returns as
        `at_contacts`."""
        rows = np.flatnonzero(self.closed != OPEN)
        rows = rows[~self.topology.single(self.forest.mesh_of(self.inner[rows]))]
        if len(rows) == 0 and not self._hidden.any():
            return np.zeros(0, np.int64), np.zeros((0, 3, 3))
        self._join()
        met = np.divmod(self._met, self._width)
        common = self._sampled(*_free_components(self.forest, self.topology, self.inner, rows, *met))
        # A triangle without area says nothing, and may hold together what is inside and what is outside: there every
        # triangle that does not meet the other object is asked.
        hidden = np.flatnonzero(self._hidden)
        if len(hidden):
            more = self._sampled(*_free_triangles(self.forest, self.inner, hidden, *met))
            common = np.concatenate([common[0], more[0]]), np.concatenate([common[1], more[1]])
        return common

    def _join(self) -> None:
        more = [self._codes(pair, triangle) for pair, triangle in self._more]
        self._met, self._more = np.unique(np.concatenate([self._met, *more])), []

    def _sampled(self, owner: np.ndarray, samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Locate samples (n,3,3) of pairs `owner` (n,). Returns those on common surface, as `at_contacts`."""
        answer = np.zeros(len(owner), np.uint8)
        locate_corners(samples, self.outer[owner], self.forest.placed_trees, ray_scratch(), answer)
        self._hidden[owner[answer & STARTS_FLAT > 0]] = True
        known = answer & (UNDECIDED | STARTS_FLAT) == 0
        on = known & (answer & ON > 0)
        inside = answer & INSIDE_BITS[self.closed[owner]] > 0
        for meaning, mask in ((HAS_COMMON, on), (HAS_INNER, known & ~on & inside),
                              (HAS_OUTER, known & ~on & ~inside), (UNDECIDED, answer & UNDECIDED > 0)):
            self.found[owner[mask]] |= meaning
        return owner[on], samples[on]


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
    for row in rows.tolist():
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
