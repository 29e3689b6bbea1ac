# SPDX-License-Identifier: GPL-3.0-or-later
"""`Again`: the question of `detect` about one Scene that goes on. What rests is not asked against what rests."""
import time
from copy import copy
from typing import Any

import numpy as np

from .. import methods
from ..depth.kept_depths import KEPT_DEPTHS
from ..errors import TooLarge
from ..memory import let_go
from ..pipeline import detect
from ..report import Report
from ..reporting import note_of_shells, tested_objects
from ..run import StageRecord
from ..scene import Scene
from ..search.contact_budget import MOST_LISTED_CONTACTS
from .frame import Latest
from .known_places import KnownPlaces
from .moment import UNNUMBERED, Moment
from .ruling import Ruling

BYTES_PER_KEPT_CONTACT = 112    # its columns, and its place
KEPT_BYTES = 1 << 27            # of an answer that is remembered; what was taken over for long may hold twice as much
ASKED_WHOLE = "pairs", "regions", "self_reference"      # arguments with which nothing is taken over: they speak of
                                                        # objects by their numbers, or of rows of the report


class Again:
    """Answers as `detect` does, to the last bit but for the figures of what was done, and remembers its last answer.

    A pair is taken over from it where the question is the same one and both objects are what they were: pose, vertices,
    triangles, and what is asked of them. All of that is compared, whatever anybody says has changed. An answer is
    remembered only where it says nothing that depends on which pairs were asked: none that was cancelled, or that has
    notes about pairs, as where not all contacts are listed. Nothing is taken over with one of ASKED_WHOLE, and by a
    method that follows objects to another pose, which is not compared.
    """

    def __init__(self):
        self._ruling = Ruling()
        self.forget()

    def forget(self) -> None:
        """Ask everything the next time."""
        self._before: Moment | None = None          # what the scene was, None where no answer is remembered
        self._question: tuple[Any, dict] = None, {}
        self._latest, self._places, self._contacts = Latest(), KnownPlaces(), 0

    @property
    def rules(self) -> Any:
        """Of the last answer. They are the same ones only where they are this object."""
        return self._question[0]

    def detect(self, scene: Scene, rules: Any = None, *, progress=None, threads: int | None = None, main_thread=None,
               **question: Any) -> Report:
        """The report. question: contacts, clearance, tolerance, weld, depth and self_collisions, and all others, as in
        `detect`. Where pairs were taken over, counts and stages are of those that were asked, `kept_pairs` says how
        many are listed beside them, and a stage "kept" says how long these took.

        Raises what `detect` raises.
        """
        def ask(resting: np.ndarray | None) -> Report:
            depths = None if resting is None else scene.cache.get(KEPT_DEPTHS)
            report = detect(scene, rules=rules, progress=progress, threads=threads, main_thread=main_thread,
                            resting=resting, **question)
            if depths is not None:      # of far more pairs: the next question may be another one, about all of them
                scene.cache[KEPT_DEPTHS] = depths
            return report

        if _is_asked_whole(question):
            self.forget()
            return ask(None)
        begin = time.perf_counter()
        if self._before is not None and (self._before.scene is not scene or self._question[0] is not rules
                                         or self._question[1] != question):
            self.forget()
        now = self._moment(scene)
        rests = self._resting(now)
        asked = time.perf_counter()
        try:
            report = ask(rests)
            if rests is not None and (self._contacts + len(report.contacts) > MOST_LISTED_CONTACTS
                                      or not report.cancelled and report.pairs["unlisted"].any()):
                self.forget()           # which ones are listed depends on all of them
                report, rests = ask(None), None
            found = time.perf_counter()
            self._take(report, now, rests, (rules, question))
        except (MemoryError, TooLarge) as error:
            self.forget()
            let_go(error)
            raise
        if rests is not None:
            report.stages.append(StageRecord("kept", int(np.count_nonzero(rests)), report.counts["kept_pairs"], 0,
                                             asked - begin + time.perf_counter() - found))
        return report

    def _moment(self, scene: Scene) -> Moment:
        """What the scene is now. Objects are numbered by which ones they are, whatever their names."""
        layout, before = scene.layout, self._before
        numbers = (before.numbers if before is not None and before.layout is layout else
                   np.where(layout.enabled, layout.serial, UNNUMBERED))
        now = Moment(scene, numbers, before=before)
        now.let_go()
        return now

    def _resting(self, now: Moment) -> np.ndarray | None:
        """(n,) bool, objects about which nothing is different; None where there are none."""
        before = self._before
        if before is None or self.rules is not None and now.layout is not before.layout:
            return None         # rules may speak of others now: by names, or by indices
        rests = now.resting(before)
        return rests if np.count_nonzero(rests) else None

    def _take(self, report: Report, now: Moment, rests: np.ndarray | None, question: tuple[Any, dict]) -> None:
        """Add what rests to the report, and remember what it says then, or nothing where that cannot be kept."""
        keeps = _can_be_kept(report)
        if rests is None and not keeps:
            self.forget()
            return
        now.tested[tested_objects(now.scene)] = True
        asked, rests = len(report.pairs), np.zeros(len(now.numbers), bool) if rests is None else rests
        decided, _ = self._ruling.deciding(question[0], now.layout, report.pairs["a"], report.pairs["b"])
        mine = copy(report)
        mine.contacts = report.contacts.copied()        # whoever has the report may write into it
        whole = self._latest.joined(mine, decided, now.numbers, rests)
        report.rules = whole.rules
        if whole is not mine:
            report.pairs, report.contacts = whole.pairs, whole.contacts
        if np.count_nonzero(rests):
            report.counts["kept_pairs"] = len(report.pairs) - asked
        self._places.take(report, now.numbers, rests)
        if keeps and _bytes(report) <= KEPT_BYTES:
            self._before, self._question, self._contacts = now, question, len(report.contacts)
        else:
            self.forget()


def _is_asked_whole(question: dict) -> bool:
    """True where nothing can be taken over from an earlier answer."""
    return (any(question.get(each) is not None and question[each] is not False for each in ASKED_WHOLE)
            or methods.load(question.get("method", methods.DEFAULT)).follows)


def _can_be_kept(report: Report) -> bool:
    """False where the report may say something else than it says of the same pairs among others."""
    notes = [note for note in report.notes if note != note_of_shells(report.settings.get("shells", ()))]
    return not (report.cancelled or notes)


def _bytes(report: Report) -> int:
    """About how much is remembered of a report."""
    taken = 0 if report.rules is None else report.rules.taken.nbytes
    return report.pairs.nbytes + taken + BYTES_PER_KEPT_CONTACT * len(report.contacts)
