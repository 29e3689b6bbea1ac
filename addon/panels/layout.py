# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels share."""
import textwrap


class Sidebar:
    """Where the panels of Touchpoint stand."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
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
