# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation, and ways through its result on the timeline."""
from typing import TYPE_CHECKING

import bpy

from .. import phrases, session
from ..animation.frames import range_of_settings
from ..animation.gaps import GapRun
from ..animation.resumed_run import ResumedRun
from ..animation.timeline import go_to_frame, interval_of, next_start
from ..frame_phrases import interval, tested
from ..listed import find_object
from ..method_properties import no_gpu_for
from .modal import ModalRun, why_not
from .reasoned import Reasoned
from .select_pair import is_with_itself, select

if TYPE_CHECKING:
    from ...core.sequence.report import SweepReport
    from ..animation.gaps import GapCurve
    from ..pumped_run import PumpedRun
    from .reasoned import Outcome

LEFT_OUT_NAMED = 3      # objects, of each reason


def why_no_frames(context: bpy.types.Context) -> str:
    """Why no frames can be tested now, "" when they can."""
    reason = why_not(context)
    if not reason:
        first, last = range_of_settings(context.scene)
        if last < first:
            return f"There is no frame from {first} to {last}"
        return no_gpu_for(context.scene.touchpoint)
    return reason


class TOUCHPOINT_OT_check_animation(ModalRun, bpy.types.Operator):
    """Find the pairs of objects that collide in any frame, and when: where each first meets, and where it is worst"""

    bl_idname = "touchpoint.check_animation"
    bl_label = "Check Animation"
    bl_options = {"REGISTER", "UNDO"}

    why_not = staticmethod(why_no_frames)

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        return ResumedRun.of_settings(context)

    def done(self, report: "SweepReport") -> str:
        return f"{phrases.headline(report)} in {tested(report.frames)}"


class OfResult(Reasoned):
    """What the operators share that go through a result."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        settings = context.scene.touchpoint if context.scene else None
        if settings is None or not settings.result.animated or not settings.result.pairs:
            return "There is no collision on the timeline: run Check Animation first"
        return f"{session.run().title} is running" if session.run() is not None else ""


class Jump(OfResult):
    """Going to where a pair begins to collide. `forward` says which way."""

    forward: bool

    def execute(self, context: bpy.types.Context) -> "Outcome":
        frame = next_start(context.scene, self.forward)
        if frame is None:
            self.report({"INFO"}, f"No collision begins {'after' if self.forward else 'before'} this frame")
            return {"CANCELLED"}
        go_to_frame(context.scene, frame)
        return {"FINISHED"}


class TOUCHPOINT_OT_next_collision(Jump, bpy.types.Operator):
    """Go to the next frame in which two objects begin to collide"""

    bl_idname = "touchpoint.next_collision"
    bl_label = "Next Collision"
    bl_options = {"REGISTER"}
    forward = True


class TOUCHPOINT_OT_previous_collision(Jump, bpy.types.Operator):
    """Go to the previous frame in which two objects begin to collide"""

    bl_idname = "touchpoint.previous_collision"
    bl_label = "Previous Collision"
    bl_options = {"REGISTER"}
    forward = False


def why_no_row(context: bpy.types.Context) -> str:
    """Why there is no active pair of an animation, "" where there is one."""
    reason = OfResult.why_not(context)
    settings = getattr(context.scene, "touchpoint", None)
    if not reason and not 0 <= settings.pair_index < len(settings.result.pairs):
        return "Choose a row of the list first"
    return reason


class TOUCHPOINT_OT_preview_interval(OfResult, bpy.types.Operator):
    """Set the preview range of the timeline to the frames in which the pair of the active row meets"""

    bl_idname = "touchpoint.preview_interval"
    bl_label = "Preview Its Frames"
    bl_options = {"REGISTER", "UNDO"}

    why_not = staticmethod(why_no_row)

    def execute(self, context: bpy.types.Context) -> "Outcome":
        scene = context.scene
        settings = scene.touchpoint
        start, end = interval_of(settings.result.pairs[settings.pair_index], scene.frame_float)
        scene.use_preview_range = True
        scene.frame_preview_start, scene.frame_preview_end = int(start // 1), int(-(-end // 1))
        self.report({"INFO"}, f"Preview range: {interval(scene.frame_preview_start, scene.frame_preview_end)}")
        return {"FINISHED"}


class TOUCHPOINT_OT_gap_curve(ModalRun, bpy.types.Operator):
    """Write how far apart the objects of the active row are in each frame, below zero how deep, as an F-curve"""

    bl_idname = "touchpoint.gap_curve"
    bl_label = "Gap as Curve"
    bl_options = {"REGISTER", "UNDO"}

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        reason = why_no_row(context) or why_no_frames(context)
        if reason:
            return reason
        settings = context.scene.touchpoint
        pair = settings.result.pairs[settings.pair_index]
        if is_with_itself(pair):
            return "An object with itself has no gap: choose a row of two objects"
        gone = [side for side in "ab" if find_object(settings.result, pair, side) is None]
        return "An object of this row was deleted since" if gone else ""

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        return GapRun(context)

    def done(self, curve: "GapCurve") -> str:
        return f"{curve.pair}: gaps in {tested(curve.frames)}, the least one {min(curve.gaps):.4g}"

    def _succeed(self, curve):
        from ..write_back.gap_curve import carrier_of

        made = carrier_of(bpy.context.scene, curve.pair)
        if bpy.context.mode == "OBJECT" and made is not None and made.visible_get():
            select(bpy.context, [made])     # or the Graph Editor would not show it
        return super()._succeed(curve)


class TOUCHPOINT_OT_bake_colours(OfResult, bpy.types.Operator):
    """Key the colours of the objects, so that renders, and Blender without Touchpoint, show them; Clear removes them"""

    bl_idname = "touchpoint.bake_colours"
    bl_label = "Bake Colours"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> "Outcome":
        from ..write_back import bake_colours

        baked = bake_colours(context.scene)
        said = f"Colours of {phrases.count(baked.objects, 'object')} keyed"
        session.set_message(" ".join(left_out(baked.left_out)))
        self.report({"WARNING"} if baked.left_out else {"INFO"}, f"{said}. {session.message()}".rstrip(". "))
        return {"FINISHED"}


def left_out(reasons: dict[str, list[str]]) -> list[str]:
    """A sentence for each reason. reasons: names of objects."""
    said = []
    for reason, names in reasons.items():
        more = len(names) - LEFT_OUT_NAMED
        named = ", ".join(names[:LEFT_OUT_NAMED]) + (f" and {more:,} more" if more > 0 else "")
        said.append(f"Left out, as {reason}: {named}.")
    return said


CLASSES = (TOUCHPOINT_OT_check_animation, TOUCHPOINT_OT_next_collision, TOUCHPOINT_OT_previous_collision,
           TOUCHPOINT_OT_preview_interval, TOUCHPOINT_OT_gap_curve, TOUCHPOINT_OT_bake_colours)
