# SPDX-License-Identifier: GPL-3.0-or-later
"""The same of `touchpoint detect`, which has Blender in its process: the code is the answer's, and the report is whole
or the old one."""
import json
import signal
import subprocess
import time

import bpy
from command_process import STREAMS, exit_code
from command_process import start as started
from scene_building import add_cube

from . import Drill, picked

OLD = '{"old": 1}'


def saved(random, folder) -> tuple:
    """(path of a scene, its exit code): two cubes that cross, or are far apart."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    crossing = bool(random.integers(2))
    add_cube("A"), add_cube("Größe ::error::", (0.5 if crossing else 50.0, 0.25, 0.125))
    path = folder / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    (folder / "report.json").write_text(OLD)
    return path, int(crossing)


def broken_streams(random, folder):
    """The answer's code with a new report; 3 with the report as it may be, where the answer could not be printed."""
    path, code = saved(random, folder)
    streams = picked(random, list(STREAMS))
    expected = 3 if streams == "stdout full" else code
    found = exit_code(folder, streams, "detect", path, "--json", folder / "report.json")
    assert found == expected, (streams, found)
    data = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert expected == 3 or data["summary"]["crossing"] == code


def signals(random, folder):
    """Ended by the signal with the old report or the whole new one; or it was done, with its answer."""
    path, code = saved(random, folder)
    number = picked(random, (signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
    process = started(folder, "detect", path, "--json", folder / "report.json", stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE)
    time.sleep(float(random.uniform(0.5, 2.5)))
    process.send_signal(number)
    process.communicate(timeout=60)
    data = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    is_new = "summary" in data and data["summary"]["crossing"] == code
    assert is_new or data == json.loads(OLD)
    assert process.returncode == -number or (process.returncode == code and is_new), process.returncode


DRILLS = [
    Drill("exit codes", "`detect` whose streams are closed, full or read by nobody", broken_streams, 2),
    Drill("exit codes", "SIGINT, SIGTERM and SIGKILL at any moment of `detect`", signals, 2),
]
