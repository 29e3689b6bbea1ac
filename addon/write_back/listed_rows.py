# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of a list, made of a report; no Blender here."""
from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from ..rows.table import NOT_ASKED, ROW_DTYPE, SPAN_DTYPE, Rows, Side
from ..scene_read.swept import is_swept
from .framing import CONTACTS_AT_ONCE, Bounds, extents_of, views_of_pairs

if TYPE_CHECKING:
    from ...core.report import Report

MOST_ROWS = 200_000         # a person does not read as many; about 50 bytes each in the file
ROWS_AT_ONCE = 1 << 14
FARTHEST = float(np.finfo(np.float32).max)      # that a view can stand: rows with infinite ones could not be read again


def pieces_of_rows(count: int, contacts: int) -> int:
    """About how many there are of writing a list with so many rows. contacts: how many are looked at."""
    made, looked_at = -(-min(count, MOST_ROWS) // ROWS_AT_ONCE), -(-contacts // CONTACTS_AT_ONCE)
    return 4 + made + looked_at + len(ROW_DTYPE.fields or ())      # a piece per column that is packed


def making_rows(report: "Report", order: np.ndarray, bounds: Bounds) -> Generator[None, None, Rows]:
    """Rows of a report, in pieces, as many of them as the list has room for. order: (n,) of Report.pairs, the worst
    first."""
    order = order[:MOST_ROWS]
    table = np.zeros(len(order), ROW_DTYPE)
    coplanar, places = report.coplanar, report.places
    extents = None if bounds.fixed else (yield from extents_of(report))
    for start in range(0, len(order), ROWS_AT_ONCE):
        some = order[start:start + ROWS_AT_ONCE]
        _fill(table[start:start + ROWS_AT_ONCE], report, some, bounds, extents)
        table["coplanar"][start:start + ROWS_AT_ONCE] = coplanar[some]
        if places is not None:
            table["places"][start:start + ROWS_AT_ONCE] = places[some]
        yield
    objects, table["a"], table["b"] = _numbered(report.pairs["a"][order], report.pairs["b"][order])
    found = [report.source.rows[each] for each in objects.tolist()]
    instances = np.array([each.is_instance for each in found], bool)
    if len(found):
        table["close_up"] |= instances[table["a"]] | instances[table["b"]]
    spans = spells = np.zeros(0, SPAN_DTYPE)
    if is_swept(report):
        table["first_contact"], table["worst_frame"] = report.first_contact[order], report.worst_frame[order]
        spans = _spans(report.intervals, report.interval_verdicts, order, table["spans"])
        spells = _spans(report.spells, report.spell_verdicts, order, table["spells"])
    return Rows([Side.of(each) for each in found], table, spans, spells, report.unit_scale)


def _numbered(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which objects there are among a and b, (n,) each, in order, and a and b as places in that."""
    there = np.zeros(1 + max(a.max(initial=-1), b.max(initial=-1)), bool)
    there[a] = there[b] = True
    place = np.cumsum(there) - 1
    return np.flatnonzero(there), place[a], place[b]


def _fill(table: np.ndarray, report, rows: np.ndarray, bounds: Bounds, extents: tuple | None) -> None:
    """What the pairs of a report say themselves."""
    pairs = report.pairs
    for name in ("verdict", "status", "inner", "copy", "winding"):
        table[name] = pairs[name][rows]
    table["contacts"] = pairs["contacts"][rows] + pairs["unlisted"][rows]
    for name in ("gap", "depth", "volume"):
        length = pairs[name][rows]
        table[name] = np.where(length > 0.0, length, 0.0)
    table["exact"] = NOT_ASKED
    if "tolerance" in report.settings:
        exact = pairs["exact"][rows]
        table["exact"] = np.where(exact != table["verdict"], exact, NOT_ASKED)
    centre, radius, table["close_up"] = views_of_pairs(bounds, report, rows, extents)
    table["centre"], table["radius"] = (np.clip(np.nan_to_num(each), -FARTHEST, FARTHEST) for each in (centre, radius))


def _spans(times: list[np.ndarray], verdicts: list[np.ndarray], order: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Intervals of all rows, or their spells, and how many each has, in `counts`."""
    found = [times[row] for row in order.tolist()]
    counts[:] = [len(each) for each in found]
    spans = np.zeros(int(counts.sum()), SPAN_DTYPE)
    if len(spans):
        spans["start"], spans["end"] = np.concatenate(found).T
        spans["verdict"] = np.concatenate([verdicts[row] for row in order.tolist()])
    return spans
