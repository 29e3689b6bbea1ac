# SPDX-License-Identifier: GPL-3.0-or-later
"""Detection for scripts: the same calls as behind the sidebar and the command line.

    from bl_ext.user_default.touchpoint.addon import api       # in Blender
    from touchpoint.addon import api                           # elsewhere
    report = api.detect(scope="SELECTED")
    api.write_back(report)

It works in background mode and from timers, handlers and other add-ons. Reading and writing back belong on the main
thread; `detect_in` uses arrays only and may run on any.
"""
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ..core.errors import Refused
from ..core.methods import DEFAULT
from ..core.rules import Rule
from ..core.tolerance import AUTOMATIC
from .animation.compare_run import CompareFramesRun
from .animation.frames import frames_asked
from .animation.run import AnimationRun
from .grouping import groups_of
from .learning import LearnRun, Moments, frames_of
from .pictures.saving import save_pictures
from .questions import any_takes_points, compare_in, detect_in, prepare, takes_points
from .reports.saving import save_report
from .rules.kept import chosen_rules
from .run import CompareRun, DetectRun
from .scene_read import read_scene

if TYPE_CHECKING:
    from ..core.comparison import Comparison
    from ..core.report import Report
    from ..core.sequence.report import SweepReport

__all__ = ["any_takes_points", "check_animation", "clear", "compare", "compare_in", "detect", "detect_in", "groups_of",
           "learn", "prepare", "read_scene", "save_pictures", "save_report", "takes_points",
           "write_back"]

Objects = Iterable[bpy.types.Object] | None
Side = bpy.types.Collection | str | None        # a collection or its name
RulesAsked = Sequence[Rule] | str | Path | None
Progress = Callable[[str, float], object] | None


def detect(objects: Objects = None, *, method: str = DEFAULT, options: dict | None = None, scope: str = "VISIBLE",
           frame: float | None = None, collection_a: Side = None, collection_b: Side = None, clearance: float = 0.0,
           tolerance: float | str = AUTOMATIC, contacts: bool = True, self_collisions: bool = False, weld: float = 0.0,
           volume: bool = False, regions: bool = False, self_reference: str | float | None = None,
           rules: RulesAsked = None, identify_by: str = "", threads: int | None = None, progress: Progress = None,
           context: bpy.types.Context | None = None) -> "Report":
    """Find out which objects collide; returns a `touchpoint.core.Report` and changes nothing in the file.

    objects: Blender objects to test among themselves; without them scope decides: "VISIBLE", "SELECTED", "OTHERS" (what
    is selected, or with objects these, against all else that is visible), or "COLLECTIONS" (collection_a against
    collection_b, names or collections; an object in both counts on both sides).
    method: an id of `touchpoint.core.methods.ids()`; "exact" is slow, and the one that needs no numba.
    options: of the method, by name, such as {"depth": 3}; `touchpoint methods` lists them.
    frame: evaluate there, then go back to the user's frame.
    clearance: in Blender units; objects that do not meet but are no farther apart are near.
    tolerance: in Blender units; objects that reach into each other by no more, or are no farther apart, are touching.
    "auto": as much as the numbers that Blender stores resolve, per pair. 0: exact verdicts, which the column exact of
    report.pairs has in any case.
    contacts=False: verdicts only. self_collisions: each object is tested with itself, too, and one object is enough;
    such a row of the report has b equal to a. weld: in Blender units; a mesh whose borders are nowhere farther apart
    counts as closed where it is asked what is inside it. threads: how many to use (None: all cores).
    volume: measure how much space the objects of each pair share where both are closed: the columns volume,
    volume_lower and volume_upper, in Blender units cubed.
    regions: measure how deep the objects of each pair reach into each other at each of the places where they do:
    `report.regions`.
    self_reference: "REST" or a frame: self-collisions that are there in the rest pose of all armatures, or at that
    frame, are not listed; docs/self-collision.md says what counts as the same.
    rules: which pairs are taken away, `core.rules.Rule` each with lengths in Blender units, or the path of a file of
    rules; () for none. None: those that are kept with the scene, where the add-on is enabled.
    identify_by: a custom property of objects, such as a GUID, that the report has beside their names.
    progress: called as progress(stage, fraction); returning False cancels, and the report is then partial, or, while
    the scene is still being read, Cancelled is raised.
    context: whose scene and view layer are meant, `bpy.context` by default.

    In a loop, pairs of which nothing is different since the last call that asked the same are not tested again: the
    report is what it would be without, and its counts say how many pairs that are listed were kept.

    Raises `touchpoint.core.TouchpointError`, with a sentence for the user, where the question cannot be answered.
    """
    where = {"scope": scope, "collection_a": collection_a, "collection_b": collection_b, "objects": objects,
             "frame": frame, "rules": chosen_rules(rules, (context or bpy.context).scene), "identify_by": identify_by}
    run = DetectRun(context, where, method, options=options, clearance=clearance, tolerance=tolerance,
                    contacts=contacts, self_collisions=self_collisions, weld=weld, volume=volume, regions=regions,
                    self_reference=self_reference, threads=threads)
    return run.complete(progress)


