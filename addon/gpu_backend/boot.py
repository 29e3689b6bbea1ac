# SPDX-License-Identifier: GPL-3.0-or-later
"""A context for the gpu module. With a window there is one; in background it has to be brought up."""
from contextlib import contextmanager
from typing import Any

import bpy

PROBE_NAME = "touchpoint gpu probe"
BOOT_SIDE = 16       # pixels of the render that brings a context up


def bring_up() -> str:
    """Bring a context up; returns "" where there is one then, else why not.

    Where a driver is missing, Blender in background mode dies here, and nothing can be caught: see `child`.
    """
    reason = _problem()
    if reason and hasattr(_gpu(), "init"):      # Blender 5.2
        try:
            _gpu().init()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        reason = _problem()
    if reason and bpy.app.background:
        try:
            _render_nothing()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        reason = _problem()
    return reason


def _gpu() -> Any:
    import gpu

    return gpu


def _problem() -> str:
    """What making a texture raises, "" where it works."""
    try:
        _gpu().types.GPUTexture((1, 1), format="RGBA8")
    except Exception as error:      # SystemError where there is no context
        return f"{type(error).__name__}: {error}"
    return ""


def _render_nothing() -> None:
    """A tiny Workbench render of an empty scene: its context stays alive as long as the process."""
    with _removed_again("images"), _removed_again("cameras"), _removed_again("objects"), _removed_again("scenes"):
        scene = bpy.data.scenes.new(PROBE_NAME)
        render: Any = scene.render
        render.engine = "BLENDER_WORKBENCH"
        render.resolution_x = render.resolution_y = BOOT_SIDE
        render.resolution_percentage = 100
        scene.camera = bpy.data.objects.new(PROBE_NAME, bpy.data.cameras.new(PROBE_NAME))
        scene.collection.objects.link(scene.camera)
        bpy.ops.render.render(scene=scene.name)


@contextmanager
def _removed_again(kind: str):
    """Remove what the body adds to this collection of bpy.data."""
    owner = getattr(bpy.data, kind)
    before = {each.session_uid for each in owner}
    try:
        yield
    finally:
        for each in [each for each in owner if each.session_uid not in before]:
            owner.remove(each)
