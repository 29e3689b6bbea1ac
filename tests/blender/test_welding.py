# SPDX-License-Identifier: GPL-3.0-or-later
"""The weld distance in Blender: in scripts, in the sidebar, in kept tests, on the command line and in Why?"""
import bpy
import pytest
from command_line import detect, refused, run
from scene_building import add, add_cube, mesh_of
from touchpoint.addon import api
from touchpoint.addon.named_tests.named_test import NamedTest
from touchpoint.addon.run import DetectRun
from touchpoint.core import Refused

HALF, APART = 2.0, 0.005        # of a crate: its boards end so far from its edges, 7 mm from each other


def boards():
    """(vertices, faces) of six squares that face outward."""
    vertices = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))[::int(side)]:
                corner = [0.0, 0.0, 0.0]
                corner[axis] = side * HALF
                corner[(axis + 1) % 3], corner[(axis + 2) % 3] = u * (HALF - APART), v * (HALF - APART)
                vertices.append(corner)
    return vertices, [tuple(range(4 * k, 4 * k + 4)) for k in range(6)]


@pytest.fixture
def crate(empty_file):
    """A cube in a crate of boards that share no vertices."""
    add("Crate", mesh_of("Crate", *boards()))
    add_cube("Inner", (0.1, 0.2, 0.3), size=1.0)


def judged(report):
    return [report.verdict(row) for row in range(len(report.pairs))]


def test_scripts(crate):
    assert judged(api.detect()) == ["cannot tell"]
    report = api.detect(weld=0.01)
    assert judged(report) == judged(api.detect_in(api.read_scene(), weld=0.01)) == ["contained"]
    assert "1 object counts as closed, by the weld distance." in report.notes
    assert judged(api.detect(weld=0.006)) == ["cannot tell"]
    with pytest.raises(Refused, match="weld distance"):
        api.detect(weld=-1.0)


def test_the_sidebar_and_kept_tests(crate, registered):
    settings = bpy.context.scene.touchpoint
    settings.weld = 0.01
    assert DetectRun.of_settings(bpy.context)._how["weld"] == 0.01      # as it was typed
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert [pair.verdict for pair in settings.result.pairs] == ["contained"]
    assert bpy.ops.touchpoint.add_test() == {"FINISHED"}
    settings.weld = 0.0
    assert NamedTest.of(settings.tests[0], []).how["weld"] == 0.01
    assert bpy.ops.touchpoint.run_tests() == {"FINISHED"} and settings.tests[0].code == 1
    bpy.ops.touchpoint.use_test()
    assert DetectRun.of_settings(bpy.context)._how["weld"] == 0.01


def test_the_command_line(crate, save, tmp_path, capsys):
    bpy.context.scene.unit_settings.scale_length = 0.1
    scene = save()
    assert [pair["verdict"] for pair in detect(scene, tmp_path, code=2)["pairs"]] == ["cannot tell"]
    data = detect(scene, tmp_path, "--weld", "0.001", code=1)
    assert [pair["verdict"] for pair in data["pairs"]] == ["contained"] and data["settings"]["weld"] == 0.001
    assert "weld" in refused(capsys, "detect", scene, "--weld", "-1")
    for weld, verdict in (("0", "cannot tell"), ("0.001", "contained")):
        capsys.readouterr()
        assert run("why", scene, "--a", "Crate", "--b", "Inner", "--weld", weld) == 0
        assert verdict in capsys.readouterr().out
