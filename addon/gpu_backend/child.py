# SPDX-License-Identifier: GPL-3.0-or-later
"""A child process that brings the GPU up first: in background mode a missing driver ends the process that tries."""
import json
import subprocess
import sys
from pathlib import Path

import bpy

from ..root import ROOT_FOLDER

SECONDS = 120.0     # a software driver compiles its first shaders for seconds
MARK = "touchpoint gpu: "
PROBE_CODE = """import sys, importlib.util
import bpy
spec = importlib.util.spec_from_file_location("touchpoint", {file!r}, submodule_search_locations=[{folder!r}])
module = sys.modules["touchpoint"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from touchpoint.addon.gpu_backend.probe import tell
tell()
"""


def reason_of_child() -> str:
    """Why a child process cannot use the GPU, "" where it can."""
    try:
        ended = subprocess.run(_command(), capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"a process that tried it was not done after {SECONDS:g} seconds"
    except OSError as error:
        return f"no process could be started to try it: {error}"
    for line in ended.stdout.splitlines():
        if line.startswith(MARK):
            return json.loads(line.removeprefix(MARK))
    return "there is no graphics driver that Blender can use in background mode"


def _command() -> list[str]:
    code = PROBE_CODE.format(file=str(ROOT_FOLDER / "__init__.py"), folder=str(ROOT_FOLDER))
    if not bpy.app.binary_path:     # bpy is a module
        # Blender adds folders of its own, in one of which there is another bpy, which is a part of Blender's.
        own = bpy.utils.script_paths()
        path = [each for each in sys.path if not any(Path(each).is_relative_to(folder) for folder in own)]
        return [sys.executable, "-I", "-c", f"import sys\nsys.path[:] = {path!r}\n{code}"]
    return [bpy.app.binary_path, "--background", "--factory-startup", *_gpu_choice(), "--python-expr", code]


def _gpu_choice() -> list[str]:
    """The backend that this Blender was started with."""
    for number, each in enumerate(sys.argv[:-1]):
        if each == "--gpu-backend":
            return [each, sys.argv[number + 1]]
    return []
