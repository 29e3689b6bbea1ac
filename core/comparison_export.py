# SPDX-License-Identifier: GPL-3.0-or-later
"""A `Comparison` as JSON, described by docs/comparison.schema.json. It holds times, so no two are alike. Lengths are in
metres."""
import json
from dataclasses import asdict
from typing import IO

from .comparison import Comparison, Difference, Row
from .export import encoded, number
from .files import replaced
from .version import version

SCHEMA = 1      # raised when a reader of the JSON would have to change


def write_json(comparison: Comparison, path) -> None:
    """Write the figures. Raises OSError where the file cannot be written; an older one is then kept."""
    with replaced(path) as file:
        dump_json(comparison, file)


def dump_json(comparison: Comparison, file: IO[bytes]) -> None:
    """Write the figures into an open file."""
    file.write(encoded(json.dumps(as_dict(comparison), ensure_ascii=False, indent=1, allow_nan=False) + "\n"))


def as_dict(comparison: Comparison) -> dict:
    """What the JSON says."""
    return {"touchpoint": version(), "schema": SCHEMA, "scene": comparison.scene,
            "frame": _whole(comparison.frame), **_frames(comparison),
            "reference": comparison.reference, "no_reference": comparison.no_reference,
            "clearance": number(comparison.clearance * comparison.unit_scale), "repeats": comparison.repeats,
            "cancelled": comparison.cancelled, "objects": comparison.objects, "triangles": comparison.triangles,
            "possible_pairs": comparison.possible_pairs, "pairs": comparison.pairs, "notes": comparison.notes,
            "skipped": [{"name": each.name, "reason": each.reason} for each in comparison.skipped],
            "methods": [_row(row) for row in comparison.rows]}


def _whole(frame: float | None) -> float | int | None:
    """41 rather than 41.0."""
    return int(frame) if frame is not None and float(frame).is_integer() else frame


def _frames(comparison: Comparison) -> dict:
    """The frames that were asked about, where there are more than one."""
    frames = comparison.frames
    if frames is None:
        return {}
    return {"frames": {"start": _whole(float(frames[0])), "end": _whole(float(frames[-1])), "count": len(frames)}}


def _row(row: Row) -> dict:
    return {"id": row.method, "title": row.title, "answer": row.answer, "options": row.options, "reason": row.reason,
            "seconds": {"first": row.first, "best": row.best, "median": row.median}, "runs": row.runs,
            "stages": [asdict(stage) for stage in row.stages], "counts": row.counts, "pairs": row.pairs,
            "contacts": row.contacts, "compared": row.compared, "held_against": row.held_against,
            "missed": [_pair(each) for each in row.missed], "invented": [_pair(each) for each in row.invented],
            "differing": [_pair(each) for each in row.differing], "memory": row.memory, "notes": row.notes}


def _pair(each: Difference) -> dict:
    return {"a": each.name_a, "b": each.name_b, "expected": each.expected, "found": each.found}
