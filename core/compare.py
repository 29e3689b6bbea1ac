# SPDX-License-Identifier: GPL-3.0-or-later
"""One scene, several methods, one table: what each took, what it tested, and which pairs it missed or invented.

    comparison = compare(scene, ["touchpoint", "tsgo", ("tsgo", {"cells": "diagonals"})])
    for row in comparison.rows:
        print(row.label, row.best, [(each.a, each.b) for each in row.missed])

Each method runs with empty caches first, which is the time of a scene that was never seen, and then again with what it
keeps between runs. Memory is measured in a run of its own, because watching it takes time.
"""
import tracemalloc
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from . import methods
from .codes import CANNOT_TELL, CLEAR, VERDICTS, Skipped
from .declarations import usually_compared
from .errors import Cancelled, Refused, TouchpointError
from .pipeline import detect
from .report import Report
from .run import StageRecord
from .scene import Scene

REPEATS = 3
REFERENCE = methods.DEFAULT     # the exact answer that the others are held against
PREPARING = "preparing"         # what progress is told while kernels are loaded


@dataclass(frozen=True)
class Difference:
    """A pair that a method and the exact answer judge differently. expected, found: words of report.VERDICTS.

    where: (2,3) lowest and highest corner of the contacts that one of the two found, None where there are none.
    """

    a: int
    b: int
    name_a: str
    name_b: str
    expected: str
    found: str
    where: np.ndarray | None = field(default=None, repr=False)


@dataclass
class StageTimes:
    """Wall seconds of one stage: in the first run, and the best and the median of the others."""

    name: str
    first: float
    best: float
    median: float


