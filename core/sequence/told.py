# SPDX-License-Identifier: GPL-3.0-or-later
"""`Told`: what the frames of a sweep say together. It takes what is found in one after the other, in whatever process
that was found."""
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..contacts import Contacts
from ..errors import Refused
from ..findings import PAIR_DTYPE, Findings
from ..rules.applied import NO_RULE
from ..rules.outcome import Outcome
from .asking import NO_QUESTIONS, Asking
from .found import Found, Nothing, Repeated, Step
from .gathered import Gathered
from .history import FIRST, FIRST_MET, ITS_RULE, WORST_FRAME, History
from .moment import UNNUMBERED
from .numbered import is_numbered, numbered
from .report import SweepReport
from .rows import coded, times_of

if TYPE_CHECKING:
    from .between import Between


class Told:
    """What is known of the frames until now. It can be pickled."""

    def __init__(self, method: str, options: dict, continuous: bool):
        """options: of a method that looks between frames, {} where it only tests them."""
        self._method, self._options, self._continuous = method, options, continuous
        self._history, self._gathered = History(), Gathered()
        self._frames: list[float] = []
        self._cancelled = False
        self._refused: list[tuple[float, str]] = []     # the first and the last frame that was, and why
        self._refusals = 0
        self._reached = 0.0             # the largest tolerance of a time
        self._slack: float | None = None    # of a least gap; None: none was asked for between frames
        self._names = 0                 # numbers of objects that there are
        self._seen: tuple = (None, False)       # of the last frame, and whether they are the objects' indices

    def take(self, step: Step, asking: Asking = NO_QUESTIONS) -> None:
        """Go on by a frame. asking: where the answer is no, its contacts are not listed."""
        if isinstance(step, Found):
            self._take_found(step, asking)
        elif isinstance(step, Repeated):
            self._gathered.repeat(step.frame)
        else:
            self._take_nothing(step)
        if not isinstance(step, Nothing):
            self._frames.append(step.frame)

    def cancel(self) -> None:
        """The next frame was cancelled."""
        self._cancelled = True

    def _take_found(self, found: Found, asking: Asking) -> None:
        numbers, between, report = found.numbers, found.between, found.report
        self._names = found.names
        if self._seen[0] is not numbers:
            self._seen = numbers, is_numbered(numbers)
        still = found.rests
        if not self._seen[1] or len(still) < found.names:
            still = np.zeros(found.names, bool)
            still[numbers[found.rests]] = True
        if not self._seen[1]:
            report = numbered(report, numbers, found.normals)
        before = self._frames[-1] if self._frames else found.frame
        times, near, parted, left = None, None, list[Callable](), list[Callable]()
        if between is not None:
            self._reached = max(self._reached, between.tolerance)
            self._gathered.lost(numbers[between.lost].tolist())
            self._gathered.turned(numbers[between.turned].tolist())
            self._gathered.carried(numbers[between.carried].tolist())
            times = times_of(numbers[between.a], numbers[between.b], between.start, between.end)
            parted = _parted(between.renamed, between.a, between.b, between.start, between.end)
            if between.near is not None:
                a, b, start, end, slack = between.near
                near = times_of(numbers[a], numbers[b], start, end)
                left = _parted(between.renamed, a, b, start, end)
                self._slack = max(self._slack or 0.0, slack)
            if len(between.taken):
                self._gathered.take_away(between.taken, numbers)
            if between.passing is not None:
                self._pass_between(before, between, between.passing, numbers, asking)
        self._history.add(found.frame, before, report, found.rules, still, times, near, parted, left, asking)
        self._gathered.add(found.frame, found.report, numbers)

    def _pass_between(self, before: float, between: "Between", passing: Findings, numbers: np.ndarray,
                      asking: Asking) -> None:
        assert between.normals is not None
        passing = numbered(passing, numbers, between.normals)
        order = np.argsort(coded(passing.pairs["a"], passing.pairs["b"]))
        passing.pairs = passing.pairs.take(order)
        self._history.pass_between(before, passing, between.moments[order], between.rules[order], asking)

    def _take_nothing(self, nothing: Nothing) -> None:
        self._refused[1:] = [(nothing.frame, nothing.reason)]
        self._refusals += 1
        if self._frames:
            empty = Findings(self._method, {}, [], [], np.zeros(0, PAIR_DTYPE), Contacts.empty())
            self._history.add(nothing.frame, self._frames[-1], empty, np.zeros(0, np.int32),
                              np.zeros(self._names, bool))

    def report(self, asking: Asking = NO_QUESTIONS) -> SweepReport:
        """What is known of the frames so far. asking: where the answer is no, contacts are not listed, and it is
        partial. Raises Refused where there were none that could be tested."""
        if not self._frames and not self._cancelled:
            raise Refused(self._refused[0][1] if self._refused else "There are no frames to test.")
        every, gathered = self._history, self._gathered
        rows, pairs, contacts = every.worst(asking)
        asking.of_many(len(rows))
        rule, known = every.whole[rows, ITS_RULE], every.numbers[rows]
        last = self._frames[-1] if self._frames else math.nan
        spans, verdicts = _of_rows(every.intervals(last), rows, asking)
        spells, spell_verdicts = _of_rows(every.spells(last), rows, asking)
        outcome = None
        if gathered.rules is not None:
            kept = np.bincount(rule[rule != NO_RULE], minlength=len(gathered.rules))
            outcome = Outcome(gathered.rules, gathered.taken(pairs), kept)
        report = SweepReport(
            self._method, {**gathered.settings, **({"options": self._options} if self._options else {})},
            gathered.objects(), gathered.skipped(), pairs, contacts,
            gathered.stages(), gathered.counts(), self._cancelled, self._notes(), rules=outcome,
            frames=np.array(self._frames), intervals=spans, interval_verdicts=verdicts, spells=spells,
            spell_verdicts=spell_verdicts,
            worst_frame=known[:, WORST_FRAME].copy(),
            first_contact=np.where(np.isnan(known[:, FIRST_MET]), known[:, FIRST], known[:, FIRST_MET]),
            continuous=self._precision() if self._continuous else None, unfollowed=gathered.unfollowed())
        report.cancelled |= not asking.end()
        return report

    def _precision(self) -> dict:
        """What `SweepReport.continuous` says."""
        return {"tolerance": self._reached, **({} if self._slack is None else {"gap_tolerance": self._slack})}

    def _notes(self) -> list[str]:
        notes = self._gathered.notes()
        if self._refusals:
            frame, reason = self._refused[0]
            notes.append(f"{self._refusals:,} of {self._refusals + len(self._frames):,} frames were not tested, the "
                         f"first being {frame:g}: {reason}")
        return notes


