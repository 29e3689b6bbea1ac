# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of a scene → intervals of contact: `Sweep` takes one frame after the other, `sweep` all of them."""
import math
from collections.abc import Iterable, Sized

import numpy as np

from .. import methods
from ..contacts import Contacts
from ..errors import NothingToTest, Refused, Unsupported
from ..findings import PAIR_DTYPE
from ..pipeline import detect
from ..report import Report
from ..rules import RuleSet
from ..rules.applied import NO_RULE, Applied
from ..rules.outcome import Outcome
from ..scene import Scene
from .frame import Latest
from .gathered import Gathered
from .history import History
from .moment import Moment, Names
from .numbered import numbered
from .report import SweepReport


def sweep(scene_over_time: Iterable[tuple[float, Scene]], *, progress=None, **how) -> SweepReport:
    """Which objects collide in which of many frames, where, and how badly.

    scene_over_time: yields (frame, scene), frames ascending; the scene may be the same one each time, changed in place,
    or another one with objects of the same names. progress: as in `detect`, called with the fraction of all frames
    where scene_over_time has a length; returning False ends the run with a partial report of the frames that are done.
    how: what `Sweep` takes.

    Raises what `Sweep.add` and `Sweep.report` raise.
    """
    run = Sweep(**how)
    total = len(scene_over_time) if isinstance(scene_over_time, Sized) else 0
    for number, (frame, scene) in enumerate(scene_over_time):
        whole = progress
        if progress is not None and total:
            def whole(stage, fraction, number=number):
                return progress(stage, (number + fraction) / total)
        if run.add(frame, scene, whole).cancelled:
            break
    return run.report()


