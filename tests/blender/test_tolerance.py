# SPDX-License-Identifier: GPL-3.0-or-later
"""The tolerance in Blender: automatic unless something else is asked for, in scripts, the sidebar and on the command
line; what the panel and the summary say of it."""
import csv

import bpy
import numpy as np
import pytest
from command_line import detect, refused, run
from scene_building import add_cube
from touchpoint.addon import api, phrases, session
from touchpoint.addon.run import DetectRun
from touchpoint.addon.tolerance_properties import tolerance_of
from touchpoint.core import Refused, Unsupported
from touchpoint.core.declarations import declaration

FLUSH = ("Below", "Above")


@pytest.fixture
def parts(empty_file):
    """Two cubes that rounding lets cross, one that it parts from the second, one 1 mm deep in the third, one inside
    the fourth."""
    add_cube("Below", (7.1, -3.3, 5.3))
    add_cube("Above", (7.15, -3.4, 7.2999997))
    add_cube("Top", (7.2, -3.45, 9.300001))
    add_cube("Clash", (7.25, -3.5, 11.299))
    add_cube("Inner", (7.25, -3.5, 11.299), size=1.0)


def judged(report):
    return {(report.name(pair["a"]), report.name(pair["b"])): report.verdict(row)
            for row, pair in enumerate(report.pairs)}


EXACT = {("Above", "Below"): "crossing", ("Clash", "Top"): "crossing", ("Clash", "Inner"): "contained"}
AUTOMATIC = {**EXACT, ("Above", "Below"): "touching", ("Above", "Top"): "touching"}
LOOSE = {**AUTOMATIC, ("Clash", "Top"): "touching"}


def test_scripts_have_the_automatic_tolerance(parts):
    assert judged(api.detect(tolerance=0.0)) == EXACT
    report = api.detect()
    assert judged(report) == judged(api.detect_in(api.read_scene())) == AUTOMATIC
    assert report.settings["tolerance"] == "auto" and 1e-7 < report.settings["tolerance_at_most"] < 1e-4
    assert sorted(report.pairs["exact"].tolist()) == [0, 3, 5, 5]
    assert judged(api.detect(tolerance=0.002)) == LOOSE
    for wrong in (-1.0, "many", float("nan")):
        with pytest.raises(Refused, match="tolerance"):
            api.detect(tolerance=wrong)
    with pytest.raises(Unsupported, match="tolerance"):
        api.detect(tolerance=0.002, method="tsgo")
    assert judged(api.detect(method="tsgo")) == EXACT


def test_the_sidebar_asks_for_what_its_settings_say(parts, registered):
    settings = bpy.context.scene.touchpoint
    assert tolerance_of(settings) == "auto"
    for kind, expected, sentence in (
            ("AUTOMATIC", AUTOMATIC, "Automatic tolerance up to "),
            ("LENGTH", LOOSE, "Tolerance: 2 mm"), ("EXACT", EXACT, "Exact verdicts, without a tolerance")):
        settings.tolerance_kind, settings.tolerance = kind, 0.002
        assert bpy.ops.touchpoint.detect() == {"FINISHED"}
        found = {tuple(sorted((pair.object_a, pair.object_b))): pair.verdict for pair in settings.result.pairs}
        assert found == expected
        assert settings.result.tolerance.startswith(sentence)
    settings.tolerance_kind = "LENGTH"
    assert tolerance_of(settings) == 0.002      # as it was typed, not as single precision keeps it
    assert DetectRun.of_settings(bpy.context)._how["tolerance"] == 0.002
    settings.method = "tsgo"
    assert bpy.ops.touchpoint.detect() == {"CANCELLED"}
    assert "cannot judge with a tolerance: it measures no depths" in session.message()


