# SPDX-License-Identifier: GPL-3.0-or-later
"""JUnit files: what their cases stand for, and that they are written one by one."""
import io
import re
from xml.etree import ElementTree

import pytest
from command_line import run
from scene_building import add_cube
from test_reports import crowd, cubes, junit_of, leaky
from touchpoint.addon.cli.test_files import JunitOfTests
from touchpoint.addon.named_tests.run import ERROR, Ended
from touchpoint.addon.reports import junit
from touchpoint.addon.reports.markup import xml_bytes


@pytest.mark.parametrize("build, more, code", [
    (cubes, (), 1), (cubes, ("--fail-on", "none"), 0), (cubes, ("--fail-on", "touching"), 1),
    (lambda: [add_cube("A"), add_cube("B", (9, 0, 0))], (), 0), (leaky, (), 2),
    (leaky, ("--fail-on", "cannot-tell"), 1)])
def test_cases_of_junit_say_what_the_exit_code_says(save, tmp_path, build, more, code):
    build()
    assert run("detect", save(), "--junit", tmp_path / "r.xml", *more) == code
    said, found = junit_of(tmp_path / "r.xml")
    assert said == code and found["all other pairs"] == ""


def test_cases_are_written_one_by_one():
    """A million of them at once would take gigabytes. The bytes are those of the document as a whole."""
    report = crowd()
    pieces = list(junit.junit_pieces(report))
    assert b"".join(pieces) == xml_bytes(ElementTree.fromstring(b"".join(pieces)))
    assert max(each.count(b"<testcase") for each in pieces) == 1 and len(report.pairs) == 14


class Written(io.BytesIO):
    """A file that notes how many cases are written at once."""

    most = 0

    def write(self, data):
        self.most = max(self.most, bytes(data).count(b"<testcase"))
        return super().write(data)


def test_cases_of_tests_are_written_one_by_one(tmp_path):
    """The document is that of all suites, with their totals in its head."""
    report, file = crowd(), Written()
    files = JunitOfTests(file)
    for name in ("first", "second"):
        files.add(name, report)
    files.end([Ended("first", 1, ""), Ended("second", 1, ""), Ended("third", ERROR, "No objects.")])
    (tmp_path / "all.xml").write_bytes(file.getvalue())
    code, found = junit_of(tmp_path / "all.xml")
    root = ElementTree.fromstring(file.getvalue())
    assert [each.get("name") for each in root] == ["first, frame 1", "second, frame 1", "third"]
    assert code == 1 and found["third"] == "error" and int(root.get("tests")) == 2 * (14 + 3) + 1
    whole, single = xml_bytes(root), b"".join(junit.suite_pieces(report, "second, frame 1"))
    assert re.sub(rb" +>\n", b">\n", file.getvalue(), count=1) == whole and single in whole
    assert file.most == 1
