# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of a scene → intervals of contact: `Sweep` takes one frame after the other, `sweep` all of them."""
import math
import time
from collections.abc import Iterable, Sequence, Sized
from copy import copy
from dataclasses import replace
from operator import is_
from typing import TYPE_CHECKING
from weakref import WeakSet

import numpy as np

from .. import methods
from ..contacts import Contacts
from ..errors import Cancelled, NothingToTest, Refused
from ..findings import PAIR_DTYPE
from ..pipeline import detect
from ..report import Report
from ..reporting import tested_objects
from ..scene import Scene
from ..self_collision.known import SelfReference
from .asking import NO_QUESTIONS, Asking
from .at_once import Waits, count_kept
from .contact_store import list_none
from .found import Found, Nothing, Repeated, Step
from .frame import Latest
from .moment import Moment, Names
from .queued import Queued
from .ranges import ANEW
from .report import SweepReport
from .ruling import Ruling
from .told import Told
from .waiting import Waiting

if TYPE_CHECKING:
    from ..scene.select import Selection
    from .looking import Looking
    from .stretch import Interval

MANY_OBJECTS = 1 << 16      # to number them takes some hundredths of a second
FINISHING_SECONDS = 0.1     # what frames that wait may still take once the run is cancelled


def sweep(scene_over_time: Iterable[tuple[float, Scene]], *, progress=None, **how) -> SweepReport:
    """Which objects collide in which of many frames, where, and how badly.

    scene_over_time: yields (frame, scene), frames ascending; the scene may be the same one each time, changed in place,
    or another one with objects of the same names. progress: as in `detect`, called with the fraction of frames that are
    done where scene_over_time has a length; returning False ends the run with a partial report of these frames.
    how: what `Sweep` takes.

    Raises what `Sweep.add` and `Sweep.report` raise.
    """
    run = Sweep(**how)
    total, whole = len(scene_over_time) if isinstance(scene_over_time, Sized) else 0, progress
    for number, (frame, scene) in enumerate(scene_over_time):
        whole = progress
        if progress is not None and total:
            def whole(stage, fraction, number=number):
                return progress(stage, number / total)
        if not run.take(frame, scene, whole):
            return run.report()
    return run.report(whole)


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
        self._looking = self._looking_at() if continuous else None
        self._between = Waiting(self._looking)
        self._tested: tuple = (None, np.zeros(0, bool))     # objects that were tested, see `_tested_of`
        self._latest, self.told = Latest(), Told(method, self._options, continuous)
        self._queued = Queued(self._tester, self._how, self._looking)

    def _looking_at(self) -> "Looking":
        from .looking import Looking  # a session that tests frames only loads nothing of it

        return Looking(self._follower, self._tester, self._options, self._how, self._ruling)

    def add(self, frame: float, scene: Scene, progress=None) -> Report:
        """Test a frame, and return its report: that of `detect` (of more than two million contacts others may be
        listed). Where it has nothing to test, the report is empty, and says so in a note. A frame that is cancelled is
        not one of those that are done, unless it was tested already: then the sweep knows it, and lists fewer contacts.
        Its report is partial, and no frame can follow.

        frame: a number that is larger than that of the frame before. progress: as in `detect`.
        Raises Refused for another frame, and what `detect` raises; after an error the frame was not tested, and may be
        tested again.
        """
        own = copy(self._test(frame, scene, progress))
        asking = NO_QUESTIONS if own.cancelled else Asking(progress)
        try:
            own.contacts = own.contacts.copied(asking)      # whoever has the report may write into it
        except Cancelled:
            own.pairs = own.pairs.copy()
            own.contacts = list_none(own.pairs)
            self._cancelled_in(own)
            asking.end()
        return own

    def _test(self, frame: float, scene: Scene, progress) -> Report:
        """`add`, whatever subclasses make of it."""
        frame = self._checked(frame)
        self.finish()
        layout = scene.layout
        watched = progress if len(layout.names) >= MANY_OBJECTS else None
        if _wants_to_stop(watched):
            return self._cancelled_in(self._nothing_in(frame))
        numbers = (self._before.numbers if self._before is not None and self._before.layout is layout
                   else self._names.of(layout))
        if _wants_to_stop(watched):
            return self._cancelled_in(self._nothing_in(frame))
        now = Moment(scene, numbers, self._continuous, self._before)
        if _wants_to_stop(watched):
            return self._cancelled_in(self._nothing_in(frame))
        rests, question = None, (self.rules, self.self_reference)
        if self._before is not None and all(map(is_, self._last_question, question)):
            if now.is_as(self._before):
                self._queued.held()
                return self._repeated(frame, progress)
            rests = now.resting(self._before)
        known, rests = rests, np.zeros(len(numbers), bool) if rests is None else rests
        self._begin_anew(now)
        try:
            report = detect(scene, self._tester, rules=self.rules, progress=progress,
                            resting=rests if np.count_nonzero(rests) else None,
                            self_reference=uncounted(self.self_reference), **self._how)
        except NothingToTest as refusal:
            return self._without(frame, str(refusal))
        if report.cancelled:
            report.frame = frame
            return self._cancelled_in(report)
        now.tested = self._tested_of(scene, len(numbers))
        self._queued.learn(report, now, known)
        return self._tell_of(Waits(frame, now, rests, question), report, progress) or self._cancelled_in(report)

    def take(self, frame: float, scene: Scene, progress=None) -> bool:
        """Test a frame, as `add` does, whose report nobody reads: where frames are short, it waits until several are
        tested together, or until something is asked that needs it. False: the run was cancelled, and no frame can
        follow. What is raised then may be about any of the frames that wait; none of these was tested."""
        frame, waits = self._checked(frame), None
        if (self._number + self.waiting) // ANEW == self._anew[0]:
            waits = self._queued.next(frame, scene, self._before, (self.rules, self.self_reference),
                                      self._last_question)
        if waits is None:
            return not self._test(frame, scene, progress).cancelled
        if _wants_to_stop(progress):
            self.finish()
            self._cancelled_in(self._nothing_in(frame))
            return False
        return not self._queued.add(waits) or self.finish(progress)

    @property
    def waiting(self) -> int:
        """How many frames were taken and are not tested yet."""
        return len(self._queued.frames)

    def finish(self, progress=None) -> bool:
        """Test the frames that wait, together, and tell of them. False: that was cancelled. The last one is none of
        those that are done then; the others are, if that takes no time. Raises what `detect` raises."""
        if not self._queued.frames:
            return True
        waits, self._queued.frames = self._queued.frames, []
        reports = self._queued.tested(waits, progress)
        if reports is not None:
            return self._tell_of_all(waits, reports, progress)
        latest = time.perf_counter() + FINISHING_SECONDS
        reports = self._queued.tested(waits[:-1], lambda _stage, _fraction: time.perf_counter() < latest)
        if reports is None or self._tell_of_all(waits[:-1], reports, None):
            self._cancelled_in(self._nothing_in(waits[-1].frame))
        return False

    def _tell_of_all(self, waits: list[Waits], reports: list[Report | None], progress) -> bool:
        """Go on by frames that were tested together. False: what is between them was cancelled."""
        for each, report in zip(waits, reports):
            if not (self._take(Repeated(each.frame), None, Asking(progress)) if report is None else
                    self._tell_of(each, report, progress, self._queued.selection) is not None):
                self._cancelled_in(self._nothing_in(each.frame))
                return False
        return True

    def _tell_of(self, tested: Waits, report: Report, progress, selection: "Selection | None" = None) -> Report | None:
        """Go on by a frame that was tested; returns its whole report. None: that was cancelled. report: of what was
        tested; selection: as in `Waiting.add`."""
        asking = Asking(progress)
        frame, now, rests, question, _ = tested
        report.frame = frame
        layout, numbers = now.layout, now.numbers
        rules, _ = self._ruling.deciding(question[0], layout, report.pairs["a"], report.pairs["b"])
        count_kept(report.rules, rules)
        names, interval = len(self._names.names), None
        if self._looking is not None and self._before is not None:
            interval = self._looking.interval(self._before, now, (self._latest_frame, frame), rests, self._latest,
                                              report, names, question[1])
        step = Found(frame, report, numbers, names, rests, rules, now)
        if not self._take(step, interval, asking, question[0], selection):
            return None
        asking.of_many(len(report.pairs))
        report = self._latest.joined(report, rules, numbers, rests, asking)
        self._before, self._last_question, self._last = now, question, report
        return report if asking.end() else None

    def _tested_of(self, scene: Scene, count: int) -> np.ndarray:
        """(count,) bool: the objects of a scene that the run that ended just now has tested. Not to be written into."""
        objects = tested_objects(scene)
        if self._tested[0] is not objects or len(self._tested[1]) != count:
            mask = np.zeros(count, bool)
            mask[objects] = True
            self._tested = objects, mask
        return self._tested[1]

    def _begin_anew(self, now: Moment) -> None:
        """In the first frame and every ANEW-th one after it, or the next one that is tested, let nothing of the answer
        depend on what was before: so parts of a range of frames say what the whole range says, to the last bit."""
        if self._number // ANEW != self._anew[0]:
            self._anew = self._number // ANEW, WeakSet()
        if now.scene not in self._anew[1]:
            self._anew[1].add(now.scene)
            now.scene.renew()
            self._queued.begin_anew(now)

    def _take(self, step: Step, interval: "Interval | None" = None, asking: Asking = NO_QUESTIONS, rules=None,
              selection: "Selection | None" = None) -> bool:
        """A frame was tested, and is told of, with those that wait, when what is between them was looked at. interval:
        since the frame before; rules, selection: as in `Waiting.add`. False: that was cancelled, and the frame is done
        only where it was told of already."""
        waiting = self._between
        if interval is not None and not waiting.serves(interval, rules) and not self._look(asking):
            return False
        waiting.add(step, interval, rules, selection)
        if waiting.is_enough or (self._number + 1) % ANEW == 0:
            steps = None
            try:
                steps = waiting.look(asking.progress)
            finally:
                if steps is None:
                    waiting.drop_last()
            if steps is None:
                return False
            self._tell_all(steps, asking)
        elif selection is None:         # else nobody has its report
            waiting.keep_last()
        self._count(step)
        return asking.end()

    def _look(self, asking: Asking = NO_QUESTIONS) -> bool:
        """Look between the frames that wait, and tell of them. False: it was cancelled, and they wait on, or were told
        of."""
        steps = self._between.look(asking.progress)
        self._tell_all(steps or [], asking)
        return steps is not None and asking.end()

    def _count(self, step: Step) -> None:
        """A frame is done."""
        self._number += 1
        self._latest_frame = step.frame

    def _tell_all(self, steps: list[Step], asking: Asking) -> None:
        """Where there is no memory for what is told, no frame can follow: some of it is told, some is not."""
        try:
            for step in steps:
                asking.of_many(len(step.report.pairs) if isinstance(step, Found) else 0)
                self._tell(step, asking)
        except BaseException:
            self._cancelled = True
            self.told.cancel()
            raise

    def _tell(self, step: Step, asking: Asking) -> None:
        """All that is to be known of a frame is known."""
        self.told.take(step, asking)

    def _cancelled_in(self, report: Report) -> Report:
        """The report of the frame in which the run was cancelled. Those before it are done, and are told of where that
        takes no time."""
        report.cancelled = True
        latest = time.perf_counter() + FINISHING_SECONDS
        self._look(Asking(lambda _stage, _fraction: time.perf_counter() < latest))
        self._cancel()
        return report

    def _cancel(self) -> None:
        """No frame can follow, and those that wait are none of those that are done."""
        self._cancelled, self._between = True, Waiting(self._looking)
        self.told.cancel()

    def _repeated(self, frame: float, progress) -> Report:
        """The report of the frame before, for one in which nothing at all is different."""
        report = copy(self._last)
        report.frame, report.stages, report.counts = frame, [], {}
        if progress is not None and progress("prepare", 1.0) is False:
            return self._cancelled_in(report)
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
        latest = self._queued.frames[-1].frame if self._queued.frames else self._latest_frame
        if number <= latest:
            raise Refused(f"Frames must ascend: {number:g} cannot come after {latest:g}.")
        if self._cancelled:
            raise Refused("The run was cancelled; no frame can follow.")
        return number

    def _without(self, frame: float, reason: str) -> Report:
        """The report of a frame that has nothing to test."""
        empty = self._nothing_in(frame, [reason])
        self._take(Nothing(frame, reason))
        self._before, self._latest = None, Latest()
        return empty

    def _nothing_in(self, frame: float, notes: Sequence[str] = ()) -> Report:
        """A report of a frame in which nothing was tested."""
        return Report(self.method, {}, [], [], np.zeros(0, PAIR_DTYPE), Contacts.empty(), notes=list(notes),
                      frame=frame)

    def report(self, progress=None) -> SweepReport:
        """What is known of the frames so far. progress: as in `detect`; returning False lists no contacts that would
        have to be moved, leaves frames out that wait, and makes the report partial; no frame can follow then. Raises
        Refused where there were none that could be tested."""
        asking = Asking(progress)
        if self.finish(progress) and not self._look(asking):
            self._cancel()
        report = self.told.report(asking)
        if report.cancelled:
            self._cancel()
        return report


def _wants_to_stop(progress) -> bool:
    """progress: as in `detect`."""
    return progress is not None and progress("prepare", 0.0) is False


def uncounted(reference: SelfReference | None) -> SelfReference | None:
    """The same, with one note for all frames."""
    return None if reference is None else replace(reference, counted=False)
