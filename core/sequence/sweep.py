# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of a scene → intervals of contact: `Sweep` takes one frame after the other, `sweep` all of them."""
import math
from collections.abc import Iterable, Sized
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .. import methods
from ..contacts import Contacts
from ..errors import Cancelled, NothingToTest, Refused
from ..findings import PAIR_DTYPE
from ..pipeline import detect
from ..report import Report
from ..rules import RuleSet
from ..rules.applied import NO_RULE, Applied
from ..rules.outcome import TAKEN_DTYPE, Outcome
from ..run import Run
from ..scene import Scene
from ..scene.scene import Layout
from ..scene.select import select
from .frame import Latest, met_codes
from .gathered import Gathered
from .history import History
from .moment import Moment, Names
from .numbered import numbered
from .report import SweepReport

if TYPE_CHECKING:
    from .between import Between


def sweep(scene_over_time: Iterable[tuple[float, Scene]], *, progress=None, **how) -> SweepReport:
    """Which objects collide in which of many frames, where, and how badly.

    scene_over_time: yields (frame, scene), frames ascending; the scene may be the same one each time, changed in place,
    or another one with objects of the same names. progress: as in `detect`, called with the fraction of frames that are
    done where scene_over_time has a length; returning False ends the run with a partial report of these frames.
    how: what `Sweep` takes.

    Raises what `Sweep.add` and `Sweep.report` raise.
    """
    run = Sweep(**how)
    total = len(scene_over_time) if isinstance(scene_over_time, Sized) else 0
    for number, (frame, scene) in enumerate(scene_over_time):
        whole = progress
        if progress is not None and total:
            def whole(stage, fraction, number=number):
                return progress(stage, number / total)
        if run.add(frame, scene, whole).cancelled:
            break
    return run.report()