def check_animation(frames: Iterable[float] | None = None, *, step: float = 1.0, continuous: bool = False,
                    objects: Objects = None, method: str = DEFAULT, options: dict | None = None, scope: str = "VISIBLE",
                    collection_a: Side = None, collection_b: Side = None, clearance: float = 0.0,
                    tolerance: float | str = AUTOMATIC, contacts: bool = True, self_collisions: bool = False,
                    weld: float = 0.0, self_reference: str | float | None = None, rules: RulesAsked = None,
                    identify_by: str = "", threads: int | None = None, progress: Progress = None,
                    context: bpy.types.Context | None = None) -> "SweepReport":
    """Find out which objects collide in which frames; returns a `touchpoint.core.sequence.SweepReport` and changes
    nothing in the file: at the end the scene is at the user's frame again.

    frames: the first and the last one, of which every step-th is tested; None: those of the scene's range. With a step
    of less than 1, parts of frames are tested, too. Where there are not two, they are the very frames to test.
    continuous: also find what meets between two of these frames; docs/animation.md says how objects move there.
    self_reference: as in `detect`; the rest pose is looked at where the first frame is.
    progress: called as progress("checking", fraction), the fraction of all frames; returning False cancels. The report
    is then partial: it has the frames that were done. Cancelled is raised where none was.
    The rest, and errors, as in `detect`. Blender evaluates one frame after the other, as when it plays the animation.
    """
    scene = (context or bpy.context).scene
    where = {"scope": scope, "collection_a": collection_a, "collection_b": collection_b, "objects": objects,
             "rules": chosen_rules(rules, scene), "identify_by": identify_by}
    run = AnimationRun(context, where, frames_asked(frames, scene, step), method, continuous=continuous,
                       options=options, clearance=clearance, tolerance=tolerance, contacts=contacts,
                       self_collisions=self_collisions, weld=weld, self_reference=self_reference, threads=threads)
    return run.complete(progress)


def learn(frames: Sequence[float] | None = None, *, rest_pose: bool = False, objects: Objects = None,
          method: str = DEFAULT, options: dict | None = None, scope: str = "VISIBLE", collection_a: Side = None,
          collection_b: Side = None, tolerance: float | str = AUTOMATIC, rules: RulesAsked = None,
          threads: int | None = None, progress: Progress = None,
          context: bpy.types.Context | None = None) -> Rule | None:
    """Find out which pairs meet while all is as it should be; returns a `core.rules.Rule` that takes them away, None
    where nothing meets, and changes nothing.

    frames: pairs that meet in any of them are learned; the current one by default. rest_pose: with all armatures in
    their rest pose. rules: pairs that they take away are not learned. The rest, and errors, as in `detect`; a cancelled
    call raises Cancelled.
    """
    scene = (context or bpy.context).scene
    where = {"scope": scope, "collection_a": collection_a, "collection_b": collection_b, "objects": objects,
             "rules": chosen_rules(rules, scene)}
    run = LearnRun(context, where, Moments(frames_of(frames, scene), rest_pose), method, options=options,
                   tolerance=tolerance, threads=threads)
    return run.complete(progress)


def compare(methods: Sequence[str | tuple[str, dict]] | None = None, *, options: dict | None = None, repeats: int = 3,
            reference: str = DEFAULT, memory: bool = True, clearance: float = 0.0, progress: Progress = None,
            objects: Objects = None, scope: str = "VISIBLE", frame: float | None = None,
            frames: Iterable[float] | None = None, step: float = 1.0, collection_a: Side = None,
            collection_b: Side = None, context: bpy.types.Context | None = None) -> "Comparison":
    """Run several methods on one scene; returns a `touchpoint.core.comparison.Comparison` and changes nothing.

    methods: ids, or (id, options) to run one in several ways; None: all that promise the exact answer, but for "exact"
    itself. options: {id: {name: value}}. frames: compare over these frames, as in `check_animation` with `step`, and
    ask methods that need an interval between them; None: the scene as it is at `frame`.
    The rest as in `detect` and `touchpoint.core.compare.compare`. Raises Refused for both a frame and frames.
    """
    where = {"scope": scope, "collection_a": collection_a, "collection_b": collection_b, "objects": objects}
    how: dict[str, Any] = {"options": options, "repeats": repeats, "reference": reference, "memory": memory,
                           "clearance": clearance}
    if frames is None:
        return CompareRun(context, {**where, "frame": frame}, methods, **how).complete(progress)
    if frame is not None:
        raise Refused("Methods are compared at a frame or over frames, not both.")
    asked = frames_asked(frames, (context or bpy.context).scene, step)
    return CompareFramesRun(context, where, asked, methods, **how).complete(progress)


def write_back(report: "Report") -> None:
    """Show a report of `detect` or `check_animation` in the file: colours, contact points, the results collection, and
    of an animation markers on the timeline. Replaces earlier ones.

    Raises TouchpointError where the scene that was read is gone.
    """
    from ..core import TouchpointError
    from .write_back import write

    scene = report.source.find_scene()
    if scene is None:
        raise TouchpointError(f'The scene "{report.source.scene_name}" that was tested is not open any more.')
    write(report, scene)


def clear() -> None:
    """Remove everything that `write_back` made and give objects their colours back."""
    from .write_back import clear

    clear()
