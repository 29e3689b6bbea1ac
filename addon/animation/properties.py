# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames are checked, and what of them, as properties of a scene and of its results."""
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty
from bpy.types import PropertyGroup

from . import strip_drawing
from .frames import RANGE_ITEMS
from .strips import MOST


class TOUCHPOINT_PG_animation(PropertyGroup):
    """Settings of Check Animation."""

    range: EnumProperty(name="Frames", description="Which frames are checked", items=RANGE_ITEMS)
    first: IntProperty(name="First", description="First frame that is checked", default=1)
    last: IntProperty(name="Last", description="No frame after this one is checked", default=250)
    step: FloatProperty(
        name="Step", default=1.0, min=0.001, soft_min=0.1, soft_max=100.0, precision=3, step=100,
        description="From one checked frame to the next; less than 1 checks between frames, too")
    continuous: BoolProperty(
        name="Between Frames", default=False,
        description="Also find what meets between two checked frames, or comes within its clearance, and when: nothing "
                    "is missed where objects move straight, turn evenly and deform linearly from one to the next. What "
                    "touches in a frame is tested at moments in between. Takes longer")
    markers: BoolProperty(
        name="Markers", default=True,
        description="Put a marker on the timeline wherever a pair first meets; Clear removes them")
    strips: BoolProperty(
        name="Strips", default=True, update=strip_drawing.redraw,
        description=f"Show in Timeline and Dope Sheet when the first {MOST} pairs of the list meet, a row for each, in "
                    "the colours of the objects")


class TOUCHPOINT_PG_marker(PropertyGroup):
    """A marker of a result: `name` is that of the marker."""


CLASSES = (TOUCHPOINT_PG_animation, TOUCHPOINT_PG_marker)
