# SPDX-License-Identifier: GPL-3.0-or-later
"""A report → a file of the kind that its name says."""
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

import bpy

from ...core.codes import FAIL_ON
from ...core.errors import Refused
from ...core.export import csv_pieces, encoded, json_pieces
from ...core.files import replaced
from ..pictures.names import names_of
from ..pictures.saving import check_gpu, drawn
from .bcf import bcf_steps, issues_of
from .junit import junit_pieces
from .page import MOST_LISTED, html_pieces
from .seen import seen_of

if TYPE_CHECKING:
    from ...core.report import Report

ENDINGS = {"JSON": ".json", "CSV": ".csv", "HTML": ".html", "JUNIT": ".xml", "BCF": ".bcf"}     # by kind
WITH_PICTURES = ("HTML", "BCF")
KINDS = {**{ending: kind for kind, ending in ENDINGS.items()}, ".htm": "HTML", ".bcfzip": "BCF"}

Dump = Callable[["Report", IO[bytes]], object]
Steps = Callable[["Report", IO[bytes]], Iterator[None]]      # a Dump that stops after each piece


def save_report(report: "Report", path: str | Path, pictures: int = 0,
                context: bpy.types.Context | None = None) -> Path:
    """Write a report into a file, which is returned; its ending says of which kind: .json, .csv, .html, .xml (JUnit),
    .bcf or .bcfzip.

    pictures: of so many pairs, the worst ones, the page or the BCF file has a picture (docs/pictures.md). context:
    whose scene shows what could stand before a pair; `bpy.context` by default.
    Raises Refused for another ending, what `save_pictures` raises where there are pictures, and OSError where the file
    cannot be written; an older one is then kept.
    """
    path = Path(path)
    deque(saved_in_pieces(report, path, pictures, context), maxlen=0)
    return path


def saved_in_pieces(report: "Report", path: Path, pictures: int = 0,
                    context: bpy.types.Context | None = None) -> Generator[str, None, None]:
    """`save_report`, a picture or a piece of the file at each step, which says how far it is by then. Closed before its
    end, it leaves what was there before."""
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise Refused(f"The name of a report ends in {', '.join(KINDS)}, unlike {path.name}.")
    snapshots = {}
    if pictures and kind in WITH_PICTURES and len(report.pairs):
        check_gpu()
        rows = names_of(report, pictures)
        for row, png in drawn(report, rows, context):
            snapshots[row] = png
            yield f"picture {len(snapshots)} of {len(rows)}"
    with replaced(path) as file:
        for _ in steps_of(kind, snapshots, context=context)(report, file):
            yield f"{file.tell() / 1e6:,.1f} MB"


def dump_of(kind: str, snapshots: dict[int, bytes], fail_on: Sequence[str] = FAIL_ON,
            context: bpy.types.Context | None = None) -> Dump:
    """What writes a report of a kind of ENDINGS into an open file; see `steps_of`."""
    steps = steps_of(kind, snapshots, fail_on, context)
    return lambda report, file: deque(steps(report, file), maxlen=0)


def steps_of(kind: str, snapshots: dict[int, bytes], fail_on: Sequence[str] = FAIL_ON,
             context: bpy.types.Context | None = None) -> Steps:
    """What writes a report of a kind of ENDINGS into an open file, piece by piece. snapshots: {row: PNG}. fail_on: as
    in `Report.exit_code`."""
    if kind == "BCF":
        return lambda report, file: bcf_steps(report, file, seen_of(report, snapshots, context), date_of_scene())
    pieces: dict[str, Callable[[Report], Iterator[bytes]]] = {
        "JSON": lambda report: map(encoded, json_pieces(report)), "CSV": csv_pieces,
        "HTML": partial(html_pieces, pictures=snapshots, fail_on=fail_on),
        "JUNIT": partial(junit_pieces, fail_on=fail_on)}
    return partial(_written, pieces[kind])


def _written(pieces: Callable[["Report"], Iterator[bytes]], report: "Report", file: IO[bytes]) -> Iterator[None]:
    for piece in pieces(report):
        file.write(piece)
        yield


def said_of_rest(report: "Report", kind: str) -> str:
    """How many pairs a file of a kind of ENDINGS leaves to others, "" for none."""
    if kind not in WITH_PICTURES:
        return ""
    if kind == "BCF":
        rows, more = issues_of(report)
        listed = len(rows)
    else:
        listed = min(len(report.pairs), MOST_LISTED)
        more = len(report.pairs) - listed
    worst = f"worst {listed:,} pairs" if listed > 1 else "worst pair"
    are = "is" if more == 1 else "are"
    return f"The {kind} file has the {worst}; {more:,} more {are} in JSON and CSV files." if more > 0 else ""


def date_of_scene() -> datetime:
    """When the file that is open was written, so that the same file gives the same bytes; now where it never was.
    SOURCE_DATE_EPOCH, by which build servers say what time it is, comes first."""
    said = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(said) if said.isdecimal() else int(os.stat(bpy.data.filepath).st_mtime), UTC)
    except (OSError, ValueError, OverflowError):
        return datetime.now(UTC)
