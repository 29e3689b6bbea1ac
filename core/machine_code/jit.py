# SPDX-License-Identifier: GPL-3.0-or-later
"""`@kernel`: how every compiled function of the core is made, and where its machine code is looked for.

First in the user's folder, then in what came with the extension (shipped_kernels.py); what is in neither is compiled,
and kept in the user's folder. docs/decisions/0004 says why.
"""
import functools
import hashlib
import json
import os
import sys
from pathlib import Path
from types import FunctionType

import numba
import numpy as np
from numba import config, njit, types

from . import kernel_folder, parts, shipped_kernels
from .kernel_cache import KernelCache, cpu, toolchain
from .references import by_reference
from .source_stamp import stamp

COMPILED = not config.DISABLE_JIT           # False: kernels run as plain Python (debugger, coverage)
unsigned = np.uint64 if COMPILED else int   # for places in arrays: plain Python's integers, as numpy 1 makes a float
                                            # of an np.uint64 and an int
KERNELS = []                                # every kernel, in order of import

_base: Path | None = None


def set_cache_folder(path) -> None:
    """Keep machine code below this folder. Call before any kernel is used."""
    global _base
    _base = Path(path)


def cache_folder() -> Path:
    """The folder for this numba, Python and processor; it need not exist yet."""
    named = os.environ.get("TOUCHPOINT_CACHE", "")
    base = _base or (Path(named) if os.path.isabs(named) else kernel_folder.user_base())
    name = hashlib.sha256(json.dumps([toolchain(), cpu()]).encode()).hexdigest()[:16]
    return base / f"{numba.__version__}-py{sys.version_info[0]}{sys.version_info[1]}-{name}"


_folder: Path | None = None


def _used_folder() -> Path:
    """Raises PermissionError where somebody else could have written into it."""
    global _folder
    if _folder is None:
        folder = cache_folder()
        kernel_folder.refuse_shared(folder)
        _folder = folder
    return _folder


def _read_kept(entry: str) -> bytes | None:
    return kernel_folder.read(_used_folder() / entry)


def kernel(function):
    """Compile lazily, without the GIL, kept on disk. The function that is returned can be called from Python and from
    other kernels. No reference counts: kernels allocate nothing, and the atomic counting of array arguments would take
    more time than many of them."""
    if not COMPILED:
        KERNELS.append(njit(function))
        return KERNELS[-1]
    from_python = _dispatcher(function, "whole")
    # For other kernels without what converts arguments from Python: a sixth of all time to compile went into that.
    # Made when the first of them is compiled: a session that finds its machine code on disk makes none.
    part = functools.cache(lambda: _dispatcher(function, "part", no_cpython_wrapper=True, **parts.compiler()))
    from_python.get_call_template = lambda arguments, keywords: _call_template(part(), arguments, keywords)
    from_python.get_overload = lambda signature: part().get_overload(signature)
    from_python.part = part
    KERNELS.append(from_python)
    return from_python


def _dispatcher(function, role: str, **options):
    made_of = stamp(Path(function.__code__.co_filename))
    own = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    own.__module__, own.__doc__ = function.__module__, function.__doc__
    # numba names a function in machine code after this. After an update both versions can be in one process, and where
    # two functions have one name, the linker takes one for the other.
    own.__qualname__ = f"v{made_of}.{role}.{function.__name__}"
    compiled = njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, _nrt=False, **options)(own)
    compiled.typeof_pyval = functools.partial(_typeof, compiled)
    compiled._cache = KernelCache(own, f"{made_of}/{role}", (_read_kept, shipped_kernels.read), _used_folder)
    return compiled


def _typeof(compiled, value):
    return by_reference(type(compiled).typeof_pyval(compiled, value))


def _call_template(part, arguments, keywords):
    """Called with a constant, a kernel would be compiled anew for that constant: 3 as well as any int64."""
    return type(part).get_call_template(part, tuple(types.unliteral(each) for each in arguments), keywords)


def signatures(function) -> list:
    """The argument types for which a kernel has been compiled or loaded, for Python and for other kernels."""
    return [*function.signatures, *function.part().signatures]
