# SPDX-License-Identifier: GPL-3.0-or-later
"""`TestsRun`: some tests of a scene, frame by frame, with one answer for each. `ShownTestRun`: one, shown as Detect
does."""
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from ...core import Cancelled, Refused, TouchpointError
from ...core.codes import FAIL_ON
from ...core.declarations import declaration
from .. import phrases, questions
from ..pumped_run import PumpedRun
from ..rules.kept import kept_rules
from ..run import DetectRun, preferred_threads
from ..worker import Progress
from .named_test import NamedTest

ERROR = 3
WORST = (ERROR, 1, 2, 0)        # exit codes, the worst first
NOT_ALL = "Tests were cancelled before all of them had ended."
TESTING = "testing"


@dataclass
class Ended:
    """How a test ended: exit code, and a sentence about a frame, which is None for the current one."""

    name: str
    code: int
    line: str
    frame: float | None = None


def worst(codes: Iterable[int]) -> int:
    """The worst of some exit codes."""
    return min(codes, key=WORST.index)


def refuse_one_name_for_several(names: list[str]) -> None:
    """Raise Refused where two tests have one name."""
    several = next((name for name, times in Counter(names).items() if times > 1), None)
    if several is not None:
        raise Refused(f'Several tests are called "{several}": give each a name of its own.')


class TestsRun(PumpedRun):
    """Several tests; the answer is a list of `Ended`. A test that cannot be run ends with an error, and the next one
    goes on."""

    title = "Tests"
    nothing_found = NOT_ALL
    __test__ = False        # of pytest

    def __init__(self, context, names: list[str], *, rules=None, fail_on=FAIL_ON, shown: bool = False,
                 found: Callable[[str, object], None] = lambda name, report: None, threads: int | None = None,
                 volume: bool = False):
        """names: of tests of the current scene. rules: instead of those of the scene, not of a test's own.
        found(name, report): called on this thread for every frame of every test. fail_on: as in `Report.exit_code`.
        volume: as in `api.detect`. Raises Refused where two of them have one name, as scripts may write it: the one
        would be asked twice, and the other never."""
        refuse_one_name_for_several(names)
        super().__init__(context, {}, takes_points=False, needs_kernels=True, shown=shown)
        self._names, self._rules, self._fail_on, self._found = names, rules, fail_on, found
        self._asked_of_all = {"threads": threads, "volume": volume}
        self._done = 0

    @property
    def progress(self) -> Progress:
        return Progress(TESTING, self._done / max(len(self._names), 1))

    def _steps(self):
        self._begun = True
        ended = []
        for name in self._names:
            try:
                ended.append((yield from self._test(self._named(name))))
            except Cancelled:
                raise Cancelled(NOT_ALL) from None
            except TouchpointError as error:
                ended.append(Ended(name, ERROR, str(error)))
            self._done += 1
        self.answer = ended
        if self._shown:
            yield from self._write(ended)

    def _named(self, name: str) -> NamedTest:
        scene = self._context.scene
        item = scene.touchpoint.tests.get(name)
        if item is None:
            raise Refused("It was removed or renamed before its turn came.")
        return NamedTest.of(item, kept_rules(scene) if self._rules is None else self._rules)

    def _test(self, test: NamedTest):
        """Ask one test at all its frames; returns how it ended."""
        method = test.how["method"]
        self._takes_points, self._needs_kernels = questions.takes_points(method), declaration(method).compiled
        self._alone = test.how["self_collisions"]
        self._how = {**test.how, **self._asked_of_all}
        codes, lines = [], []
        for frame in test.frames or (None,):
            if self._cancelled:
                raise Cancelled(NOT_ALL)
            self._where = {**test.where, "frame": frame, "rules": test.rules}
            try:
                snapshot = yield from self._read()
                self._hand_over(snapshot)
                report = _with_rules_of((yield from self._wait()), test)
            except TouchpointError as error:
                if frame is None or isinstance(error, Cancelled):
                    raise
                return Ended(test.name, ERROR, f"Frame {frame:g}: {error}", frame)
            if report.cancelled:
                raise Cancelled(NOT_ALL)
            self._found(test.name, report)      # who may say why the answer is open
            codes.append(report.exit_code(self._fail_on))
            lines.append(_line(report, len(test.frames)))
        first = codes.index(worst(codes))
        return Ended(test.name, codes[first], lines[first], test.frames[first] if test.frames else None)

    def _ask(self, snapshot, progress):
        return questions.detect_in(snapshot, progress=progress, main_thread=self._worker.on_main_thread, **self._how)

    def _refuse_nothing(self, answer) -> None:
        """Every test that ended is worth showing."""

    def _writing(self, ended, scene) -> Generator[float, None, None]:
        for each in ended:
            item = scene.touchpoint.tests.get(each.name)
            if item is not None:        # else it was removed meanwhile
                item.code, item.line = each.code, each.line
                item.frame = scene.frame_float if each.frame is None else each.frame
        yield 1.0


class ShownTestRun(DetectRun):
    """One test at the current frame, asked as it says and shown as Detect does."""

    __test__ = False        # of pytest

    def __init__(self, context, test: NamedTest):
        super().__init__(context, {**test.where, "rules": test.rules}, shown=True, **preferred_threads(), **test.how)
        self._test = test

    def _ask(self, snapshot, progress):
        return _with_rules_of(super()._ask(snapshot, progress), self._test)


def _with_rules_of(report, test: NamedTest):
    """The same report, which now says whose rules were asked."""
    if test.rules_of:
        report.settings[phrases.RULES_OF] = test.rules_of
    return report


def _line(report, frames: int) -> str:
    taken = phrases.taken_away(report)
    at = f"Frame {report.frame:g}: " if frames else ""
    return f"{at}{phrases.headline(report)}{f', {taken}' if taken else ''}"