class Sweep:
    """Frames of a scene, one after the other. Pairs of objects that rest are not asked again."""

    def __init__(self, method: str = methods.DEFAULT, *, continuous: bool = False, clearance: float = 0.0,
                 tolerance: float | str = 0.0, rules=None, contacts: bool = True, depth: bool = False,
                 self_collisions: bool = False, weld: float = 0.0, options: dict | None = None,
                 threads: int | None = None, main_thread=None, gpu=None):
        """All as in `detect`. rules: may be set to others between frames (`self.rules`), as relations of a RuleSet are
        those of one scene's objects.
        """
        if continuous:
            raise Unsupported("Touchpoint cannot test between frames yet.")
        self.rules = rules
        self.method = method
        self._how = {"clearance": clearance, "tolerance": tolerance, "contacts": contacts, "depth": depth,
                     "self_collisions": self_collisions, "weld": weld, "options": options, "threads": threads,
                     "main_thread": main_thread, "gpu": gpu}
        self._frames: list[float] = []
        self._cancelled = False
        self._refusals: list[tuple[float, str]] = []
        self._names = Names()
        self._before: Moment | None = None          # of the frame before, None where nothing of it can be kept
        self._last_rules: object = None
        self._applied: tuple = (None, None, None)   # layout, rules, and what these say of it
        self._latest, self._history, self._gathered = Latest(), History(), Gathered()

    def add(self, frame: float, scene: Scene, progress=None) -> Report:
        """Test a frame, and return its report: that of `detect` (of more than two million contacts others may be
        listed). Where it has nothing to test, the report is empty, and says so in a note. A frame that is cancelled is
        not one of those that are done; its report is partial, and no frame can follow.

        frame: a number that is larger than that of the frame before. progress: as in `detect`.
        Raises Refused for another frame, and what `detect` raises; after an error the frame was not tested, and may be
        tested again.
        """
        frame = self._checked(frame)
        layout = scene.layout
        numbers = (self._before.numbers if self._before is not None and self._before.layout is layout
                   else self._names.of(layout))
        now = Moment(scene, numbers)
        rests = np.zeros(len(numbers), bool)
        if self._before is not None and self._last_rules is self.rules:
            rests = now.resting(self._before)
        try:
            report = detect(scene, self.method, rules=self.rules, progress=progress, resting=rests, **self._how)
        except NothingToTest as refusal:
            return self._without(frame, str(refusal))
        report.frame = frame
        if report.cancelled:
            self._cancelled = True
            return report
        now.tested[[each.index for each in report.objects]] = True
        rules = self._deciding(scene, report)
        self._take_over(frame, report, rules, now, rests)
        report = self._latest.joined(report, rules, numbers, rests)
        self._before, self._last_rules = now, self.rules
        self._frames.append(frame)
        return report

    def _checked(self, frame: float) -> float:
        """The frame as a number. Raises Refused where it cannot be the next one."""
        try:
            number = math.nan if isinstance(frame, (str, bool)) else float(frame)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise Refused(f"A frame must be a number, not {frame!r}.")
        latest = [*self._frames[-1:], *(refused for refused, _ in self._refusals[-1:])]
        if latest and number <= max(latest):
            raise Refused(f"Frames must ascend: {number:g} cannot come after {max(latest):g}.")
        if self._cancelled:
            raise Refused("The run was cancelled; no frame can follow.")
        return number

    def _without(self, frame: float, reason: str) -> Report:
        """The report of a frame that has nothing to test."""
        self._refusals.append((frame, reason))
        empty = Report(self.method, {}, [], [], np.zeros(0, PAIR_DTYPE), Contacts.empty(), notes=[reason], frame=frame)
        if self._frames:
            self._history.add(frame, self._frames[-1], empty, np.zeros(0, np.int32),
                              np.zeros(len(self._names.names), bool))
        self._before, self._latest = None, Latest()
        return empty

    def _deciding(self, scene: Scene, report: Report) -> np.ndarray:
        """(pairs,) int32: which rule concerns each pair of a frame, or NO_RULE."""
        if report.rules is None or len(report.pairs) == 0:
            return np.full(len(report.pairs), NO_RULE, np.int32)
        layout = scene.layout
        if self._applied[0] is not layout or self._applied[1] is not self.rules:
            applied = RuleSet.of(self.rules).applied(layout.names, layout.group, layout.groups)
            self._applied = layout, self.rules, applied
        known: Applied = self._applied[2]
        return known.deciding(report.pairs["a"], report.pairs["b"])

    def _take_over(self, frame: float, report: Report, rules: np.ndarray, now: Moment, rests: np.ndarray) -> None:
        """Let a frame's report go into what the whole sweep says."""
        still = np.zeros(len(self._names.names), bool)
        still[now.numbers[rests]] = True
        self._history.add(frame, self._frames[-1] if self._frames else frame, numbered(report, now), rules, still)
        self._gathered.add(frame, report, now.numbers)

    def report(self) -> SweepReport:
        """What is known of the frames so far. Raises Refused where there were none that could be tested."""
        if not self._frames and not self._cancelled:
            raise Refused(self._refusals[0][1] if self._refusals else "There are no frames to test.")
        every, gathered = self._history, self._gathered
        rows, pairs, contacts = every.worst()
        known, closed = every.rows[rows], every.intervals(self._frames[-1] if self._frames else math.nan)
        cuts = np.searchsorted(closed["row"], np.arange(1, len(rows)))
        spans = np.split(np.stack([closed["start"], closed["end"]], axis=1), cuts) if len(rows) else []
        verdicts = np.split(closed["verdict"], cuts) if len(rows) else []
        outcome = None
        if gathered.rules is not None:
            kept = np.bincount(known["rule"][known["rule"] != NO_RULE], minlength=len(gathered.rules))
            outcome = Outcome(gathered.rules, gathered.taken(pairs), kept)
        order = rows.tolist()
        return SweepReport(
            gathered.method or self.method, gathered.settings,
            [gathered.objects[number] for number in sorted(gathered.objects)], gathered.skipped(), pairs, contacts,
            gathered.stages(), gathered.counts(), self._cancelled, self._notes(), rules=outcome,
            frames=np.array(self._frames), intervals=[spans[row] for row in order],
            interval_verdicts=[verdicts[row] for row in order], worst_frame=known["worst_frame"],
            first_contact=np.where(np.isnan(known["met"]), known["first"], known["met"]))

    def _notes(self) -> list[str]:
        notes = self._gathered.notes()
        if self._refusals:
            count = len(self._refusals)
            notes.append(f"{count:,} of {count + len(self._frames):,} frames were not tested, the first being "
                         f"{self._refusals[0][0]:g}: {self._refusals[0][1]}")
        return notes