@dataclass(eq=False)
class Row:
    """What one method did. Where it could not do the scene, `reason` says why and the numbers are 0.

    answer: what the method promises with these options, see `Method`. options: those that are not at their defaults.
    first, best, median: seconds of a whole run, with empty caches and again. counts: see Report.counts. pairs: those
    that are not clear. missed: the exact answer lists them, the method does not; invented: the other way round;
    differing: both list them, with other verdicts or, where the answer should be exact, other contacts. memory: bytes
    that a run takes at its peak beyond the scene, None where it was not measured.
    """

    method: str
    title: str
    answer: str
    options: dict
    reason: str = ""
    stages: list[StageTimes] = field(default_factory=list)
    first: float = 0.0
    best: float = 0.0
    median: float = 0.0
    runs: int = 0
    counts: dict = field(default_factory=dict)
    pairs: int = 0
    contacts: int = 0
    missed: list[Difference] = field(default_factory=list)
    invented: list[Difference] = field(default_factory=list)
    differing: list[Difference] = field(default_factory=list)
    compared: bool = False          # False: there was no exact answer for it
    memory: int | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The title, and the options that were chosen."""
        return ", ".join((self.title, *(f"{name} {_word(value)}" for name, value in self.options.items())))

    @property
    def broken(self) -> bool:
        """True where the method promises an exact answer and gave another one."""
        return self.answer == "exact" and bool(self.missed or self.invented or self.differing)


@dataclass(eq=False)
class Comparison:
    """One row per method that was finished, the exact answer's own first where it was asked for.

    reference: id of the method whose answer is held to be exact; no_reference: why there is none, "" where there is.
    clearance: what was asked for, in units of the scene.
    cancelled: methods that were not finished have no row. skipped: objects that were left out. notes: sentences about
    the scene, filled in by the caller that read it. scene, frame, unit_scale, source: as in `Report`.
    """

    reference: str
    rows: list[Row] = field(default_factory=list)
    objects: int = 0
    triangles: int = 0
    possible_pairs: int = 0
    pairs: int = 0                  # that are not clear in the exact answer
    repeats: int = REPEATS
    clearance: float = 0.0
    no_reference: str = ""
    cancelled: bool = False
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    scene: str | None = None
    frame: float | None = None
    unit_scale: float = 1.0
    source: object = field(default=None, repr=False)

    def exit_code(self) -> int:
        """1 when a method that promises an exact answer gave another one, else 2 when there was no exact answer to
        hold it against or the run was cancelled, else 0."""
        if any(row.broken for row in self.rows):
            return 1
        return 2 if self.no_reference or self.cancelled else 0


def compare(scene: Scene, entries: Iterable | None = None, *, options: dict | None = None, repeats: int = REPEATS,
            reference: str = REFERENCE, memory: bool = True, progress=None, **question) -> Comparison:
    """Run methods one after the other on a scene and hold their answers against the exact one.

    entries: ids of methods, or (id, options) to run one in several ways; None: `usually_compared`. options:
    {id: options} for entries that bring none of their own. repeats: runs after the first, 1 or more. reference: the
    method whose answer is the exact one, "touchpoint" or, for small scenes, "exact". memory=False leaves that run out.
    progress: called as progress(what, fraction done) and returning False to cancel; finished rows are then kept. `what`
    is PREPARING at first, with a fraction of its own.
    question: clearance, pairs, rules, contacts, threads, as in `detect`.

    A method that cannot do the scene gets a row with the reason. Raises Refused for what no method could do: an unknown
    method or option, a reference that is not exact, no number of repeats.
    """
    if repeats < 1:
        raise Refused(f"A method is run again at least once, not {repeats} times.")
    if methods.load(reference).answer != "exact":
        raise Refused(f"The answer of {reference} is not exact, so others cannot be held against it.")
    wanted = _entries(entries, options or {})
    wanted.sort(key=lambda entry: entry != (reference, {}))     # stable: the reference first, the others as they came
    kept = scene.cache
    try:
        return _compare(scene, wanted, repeats, reference, memory, _Steps(progress), question)
    finally:
        scene.cache = kept


def _entries(entries, options: dict) -> list[tuple[str, dict]]:
    """[(id, options that are not at their defaults)], each once. Raises Refused for what does not exist."""
    if entries is None:
        entries = usually_compared()
    found: list[tuple[str, dict]] = []
    for entry in entries:
        method, chosen = (entry, options.get(entry, {})) if isinstance(entry, str) else entry
        full = methods.load(method).chosen(chosen)
        changed = {each.name: full[each.name] for each in methods.load(method).options
                   if full[each.name] != each.default}
        if (method, changed) not in found:
            found.append((method, changed))
    if not found:
        raise Refused("No method was chosen.")
    return found


def _compare(scene, entries, repeats: int, reference: str, memory: bool, steps: "_Steps", question) -> Comparison:
    chosen = entries[0] == (reference, {})
    steps.total = len(entries) * (1 + repeats + memory) + (not chosen)
    result = Comparison(reference, repeats=repeats, clearance=float(question.get("clearance", 0.0)))
    _load_kernels(entries if chosen else [(reference, {}), *entries], bool(result.clearance), steps)
    exact = None
    if not chosen:
        scene.cache = {}
        exact, result.no_reference = _answer(scene, reference, {}, steps, "The exact answer", question)
    for method, chosen_options in entries if not steps.cancelled else ():
        recipe = methods.load(method)
        row = Row(method, recipe.title, recipe.promise(chosen_options), chosen_options)
        report = _fill(row, scene, repeats, memory, steps, question)
        if report is None and steps.cancelled:
            break
        result.rows.append(row)
        if (method, chosen_options) == (reference, {}):
            exact, result.no_reference = report, row.reason
        if report is not None and exact is not None:
            _hold_against(row, report, exact)
    result.cancelled = steps.cancelled
    if exact is not None:
        _describe(result, exact)
    return result


def _describe(result: Comparison, exact: Report) -> None:
    result.objects, result.pairs = len(exact.objects), len(exact.pairs)
    result.triangles = sum(each.triangles for each in exact.objects)
    result.possible_pairs = exact.counts["possible_pairs"]
    result.skipped = list(exact.skipped)


def _fill(row: Row, scene: Scene, repeats: int, memory: bool, steps: "_Steps", question) -> Report | None:
    """Run one method and note what it took; returns the report of its first run, None where there is none."""
    scene.cache = {}
    first, row.reason = _answer(scene, row.method, row.options, steps, row.title, question)
    if first is None:
        steps.skip(repeats + memory)
        return None
    others = []
    for _ in range(repeats):
        again, _ = _answer(scene, row.method, row.options, steps, row.title, question)
        if again is None:           # cancelled: what was measured until then counts
            break
        others.append(again.stages)
    _write_times(row, first.stages, others)
    row.counts, row.notes = dict(first.counts), list(first.notes)
    row.pairs, row.contacts = len(first.pairs), int(first.found.sum())
    scene.cache = {}
    if memory and not steps.cancelled:
        row.memory = _peak_memory(scene, row, steps, question)
    scene.cache = {}
    return first


def _write_times(row: Row, first: list[StageRecord], others: list[list[StageRecord]]) -> None:
    again = others or [first]
    for number, stage in enumerate(first):
        seconds = [stages[number].seconds for stages in again]
        row.stages.append(StageTimes(stage.name, stage.seconds, min(seconds), median(seconds)))
    whole = [sum(stage.seconds for stage in stages) for stages in again]
    row.first, row.best, row.median = sum(stage.seconds for stage in first), min(whole), median(whole)
    row.runs = 1 + len(others)


def _answer(scene, method: str, options: dict, steps: "_Steps", label: str, question) -> tuple[Report | None, str]:
    """The report of one run; else None and the reason, which is "" where it was cancelled."""
    if not steps.begin(label):
        return None, ""
    try:
        return detect(scene, method, options=options, progress=steps.look, **question), ""
    except Cancelled:
        return None, ""
    except TouchpointError as refusal:
        return None, str(refusal)
    except MemoryError:
        return None, "There is not enough memory for this scene."
    finally:
        steps.done += 1


def _peak_memory(scene, row: Row, steps: "_Steps", question) -> int | None:
    """Bytes that one run with empty caches takes at its peak; numpy tells tracemalloc of its arrays, and kernels
    allocate nothing."""
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        report, _ = _answer(scene, row.method, row.options, steps, f"{row.title}: memory", question)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return None if report is None else max(peak - before, 0)


def _load_kernels(entries, with_clearance: bool, steps: "_Steps") -> None:
    """Small scenes first, so that compiling and loading is not taken for the time of a first run."""
    from .warm_up import of_method

    for number, (method, options) in enumerate(entries):
        if not steps.begin(PREPARING, number / len(entries)):
            return
        try:
            of_method(method, options, 0.5 if with_clearance else 0.0, steps.look)
        except (TouchpointError, MemoryError):
            pass                    # cancelled; or the scene itself will show why


def _hold_against(row: Row, report: Report, exact: Report) -> None:
    """Note which pairs of objects that both have tested are judged differently."""
    row.compared = True
    tested = {each.index for each in report.objects} & {each.index for each in exact.objects}
    rows, expected = ({(int(pair["a"]), int(pair["b"])): number for number, pair in enumerate(each.pairs)}
                      for each in (report, exact))
    for a, b in sorted(rows.keys() | expected.keys()):
        if a in tested and b in tested:
            kind = _kind(report, rows.get((a, b)), exact, expected.get((a, b)), row.answer == "exact")
            if kind:
                getattr(row, kind).append(_difference(a, b, report, rows.get((a, b)), exact, expected.get((a, b))))


def _kind(report: Report, row: int | None, exact: Report, expected: int | None, contacts_too: bool) -> str:
    """missed, invented, differing, or "" where a pair is judged alike; None as a row: the pair is not listed.

    Where either cannot tell, nothing is missed or invented: they only differ. contacts_too: which triangles meet, and
    how, must be the same, which a method promises with an exact answer."""
    codes = {CLEAR if number is None else int(each.pairs["verdict"][number])
             for each, number in ((report, row), (exact, expected))}
    if row is None or expected is None:
        return "differing" if CANNOT_TELL in codes else "missed" if row is None else "invented"
    if len(codes) > 1 or not contacts_too:
        return "differing" if len(codes) > 1 else ""
    ours, theirs = report.contacts_of(row), exact.contacts_of(expected)
    same = all(np.array_equal(getattr(ours, part), getattr(theirs, part))
               for part in ("triangle_a", "triangle_b", "kind"))
    return "" if same else "differing"


def _difference(a: int, b: int, report: Report, row: int | None, exact: Report, expected: int | None) -> Difference:
    words = ["clear" if number is None else VERDICTS[each.pairs["verdict"][number]]
             for each, number in ((exact, expected), (report, row))]
    where = None
    for each, number in ((report, row), (exact, expected)):     # the exact answer's, where it has any
        points = np.zeros((0, 3)) if number is None else each.contacts_of(number).point.reshape(-1, 3)
        where = np.stack((points.min(axis=0), points.max(axis=0))) if len(points) else where
    return Difference(a, b, exact.name(a), exact.name(b), words[0], words[1], where)


def _word(value) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


class _Steps:
    """How far a comparison is, in runs."""

    def __init__(self, progress):
        self.total = 1
        self.done = 0
        self.cancelled = False
        self._progress = progress
        self._label = ""
        self._fraction: float | None = None

    def begin(self, label: str, fraction: float | None = None) -> bool:
        """Say what comes next, and how far that is where it is not counted in runs; False when it is not wanted any
        more."""
        self._label, self._fraction = label, fraction
        return self._tell()

    def skip(self, runs: int) -> None:
        """These runs will not take place."""
        self.total -= runs

    def look(self, *_stage) -> None:
        """The progress of `detect`, whose own stages stand for no known part of the whole. What a cancelled run has
        found is of no use here, so it is not waited for."""
        if not self._tell():
            raise Cancelled

    def _tell(self) -> bool:
        if self._progress is not None and not self.cancelled:
            done = min(self.done / max(self.total, 1), 1.0) if self._fraction is None else self._fraction
            self.cancelled = self._progress(self._label, done) is False
        return not self.cancelled
