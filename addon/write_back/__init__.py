# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows a report in the Blender scene it was read from, and removes it again.

All of it goes through data calls: selection, mode, active object, frame, materials and meshes of the user stay as
they are. Undo is the caller's affair (the operators push one step per run).
"""
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import bpy

from ...core import TouchpointError
from .. import session, staleness
from ..asked import keep
from ..names import is_coloured
from ..pieces import finished
from ..style import style_of
from . import viewports
from .baked_colours import Baked, bake, remove_baked
from .collection import remove_results
from .colours import coloured_objects, restoring
from .comparing import clear_comparison
from .gap_curve import write_curve
from .listed_colours import recolouring
from .listing import clear_listing
from .points import draw_points
from .showing import Showing
from .strays import remove_strays

if TYPE_CHECKING:
    from ...core.report import Report


def write(report: "Report", scene: bpy.types.Scene | None = None) -> None:
    """Show a report: `writing`, in one go."""
    finished(writing(report, scene))


def writing(report: "Report", scene: bpy.types.Scene | None = None, stopped: Callable[[], bool] = lambda: False,
            asked: str = "") -> Generator[float, None, None]:
    """Show a report, in pieces: colours, empties, points and, where the add-on is registered, the list in the panel.

    report: with the Snapshot it was read from as `source`. scene: the `bpy.types.Scene` that was read, found by its
    name by default. What an earlier run wrote is updated in place. Objects that were deleted meanwhile, or that are
    linked from another file, are passed over. asked: by which settings of the scene, as
    `asked.as_text`. Yields the fraction done; where stopped() then says so, what was
    written stays and the result says that it is partial, as it does until all is written. Raises LookupError when the
    scene is gone, TouchpointError while the points of an earlier run are being edited, and for a scene that is linked
    from another file.
    """
    if scene is None:
        scene = bpy.data.scenes.get(report.source.scene_name)
        if scene is None:
            raise LookupError(f'There is no scene "{report.source.scene_name}" any more.')
    if scene.library is not None:
        raise TouchpointError("The scene is linked from another file, so no result can be shown in it.")
    with own_changes():
        showing = Showing(report, scene)
        for done in showing.everything():
            yield done
            if stopped():
                showing.drop_unfinished()
                break
        if hasattr(scene, "touchpoint"):
            keep(scene.touchpoint.result, asked)
            staleness.begin(scene.touchpoint.result, report.source, scene)
        viewports.follow(anything_coloured())


def clear(scene: bpy.types.Scene | None = None) -> None:
    """Remove all that `write` made in a scene, by default in all scenes of the file, and the comparison; put the
    colours back."""
    scenes = bpy.data.scenes if scene is None else [scene]
    with own_changes():
        for each in [each for each in scenes if each.library is None]:
            remove_baked(each)
            finished(restoring(coloured_objects(each)))
            remove_results(each)
            if hasattr(each, "touchpoint"):
                clear_listing(each.touchpoint)
                clear_comparison(each.touchpoint)
        remove_strays()
        viewports.follow(anything_coloured())


def writing_curve(curve: Any, scene: bpy.types.Scene) -> Generator[float, None, None]:
    """Write an `animation.gaps.GapCurve` into a scene, in one piece; what there was of its pair is replaced."""
    with own_changes():
        write_curve(curve, scene)
    yield 1.0


def bake_colours(scene: bpy.types.Scene) -> Baked:
    """Give the objects of an animation's result keys for their colours."""
    with own_changes():
        baked = bake(scene)
        viewports.follow(anything_coloured())
    return baked


@contextmanager
def own_changes() -> Iterator[None]:
    """While Touchpoint itself changes scenes: no result becomes outdated by that."""
    with session.writing():
        yield
        evaluate()      # now, or the changes would be noticed later and look like the user's


def evaluate() -> None:
    """Let Blender evaluate what was changed."""
    for window in bpy.context.window_manager.windows:
        window.view_layer.update()


def show_colours(report: "Report", scene: bpy.types.Scene) -> None:
    """Colour the objects anew by the scene's settings; those that are in no pair get their own colour back."""
    showing = Showing(report, scene)
    finished(showing.restored_colours())
    finished(showing.colours())
    viewports.follow(anything_coloured())


def show_listed_colours(scene: bpy.types.Scene) -> None:
    """The same without the report, by the rows of the list: objects of other pairs stay as they are."""
    finished(recolouring(scene))
    viewports.follow(anything_coloured())


def show_points(report: "Report", scene: bpy.types.Scene) -> None:
    """Write the mesh with contacts, or remove it, by the scene's settings."""
    showing = Showing(report, scene)
    finished(showing.points())
    showing.tell_contacts()


def show_drawn_points(_report: "Report | None", scene: bpy.types.Scene) -> None:
    """Let viewports draw that mesh, or not, by the scene's settings; also of a result that came with the file."""
    draw_points(scene, style_of(scene).draw_points)


def show_empties(report: "Report", scene: bpy.types.Scene) -> None:
    """Let as many contacts have an empty as the scene's settings ask for."""
    showing = Showing(report, scene)
    finished(showing.empties())
    showing.tell_contacts()


def anything_coloured() -> bool:
    """True when any object of the file has its colour from a result."""
    return any(is_coloured(each) for each in bpy.data.objects)
