# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of a sweep that are tested apart from each other, in other processes, and joined to what the whole one says, to
the last bit."""
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import first_of_each, starts_of
from ..errors import Refused
from ..findings import Findings, badness
from .asking import Asking
from .found import Found, Step
from .history import precedes
from .moment import UNNUMBERED, Names
from .numbered import CONTACTS_LEFT_OUT, Normals, StoredNormals
from .ranges import ANEW
from .report import SweepReport
from .rows import Rows, copied
from .sweep import Sweep


@dataclass(eq=False)
class Part:
    """What some frames in a row say. It can be pickled."""

    first: int              # how many frames of the sweep are before it
    steps: list[Step]
    names: Names            # by which its objects are numbered
    cancelled: bool = False


class PartSweep(Sweep):
    """A Sweep of some frames in a row out of many, which returns a Part instead of a report.

    The first frame that is added is the one before them, unless they are the first ones: it is tested, as the next one
    is held against it, and is not in the Part.
    """

    def __init__(self, first: int, *how, **more):
        """first: how many frames are before these, a multiple of ANEW. The rest as in Sweep. Raises Refused for another
        number."""
        if first < 0 or first % ANEW:
            raise Refused(f"A part of a sweep begins after a multiple of {ANEW} frames, not after {first}.")
        super().__init__(*how, **more)
        self._first = first
        self._number = first - 1 if first else 0
        self._steps: list[Step] = []
        self._row_of, self._worst = Rows(), np.zeros((0, 5))       # of each pair the worst `badness` that it had

    def _tell(self, step: Step, _asking: Asking) -> None:
        if self._number >= self._first:
            self._steps.append(self._packed(step) if isinstance(step, Found) else step)

    def part(self) -> Part:
        """What is known of the frames so far."""
        self.finish()
        self._look()
        return Part(self._first, self._steps, self._names, self._cancelled)

    def _packed(self, found: Found) -> Found:
        """The same without references to the scene, and without contacts that no report can list."""
        numbers, between = found.numbers, found.between
        if between is not None and between.passing is not None:
            assert between.normals is not None
            passing, normals = self._without_needless(between.passing, numbers, between.normals)
            between = replace(between, passing=passing, normals=normals)
        report, normals = self._without_needless(found.report, numbers, found.normals)
        return replace(found, report=report, normals=normals, between=between)

    def _without_needless(self, report: Findings, numbers: np.ndarray, normals: Normals):
        """(report, normals): without contacts of pairs that were as bad before: whatever came before this part, they
        are then not as in their worst frame. See `History._worsen`."""
        pairs, bad = copied(report.pairs), badness(report.pairs)
        rows = self._row_of.of(numbers[pairs["a"]], numbers[pairs["b"]])
        more = len(self._row_of) - len(self._worst)
        self._worst = np.concatenate([self._worst, np.full((more, 5), np.inf)])
        worse = precedes(bad, self._worst[rows])
        self._worst[rows[worse]] = bad[worse]
        listed = np.where(worse, pairs["contacts"], 0).astype(np.int64)
        places = first_of_each(pairs["contact_start"], listed)
        contacts = report.contacts.take(places)
        pairs["contact_start"] = np.where(worse, starts_of(listed)[:-1], CONTACTS_LEFT_OUT)
        return replace(report, pairs=pairs, contacts=contacts), StoredNormals(
            normals.normals(places, pairs["a"][contacts.pair], contacts.triangle_a))


class Joined:
    """A whole sweep, out of its parts."""

    def __init__(self, *how, **more):
        """Arguments as in Sweep."""
        self._told, self._names, self._done = Sweep(*how, **more).told, Names(), 0

    def add(self, part: Part) -> None:
        """Go on by a part. Raises Refused where it does not follow the one before."""
        if part.first != self._done:
            raise Refused(f"The next part of the sweep begins after {self._done} frames, not after {part.first}.")
        numbers, known = np.append(self._names.joined(part.names), UNNUMBERED), {}     # the last one for UNNUMBERED
        for step in part.steps:
            if isinstance(step, Found):
                if id(step.numbers) not in known:       # arrays that are the same one stay so
                    known[id(step.numbers)] = numbers[step.numbers]
                between = step.between
                if between is not None and between.renamed is not None:
                    between = replace(between, renamed=numbers[between.renamed])
                step = replace(step, numbers=known[id(step.numbers)], names=len(self._names.names), between=between)
            self._told.take(step)
        self._done += len(part.steps)
        if part.cancelled:
            self._told.cancel()

    def report(self, progress=None) -> SweepReport:
        """As `Sweep.report`."""
        return self._told.report(Asking(progress))
