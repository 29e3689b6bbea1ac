# SPDX-License-Identifier: GPL-3.0-or-later
"""`Waiting`: frames that were tested, and wait for what is between them to be looked at, several intervals at once."""
from typing import TYPE_CHECKING, Any

from ..report import Report
from ..scene.select import Selection
from .found import Found, Step
from .rows import copied

if TYPE_CHECKING:
    from .looking import Looking
    from .stretch import Interval

MOST_CONTACTS = 1 << 12     # of a frame that waits: until it is told of, it keeps what it found for itself


class Waiting:
    """Frames in a row. Those between two of which nothing has to be looked at wait for their turn."""

    def __init__(self, looking: "Looking | None"):
        """looking: None where nothing is to be looked at."""
        self._looking = looking
        self.steps: list[Step] = []
        self._asked: list[tuple[Found, Interval]] = []      # the steps before which something is to be looked at
        self._selection: Selection | None = None
        self._rules: Any = None

    def serves(self, interval: "Interval", rules: Any) -> bool:
        """True where an interval can be looked at together with those that wait."""
        return not self._asked or (rules is self._rules and interval.follows(self._asked[-1][1]))

    def add(self, step: Step, interval: "Interval | None", rules: Any, selection: Selection | None = None) -> None:
        """interval: before the step, which is a Found then; rules: of the frame; selection: what is tested between such
        frames, None: what the scene of the frame says now."""
        self.steps.append(step)
        if interval is not None and isinstance(step, Found):
            assert self._looking is not None
            if not self._asked:
                self._selection = selection or self._looking.selection(interval.now.scene, rules)
                self._rules = rules
            self._asked.append((step, interval))

    def drop_last(self) -> None:
        """Forget the step that was added last."""
        step = self.steps.pop()
        self._asked = [each for each in self._asked if each[0] is not step]

    @property
    def is_enough(self) -> bool:
        """True where it is time to look, or where nobody waits for that."""
        if not self._asked:
            return True
        assert self._looking is not None
        step, interval = self._asked[-1]
        return (len(self._asked) >= self._looking.most_at_once(interval)
                or len(step.report.contacts) > MOST_CONTACTS)

    def keep_last(self) -> None:
        """The step that was added last goes on waiting: whoever has its report may write into it meanwhile."""
        step = self.steps[-1]
        if not isinstance(step, Found):
            return
        step.report = own = _own(step.report)
        if self._asked[-1][0] is step:
            interval = self._asked[-1][1]
            taken = interval.after[1]
            self._asked[-1] = step, interval._replace(after=(own.pairs, copied(taken) if len(taken) else taken))

    def look(self, progress) -> list[Step] | None:
        """All steps, which know what is between them now, and wait no more. None where that was cancelled, and what
        `Looking.look` raises: they wait on. progress: as in `detect`."""
        if self._asked:
            assert self._looking is not None and self._selection is not None
            steps, intervals = zip(*self._asked)
            looked = self._looking.look(list(intervals), self._selection, self._rules, progress)
            if looked is None:
                return None
            found, run = looked
            for number, between in found.items():
                steps[number].between = between
            report = steps[-1].report
            report.stages += run.stages
            for name, count in run.counts.items():
                report.counts[name] = report.counts.get(name, 0) + count
            report.notes += [note for note in dict.fromkeys(run.notes) if note not in report.notes]
        every, self.steps, self._asked, self._selection = self.steps, [], [], None
        return every


def _own(report: Report) -> Report:
    """A copy that shares nothing that can be written into, but for the objects."""
    own = object.__new__(type(report))      # in a tenth of the time that `copy` takes
    own.__dict__.update(report.__dict__, pairs=report.pairs.copy(), stages=list(report.stages),
                        counts=dict(report.counts), notes=list(report.notes))
    own.contacts = report.contacts.copied()
    return own
