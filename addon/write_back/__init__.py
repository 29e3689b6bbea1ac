# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows a report in the Blender scene it was read from, and removes it again.

All of it goes through data calls: selection, mode, active object, frame, materials and meshes of the user stay as
they are. Undo is the caller's affair (the operators push one step per run).
"""
from contextlib import contextmanager

import bpy

from .. import session
from ..names import COLOUR_BEFORE
from ..style import style_of
from . import viewports
from .collection import find_results, make_results, remove_results
from .colours import colour_objects, restore_colours
from .comparing import clear_comparison
from .empties import remove_empties, write_empties
from .framing import Bounds
from .listing import clear_listing, worst_first, write_listing
from .points import remove_points, write_points

EMPTY_SIZE = 0.025      # of the empties, as a part of the usual size of the objects that collide


def write(report, scene=None) -> None:
    """Show a report: colours, empties, points and, where the add-on is registered, the list in the panel.

    report: with the Snapshot it was read from as `source`. scene: the `bpy.types.Scene` that was read, found by its
    name by default. What an earlier run wrote is updated in place. Objects that were deleted meanwhile, or that are
    linked from another file, are passed over. Raises LookupError when the scene is gone, TouchpointError while the
    points of an earlier run are being edited.
    """
    if scene is None:
        scene = bpy.data.scenes.get(report.source.scene_name)
        if scene is None:
            raise LookupError(f'There is no scene "{report.source.scene_name}" any more.')
    with own_changes():
        show_points(report, scene)
        show_colours(report, scene)
        empties = show_empties(report, scene)
        if hasattr(scene, "touchpoint"):
            write_listing(scene.touchpoint, report, worst_first(report), empties)


def clear(scene=None) -> None:
    """Remove all that `write` made in a scene, by default in all scenes of the file, and the comparison; put the
    colours back."""
    scenes = list(bpy.data.scenes) if scene is None else [scene]
    with own_changes():
        for each in scenes:
            restore_colours(_objects_of(each))
            remove_results(each)
            if hasattr(each, "touchpoint"):
                clear_listing(each.touchpoint)
                clear_comparison(each.touchpoint)
        viewports.follow(anything_coloured())


@contextmanager
def own_changes():
    """While Touchpoint itself changes scenes: no result becomes outdated by that."""
    with session.writing():
        yield
        for window in bpy.context.window_manager.windows:
            window.view_layer.update()      # now, or the changes would be noticed later and look like the user's


def show_colours(report, scene) -> None:
    """Colour the objects anew by the scene's settings; those that are in no pair get their own colour back."""
    style = style_of(scene)
    restore_colours(_objects_of(scene))
    if style.colour_objects:
        colour_objects(report, report.source.find_objects(), style)
    viewports.follow(anything_coloured())


def show_points(report, scene) -> None:
    """Write the mesh with all contacts, or remove it, by the scene's settings."""
    if not style_of(scene).show_points:
        remove_points(scene)
    elif len(report.contacts) or find_results(scene):
        write_points(report, make_results(scene))


def show_empties(report, scene) -> int:
    """Let as many contacts have an empty as the scene's settings ask for; returns how many that are."""
    limit = min(style_of(scene).empties, len(report.contacts))
    if limit == 0:
        remove_empties(scene)
        return 0
    bounds = Bounds(report.source.core)
    size = EMPTY_SIZE * bounds.usual_size(sorted({*report.pairs["a"].tolist(), *report.pairs["b"].tolist()}))
    write_empties(report, worst_first(report), limit, size, make_results(scene))
    return limit


def anything_coloured() -> bool:
    """True when any object of the file has its colour from a result."""
    return any(_is_coloured(each) for each in bpy.data.objects)


def _is_coloured(each) -> bool:
    return COLOUR_BEFORE in each


def _objects_of(scene) -> list:
    """Coloured objects that belong to this scene's results: its own, and those in no scene at all."""
    elsewhere = {each for other in bpy.data.scenes if other != scene for each in other.objects}
    elsewhere -= set(scene.objects)
    return [each for each in bpy.data.objects if _is_coloured(each) and each not in elsewhere]
