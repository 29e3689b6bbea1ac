# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a run: a `PairTable` → the `Report`."""
from collections.abc import Sequence

import numpy as np

from .asked import Asked
from .codes import (
    CANCELLED,
    CANNOT_TELL,
    CLEAR,
    CONTAINED,
    NEITHER,
    UNFINISHED_PAIRS,
    cut_of_contacts,
)
from .contacts import Contacts
from .errors import Cancelled
from .findings import BLANK, RANKS, REGION_DTYPE
from .memory import refuse_beyond
from .pair_table import PairTable
from .report import Report
from .run import Run
from .scene import Scene
from .scene.select import Selection
from .tested import ObjectInfos

MAX_CANCELLED_PAIRS = 1 << 17   # unfinished ones that a cancelled run lists, and others: a tenth of a second
LISTED_AT_ONCE = 1 << 14          # of a report: few megabytes, which stay in the cache


def report_of(asked: Asked, table: PairTable, run: Run) -> Report:
    """The Report: pairs that are not clear, by the scene's own numbers of objects. Raises Cancelled where the progress
    callback did."""
    objects, layout = asked.selection.objects, asked.scene.layout
    listed = _listed(asked.selection, table, run)
    pairs = _rows(objects, table, listed, run)
    if pairs is None:           # cancelled now: fewer are listed
        if run.dropped:
            raise Cancelled
        listed = _listed(asked.selection, table, run)
        pairs = _rows(objects, table, listed, run)
        assert pairs is not None
    contacts, frames = _listed_contacts(asked, table, listed, pairs, run), asked.selection.frames
    objects = asked.selection.in_one_frame
    shells = [layout.names[i] for i in objects[layout.shell[objects]].tolist()] if layout.has_shells else []
    if shells:
        run.note(note_of_shells(shells))
    settings = {"contacts": asked.contacts, **({"clearance": asked.near.of_all} if asked.near.of_all else {}),
                **({"weld": run.weld} if run.weld else {}),
                **({"shells": shells} if shells else {}), **asked.settings,
                **({"options": run.options} if run.options else {})}
    possible = len(objects) * (len(objects) - 1) // 2 if frames is None else frames.possible_pairs
    counts = {"possible_pairs": possible, "pairs": len(table), **run.counts}
    rules = asked.selection.rules
    return Report(asked.recipe.id, settings, _tested(asked.scene, objects), asked.selection.skipped, pairs, contacts,
                  run.stages, counts, run.cancelled, run.notes, rules=None if rules is None else rules.outcome(),
                  regions=_listed_regions(table, listed) if asked.regions else None)


def note_of_shells(names: Sequence[str]) -> str:
    return ("1 object is a shell: what is inside it is clear." if len(names) == 1 else
            f"{len(names):,} objects are shells: what is inside them is clear.")


def _listed(selection: Selection, table: PairTable, run: Run) -> np.ndarray:
    """(k,) int64, ascending: the rows of the table that the report lists, all that are not clear, nor tolerated by a
    rule. Of a cancelled run it lists the first MAX_CANCELLED_PAIRS unfinished ones, and as many others, those with the
    worst verdicts: whoever cancels does not wait for millions of rows."""
    told = table.verdict != CLEAR
    if selection.rules is not None:
        told &= ~selection.rules.tolerated(selection.objects, table.a, table.b, table.verdict, table.measured,
                                            table.coincide)
        if table.contacts is not None:
            table.contacts = table.contacts.take(told[table.contacts.pair])
    if run.cancelled and _cut(told, table, run) and table.contacts is not None:
        table.contacts = table.contacts.take(told[table.contacts.pair])
    return told.nonzero()[0]


def _cut(told: np.ndarray, table: PairTable, run: Run) -> bool:
    """Leave of the pairs of a cancelled run as many as it lists, and say how many there are; False where all are.
    told: (pairs,) bool, those that would be listed."""
    is_unfinished = (table.status == CANCELLED) & (table.verdict == CANNOT_TELL)
    unfinished, others = np.flatnonzero(told & is_unfinished), np.flatnonzero(told & ~is_unfinished)
    if len(unfinished) > MAX_CANCELLED_PAIRS:
        told[unfinished[MAX_CANCELLED_PAIRS:]] = False
        run.counts[UNFINISHED_PAIRS] = len(unfinished)
        run.note(f"{len(unfinished):,} pairs were not finished; the first {MAX_CANCELLED_PAIRS:,} of them are "
                 "listed.")
    if len(others) > MAX_CANCELLED_PAIRS:
        place = RANKS[0].astype(np.uint8)       # sorted in a fraction of the time
        told[others[place[table.verdict[others]].argsort(kind="stable")[MAX_CANCELLED_PAIRS:]]] = False
        run.note(f"{len(others):,} pairs are not clear; the worst {MAX_CANCELLED_PAIRS:,} of them are listed, as the "
                 "run was cancelled.")
    return max(len(unfinished), len(others)) > MAX_CANCELLED_PAIRS