def test_the_list_is_ordered_by_depth_and_says_how_deep(parts, registered):
    settings = bpy.context.scene.touchpoint
    deep = add_cube("Deep", (7.25, -3.4, 12.9), size=1.5)       # 0.1 to 0.2 in Clash, with fewer contacts than some
    settings.empties = 0
    bpy.ops.touchpoint.detect()
    rows = [(pair.verdict, {pair.object_a, pair.object_b}, pair.figure, pair.line) for pair in settings.result.pairs]
    assert [row[0] for row in rows] == ["crossing", "crossing", "contained", "touching", "touching"]
    assert rows[0][1] == {"Clash", deep.name} and rows[1][1] == {"Clash", "Top"}
    assert rows[1][2] == "1 mm" and ", 1.001 mm deep" in rows[1][3]
    touching = {frozenset(row[1]): row for row in rows[3:]}
    assert touching[frozenset(FLUSH)][3].endswith("contacts at 1 place; crossing without the tolerance")
    assert touching[frozenset(FLUSH)][2] == ""
    parted = touching[frozenset(("Above", "Top"))]
    assert parted[2].endswith("µm") and parted[3].endswith("apart; clear without the tolerance")


def test_the_command_line(parts, save, tmp_path, capsys):
    bpy.context.scene.unit_settings.scale_length = 0.5
    scene = save()
    table = tmp_path / "report.csv"
    for asked, expected, deepest in (((), AUTOMATIC, "crossing"), (("--tolerance", "auto"), AUTOMATIC, "crossing"),
                                     (("--tolerance", "0"), EXACT, "crossing"),
                                     (("--tolerance", "0.001"), LOOSE, "contained")):
        capsys.readouterr()
        data = detect(scene, tmp_path, *asked, "--csv", table, code=1)
        assert {(pair["a"], pair["b"]): pair["verdict"] for pair in data["pairs"]} == expected
        printed = capsys.readouterr().out
        assert printed.splitlines()[1].split()[0] == deepest
        assert ("exact" in data["pairs"][0]) == ("tolerance" in data["settings"]) == (expected != EXACT)
        rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
        assert [row["verdict"] for row in rows] == [pair["verdict"] for pair in data["pairs"]]
    assert data["settings"]["tolerance"] == 0.001 and data["pairs"][0]["tolerance"] == 0.001
    assert "Tolerance: 1 mm." in printed or "Tolerance: 0.001 m." in printed
    assert run("detect", scene, "--tolerance", "0.001", "--fail-on", "crossing") == 0
    assert run("detect", scene, "--tolerance", "0", "--fail-on", "crossing") == 1
    assert "resolve" not in capsys.readouterr().out


@pytest.mark.parametrize("wrong", ["-1", "nan", "inf", "much", ""])
def test_what_is_no_tolerance_is_refused(parts, save, capsys, wrong):
    assert refused(capsys, "detect", save(), f"--tolerance={wrong}")


def test_a_method_without_depths_says_that_it_is_exact(parts, save, tmp_path, capsys):
    data = detect(save(), tmp_path, "--method", "tsgo", code=1)
    title = declaration("tsgo").title
    assert f"Verdicts are exact, without a tolerance: the method {title} measures no depths." in data["notes"]
    assert capsys.readouterr().out.count("without a tolerance") == 1
    assert {(pair["a"], pair["b"]): pair["verdict"] for pair in data["pairs"]} == EXACT
    assert "measures no depths" in refused(capsys, "detect", bpy.data.filepath, "--method", "tsgo", "--tolerance", "1")


def test_a_pair_within_the_tolerance_is_framed_where_its_gap_is(parts):
    report = api.detect()
    row = next(row for row, pair in enumerate(report.pairs) if report.is_apart(row))
    assert report.verdict(row) == "touching" and np.isfinite(report.pairs["gap_points"][row]).all()
    from touchpoint.addon.write_back.framing import Bounds, view_of_pair

    view = view_of_pair(Bounds(report.source.boxes), report, row)
    assert np.linalg.norm(view.centre - report.pairs["gap_points"][row].mean(axis=0)) < 2.0


def test_lengths_are_said_in_the_unit_that_fits():
    said = [phrases.length(metres) for metres in (0.0, 12.34567, 0.001, 9.5e-4, 4e-6, 1e-6, 4.768e-7, 1e-12)]
    assert said == ["0 m", "12.35 m", "0.001 m", "0.95 mm", "0.004 mm", "0.001 mm", "0.4768 µm", "1e-06 µm"]
