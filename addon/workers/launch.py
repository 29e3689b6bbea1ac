# SPDX-License-Identifier: GPL-3.0-or-later
"""How a worker is started: by the same Python."""
import subprocess
import sys
from pathlib import Path

import bpy

ROOT_PACKAGE = __package__.removesuffix(".addon.workers")
ROOT_FOLDER = Path(__file__).resolve().parents[2]
# Found as this package was, whatever it is called and wherever it lies; nothing is imported from the current folder.
CODE = """import sys
sys.path[:] = {path!r}
import importlib.util
spec = importlib.util.spec_from_file_location({name!r}, {file!r}, submodule_search_locations=[{folder!r}])
module = sys.modules[{name!r}] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from {name}.addon.workers.child import main
main()
"""


def start() -> subprocess.Popen:
    """A new worker, whose standard input and output are pipes. It ends when these are closed, as they are when this
    process ends. An interrupt from the terminal is for this process alone."""
    return subprocess.Popen(_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


def _command() -> list[str]:
    # Blender adds folders of its own, in one of which there is another bpy, which is a part of Blender's.
    path = [each for each in sys.path if not any(Path(each).is_relative_to(own) for own in bpy.utils.script_paths())]
    code = CODE.format(path=path, name=ROOT_PACKAGE, file=str(ROOT_FOLDER / "__init__.py"), folder=str(ROOT_FOLDER))
    return [sys.executable, "-I", "-c", code]
