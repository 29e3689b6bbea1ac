# SPDX-License-Identifier: GPL-3.0-or-later
"""The result as it stands in the panel and is saved with the file: sentences, pairs, and what was left out."""
import uuid
from collections.abc import Generator
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from idprop.types import IDPropertyGroup

from ...core.shown import escaped
from .. import phrases, session
from ..frame_phrases import tested
from ..lengths import COLUMN_FIGURES, length_text
from ..rows.kept import keeping_rows
from ..scene_read.swept import is_swept
from .containers import write_containers
from .framing import Bounds
from .listed_rows import making_rows
from .markers import remove_markers
from .taken_away import write_taken_away

if TYPE_CHECKING:
    from ...core.report import Report

LEFT_OUT_ROWS = 200
UNFINISHED = "Showing the result was cancelled: some colours, marks or rows are missing."


def writing_listing(settings: Any, report: "Report", rows: np.ndarray, empties: int, points: int,
                    bounds: Bounds) -> Generator[None, None, None]:
    """Fill the result of a scene's settings, in pieces, as many as `pieces_of_rows` says. Until `end_listing` it says
    that it is not whole.

    rows: of Report.pairs, the worst first. empties, points: how many there will be, as `tell_contacts` takes them.
    """
    with session.writing():
        clear_listing(settings)
        result = settings.result
        result.run_id = uuid.uuid4().hex
        result.file_token = session.file_token()
        result.headline = phrases.headline(report)
        result.tested = phrases.tested(report, _frames(report) if is_swept(report) else "")
        result.question = phrases.question(report, partial(length_text, unit_scale=report.unit_scale))
        result.tolerance = phrases.tolerance(report, partial(length_text, unit_scale=report.unit_scale,
                                                             figures=COLUMN_FIGURES))
        tell_contacts(settings, report, empties, points)
        result.partial, result.notes = True, "\n".join((*report.notes, UNFINISHED))
        result.animated = is_swept(report)
        result.frame = report.frames[0] if is_swept(report) else report.source.frame
        result.pairs_found = len(rows)
        result.left_out_title = phrases.left_out(len(report.skipped)) if report.skipped else ""
        for skipped in report.skipped[:LEFT_OUT_ROWS]:
            item = result.left_out.add()
            item.name, item.reason = escaped(skipped.name), skipped.reason
        result.rules_of = report.settings.get(phrases.RULES_OF, "")
        write_taken_away(result, report)
        write_containers(result, report)
        session.keep_report(report, result)
        yield
        found = yield from making_rows(report, rows, bounds)
        yield
        yield from keeping_rows(result, found)


def tell_contacts(settings: Any, report: "Report", empties: int, points: int) -> None:
    """Say how many contacts there are, and how many empties and, where it is not 0, points stand for them."""
    settings.result.contacts = phrases.contacts(report, empties, points)


def end_listing(settings: Any, report: "Report") -> None:
    """All that belongs to the result is written."""
    with session.writing():
        settings.result.partial, settings.result.notes = report.cancelled, "\n".join(report.notes)


def clear_listing(settings: Any) -> None:
    """No result in the panel."""
    session.forget_report(settings.result)
    with session.writing():
        remove_markers(settings.id_data)
        clear_group(settings.result)
        settings.pair_index = -1
        bpy.context.window_manager.touchpoint.page = 1


def clear_group(group: Any) -> None:
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


def _frames(report) -> str:
    """Which frames were tested, and that what passes through between two of them was not looked for."""
    only = ", not between them" if report.continuous is None and len(report.frames) > 1 else ""
    return f"{tested(report.frames)}{only}"
