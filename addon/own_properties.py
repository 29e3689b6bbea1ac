# SPDX-License-Identifier: GPL-3.0-or-later
"""What objects and collections bring along for every run: properties of theirs, which are saved, copied and appended
with them."""
import bpy
from bpy.props import BoolProperty, FloatProperty, PointerProperty
from bpy.types import PropertyGroup

from . import session
from .classes import register_all, unregister_all
from .method_properties import as_typed


def _mark_outdated(_settings, _context) -> None:
    session.note_other_rules(True, False)
    for scene in bpy.data.scenes:
        session.mark_outdated(scene.touchpoint.result.run_id)


def _clearance_property(what: str):
    return FloatProperty(
        name="Own Clearance", default=0.0, min=0.0, soft_max=1.0, precision=4, subtype="DISTANCE", unit="LENGTH",
        update=_mark_outdated,
        description=f"What comes closer to {what} than this is near, also where Clearance is less. Of two objects the "
                    "larger wish counts")


class TOUCHPOINT_PG_object(PropertyGroup):
    """What is known of an object, in each scene that has it."""

    shell: BoolProperty(
        name="Shell", default=False, update=_mark_outdated,
        description="A room, a tunnel or a package: what is inside it is clear, only what meets its surface collides")
    clearance: _clearance_property("the object")


class TOUCHPOINT_PG_collection(PropertyGroup):
    """What is known of the objects of a collection and of its child collections."""

    clearance: _clearance_property("any object in the collection")


OWNERS = ((bpy.types.Object, TOUCHPOINT_PG_object), (bpy.types.Collection, TOUCHPOINT_PG_collection))


def clearance_of(thing: object) -> float:
    """The clearance that an object or a collection asks for, in Blender units; 0 for all others, and where the add-on
    is not enabled."""
    return _asked_by(getattr(thing, "touchpoint", None))


def own_of(thing: object) -> tuple[bool, float]:
    """(it is marked as a shell, `clearance_of`) of an object; (False, 0) where the add-on is not enabled."""
    settings = getattr(thing, "touchpoint", None)
    return isinstance(settings, TOUCHPOINT_PG_object) and settings.shell, _asked_by(settings)


def _asked_by(settings) -> float:
    asks = isinstance(settings, (TOUCHPOINT_PG_object, TOUCHPOINT_PG_collection))
    return as_typed(settings.clearance) if asks and settings.clearance else 0.0


def register() -> None:
    register_all(tuple(group for _, group in OWNERS))
    for owner, group in OWNERS:
        owner.touchpoint = PointerProperty(type=group)


def unregister() -> None:
    for owner, _ in OWNERS:
        del owner.touchpoint
    unregister_all(tuple(group for _, group in OWNERS))
