# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths as texts."""
import bpy

from . import phrases

LENGTH_FIGURES = 4      # of a length in a sentence: as much as a person can use
COLUMN_FIGURES = 3      # … and in a column, or beside an arrow


def length_text(length: float, unit_scale: float, figures: int = LENGTH_FIGURES) -> str:
    """As the scene's units are set. Blender writes less than a thousandth of a millimetre as 0. unit_scale: metres per
    unit of length. figures: how many at most."""
    units, metres = bpy.context.scene.unit_settings, length * unit_scale
    if units.system == "NONE":
        return f"{length:.{figures}g}"
    if 0.0 < metres < 1e-6:
        return phrases.length(metres)
    return bpy.utils.units.to_string(units.system, "LENGTH", metres, precision=figures)
