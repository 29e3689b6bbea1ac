# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels share."""
import textwrap
from typing import Any

import bpy

from ..operators.modal import progress_text

# Squares in the colours of Blender's theme that come nearest to those of the verdicts; renamed in Blender 4.4.
_ALL_ICONS = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items  # type: ignore[attr-defined]
_SQUARE = "STRIP_COLOR_0{}" if "STRIP_COLOR_01" in _ALL_ICONS else "SEQUENCE_COLOR_0{}"
ICONS = {verdict: _SQUARE.format(number) for verdict, number in {
    "crossing": 1, "overlap": 7, "contained": 6, "cannot tell": 5, "touching": 2, "near": 3}.items()}


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


def progress(layout, run) -> None:
    """How far a run is, and Cancel."""
    column = layout.column(align=True)
    column.progress(text=progress_text(run), factor=run.progress.fraction)
    column.operator("touchpoint.cancel", text="Cancel (Esc)", icon="X")


def draw_walk(layout) -> None:
    """From pair to pair, and back to the view from before."""
    row = layout.row(align=True)
    row.operator("touchpoint.previous_pair", text="Previous", icon="TRIA_UP")
    row.operator("touchpoint.next_pair", text="Next", icon="TRIA_DOWN")
    row.operator("touchpoint.go_back", icon="LOOP_BACK")
