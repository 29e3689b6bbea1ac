# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of `--test`: written while the tests run, so that no report has to be kept."""
import json
from collections import Counter
from typing import IO, TYPE_CHECKING

from ...core import export
from ...core.codes import FAIL_ON
from ..named_tests.run import ERROR
from ..reports import junit

if TYPE_CHECKING:
    from ...core.report import Report

MOST_DIGITS = 20        # of a number of cases
COLUMNS = export.CSV_COLUMNS + export.WITH_TOLERANCE


class JsonOfTests:
    """docs/tests.schema.json: reports as they are found, then how each test ended."""

    def __init__(self, file: IO[bytes]):
        self._file, self._between = file, "\n"
        self._write(f'{{\n  "touchpoint_tests": {export.SCHEMA},\n  "reports": [')

    def add(self, name: str, report: "Report") -> None:
        self._write(f'{self._between}{{"test": {json.dumps(name, ensure_ascii=False)}, "report":\n')
        for text in export.json_pieces(report):
            self._write(text)
        self._write("}")
        self._between = ",\n"

    def end(self, ended: list) -> None:
        tests = [{"name": each.name, "exit_code": each.code, "summary": each.line} for each in ended]
        self._write(f'],\n  "tests": {json.dumps(tests, ensure_ascii=False)}\n}}\n')

    def _write(self, text: str) -> None:
        self._file.write(export.encoded(text))


class CsvOfTests:
    """The lines of all reports, with the test and the frame before them, and a line per test that ended in an error."""

    def __init__(self, file: IO[bytes], volumes: bool = False):
        """volumes: they were asked for."""
        self._file, self._columns = file, COLUMNS + (export.WITH_VOLUMES if volumes else ())
        file.write(export.csv_line(("test", "frame", *self._columns)))

    def add(self, name: str, report: "Report") -> None:
        for row in export.csv_rows(report):
            self._file.write(export.csv_line((name, export.frame_of(report), *export.csv_values(row, self._columns))))

    def end(self, ended: list) -> None:
        for each in ended:
            if each.code == ERROR:
                row = export.csv_values({"verdict": "error", "reason": each.line}, self._columns)
                self._file.write(export.csv_line((each.name, "", *row)))


class JunitOfTests:
    """A suite per report, and one per test that ended in an error. The totals, which stand before all of them, are
    known at the end: the beginning is written again then."""

    def __init__(self, file: IO[bytes], fail_on=FAIL_ON):
        self._file, self._fail_on, self._totals = file, fail_on, Counter[str]()
        self._room = len(junit.head(self._totals)) + len(junit.ATTRIBUTES) * MOST_DIGITS
        self._write_head()

    def add(self, name: str, report: "Report") -> None:
        title = f"{name}, frame {export.frame_of(report)}"
        self._totals += junit.count_of(report, title, self._fail_on)
        self._file.writelines(junit.suite_pieces(report, title, self._fail_on))

    def end(self, ended: list) -> None:
        for each in ended:
            if each.code == ERROR:
                count, suite = junit.suite_of_error(each.name, each.line)
                self._totals += count
                self._file.write(suite)
        self._file.write(junit.END)
        self._file.seek(0)
        self._write_head()

    def _write_head(self) -> None:
        """With blanks, so that it is as long whatever the totals are."""
        self._file.write(junit.head(self._totals).removesuffix(b">").ljust(self._room) + b">")
