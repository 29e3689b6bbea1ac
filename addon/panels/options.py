# SPDX-License-Identifier: GPL-3.0-or-later
"""What is rarely asked for: folded, so that the list of pairs stands below the answer; the head names what is asked for
nevertheless."""
from collections.abc import Iterator
from typing import Any

import bpy

from ...core.shown import escaped
from .. import session
from ..names import name_of
from ..scene_read.instances import SURFACE_TYPES

FOLDED = ("tolerance_kind", "weld", "self_collisions", "volumes", "regions")


def draw_options(layout: Any, context: bpy.types.Context, settings: Any) -> None:
    """Of the scene (settings), and of its active object and collection."""
    header, body = layout.panel("touchpoint_options", default_closed=True)
    asked = ", ".join(asked_for(settings))
    header.label(text=f"Options: {asked}" if asked else "Options")
    if body is None:
        return
    column = body.column(align=True)
    column.enabled = session.run() is None
    _draw_of_scene(column, settings)
    _draw_own(column, context)


def asked_for(settings: Any) -> Iterator[str]:
    """Names of the options that are not as they are by default."""
    for name in FOLDED:
        option = settings.bl_rna.properties[name]
        if getattr(settings, name) != option.default:
            yield option.name


def _draw_of_scene(column, settings) -> None:
    column.prop(settings, "tolerance_kind")
    if settings.tolerance_kind == "LENGTH":
        column.prop(settings, "tolerance")
    column.prop(settings, "weld")
    column.prop(settings, "self_collisions")
    if settings.self_collisions:
        column.prop(settings, "self_reference", text="")
        if settings.self_reference == "FRAME":
            column.prop(settings, "self_reference_frame")
    column.prop(settings, "volumes")
    column.prop(settings, "regions")


def _draw_own(column, context) -> None:
    """What the active object and the active collection ask for by themselves, below their names."""
    active, collection = context.object, context.collection
    if active is not None and active.type in SURFACE_TYPES:
        _draw_owner(column, active, "OBJECT_DATA", ("shell", "clearance"))
    if collection is not None and collection != context.scene.collection:
        _draw_owner(column, collection, "OUTLINER_COLLECTION", ("clearance",))


def _draw_owner(column, owner, icon: str, names: tuple[str, ...]) -> None:
    column.separator()
    column.label(text=escaped(name_of(owner)), icon=icon)
    for name in names:
        row = column.row()
        row.enabled = owner.is_editable
        row.prop(owner.touchpoint, name)
