# SPDX-License-Identifier: GPL-3.0-or-later
"""A `Report` as fields to be kept. Columns that are new in a checkout are kept, too."""
import dataclasses
import tempfile
from pathlib import Path

import numpy as np

FROM_RUN_TO_RUN = ("counts", "stages")      # what may depend on how threads took turns


def fields_of(report) -> dict:
    """All that a report says, but for seconds: its JSON and CSV, its arrays, and how it came about."""
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder, "report.json"), Path(folder, "report.csv")
        report.to_json(paths[0])
        report.to_csv(paths[1])
        written = [path.read_bytes() for path in paths]
    stages = {stage.name: {"items_in": int(stage.items_in), "items_out": int(stage.items_out),
                           "tests": int(stage.tests)} for stage in report.stages}
    about = {"method": report.method, "settings": report.settings, "objects": list(map(told, report.objects)),
             "skipped": list(map(told, report.skipped)), "notes": list(report.notes),
             "cancelled": bool(report.cancelled), "exit code": report.exit_code(), "summary": report.summary()}
    return {"report.json": written[0], "report.csv": written[1], "pairs": np.asarray(report.pairs),
            "contacts": table(report.contacts), "about": about,
            "counts": {name: int(number) for name, number in report.counts.items()}, "stages": stages}


def told(item) -> dict:
    """A tested object, or one that was left out, as a dictionary."""
    return {each.name: plain(getattr(item, each.name)) for each in dataclasses.fields(item)}


def plain(value):
    """numpy's numbers as Python's, for JSON."""
    return value.item() if isinstance(value, np.generic) else value


def table(columns) -> np.ndarray:
    """Contacts as one structured array, a field per column."""
    if isinstance(columns, np.ndarray):
        return columns
    names = getattr(columns, "_fields", None) or [each.name for each in dataclasses.fields(columns)]
    arrays = {name: np.asarray(getattr(columns, name)) for name in names}
    found = np.zeros(len(columns), [(name, array.dtype, array.shape[1:]) for name, array in arrays.items()])
    for name, array in arrays.items():
        found[name] = array
    return found
