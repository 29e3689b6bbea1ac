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
from statistics import median
from typing import Protocol

import numpy as np

from . import methods
from .comparison import REPEATS, Comparison, Row, StageTimes
from .declarations import usually_compared
from .differences import hold_against
from .errors import Cancelled, Refused, TouchpointError
from .pipeline import detect
from .report import Report
from .run import StageRecord
from .scene import Scene
from .sequence.film import Film
from .sequence.sweep import sweep

REFERENCE = methods.DEFAULT     # the exact answer that the others are held against
PREPARING = "preparing"         # what progress is told while kernels are loaded


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
    return _compare(_OfScene(scene, question), entries, options, repeats, reference, memory, progress,
                    float(question.get("clearance", 0.0)))


def compare_frames(film: Film, entries: Iterable | None = None, *, options: dict | None = None, repeats: int = REPEATS,
                   reference: str = REFERENCE, memory: bool = True, progress=None, **question) -> Comparison:
    """As `compare`, of the frames of a scene: each run is a `sweep`, and its times are sums over the frames. Methods
    that need an interval are asked between frames. question: what else `Sweep` takes."""
    return _compare(_OfFrames(film, question), entries, options, repeats, reference, memory, progress,
                    float(question.get("clearance", 0.0)))


class Asked(Protocol):
    """What methods are asked about."""

    frames: np.ndarray | None       # see `Comparison.frames`

    def begin(self) -> None:
        """Forget what earlier runs have prepared."""

    def ask(self, method: str, options: dict, progress) -> Report: ...

    def end(self) -> None:
        """Leave all as it was."""


class _OfScene:
    """A scene as it is."""

    def __init__(self, scene: Scene, question: dict):
        self._scene, self._question, self._kept = scene, question, scene.cache
        self.frames: np.ndarray | None = None

    def begin(self) -> None:
        self._scene.cache = {}

    def ask(self, method: str, options: dict, progress) -> Report:
        return detect(self._scene, method, options=options, progress=progress, **self._question)

    def end(self) -> None:
        self._scene.cache = self._kept


class _OfFrames:
    """Frames of a scene, which is made anew for every run."""

    def __init__(self, film: Film, question: dict):
        self._film, self._question = film, question
        self.frames: np.ndarray | None = film.frames

    def begin(self) -> None:
        pass

    def ask(self, method: str, options: dict, progress) -> Report:
        return sweep(self._film.scenes(), method=method, options=options, progress=progress, **self._question)

    def end(self) -> None:
        pass


def _compare(asked: Asked, entries, options, repeats: int, reference: str, memory: bool, progress,
             clearance: float) -> Comparison:
    if repeats < 1:
        raise Refused(f"A method is run again at least once, not {repeats} times.")
    if methods.load(reference).answer != "exact":
        raise Refused(f"The answer of {reference} is not exact, so others cannot be held against it.")
    wanted = _entries(usually_compared(asked.frames is not None) if entries is None else entries, options or {})
    references = list(dict.fromkeys(sorted((_reference_of(method, reference) for method, _ in wanted),
                                           key=lambda each: each != reference)))
    first = [(each, {}) for each in references]
    wanted.sort(key=lambda entry: first.index(entry) if entry in first else len(first))
    result = Comparison(references[0], repeats=repeats, clearance=clearance, frames=asked.frames)
    try:
        _run_all(asked, wanted, references, result, memory, _Steps(progress))
    finally:
        asked.end()
    return result


def _reference_of(method: str, reference: str) -> str:
    """The method whose answer is the exact one for another method."""
    return methods.FOLLOWER if methods.load(method).follows else reference


def _entries(entries, options: dict) -> list[tuple[str, dict]]:
    """[(id, options that are not at their defaults)], each once. Raises Refused for what does not exist."""
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


def _run_all(asked: Asked, entries, references: list[str], result: Comparison, memory: bool, steps: "_Steps") -> None:
    """Fill the rows of a comparison."""
    others = [(each, {}) for each in references if (each, {}) not in entries]
    steps.total = len(entries) * (1 + result.repeats + memory) + len(others)
    _load_kernels([*others, *entries], bool(result.clearance), steps)
    exact: dict[str, Report | None] = {}
    for each, _ in others:
        asked.begin()
        exact[each], reason = _answer(asked, each, {}, steps, "The exact answer")
        if each == result.reference:
            result.no_reference = reason
    for method, chosen in entries if not steps.cancelled else ():
        recipe = methods.load(method)
        row = Row(method, recipe.title, recipe.promise(chosen), chosen,
                  held_against=_reference_of(method, references[0]))
        report = _fill(row, asked, result.repeats, memory, steps)
        if report is None and steps.cancelled:
            break
        result.rows.append(row)
        if (method, chosen) == (row.held_against, {}):
            exact[method] = report
            if method == result.reference:
                result.no_reference = row.reason
        known = exact.get(row.held_against)
        if report is not None and known is not None:
            hold_against(row, report, known, recipe.follows)
    result.cancelled = steps.cancelled
    whole = exact.get(result.reference)
    if whole is not None:
        _describe(result, whole)


def _describe(result: Comparison, exact: Report) -> None:
    result.objects, result.pairs, result.tested = len(exact.objects), len(exact.pairs), list(exact.objects)
    result.triangles = sum(each.triangles for each in exact.objects)
    result.possible_pairs = exact.counts["possible_pairs"]
    result.skipped = list(exact.skipped)


def _fill(row: Row, asked: Asked, repeats: int, memory: bool, steps: "_Steps") -> Report | None:
    """Run one method and note what it took; returns the report of its first run, None where there is none."""
    asked.begin()
    first, row.reason = _answer(asked, row.method, row.options, steps, row.title)
    if first is None:
        steps.skip(repeats + memory)
        return None
    others = []
    for _ in range(repeats):
        again, _ = _answer(asked, row.method, row.options, steps, row.title)
        if again is None:           # cancelled: what was measured until then counts
            break
        others.append(again.stages)
    _write_times(row, first.stages, others)
    row.counts, row.notes = dict(first.counts), list(first.notes)
    row.pairs, row.contacts = len(first.pairs), int(first.found.sum())
    asked.begin()
    if memory and not steps.cancelled:
        row.memory = _peak_memory(asked, row, steps)
    asked.begin()
    return first


def _write_times(row: Row, first: list[StageRecord], others: list[list[StageRecord]]) -> None:
    again = others or [first]
    for number, stage in enumerate(first):
        seconds = [stages[number].seconds for stages in again]
        row.stages.append(StageTimes(stage.name, stage.seconds, min(seconds), median(seconds)))
    whole = [sum(stage.seconds for stage in stages) for stages in again]
    row.first, row.best, row.median = sum(stage.seconds for stage in first), min(whole), median(whole)
    row.runs = 1 + len(others)


def _answer(asked: Asked, method: str, options: dict, steps: "_Steps", label: str) -> tuple[Report | None, str]:
    """The report of one run; else None and the reason, which is "" where it was cancelled."""
    if not steps.begin(label):
        return None, ""
    try:
        return asked.ask(method, options, steps.look), ""
    except Cancelled:
        return None, ""
    except TouchpointError as refusal:
        return None, str(refusal)
    except MemoryError:
        return None, "There is not enough memory for this scene."
    finally:
        steps.done += 1


def _peak_memory(asked: Asked, row: Row, steps: "_Steps") -> int | None:
    """Bytes that one run with empty caches takes at its peak; numpy tells tracemalloc of its arrays, and kernels
    allocate nothing."""
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        report, _ = _answer(asked, row.method, row.options, steps, f"{row.title}: memory")
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
