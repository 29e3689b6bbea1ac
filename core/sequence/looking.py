# SPDX-License-Identifier: GPL-3.0-or-later
"""`Looking`: what a sweep does between its frames: it searches, tests moments, and looks for gaps."""
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from .. import methods
from ..distance.asked import Clearance
from ..errors import Cancelled
from ..pipeline import detect
from ..report import Report
from ..rules import RuleSet
from ..run import Run
from ..scene import Scene
from ..scene.select import Selection, select
from ..self_collision.known import SelfReference
from ..tolerance.asked import Tolerance
from ..tolerance.asked import checked as checked_tolerance
from .between import Between
from .frame import NONE_TAKEN, Latest
from .gaps_between import find_gaps
from .moment import Moment
from .moments import put, sample
from .ruling import Ruling
from .stretch import Both, Interval, Stretch

MOST_AT_ONCE = 32           # intervals
MOST_MOVING = 1 << 17       # triangles that move in them: of more, calling kernels takes little of the time,
FEW_MOVING = 1 << 15        # and where no more move in one of them, and none is deformed,
RIGID_TIMES = 4             # so many times as many: most are told apart before trees are placed,
MOST_OBJECTS = 1 << 16      # and objects, whose poses in each frame are kept meanwhile


class Looking:
    """How the intervals of a sweep are looked at."""

    def __init__(self, method: str, tester: str, options: dict, how: dict, ruling: Ruling):
        """method: what looks between frames, with its options; tester: what tests moments; how: other arguments of
        `detect`. ruling: of the sweep."""
        self._method, self._tester, self._options, self._how, self._ruling = method, tester, options, how, ruling
        self._both: Both | None = None      # of the two frames before

    def interval(self, before: Moment, now: Moment, frames: tuple[float, float], rests: np.ndarray, latest: Latest,
                 report: Report, names: int, known: SelfReference | None) -> Interval | None:
        """What there is to look at between two frames; None where nothing was tested in both. rests: (n,) bool, of the
        objects of the later one; latest: what the earlier one found; report: of what was tested in the later one;
        names: how many numbers there are; known: the self_reference of the later frame."""
        taken = NONE_TAKEN if report.rules is None else report.rules.taken
        self._both = Both.of(before, now, self._both)
        if len(self._both.here) == 0:
            return None
        return Interval.of(before, now, self._both, frames, rests, (latest.rows(), (report.pairs, taken)), names, known)

    @property
    def may_wait(self) -> bool:
        """True where intervals may be looked at when the scene has gone on."""
        return self._method == methods.FOLLOWER and self._how["clearance"] == 0.0

    def most_at_once(self, interval: Interval) -> int:
        """How many intervals like this one are looked at together."""
        if self._method != methods.FOLLOWER or max(self._how["clearance"], interval.both.largest_clearance) > 0.0:
            return 1
        moving, most = int(interval.last.triangle_counts.dot(~interval.rests)), MOST_MOVING
        if moving <= FEW_MOVING and interval.first.vertices is interval.last.vertices:
            most *= RIGID_TIMES
        return max(1, min(MOST_AT_ONCE, most // max(1, moving), MOST_OBJECTS // max(1, len(interval.objects))))

    def selection(self, scene: Scene, rules: Any) -> Selection:
        """What is tested between frames, by the scene as it is in one of them. rules: as in `detect`."""
        selection = select(scene, None, RuleSet.of(rules).groups, methods.load(self._tester).takes_points,
                           self._how["self_collisions"])
        applied = self._ruling.applied(rules, scene.layout)
        return selection if applied is None else replace(selection, rules=applied)

    def look(self, intervals: list[Interval], selection: Selection, rules: Any,
             progress) -> tuple[dict[int, Between], Run] | None:
        """What happens in the intervals, by their numbers, without those in which nothing does, and the run that found
        it; None where that was cancelled. selection, rules: of all of them; progress: as in `detect`. Raises what
        `detect` raises."""
        run = Run(progress, self._how["threads"], False, self._options)
        stretch = Stretch(intervals, selection, self._how["self_collisions"])
        rules_of = partial(self._ruling.deciding, rules, stretch.layout)
        between = methods.load(self._method).between
        assert between is not None
        try:
            meets, worst = sample(stretch, stretch.search(between, run), partial(self._ask, selection, progress),
                                  rules_of, self._how["tolerance"])
            found = stretch.shared_out(meets, [number for each in worst for number in each.intervals()])
            for each in worst:
                put(each, found)
            self._find_gaps(stretch, found, selection, rules_of, run)
        except Cancelled:
            if run.dropped:
                raise
            return None
        finally:
            if selection.rules is not None:
                selection.rules.forget()
        return found, run

    def _ask(self, selection: Selection, progress, scene: Scene, pairs: np.ndarray, rounding: float,
             known: SelfReference | None) -> Report:
        """The report of pairs in the scene of moments. rounding: pairs that reach into each other by no more are
        touching; known: what of objects with themselves is no finding there. Raises Cancelled where it is partial."""
        method, alone = self._tester, bool((pairs[:, 0] == pairs[:, 1]).any())
        how = {**self._how, "clearance": 0.0, "self_collisions": alone, "progress": progress,
               "self_reference": known if alone else None}
        how["depth"] |= selection.rules is not None and selection.rules.needs_depths
        if rounding and not how["tolerance"]:       # others may not know tolerances, and promise the same verdicts
            method, how = methods.DEFAULT, {**how, "tolerance": rounding, "options": None}
        report = detect(scene, method, pairs=pairs, **how)
        if report.cancelled:
            raise Cancelled
        return report

    def _find_gaps(self, stretch: Stretch, found: dict[int, Between], selection: Selection, rules_of: Callable,
                   run: Run) -> None:
        """Add what comes within its clearance, where one is asked for."""
        scene, asked = stretch.intervals[0].now.scene, checked_tolerance(self._how["tolerance"])
        clearance = self._clearance_of(stretch.intervals[0])        # of one, as `most_at_once` has it
        if not clearance.is_asked:
            return

        def tolerated(a: np.ndarray, b: np.ndarray) -> np.ndarray:
            places = stretch.places[a], stretch.places[b]
            return Tolerance.of(asked, scene, selection).of_pairs(*places) if asked else np.zeros(len(a))

        find_gaps(stretch, found[0], clearance, rules_of, tolerated, run)

    def _clearance_of(self, interval: Interval) -> Clearance:
        """Of its objects."""
        return Clearance.wished(self._how["clearance"], interval.both.own_clearance)