def _rows(objects: np.ndarray, table: PairTable, listed: np.ndarray, run: Run) -> np.ndarray | None:
    """(k,) of findings.PAIR_DTYPE: the listed rows of the table, without what is said of contacts. objects: (n,) int32,
    those that were tested. None where that is cancelled while there is more to do than for a run that was. Raises
    TooLarge where they do not fit."""
    refuse_beyond(BLANK.nbytes * len(listed), "The findings of these objects")     # near ones were not known before
    pairs = np.empty(len(listed), BLANK.dtype)
    has_inner = np.count_nonzero(table.inner) > 0
    blank = BLANK.repeat(min(len(listed), LISTED_AT_ONCE)).view(np.uint8)   # numpy copies a record field by field
    for begin in range(0, len(listed), LISTED_AT_ONCE):
        if len(listed) > 2 * MAX_CANCELLED_PAIRS and not run.cancelled and run.stopped():
            return None
        some = pairs[begin:begin + LISTED_AT_ONCE]
        some.view(np.uint8)[:] = blank[:some.nbytes]
        _fill(some, objects, table, listed[begin:begin + LISTED_AT_ONCE], has_inner)
    return pairs


def _fill(pairs: np.ndarray, objects: np.ndarray, table: PairTable, listed: np.ndarray, has_inner: bool) -> None:
    """Fill some of these rows, which are blank. has_inner: `table.inner` says something."""
    pairs["a"], pairs["b"] = objects[table.a[listed]], objects[table.b[listed]]
    pairs["verdict"], pairs["status"] = table.verdict[listed], table.status[listed]
    pairs["exact"] = pairs["verdict"] if table.exact is None else table.exact[listed]
    if has_inner:
        tells = (pairs["verdict"] == CONTAINED) | (pairs["verdict"] == CANNOT_TELL)
        pairs["inner"] = np.where(tells, table.inner[listed], NEITHER)
    for name, column in table.measured.items():
        pairs[name] = column[listed]


def _listed_contacts(asked: Asked, table: PairTable, listed: np.ndarray, pairs: np.ndarray, run: Run) -> Contacts:
    """The contacts of the listed pairs, `pair` being their row in the report. Writes which of them each pair has to the
    columns contacts, contact_start and unlisted of `pairs`."""
    found = table.contacts
    if found is None or (len(found) and not asked.contacts):
        found = Contacts.empty()
    if len(found):
        count = np.bincount(found.pair, minlength=len(table))[listed]
        pairs["contacts"] = count
        pairs["contact_start"] = np.cumsum(count) - count
        if len(listed) < len(table):
            row = np.zeros(len(table), np.int32)
            row[listed] = np.arange(len(listed))
            found.pair = row[found.pair]
    if table.cut is not None and asked.contacts:
        pairs["unlisted"] = table.cut.found[listed] - pairs["contacts"]
        total = int(table.cut.found[listed].sum())
        if total > len(found):
            more = "that were found are listed." if run.cancelled else "are listed. Verdicts rest on all of them."
            run.note(f"{cut_of_contacts(len(found), total)} {more}")
    return found


def _listed_regions(table: PairTable, listed: np.ndarray) -> np.ndarray:
    """(k,) of findings.REGION_DTYPE: the regions of the listed pairs, `pair` being their row in the report."""
    if table.regions is None:
        return np.zeros(0, REGION_DTYPE)
    regions = table.regions[np.isin(table.regions["pair"], listed)]
    regions["pair"] = np.searchsorted(listed, regions["pair"])
    return regions


def _tested(scene: Scene, objects: np.ndarray) -> ObjectInfos:
    """What a report says of the objects (n,) int32. Each report has a sequence of its own, as its reader may change it.
    """
    kept = scene.cache.get("tested")
    if kept is None or kept[0] is not scene.layout or kept[1] is not objects:
        layout, triangles = scene.layout, np.array([len(each.triangles) for each in scene.meshes], np.int64)
        kept = scene.cache["tested"] = layout, objects, triangles[layout.mesh[objects]], layout.clearance[objects]
    layout, _, triangles, clearance = kept
    return ObjectInfos(layout.names, objects, triangles, clearance)


def tested_objects(scene: Scene) -> np.ndarray:
    """(n,) int32, ascending: the objects that the last run on the scene tested. The same array as long as they are the
    same ones. A report has them as `objects`, which its reader may change."""
    return scene.cache["tested"][1]
