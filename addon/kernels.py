# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled part of Touchpoint inside Blender: is numba there, where machine code is kept, and compiling ahead.

`prepare()` comes before the first use of the core's kernels, wherever they are used. `make_ready()` is called when the
add-on is enabled: a thread loads the kernels, so that the first click finds them ready. Where neither the extension
brought their machine code nor an earlier session left it, a process of its own compiles it first: in a thread of
Blender that would make the whole window stutter. What Detect calls comes first, and Detect waits for no more.

Nothing here imports numba when Blender starts; that alone would take a fifth of a second.
"""
import functools
import importlib.metadata
import importlib.util
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

import bpy

from ..core.errors import TouchpointError
from .root import ROOT_FOLDER, ROOT_PACKAGE

NUMBA = "0.68.1"                # the version in blender_manifest.toml
REDRAW_SECONDS = 0.25
DETECT_IS_READY = "detect is ready"     # a line of precompile_script.py
UNUSED_SECONDS = 60 * 86400     # until machine code that no session has used is deleted
LOG_LINES = 40

log = logging.getLogger(__name__)


@dataclass
class State:
    """What the panel shows. Written by the thread, read by the main thread; each field is set whole."""

    stage: str = "off"          # off, starting, compiling, loading, ready, failed
    fraction: float = 0.0       # of the compiling, 0 to 1
    log: list[str] = field(default_factory=list)    # the last lines of the process; they say why it failed
    others_wait: bool = False   # what other methods and questions call is still being compiled


state = State()
_process: subprocess.Popen | None = None
_thread: threading.Thread | None = None
_stopped = threading.Event()    # a new one for each thread
_starting = threading.Lock()    # held to start the process, and to stop that from happening
_session_folder: str | None = None


def problem() -> str | None:
    """Why nothing can be detected: a sentence for the panel that says how to mend it. None when all is well."""
    reason = _find_problem()
    if reason:
        _find_problem.cache_clear()     # it may be mended while Blender runs
    return reason


@functools.cache
def _find_problem():
    mend = ("Install Touchpoint again from the zip made for this system and this Blender "
            "(Preferences, Get Extensions, Install from Disk)")
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    for name in ("numba", "llvmlite", "numpy"):
        if importlib.util.find_spec(name) is None:
            return (f"The Python package {name} is missing from this Blender (Python {python}). {mend}. Scripts and "
                    f"the command line can use the method exact without it, which is slow.")
    found = importlib.metadata.version("numba")
    if _numbers(found) < _numbers(NUMBA):
        return (f"Another extension brings numba {found}, and Touchpoint needs {NUMBA} or later. "
                f"Update or disable that extension, or install Touchpoint again.")
    return None


def _numbers(version):
    """(0, 68, 1) of "0.68.1"; what follows the third number is left out."""
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in version.split(".")[:3])


def prepare() -> None:
    """Tell the core where to keep machine code, once, before its kernels are imported.

    Raises TouchpointError with the sentence of `problem` where numba is missing or too old.
    """
    reason = problem()
    if reason:
        raise TouchpointError(reason)
    folder = cache_base()
    if folder is not None:
        from ..core.machine_code.jit import set_cache_folder

        set_cache_folder(folder)


@functools.cache
def cache_base() -> Path | None:
    """The folder below which machine code is kept; None leaves the choice to the core (outside of an extension).

    A folder for the session only where the user's own cannot be written. Nothing is ever kept in the extension's
    folder: it is emptied at each upgrade.
    """
    global _session_folder
    try:
        folder = bpy.utils.extension_path_user(ROOT_PACKAGE, path="kernels", create=True)
        os.chmod(folder, 0o700)     # what is read there is run
        tempfile.TemporaryFile(dir=folder).close()
    except ValueError:          # not an extension: the bpy module, tests
        return None
    except OSError:
        _session_folder = tempfile.mkdtemp(prefix="touchpoint-kernels-")
        return Path(_session_folder)
    return Path(folder)


def are_ready() -> bool:
    """True where kernels can be called without waiting until they are compiled, as far as is known without loading
    them; a script waits."""
    return _in_background() or state.stage == "ready"


def make_ready() -> None:
    """Load every kernel, compiling first what must be, without holding up the user. Does nothing in background mode
    or without numba."""
    global _thread, _stopped
    if _in_background() or problem() or _thread is not None:
        return
    folder = cache_base()       # asks bpy, so on the main thread
    state.stage, state.fraction, state.log = "starting", 0.0, []
    _stopped = threading.Event()
    _thread = threading.Thread(target=_make_ready, args=(_stopped, folder), name="touchpoint kernels", daemon=True)
    _thread.start()
    bpy.app.timers.register(_redraw, first_interval=REDRAW_SECONDS, persistent=True)


def _in_background():
    return bpy.app.background


def _make_ready(stopped, folder):
    """In a thread. stopped: set when the add-on is disabled meanwhile."""
    try:
        prepare()
        from ..core import warm_up

        process = None if warm_up.is_warm() else _compile(stopped, folder)
        if process is not None:
            state.others_wait = _follow(process)
        if stopped.is_set():
            return
        state.stage, state.fraction = "loading", 1.0
        warm_up.load_for_detect()
        if stopped.is_set():
            return
        state.stage = "ready"
        if process is not None:
            _follow(process)
        warm_up.remove_unused(UNUSED_SECONDS)
    except Exception as error:      # a click on Detect tries again and reports its own error
        state.log = [*state.log, f"{type(error).__name__}: {error}"]
        if not stopped.is_set():
            state.stage = "failed"
            log.warning("Loading the kernels ahead failed:\n%s", "\n".join(state.log))
    if not stopped.is_set():
        state.others_wait = False


def _compile(stopped, folder):
    """The process that compiles all kernels into the folder; None where the add-on is disabled."""
    with _starting:
        if stopped.is_set():
            return None
        state.stage = "compiling"
        return _start_process(folder)


def _follow(process):
    """Note what the process that compiles says. True once Detect is ready, False where the process has ended."""
    for line in process.stdout:
        if line.strip() == DETECT_IS_READY:
            return True
        if re.fullmatch(r"[01]\.\d+", line.strip()):
            state.fraction = max(state.fraction, float(line))       # what there is to do grows with each module
        else:
            state.log = [*state.log, line.rstrip()][-LOG_LINES:]
    if process.wait() != 0:
        raise TouchpointError(f"The process that compiles ended with {process.returncode}.")
    return False


def _start_process(folder):
    global _process
    script = Path(__file__).with_name("precompile_script.py")
    call = [sys.executable, "-I", str(script), "all", str(ROOT_FOLDER), ROOT_PACKAGE, str(folder), *sys.path]
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
    _process = subprocess.Popen(call, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors="replace", creationflags=flags)
    return _process


def _redraw():
    """A timer on the main thread: the panel follows the state until the end."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()
    return REDRAW_SECONDS if state.stage in ("starting", "compiling", "loading") else None


def stop() -> None:
    """When the add-on is disabled or Blender ends: no process, timer or folder of the session stays."""
    global _process, _thread, _session_folder
    with _starting:
        _stopped.set()
        process, thread = _process, _thread
        _process = _thread = None
    if process is not None and process.poll() is None:
        process.kill()
    if thread is not None:
        thread.join(timeout=5.0)        # loading takes less than a second
    if bpy.app.timers.is_registered(_redraw):
        bpy.app.timers.unregister(_redraw)
    state.stage, state.others_wait = "off", False
    _find_problem.cache_clear()
    if _session_folder is not None:
        shutil.rmtree(_session_folder, ignore_errors=True)
        _session_folder = None
        cache_base.cache_clear()
