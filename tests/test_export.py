# SPDX-License-Identifier: GPL-3.0-or-later
"""The files a report is written to."""
import csv
import io
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from touchpoint.core import Report, export
from touchpoint.core.codes import (
    A_IN_B,
    B_IN_A,
    CANCELLED,
    CANNOT_TELL,
    CONTAINED,
    CROSSING,
    NEITHER,
    TOUCHING,
    Skipped,
)
from touchpoint.core.contacts import AREA, SEGMENT, Contacts
from touchpoint.core.export import dump_json, dump_timings, write_csv, write_json
from touchpoint.core.findings import CANCELLED_NOTE, PAIR_DTYPE, REGION_DTYPE, ObjectInfo
from touchpoint.core.rules import Outcome, Rule
from touchpoint.core.rules.outcome import TAKEN_DTYPE
from touchpoint.core.run import StageRecord
from touchpoint.core.version import version

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
OF_ANIMATIONS = {"intervals", "spells", "first_contact", "worst_frame"}       # see sequence/test_sweep_files.py
OF_PICTURES = {"picture"}
LONG_NAME = "ä" * 31 + "z"      # 63 bytes, the longest name in Blender 4


def make_report(names=("Pipe", "Beam", "Wall"), **changes) -> Report:
    """Pipe × Beam crossing with two contacts, Pipe × Wall touching with one, Beam × Wall cannot tell."""
    contacts = Contacts.empty(3)
    contacts.pair[:] = [0, 0, 1]
    contacts.kind[:] = SEGMENT
    contacts.point[:] = [[[0, 0, 0], [2, 0, 0]], [[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]], [[-0.0, 5, 6], [0.0, 5, 8]]]
    pairs = np.zeros(3, PAIR_DTYPE)
    pairs["a"], pairs["b"] = [0, 0, 1], [1, 2, 2]
    pairs["verdict"], pairs["status"] = [CROSSING, TOUCHING, CANNOT_TELL], [0, 0, CANCELLED]
    pairs["contacts"], pairs["contact_start"] = [2, 1, 0], [0, 2, 3]
    pairs["gap"], pairs["depth"], pairs["toi"] = [np.nan, 0.0, np.nan], [0.25, np.nan, np.nan], np.nan
    pairs["winding"] = np.nan
    settings = {"contacts": True, "clearance": 2.0}
    report = Report("touchpoint", settings, [ObjectInfo(i, name, 12 * i) for i, name in enumerate(names)],
                    [Skipped(None, "Wire", "it has no faces")], pairs, contacts,
                    [StageRecord("contacts", 3, 3, 40, 0.5)], {"triangle_pairs": 40}, scene="hall.blend", frame=41.0)
    for name, value in changes.items():
        setattr(report, name, value)
    return report


def written(write, report, tmp_path) -> bytes:
    write(report, tmp_path / "report")
    return (tmp_path / "report").read_bytes()


def read_json(report, tmp_path) -> dict:
    return json.loads(written(write_json, report, tmp_path))


def test_json_says_who_collides_and_where(tmp_path):
    data = read_json(make_report(), tmp_path)
    assert data["touchpoint"] == version()
    assert (data["schema"], data["scene"], data["frame"], data["method"]) == (1, "hall.blend", 41, "touchpoint")
    assert data["objects"][1] == {"name": "Beam", "triangles": 12}
    assert data["skipped"] == [{"name": "Wire", "reason": "it has no faces"}]
    assert data["pairs"][0] == {"a": "Pipe", "b": "Beam", "verdict": "crossing", "inner": None, "contacts": 2,
                                "places": 2, "points": [[0.1, 0.2, 0.3], [1.0, 0.0, 0.0]], "gap": None,
                                "depth": 0.25, "reason": None}
    assert data["pairs"][2]["reason"] == "the run was cancelled before this pair was finished"
    assert data["summary"]["crossing"] == data["summary"]["touching"] == data["summary"]["cannot tell"] == 1
    assert data["summary"]["contacts"] == 3


