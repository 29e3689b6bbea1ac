# SPDX-License-Identifier: GPL-3.0-or-later
"""`LearnRun`: a rule about the pairs that collide at frames, or in the pose, in which all is as it should be."""
from collections.abc import Generator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core import Cancelled, Refused, TouchpointError
from ..core.codes import CONTAINED, CROSSING, OVERLAP, TOUCHING
from ..core.declarations import declaration
from ..core.rules import Ref, Rule
from ..core.rules.rule import PAIRS
from . import questions
from .method_properties import chosen_method
from .named_tests.named_test import NamedTest
from .poses import in_rest_pose
from .pumped_run import PumpedRun
from .rules.kept import add_rules, kept_rules
from .rules.properties import FRAMES, REST_POSE
from .run import scope_of
from .scene_read.read import shown_frame
from .scene_read.relations import instance_in_ref
from .tolerance_properties import tolerance_of
from .worker import Progress

if TYPE_CHECKING:
    import bpy

    from ..core.report import Report

LEARNING = "learning"
NOTHING_LEARNED = "Learn was cancelled: no rule was made."
MEETING = (TOUCHING, CONTAINED, OVERLAP, CROSSING)


@dataclass(frozen=True)
class Moments:
    """When the objects are looked at. frames: at least one; rest_pose: with all armatures in their rest pose."""

    frames: tuple[float, ...]
    rest_pose: bool = False

    @classmethod
    def of_settings(cls, scene: "bpy.types.Scene") -> "Moments":
        """What a scene's settings ask for."""
        settings = scene.touchpoint
        if settings.learn_from == FRAMES:
            frames = np.linspace(scene.frame_start, scene.frame_end, settings.learn_samples).round()
            return cls(tuple(dict.fromkeys(frames.tolist())))
        return cls((shown_frame(scene),), settings.learn_from == REST_POSE)

    @property
    def reason(self) -> str:
        """What the rule says of them."""
        if self.rest_pose:
            return "Learned from the rest pose"
        if len(self.frames) == 1:
            return f"Learned from frame {self.frames[0]:g}"
        return f"Learned from {len(self.frames)} frames, {min(self.frames):g} to {max(self.frames):g}"


class LearnRun(PumpedRun):
    """One Learn; its answer is a Rule, or None where nothing meets. A cancelled run makes no rule."""

    title = "Learn"
    nothing_found = NOTHING_LEARNED

    def __init__(self, context, where: dict, moments: Moments, method: str, *, shown: bool = False, **how):
        """where: what is tested, without a frame. how: the other arguments of `api.detect_in`."""
        if not moments.frames:
            raise Refused("There is no frame to learn from.")
        super().__init__(context, where, takes_points=questions.takes_points(method),
                         needs_kernels=declaration(method).compiled, shown=shown)
        self._scope, self._moments = where, moments
        self._how = {"method": method, **how}
        self._test = ""         # whose rule it becomes; "": of the scene
        self._done = 0          # frames

    @classmethod
    def of_settings(cls, context: "bpy.types.Context") -> "LearnRun":
        """What the sidebar asks for, to be added to the list of the scene. Pairs that a rule takes away already are not
        learned again."""
        scene = context.scene
        return cls(context, {**scope_of(scene), "rules": kept_rules(scene)}, Moments.of_settings(scene), shown=True,
                   tolerance=tolerance_of(scene.touchpoint), **chosen_method(scene.touchpoint))

    @classmethod
    def of_test(cls, context: "bpy.types.Context", test: NamedTest) -> "LearnRun":
        """What meets in a test with rules of its own, to be added to these."""
        run = cls(context, {**test.where, "rules": test.rules}, Moments.of_settings(context.scene), shown=True,
                  **{name: test.how[name] for name in ("tolerance", "method", "options")})
        run._test = test.name
        return run

    @property
    def progress(self) -> Progress:
        return Progress(LEARNING, self._done / len(self._moments.frames))

    def _steps(self):
        self._begun = True
        found: dict[frozenset, tuple[Ref, Ref]] = {}
        for frame in self._moments.frames:
            if self._cancelled:
                raise Cancelled(NOTHING_LEARNED)
            self._where = {**self._scope, "frame": frame}
            with in_rest_pose(self._context) if self._moments.rest_pose else nullcontext():
                snapshot = yield from self._read()      # in one piece, as a frame is given
            self._hand_over(snapshot)
            report = yield from self._wait()
            self._refuse_nothing(report)
            found.update((frozenset(pair), pair) for pair in meeting_pairs(report))
            self._done += 1
        self.answer = Rule(PAIRS, self._moments.reason, pairs=tuple(found.values())) if found else None
        if self._shown and self.answer is not None:
            yield from self._write(self.answer)

    def _ask(self, snapshot, progress):
        return questions.detect_in(snapshot, progress=progress, contacts=False,
                                   main_thread=self._worker.on_main_thread, **self._how)

    def _refuse_nothing(self, report) -> None:
        if report.cancelled:
            raise Cancelled(NOTHING_LEARNED)

    def _writing(self, rule, scene) -> Generator[float, None, None]:
        if scene.library is not None:
            raise TouchpointError("The scene is linked from another file, so no rule can be kept with it.")
        holder = scene.touchpoint.tests.get(self._test) if self._test else scene.touchpoint
        if holder is None:
            raise TouchpointError(f'The test "{self._test}" was removed, so no rule can be kept with it.')
        add_rules(holder, [rule])
        yield 1.0


def meeting_pairs(report: "Report") -> list[tuple[Ref, Ref]]:
    """The pairs of a report that meet, as rules name them."""
    source = report.source
    refs = [Ref(row.object_name, row.library, instance_in_ref(found, row.instance))
            for row, found in zip(source.rows, source.find_objects())]
    pairs = report.pairs[np.isin(report.pairs["verdict"], MEETING)]
    return [(refs[a], refs[b]) for a, b in pairs[["a", "b"]].tolist()]


def frames_of(frames: Sequence[float] | None, scene: "bpy.types.Scene") -> tuple[float, ...]:
    """Each once, in their order; None: the current one."""
    return (shown_frame(scene),) if frames is None else tuple(dict.fromkeys(map(float, frames)))
