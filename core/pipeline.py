# SPDX-License-Identifier: GPL-3.0-or-later
"""Read this first: the stages of a run in order, each timed and counted."""
import math
import threading
import time
from contextlib import contextmanager

import numpy as np

from . import methods
from .contacts import Contacts
from .errors import Cancelled, Refused, Unsupported
from .parallel import thread_count
from .report import (
    BLANK,
    CANCELLED,
    CANNOT_TELL,
    CLEAR,
    CONTAINED,
    CROSSING,
    NEAR,
    NEITHER,
    TOUCHING,
    ObjectInfo,
    Report,
    StageRecord,
)
from .scene import Scene
from .scene.select import Selection, select
from .scene.turn import in_turn

COUNTED = {"broad phase": "broad_tests"}    # the count that a stage's own tests are; of the others, triangle_pairs


@in_turn
def detect(scene: Scene, method: str = "touchpoint", clearance: float = 0.0, pairs=None, rules=None,
           contacts: bool = True, progress=None, threads: int | None = None, options: dict | None = None) -> Report:
    """Which objects of the scene collide, and where.

    method: an id of `methods.ids()`. pairs: (k,2) object indices, the only pairs to test (None: all). rules: pairs of
    group names that are tested against each other (None: all). contacts=False: verdicts only, which is quicker.
    progress: called as progress(stage, fraction done). Returning False cancels: the report is then partial. Raising
    Cancelled ends the run as soon as possible, without a report.
    threads: how many to use (None: all cores, which are also the most); the answer does not depend on it.
    clearance: pairs that do not meet and whose gap is no more than this length are near; their gap and the two points
    where it is are then in the columns gap and gap_points, and the gap of touching pairs is 0.
    options: of the method, by name (`Method.options`).

    Raises Refused where the question makes no sense (fewer than two objects with faces, nothing to test, a clearance
    that is no length, threads that are no number, an unknown method or option), Unsupported for what the method cannot
    do, ValueError for wrong arrays, and Cancelled where progress raised it. A scene takes one run at a time: another
    thread waits, and RuntimeError is raised where progress calls this with the same scene.
    """
    recipe = methods.load(method)
    if not (math.isfinite(clearance) and clearance >= 0.0):
        raise Refused(f"The clearance must be a length of zero or more, not {clearance}.")
    if clearance > 0.0 and recipe.clearances is None:
        raise Unsupported(f"The method {recipe.title} cannot measure clearances.")
    run = Run(progress, threads, contacts, recipe.chosen(options))
    selection = select(scene, pairs, rules, recipe.takes_points)
    a = b = np.zeros(0, np.int32)
    verdict, status, inner = np.zeros(0, np.int8), np.zeros(0, np.uint8), np.zeros(0, np.int8)
    found = gaps = None
    try:
        if len(selection.objects) >= 2:
            with run.stage("prepare", len(scene.objects)) as stage:
                objects = recipe.prepare(scene, selection, run)
                stage.items_out = len(selection.objects)
            with run.stage("broad phase", len(selection.objects)) as stage:
                a, b = recipe.broad_phase(objects, selection.grown(clearance), run)
                stage.items_out = run.counts.setdefault("pairs", len(a))
            run.finished, run.crossing = np.zeros(len(a), bool), np.zeros(len(a), bool)
            with run.stage("contacts", len(a)) as stage:
                found = recipe.contacts(objects, a, b, run)
                stage.items_out = len(found)
            with run.stage("verdicts", len(a)) as stage:
                verdict, status, inner = recipe.verdicts(objects, a, b, found, run)
                if not run.finished.all():                              # cancelled before the end
                    unfinished = ~run.finished & (verdict != CROSSING)
                    verdict[unfinished], status[unfinished] = CANNOT_TELL, CANCELLED
                stage.items_out = int(np.count_nonzero(verdict != CLEAR))     # numpy 2 gives an np.int64
            if clearance > 0.0:
                rows = np.flatnonzero(verdict == CLEAR)
                with run.stage("clearances", len(rows)) as stage:
                    gaps = _clearances(recipe, objects, a, b, rows, clearance, run, verdict, status)
                    stage.items_out = int((verdict == NEAR).sum())
    except Cancelled:
        run.cancelled = True
        found = None
        verdict, status = np.full(len(a), CANNOT_TELL, np.int8), np.full(len(a), CANCELLED, np.uint8)
        inner, gaps = np.zeros(len(a), np.int8), None
    if run.dropped:
        raise Cancelled
    return _report(scene, recipe, selection, run, a, b, verdict, status, inner, found, clearance, gaps)


def _clearances(recipe, objects, a, b, rows: np.ndarray, clearance: float, run: "Run", verdict, status):
    """Call pairs of `rows`, which do not meet, near where they are; gap (pairs,) and points (pairs,2,3) of all pairs,
    NaN where not measured. A pair that touches has no gap."""
    gap, points = np.full(len(a), np.nan), np.full((len(a), 2, 3), np.nan)
    if run.cancelled:
        run.finished[rows] = False
    else:
        near, gap[rows], points[rows] = recipe.clearances(objects, a, b, rows, clearance, run)
        verdict[rows[near]] = NEAR
    unfinished = rows[~run.finished[rows]]
    verdict[unfinished], status[unfinished] = CANNOT_TELL, CANCELLED
    gap[verdict == TOUCHING] = 0.0
    return gap, points


