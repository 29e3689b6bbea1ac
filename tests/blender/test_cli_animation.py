# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint animation`: exit codes, what is printed, files."""
import json

import bpy
import jsonschema
import pytest
from animation_building import passing
from command_line import SCHEMA, refused, run
from scene_building import add_cube
from touchpoint.addon.cli import output


@pytest.fixture
def film(save):
    """A saved file: `passing`."""
    passing()
    return save()


def animation(scene, tmp_path, *arguments, code):
    """Run `animation`, expect this exit code, return the JSON."""
    target = tmp_path / "report.json"
    assert run("animation", scene, "--json", target, *arguments) == code
    data = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    return data


def test_the_report(film, tmp_path, capsys):
    csv = tmp_path / "report.csv"
    data = animation(film, tmp_path, "--csv", csv, code=1)
    assert data["frames"] == {"start": 1, "end": 20, "count": 20}
    pair, = data["pairs"]
    assert (pair["a"], pair["b"], pair["intervals"], pair["first_contact"]) == ("A", "B", [[5, 15]], 5)
    assert 5 <= pair["worst_frame"] <= 15 and pair["depth"] > 0.5
    printed = capsys.readouterr().out
    assert "scene.blend, frames 1-20\n" in printed and "1 pair collides.\n" in printed
    assert "A × B  5-15, first 5, worst " in printed
    head, line = csv.read_text(encoding="utf-8").splitlines()
    assert "intervals" in head and "5" in line
    again = tmp_path / "again.json"
    assert run("animation", film, "--json", again) == 1
    assert again.read_bytes() == (tmp_path / "report.json").read_bytes()


def test_a_method_that_needs_an_interval(film, tmp_path, capsys):
    by_method = animation(film, tmp_path, "--method", "certified", code=1)
    pairs = animation(film, tmp_path, "--continuous", code=1)["pairs"]
    assert by_method["method"] == "certified" and by_method["pairs"] == pairs and by_method["continuous"]
    assert "needs objects that move during an interval" in refused(capsys, "detect", film, "--method", "certified")


def test_the_first_contact_of_a_pair_that_was_near_before(film, tmp_path, capsys):
    data = animation(film, tmp_path, "--clearance", "0.6", "--continuous", code=1)
    pair, = data["pairs"]
    assert pair["intervals"][0][0] < pair["first_contact"] - 0.3
    assert f", first {pair['first_contact']:.2f}".rstrip("0").rstrip(".") + ", worst " in capsys.readouterr().out


def test_which_frames(film, tmp_path):
    assert animation(film, tmp_path, "--frames", "16:20", code=0)["pairs"] == []
    data = animation(film, tmp_path, "--frames", "4:6", "--step", "0.5", code=1)
    assert data["frames"]["count"] == 5 and data["pairs"][0]["intervals"] == [[5, 6]]
    assert animation(film, tmp_path, "--frames=-5:1", code=0)["frames"] == {"start": -5, "end": 1, "count": 7}
    assert animation(film, tmp_path, "--step", "7", code=1)["pairs"][0]["intervals"] == [[8, 15]]


def test_between_frames(film, tmp_path):
    """First contact is where it is, not the next frame."""
    data = animation(film, tmp_path, "--frames", "1:7", "--step", "3", "--continuous", code=1)
    assert data["frames"]["count"] == 3 and data["continuous"]["tolerance"] < 1e-6
    (start, end), = data["pairs"][0]["intervals"]
    assert start == pytest.approx(5, abs=1e-4) and end == 7
    assert animation(film, tmp_path, "--frames", "1:7", code=1)["continuous"] is None


def test_exit_codes(film, tmp_path, capsys):
    animation(film, tmp_path, "--fail-on", "none", code=0)
    animation(film, tmp_path, "--frames", "1:4", "--clearance", "0.6", code=1)
    assert "FIRST:LAST" in refused(capsys, "animation", film, "--frames", "12")
    assert "not a number" in refused(capsys, "animation", film, "--frames", "1:x")
    assert "no frame from 9 to 3" in refused(capsys, "animation", film, "--frames", "9:3")
    assert "more than 0" in refused(capsys, "animation", film, "--step", "0")
    assert "no file" in refused(capsys, "animation", tmp_path / "missing.blend")
    refused(capsys, "animation", film, "--frame", "3")


def test_nothing_to_test(save, capsys):
    add_cube("A")
    assert "only one object" in refused(capsys, "animation", save(), "--frames", "1:3")


def test_a_copy_with_the_results(film, tmp_path, registered):
    before = film.read_bytes()
    copy = tmp_path / "copy.blend"
    animation(film, tmp_path, "--save-as", copy, code=1)
    assert film.read_bytes() == before
    bpy.ops.wm.open_mainfile(filepath=str(copy))
    scene = bpy.context.scene
    assert scene.frame_current == 3 and scene.touchpoint.result.pairs[0].when.startswith("5-15")
    assert [each.name for each in scene.timeline_markers] == ["Touchpoint A × B"]
    scene.frame_set(10)
    assert bpy.data.objects["A"].color[1] < 0.5


class Terminal:
    """A stream that says whether somebody looks at it."""

    closed = False

    def __init__(self, somebody):
        self.text, self._somebody = "", somebody

    def isatty(self):
        return self._somebody

    def write(self, text):
        self.text += text

    def flush(self):
        pass


@pytest.mark.parametrize("somebody", [True, False])
def test_how_far_it_is(film, monkeypatch, somebody):
    """Only where somebody looks, and gone at the end."""
    terminal = Terminal(somebody)
    monkeypatch.setattr(output.sys, "stderr", terminal)
    assert run("animation", film) == 1
    if not somebody:
        assert terminal.text == ""
    else:
        said = [line.strip() for line in terminal.text.split("\r") if line.strip()]
        assert said[0] == "Checking frames 0%" and said[-1] == "Checking frames 95%" and len(said) == 20
        assert terminal.text.endswith("\r") and terminal.text.split("\r")[-2].strip() == ""
