# SPDX-License-Identifier: GPL-3.0-or-later
"""`@kernel`: how every compiled function of the core is made, and where its machine code is kept.

numba notices no edit in another file, although a kernel holds the code of those it calls, and a cache made under one
package name fails under another. So each module's kernels lie in a folder named after the package, the versions and
a hash of all sources that the module can reach by its imports: what an update leaves alone need not be compiled again.
"""
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numba
from numba import config, njit, types

from .kernel_cache import KernelCache

PACKAGE = __package__.rpartition(".")[0]
COMPILED = not config.DISABLE_JIT           # False: kernels run as plain Python (debugger, coverage)
KERNELS = []                                # every dispatcher, in order of import

_base: Path | None = None


def set_cache_folder(path) -> None:
    """Keep machine code below this folder. Call before any kernel module is imported."""
    global _base
    _base = Path(path)


def cache_folder() -> Path:
    """The folder for this package name, numba and Python; it need not exist yet."""
    base = _base or Path(os.environ.get("TOUCHPOINT_CACHE") or _user_cache())
    name = hashlib.sha256(f"{PACKAGE} {config.BOUNDSCHECK} {config.OPT}".encode()).hexdigest()[:8]
    return base / f"{numba.__version__}-py{sys.version_info[0]}{sys.version_info[1]}-{name}"


def _user_cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(home) / "touchpoint" / "kernels"


@functools.cache
def _source(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _imported(path: Path) -> frozenset[Path]:
    """The files of core/ that the imports of one file name, those inside functions included."""
    found = set()
    for dots, module, names in re.findall(rb"^\s*from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", _source(path), re.M):
        target = path.parents[len(dots) - 1].joinpath(*module.decode().split("."))
        inside = [target / f"{name}.py" for name in re.findall(r"\w+", names.decode())]
        found.update(file for file in (target.with_suffix(".py"), target / "__init__.py", *inside) if file.is_file())
    return frozenset(found)


@functools.cache
def stamp(path: Path) -> str:
    """Hash of a source file and of all files of core/ that its imports lead to."""
    reached, waiting = set(), [path, Path(__file__)]
    while waiting:
        file = waiting.pop()
        if file not in reached:
            reached.add(file)
            waiting += _imported(file)
    digest = hashlib.sha256()
    for file in sorted(reached):
        digest.update(file.name.encode() + _source(file))
    return digest.hexdigest()[:16]


def _writable_folder() -> Path:
    """The cache folder, or a temporary one where it cannot be written (read-only, full or strange home)."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="touchpoint-kernels-"))


_folder: Path | None = None


def kernel(function):
    """Compile lazily, without the GIL, cached on disk. numba.config is shared with other add-ons: put it back."""
    global _folder
    if _folder is None:
        _folder = _writable_folder()
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_folder / stamp(Path(function.__code__.co_filename)))
    try:
        compiled = njit(nogil=True, error_model="numpy")(function)
        if COMPILED:
            compiled._cache = KernelCache(function)
    finally:
        config.CACHE_DIR = before
    KERNELS.append(compiled)
    if COMPILED:
        _ignore_literals(compiled)
    return compiled


def _ignore_literals(dispatcher) -> None:
    """Called with a constant, a kernel would be compiled anew for that constant: 3 as well as any int64."""
    template = dispatcher.get_call_template

    def get_call_template(arguments, keywords):
        return template(tuple(types.unliteral(each) for each in arguments), keywords)

    dispatcher.get_call_template = get_call_template


def completion_mark() -> Path:
    """The file that says that `warm_up` has once finished for exactly these sources."""
    return cache_folder() / f"complete-{stamp(Path(__file__).with_name('warm.py'))}"


def is_warm() -> bool:
    """True where `warm_up` has once finished for these sources."""
    return completion_mark().exists()


def warm_up(progress=None) -> None:
    """Compile every kernel with the argument types of real use, by running a tiny scene through each of them.

    progress: called with (name of the step, fraction done).
    """
    from . import warm

    for done, step in enumerate(warm.STEPS):
        if progress:
            progress(step.__name__.replace("_", " "), done / len(warm.STEPS))
        step()
    if _folder == cache_folder():
        completion_mark().touch()


def remove_unused(seconds: float) -> None:
    """Delete machine code of other sources and versions that is older than that."""
    folder = cache_folder()
    ours = {stamp(Path(each.py_func.__code__.co_filename)) for each in KERNELS}
    for other in [*folder.parent.iterdir(), *folder.iterdir()]:
        if other != folder and other.name not in ours and time.time() - other.stat().st_mtime > seconds:
            if other.is_dir():
                shutil.rmtree(other, ignore_errors=True)
            else:
                other.unlink(missing_ok=True)
