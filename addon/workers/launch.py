# SPDX-License-Identifier: GPL-3.0-or-later
"""How a worker is started, by the same Python or the same Blender, and how it ended."""
import signal
import subprocess
import sys
from pathlib import Path

from ..root import ROOT_FOLDER, ROOT_PACKAGE

LAST_SECONDS = 5.0      # between the last word of a process and its end
# Found as this package was, whatever it is called and wherever it lies; nothing is imported from the current folder.
WORKER_CODE = """import sys
sys.path[:] = {path!r}
import importlib.util
spec = importlib.util.spec_from_file_location({name!r}, {file!r}, submodule_search_locations=[{folder!r}])
module = sys.modules[{name!r}] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from {name}.addon.workers.child import main
main()
"""
# In Blender, where the extension is enabled for this user, as `blender -c touchpoint` needs it.
BLENDER_CODE = "from {name}.addon.workers.child import main; main()"


def start() -> subprocess.Popen:
    """A new worker, whose standard input and output are pipes. It ends when these are closed, as they are when this
    process ends. An interrupt from the terminal is for this process alone."""
    return subprocess.Popen(_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


def how_it_ended(process: subprocess.Popen) -> str:
    """How a worker ended, which it has or is about to: `by SIGKILL`, `with code 3`."""
    try:
        code = process.wait(LAST_SECONDS)
    except subprocess.TimeoutExpired:
        return "without an answer"
    if code >= 0:
        return f"with code {code}"
    try:
        return f"by {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"


def _command() -> list[str]:
    bpy = sys.modules.get("bpy")
    if bpy and bpy.app.binary_path:
        return [bpy.app.binary_path, "--background", "--python-exit-code", "1", "--python-expr",
                BLENDER_CODE.format(name=ROOT_PACKAGE)]
    # Blender adds folders of its own, in one of which there is another bpy, which is a part of Blender's.
    added = bpy.utils.script_paths() if bpy else []
    path = [each for each in sys.path if not any(Path(each).is_relative_to(own) for own in added)]
    code = WORKER_CODE.format(path=path, name=ROOT_PACKAGE, file=str(ROOT_FOLDER / "__init__.py"),
                              folder=str(ROOT_FOLDER))
    return [sys.executable, "-I", "-c", code]
