# SPDX-License-Identifier: GPL-3.0-or-later
"""What Touchpoint does when Blender does something: loads a file, undoes, or changes the scene or the frame. All of it
is cheap, and of a scene it changes only the colours of objects that have one from a result."""
import bpy
from bpy.app.handlers import persistent

from . import session
from .changes import concerns_result, is_rendering

_run_ids_before: list[str] = []     # of the scene's result and comparison, before the undo or redo that is going on
_object_count = 0       # in the file, at the last update of the dependency graph
_undone = False         # the next update of the dependency graph comes from an undo or redo


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
    global _undone
    session.reset()
    session.note_replacement()
    _undone = False


@persistent
def _on_undo_pre(*_):
    global _run_ids_before
    _run_ids_before = _run_ids(bpy.context.scene)


@persistent
def _on_undo_post(*_):
    """Screens are not part of undo: let the viewports follow when a result went or came back with its colours.

    A result that comes back is as fresh as it was; when it was something else that was undone, it is outdated."""
    global _undone
    from .write_back import anything_coloured, viewports

    _undone = True
    session.note_replacement()
    run_ids = _run_ids(bpy.context.scene)
    if run_ids != _run_ids_before:
        viewports.follow(anything_coloured())
    else:
        for each in run_ids:
            session.mark_outdated(each)
    _follow_frame(bpy.context.scene)        # Blender keeps the frame, and has put back the colours of another one


@persistent
def _on_depsgraph_update(scene, depsgraph=None):
    """Mark the result as outdated when something that is tested changed its shape or its place, or is gone."""
    global _object_count, _undone
    session.note_change()
    if depsgraph is None or depsgraph.mode != "VIEWPORT":
        return
    fewer = len(bpy.data.objects) < _object_count   # nothing else tells of a deleted object
    _object_count = len(bpy.data.objects)
    if _undone:
        _undone = False
        return
    fresh = [each for each in _run_ids(scene) if not session.is_outdated(each)]
    if fresh and not session.is_writing() and (fewer or concerns_result(depsgraph)):
        for each in fresh:
            session.mark_outdated(each)


@persistent
def _on_frame_change(scene=None, depsgraph=None):
    session.note_change()
    if scene is not None and depsgraph is not None and depsgraph.mode == "VIEWPORT":
        _follow_frame(scene)


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
            ("frame_change_post", _on_frame_change))


def register() -> None:
    for event, function in HANDLERS:
        getattr(bpy.app.handlers, event).append(function)


def unregister() -> None:
    for event, function in HANDLERS:
        getattr(bpy.app.handlers, event).remove(function)
