# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person at the terminal wants to know of a report."""
from collections.abc import Iterator

from ...core.shown import shown
from .. import phrases
from ..animation.phrases import meeting, tested
from ..animation.swept import is_swept

PAIRS_SHOWN = 50
NAME_WIDTH = 60


def summary_lines(report) -> Iterator[str]:
    """Who collides with whom, what was tested, what was left out and why."""
    yield f"{report.scene}, {tested(report.frames) if is_swept(report) else f'frame {report.frame:g}'}"
    yield from _pair_lines(report)
    yield f"{phrases.headline(report)}."
    yield f"{phrases.tolerance(report, lambda length: phrases.length(length * report.unit_scale))}."
    yield _tested_line(report)
    yield from phrases.taken_away_lines(report)
    for note in report.notes:
        yield f"Note: {note}"
    yield from phrases.left_out_lines(report.skipped)


def _pair_lines(report) -> Iterator[str]:
    rows, found = report.worst_first(), report.found
    names = {each.index: each.name for each in report.objects}
    titles = []
    for row in rows[:PAIRS_SHOWN].tolist():
        inner = report.inner(row)
        a, b = (names[int(report.pairs[row][side])] for side in "ab")
        titles.append(shown(phrases.pair_title(a, b, None if inner is None else names[inner])))
    width = min(max(map(len, titles), default=0), NAME_WIDTH)
    for row, title in zip(rows, titles):
        line = f"  {report.verdict(row):<11}  {title:<{width}}"
        yield f"{line}  {_figures(report, row, int(found[row]))}".rstrip()
    if len(rows) > PAIRS_SHOWN:
        yield f"  … and {phrases.count(len(rows) - PAIRS_SHOWN, 'more pair')}"


def _figures(report, row: int, contacts: int) -> str:
    """How deep or how far apart a pair is, and its contacts; before that when it meets."""
    depth, gap = (float(report.pairs[name][row]) * report.unit_scale for name in ("depth", "gap"))
    volume = float(report.pairs["volume"][row]) * report.unit_scale ** 3
    length = phrases.length(gap) if gap > 0.0 else f"{phrases.length(depth)} deep" if depth > 0.0 else ""
    figures = [each for each in (length, phrases.shared(volume) if volume > 0.0 else "") if each]
    if is_swept(report):
        figures = [meeting(report.intervals[row].tolist(), float(report.worst_frame[row]), length)]
    places = 0 if report.places is None else int(report.places[row])
    return ", ".join(figures + ([phrases.with_places(contacts, places)] if contacts and not gap > 0.0 else []))


def _tested_line(report) -> str:
    read = report.source.seconds
    seconds = sum(stage.seconds for stage in report.stages)
    triangles = sum(each.triangles for each in report.objects)
    return (f"{phrases.count(len(report.objects), 'object')} with {phrases.count(triangles, 'triangle')} tested in "
            f"{phrases.duration(seconds)} by the method {report.method}, {phrases.duration(read)} of it for reading.")
