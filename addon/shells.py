# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects are shells: a property of theirs, which is saved, copied and appended with them."""
import bpy
from bpy.props import BoolProperty, PointerProperty
from bpy.types import PropertyGroup

from . import session


def _mark_outdated(_settings, _context) -> None:
    for scene in bpy.data.scenes:
        session.mark_outdated(scene.touchpoint.result.run_id)  # type: ignore[attr-defined]


class TOUCHPOINT_PG_object(PropertyGroup):
    """What is known of an object, in each scene that has it."""

    shell: BoolProperty(
        name="Shell", default=False, update=_mark_outdated,
        description="A room, a tunnel or a package: what is inside it is clear, only what meets its surface collides")


def is_shell(thing) -> bool:
    """True for an object that is marked as a shell; False for all others, and where the add-on is not enabled."""
    settings = getattr(thing, "touchpoint", None)
    return isinstance(settings, TOUCHPOINT_PG_object) and settings.shell


def register() -> None:
    bpy.utils.register_class(TOUCHPOINT_PG_object)
    bpy.types.Object.touchpoint = PointerProperty(type=TOUCHPOINT_PG_object)  # type: ignore[attr-defined]


def unregister() -> None:
    del bpy.types.Object.touchpoint  # type: ignore[attr-defined]
    bpy.utils.unregister_class(TOUCHPOINT_PG_object)
