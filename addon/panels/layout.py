# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels share."""
import re
import textwrap
from typing import TYPE_CHECKING, Any

from .. import staleness
from ..operators.modal import left_text
from .widths import BESIDE_PANEL, LETTER

if TYPE_CHECKING:
    import bpy

    from ..pumped_run import PumpedRun

UNIT = re.compile(r"(?<=\d) (?=[^\W\d_]{1,2}\b)")      # the space before one: it is written with a letter or two
KEPT_TOGETHER = "\u00a0"        # a space at which no line ends
CHANGED = "FILE_REFRESH"    # beside what is not as it was tested
AGAIN = {"touchpoint.detect": "Detect Again", "touchpoint.check_animation": "Check Again",
         "touchpoint.compare": "Compare Again"}


class Sidebar:
    """Where the panels of Touchpoint stand."""

    bl_space_type: Any = "VIEW_3D"
    bl_region_type: Any = "UI"
    bl_category = "Touchpoint"


def paragraph(layout: "bpy.types.UILayout", context: "bpy.types.Context", text: str, icon: str | int = "NONE") -> None:
    """A text over as many lines as the width of the sidebar takes; the icon, a name or the number of a square, stands
    before the first."""
    scale = context.preferences.system.ui_scale
    letters = max(int((context.region.width / scale - BESIDE_PANEL) / LETTER), 16)
    column = layout.column(align=True)
    column.scale_y = 0.8
    for line in lines_of(text, letters - 3 * (icon != "NONE")):
        label(column, line, icon)
        icon = "BLANK1" if icon != "NONE" else "NONE"


def lines_of(text: str, letters: int) -> list[str]:
    """A text in lines of at most so many letters. Numbers stay with their units."""
    return [line.replace(KEPT_TOGETHER, " ") for line in textwrap.wrap(UNIT.sub(KEPT_TOGETHER, text), letters)]


def label(layout: "bpy.types.UILayout", text: str, icon: str | int) -> None:
    """icon: its name, or the number of a square."""
    if isinstance(icon, int):
        layout.label(text=text, icon_value=icon)
    else:
        layout.label(text=text, icon=icon)  # type: ignore[arg-type]


def draw_changes(layout: "bpy.types.UILayout", context: "bpy.types.Context", kept: Any, operator: str) -> None:
    """What has changed since a result, or a comparison, was found, and the way to a new one. operator: its id."""
    if not staleness.is_stale(kept):
        return
    box = layout.box().column(align=True)
    said = box.column(align=True)
    said.alert = True
    for sentence in staleness.sentences(kept):
        paragraph(said, context, sentence, CHANGED)
    box.operator(operator, text=AGAIN[operator], icon=CHANGED)  # type: ignore[arg-type]


def progress(layout: "bpy.types.UILayout", run: "PumpedRun") -> None:
    """How far a run is, how long it will still take, and Cancel."""
    column = layout.column(align=True)
    column.progress(factor=run.progress.fraction, text=left_text(run))
    column.operator("touchpoint.cancel", text="Cancel (Esc)", icon="X")


def draw_walk(layout: "bpy.types.UILayout") -> None:
    """From pair to pair, and back to the view from before."""
    row = layout.row(align=True)
    row.operator("touchpoint.previous_pair", text="Previous", icon="TRIA_UP")
    row.operator("touchpoint.next_pair", text="Next", icon="TRIA_DOWN")
    row.operator("touchpoint.go_back", icon="LOOP_BACK")