class Run:
    """What the stages of one run share: progress and cancelling, threads, options, counts, notes, finished pairs."""

    def __init__(self, progress, threads: int | None, contacts_wanted: bool, options: dict):
        self.threads = thread_count(threads)
        self.contacts_wanted = contacts_wanted
        self.options = options
        self.notes: list[str] = []
        self.cancelled = False
        self.dropped = False            # cancelled, and what was found is not wanted either
        self.stages: list[StageRecord] = []
        self.counts = {"broad_tests": 0, "box_pairs": 0, "triangle_pairs": 0, "exact_decisions": 0}
        self.finished = np.zeros(0, bool)           # per pair of objects, set by the contacts stage
        self.crossing = np.zeros(0, bool)           # likewise: known to cross, where contacts are not wanted
        self._progress = progress
        self._thread = threading.get_ident()
        self._fraction = 0.0
        self._lock = threading.Lock()

    @contextmanager
    def stage(self, name: str, items_in: int):
        """Time a stage; the body sets items_out."""
        record = StageRecord(name, items_in, 0, 0, 0.0)
        self.stages.append(record)
        self.tick(0.0)
        start = time.perf_counter()
        try:
            yield record
        finally:
            record.seconds = time.perf_counter() - start

    def tick(self, fraction: float | None = None) -> None:
        """Report progress of the running stage (None: as far as before); raises Cancelled when asked to stop: once, so
        that what was found can be kept, or again and again where it is not wanted."""
        if self.dropped:
            raise Cancelled
        if self._progress is None or self.cancelled:
            return
        self._fraction = self._fraction if fraction is None else float(fraction)
        try:
            go_on = self._progress(self.stages[-1].name, self._fraction)
        except Cancelled:
            self.cancelled = self.dropped = True
            raise
        if go_on is False:
            self.cancelled = True
            raise Cancelled

    def stopped(self) -> bool:
        """For loops that share the work, in any thread: whether to leave it undone. Never raises. The run's own thread
        asks here, too: where it does all the work itself, nobody else would."""
        if threading.get_ident() == self._thread and not self.cancelled:
            try:
                self.tick()
            except Cancelled:
                pass
        return self.cancelled

    def note(self, sentence: str) -> None:
        """Tell the user what the method chose, or what it cannot promise. The same run gives the same sentences."""
        self.notes.append(sentence)

    def count(self, **numbers: int) -> None:
        """Add to the counts, from any thread. A broad phase that tests boxes at once counts the `pairs` it tests."""
        with self._lock:
            for name, number in numbers.items():
                self.counts[name] = self.counts.get(name, 0) + number
                self.stages[-1].tests += number if name == COUNTED.get(self.stages[-1].name, "triangle_pairs") else 0


def _report(scene: Scene, recipe, selection: Selection, run: Run, a, b, verdict, status, inner, found: Contacts | None,
            clearance: float, gaps) -> Report:
    """Keep the pairs that are not clear, in the scene's own numbers."""
    listed = (verdict != CLEAR).nonzero()[0]
    pairs = np.full(len(listed), BLANK)
    pairs["a"], pairs["b"] = selection.objects[a[listed]], selection.objects[b[listed]]
    pairs["verdict"], pairs["status"] = verdict[listed], status[listed]
    if inner.any():
        pairs["inner"] = np.where(pairs["verdict"] == CONTAINED, inner[listed], NEITHER)
    if gaps is not None:
        pairs["gap"], pairs["gap_points"] = gaps[0][listed], gaps[1][listed]
    if found is None or (len(found) and not run.contacts_wanted):
        found = Contacts.empty()
    if len(found):
        count = np.bincount(found.pair, minlength=len(a))[listed]
        pairs["contacts"] = count
        pairs["contact_start"] = np.cumsum(count) - count
        row = np.zeros(len(a), np.int32)
        row[listed] = np.arange(len(listed))
        found.pair = row[found.pair]
    n = len(selection.objects)
    settings = {"contacts": run.contacts_wanted, **({"clearance": float(clearance)} if clearance else {}),
                **({"options": run.options} if run.options else {})}
    return Report(recipe.id, settings, _tested(scene, selection.objects), selection.skipped, pairs, found, run.stages,
                  {"possible_pairs": n * (n - 1) // 2, "pairs": len(a), **run.counts}, run.cancelled, run.notes)


def _tested(scene: Scene, objects: np.ndarray) -> list[ObjectInfo]:
    """Of the objects (n,) int32; a list of its own for every report."""
    kept = scene.cache.get("tested")
    if kept is None or kept[0] is not scene.layout or kept[1] is not objects:
        names, mesh = scene.layout.names, scene.layout.mesh
        infos = [ObjectInfo(i, names[i], len(scene.meshes[mesh[i]].triangles)) for i in objects.tolist()]
        kept = scene.cache["tested"] = scene.layout, objects, infos
    return list(kept[2])
