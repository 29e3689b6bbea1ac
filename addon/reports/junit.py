# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as JUnit XML, which build servers show as tests. docs/reports.md says what stands for what. No Blender here.

What fails, cannot be told and passes is what the exit code says: 1 where there is a failure, else 2 where there is an
error, else 0.
"""
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

import numpy as np

from ...core.codes import FAIL_ON, VERDICTS
from ...core.export import frame_of
from ...core.memory import refuse_beyond
from ...core.shown import pair_title
from .markup import element, xml_bytes
from .pairs import Pair, pairs_of

if TYPE_CHECKING:
    from ...core.report import Report

BYTES_PER_CASE = 1_500      # its elements, and their text twice
ALL_OTHERS = "all other pairs"      # the case that passes where nothing was found
COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}      # attribute, and element of a case


def dump_junit(report: "Report", file: IO[bytes], fail_on: Sequence[str] = FAIL_ON) -> None:
    """Write one suite with a case per pair into an open file. fail_on: verdicts that are failures. Raises TooLarge
    where so many do not fit into memory."""
    refuse_beyond(BYTES_PER_CASE * len(report.pairs), "The cases of the JUnit file")
    file.write(xml_bytes(suites([suite(report, report.scene or "Scene", fail_on)])))


def suites(of: list[Element]) -> Element:
    """The root of the document."""
    totals = {name: sum(int(each.get(name, 0)) for each in of) for name in ("tests", *COUNTED)}
    return element("testsuites", *of, name="Touchpoint", **totals)


def suite(report: "Report", name: str, fail_on: Sequence[str] = FAIL_ON) -> Element:
    """A suite of this name: what was found, what was left open, and that all else is clear."""
    cases = [*_found(report, name, fail_on), *_taken_away(report, name), *_left_open(report, name)]
    if not report.is_incomplete:
        cases.append(element("testcase", classname=name, name=ALL_OTHERS))
    return _suite(name, cases, element("properties", *(element("property", name=key, value=str(value))
                                                       for key, value in _properties(report))))


def suite_of_error(name: str, reason: str) -> Element:
    """A suite for what could not be asked at all."""
    return _suite(name, [element("testcase", _problem("error", "refused", reason), classname=name, name=name)])


def _suite(name: str, cases: list[Element], *before: Element) -> Element:
    totals = {key: sum(each.find(tag) is not None for each in cases) for key, tag in COUNTED.items()}
    return element("testsuite", *before, *cases, name=name, tests=len(cases), **totals)


def _properties(report: "Report") -> Iterator[tuple[str, Any]]:
    frame = frame_of(report)
    if frame is not None:
        yield "frame", frame
    yield "method", report.method
    yield from report.settings.items()


def _found(report: "Report", suite_name: str, fail_on: Sequence[str]) -> Iterator[Element]:
    for pair in pairs_of(report):
        case = element("testcase", classname=suite_name, name=pair.title)
        if pair.verdict in fail_on:
            case.append(_problem("failure", pair.verdict, pair.said, _details(pair)))
        elif pair.verdict == "cannot tell":
            case.append(_problem("error", pair.verdict, pair.said, _details(pair)))
        else:
            case.append(element("system-out", f"{pair.said}\n{_details(pair)}"))
        yield case


def _details(pair: Pair) -> str:
    lines = [f"{name}: {identifier}" for name, identifier in zip(pair.names, pair.identifiers) if identifier]
    if pair.when:
        lines.append(f"frames {pair.when}")
    if np.isfinite(pair.place).all():
        lines.append(f"at {', '.join(f'{x:.6g}' for x in pair.place.tolist())} m")
    return "\n".join(lines)


def _taken_away(report: "Report", suite_name: str) -> Iterator[Element]:
    if report.rules is None:
        return
    names = {each.index: each.name for each in report.objects}
    for taken in report.rules.taken.tolist():
        a, b, rule, tested, verdict = taken[:5]
        what = f"allowed ({VERDICTS[verdict]})" if tested else "not tested"
        yield element("testcase", element("skipped", message=f"{what}: {report.rules.rules[rule].title}"),
                      classname=suite_name, name=pair_title(names[a], names[b], None))


def _left_open(report: "Report", suite_name: str) -> Iterator[Element]:
    for each in report.skipped:
        mark = element("skipped", message=each.reason) if each.judged else _problem("error", "left out", each.reason)
        yield element("testcase", mark, classname=suite_name, name=each.name)
    for sentence in report.left_open:
        mark = _problem("error", "incomplete", sentence) if report.is_incomplete else element("system-out", sentence)
        yield element("testcase", mark, classname=suite_name, name="completeness")


def _problem(tag: str, kind: str, message: str, text: str = "") -> Element:
    return element(tag, *([text] if text else []), message=message, type=kind)