def test_json_has_the_documented_keys_and_follows_the_schema(tmp_path):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert "depth_upper" not in read_json(make_report(), tmp_path)["pairs"][0]
    rules = Outcome([Rule("parents")], np.zeros(0, TAKEN_DTYPE), np.zeros(1, np.int64))
    report = make_report(settings={"contacts": True, "clearance": 2.0, "depth": True, "volume": True, "tolerance": 0.5,
                                   "regions": True, "identified_by": "GUID", "self_reference": "rest"}, rules=rules)
    report.pairs["winding"][2], report.pairs["copy"][0], report.contacts.kind[:1] = 0.97, True, AREA
    report.pairs["toi"][1] = 0.25
    report.grouping = report.groups("object")
    data = read_json(report, tmp_path)
    assert [pair.get("winding") for pair in data["pairs"]] == [None, None, 0.97]
    assert [pair.get("toi") for pair in data["pairs"]] == [None, 0.25, None]
    assert [(pair.get("copy"), pair.get("coplanar")) for pair in data["pairs"]].count((True, 1)) == 1
    jsonschema.validate(data, SCHEMA)
    assert list(data) == ["touchpoint", "schema", "scene", "frame", "unit", "method", "settings", "notes",
                          "objects", "skipped", "pairs", "grouped_by", "groups", "rules", "taken_away", "summary"]
    for part in ("pairs", "summary"):
        described = SCHEMA["properties"][part]
        properties = described.get("items", described)["properties"]
        expected = set(properties) - OF_ANIMATIONS - OF_PICTURES
        assert set().union(*(data[part] if part == "pairs" else [data[part]])) == expected
    data["pairs"][0]["verdict"] = "clear"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, SCHEMA)


def test_a_tolerance_brings_the_exact_verdict_in_metres(tmp_path):
    for tolerance in (4.0, "auto"):
        settings = {"tolerance": tolerance, **({"tolerance_at_most": 6.0} if tolerance == "auto" else {})}
        report = make_report(settings=settings, unit_scale=0.5)
        report.pairs["exact"], report.pairs["tolerance"] = [CROSSING, CROSSING, CANNOT_TELL], [4.0, 2.0, 1.0]
        data = read_json(report, tmp_path)
        jsonschema.validate(data, SCHEMA)
        assert data["settings"] == ({"tolerance": 2.0} if tolerance == 4.0 else
                                    {"tolerance": "auto", "tolerance_at_most": 3.0})
        assert [(pair["verdict"], pair["exact"], pair["tolerance"]) for pair in data["pairs"]] == [
            ("crossing", "crossing", 2.0), ("touching", "crossing", 1.0), ("cannot tell", "cannot tell", 0.5)]
        rows = list(csv.DictReader(io.StringIO(written(write_csv, report, tmp_path).decode())))
        assert [(row["verdict"], row["exact"], row["tolerance"]) for row in rows] == [
            ("crossing", "crossing", "2.0"), ("touching", "crossing", "1.0"), ("cannot tell", "cannot tell", "0.5")]
    assert b"exact" not in written(write_csv, make_report(), tmp_path)


def test_identifiers_stand_beside_names(tmp_path):
    report = make_report()
    assert "identifier" not in read_json(report, tmp_path)["objects"][0]
    report.settings["identified_by"] = "GUID"
    report.objects = [ObjectInfo(i, name, 12, identifier)
                      for i, (name, identifier) in enumerate((("Pipe", "=1"), ("Beam", None), ("Wall", "x2")))]
    data = read_json(report, tmp_path)
    jsonschema.validate(data, SCHEMA)
    assert data["settings"]["identified_by"] == "GUID"
    assert [each["identifier"] for each in data["objects"]] == ["=1", None, "x2"]
    assert [(pair["identifier_a"], pair["identifier_b"]) for pair in data["pairs"]] == [
        ("=1", None), ("=1", "x2"), (None, "x2")]
    lines = list(csv.reader(written(write_csv, report, tmp_path).decode().splitlines()))
    assert lines[0][-2:] == ["identifier_a", "identifier_b"]
    assert [line[-2:] for line in lines[1:]] == [["'=1", ""], ["'=1", "x2"], ["", "x2"]]


