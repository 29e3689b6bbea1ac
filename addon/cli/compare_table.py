# SPDX-License-Identifier: GPL-3.0-or-later
"""A comparison as text."""
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .. import compare_phrases, phrases

if TYPE_CHECKING:
    from ...core.comparison import Comparison, Row

DIFFERENCES_SHOWN = 20        # of each kind of difference of a method
TITLES = ("method", "first", "again", "median", "broad tests", "broad phase", "box tests", "candidates", "pairs",
          "contacts", "missed", "invented", "otherwise", "memory")


def lines(comparison: "Comparison") -> Iterator[str]:
    """The table, the stages, then what differs, pair by pair."""
    yield f"{comparison.scene}, {compare_phrases.where(comparison)}: {compare_phrases.tested(comparison)}"
    yield ""
    yield from table([TITLES, *(figures(row) for row in comparison.rows if not row.reason)])
    yield ""
    yield f"Best of {phrases.count(comparison.repeats, 'run')} after the first, by stage:"
    yield from table(stage_rows(comparison))
    yield ""
    for row in comparison.rows:
        yield f"{row.label}: {compare_phrases.agreement(row).rstrip('.')}."
        for note in row.notes:
            yield f"  Note: {note}"
        for word, which in compare_phrases.differences(row):
            for each in which[:DIFFERENCES_SHOWN]:
                yield f"  {word}: {each.name_a} × {each.name_b} ({compare_phrases.both(each)})"
            if len(which) > DIFFERENCES_SHOWN:
                yield f"  {word}: {len(which) - DIFFERENCES_SHOWN:,} more"
    for note in comparison.notes:
        yield f"Note: {note}"
    yield from phrases.left_out_lines(comparison.skipped)
    if comparison.cancelled:
        yield "Partial: the comparison was cancelled."
    yield f"{compare_phrases.headline(comparison).rstrip('.')}."


def figures(row: "Row") -> tuple[str, ...]:
    """The cells of one method under TITLES."""
    times = (compare_phrases.seconds(each) for each in (row.first, row.best, row.median))
    counted = (row.counts[name] for name in ("broad_tests", "pairs", "box_pairs", "triangle_pairs"))
    numbers = (*counted, row.pairs, row.contacts)
    unlike = (f"{len(which):,}" if row.compared else "?" for _, which in compare_phrases.differences(row))
    return (row.label, *times, *(f"{each:,}" for each in numbers), *unlike, compare_phrases.memory(row.memory))


def stage_rows(comparison: "Comparison") -> list[tuple[str, ...]]:
    """A title row of stages, then the best seconds of each method."""
    rows = [row for row in comparison.rows if not row.reason]
    names = list(dict.fromkeys(stage.name for row in rows for stage in row.stages))
    found = [("method", *names)]
    for row in rows:
        best = {stage.name: compare_phrases.seconds(stage.best) for stage in row.stages}
        found.append((row.label, *(best.get(name, "") for name in names)))
    return found


def table(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as they need to be, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for first, *others in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:]))
        yield "  ".join((f"{first:<{widths[0]}}", *cells)).rstrip()
