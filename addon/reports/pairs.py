# SPDX-License-Identifier: GPL-3.0-or-later
"""What reports for people say of each pair. No Blender here."""
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...core.codes import VERDICTS
from ...core.grouping import spots_of
from ...core.shown import pair_title
from .. import frame_phrases, phrases

if TYPE_CHECKING:
    from ...core.report import Report


PLACED_AT_ONCE = 1 << 16    # spots of more take memory that a report of a million pairs leaves to nobody


class Pair(NamedTuple):
    """A row of `Report.pairs` in words; names are as they are in the scene."""

    number: int             # in the order of the list, from 1
    row: int
    names: tuple[str, str]
    identifiers: tuple[str | None, str | None]      # where a property was chosen as such
    verdict: str            # a word of VERDICTS
    title: str              # `A × B`, `A inside B`
    length: str             # `3.2 mm deep`, `5 mm apart`, "" where neither was measured
    contacts: str           # `36 contacts at 1 place`, "" where there are none
    remarks: str            # what else is known, "" for nothing
    said: str               # verdict and all that, in one line
    when: str               # of many frames: when the two meet; "" of one
    place: np.ndarray       # (3,) metres: its spot, see `grouping.spots_of`; NaN where nothing is known


def pairs_of(report: "Report", rows: np.ndarray | None = None) -> Iterator[Pair]:
    """These rows of `Report.pairs`, or all of them, the worst first."""
    every = report.worst_first()
    number_of = np.empty(len(every), int)
    number_of[every] = np.arange(1, len(every) + 1)
    rows = every if rows is None else rows
    coplanar, objects = report.coplanar, {each.index: each for each in report.objects}
    for start in range(0, len(rows), PLACED_AT_ONCE):
        piece = rows[start:start + PLACED_AT_ONCE]
        spots = spots_of(report, piece) * report.unit_scale
        for row, spot in zip(piece.tolist(), spots):
            yield _in_words(report, row, int(number_of[row]), objects, int(coplanar[row]), spot)


def _in_words(report: "Report", row: int, number: int, objects: dict, coplanar: int, place: np.ndarray) -> Pair:
    pair, verdict, reason = report.pairs[row], report.verdict(row), report.reason(row)
    a, b = (objects[int(pair[side])] for side in "ab")
    inner = report.inner(row)
    gap, depth = (phrases.length(float(pair[name]) * report.unit_scale) if pair[name] > 0.0 else ""
                  for name in ("gap", "depth"))
    volume = float(pair["volume"]) * report.unit_scale ** 3
    shared = phrases.shared(volume) if volume > 0.0 else ""
    exact = VERDICTS[pair["exact"]] if "tolerance" in report.settings and pair["exact"] != pair["verdict"] else ""
    contacts = 0 if gap else int(pair["contacts"] + pair["unlisted"])
    places = 0 if report.places is None else int(report.places[row])
    copy = bool(pair["copy"])
    length = f"{gap} apart" if gap else f"{depth} deep" if depth else ""
    remarks = [*phrases.beside(coplanar, copy), shared, exact and phrases.without_tolerance(exact), reason]
    return Pair(number, row, (a.name, b.name), (a.identifier, b.identifier), verdict,
                pair_title(a.name, b.name, None if inner is None else report.name(inner)), length,
                phrases.with_places(contacts, places) if contacts else "", "; ".join(filter(None, remarks)),
                phrases.pair_line(verdict, contacts, reason, "", gap, depth, exact, coplanar, copy, places, shared),
                _when(report, row), place)


def _when(report: "Report", row: int) -> str:
    intervals = getattr(report, "intervals", None)      # of many frames
    if intervals is None:
        return ""
    first, worst = (float(each[row]) for each in (report.first_contact, report.worst_frame))    # type: ignore[attr-defined]
    return frame_phrases.meeting(intervals[row].tolist(), first, worst, "")

