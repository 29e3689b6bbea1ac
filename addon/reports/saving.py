# SPDX-License-Identifier: GPL-3.0-or-later
"""A report → a file of the kind that its name says."""
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

import bpy

from ...core.codes import FAIL_ON
from ...core.errors import Refused
from ...core.export import dump_csv, dump_json
from ...core.files import replaced
from ..pictures.names import names_of
from ..pictures.saving import check_gpu, drawn
from .bcf import dump_bcf
from .junit import dump_junit
from .page import dump_html
from .seen import seen_of

if TYPE_CHECKING:
    from ...core.report import Report

ENDINGS = {"JSON": ".json", "CSV": ".csv", "HTML": ".html", "JUNIT": ".xml", "BCF": ".bcf"}     # by kind
WITH_PICTURES = ("HTML", "BCF")
KINDS = {**{ending: kind for kind, ending in ENDINGS.items()}, ".htm": "HTML", ".bcfzip": "BCF"}

Dump = Callable[["Report", IO[bytes]], None]


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
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise Refused(f"The name of a report ends in {', '.join(KINDS)}, unlike {path.name}.")
    snapshots = {}
    if pictures and kind in WITH_PICTURES and len(report.pairs):
        check_gpu()
        snapshots = dict(drawn(report, names_of(report, pictures), context))
    with replaced(path) as file:
        dump_of(kind, snapshots, context=context)(report, file)
    return path


def dump_of(kind: str, snapshots: dict[int, bytes], fail_on: Sequence[str] = FAIL_ON,
            context: bpy.types.Context | None = None) -> Dump:
    """What writes a report of a kind of ENDINGS into an open file. snapshots: {row: PNG}. fail_on: as in
    `Report.exit_code`."""
    dumps: dict[str, Dump] = {"JSON": dump_json, "CSV": dump_csv,
                              "HTML": partial(dump_html, pictures=snapshots, fail_on=fail_on),
                              "JUNIT": partial(dump_junit, fail_on=fail_on),
                              "BCF": partial(_dump_bcf, snapshots, context)}
    return dumps[kind]


def _dump_bcf(snapshots: dict[int, bytes], context: bpy.types.Context | None, report: "Report",
              file: IO[bytes]) -> None:
    dump_bcf(report, file, seen_of(report, snapshots, context), date_of_scene())


def date_of_scene() -> datetime:
    """When the file that is open was written, so that the same file gives the same bytes; now where it never was.
    SOURCE_DATE_EPOCH, by which build servers say what time it is, comes first."""
    said = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(said) if said.isdecimal() else int(os.stat(bpy.data.filepath).st_mtime), UTC)
    except (OSError, ValueError, OverflowError):
        return datetime.now(UTC)
