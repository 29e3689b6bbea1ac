# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a scene may not be what its author sees."""
import bpy

from ...core.shown import escaped


def doubts() -> list[str]:
    """Sentences; none where the scene is as the file has it.

    Blender tells of Python that it did not run only that there is some, and what the first of it was: a driver, which
    may move or deform what is tested, or a script, which may do anything.
    """
    if not bpy.app.autoexec_fail:
        return []
    return [f"Blender did not run the Python in this file ({_first()}), so objects that depend on it may stand "
            "elsewhere. Allow Execution in Blender's window, or --enable-autoexec before -c, lets it run."]


def _first() -> str:
    try:
        return escaped(bpy.app.autoexec_fail_message)
    except UnicodeDecodeError as error:
        return escaped(error.object.decode("utf-8", "surrogateescape"))
