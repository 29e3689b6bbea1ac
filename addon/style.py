# SPDX-License-Identifier: GPL-3.0-or-later
"""How results look: the defaults, and what the settings of a scene make of them."""
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import bpy

# Linear red, green, blue, by word of core.report.VERDICTS. Told apart from each other, from white, and from the orange
# of Blender's selection with any kind of colour vision: at least 18 apart in CIELAB.
VERDICT_COLOURS = {
    "crossing": (0.35, 0.01, 0.09),
    "overlap": (1.00, 0.12, 0.65),
    "contained": (0.04, 0.22, 0.92),
    "cannot tell": (0.03, 0.01, 0.07),
    "touching": (0.03, 0.45, 0.21),
    "near": (1.00, 0.82, 0.01),
}
# Of the verdicts of an object, the first one here gives the colour.
WORST_FIRST = tuple(VERDICT_COLOURS)
EMPTIES = 200       # thousands of them slow Blender down
POINTS = 100_000    # contacts in the point mesh: more than a person can tell apart; about 50 bytes each in the file


def colour_property(verdict: str) -> str:
    """Name of the scene setting with the colour of a verdict."""
    return "colour_" + verdict.replace(" ", "_")


@dataclass(frozen=True)
class Style:
    """What is shown of a result, and in which colours."""

    colours: dict[str, tuple] = field(default_factory=lambda: dict(VERDICT_COLOURS))
    colour_objects: bool = True
    colour_touching_objects: bool = False
    show_points: bool = True
    points: int = POINTS
    empties: int = EMPTIES

    def is_coloured(self, verdict: str) -> bool:
        """True for verdicts that objects are coloured for."""
        return verdict in WORST_FIRST and (verdict != "touching" or self.colour_touching_objects)


def style_of(scene: "bpy.types.Scene") -> Style:
    """The settings of a scene; the defaults where the add-on is not registered, as in a script."""
    settings = getattr(scene, "touchpoint", None)
    if settings is None:
        return Style()
    colours = {verdict: tuple(getattr(settings, colour_property(verdict))) for verdict in VERDICT_COLOURS}
    return Style(colours, settings.colour_objects, settings.colour_touching_objects, settings.show_points,
                 settings.points, settings.empties)


def colours_are_hidden(view: "bpy.types.SpaceView3D") -> bool:
    """True when this 3D viewport (`bpy.types.SpaceView3D`) does not draw objects in their own colours."""
    return view.shading.type != "SOLID" or view.shading.color_type != "OBJECT"
