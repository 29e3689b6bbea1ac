# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports for browsers, build servers and programs that check building models."""
import io
import math
import os
import zipfile
from html.parser import HTMLParser
from itertools import islice
from xml.etree import ElementTree

import bpy
import numpy as np
import pytest
from command_line import refused, run
from scene_building import add_cube, mesh_of
from test_named_tests import add_tests, workshop  # noqa: F401
from touchpoint.addon import api
from touchpoint.addon.reports import bcf, page, saving
from touchpoint.addon.reports.bcf import FIELD_OF_VIEW, bcf_steps, issues_of
from touchpoint.addon.reports.saving import KINDS, date_of_scene, saved_in_pieces
from touchpoint.addon.reports.seen import seen_of
from touchpoint.core import Refused
from touchpoint.core.rules import Ref, Rule, write_rules

CUBES = {"A": (0, 0, 0), "B": (1, 0.25, 0.5), "C": (3, 0.75, 0.75)}     # A crosses B, which touches C
HOSTILE = ('<script>alert("1")</script>', "=1+1 & 2", "a\u202eb\x01", "\udc80 half", "\ufffe none", "]]>", "::error::x")


def empty():
    """An empty scene, after a command has opened another one."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def cubes(**more):
    for name, at in {**CUBES, **more}.items():
        add_cube(name, at)


def junit_of(path):
    """(exit code that the cases stand for, {name of a case: tag of what it says, "" where it passes})."""
    root = ElementTree.parse(path).getroot()
    found = {case.get("name"): next((each.tag for each in case if each.tag != "system-out"), "")
             for case in root.iter("testcase")}
    for each in (root, *root.iter("testsuite")):
        tags = [child.tag for case in each.iter("testcase") for child in case]
        assert int(each.get("tests")) == len(list(each.iter("testcase")))
        assert [int(each.get(name)) for name in ("failures", "errors", "skipped")] == [
            tags.count(tag) for tag in ("failure", "error", "skipped")]
    words = set(found.values())
    return 1 if "failure" in words else 2 if "error" in words else 0, found


def leaky():
    """A cube inside a box without a lid, too large to leave by a small hole: cannot tell."""
    add_cube("Inner", size=1.0)
    box = add_cube("Leaky", size=4.0)
    mesh = box.data
    corners = np.array([tuple(each.co) for each in mesh.vertices])
    faces = [tuple(each.vertices) for each in mesh.polygons]
    lid = faces.pop()
    middle = corners[list(lid)].mean(axis=0)
    rim = [tuple(middle + 0.05 * (corners[each] - middle)) for each in lid]
    first = len(corners)
    faces += [(lid[i], lid[(i + 1) % 4], first + (i + 1) % 4, first + i) for i in range(4)]
    box.data = mesh_of("Leaky", [*map(tuple, corners), *rim], faces)


def crowd():
    """A report of six cubes that all meet, one empty mesh, and a rule that takes a pair away."""
    for number in range(6):
        add_cube(f"N{number}", (0.3 * number, 0.1 * number, 0.2 * number))
    add_cube("Empty").data.clear_geometry()
    return api.detect(rules=[Rule("pairs", "as built", pairs=((Ref("N0"), Ref("N1")),))])


def test_the_page_lists_the_worst_and_says_so(monkeypatch):
    """Also in groups: those of which nothing is listed have no heading."""
    report = crowd()
    monkeypatch.setattr(page, "MOST_LISTED", 2)
    report.skipped *= 3
    for grouping in (None, report.groups("container"), report.groups("object")):
        report.grouping = grouping
        pieces = list(page.html_pieces(report, {}))
        made = Page(b"".join(pieces).decode("utf-8"))
        classes = [attributes.get("class") for _, attributes in made.tags]
        assert classes.count("pair") == 2 == sum(b'class="pair"' in each for each in pieces)
        assert 1 <= classes.count("group") <= 2 if grouping else "group" not in classes
        text = " ".join(made.text)
        assert "The worst 2 are listed here, all of them in the JSON and the CSV." in text
        assert "… and 1 more object, which the JSON lists." in text


def test_groups_of_the_page_are_those_of_the_report(monkeypatch):
    report = crowd()
    report.grouping = report.groups("object")
    made = Page(b"".join(page.html_pieces(report, {})).decode("utf-8"))
    order = np.argsort(report.worst_first())
    listed = [attributes["id"] for _, attributes in made.tags if attributes.get("class") == "pair"]
    assert listed == [f"pair-{order[row] + 1}" for _, rows in report.grouping for row in rows]
    titles = [f"{title}: {len(rows)} pair{'s' * (len(rows) > 1)}" for title, rows in report.grouping]
    assert [each for each in made.text if each in titles] == titles


@pytest.mark.parametrize("ending", KINDS)
def test_a_report_that_is_not_finished_leaves_the_older_one(tmp_path, ending):
    """At whatever piece it is closed."""
    report, path = crowd(), tmp_path / f"r{ending}"
    count = sum(1 for _ in saved_in_pieces(report, path))
    assert count >= 10 and path.stat().st_size > 100
    path.write_text("of before")
    for number in range(count + 1):
        pieces = saved_in_pieces(report, path)
        assert all(said.endswith(" MB") for said in islice(pieces, number))
        pieces.close()
        assert path.read_text() == "of before" and os.listdir(tmp_path) == [path.name]


def test_what_was_left_out_is_an_error(save, tmp_path):
    cubes()
    bad = add_cube("Bad", (50, 0, 0))
    bad.data.vertices[0].co.x = math.nan
    assert run("detect", save(), "--junit", tmp_path / "r.xml", "--fail-on", "none") == 2
    said, found = junit_of(tmp_path / "r.xml")
    assert said == 2 and found["Bad"] == "error" and "all other pairs" not in found


def test_pairs_that_rules_took_away_are_skipped(save, tmp_path):
    cubes(D=(0, 0, 9), E=(0.5, 0.5, 9.5))
    rule = Rule("pairs", "as built", pairs=((Ref("A"), Ref("B")),))
    write_rules([rule], tmp_path / "rules.json")
    scene = save()
    assert run("detect", scene, "--rules", tmp_path / "rules.json", "--junit", tmp_path / "r.xml",
               "--html", tmp_path / "r.html") == 1
    _, found = junit_of(tmp_path / "r.xml")
    assert found == {"A × B": "skipped", "B × C": "", "D × E": "failure", "all other pairs": ""}
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "1 pair taken away by 1 rule" in page and "as built" in page


def test_named_tests_are_suites(workshop, registered, save, tmp_path):  # noqa: F811
    add_tests(*workshop)
    scene = save()
    assert run("detect", scene, "--test", "all", "--junit", tmp_path / "r.xml") == 3
    suites = {each.get("name"): each for each in ElementTree.parse(tmp_path / "r.xml").getroot()}
    assert list(suites) == ["Clash, frame 1", "Clash without rules, frame 1", *(f"Balls, frame {n}" for n in (
        1, 9, 10, 11, 12)), "Gap, frame 1", "Gone", "Wrong"]
    assert [suites[f"Balls, frame {n}"].get("failures") for n in (10, 11)] == ["0", "1"]
    assert suites["Wrong"].get("errors") == "1"


def test_what_does_not_go_with_named_tests(registered, save, tmp_path, capsys):
    add_cube("A")
    for option in ("--html", "--bcf"):
        assert "does not go with --test" in refused(capsys, "detect", save(), "--test", "all", option, tmp_path / "x")


class Page(HTMLParser):
    """Tags with their attributes, and all text outside of styles and scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self._raw = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._raw = tag in ("style", "script")

    def handle_endtag(self, tag):
        self._raw = False

    def handle_data(self, data):
        if not self._raw:
            self.text.append(data)


