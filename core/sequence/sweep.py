# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of a scene → intervals of contact: `Sweep` takes one frame after the other, `sweep` all of them."""
import math
from collections.abc import Iterable, Sized
from copy import copy
from dataclasses import replace
from functools import partial
from operator import is_
from typing import TYPE_CHECKING
from weakref import WeakSet

import numpy as np

from .. import methods
from ..contacts import Contacts
from ..distance.asked import Clearance
from ..errors import Cancelled, NothingToTest, Refused
from ..findings import PAIR_DTYPE
from ..pipeline import detect
from ..report import Report
from ..reporting import tested_objects
from ..rules import RuleSet
from ..rules.outcome import TAKEN_DTYPE
from ..run import Run
from ..scene import Scene
from ..scene.scene import Layout
from ..scene.select import Selection, select
from ..self_collision.known import SelfReference
from ..tolerance.asked import Tolerance
from ..tolerance.asked import checked as checked_tolerance
from .found import Found, Nothing, Repeated, Step
from .frame import Latest, met_in
from .moment import Moment, Names
from .ranges import ANEW
from .report import SweepReport
from .ruling import Ruling
from .told import Told

if TYPE_CHECKING:
    from .between import Between, Interval


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
                 threads: int | None = None, main_thread=None, gpu=None, self_reference: SelfReference | None = None):
        """continuous: also find pairs that meet between two frames, and when within them pairs begin and cease to meet;
        docs/animation.md says how objects move. method: one that needs an interval is what finds this out, so that it
        implies `continuous`; frames are then tested by the default method. All others are as in `detect`. rules and
        self_reference: may be set to others between frames (`self.rules`, `self.self_reference`), as relations of a
        RuleSet are those of one scene's objects, and so are numbers of objects.
        """
        self.rules, self.self_reference = rules, self_reference
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
        self._continuous = continuous
        self._cancelled = False
        self._latest_frame = -math.inf              # that was tested, or had nothing to test
        self._number = 0                            # how many frames there were
        self._anew: tuple[int, WeakSet[Scene]] = (-1, WeakSet())    # see `_begin_anew`
        self._names = Names()
        self._before: Moment | None = None          # of the frame before, None where nothing of it can be kept
        self._last_question: tuple = ()             # rules and self_reference of that frame
        self._last: Report                          # of that frame
        self._ruling = Ruling()
        self._tested: tuple = (None, np.zeros(0, bool))     # objects that were tested, see `_tested_of`
        self._latest, self.told = Latest(), Told(method, self._options, continuous)

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
        now = Moment(scene, numbers, self._continuous, self._before)
        rests, question = None, (self.rules, self.self_reference)
        if self._before is not None and all(map(is_, self._last_question, question)):
            if now.is_as(self._before):
                return self._repeated(frame, progress)
            rests = now.resting(self._before)
        if rests is None:
            rests = np.zeros(len(numbers), bool)
        self._begin_anew(scene)
        try:
            report = detect(scene, self._tester, rules=self.rules, progress=progress,
                            resting=rests if np.count_nonzero(rests) else None,
                            self_reference=uncounted(self.self_reference), **self._how)
        except NothingToTest as refusal:
            return self._without(frame, str(refusal))
        report.frame = frame
        if report.cancelled:
            self._cancel()
            return report
        now.tested = self._tested_of(scene, len(numbers))
        rules, _ = self._rules_of(layout, report.pairs["a"], report.pairs["b"])
        between = None
        if self._continuous and self._before is not None:
            between = self._find_between(self._before, now, frame, report, rests, progress)
            if report.cancelled:
                return report
        self._take(Found(frame, report, numbers, len(self._names.names), rests, rules, now, between))
        report = self._latest.joined(report, rules, numbers, rests)
        self._before, self._last_question, self._last = now, question, report
        return report

    def _tested_of(self, scene: Scene, count: int) -> np.ndarray:
        """(count,) bool: the objects of a scene that the run that ended just now has tested. Not to be written into."""
        objects = tested_objects(scene)
        if self._tested[0] is not objects or len(self._tested[1]) != count:
            mask = np.zeros(count, bool)
            mask[objects] = True
            self._tested = objects, mask
        return self._tested[1]

    def _begin_anew(self, scene: Scene) -> None:
        """In the first frame and every ANEW-th one after it, or the next one that is tested, let nothing of the answer
        depend on what was before: so parts of a range of frames say what the whole range says, to the last bit."""
        if self._number // ANEW != self._anew[0]:
            self._anew = self._number // ANEW, WeakSet()
        if scene not in self._anew[1]:
            self._anew[1].add(scene)
            scene.renew()

    def _take(self, step: Step) -> None:
        """A frame is done."""
        self._number += 1
        self._latest_frame = step.frame
        self.told.take(step)

    def _cancel(self) -> None:
        self._cancelled = True
        self.told.cancel()

    def _repeated(self, frame: float, progress) -> Report:
        """The report of the frame before, for one in which nothing at all is different."""
        report = copy(self._last)
        report.frame, report.stages, report.counts = frame, [], {}
        if progress is not None and progress("prepare", 1.0) is False:
            report.cancelled = True
            self._cancel()
            return report
        self._take(Repeated(frame))
        return report

    def _checked(self, frame: float) -> float:
        """The frame as a number. Raises Refused where it cannot be the next one."""
        try:
            number = math.nan if isinstance(frame, (str, bool)) else float(frame)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise Refused(f"A frame must be a number, not {frame!r}.")
        if number <= self._latest_frame:
            raise Refused(f"Frames must ascend: {number:g} cannot come after {self._latest_frame:g}.")
        if self._cancelled:
            raise Refused("The run was cancelled; no frame can follow.")
        return number

    def _without(self, frame: float, reason: str) -> Report:
        """The report of a frame that has nothing to test."""
        empty = Report(self.method, {}, [], [], np.zeros(0, PAIR_DTYPE), Contacts.empty(), notes=[reason], frame=frame)
        self._take(Nothing(frame, reason))
        self._before, self._latest = None, Latest()
        return empty

    def _find_between(self, before: Moment, now: Moment, frame: float, report: Report, rests: np.ndarray,
                      progress) -> "Between | None":
        """What happens between the frame before and this one, of which `report` says what was tested. None where that
        was cancelled, as the report says then."""
        from .between import Interval  # a session that tests frames only loads nothing of it
        from .moments import sample

        how = {**self._how, "clearance": 0.0, "self_collisions": False, "progress": progress}
        rules = self._ruling.applied(self.rules, now.layout)
        how["depth"] |= rules is not None and rules.needs_depths
        selection = select(now.scene, None, RuleSet.of(self.rules).groups, methods.load(self._tester).takes_points,
                           self._how["self_collisions"])
        if rules is not None:
            selection = replace(selection, rules=rules)
        interval = Interval(before, now, (self._latest_frame, frame), selection, rests)
        taken = np.zeros(0, TAKEN_DTYPE) if report.rules is None else report.rules.taken
        met = met_in(report.pairs, taken, now.numbers)
        run = Run(progress, self._how["threads"], False, self._options)
        try:
            between = methods.load(self._follower).between
            assert between is not None
            found = interval.search(between, self._latest.met(), met, run)
            sample(interval, found, partial(self._detect_between, how), partial(self._rules_of, now.layout))
            self._find_gaps(interval, found, selection, report.pairs, taken, run)
        except Cancelled:
            if run.dropped:
                raise
            report.cancelled = True
            self._cancel()
            return None
        finally:
            if rules is not None:
                rules.forget()
        report.stages += run.stages
        for name, count in run.counts.items():
            report.counts[name] = report.counts.get(name, 0) + count
        report.notes += [note for note in dict.fromkeys(run.notes) if note not in report.notes]
        return found

    def _find_gaps(self, interval: "Interval", found: "Between", selection: Selection, pairs: np.ndarray,
                   taken: np.ndarray, run: Run) -> None:
        """Add to `found` what comes within its clearance, where one is asked for. pairs, taken: of the later frame."""
        now, asked = interval.now, checked_tolerance(self._how["tolerance"])
        clearance = Clearance.of(self._how["clearance"], now.scene, selection.objects)
        if not clearance.is_asked:
            return
        from .gaps_between import Listed, find_gaps

        def tolerated(a: np.ndarray, b: np.ndarray) -> np.ndarray:
            places = interval.places[a], interval.places[b]
            return Tolerance.of(asked, now.scene, selection).of_pairs(*places) if asked else np.zeros(len(a))

        find_gaps(interval, found, clearance, Listed.of(*self._latest.rows()), Listed.of(pairs, taken, now.numbers),
                  partial(self._rules_of, now.layout), tolerated, run)

    def _detect_between(self, how: dict, scene: Scene, pairs: np.ndarray, rounding: float) -> Report:
        """The report of pairs in the scene of a moment. rounding: pairs that reach into each other by no more are
        touching. Raises Cancelled where it is partial."""
        method = self._tester
        if rounding and not how["tolerance"]:       # others may not know tolerances, and promise the same verdicts
            method, how = methods.DEFAULT, {**how, "tolerance": rounding, "options": None}
        report = detect(scene, method, pairs=pairs, **how)
        if report.cancelled:
            raise Cancelled
        return report

    def _rules_of(self, layout: Layout, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As `Ruling.deciding`, by the rules of this frame."""
        return self._ruling.deciding(self.rules, layout, a, b)

    def report(self) -> SweepReport:
        """What is known of the frames so far. Raises Refused where there were none that could be tested."""
        return self.told.report()


def uncounted(reference: SelfReference | None) -> SelfReference | None:
    """The same, with one note for all frames."""
    return None if reference is None else replace(reference, counted=False)