class Sweep:
    """Frames of a scene, one after the other. Pairs of objects that rest are not asked again."""

    def __init__(self, method: str = methods.DEFAULT, *, continuous: bool = False, clearance: float = 0.0,
                 tolerance: float | str = 0.0, rules=None, contacts: bool = True, depth: bool = False,
                 self_collisions: bool = False, weld: float = 0.0, options: dict | None = None,
                 threads: int | None = None, main_thread=None, gpu=None):
        """continuous: also find pairs that meet between two frames, and when within them pairs begin and cease to meet;
        docs/animation.md says how objects move. method: one that needs an interval is what finds this out, so that it
        implies `continuous`; frames are then tested by the default method. All others are as in `detect`. rules: may be
        set to others between frames (`self.rules`), as relations of a RuleSet are those of one scene's objects.
        """
        self.rules = rules
        self.method = self._tester = self._follower = method    # what tests frames, and what looks between them
        self._options: dict = {}                                # of the follower
        if methods.load(method).follows:
            self._tester, continuous = methods.DEFAULT, True
            self._options, options = methods.load(method).chosen(options), None
        else:
            self._follower = methods.FOLLOWER
        self._how = {"clearance": clearance, "tolerance": tolerance, "contacts": contacts, "depth": depth,
                     "self_collisions": self_collisions, "weld": weld, "options": options, "threads": threads,
                     "main_thread": main_thread, "gpu": gpu}
        self._frames: list[float] = []
        self._cancelled = False
        self._refused: list[tuple[float, str]] = []     # the first and the last frame that was, and why
        self._refusals = 0
        self._continuous, self._reached = continuous, 0.0       # the largest tolerance of a time
        self._names = Names()
        self._before: Moment | None = None          # of the frame before, None where nothing of it can be kept
        self._last_rules: object = None
        self._last: Report                          # of that frame
        self._applied: tuple = (None, None, None)   # layout, rules, and what these say of it; see `_rules_for`
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
        now = Moment(scene, numbers, self._continuous)
        rests = np.zeros(len(numbers), bool)
        if self._before is not None and self._last_rules is self.rules:
            if now.is_as(self._before):
                return self._repeated(frame, progress)
            rests = now.resting(self._before)
        try:
            report = detect(scene, self._tester, rules=self.rules, progress=progress, resting=rests, **self._how)
        except NothingToTest as refusal:
            return self._without(frame, str(refusal))
        report.frame = frame
        if report.cancelled:
            self._cancelled = True
            return report
        now.tested[[each.index for each in report.objects]] = True
        rules, _ = self._rules_of(layout, report.pairs["a"], report.pairs["b"])
        between = None
        if self._continuous and self._before is not None:
            between = self._find_between(self._before, now, frame, report, rests, progress)
            if report.cancelled:
                return report
        self._take_over(frame, report, rules, now, rests, between)
        report = self._latest.joined(report, rules, numbers, rests)
        self._before, self._last_rules, self._last = now, self.rules, report
        self._frames.append(frame)
        return report

    def _repeated(self, frame: float, progress) -> Report:
        """The report of the frame before, for one in which nothing at all is different."""
        report = copy(self._last)
        report.frame, report.stages, report.counts = frame, [], {}
        if progress is not None and progress("prepare", 1.0) is False:
            report.cancelled = self._cancelled = True
            return report
        self._gathered.repeat(frame, report)
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
        latest = [*self._frames[-1:], *(refused for refused, _ in self._refused[-1:])]
        if latest and number <= max(latest):
            raise Refused(f"Frames must ascend: {number:g} cannot come after {max(latest):g}.")
        if self._cancelled:
            raise Refused("The run was cancelled; no frame can follow.")
        return number

    def _without(self, frame: float, reason: str) -> Report:
        """The report of a frame that has nothing to test."""
        self._refused[1:] = [(frame, reason)]
        self._refusals += 1
        empty = Report(self.method, {}, [], [], np.zeros(0, PAIR_DTYPE), Contacts.empty(), notes=[reason], frame=frame)
        if self._frames:
            self._history.add(frame, self._frames[-1], empty, np.zeros(0, np.int32),
                              np.zeros(len(self._names.names), bool))
        self._before, self._latest = None, Latest()
        return empty

    def _rules_for(self, layout: Layout) -> Applied | None:
        """What the rules say of a scene's objects, None where there are none."""
        if self._applied[0] is not layout or self._applied[1] is not self.rules:
            applied = RuleSet.of(self.rules).applied(layout.names, layout.group, layout.groups)
            self._applied = layout, self.rules, applied
        return self._applied[2]

    def _find_between(self, before: Moment, now: Moment, frame: float, report: Report, rests: np.ndarray,
                      progress) -> "Between | None":
        """What happens between the frame before and this one, of which `report` says what was tested. None where that
        was cancelled, as the report says then."""
        from .between import Interval  # a session that tests frames only loads nothing of it

        how = {**self._how, "clearance": 0.0, "self_collisions": False, "progress": progress}
        rules = self._rules_for(now.layout)
        how["depth"] |= rules is not None and rules.needs_depths
        selection = select(now.scene, None, RuleSet.of(self.rules).groups, methods.load(self._tester).takes_points,
                           self._how["self_collisions"])
        interval = Interval(before, now, (self._frames[-1], frame), replace(selection, rules=rules), rests)
        taken = np.zeros(0, TAKEN_DTYPE) if report.rules is None else report.rules.taken
        met = met_codes(report.pairs, taken, now.numbers)
        run = Run(progress, self._how["threads"], False, self._options)
        try:
            between = methods.load(self._follower).between
            assert between is not None
            found = interval.search(between, self._latest.met(), met, run)
            interval.sample(found, met, lambda scene, pairs: _finished(detect(scene, self._tester, pairs=pairs, **how)),
                            partial(self._rules_of, now.layout))
        except Cancelled:
            if run.dropped:
                raise
            self._cancelled = report.cancelled = True
            return None
        finally:
            if rules is not None:
                rules.forget()
        self._reached = max(self._reached, found.tolerance)
        report.stages += run.stages
        for name, count in run.counts.items():
            report.counts[name] = report.counts.get(name, 0) + count
        report.notes += [note for note in dict.fromkeys(run.notes) if note not in report.notes]
        return found

    def _rules_of(self, layout: Layout, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(k,) int32 and (k,) float64: which rule concerns pairs of objects, or NO_RULE, and the depth that it allows.
        a, b: (k,) indices."""
        known, allowed = self._rules_for(layout), np.full(len(a), np.nan)
        if known is None:
            return np.full(len(a), NO_RULE, np.int32), allowed
        rule = known.deciding(a, b)
        some = rule != NO_RULE
        allowed[some] = [known.rules[each].allowed_depth for each in rule[some].tolist()]
        return rule, allowed

    def _take_over(self, frame: float, report: Report, rules: np.ndarray, now: Moment, rests: np.ndarray,
                   between: "Between | None") -> None:
        """Let a frame's report, and what happened before it, go into what the whole sweep says."""
        still = np.zeros(len(self._names.names), bool)
        still[now.numbers[rests]] = True
        before = self._frames[-1] if self._frames else frame
        if between is not None:
            self._gathered.lost(between.lost)
            if between.passing is not None:
                self._history.pass_between(between.passing, between.moments, between.rules)
        self._history.add(frame, before, numbered(report, now), rules, still,
                          None if between is None else between.times)
        self._gathered.add(frame, report, now.numbers)

    def report(self) -> SweepReport:
        """What is known of the frames so far. Raises Refused where there were none that could be tested."""
        if not self._frames and not self._cancelled:
            raise Refused(self._refused[0][1] if self._refused else "There are no frames to test.")
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
            self.method, {**gathered.settings, **({"options": self._options} if self._options else {})},
            [gathered.objects[number] for number in sorted(gathered.objects)], gathered.skipped(), pairs, contacts,
            gathered.stages(), gathered.counts(), self._cancelled, self._notes(), rules=outcome,
            frames=np.array(self._frames), intervals=[spans[row] for row in order],
            interval_verdicts=[verdicts[row] for row in order], worst_frame=known["worst_frame"],
            first_contact=np.where(np.isnan(known["met"]), known["first"], known["met"]),
            continuous={"tolerance": self._reached} if self._continuous else None)

    def _notes(self) -> list[str]:
        notes = self._gathered.notes()
        if self._refusals:
            frame, reason = self._refused[0]
            notes.append(f"{self._refusals:,} of {self._refusals + len(self._frames):,} frames were not tested, the "
                         f"first being {frame:g}: {reason}")
        return notes


def _finished(report: Report) -> Report:
    """The same. Raises Cancelled where it is partial."""
    if report.cancelled:
        raise Cancelled
    return report
