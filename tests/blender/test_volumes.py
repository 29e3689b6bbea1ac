# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlap volumes from the command line and in the panel."""
import csv
import json

import bpy
import pytest
from command_line import detect, run
from scene_building import CUBE_FACES, add, add_cube, mesh_of
from touchpoint.addon.asked import changed_since
from touchpoint.addon.command_line import command_of

SHARED = 1.0 * 1.5 * 1.7      # of two cubes


def add_bodies():
    """Two cubes that overlap, and an open one that meets the first."""
    cube = add_cube("A").data
    add_cube("B", (1, 0.5, 0.3))
    add("Open", mesh_of("Open", [vertex.co for vertex in cube.vertices], CUBE_FACES[1:]), (-1.5, 0.5, 0.25))


def test_the_command_line_measures_in_cubic_metres(save, tmp_path, capsys):
    bpy.context.scene.unit_settings.scale_length = 0.1
    add_bodies()
    scene = save()
    found = {(pair["a"], pair["b"]): pair for pair in detect(scene, tmp_path, "--volume", code=1)["pairs"]}
    for name in ("volume", "volume_lower", "volume_upper"):
        assert found["A", "B"][name] == pytest.approx(SHARED * 1e-3, rel=1e-6)
        assert found["A", "Open"][name] is None
    assert "0.1 m deep, 0.00255 m³ shared" in capsys.readouterr().out
    assert not any("volume" in pair for pair in detect(scene, tmp_path, code=1)["pairs"])


def test_named_tests_can_measure_it(registered, save, tmp_path):
    """All reports of `--test` have it where it is asked for, and none else; a test that cannot be run has a line."""
    add_bodies()
    for name in ("Plain", "Broken"):
        bpy.context.scene.touchpoint.tests.add().name = name
    bpy.context.scene.touchpoint.tests["Broken"].frames = "nothing"
    scene = save()
    files = ["--json", tmp_path / "r.json", "--csv", tmp_path / "r.csv"]
    for asked in (["--volume"], []):
        assert run("detect", scene, "--test", "all", *files, *asked) == 3
        report, = (each["report"] for each in json.loads((tmp_path / "r.json").read_text())["reports"])
        found = {(pair["a"], pair["b"]): pair.get("volume") for pair in report["pairs"]}
        lines = list(csv.DictReader((tmp_path / "r.csv").open()))
        assert [each["test"] for each in lines] == ["Plain", "Plain", "Broken"]
        if asked:
            assert found["A", "B"] == pytest.approx(SHARED, rel=1e-6) and found["A", "Open"] is None
            assert sum(float(each["volume"] or 0.0) for each in lines) == pytest.approx(SHARED, rel=1e-5)
        else:
            assert not any(found.values()) and "volume" not in lines[0]


def test_the_panel_says_it_in_the_line(registered, tmp_path):
    add_bodies()
    settings = bpy.context.scene.touchpoint
    bpy.ops.touchpoint.detect()
    assert not any("shared" in row.line for row in settings.result.pairs)
    settings.volumes = True
    assert changed_since(settings.result, settings) == ["Overlap Volumes"]
    bpy.ops.touchpoint.detect()
    assert [", 2.55 m³ shared" in row.line for row in settings.result.pairs].count(True) == 1
    assert changed_since(settings.result, settings) == []
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert command_of(bpy.context.scene).endswith(" --volume")
    bpy.ops.touchpoint.check_animation()
    assert changed_since(settings.result, settings) == [] and "--volume" not in command_of(bpy.context.scene)
