# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths as texts."""
import bpy

from . import phrases


def length_text(length: float, unit_scale: float) -> str:
    """As the scene's units are set. Blender writes less than a thousandth of a millimetre as 0. unit_scale: metres per
    unit of length."""
    units, metres = bpy.context.scene.unit_settings, length * unit_scale
    if units.system == "NONE":
        return f"{length:.4g}"
    if 0.0 < metres < 1e-6:
        return phrases.length(metres)
    return bpy.utils.units.to_string(units.system, "LENGTH", metres, precision=4)
