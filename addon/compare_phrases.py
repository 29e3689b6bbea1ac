# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel, the command line and the page say about a comparison. No Blender here."""
from typing import TYPE_CHECKING

from ..core.shown import escaped, first_few
from .frame_phrases import tested as tested_frames
from .phrases import count, length, stage

if TYPE_CHECKING:
    from ..core.comparison import Comparison, Difference, Row

LEFT_OUT_NAMED = 3
MISSED, DIFFERS, SAME, UNKNOWN = "missed", "differs", "same", "unknown"


def headline(comparison: "Comparison") -> str:
    """How many methods were compared, and what came of it."""
    text = f"{count(len(comparison.rows), 'method')} compared"
    if comparison.no_reference:
        return f"{text}, with no exact answer to hold them against: {comparison.no_reference}"
    broken = [row.title for row in comparison.rows if row.broken]
    if broken:
        return f"{text}; not exact, although promised: {', '.join(broken)}"
    missing, inventing = (sum(bool(getattr(row, which)) for row in comparison.rows) for which in ("missed", "invented"))
    parts = [f"{number} of them {one if number == 1 else many} pairs that {what}" for number, one, many, what in
             ((missing, "misses", "miss", "collide"), (inventing, "reports", "report", "do not collide")) if number]
    if not any(row.compared for row in comparison.rows):
        return text
    return f"{text}; {', '.join(parts) or 'none misses a pair, or reports one that does not collide'}"


def where(comparison: "Comparison") -> str:
    """`frame 1`, `frames 1-20`."""
    return f"frame {comparison.frame:g}" if comparison.frames is None else tested_frames(comparison.frames)


def tested(comparison: "Comparison") -> str:
    """The size of the scene, and the clearance, where one was asked for."""
    near = f", clearance {length(comparison.clearance * comparison.unit_scale)}" if comparison.clearance else ""
    return (f"{count(comparison.objects, 'object')} with {count(comparison.triangles, 'triangle')}, "
            f"{count(comparison.pairs, 'pair')} that {'is' if comparison.pairs == 1 else 'are'} not clear{near}")


def left_out(comparison: "Comparison") -> list[str]:
    """How many objects were not tested, and the first few of them with the reason."""
    skipped = comparison.skipped
    if not skipped:
        return []
    return [f"Left out: {first_few([f'{escaped(each.name)} ({each.reason})' for each in skipped], LEFT_OUT_NAMED)}"]


def state(row: "Row") -> str:
    """One word for the icon and colour of a row."""
    if row.reason or not row.compared:
        return UNKNOWN
    if row.missed or row.invented:
        return MISSED
    return DIFFERS if row.differing else SAME


def found(row: "Row") -> str:
    """The short form of `agreement`."""
    if row.reason:
        return "not possible"
    parts = [f"{len(which):,} {word}" for word, which in differences(row) if which]
    return ", ".join(parts) or ("same" if row.compared else "not compared")


def agreement(row: "Row") -> str:
    """How an answer compares with the exact one."""
    if row.reason:
        return row.reason
    if not row.compared:
        return "There is no exact answer to hold it against"
    if row.method == row.held_against and not row.options:
        return "The exact answer that the others are held against"
    parts = [f"{len(which):,} {word}" for word, which in differences(row) if which]
    pairs = count(row.expected, "pair")
    if not parts:
        return f"The same answer as the exact one: {pairs}"
    promise = ", although an exact answer is promised" if row.broken else ""
    return f"Of {pairs} in the exact answer: {', '.join(parts)}{promise}"


def differences(row: "Row") -> tuple:
    """((word, list of Difference), …)"""
    return ("missed", row.missed), ("invented", row.invented), ("judged otherwise", row.differing)


def difference_line(word: str, each: "Difference") -> str:
    """What is known of one pair."""
    return f"{word.capitalize()}: {both(each)}"


def both(each: "Difference") -> str:
    """The exact answer and the other one."""
    if each.expected == each.found:
        return f"{each.found} as in the exact answer, {'at' if each.other == 'times' else 'with'} other {each.other}"
    return f"{each.expected} in the exact answer, {each.found} here"


def counts(row: "Row") -> list[tuple[str, str]]:
    """[(what, figure)] of a row."""
    lines = [("Broad-phase tests", row.counts.get("broad_tests", 0)),
             ("Pairs after broad phase", row.counts.get("pairs", 0)), ("Box tests", row.counts.get("box_pairs", 0)),
             ("Triangle pairs tested", row.counts.get("triangle_pairs", 0)), ("Pairs found", row.pairs),
             ("Contacts", row.contacts)]
    return [*((what, f"{number:,}") for what, number in lines), ("Memory", memory(row.memory))]


def times(row: "Row") -> list[tuple[str, str, str]]:
    """[(stage, first run, best of the others)], the sum last."""
    return [*((stage(each.name), seconds(each.first), seconds(each.best)) for each in row.stages),
            ("All", seconds(row.first), seconds(row.best))]


def seconds(number: float) -> str:
    """With three figures: methods are told apart by less than a person would wait for."""
    if number < 0.9995:
        return f"{1e3 * number:.{2 if number < 0.009995 else 1 if number < 0.09995 else 0}f} ms"
    return f"{number:.{2 if number < 9.995 else 1}f} s"


def memory(size: int | None) -> str:
    """Bytes, in units of a thousand."""
    if size is None:
        return "not measured"
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size} B"