def page_of(path):
    return Page(path.read_text(encoding="utf-8"))


def test_the_page_is_whole_by_itself(save, tmp_path):
    cubes()
    assert run("detect", save(), "--html", tmp_path / "r.html", "--group-by", "object") == 1
    page = page_of(tmp_path / "r.html")
    text = " ".join(page.text)
    assert "1 pair collides; 1 touches." in text and "A × B" in text and "scene.blend" in text
    rows = [attributes["id"] for tag, attributes in page.tags if attributes.get("class") == "pair"]
    assert rows == ["pair-1", "pair-2"]
    assert {"class": "answer failed"} in [attributes for tag, attributes in page.tags]
    assert not any(value.startswith(("http", "//")) for _, attributes in page.tags for value in attributes.values()
                   if value)


def test_a_clean_page_and_one_that_is_not_sure(save, tmp_path):
    add_cube("A")
    add_cube("B", (9, 0, 0))
    assert run("detect", save("clean.blend"), "--html", tmp_path / "clean.html") == 0
    empty()
    leaky()
    assert run("detect", save("open.blend"), "--html", tmp_path / "open.html") == 2
    for name, said in (("clean", "No collisions"), ("open", "which has a hole")):
        page = page_of(tmp_path / f"{name}.html")
        assert {"class": f"answer {name}"} in [attributes for _, attributes in page.tags]
        assert said in " ".join(page.text)


