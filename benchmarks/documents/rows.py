# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tables of all documents say of a case: one line per side."""
from collections.abc import Callable

from ..tables import milliseconds, ratio
from .steps import agreement

Columns = dict[str, Callable[[str, dict], str]]     # heading → what stands there for a side's name and figures


def side_rows(sides: dict[str, dict], ratios: Columns, pairs: Columns) -> list[tuple[str, ...]]:
    """Header and a row per side. ratios: columns beside the times, pairs: columns before the counts of tests."""
    rows: list[tuple[str, ...]] = [("method", "ms mean", "ms best", *ratios, "verdicts ms", *pairs, "broad tests",
                                    "box tests", "triangle tests", "runs", "agreement")]
    for name, each in sides.items():
        rows.append((name, milliseconds(each["mean"]), milliseconds(each["best"]),
                     *(column(name, each) for column in ratios.values()), milliseconds(each["verdicts"]),
                     *(column(name, each) for column in pairs.values()), f"{each['broad tests']:,.0f}",
                     f"{each['box tests']:,.0f}", f"{each['triangle tests']:,.0f}", str(each["runs"]), agreement(each)))
    return rows


def over(sides: dict[str, dict], base: str) -> Columns:
    """The column of best times over that of the side `base`."""
    return {f"× {base}": lambda name, each: ratio(each["best"] / sides[base]["best"])}


def left(name: str, each: dict) -> str:
    """Pairs of objects that the broad phase leaves."""
    return f"{each['broad']:,.0f} of {each['possible']:,}"
