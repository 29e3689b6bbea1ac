# SPDX-License-Identifier: GPL-3.0-or-later
"""What is tolerated, as properties: of the settings of a scene, and of its tests."""
from typing import Any

from bpy.props import EnumProperty, FloatProperty

from ..core.tolerance import AUTOMATIC
from .method_properties import as_typed

TOLERANCES = (
    ("AUTOMATIC", "Automatic", "Flush parts touch: what the numbers that Blender stores of two objects cannot resolve "
                               "is no collision"),
    ("LENGTH", "Length", "Objects that reach into each other by no more than a length, or are no farther apart, touch"),
    ("EXACT", "Exact", "No tolerance: the verdicts of exact arithmetic on the coordinates as they are"),
)


def tolerance_kind_property() -> Any:
    return EnumProperty(name="Tolerance", description="From which depth on objects collide rather than touch",
                        items=TOLERANCES)


def tolerance_property() -> Any:
    return FloatProperty(
        name="Length", default=0.001, min=0.0, soft_max=1.0, subtype="DISTANCE", unit="LENGTH", precision=5,
        step=0.01,  # type: ignore[arg-type]
        description="Objects that reach into each other by no more than this, or are no farther apart, touch")


def tolerance_of(settings: Any) -> float | str:
    """What the settings of a scene, or a test, tolerate, as the argument of `api.detect`."""
    if settings.tolerance_kind == "AUTOMATIC":
        return AUTOMATIC
    return 0.0 if settings.tolerance_kind == "EXACT" else as_typed(settings.tolerance)
