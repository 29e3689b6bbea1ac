# SPDX-License-Identifier: GPL-3.0-or-later
"""What Touchpoint does when Blender does something: loads a file, undoes, or changes the scene or the frame. All of it
is cheap. It changes the colours of objects that have one from a result, and removes what is left of deleted results."""
import bpy
from bpy.app.handlers import persistent

from ..core import memory
from . import session, staleness
from .changes import is_rendering

_run_ids_before: list[str] = []     # of the scene's result and comparison, before the undo or redo that is going on
_replaced = False       # the next update of the dependency graph comes from an undo or a redo


@persistent
def _on_load_pre(*_):
    from .live import engine
    from .views import before, gliding

    engine.stop()
    gliding.stop()
    before.forget()
    session.reset()


@persistent
def _on_load_post(*_):
    global _replaced
    from .operators.open_example import opened
    from .write_back import anything_coloured, viewports

    session.reset()
    session.note_replacement()
    _replaced = False
    staleness.take_from_file(bpy.data.scenes)
    staleness.check_loaded(bpy.context)
    viewports.follow(anything_coloured())       # those that outlive the file
    opened()
    memory.give_back()


@persistent
def _on_undo_pre(*_):
    global _run_ids_before
    _run_ids_before = _run_ids(bpy.context.scene)


@persistent
def _on_undo_post(*_):
    """Screens are not part of undo: let the viewports follow when a result went or came back with its colours."""
    global _replaced
    from .write_back import anything_coloured, viewports

    _replaced = True
    session.note_replacement()
    if _run_ids(bpy.context.scene) != _run_ids_before:
        viewports.follow(anything_coloured())
    _follow_frame(bpy.context.scene)        # Blender keeps the frame, and has put back the colours of another one


@persistent
def _on_depsgraph_update(scene, depsgraph=None):
    """Mark what is not as it was tested."""
    global _replaced
    session.note_change()
    if depsgraph is None or depsgraph.mode != "VIEWPORT":
        return
    replaced, _replaced = _replaced, False
    if not session.is_writing():
        staleness.follow(scene, depsgraph, replaced)


@persistent
def _on_frame_change(scene=None, depsgraph=None):
    session.note_change()
    if scene is not None and depsgraph is not None and depsgraph.mode == "VIEWPORT":
        _follow_frame(scene)
        if not session.is_writing() and session.run() is None:
            staleness.check_frame(scene, depsgraph)


@persistent
def _on_save_pre(*_):
    from .write_back.strays import remove_strays

    remove_strays()
    staleness.keep_in_file(bpy.data.scenes)


def _follow_frame(scene) -> None:
    """Objects of an animation's result have its colours while they meet; nothing changes while Blender renders."""
    from .write_back.colours_over_time import is_followed, show_frame_colours

    if not session.is_writing() and is_followed(scene) and not is_rendering():
        show_frame_colours(scene)


def _run_ids(scene) -> list[str]:
    """Of the result and of the comparison, as far as they are there."""
    settings = getattr(scene, "touchpoint", None)
    return [each.run_id for each in (settings.result, settings.comparison) if each.run_id] if settings else []


HANDLERS = (("load_pre", _on_load_pre), ("load_post", _on_load_post), ("undo_pre", _on_undo_pre),
            ("redo_pre", _on_undo_pre), ("undo_post", _on_undo_post), ("redo_post", _on_undo_post),
            ("depsgraph_update_post", _on_depsgraph_update),
            ("frame_change_post", _on_frame_change), ("save_pre", _on_save_pre))


def register() -> None:
    for event, function in HANDLERS:
        getattr(bpy.app.handlers, event).append(function)


def unregister() -> None:
    for event, function in HANDLERS:
        getattr(bpy.app.handlers, event).remove(function)