def test_hostile_names_are_text(tmp_path):
    """In all three: what a browser, a parser or a build server would obey is shown escaped."""
    for number, _ in enumerate(HOSTILE):
        add_cube(f"N{number}", (0.3 * number, 0.1 * number, 0.2 * number))
    report = api.detect()
    report.objects = [type(each)(each.index, HOSTILE[int(each.name[1:])], each.triangles) for each in report.objects]
    made = Page(b"".join(page.html_pieces(report, {})).decode("utf-8"))
    assert [tag for tag, _ in made.tags].count("script") == 1
    assert '<script>alert("1")</script>' in "".join(made.text) and r"a\u202eb\x01" in "".join(made.text)
    for each in ("r.xml", "r.bcf"):
        api.save_report(report, tmp_path / each)
    names = [case.get("name") for case in ElementTree.parse(tmp_path / "r.xml").getroot().iter("testcase")]
    assert len(names) == len(report.pairs) + 1 and any(r"\ufffe none" in name for name in names)
    assert not any(name.startswith("::") for name in names)
    assert len(topics_of(tmp_path / "r.bcf")) == len(report.pairs)


def topics_of(path):
    """{title without its figures: (identifier, markup, viewpoint)}; each is well-formed, and in the order that the
    format prescribes."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert len(set(names)) == len(names)
        assert ElementTree.fromstring(archive.read("bcf.version")).get("VersionId") == "2.1"
        for name in names:
            folder, _, file = name.partition("/")
            if file != "markup.bcf":
                continue
            markup = ElementTree.fromstring(archive.read(name))
            seen = ElementTree.fromstring(archive.read(f"{folder}/viewpoint.bcfv"))
            topic = markup.find("Topic")
            assert [each.tag for each in markup] == ["Header", "Topic", "Viewpoints"]
            assert [each.tag for each in topic] == ["Title", "Index", "Labels", "CreationDate", "CreationAuthor",
                                                    "Description"]
            assert [each.tag for each in seen] == ["Components", "PerspectiveCamera"]
            assert [each.tag for each in seen.find("Components")] == ["Selection", "Visibility", "Coloring"]
            assert topic.get("Guid") == folder and markup.find("Viewpoints").get("Guid") == seen.get("Guid")
            found[topic.findtext("Title").rpartition(": ")[0]] = folder, markup, seen
    return found


def identifiers(path):
    return {title: each[0] for title, each in topics_of(path).items()}


def test_an_issue_is_the_same_in_every_run(save, tmp_path):
    """However deep it is by now, and whatever else collides; not in another scene."""
    cubes(D=(0.5, 0.5, 0.5))
    assert run("detect", save(), "--bcf", tmp_path / "1.bcf") == 1
    empty()
    cubes(D=(0.5, 0.5, 1.25), F=(0.2, 0.1, -0.6))
    assert run("detect", save(), "--bcf", tmp_path / "2.bcf") == 1
    empty()
    cubes()
    assert run("detect", save("other.blend"), "--bcf", tmp_path / "3.bcf") == 1
    one, two, other = (identifiers(tmp_path / f"{number}.bcf") for number in (1, 2, 3))
    assert set(one) == {"A × B", "A × D", "B × D"} and set(one) < set(two)
    assert all(two[title] == guid for title, guid in one.items()) and other["A × B"] != one["A × B"]


def test_identifiers_of_objects_make_those_of_issues(save, tmp_path):
    """Objects may be renamed, and files, too; a copy has the GUID of its original."""
    def build(names, extra=False):
        for number, (name, at) in enumerate(zip(names, CUBES.values())):
            add_cube(name, at)["GlobalId"] = f"0{number}aB$_{'x' * 16}"
        if extra:
            add_cube("Copy", (0.5, 0.5, 0.5))["GlobalId"] = f"00aB$_{'x' * 16}"

    for number, (names, extra) in enumerate((("ABC", False), ("XYZ", False), ("ABC", True))):
        empty()
        build(names, extra)
        assert run("detect", save(f"{number}.blend"), "--identify-by", "GlobalId", "--bcf", tmp_path / f"{number}.bcf",
                   "--html", tmp_path / f"{number}.html") == 1
    first, renamed, copied = (identifiers(tmp_path / f"{number}.bcf") for number in range(3))
    assert first["A × B"] == renamed["X × Y"]
    assert len(set(copied.values())) == len(copied) == 3
    _, _, seen = topics_of(tmp_path / "0.bcf")["A × B"]
    assert [each.get("IfcGuid") for each in seen.find("Components/Selection")] == [
        f"0{number}aB$_{'x' * 16}" for number in range(2)]
    assert f"A: 00aB$_{'x' * 16}" in " ".join(page_of(tmp_path / "0.html").text)


def test_the_camera_of_an_issue_sees_where_it_is(save, tmp_path):
    """In metres, with all contacts in the picture."""
    cubes()
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    report = api.detect()
    api.save_report(report, tmp_path / "r.bcf")
    _, _, seen = topics_of(tmp_path / "r.bcf")["A × B"]
    camera = seen.find("PerspectiveCamera")
    eye, direction, up = (np.array([float(each.text) for each in camera.find(name)])
                          for name in ("CameraViewPoint", "CameraDirection", "CameraUpVector"))
    assert np.linalg.norm(direction) == pytest.approx(1.0) and abs(direction @ up) < 1e-9
    assert 45.0 <= float(camera.findtext("FieldOfView")) == FIELD_OF_VIEW <= 60.0
    for place in 0.01 * report.contacts_of(int(report.worst_first()[0])).middle:
        angle = math.degrees(math.acos(direction @ (place - eye) / np.linalg.norm(place - eye)))
        assert angle < 0.5 * FIELD_OF_VIEW


def test_issues_are_the_worst_ones(monkeypatch, save, tmp_path, capsys):
    cubes(D=(0.5, 0.5, 0.5))
    monkeypatch.setattr(bcf, "MOST_TOPICS", 2)
    assert run("detect", save(), "--bcf", tmp_path / "r.bcf") == 1
    assert len(topics_of(tmp_path / "r.bcf")) == 2
    assert "The BCF file has the worst 2 pairs; 1 more is in JSON and CSV files." in capsys.readouterr().out


def test_what_a_page_leaves_out_is_said(monkeypatch, save, tmp_path, capsys):
    cubes(D=(0.5, 0.5, 0.5))
    monkeypatch.setattr(saving, "MOST_LISTED", 1)
    assert run("detect", save(), "--html", tmp_path / "r.html") == 1
    assert "The HTML file has the worst pair; 3 more are in JSON and CSV files." in capsys.readouterr().out


def test_snapshots_are_in_the_archive():
    cubes()
    report = api.detect()
    [row], more = issues_of(report)
    made = io.BytesIO()
    assert len(list(bcf_steps(report, made, seen_of(report, {row: b"PNG"}), date_of_scene()))) == 1
    with zipfile.ZipFile(made) as archive:
        [name] = [each for each in archive.namelist() if each.endswith("snapshot.png")]
        markup = archive.read(name.replace("snapshot.png", "markup.bcf"))
        assert archive.read(name) == b"PNG" and more == 0
    assert ElementTree.fromstring(markup).findtext("Viewpoints/Snapshot") == "snapshot.png"


def test_the_date_is_that_of_the_scene(save, tmp_path, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    cubes()
    scene = save()
    os.utime(scene, (1.6e9, 1.6e9))
    for name in ("1.bcf", "2.bcf"):
        assert run("detect", scene, "--bcf", tmp_path / name) == 1
    assert (tmp_path / "1.bcf").read_bytes() == (tmp_path / "2.bcf").read_bytes()
    _, markup, _ = topics_of(tmp_path / "1.bcf")["A × B"]
    assert markup.findtext("Topic/CreationDate") == "2020-09-13T12:26:40+00:00"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert date_of_scene().isoformat() == "2023-11-14T22:13:20+00:00"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    assert date_of_scene().timestamp() == 1.6e9


def test_reports_of_an_animation(save, tmp_path):
    cubes()
    ball = add_cube("Ball", (20, 0, 0))
    for frame, x in ((1, 20), (5, 0.5), (9, 20)):
        ball.location.x = x
        ball.keyframe_insert("location", frame=frame)
    scene, paths = save(), [tmp_path / f"r.{ending}" for ending in ("html", "xml", "bcf")]
    words = [word for pair in zip(("--html", "--junit", "--bcf"), paths) for word in pair]
    assert run("animation", scene, "--frames", "1:9", *words) == 1
    page = page_of(paths[0])
    assert [tag for tag, _ in page.tags].count("svg") == len(api.check_animation((1, 9)).pairs)
    assert "frames 1-9" in " ".join(page.text)
    said, found = junit_of(paths[1])
    assert said == 1 and found["A × Ball"] == "failure"
    assert "Frames 5." in topics_of(paths[2])["A × Ball"][1].findtext("Topic/Description")


def test_the_ending_says_of_which_kind_a_report_is(tmp_path):
    cubes()
    report = api.detect()
    beginnings = {".json": b"{", ".csv": b"a,b,", ".html": b"<!DOCTYPE", ".HTM": b"<!DOCTYPE", ".xml": b"<?xml",
                  ".bcf": b"PK", ".bcfzip": b"PK"}
    for ending, begins in beginnings.items():
        assert api.save_report(report, tmp_path / f"r{ending}").read_bytes().startswith(begins)
    with pytest.raises(Refused, match="ends in .json, .csv"):
        api.save_report(report, tmp_path / "r.txt")
    assert not (tmp_path / "r.txt").exists()
