# SPDX-License-Identifier: GPL-3.0-or-later
"""`DetectRun` asks which objects collide, `CompareRun` asks several methods; `pumped_run.py` says how a run goes."""
from typing import Any

import bpy
import numpy as np

from ..core import Cancelled
from ..core.codes import CANCELLED
from ..core.declarations import declaration
from ..core.methods import DEFAULT
from . import preferences, questions
from .again import selected_before
from .against_pose import AgainstPose
from .asked import as_text
from .method_properties import as_typed, compared_methods
from .pumped_run import PumpedRun, Where
from .question_properties import how_asked
from .rest import Rest
from .rules.kept import kept_rules
from .scene_read.read import shown_frame
from .self_reference_properties import reference_of

LONG_STAGES = "contacts", "depths"      # of a Detect, whose progress follows the clock
NOTHING_TESTED = "Detect was cancelled before it found out anything."
NOTHING_COMPARED = "Compare was cancelled before any method was finished."


class DetectRun(AgainstPose):
    """One Detect; its answer is a Report."""

    title = "Detect"
    nothing_found = NOTHING_TESTED

    def __init__(self, context, where: Where, method: str, *, shown: bool = False, self_reference: Any = None, **how):
        """self_reference: as in `api.detect`; how: the other arguments of `api.detect_in`."""
        super().__init__(context, where, takes_points=questions.takes_points(method),
                         needs_kernels=declaration(method).compiled, shown=shown,
                         alone=how.get("self_collisions", False))
        self._how = {"method": method, **how}
        self._needs_others = needs_others(method, how)
        self.rest = Rest(last_long_stage(how), LONG_STAGES)
        self._compare_with(self_reference)

    @classmethod
    def of_settings(cls, context: bpy.types.Context) -> "DetectRun":
        """What the sidebar asks for, to be shown in the scene."""
        run = cls(context, lambda: {**scope_of(context.scene), "objects": selected_before(context),
                                    "rules": kept_rules(context.scene)}, shown=True, **how_of(context.scene),
                  volume=context.scene.touchpoint.volumes, regions=context.scene.touchpoint.regions,
                  self_reference=reference_of(context.scene.touchpoint))
        run._asked = as_text(context.scene.touchpoint)
        return run

    def _steps(self):
        if self._reference is not None:
            self._begun = True
            self._where = self._where() if callable(self._where) else self._where
            frame = self._where.get("frame")
            yield from self._look_at_reference(shown_frame(self._context.scene) if frame is None else frame)
        yield from super()._steps()

    def _ask(self, snapshot, progress):
        if self._reference is not None:
            return self._known_in(snapshot, progress)
        return questions.detect_in(snapshot, self_reference=self._known, progress=progress,
                                   main_thread=self._worker.on_main_thread, follower=self._follower, **self._how)

    def _refuse_nothing(self, report) -> None:
        found = np.count_nonzero(report.pairs["status"] != CANCELLED)
        if report.cancelled and found <= report.counts.get("kept_pairs", 0):    # these were known before
            raise Cancelled(self.nothing_found)

    def _writing(self, report, scene):
        from .write_back import writing

        return writing(report, scene, lambda: self._stop_writing, self._asked)


class CompareRun(PumpedRun):
    """One Compare; its answer is a Comparison. The rows of methods that were finished are kept when it is cancelled."""

    title = "Compare"
    nothing_found = NOTHING_COMPARED

    def __init__(self, context, where: Where, entries, *, shown: bool = False, **how):
        """entries: methods to compare, as in `api.compare`; how: the other arguments of `api.compare_in`."""
        super().__init__(context, where, takes_points=questions.any_takes_points(entries), needs_kernels=True,
                         shown=shown)
        self._entries, self._how = entries, how

    @classmethod
    def of_settings(cls, context: bpy.types.Context) -> "CompareRun":
        """What the sidebar asks for, to be shown in the scene."""
        settings = context.scene.touchpoint
        return cls(context, lambda: scope_of(context.scene), compared_methods(settings), shown=True,
                   clearance=as_typed(settings.clearance), repeats=settings.repeats)

    def _ask(self, snapshot, progress):
        return questions.compare_in(snapshot, self._entries, progress=progress,
                                    main_thread=self._worker.on_main_thread, **self._how)

    def _refuse_nothing(self, comparison) -> None:
        if not comparison.rows:
            raise Cancelled(self.nothing_found)

    def _writing(self, comparison, scene):
        from .write_back.comparing import writing_comparison

        return writing_comparison(scene.touchpoint, comparison, lambda: self._stop_writing)


def scope_of(scene: bpy.types.Scene) -> dict:
    """What the settings of a scene ask for, as arguments of `api.detect` and `read_scene`."""
    settings = scene.touchpoint
    if settings.scope != "COLLECTIONS":
        return {"scope": settings.scope}
    return {"scope": settings.scope, "collection_a": settings.collection_a, "collection_b": settings.collection_b}


def needs_others(method: str, how: dict) -> bool:
    """True where kernels are called that a plain Detect does not call. how: arguments of `api.detect` or
    `api.check_animation`."""
    return method != DEFAULT or any(how.get(each) for each in ("self_collisions", "weld", "volume", "regions",
                                                               "continuous"))


def last_long_stage(how: dict) -> str:
    """The stage of a Detect whose progress tells when the run ends, "" where there is none. how: arguments of
    `api.detect_in`.

    Most of a long run goes to depths, which are measured in many equal shares; what comes before decides how many. What
    can be asked for beside them comes later, and its shares are not equal. Until then the rest of the search is the
    least that the run still takes.
    """
    return "" if any(how.get(each) for each in ("self_collisions", "volume", "regions")) else "depths"


def how_of(scene: bpy.types.Scene) -> dict:
    """How the settings of a scene ask for it to be tested, as arguments of `api.detect`."""
    return {**preferred_threads(), **how_asked(scene.touchpoint)}


def preferred_threads() -> dict:
    """How many threads the preferences want, as an argument of `api.detect`; {} where all cores are wanted."""
    threads = preferences.threads()
    return {"threads": threads} if threads else {}
