# SPDX-License-Identifier: GPL-3.0-or-later
"""Two reports of the same objects → pairs that are judged differently, for `compare`."""
import numpy as np

from .codes import CANNOT_TELL, CLEAR, VERDICTS
from .comparison import Difference, Row
from .report import Report
from .sequence.report import SweepReport

SAME_TIME = 1e-3        # of an interval, or a frame: times are early by up to a tolerance, and where surfaces nearly
                        # slide past each other a small length is a long time


def hold_against(row: Row, report: Report, exact: Report, follows: bool) -> None:
    """Note which pairs of objects that both have tested are judged differently. follows: by methods that follow objects
    during an interval.

    Where only one of the two judges with a tolerance, as not all methods can, exact verdicts are compared. Over frames
    nothing is then: the worst frame is the worst one with the tolerance."""
    judged = "verdict" if ("tolerance" in report.settings) == ("tolerance" in exact.settings) else "exact"
    if judged == "exact" and isinstance(exact, SweepReport):
        return
    tested = {each.index for each in report.objects} & {each.index for each in exact.objects}
    rows, expected = ({(int(each.pairs["a"][number]), int(each.pairs["b"][number])): number
                       for number in np.flatnonzero(each.pairs[judged] != CLEAR).tolist()} for each in (report, exact))
    row.compared, row.expected = True, len(expected)
    for a, b in sorted(rows.keys() | expected.keys()):
        if a in tested and b in tested:
            ours, theirs = rows.get((a, b)), expected.get((a, b))
            kind, other = _kind(report.pairs[judged], ours, exact.pairs[judged], theirs), ""
            if not kind and ours is not None and theirs is not None and row.answer == "exact":
                other = _other(report, ours, exact, theirs, follows)
                kind = "differing" if other else ""
            if kind:
                getattr(row, kind).append(_difference(a, b, report, ours, exact, theirs, judged, other))


def _kind(verdict: np.ndarray, row: int | None, exact: np.ndarray, expected: int | None) -> str:
    """missed, invented, differing, or "" where a pair has the same verdict; None as a row: the pair is clear. Where
    either cannot tell, nothing is missed or invented: they only differ. verdict, exact: (pairs,) codes of each."""
    codes = {CLEAR if number is None else int(each[number]) for each, number in ((verdict, row), (exact, expected))}
    if row is None or expected is None:
        return "differing" if CANNOT_TELL in codes else "missed" if row is None else "invented"
    return "differing" if len(codes) > 1 else ""


def _other(report: Report, row: int, exact: Report, expected: int, follows: bool) -> str:
    """What of a pair with the same verdict is not the same, although a method promises it with an exact answer:
    "contacts", which triangles meet, and how; "times"; "" for nothing."""
    if not follows and not _have_same_contacts(report, row, exact, expected):
        return "contacts"
    if isinstance(report, SweepReport) and isinstance(exact, SweepReport):
        step = np.diff(exact.frames).min(initial=np.inf)
        ours, theirs = report.intervals[row], exact.intervals[expected]
        late = np.inf if len(ours) != len(theirs) else np.abs(ours - theirs).max() / step
    else:
        late = abs(report.pairs["toi"][row] - exact.pairs["toi"][expected])
    return "times" if late > SAME_TIME else ""


def _have_same_contacts(report: Report, row: int, exact: Report, expected: int) -> bool:
    """True where the same triangles meet, as far as both list them: of very many contacts each lists the first."""
    if report.found[row] != exact.found[expected]:
        return False
    ours, theirs = report.contacts_of(row), exact.contacts_of(expected)
    listed = slice(min(len(ours), len(theirs)))
    return all(np.array_equal(getattr(ours, part)[listed], getattr(theirs, part)[listed])
               for part in ("triangle_a", "triangle_b", "kind"))


def _difference(a: int, b: int, report: Report, row: int | None, exact: Report, expected: int | None, judged: str,
                other: str) -> Difference:
    """judged: the column that was compared."""
    words = [VERDICTS[CLEAR if number is None else each.pairs[judged][number]]
             for each, number in ((exact, expected), (report, row))]
    where = None
    for each, number in ((report, row), (exact, expected)):     # the exact answer's, where it has any
        points = np.zeros((0, 3)) if number is None else each.contacts_of(number).point.reshape(-1, 3)
        where = np.stack((points.min(axis=0), points.max(axis=0))) if len(points) else where
    return Difference(a, b, exact.name(a), exact.name(b), words[0], words[1], other, where)
