# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint compare`: its table, its files and its exit codes."""
import json
import re
from dataclasses import replace

import jsonschema
import pytest
from animation_building import passing
from command_line import ROOT, refused, run
from scene_building import add_cube
from touchpoint.core import methods

SCHEMA = json.loads((ROOT / "docs" / "comparison.schema.json").read_text(encoding="utf-8"))


def test_compare_prints_a_table_and_writes_files(crossing, tmp_path, capsys):
    target = tmp_path / "c.json"
    assert run("compare", crossing, "--methods", "exact,touchpoint", "--repeats", 2, "--json", target) == 0
    data = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    assert (data["scene"], data["frame"], data["repeats"]) == ("scene.blend", 1, 2)
    assert (data["objects"], data["triangles"], data["pairs"]) == (4, 48, 2)
    assert [each["id"] for each in data["methods"]] == ["touchpoint", "exact"]
    printed = capsys.readouterr().out
    assert "4 objects with 48 triangles, 2 pairs that are not clear" in printed
    assert "Exact Reference: The same answer as the exact one: 2 pairs." in printed
    title = next(line.split() for line in printed.splitlines() if line.startswith("method"))
    assert title[:4] == ["method", "first", "again", "median"] and "memory" in title


def test_compare_runs_what_promises_the_exact_answer(crossing, tmp_path):
    target = tmp_path / "c.json"
    assert run("compare", crossing, "--repeats", 1, "--json", target) == 0
    found = [each["id"] for each in json.loads(target.read_text(encoding="utf-8"))["methods"]]
    assert found == ["touchpoint", "hybrid", "parallel", "particle", "rapid", "tsgo"]


@pytest.fixture
def rapid_with(monkeypatch):
    """Changes fields of the method `rapid`."""
    load = methods.load

    def change(**fields):
        changed = replace(load("rapid"), options=(), **fields)
        monkeypatch.setattr(methods, "load", lambda name: changed if name == "rapid" else load(name))

    return change


def test_a_method_that_breaks_its_promise_gives_1(crossing, capsys, rapid_with):
    default = methods.load("touchpoint")

    def forget(objects, selection, run):
        a, b = default.broad_phase(objects, selection, run)
        return a[1:], b[1:]

    rapid_with(prepare=default.prepare, broad_phase=forget, contacts=default.contacts, verdicts=default.verdicts)
    assert run("compare", crossing, "--methods", "rapid", "--repeats", 1) == 1
    printed = capsys.readouterr().out
    assert "  missed: A × B (crossing in the exact answer, clear here)" in printed
    assert "not exact, although promised: RAPID." in printed


def test_compare_leaves_what_cannot_be_done_to_its_row(crossing, capsys, rapid_with):
    rapid_with(clearances=None)
    assert run("compare", crossing, "--methods", "touchpoint,rapid", "--clearance", "0.1", "--repeats", 1) == 0
    printed = capsys.readouterr().out
    assert "RAPID: The method RAPID cannot measure clearances." in printed
    assert "2 pairs that are not clear, clearance 0.1 m\n" in printed
    assert "cannot measure" in refused(capsys, "compare", crossing, "--methods", "rapid", "--clearance", "0.1")


@pytest.mark.parametrize("arguments, words", [
    (("--methods", "magic"), "The methods are: touchpoint"),
    (("--methods", ""), "The methods are: touchpoint"),
    (("--methods", "touchpoint:size=1"), "has no option 'size'"),
    (("--methods", "touchpoint:size"), "name=value"),
    (("--option", "size=1"), "METHOD.name=value"),
    (("--methods", "touchpoint", "--option", "exact.size=1"), "exact, which is not compared"),
    (("--repeats", "0"), "not a number of runs"),
    (("--reference", "magic"), "The methods are: touchpoint"),
    (("--reference", "hull_points"), "is not exact"),
    (("--a", "Cars"), "--a and --b belong together"),
])
def test_comparisons_that_make_no_sense(arguments, words, crossing, capsys):
    assert words in refused(capsys, "compare", crossing, "--repeats", 1, *arguments)


def test_a_page_with_plots(crossing, tmp_path, capsys):
    pytest.importorskip("matplotlib"), pytest.importorskip("jinja2")
    add_cube("<b>&")
    target = tmp_path / "c.html"
    assert run("compare", crossing, "--methods", "touchpoint,hull_points", "--repeats", 1, "--html", target) == 0
    page = target.read_text(encoding="utf-8")
    assert page.count("<svg") == 4 and page.startswith("<!DOCTYPE html>")
    assert "Hulls of Points" in page and "Testing triangles" in page and "A × B" in page
    # It opens without a network: nothing is fetched.
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)|@import|url\((?!#)""", page)


def test_a_page_needs_its_packages(crossing, tmp_path, capsys, monkeypatch):
    import importlib.util

    find, missing = importlib.util.find_spec, ("matplotlib", "jinja2")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in missing else find(name))
    said = refused(capsys, "compare", crossing, "--html", tmp_path / "c.html")
    assert "matplotlib and jinja2, which are not installed here" in said and "touchpoint[compare]" in said
    assert not (tmp_path / "c.html").exists()


def test_over_frames(save, tmp_path, capsys):
    target = tmp_path / "c.json"
    passing()
    film = save()
    assert run("compare", film, "--frames", "4:6", "--methods", "touchpoint,certified", "--repeats", 1,
               "--json", target) == 0
    data = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    assert data["frames"] == {"start": 4, "end": 6, "count": 3}
    assert "scene.blend, frames 4-6: 3 objects" in capsys.readouterr().out
    assert "not allowed with" in refused(capsys, "compare", film, "--frames", "4:6", "--frame", "4")
