# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as BCF 2.1 (BIM Collaboration Format): an issue per pair, with a viewpoint, for programs that check building
models. No Blender here.

The same pair has the same identifiers in every run, so that programs know again what was there before. docs/reports.md.
"""
import json
import re
import uuid
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import IO, TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from ...core.codes import FAIL_ON, VERDICTS
from .markup import element, xml_bytes
from .pairs import Pair, pairs_of

if TYPE_CHECKING:
    from ...core.report import Report

VERSION = "2.1"
OURS = uuid.UUID("5a3c9d0e-7b0c-5d5e-9a44-2f1a6c1c7e10")     # of all identifiers that are made here
AUTHOR = "Touchpoint"
ISSUES = FAIL_ON + ("cannot tell",)     # verdicts that somebody has to look at
MOST_TOPICS = 1_000                     # that programs can be asked to hold
IFC_GUID = re.compile(r"[0-3][0-9A-Za-z_$]{21}")
FIELD_OF_VIEW = 45.0                    # degrees: the least that BCF 2.1 knows
SIDES = ("FF3B5C", "2E86FF")            # of the first and the second object, as RGB
EPOCH = (1980, 1, 1, 0, 0, 0)           # of files in the archive: the first day that it can hold


class Seen(NamedTuple):
    """From where a pair is looked at, metres."""

    eye: np.ndarray         # (3,)
    direction: np.ndarray   # (3,) unit vector
    up: np.ndarray          # (3,) unit vector, upright on it
    snapshot: bytes | None  # PNG


def issues_of(report: "Report") -> tuple[np.ndarray, int]:
    """((k,) int64, rows of `Report.pairs` that become topics, the worst first; how many more there would be)."""
    rows = report.worst_first()
    rows = rows[np.isin(report.pairs["verdict"][rows], [VERDICTS.index(each) for each in ISSUES])]
    return rows[:MOST_TOPICS], max(0, len(rows) - MOST_TOPICS)


def bcf_steps(report: "Report", file: IO[bytes], seen: Callable[[int], Seen], date: datetime) -> Iterator[None]:
    """Write the archive into an open file, a topic at each step. seen(row): from where a row of `Report.pairs` is
    looked at. date: when the topics were made, which BCF wants to know."""
    known = known_by(report)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "bcf.version", xml_bytes(element("Version", element("DetailedVersion", VERSION),
                                                       VersionId=VERSION)))
        for pair in pairs_of(report, issues_of(report)[0]):
            key = sorted((known[name] for name in pair.names), key=json.dumps)
            _add_topic(archive, report, pair, key, seen(pair.row), date)
            yield


def known_by(report: "Report") -> dict[str, list]:
    """{name: by what an object is known from run to run}: its own identifier, unless a copy has the same, else its name
    and that of the scene."""
    count = Counter(each.identifier for each in report.objects)
    return {each.name: [each.identifier] if each.identifier and count[each.identifier] == 1
            else [report.scene, each.name] for each in report.objects}


def guid_of(*key: list | str) -> str:
    """The identifier of what this is the key of."""
    return str(uuid.uuid5(OURS, json.dumps(key)))


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, EPOCH)
    info.compress_type = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


def _add_topic(archive: zipfile.ZipFile, report: "Report", pair: Pair, key: list, seen: Seen,
               date: datetime) -> None:
    topic, viewpoint = guid_of(key), guid_of(key, "viewpoint")
    _add(archive, f"{topic}/markup.bcf", xml_bytes(_markup(report, pair, topic, viewpoint, seen, date)))
    _add(archive, f"{topic}/viewpoint.bcfv", xml_bytes(_viewpoint(pair, viewpoint, seen)))
    if seen.snapshot is not None:
        _add(archive, f"{topic}/snapshot.png", seen.snapshot)


def _markup(report: "Report", pair: Pair, topic: str, viewpoint: str, seen: Seen, date: datetime) -> Element:
    said = [pair.said, *([f"Frames {pair.when}"] if pair.when else [])]
    if np.isfinite(pair.place).all():
        said.append(f"At {', '.join(f'{x:.4f}' for x in pair.place.tolist())} m")
    views = element("Viewpoints", element("Viewpoint", "viewpoint.bcfv"), Guid=viewpoint)
    if seen.snapshot is not None:
        views.append(element("Snapshot", "snapshot.png"))
    return element(
        "Markup", element("Header", element("File", element("Filename", report.scene or "Scene"), isExternal="true")),
        element("Topic", element("Title", f"{pair.title}: {', '.join(filter(None, (pair.verdict, pair.length)))}"),
                element("Index", str(pair.number)), element("Labels", pair.verdict),
                element("CreationDate", date.isoformat(timespec="seconds")), element("CreationAuthor", AUTHOR),
                element("Description", ". ".join(said) + "."), Guid=topic, TopicType="Clash", TopicStatus="Open"),
        views)


def _viewpoint(pair: Pair, viewpoint: str, seen: Seen) -> Element:
    sides = list(dict(zip(pair.names, pair.identifiers)).items())
    selection = element("Selection", *(_component(*side) for side in sides))
    colours = element("Coloring", *(element("Color", _component(*side), Color=colour)
                                    for side, colour in zip(sides, SIDES)))
    camera = element("PerspectiveCamera", _vector("CameraViewPoint", seen.eye),
                     _vector("CameraDirection", seen.direction), _vector("CameraUpVector", seen.up),
                     element("FieldOfView", str(FIELD_OF_VIEW)))
    return element("VisualizationInfo",
                   element("Components", selection, element("Visibility", DefaultVisibility="true"), colours), camera,
                   Guid=viewpoint)


def _component(name: str, identifier: str | None) -> Element:
    made = element("Component", element("OriginatingSystem", "Blender"),
                   element("AuthoringToolId", name if identifier is None else identifier))
    if identifier is not None and IFC_GUID.fullmatch(identifier):
        made.set("IfcGuid", identifier)
    return made


def _vector(tag: str, numbers: Iterable[float]) -> Element:
    return element(tag, *(element(axis, repr(float(x) + 0.0)) for axis, x in zip("XYZ", numbers)))
