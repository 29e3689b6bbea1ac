# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as files. The same report gives the same bytes: no clock, no folder, no thread count goes into them.

All lengths are in metres: scene units times `Findings.unit_scale`; volumes are in cubic metres.
docs/report.schema.json describes the JSON.
"""
import json
import math
from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np

from .codes import CANNOT_TELL, CONTAINED, VERDICTS
from .files import replaced
from .findings import Findings
from .shown import shown
from .version import version

SCHEMA = 1      # raised when a reader of the JSON would have to change
CSV_COLUMNS = ("a", "b", "verdict", "contacts", "gap", "depth", "reason")
WITH_TOLERANCE = ("exact", "tolerance")     # further columns where a tolerance was asked for,
WITH_IDENTIFIERS = ("identifier_a", "identifier_b")     # where objects have identifiers,
WITH_GROUPS = ("group",)                                # where pairs are in groups,
WITH_VOLUMES = ("volume", "volume_lower", "volume_upper")       # where volumes were asked for,
WITH_REGIONS = ("regions",)                             # and where regions were asked for: their depths
LENGTHS = ("clearance", "weld", "tolerance", "tolerance_at_most")   # settings that are lengths, unless they are a word
_dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode     # most of the time goes to digits of numbers
NULL = np.array(None)       # what is no number
WRITTEN_AT_ONCE = 1 << 12   # rows that are made Python's numbers: some megabytes
FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")     # where a spreadsheet begins to calculate; the last four: full width


def write_json(report: Findings, path, points: int | None = None) -> None:
    """Write the documented JSON, with at most so many points of each pair (None: all). Raises OSError where the file
    cannot be written; an older one is then kept."""
    with replaced(path) as file:
        dump_json(report, file, points)


def dump_json(report: Findings, file: IO[bytes], points: int | None = None,
              pictures: dict[int, str] | None = None) -> None:
    """Write the documented JSON into an open file; points as in `write_json`. pictures: {row: name of its picture}."""
    for text in json_pieces(report, points, pictures):
        file.write(encoded(text))


def write_csv(report: Findings, path) -> None:
    """Write one line per pair that is not clear, one per pair that a rule took away, and one per reason why that may
    not be all: objects that could not be tested, doubts, a run that was cancelled. Raises OSError like `write_json`.
    """
    with replaced(path) as file:
        dump_csv(report, file)


def dump_csv(report: Findings, file: IO[bytes]) -> None:
    """Write the CSV into an open file."""
    for line in csv_pieces(report):
        file.write(line)


def csv_pieces(report: Findings) -> Iterator[bytes]:
    """The CSV, one line after the other."""
    columns = (CSV_COLUMNS + report.file_columns() + (WITH_TOLERANCE if "tolerance" in report.settings else ())
               + (WITH_IDENTIFIERS if "identified_by" in report.settings else ())
               + (WITH_GROUPS if report.grouping is not None else ())
               + (WITH_VOLUMES if "volume" in report.settings else ())
               + (WITH_REGIONS if "regions" in report.settings else ()))
    yield csv_line(columns)
    for row in csv_rows(report):
        yield csv_line(csv_values(row, columns))


def csv_rows(report: Findings) -> Iterator[dict]:
    """The lines of the CSV after the first, as values by column."""
    for pair in _pairs(report, points=0):
        if report.grouping is not None:
            pair["group"] = report.grouping.title(pair["group"])
        if pair.get("regions") is not None:
            pair["regions"] = [region["depth"] for region in pair["regions"]]
        yield pair
    for pair in _taken_away(report):
        pair["verdict"] = f"allowed ({pair['verdict']})" if pair["tested"] else "not tested"
        yield pair
    for each in report.skipped:
        if not each.judged:
            yield {"a": each.name, "verdict": "left out", "contacts": 0, "reason": each.reason}
    for sentence in report.left_open:
        yield {"verdict": "note", "contacts": 0, "reason": sentence}


def csv_values(row: dict, columns: Iterable[str]) -> list:
    """The values of some columns, "" for what is missing, a list as JSON."""
    values = (row.get(column) for column in columns)
    return ["" if value is None else _dump(value) if isinstance(value, list) else value for value in values]


def dump_timings(report: Findings, file: IO[bytes]) -> None:
    """Write seconds and counts of each stage as JSON: what differs from run to run and is in no other file."""
    stages = [{"name": stage.name, "items_in": stage.items_in, "items_out": stage.items_out, "tests": stage.tests,
               "seconds": stage.seconds} for stage in report.stages]
    timings = {"touchpoint": version(), "scene": report.scene, "frame": frame_of(report), "method": report.method,
               "seconds": math.fsum(stage.seconds for stage in report.stages), "stages": stages,
               "counts": report.counts}
    file.write(encoded(json.dumps(timings, ensure_ascii=False, indent=2) + "\n"))


def json_pieces(report: Findings, points: int | None = None, pictures: dict[int, str] | None = None) -> Iterator[str]:
    """The text in pieces, one line per object and pair, so that a result of any size needs little memory. points,
    pictures: as in `dump_json`."""
    head = {"touchpoint": version(), "schema": SCHEMA, "scene": report.scene, "frame": frame_of(report),
            **report.file_head(), "unit": {"scale": float(report.unit_scale), "length": "m"}, "method": report.method,
            "settings": {**_settings(report), **({} if points is None else {"points": points})},
            "notes": report.notes}
    yield "{\n"
    for key, value in head.items():
        yield f"  {_dump(key)}: {_dump(value)},\n"
    yield from _json_list("objects", (
        {"name": each.name, "triangles": each.triangles,
         **({"identifier": each.identifier} if "identified_by" in report.settings else {}),
         **({"clearance": number(each.clearance * report.unit_scale)} if each.clearance else {})}
        for each in report.objects))
    yield from _json_list("skipped", ({"name": each.name, "reason": each.reason} for each in report.skipped))
    yield from _json_list("pairs", _pairs(report, points, pictures))
    if report.grouping is not None:
        yield f"  {_dump('grouped_by')}: {_dump(_grouped_by(report))},\n"
        yield from _json_list("groups", ({"title": title, "pairs": rows.tolist()} for title, rows in report.grouping))
    if report.rules is not None:
        yield from _json_list("rules", report.rules.listed_rules(report.unit_scale))
        yield from _json_list("taken_away", _taken_away(report))
    yield f"  {_dump('summary')}: {_dump({**report.summary(), 'cancelled': report.cancelled})}\n}}\n"


def _json_list(key: str, items: Iterable[dict]) -> Iterator[str]:
    yield f"  {_dump(key)}: ["
    between = "\n    "
    for item in items:
        yield between + _dump(item)
        between = ",\n    "
    yield "],\n" if between == "\n    " else "\n  ],\n"


def _pairs(report: Findings, points: int | None, pictures: dict[int, str] | None = None) -> Iterator[dict]:
    """One dictionary per row of `Findings.pairs`, in the order of the JSON's keys. points, pictures: as in
    `dump_json`."""
    names, found = {each.index: each.name for each in report.objects}, report.found.tolist()
    places = None if report.places is None else report.places.tolist()
    identifiers = {each.index: each.identifier for each in report.objects}
    group = None if report.grouping is None else report.grouping.number.tolist()
    middle, coplanar = report.contacts.middle * report.unit_scale, report.coplanar.tolist()
    item: dict
    for row, pair in enumerate(_values(report)):
        verdict = pair["verdict"]
        inner = report.inner(row) if verdict == CONTAINED else None
        item = {"a": names[pair["a"]], "b": names[pair["b"]], "verdict": VERDICTS[verdict],
                "inner": None if inner is None else names[inner], "contacts": found[row]}
        if "identified_by" in report.settings:
            item["identifier_a"], item["identifier_b"] = (identifiers[pair[side]] for side in "ab")
        if pair["is_apart"]:
            item["points"] = pair["gap_points"]
        else:
            where = middle[pair["contact_start"]:pair["contact_start"] + (0 if points == 0 else pair["contacts"])]
            # By place, not by triangle: Blender does not always number the triangles of a text the same way.
            item["points"] = _numbers(where[np.lexsort(where.T[::-1])][:points]) if len(where) else []
        item["gap"], item["depth"] = pair["gap"], pair["depth"]
        if report.settings.get("depth"):
            item["depth_upper"], item["depth_points"] = pair["depth_upper"], pair["depth_points"]
        if report.settings.get("regions"):
            item["regions"] = _regions(report, row)
        if report.settings.get("volume"):
            item.update((name, pair[name]) for name in WITH_VOLUMES)
        if pair["toi"] is not None:
            item["toi"] = pair["toi"]
        if places is not None and found[row]:
            item["places"] = places[row]
        if coplanar[row]:
            item["coplanar"] = coplanar[row]
        if pair["copy"]:
            item["copy"] = True
        if pair["winding"] is not None:
            item["winding"] = pair["winding"]
        if "tolerance" in report.settings:
            item["exact"], item["tolerance"] = VERDICTS[pair["exact"]], pair["tolerance"]
        if pictures and row in pictures:
            item["picture"] = pictures[row]
        item["reason"] = report.reason(row) if verdict == CANNOT_TELL else None
        if group is not None:
            item["group"] = group[row]
        item.update(report.file_row(row))
        yield item


def _values(report: Findings) -> Iterator[dict[str, Any]]:
    """What each row of `Findings.pairs` says, as Python has it, lengths and volumes in metres, None for what is no
    number. Some thousand rows at once: to ask a single one for all of it takes as long as to write it."""
    unit = report.unit_scale
    scales = {**dict.fromkeys(("gap", "depth", "depth_upper", "tolerance", "gap_points", "depth_points"), unit),
              **dict.fromkeys(WITH_VOLUMES, unit ** 3), "toi": 1.0, "winding": 1.0}
    for begin in range(0, len(report.pairs), WRITTEN_AT_ONCE):
        some = report.pairs[begin:begin + WRITTEN_AT_ONCE]
        columns = {name: _numbers(some[name] * scales[name]) if name in scales else some[name].tolist()
                   for name in some.dtype.names}
        columns["is_apart"] = (some["gap"] > 0.0).tolist()      # as `Findings.is_apart`
        yield from (dict(zip(columns, values)) for values in zip(*columns.values()))


def _regions(report: Findings, row: int) -> list[dict] | None:
    """The regions of a row of `Findings.pairs`; None where it was not divided."""
    regions = report.regions_of(row)
    if not len(regions):
        return None
    lengths = [_numbers(regions[name] * report.unit_scale)
               for name in ("depth", "depth_upper", "depth_points", "point")]
    return [{"depth": depth, "depth_upper": upper, "depth_points": ends, "point": point, "contacts": contacts}
            for depth, upper, ends, point, contacts in zip(*lengths, regions["contacts"].tolist())]


def _grouped_by(report: Findings) -> dict:
    """How pairs are grouped, lengths in metres."""
    groups = report.grouping
    assert groups is not None
    distance = number(groups.distance * report.unit_scale)
    return {"kind": groups.by, **({} if distance is None else {"distance": distance})}


def _taken_away(report: Findings) -> Iterator[dict]:
    if report.rules is None:
        return iter(())
    return report.rules.listed_pairs({each.index: each.name for each in report.objects}, report.unit_scale)


def _settings(report: Findings) -> dict:
    return {key: number(value * report.unit_scale) if key in LENGTHS and not isinstance(value, str) else value
            for key, value in report.settings.items()}


def frame_of(report: Findings) -> float | int | None:
    """41 rather than 41.0."""
    frame = report.frame
    return int(frame) if frame is not None and float(frame).is_integer() else frame


def number(value: float) -> float | None:
    """JSON has no NaN and no infinity; -0.0 becomes 0.0."""
    return value + 0.0 if math.isfinite(value) else None


def _numbers(array: np.ndarray) -> list:
    """`number` of each, in lists as deep as the array."""
    array = array + 0.0
    is_finite = np.isfinite(array)
    return array.tolist() if is_finite.all() else np.where(is_finite, array, NULL).tolist()


def csv_line(values: Iterable) -> bytes:
    return encoded(",".join(map(_csv_cell, values)) + "\n")


def _csv_cell(value) -> str:
    """Names are shown escaped; those that a spreadsheet would take for a formula begin with an apostrophe."""
    if not isinstance(value, str):
        return str(value)
    text = shown(value)
    if text.startswith(FORMULA):
        text = f"'{text}"
    # Quoted also where another separator than ours would begin a new cell, and with it a formula.
    return '"' + text.replace('"', '""') + '"' if any(each in text for each in ',;|"') else text


def encoded(text: str) -> bytes:
    """UTF-8; half of a surrogate pair, as Blender makes of a name that is no valid UTF-8, is written as \\udc80."""
    return text.encode("utf-8", "backslashreplace")
