# SPDX-License-Identifier: GPL-3.0-or-later
"""One verdict per process: is there a GPU, and does it give right numbers?"""
import json
import threading

import bpy

from . import boot, layer
from .backend import Backend
from .child import MARK, reason_of_child
from .self_test import wrong_numbers

_verdict: Backend | str | None = None       # the GPU; why there is none; not known yet


def obtain() -> Backend | str:
    """The GPU, or the sentence that says why there is none. Finds out at the first call; on the main thread.

    With a window this is tried at once. In background mode a child process tries it first.
    """
    global _verdict
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("the GPU is looked for on the main thread only")
    if _verdict is None:
        reason = (reason_of_child() if bpy.app.background else "") or reason_here()
        _verdict = f"The GPU cannot be used: {reason}." if reason else _backend()
    return known_reason() or _verdict


def known_reason() -> str:
    """Why there is no GPU, "" where there is one or nobody has looked yet. Touches nothing: drawing code may ask."""
    if isinstance(_verdict, Backend):
        return _verdict.failed
    return _verdict or ""


def reason_here() -> str:
    """Why this process cannot use the GPU, "" where it can. Where a driver is missing, a process without a window dies
    of the question."""
    try:
        return boot.bring_up() or wrong_numbers()
    except Exception as error:      # a shader that does not compile
        return f"{type(error).__name__}: {error}"


def tell() -> None:
    """In a child process: print why the GPU cannot be used."""
    print(MARK + json.dumps(reason_here()), flush=True)


def free() -> None:
    """Drop all that is kept on the GPU, and the verdict. On the main thread, while the context is alive."""
    global _verdict
    if isinstance(_verdict, Backend):
        _verdict.free()
    _verdict = None
    layer.forget_shaders()


def _backend() -> Backend:
    import gpu

    from .raster import GpuRaster

    platform = gpu.platform
    software = platform.device_type_get() == "SOFTWARE"
    made = Backend(platform.renderer_get(), platform.backend_type_get(), software)
    made.raster = GpuRaster(made)
    return made
