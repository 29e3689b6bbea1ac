# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as JUnit XML, which build servers show as tests. docs/reports.md says what stands for what. No Blender here.

What fails, cannot be told and passes is what the exit code says: 1 where there is a failure, else 2 where there is an
error, else 0.
"""
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, indent, tostring

import numpy as np

from ...core.codes import FAIL_ON, VERDICTS
from ...core.export import frame_of
from ...core.shown import pair_title
from .markup import element, xml_bytes
from .pairs import Pair, pairs_of

if TYPE_CHECKING:
    from ...core.report import Report

ALL_OTHERS = "all other pairs"      # the case that passes where nothing was found
PLACE = b"<cases />"        # of what is written piece by piece; names cannot hold it, as they are escaped
SUITE_AT, CASE_AT = b"\n  ", b"\n    "      # before a suite and a case
END = b"\n</testsuites>\n"
COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}      # by element of a case
ATTRIBUTES = ("tests", *COUNTED.values())


def junit_pieces(report: "Report", fail_on: Sequence[str] = FAIL_ON) -> Iterator[bytes]:
    """The document with one suite, which has a case per pair, case after case: a million at once would take gigabytes.
    fail_on: verdicts that are failures."""
    name = report.scene or "Scene"
    yield head(count_of(report, name, fail_on))
    yield from suite_pieces(report, name, fail_on)
    yield END


def head(totals: Counter[str]) -> bytes:
    """The beginning of the document, before its suites. totals: the sum of their counts."""
    root = element("testsuites", Element("cases"), name="Touchpoint", **{name: totals[name] for name in ATTRIBUTES})
    return _around(xml_bytes(root))[0].removesuffix(SUITE_AT)


def suite_pieces(report: "Report", name: str, fail_on: Sequence[str] = FAIL_ON) -> Iterator[bytes]:
    """A suite of this name, case after case: what was found, what was left open, and that all else is clear."""
    before, after = _around(_suite_bytes(_suite(report, name, count_of(report, name, fail_on), Element("cases"))))
    yield before.removesuffix(CASE_AT)
    for case in _cases(report, name, fail_on):
        indent(case, level=2)
        yield CASE_AT + tostring(case, encoding="utf-8")
    yield after


def suite_of_error(name: str, reason: str) -> tuple[Counter[str], bytes]:
    """A suite for what could not be asked at all, and its count."""
    case = element("testcase", _problem("error", "refused", reason), classname=name, name=name)
    count = _count([case])
    return count, _suite_bytes(_suite(None, name, count, case))


def count_of(report: "Report", name: str, fail_on: Sequence[str]) -> Counter[str]:
    """How many cases the suite of a report has, and how many of each kind, by the attributes of a suite. It stands
    before the cases."""
    return _count_of_pairs(report, fail_on) + _count(_left_open(report, name))


def _around(document: bytes) -> tuple[bytes, bytes]:
    """What stands before and after PLACE."""
    before, _, after = document.partition(PLACE)
    return before, after


def _suite_bytes(suite: Element) -> bytes:
    indent(suite, level=1)
    return SUITE_AT + tostring(suite, encoding="utf-8")


def _cases(report: "Report", name: str, fail_on: Sequence[str]) -> Iterator[Element]:
    """Those that `_count_of_pairs` counts, and the others."""
    return chain(_found(report, name, fail_on), _taken_away(report, name), _left_open(report, name))


def _count_of_pairs(report: "Report", fail_on: Sequence[str]) -> Counter[str]:
    """What `_count` says of the cases of pairs, which need not be made for it."""
    taken = 0 if report.rules is None else len(report.rules.taken)
    count = Counter(tests=len(report.pairs) + taken, skipped=taken)
    for verdict, pairs in report.verdicts().items():
        tag = _tag_of(verdict, fail_on)
        if tag:
            count[COUNTED[tag]] += pairs
    return count


def _count(cases: Iterable[Element]) -> Counter[str]:
    """The count of these cases."""
    return Counter(each for case in cases
                   for each in ("tests", *(name for tag, name in COUNTED.items() if case.find(tag) is not None)))


def _suite(report: "Report | None", name: str, count: Counter[str], content: Element) -> Element:
    """report: whose settings it says."""
    said = [] if report is None else [element("properties", *(element("property", name=key, value=str(value))
                                                              for key, value in _properties(report)))]
    return element("testsuite", *said, content, name=name, **{key: count[key] for key in ATTRIBUTES})


def _properties(report: "Report") -> Iterator[tuple[str, Any]]:
    frame = frame_of(report)
    if frame is not None:
        yield "frame", frame
    yield "method", report.method
    yield from report.settings.items()


def _found(report: "Report", suite_name: str, fail_on: Sequence[str]) -> Iterator[Element]:
    for pair in pairs_of(report):
        case = element("testcase", classname=suite_name, name=pair.title)
        tag = _tag_of(pair.verdict, fail_on)
        case.append(_problem(tag, pair.verdict, pair.said, _details(pair)) if tag else
                    element("system-out", f"{pair.said}\n{_details(pair)}"))
        yield case


def _tag_of(verdict: str, fail_on: Sequence[str]) -> str:
    """The element that says what a pair is, "" for one that passes."""
    return "failure" if verdict in fail_on else "error" if verdict == "cannot tell" else ""


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
    """What was left out or is not complete, and that all else is clear."""
    for each in report.skipped:
        mark = element("skipped", message=each.reason) if each.judged else _problem("error", "left out", each.reason)
        yield element("testcase", mark, classname=suite_name, name=each.name)
    for sentence in report.left_open:
        mark = _problem("error", "incomplete", sentence) if report.is_incomplete else element("system-out", sentence)
        yield element("testcase", mark, classname=suite_name, name="completeness")
    if not report.is_incomplete:
        yield element("testcase", classname=suite_name, name=ALL_OTHERS)


def _problem(tag: str, kind: str, message: str, text: str = "") -> Element:
    return element(tag, *([text] if text else []), message=message, type=kind)

