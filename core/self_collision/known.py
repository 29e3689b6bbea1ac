# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a mesh collides with itself in another pose, and is no finding now (docs/self-collision.md).

A pair of triangles is *known* where it shares no more than in the reference: what merely touches there excuses no
crossing. Everything else is listed as if there were no reference. No kernels are needed here.
"""
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..codes import CANCELLED
from ..contacts import AREA, Contacts
from ..pair_table import PairTable
from ..run import Run
from ..scene import Scene
from ..shown import first_few

THROUGH = AREA + 1      # beside POINT, SEGMENT and AREA: the triangles pass through each other
MOST_NAMED = 5          # objects that a note names


class Known(NamedTuple):
    """The pairs of triangles of one mesh that collide in the reference."""

    vertices: int               # how many the mesh has there
    triangles: np.ndarray       # (n,3) int32, of its vertices
    codes: np.ndarray           # (k,) int64, ascending: first * n + second, the first being the smaller one
    shares: np.ndarray          # (k,) int8: POINT, SEGMENT, AREA or THROUGH
    whole: bool                 # all pairs are here: none was cut off, and the run was not cancelled

    def among(self, vertices: int, triangles: np.ndarray) -> "Known | None":
        """Those of triangles that are the same in a mesh as it is now; None where it has another number of vertices or
        triangles. A quad may be divided along its other diagonal now: nothing is known of its triangles."""
        if vertices != self.vertices or len(triangles) != len(self.triangles):
            return None
        same = (triangles == self.triangles).all(axis=1)
        if same.all():
            return self
        first, second = np.divmod(self.codes, max(len(triangles), 1))
        kept = same[first] & same[second]
        return self._replace(codes=self.codes[kept], shares=self.shares[kept])

    def excuses(self, contacts: Contacts) -> np.ndarray:
        """(contacts,) bool: which contacts of the mesh with itself are known."""
        if not len(self.codes):
            return np.zeros(len(contacts), bool)
        code = contacts.triangle_a.astype(np.int64) * len(self.triangles) + contacts.triangle_b
        place = np.minimum(np.searchsorted(self.codes, code), len(self.codes) - 1)
        return (self.codes[place] == code) & (_shares(contacts) <= self.shares[place])


@dataclass(frozen=True)
class SelfReference:
    """Poses in which objects may collide with themselves. title: of the poses, as sentences name them: "the rest pose".
    known: by the object's number in the scene that is tested; an object that is missing was not in the reference.
    counted: the note says how many pairs of triangles are known, which over many frames would be another one in each.
    """

    title: str
    known: Mapping[int, Known]
    counted: bool = True

    def is_same_as(self, other: "SelfReference | None") -> bool:
        """True where the other one knows the very same things."""
        return (other is not None and self.title == other.title and self.known.keys() == other.known.keys()
                and all(self.known[each] is other.known[each] for each in self.known))


def known_pairs(scene: Scene, report) -> dict[int, Known]:
    """What collides with itself, of each tested object by its number in the scene. report: of that scene, as it is,
    with `self_collisions` and contacts."""
    rows = {int(pair["a"]): row for row, pair in enumerate(report.pairs) if pair["a"] == pair["b"]}
    known = {}
    for each in report.objects:
        mesh = scene.meshes[scene.layout.mesh[each.index]]
        codes, shares, whole = np.zeros(0, np.int64), np.zeros(0, np.int8), not report.cancelled
        if each.index in rows:
            pair = report.pairs[rows[each.index]]
            start = int(pair["contact_start"])
            found = report.contacts.take(np.arange(start, start + int(pair["contacts"])))
            codes = found.triangle_a.astype(np.int64) * len(mesh.triangles) + found.triangle_b
            order = np.argsort(codes)
            codes, shares = codes[order], _shares(found)[order]
            whole &= pair["unlisted"] == 0 and pair["status"] != CANCELLED
        known[each.index] = Known(len(mesh.vertices), mesh.triangles.copy(), codes, shares, bool(whole))
    return known


def _shares(contacts: Contacts) -> np.ndarray:
    """(contacts,) int8: how much two triangles share, as in `Known`."""
    return np.where(contacts.proper, np.int8(THROUGH), contacts.kind)


class OnlyNew:
    """The stage `within` without the pairs that a reference has."""

    def __init__(self, stage: Callable[[PairTable], Contacts], reference: SelfReference, scene: Scene,
                 objects: np.ndarray):
        """objects: (n,) numbers in the scene of the objects that stand at each position of the tables."""
        self._stage, self._reference, self._scene, self._objects = stage, reference, scene, objects
        self._here: dict[int, Known | None] = {}        # by position
        self._dropped: dict[tuple, int] = {}            # contacts, by position and piece: a piece may be searched twice

    def __call__(self, table: PairTable) -> Contacts:
        contacts = self._stage(table)
        keep = np.ones(len(contacts), bool)
        ends = np.searchsorted(contacts.pair, np.arange(len(table) + 1))
        for row in np.unique(contacts.pair).tolist():
            position, here = int(table.a[row]), slice(int(ends[row]), int(ends[row + 1]))
            known = self._known(position)
            if known is not None:
                keep[here] = ~known.excuses(contacts.take(np.arange(here.start, here.stop)))
                self._dropped[position, table.piece] = int(np.count_nonzero(~keep[here]))
        return contacts if keep.all() else contacts.take(keep.nonzero()[0])

    def tell(self, alone: np.ndarray, run: Run) -> None:
        """Count what was left out, and name the objects of which not all is known. alone: (k,) positions that were
        tested."""
        dropped, names = sum(self._dropped.values()), self._scene.layout.names
        run.counts["known_self_contacts"] = dropped
        if not self._reference.counted:
            run.note(f"What collides with itself in {self._reference.title} is not listed.")
        elif dropped:
            pairs = "1 pair" if dropped == 1 else f"{dropped:,} pairs"
            run.note(f"Known from {self._reference.title}, and not listed: {pairs} of triangles of one object.")
        missing, other, cut = [], [], []
        for position in alone.tolist():
            number = int(self._objects[position])
            if number not in self._reference.known:
                missing.append(names[number])
            elif self._known(position) is None:
                other.append(names[number])
            elif not self._reference.known[number].whole:
                cut.append(names[number])
        for found, why in ((missing, "not there, so all"), (other, "another mesh, so all"),
                           (cut, "too many to be known, so more than new")):
            if found:
                named = first_few(found, MOST_NAMED)
                run.note(f"In {self._reference.title} {why} self-collisions are listed: {named}.")

    def _known(self, position: int) -> Known | None:
        if position not in self._here:
            number = int(self._objects[position])
            mesh, known = self._scene.meshes[self._scene.layout.mesh[number]], self._reference.known.get(number)
            self._here[position] = None if known is None else known.among(len(mesh.vertices), mesh.triangles)
        return self._here[position]
