# SPDX-License-Identifier: GPL-3.0-or-later
"""`@kernel`: how every compiled function of the core is made, and where its machine code is kept.

The cache folder's name holds the package name, the versions and a hash of all sources of core/: numba itself would
not notice an edit in another file, and a cache made under one package name fails under another.
"""
import hashlib
import os
import sys
import tempfile
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
    """The folder for exactly these sources under this package name, numba and Python; it need not exist yet."""
    base = _base or Path(os.environ.get("TOUCHPOINT_CACHE") or _user_cache())
    return base / f"{numba.__version__}-py{sys.version_info[0]}{sys.version_info[1]}-{_stamp()}"


def _user_cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(home) / "touchpoint" / "kernels"


def _stamp() -> str:
    digest = hashlib.sha256(f"{PACKAGE} {config.BOUNDSCHECK} {config.OPT}".encode())
    core = Path(__file__).parent
    for source in sorted(core.rglob("*.py")):
        digest.update(source.relative_to(core).as_posix().encode())
        digest.update(source.read_bytes())
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
    config.CACHE_DIR = str(_folder)
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


def is_warm() -> bool:
    """True where `warm_up` has once finished for these sources."""
    return (cache_folder() / "complete").exists()


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
        (_folder / "complete").touch()
