# SPDX-License-Identifier: GPL-3.0-or-later
"""The result as it stands in the panel and is saved with the file: sentences, pairs, and what was left out."""
import uuid
from collections.abc import Generator
from functools import partial

import bpy
import numpy as np
from idprop.types import IDPropertyGroup

from ...core.codes import VERDICTS
from ...core.contacts import AREA
from ...core.shown import escaped, pair_title
from .. import phrases, session
from ..animation.phrases import intervals, meeting, tested
from ..animation.swept import is_swept
from .containers import holder, write_containers
from .framing import Bounds, view_of_pair
from .markers import remove_markers
from .taken_away import write_taken_away

ROWS = 2000         # of the list in the panel; filling and drawing more of them would take seconds
LEFT_OUT_ROWS = 200
UNFINISHED = "Showing the result was cancelled: some colours, marks or rows are missing."


def writing_listing(settings, report, rows: np.ndarray, empties: int, bounds: Bounds) -> Generator[None, None, None]:
    """Fill the result of a scene's settings, a piece per row. Until `end_listing` it says that it is not whole.

    rows: of Report.pairs, the worst first. empties: how many there will be.
    """
    with session.writing():
        clear_listing(settings)
        result = settings.result
        result.run_id = uuid.uuid4().hex
        result.file_token = session.file_token()
        result.headline = phrases.headline(report)
        result.tested = phrases.tested(report, tested(report.frames) if is_swept(report) else "")
        result.question = phrases.question(report, partial(length_text, report=report))
        result.tolerance = phrases.tolerance(report, partial(length_text, report=report))
        result.contacts = phrases.contacts(report, empties)
        result.partial, result.notes = True, "\n".join((*report.notes, UNFINISHED))
        result.animated = is_swept(report)
        result.frame = report.frames[0] if result.animated else report.source.frame
        result.pairs_found = len(rows)
        result.left_out_title = phrases.left_out(len(report.skipped)) if report.skipped else ""
        for skipped in report.skipped[:LEFT_OUT_ROWS]:
            item = result.left_out.add()
            item.name, item.reason = escaped(skipped.name), skipped.reason
        write_taken_away(result, report)
        write_containers(result, report)
        session.keep_report(report, result.run_id)
        yield
        for row in rows[:ROWS]:
            _write_pair(result.pairs.add(), report, int(row), bounds)
            yield


def end_listing(settings, report) -> None:
    """All that belongs to the result is written."""
    with session.writing():
        settings.result.partial, settings.result.notes = report.cancelled, "\n".join(report.notes)


def clear_listing(settings) -> None:
    """No result in the panel."""
    session.forget_report(settings.result.run_id)
    with session.writing():
        remove_markers(settings.id_data)
        clear_group(settings.result)
        settings.pair_index = -1


def clear_group(group) -> None:
    """All at its defaults, in place: scripts may hold the group."""
    for name, kind in group.bl_rna.properties.items():
        if kind.type == "COLLECTION":
            _drop_words(group, name)
            getattr(group, name).clear()
        elif not kind.is_readonly:
            group.property_unset(name)


def _drop_words(group, name: str) -> None:
    """Remove a list of words from where Blender, before 5.0, keeps a list of groups, and would crash over it."""
    kept = group.get(name)
    if isinstance(kept, list) and not all(isinstance(each, IDPropertyGroup) for each in kept):
        del group[name]


def _write_pair(item, report, row: int, bounds: Bounds) -> None:
    pair = report.pairs[row]
    a, b = (report.source.rows[pair[side]] for side in "ab")
    verdict = report.verdict(row)
    view = view_of_pair(bounds, report, row)
    item.name = escaped(pair_title(a.name, b.name, None))
    item.verdict = verdict
    item.contacts = int(pair["contacts"] + pair["unlisted"])
    inner = report.inner(row)
    inside = "" if inner is None else escaped(pair_title(a.name, b.name, report.source.rows[inner].name))
    gap = length_text(float(pair["gap"]), report) if report.is_apart(row) else ""
    depth = length_text(float(pair["depth"]), report) if pair["depth"] > 0.0 else ""
    exact = phrases.exact_verdict(report, row)
    item.line = phrases.pair_line(verdict, item.contacts, escaped(report.reason(row)), inside, gap, depth, exact,
                                  int(np.count_nonzero(report.contacts_of(row).kind == AREA)), bool(pair["copy"]),
                                  0 if report.places is None else int(report.places[row]))
    item.figure = depth or gap
    if is_swept(report):
        _write_frames(item, report, row, depth or gap)
    write_sides(item, a, b)
    item.holder = holder(report, row)
    item.centre, item.radius = view.centre, view.radius
    item.close_up = view.close_up or a.is_instance or b.is_instance


def _write_frames(item, report, row: int, length: str) -> None:
    """When the pair of a row meets. length: depth or gap of its worst frame, as a text."""
    found = report.intervals[row].tolist()
    item.worst_frame = report.worst_frame[row]
    item.figure, item.when = intervals(found, 1), meeting(found, item.worst_frame, length)
    for (start, end), verdict in zip(found, report.interval_verdicts[row].tolist()):
        each = item.intervals.add()
        each.start, each.end, each.verdict = start, end, VERDICTS[verdict]


def write_sides(item, a, b) -> None:
    """Which Blender objects a row of a list leads to. a, b: rows of a Snapshot. A name that is no UTF-8 cannot be kept
    but escaped."""
    item.instance_a, item.instance_b = escaped(a.instance), escaped(b.instance)
    item.object_a, item.library_a, item.uid_a = escaped(a.object_name), escaped(a.library or ""), a.session_uid
    item.object_b, item.library_b, item.uid_b = escaped(b.object_name), escaped(b.library or ""), b.session_uid


def length_text(length: float, report) -> str:
    """As the scene's units are set. Blender writes less than a thousandth of a millimetre as 0."""
    units, metres = bpy.context.scene.unit_settings, length * report.unit_scale
    if units.system == "NONE":
        return f"{length:.4g}"
    if 0.0 < metres < 1e-6:
        return phrases.length(metres)
    return bpy.utils.units.to_string(units.system, "LENGTH", metres, precision=4)
