# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m touchpoint …` as a process of its own: the exit code that a build server sees, and terminals."""
import json
import os
import subprocess
import sys
from pathlib import Path

import bpy
import pytest
from scene_building import add_cube

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def package(tmp_path):
    """A folder that holds this checkout under the name `touchpoint`, whatever the checkout's own folder is called."""
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "touchpoint").symlink_to(ROOT, target_is_directory=True)
    return folder


@pytest.fixture
def scene(tmp_path):
    add_cube("Würfel")
    add_cube("木", (1, 0.25, 0.5))
    path = tmp_path / "scène.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def call(package, *arguments, **environment):
    return subprocess.run([sys.executable, "-m", "touchpoint", *map(str, arguments)], capture_output=True, timeout=300,
                          env={**os.environ, "PYTHONPATH": str(package), **environment})


def test_exit_codes(package, scene, tmp_path):
    target = tmp_path / "report.json"
    ended = call(package, "detect", scene, "--json", target, "--save-as", tmp_path / "copy.blend")
    assert ended.returncode == 1, ended.stderr
    assert "crossing     Würfel × 木" in ended.stdout.decode()
    assert json.loads(target.read_text(encoding="utf-8"))["scene"] == "scène.blend"
    assert (tmp_path / "copy.blend").exists()
    assert call(package, "detect", scene, "--fail-on", "none").returncode == 0
    assert call(package, "detect", tmp_path / "missing.blend").returncode == 3
    assert call(package, "detect", "--bogus").returncode == 3
    assert call(package, "--help").returncode == 0


def test_a_terminal_without_letters_for_a_name(package, scene):
    ended = call(package, "detect", scene, PYTHONIOENCODING="ascii")
    assert ended.returncode == 1, ended.stderr
    assert b"W\\xfcrfel \\xd7 \\u6728" in ended.stdout


def test_python_in_a_file_is_not_run_and_said_so(package, scene):
    driver = bpy.data.objects["木"].driver_add("location", 0).driver
    driver.expression = "len(str(__import__('os')))"
    bpy.ops.wm.save_as_mainfile(filepath=str(scene))
    ended = call(package, "detect", scene)
    assert ended.returncode == 1, ended.stderr
    assert "Blender did not run the Python in this file" in ended.stdout.decode()
    driver.expression = "1"     # Blender as a module hangs at its end after a driver that it refused
    bpy.context.view_layer.update()


def test_without_bpy(package, scene):
    def ended(*arguments):
        code = ("import sys; sys.modules['bpy'] = None; from touchpoint.addon.cli import main; "
                f"sys.exit(main({[str(each) for each in arguments]!r}))")
        return subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=300,
                              env={**os.environ, "PYTHONPATH": str(package)})

    detect = ended("detect", scene)
    assert detect.returncode == 3
    assert detect.stderr.decode().startswith("touchpoint: error: Scenes are read by bpy")
    assert ended("version").returncode == 0
    assert ended("methods").stdout.decode().startswith("touchpoint: ")
