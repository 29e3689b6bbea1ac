# SPDX-License-Identifier: GPL-3.0-or-later
"""Why?"""
from typing import TYPE_CHECKING

import bpy

from .. import session
from ..question_properties import how_asked
from ..rules.kept import kept_rules
from ..run import scope_of
from ..why import WhyRun, how_measured
from .modal import ModalRun, why_not

if TYPE_CHECKING:
    from ..pumped_run import PumpedRun


class Explaining(ModalRun):
    """What both operators do that explain two selected objects: Blender finds no class that was registered and is
    inherited from."""

    def done(self, answer: list[str]) -> str:
        session.set_message(" ".join(answer))
        return session.message()


def why_not_two(context: bpy.types.Context) -> str:
    """Why nothing can be said of the selected objects, "" where they are two."""
    return "" if len(context.view_layer.objects.selected) == 2 else "Select two objects"


def two_selected(context: bpy.types.Context) -> tuple[int, int]:
    """Their session_uid."""
    first, second = (each.session_uid for each in context.view_layer.objects.selected)
    return first, second


class TOUCHPOINT_OT_why(Explaining, bpy.types.Operator):
    """Say of the two selected objects what decides whether they are in the results: a rule, their boxes or their
    surfaces, and how far they are apart or how deep they are. Nothing is changed"""

    bl_idname = "touchpoint.why"
    bl_label = "Why?"
    bl_options = {"REGISTER"}

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        return why_not(context) or why_not_two(context)

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        scene = context.scene
        return WhyRun(context, {**scope_of(scene), "rules": kept_rules(scene)}, two_selected(context),
                      **how_measured(how_asked(scene.touchpoint)))
