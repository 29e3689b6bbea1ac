# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person at the terminal wants to know of a report."""
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...core.grouping import CONTAINER
from ...core.shown import pair_title, shown
from .. import phrases
from ..frame_phrases import meeting, tested
from ..holders import proposed_shells
from ..scene_read.swept import is_swept

if TYPE_CHECKING:
    from ...core.report import Report

LINES_SHOWN = 50
PAIRS_OF_GROUP = 5      # that stand below its title
NAME_WIDTH = 60


def summary_lines(report: "Report") -> Iterator[str]:
    """Who collides with whom, what was tested, what was left out and why."""
    yield f"{report.scene}, {tested(report.frames) if is_swept(report) else f'frame {report.frame:g}'}"
    yield from _pair_lines(report)
    yield f"{phrases.headline(report)}."
    beside = phrases.findings_beside(report.summary())
    if beside:
        yield f"{beside}."
    if report.grouping is not None:
        yield f"{phrases.grouping(report)}."
    tolerated = phrases.tolerance(report, lambda length: phrases.length(length * report.unit_scale))
    if tolerated:
        yield f"{tolerated}."
    yield _tested_line(report)
    yield from phrases.taken_away_lines(report)
    for holder, contains in proposed_shells(report):
        yield (f"{shown(report.name(holder))} {contains}: marked as a shell, in the panel, it is a room or a package, "
               "and what is inside is clear.")
    for note in report.notes:
        yield f"Note: {note}"
    yield from phrases.left_out_lines(report.skipped)


class _Line(NamedTuple):
    before: str         # of the title: an indent and a verdict
    title: str
    figures: str
    pairs: int          # that it stands for


def _pair_lines(report) -> Iterator[str]:
    """A line per pair, the worst first, those of a group below its title; what one object contains is one line."""
    groups = report.groups(CONTAINER) if report.grouping is None else report.grouping
    lines: list[_Line] = []
    for title, rows in groups:
        if len(lines) >= LINES_SHOWN:
            break
        lines += _lines_of_group(report, title, rows.tolist(), folded=groups.by == CONTAINER)
    titles = [shown(line.title) for line in lines]
    width = min(max((len(title) for title, line in zip(titles, lines) if line.figures), default=0), NAME_WIDTH)
    for title, line in zip(titles, lines):
        yield f"{line.before}{title:<{width}}  {line.figures}".rstrip()
    left = len(report.pairs) - sum(line.pairs for line in lines)
    if left:
        yield f"  … and {phrases.count(left, 'more pair')}"


def _lines_of_group(report, title: str, rows: list[int], folded: bool) -> list[_Line]:
    """folded: one line is enough for all of them."""
    if len(rows) == 1:
        return [_line_of_pair(report, rows[0], "  ")]
    if folded:
        return [_Line(f"  {report.verdict(rows[0]):<11}  ", f"{phrases.count(len(rows), 'object')} {title}", "",
                      len(rows))]
    lines = [_Line("  ", f"{title}: {phrases.count(len(rows), 'pair')}", "", 0)]
    lines += [_line_of_pair(report, row, "    ") for row in rows[:PAIRS_OF_GROUP]]
    more = len(rows) - PAIRS_OF_GROUP
    return lines + ([_Line("    ", f"… and {phrases.count(more, 'more pair')} of these", "", more)] if more > 0 else [])


def _line_of_pair(report, row: int, indent: str) -> _Line:
    a, b = (report.name(int(report.pairs[row][side])) for side in "ab")
    inner = report.inner(row)
    title = pair_title(a, b, None if inner is None else report.name(inner))
    return _Line(f"{indent}{report.verdict(row):<11}  ", title, _figures(report, row), 1)


def _figures(report, row: int) -> str:
    """How deep or how far apart a pair is, and its contacts; before that when it meets."""
    depth, gap = (float(report.pairs[name][row]) * report.unit_scale for name in ("depth", "gap"))
    volume = float(report.pairs["volume"][row]) * report.unit_scale ** 3
    regions = [phrases.length(each * report.unit_scale) for each in report.regions_of(row)["depth"].tolist()]
    length = (phrases.length(gap) if gap > 0.0 else
              f"{phrases.length(depth)} deep{phrases.in_regions(regions)}" if depth > 0.0 else "")
    figures = [each for each in (length, phrases.shared(volume) if volume > 0.0 else "") if each]
    if is_swept(report):
        figures = [meeting(report.intervals[row].tolist(), float(report.first_contact[row]),
                           float(report.worst_frame[row]), length)]
    contacts = int(report.pairs["contacts"][row] + report.pairs["unlisted"][row])
    places = 0 if report.places is None else int(report.places[row])
    return ", ".join(figures + ([phrases.with_places(contacts, places)] if contacts and not gap > 0.0 else []))


def _tested_line(report) -> str:
    read = report.source.seconds
    seconds = sum(stage.seconds for stage in report.stages)
    triangles = sum(each.triangles for each in report.objects)
    return (f"{phrases.count(len(report.objects), 'object')} with {phrases.count(triangles, 'triangle')} tested in "
            f"{phrases.duration(seconds)} by the method {report.method}, {phrases.duration(read)} of it for reading.")
