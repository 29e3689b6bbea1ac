# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m touchpoint …` as a process of its own: the exit code that a build server sees, and terminals."""
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import bpy
import pytest
from command_process import EXPECTED, STREAMS, exit_code, start
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
    target = scene.with_name("report.json")
    ended = call(package, "detect", scene, "--json", target)
    assert ended.returncode == 1, ended.stderr
    assert "Blender did not run the Python in this file" in ended.stdout.decode()
    assert json.loads(target.read_text(encoding="utf-8"))["notes"][0].startswith("Blender did not run the Python")
    assert call(package, "detect", scene, "--fail-on", "near").returncode == 2
    assert "Note: Blender did not run" in call(package, "compare", scene, "--repeats", 1).stdout.decode()
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


@pytest.mark.parametrize("streams", STREAMS)
def test_streams_that_fail_take_no_answer_away(streams, scene, tmp_path):
    target = tmp_path / "report.json"
    clear = exit_code(tmp_path, streams, "detect", scene, "--fail-on", "none", "--json", target)
    assert clear == EXPECTED[streams]
    data = json.loads(target.read_text(encoding="utf-8"))
    assert [pair["verdict"] for pair in data["pairs"]] == ["crossing"]
    found = exit_code(tmp_path, streams, "detect", scene)
    assert found == (EXPECTED[streams] or 1)


def test_one_file_that_cannot_be_written_leaves_all_as_they_were(package, scene, tmp_path):
    (tmp_path / "a.json").write_text("old")
    (tmp_path / "a.blend").write_text("old")
    ended = call(package, "detect", scene, "--json", tmp_path / "a.json", "--csv", "/dev/full",
                 "--save-as", tmp_path / "a.blend")
    assert ended.returncode == 3 and b"No space left on device: /dev/full" in ended.stderr
    assert b"Wrote" not in ended.stdout
    assert (tmp_path / "a.json").read_text() == (tmp_path / "a.blend").read_text() == "old"


def test_a_copy_replaces_another_without_a_trace(package, scene, tmp_path):
    """The module has no preferences of the user, so nobody has asked for .blend1."""
    before = sorted(path.name for path in tmp_path.iterdir())
    for _ in range(2):
        assert call(package, "detect", scene, "--save-as", tmp_path / "a.blend").returncode == 1
        (tmp_path / "a.blend").chmod(0o600)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["a.blend", *before])
    assert (tmp_path / "a.blend").stat().st_mode & 0o777 == 0o600
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    assert "Würfel" in bpy.data.objects


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_while_blender_starts_and_works(number, scene, tmp_path):
    for moment in range(10):
        target = tmp_path / f"{moment}.json"
        process = start(tmp_path, "detect", scene, "--json", target, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        time.sleep(0.15 * (1 + moment))
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode == -number or process.returncode == 1 and json.loads(target.read_text())
