# SPDX-License-Identifier: GPL-3.0-or-later
"""Which self-collisions are listed, as properties of the settings of a scene."""
from typing import Any

from bpy.props import EnumProperty, IntProperty

REST = "REST"
SELF_REFERENCES = (
    ("ALL", "All", "List all self-collisions"),
    (REST, "Not in Rest Pose", "List those that are not there in the rest pose of all armatures"),
    ("FRAME", "Not at Frame", "List those that are not there at a frame"),
)


def self_reference_property() -> Any:
    return EnumProperty(
        name="Self-Collisions", items=SELF_REFERENCES,
        description="Which self-collisions are listed. Live lists all")


def self_reference_frame_property() -> Any:
    return IntProperty(name="Frame", default=1, description="What collides with itself at this frame is not listed")


def reference_of(settings: Any) -> str | float | None:
    """Which pose the settings of a scene compare self-collisions with, as the argument of `api.detect`."""
    if not settings.self_collisions or settings.self_reference == "ALL":
        return None
    return REST if settings.self_reference == REST else float(settings.self_reference_frame)
