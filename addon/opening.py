# SPDX-License-Identifier: GPL-3.0-or-later
"""Scene files without a window: what the command line and workers do before they read one."""
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..core.errors import Refused, TouchpointError
from ..core.memory import refuse_beyond


def check_blender() -> None:
    """Raises TouchpointError where scenes cannot be read."""
    try:
        import bpy  # noqa: F401
    except ImportError as error:
        raise TouchpointError("Scenes are read by bpy, Blender as a Python module, which is missing here "
                              f"({error}). Install it with: pip install bpy") from None


def open_scene(scene: Path | None) -> Path:
    """Open the scene file, or take the one that is open. Blender goes on with its default scene when a file cannot be
    read, so the name of what is open has the last word."""
    import bpy

    if scene is None:
        if not bpy.data.filepath:
            raise Refused("No scene file is open. Name one: touchpoint detect SCENE.blend")
        return Path(bpy.data.filepath)
    if not scene.exists():
        raise Refused(f"There is no file {scene}.")
    if not scene.is_file():
        raise Refused(f"{scene} is not a file.")
    refuse_beyond(scene.stat().st_size, "The data in this file")       # Blender would end without a word
    try:
        bpy.ops.wm.open_mainfile(filepath=str(scene.resolve()), load_ui=True)
    except RuntimeError as error:
        raise TouchpointError(f"{scene} cannot be opened. {reason(error)}") from None
    opened = Path(bpy.data.filepath)
    if not bpy.data.filepath or not opened.samefile(scene):
        raise TouchpointError(f"{scene} cannot be opened.")
    return opened


def reason(error: RuntimeError) -> str:
    """What Blender says, without its own "Error: "."""
    return " ".join(str(error).removeprefix("Error: ").split())


@contextmanager
def settings_of_scenes() -> Iterator[None]:
    """`Scene.touchpoint`, which Blender as a Python module does not have by itself."""
    import bpy

    from . import properties

    if hasattr(bpy.types.Scene, "touchpoint"):
        yield
        return
    properties.register()
    try:
        yield
    finally:
        properties.unregister()
