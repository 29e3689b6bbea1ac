# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables for the terminal and for a Markdown page."""
from pathlib import Path
from types import ModuleType

from ..tables import aligned, markdown_table
from .steps import Case


def marks(table: str) -> tuple[str, str]:
    """The lines of a page between which the table stands."""
    return f"<!-- {table} -->", f"<!-- end of {table} -->"


def case_text(module: ModuleType, case: Case, entry: dict) -> str:
    """One case for the terminal."""
    lines = [f"{case.id}  {case.title}", *(f"  {line}" for line in aligned(module.case_rows(entry)))]
    lines += [f"    {line}" for line in notes(entry)]
    return "\n".join(lines)


def notes(entry: dict) -> list[str]:
    """What methods said of their own choices and limits, each sentence once."""
    said: dict[str, list[str]] = {}
    for name, each in entry["sides"].items():
        for note in each["notes"]:
            said.setdefault(note, []).append(name)
    return [f"{'; '.join(names)}: {note}" for note, names in said.items()]


def chapters_text(module: ModuleType, results: dict) -> str:
    """The whole table for the terminal."""
    return "\n\n".join("\n".join([title, sentence, *(f"  {line}" for line in aligned(rows))])
                       for title, sentence, rows in module.chapters(results))


def write_markdown(path: Path, table: str, module: ModuleType, results: dict) -> None:
    """Replace what stands between the table's marks in the page; a page without them gets it at its end."""
    first, last = marks(table)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    body = f"{first}\n\n{markdown(module, results)}\n{last}\n"
    if first in before and last in before:
        head, rest = before.split(first, 1)
        path.write_text(head + body + rest.split(last, 1)[1].removeprefix("\n"), encoding="utf-8")
    else:
        path.write_text(before + ("\n" if before else "") + body, encoding="utf-8")


def markdown(module: ModuleType, results: dict) -> str:
    """Chapters, then each case with all its figures."""
    machine = results["made"]["machine"]
    told = [key for key in ("processor", "cores", "graphics", "python", "numba") if key in machine]
    parts = ["Measured on " + ", ".join(f"{key} {machine[key]}" for key in told)
             + f", touchpoint {results['made']['versions']['touchpoint']}.\n"]
    for title, sentence, rows in module.chapters(results):
        parts += [f"### {title}\n", f"{sentence}\n", markdown_table(rows)]
    parts.append("### All figures\n")
    for case in module.CASES:
        entry = results["cases"].get(case.id)
        if entry:
            parts += [f"{case.title}:\n", markdown_table(module.case_rows(entry))]
            parts.append("".join(f"* {line}\n" for line in notes(entry)))
    return "\n".join(parts)