@pytest.mark.parametrize("points, listed", [(None, [2, 1, 0]), (0, [0, 0, 0]), (1, [1, 1, 0]), (9, [2, 1, 0])])
def test_points_can_be_capped_or_left_out(tmp_path, points, listed):
    report = make_report()
    report.to_json(tmp_path / "capped.json", points)
    data = json.loads((tmp_path / "capped.json").read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    whole = read_json(report, tmp_path)
    assert [len(pair["points"]) for pair in data["pairs"]] == listed
    assert [pair["contacts"] for pair in data["pairs"]] == [2, 1, 0]
    assert all(few["points"] == many["points"][:len(few["points"])]
               for few, many in zip(data["pairs"], whole["pairs"]))
    assert data["settings"].get("points") == points


def test_contained_pairs_name_the_inner_one(tmp_path):
    report = make_report()
    report.pairs["verdict"], report.pairs["inner"] = CONTAINED, [A_IN_B, B_IN_A, NEITHER]
    assert [report.inner(row) for row in range(3)] == [0, 2, None]
    data = read_json(report, tmp_path)
    assert [pair["inner"] for pair in data["pairs"]] == ["Pipe", "Wall", None]
    jsonschema.validate(data, SCHEMA)


def test_names_are_found_at_once_and_follow_the_list():
    """A loop over all pairs made a dictionary of all names for each."""
    class Counted(list):
        walks = 0

        def __iter__(self):
            Counted.walks += 1
            return super().__iter__()

    objects = Counted(ObjectInfo(2 * i, f"object {i}", 1) for i in range(1000))
    report = make_report(objects=objects)
    assert all(report.name(np.int32(2 * i)) == f"object {i}" for i in range(1000)) and Counted.walks == 1
    objects[3] = ObjectInfo(6, "another", 1)
    assert report.name(6) == "another"
    objects.reverse()
    assert report.name(0) == "object 0" and report.name(6) == "another"
    objects.pop()
    for missing in (0, 1, -1):
        with pytest.raises(KeyError):
            report.name(missing)


def test_an_empty_report_is_valid(tmp_path):
    report = make_report(objects=[], skipped=[], pairs=np.zeros(0, PAIR_DTYPE), contacts=Contacts.empty(), scene=None,
                         frame=None)
    data = read_json(report, tmp_path)
    jsonschema.validate(data, SCHEMA)
    assert data["objects"] == data["skipped"] == data["pairs"] == []


def test_lengths_are_in_metres(tmp_path):
    data = read_json(make_report(unit_scale=0.001), tmp_path)
    assert data["unit"] == {"scale": 0.001, "length": "m"}
    assert data["pairs"][0]["points"][1] == [0.001, 0.0, 0.0]
    assert data["pairs"][0]["depth"] == 0.00025
    assert data["pairs"][1]["gap"] == 0.0
    assert data["settings"] == {"contacts": True, "clearance": 0.002}


def test_numbers_are_written_exactly(tmp_path):
    report = make_report()
    report.contacts.point[:, :, 0] = [[1 / 3] * 2, [1e-300] * 2, [np.nextafter(1, 2)] * 2]
    points = [pair["points"] for pair in read_json(report, tmp_path)["pairs"]]
    assert [point[0] for pair in points for point in pair] == [1e-300, 1 / 3, np.nextafter(1, 2)]


def test_what_is_no_number_is_null(tmp_path):
    report = make_report()
    report.contacts.point[0, 0, 0] = np.inf
    data = read_json(report, tmp_path)
    assert data["pairs"][0]["points"][1] == [None, 0.0, 0.0]
    assert b"-0.0" not in (tmp_path / "report").read_bytes()
    jsonschema.validate(data, SCHEMA)


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_rows_are_written_some_at_once(at_once, tmp_path, monkeypatch):
    report = make_report(unit_scale=0.3048)
    report.pairs["gap"][1], report.pairs["gap_points"][1] = 0.5, [[1, 2, 3], [-0.0, np.inf, 1 / 3]]
    report.pairs["depth"][0] = 0.1
    whole = read_json(report, tmp_path)
    monkeypatch.setattr(export, "WRITTEN_AT_ONCE", at_once)
    assert read_json(report, tmp_path) == whole
    assert [pair["gap"] for pair in whole["pairs"]] == [None, 0.5 * 0.3048, None]
    assert [pair["depth"] for pair in whole["pairs"]] == [0.1 * 0.3048, None, None]
    assert whole["pairs"][1]["points"] == [[0.3048, 2 * 0.3048, 3 * 0.3048], [0.0, None, 1 / 3 * 0.3048]]


def test_same_report_same_bytes(tmp_path):
    again = make_report(stages=[StageRecord("contacts", 3, 3, 40, 99.0)])
    for write in (write_json, write_csv):
        assert written(write, make_report(), tmp_path) == written(write, again, tmp_path)


HOSTILE = {         # name: as CSV has it
    "Größe ▸ 椅子 #3": "Größe ▸ 椅子 #3", LONG_NAME: LONG_NAME, "e\u0301": "e\u0301", 'say "a, b"': 'say "a, b"',
    "a|b": "a|b", "x;=cmd()": "x;=cmd()", "back\\slash": "back\\slash",
    "A\nB,crossing": r"A\nB,crossing", "a\r\nb": r"a\r\nb", "\ta": r"\ta", "\x00\x1b[2J": r"\x00\x1b[2J",
    "=cmd()": "'=cmd()", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\uff1d1": "'\uff1d1",
    "::error::x": r"\x3a:error::x", "caf\udce9": r"caf\xe9", "a\u2028b\u202ec": r"a\u2028b\u202ec",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_names_come_back(name, tmp_path):
    names = (name, "parts:Chair", "Chair")
    data = read_json(make_report(names), tmp_path)
    assert [each["name"] for each in data["objects"]] == list(names)
    assert data["pairs"][0]["a"] == name
    write_csv(make_report(names), tmp_path / "pairs.csv")
    with open(tmp_path / "pairs.csv", encoding="utf-8", newline="") as file:
        assert [row["a"] for row in csv.DictReader(file)] == [HOSTILE[name], HOSTILE[name], "parts:Chair"]
    assert (tmp_path / "pairs.csv").read_bytes().count(b"\n") == 4
    with open(tmp_path / "pairs.csv", encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file, delimiter=";") for cell in row]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_a_name_that_is_no_utf8_is_still_json(tmp_path):
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    assert read_json(make_report((name, "B", "C")), tmp_path)["pairs"][0]["a"] == name


def test_csv_has_one_line_per_pair(tmp_path):
    lines = written(write_csv, make_report(), tmp_path).decode().splitlines()
    assert lines[0] == "a,b,verdict,contacts,gap,depth,reason"
    assert lines[1] == "Pipe,Beam,crossing,2,,0.25,"
    assert lines[2] == "Pipe,Wall,touching,1,0.0,,"
    assert lines[3] == "Beam,Wall,cannot tell,0,,,the run was cancelled before this pair was finished"
    assert len(lines) == 4


def test_csv_says_why_more_may_collide(tmp_path):
    """A file without pairs is no proof where something was not tested."""
    report = make_report(pairs=np.zeros(0, PAIR_DTYPE), contacts=Contacts.empty())
    assert report.exit_code() == 0 and written(write_csv, report, tmp_path).count(b"\n") == 1
    report.skipped.append(Skipped(3, "=Fog", "it has coordinates that are not numbers", judged=False))
    report.doubts, report.unsure, report.cancelled = ["Who knows."], True, True
    lines = written(write_csv, report, tmp_path).decode().splitlines()
    assert lines[1:] == ["'=Fog,,left out,0,,,it has coordinates that are not numbers",
                         ",,note,0,,,Who knows.", f",,note,0,,,{CANCELLED_NOTE}"]
    assert report.exit_code() == 2


def test_timings_have_a_file_of_their_own(tmp_path):
    file = io.BytesIO()
    dump_timings(make_report(), file)
    data = json.loads(file.getvalue())
    assert data["seconds"] == 0.5
    assert data["stages"] == [{"name": "contacts", "items_in": 3, "items_out": 3, "tests": 40, "seconds": 0.5}]
    assert data["counts"] == {"triangle_pairs": 40}


def test_volumes_are_in_cubic_metres(tmp_path):
    report = make_report(settings={"contacts": True, "volume": True})
    for name, value in (("volume", 2.0), ("volume_lower", 1.5), ("volume_upper", 3.0)):
        report.pairs[name] = value, np.nan, np.nan
    data, cubed = read_json(report, tmp_path), report.unit_scale ** 3
    jsonschema.validate(data, SCHEMA)
    assert [[each[f"volume{part}"] for part in ("", "_lower", "_upper")] for each in data["pairs"]] == [
        [2.0 * cubed, 1.5 * cubed, 3.0 * cubed], [None] * 3, [None] * 3]
    lines = written(write_csv, report, tmp_path).decode().splitlines()
    assert lines[0].endswith(",volume,volume_lower,volume_upper")


def test_regions_are_listed_in_metres_the_deepest_first(tmp_path):
    regions = np.zeros(2, REGION_DTYPE)
    regions["contacts"], regions["depth"], regions["depth_upper"] = [2, 0], [0.25, 0.0], [0.5, 0.0]
    regions["depth_points"], regions["point"] = np.array([1.0, np.nan])[:, None, None], [[1, 2, 3], [4, 5, 6]]
    report = make_report(settings={"contacts": True, "depth": True, "regions": True}, unit_scale=2.0, regions=regions)
    data = read_json(report, tmp_path)
    jsonschema.validate(data, SCHEMA)
    assert [pair["regions"] for pair in data["pairs"]] == [[
        {"depth": 0.5, "depth_upper": 1.0, "depth_points": [[2.0] * 3] * 2, "point": [2.0, 4.0, 6.0], "contacts": 2},
        {"depth": 0.0, "depth_upper": 0.0, "depth_points": [[None] * 3] * 2, "point": [8.0, 10.0, 12.0],
         "contacts": 0}], None, None]
    rows = list(csv.DictReader(io.StringIO(written(write_csv, report, tmp_path).decode())))
    assert [row["regions"] for row in rows] == ["[0.5, 0.0]", "", ""]
    plain = make_report(settings={"contacts": True, "depth": True})
    assert "regions" not in read_json(plain, tmp_path)["pairs"][0]
    assert b"regions" not in written(write_csv, plain, tmp_path)


def test_pairs_name_their_pictures(tmp_path):
    file = io.BytesIO()
    dump_json(make_report(), file, pictures={1: "0001_a.png"})
    data = json.loads(file.getvalue())
    jsonschema.validate(data, SCHEMA)
    assert [each.get("picture") for each in data["pairs"]] == [None, "0001_a.png", None]


def test_report_methods_write_the_same(tmp_path):
    report = make_report()
    report.to_json(tmp_path / "a")
    report.to_csv(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == written(write_json, report, tmp_path)
    assert (tmp_path / "b").read_bytes() == written(write_csv, report, tmp_path)


@pytest.mark.parametrize("write", [write_json, write_csv])
def test_a_failed_write_keeps_the_old_file(write, tmp_path):
    target = tmp_path / "report"
    target.write_text("old")
    report = make_report()
    report.pairs["a"][1] = 7        # names an object that is not in the report
    with pytest.raises(KeyError):
        write(report, target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_where_nothing_can_be_written_it_says_so(tmp_path):
    for target in (tmp_path / "missing" / "report.json", tmp_path):
        with pytest.raises(OSError):
            write_json(make_report(), target)
    assert list(tmp_path.iterdir()) == []
