# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels share."""
import textwrap
from typing import Any

import bpy

from .. import staleness
from ..operators.modal import progress_text

# Squares in the colours of Blender's theme that come nearest to those of the verdicts; renamed in Blender 4.4.
_ALL_ICONS = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items  # type: ignore[attr-defined]
_SQUARE = "STRIP_COLOR_0{}" if "STRIP_COLOR_01" in _ALL_ICONS else "SEQUENCE_COLOR_0{}"
ICONS = {verdict: _SQUARE.format(number) for verdict, number in {
    "crossing": 1, "overlap": 7, "contained": 6, "cannot tell": 5, "touching": 2, "near": 3}.items()}


CHANGED = "FILE_REFRESH"    # beside what is not as it was tested
AGAIN = {"touchpoint.detect": "Detect Again", "touchpoint.check_animation": "Check Again",
         "touchpoint.compare": "Compare Again"}


class Sidebar:
    """Where the panels of Touchpoint stand."""

    bl_space_type: Any = "VIEW_3D"
    bl_region_type: Any = "UI"
    bl_category = "Touchpoint"


def paragraph(layout, context, text: str, icon: str = "NONE") -> None:
    """A text over as many lines as the width of the sidebar takes; the icon stands before the first."""
    scale = context.preferences.system.ui_scale
    letters = max(int((context.region.width / scale - 50) / 6.2), 16)
    column = layout.column(align=True)
    column.scale_y = 0.8
    for line in textwrap.wrap(text, letters - 3 * (icon != "NONE")):
        column.label(text=line, icon=icon)
        icon = "BLANK1" if icon != "NONE" else "NONE"


def draw_changes(layout, context, kept, operator: str) -> None:
    """What has changed since a result, or a comparison, was found, and the way to a new one. operator: its id."""
    if not staleness.is_stale(kept):
        return
    box = layout.box().column(align=True)
    box.alert = True
    for sentence in staleness.sentences(kept):
        paragraph(box, context, sentence, CHANGED)
    box.operator(operator, text=AGAIN[operator], icon=CHANGED)


def progress(layout, run) -> None:
    """How far a run is, and Cancel."""
    column = layout.column(align=True)
    column.progress(text=progress_text(run), factor=run.progress.fraction)
    column.operator("touchpoint.cancel", text="Cancel (Esc)", icon="X")
