# SPDX-License-Identifier: GPL-3.0-or-later
"""Results → lines to read: ratios first, milliseconds second."""
from pathlib import Path

from . import peers
from .cases import FASTEST, Case, Goal

MARK = "<!-- tables -->\n"        # in a Markdown file: what follows is replaced
HEADER = ("side", "× median", "× best", "× CPU", "median ms", "quartiles", "best ms", "CPU ms", "runs", "agreement")


def case_rows(entry: dict, cores: str) -> list[tuple[str, ...]]:
    """One row per side, ours first, then the fastest first; ratios are their time over ours."""
    times = entry["cores"][cores]
    ours = times[peers.OURS]
    rows = []
    for name in sorted(times, key=lambda name: (name != peers.OURS, times[name]["median"])):
        each = times[name]
        ratios = [ratio(each[key] / ours[key]) for key in ("median", "best", "cpu")]
        median, lower, upper, best, busy = (milliseconds(each[key])
                                            for key in ("median", "lower", "upper", "best", "cpu"))
        rows.append((name, *ratios, median, f"{lower} – {upper}", best, busy, str(each["runs"]),
                     agreement(entry["agreement"].get(name))))
    return rows


def agreement(found: dict | None) -> str:
    """How an answer differs from ours, in words."""
    if found is None:
        return ""
    words = []
    if "missed" in found:
        more = [f"{found[key]:,} {key}" for key in ("missed", "invented") if found[key]]
        words.append(f"{', '.join(more)} of {found['found']:,}" if more else f"same {found['found']:,}")
    if "judged" in found:
        words.append(f"Touchpoint is right in {found['right']} of {found['judged']} judged exactly")
    if "difference" in found:
        words.append(f"differs by {found['difference']:.0e}")
    words += [f"{key} {found[key]:.0e}" for key in ("later by", "earlier by") if found.get(key)]
    return "; ".join(words)


def verdicts(case: Case, entry: dict, cores: str) -> list[str]:
    """One sentence per goal of the case: reached, or by how much it was missed."""
    times = entry["cores"][cores]
    found = []
    for goal in case.goals:
        peer = _peer_of(goal, times)
        if peer is None:
            found.append(f"{goal.peer}: not measured")
            continue
        reached = times[peer]["best"] / times[peers.OURS]["best"]
        for word, wanted in (("at least", goal.least), ("goal", goal.stretch)):
            if wanted:
                state = "reached" if reached >= wanted else f"missed by a factor of {wanted / reached:.3g}"
                found.append(f"{peer}: {reached:.3g} ×, {word} {wanted:g} ×: {state}")
    return found


def _peer_of(goal: Goal, times: dict) -> str | None:
    if goal.peer != FASTEST:
        return goal.peer if goal.peer in times else None
    others = [name for name in times if name != peers.OURS]
    return min(others, key=lambda name: times[name]["best"], default=None)


def ratio(number: float) -> str:
    return f"{number:.2g}" if number < 10 else f"{number:.0f}"


def milliseconds(seconds: float) -> str:
    number = 1e3 * seconds
    return f"{number:.3f}" if number < 1 else f"{number:.2f}" if number < 100 else f"{number:,.0f}"


def text(case: Case, entry: dict) -> str:
    """One case for the terminal."""
    lines = [f"{case.id}  {case.title}"]
    for cores in entry["cores"]:
        lines.append(f"  on {cores} core{'s' if cores != '1' else ''}")
        lines += [f"  {line}" for line in aligned([HEADER, *case_rows(entry, cores)])]
        lines += [f"    {line}" for line in verdicts(case, entry, cores)]
    lines += [f"  {name}: left out, {reason}" for name, reason in entry["left out"].items()]
    return "\n".join(lines)


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Lines with columns below each other: names to the left, figures to the right, the last as it comes."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])),
                       row[-1]]).rstrip() for row in rows]


def write_markdown(path: Path, cases: list[Case], results: dict) -> None:
    """Write the tables, or replace those in a file whose text before the mark somebody has written."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    head = before[:before.index(MARK) + len(MARK)] + "\n" if MARK in before else ""
    path.write_text(head + markdown(cases, results), encoding="utf-8")


def markdown(cases: list[Case], results: dict) -> str:
    """The whole table for docs/performance.md."""
    parts = ["## Made with\n", _made(results), "## Goals\n", _overview(cases, results), "## Cases\n"]
    for case in cases:
        entry = results["cases"].get(case.id)
        if not entry:
            continue
        parts.append(f"### {case.id}: {case.title}\n")
        for cores in entry["cores"]:
            parts.append(f"On {cores} core{'s' if cores != '1' else ''}:\n")
            parts.append(markdown_table([HEADER, *case_rows(entry, cores)]))
        parts += [f"* {name}: left out, {reason}.\n" for name, reason in entry["left out"].items()]
    return "\n".join(parts)


def _made(results: dict) -> str:
    made = results["made"]
    lines = [f"* {key}: {value}" for key, value in made["machine"].items()]
    lines += [f"* {name}: {version}" for name, version in made["versions"].items()]
    lines += [f"* {name}: {reason}" for name, reason in results["missing"].items()]
    return "\n".join(lines) + "\n"


def _overview(cases: list[Case], results: dict) -> str:
    """One row per goal and number of cores."""
    rows: list[tuple[str, ...]] = [("case", "cores", "result")]
    for case in cases:
        entry = results["cases"].get(case.id)
        for cores in entry["cores"] if entry else ():
            rows += [(case.id, cores, line) for line in verdicts(case, entry, cores)]
    return markdown_table(rows)


def markdown_table(rows: list[tuple[str, ...]]) -> str:
    """The first row is the header."""
    head, *rest = ("| " + " | ".join(row) + " |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *rest]) + "\n"