def _of_rows(closed: np.ndarray, rows: np.ndarray, asking: Asking) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """(spans, verdicts): (k,2) float64 and (k,) int8 of each of some rows. closed: of CLOSED_DTYPE, ordered by row;
    asking: as in `report`."""
    of_row = np.searchsorted(closed["row"], np.arange(1 + len(rows)))
    spans = _cut(np.stack([closed["start"], closed["end"]], axis=1), of_row, rows)
    asking.of_many(len(rows))
    verdicts = _cut(closed["verdict"], of_row, rows)
    asking.of_many(len(rows))
    return spans, verdicts


def _cut(array: np.ndarray, starts: np.ndarray, rows: np.ndarray) -> list[np.ndarray]:
    """What of an array belongs to each of some rows. starts: (all rows + 1,) int64, where that of each begins. In a
    third of the time that `np.split` takes."""
    begin, end = starts[rows].tolist(), starts[rows + 1].tolist()
    return [array[first:last] for first, last in zip(begin, end)]


def _parted(renamed: np.ndarray | None, a: np.ndarray, b: np.ndarray, start: np.ndarray,
            end: np.ndarray) -> list[Callable]:
    """What tells, by the numbers that objects had in the frame before, until when pairs met that did so in it. The rest
    as in Between."""
    if renamed is None:
        return []
    met = np.isnan(start) & (renamed[a] != UNNUMBERED) & (renamed[b] != UNNUMBERED)
    return [times_of(renamed[a[met]], renamed[b[met]], start[met], end[met])]
