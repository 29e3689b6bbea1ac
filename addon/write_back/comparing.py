# SPDX-License-Identifier: GPL-3.0-or-later
"""A comparison as it stands in the panel and is saved with the file: ready sentences and figures."""
import uuid
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from ...core.shown import escaped
from .. import compare_phrases, session, staleness
from .framing import Bounds, view_of
from .listing import clear_group

if TYPE_CHECKING:
    from ...core.comparison import Comparison

PAIRS_PER_METHOD = 200     # of a method's missed, invented and differing pairs that are listed


def writing_comparison(settings: Any, comparison: "Comparison",
                       stopped: Callable[[], bool] = lambda: False) -> Generator[float, None, None]:
    """Fill the comparison of a scene's settings, in pieces; yields the fraction done. Where stopped() then says so, the
    rows that are there stay, and the comparison says that it is partial, as it does until all is written.

    comparison: with the Snapshot it was read from as `source`.
    """
    clear_comparison(settings)
    with session.writing():
        kept = settings.comparison
        kept.run_id = uuid.uuid4().hex
        kept.headline = compare_phrases.headline(comparison)
        kept.tested = compare_phrases.tested(comparison)
        if comparison.frames is not None:
            kept.tested = f"{compare_phrases.where(comparison).capitalize()}: {kept.tested}"
        kept.notes = "\n".join((*comparison.notes, *compare_phrases.left_out(comparison)))
        kept.partial = True
        kept.over_frames = comparison.frames is not None
        kept.frame = comparison.frame or 0.0
        staleness.begin(kept, comparison.source, settings.id_data)
        bounds = Bounds(comparison.source.boxes)
        for number, row in enumerate(comparison.rows):
            for _ in _writing_row(kept.rows.add(), row, comparison, bounds):
                yield number / len(comparison.rows)
                if stopped():
                    return
        kept.partial = comparison.cancelled


def clear_comparison(settings: Any) -> None:
    """No comparison in the panel."""
    with session.writing():
        clear_group(settings.comparison)
        settings.comparison_index = 0


def _writing_row(item, row, comparison, bounds: Bounds) -> Generator[None, None, None]:
    item.name, item.reason = row.label, row.reason
    item.seconds = "" if row.reason else compare_phrases.seconds(row.best)
    item.found, item.verdict = compare_phrases.found(row), compare_phrases.state(row)
    item.agreement = compare_phrases.agreement(row)
    item.notes = "\n".join(row.notes)
    item.file_token = session.file_token()
    if not row.reason:
        for what, first, again in compare_phrases.times(row):
            line = item.times.add()
            line.name, line.first, line.again = what, first, again
        for what, figure in compare_phrases.counts(row):
            line = item.counts.add()
            line.name, line.again = what, figure
    found = [(word, each) for word, which in compare_phrases.differences(row) for each in which]
    item.pairs_found = len(found)
    yield
    for word, each in found[:PAIRS_PER_METHOD]:
        _write_pair(item.pairs.add(), word, each, comparison.source.rows, bounds)
        yield


def _write_pair(item, word: str, each, rows, bounds: Bounds) -> None:
    a, b = rows[each.a], rows[each.b]
    view = view_of(bounds, each.a, each.b, each.where)
    item.name = escaped(f"{a.name} × {b.name}")
    item.verdict = each.expected if each.expected != "clear" else each.found
    item.line = compare_phrases.difference_line(word, each)
    _write_sides(item, a, b)
    item.centre, item.radius = view.centre, view.radius
    item.close_up = view.close_up or a.is_instance or b.is_instance


def _write_sides(item, a, b) -> None:
    """Which Blender objects a row leads to. a, b: rows of a Snapshot. A name that is no UTF-8 cannot be kept but
    escaped."""
    item.instance_a, item.instance_b = escaped(a.instance), escaped(b.instance)
    item.object_a, item.library_a, item.uid_a = escaped(a.object_name), escaped(a.library or ""), a.session_uid
    item.object_b, item.library_b, item.uid_b = escaped(b.object_name), escaped(b.library or ""), b.session_uid
