# SPDX-License-Identifier: GPL-3.0-or-later
"""How results look: the defaults, and what the settings of a scene make of them."""
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import preferences
from .default_colours import VERDICT_COLOURS, colour_property

if TYPE_CHECKING:
    import bpy

# Of the verdicts of an object, the first one here gives the colour.
COLOURED = tuple(VERDICT_COLOURS)
EMPTIES = 200       # thousands of them slow Blender down
POINTS = 20_000     # contacts in the point mesh: more than a person can tell apart; about 50 bytes each in the file


@dataclass(frozen=True)
class Style:
    """What is shown of a result, and in which colours."""

    colours: dict[str, tuple] = field(default_factory=lambda: dict(VERDICT_COLOURS))
    colour_objects: bool = True
    show_touching: bool = False
    show_points: bool = True
    points: int = POINTS
    draw_points: bool = False
    empties: int = EMPTIES

    def is_shown(self, verdict: str) -> bool:
        """True for verdicts whose objects are coloured, and whose contacts are marked. What only touches is mostly
        meant to."""
        return verdict in COLOURED and (verdict != "touching" or self.show_touching)


def colour_of(settings: Any, verdict: str) -> tuple:
    """Linear red, green, blue of a verdict: of a scene's settings, `Scene.touchpoint`, where they have one of their
    own, else of the preferences."""
    name = colour_property(verdict)
    return tuple(getattr(settings, name)) if settings.is_property_set(name) else preferences.colour(verdict)


def style_of(scene: "bpy.types.Scene") -> Style:
    """The settings of a scene; the defaults where the add-on is not registered, as in a script."""
    settings = getattr(scene, "touchpoint", None)
    if settings is None:
        return Style()
    colours = {verdict: colour_of(settings, verdict) for verdict in VERDICT_COLOURS}
    return Style(colours, settings.colour_objects, settings.show_touching, settings.show_points,
                 settings.points, settings.draw_points, settings.empties)


def colours_are_hidden(view: "bpy.types.SpaceView3D") -> bool:
    """True when this 3D viewport (`bpy.types.SpaceView3D`) does not draw objects in their own colours."""
    return view.shading.type != "SOLID" or view.shading.color_type != "OBJECT"
