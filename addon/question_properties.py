# SPDX-License-Identifier: GPL-3.0-or-later
"""What a question about collisions is made of, as properties: of the settings of a scene, and of its tests."""
from typing import Any

import bpy
from bpy.props import BoolProperty, FloatProperty, PointerProperty

from ..core.declarations import declarations
from .method_properties import TOUCHPOINT_PG_options, as_typed, chosen_method, method_property
from .names import can_be_tested
from .tolerance_properties import tolerance_kind_property, tolerance_of, tolerance_property


class Question:
    """Settings and tests differ in what their `scope` can be, as a selection is not kept."""

    collection_a: PointerProperty(
        name="Collection A", description="Its objects, also those of its child collections, are tested against B",
        type=bpy.types.Collection, poll=can_be_tested)
    collection_b: PointerProperty(
        name="Collection B", description="Its objects, also those of its child collections, are tested against A",
        type=bpy.types.Collection, poll=can_be_tested)
    clearance: FloatProperty(
        name="Clearance", default=0.0, min=0.0, soft_max=1.0, subtype="DISTANCE", unit="LENGTH", precision=4, step=0.1,
        description="Also find objects that do not touch but are no farther apart than this; not asked where it is 0")
    tolerance_kind: tolerance_kind_property()
    tolerance: tolerance_property()
    self_collisions: BoolProperty(
        name="Self-Collisions",
        description="Also test each object with itself: where its surface passes through itself or lies on itself. One "
                    "object is enough then")
    weld: FloatProperty(
        name="Weld Distance", default=0.0, min=0.0, soft_max=0.1, subtype="DISTANCE", unit="LENGTH", precision=5,
        step=0.01,
        description="Meshes whose borders are nowhere farther apart count as closed: what is inside them is contained. "
                    "Not asked where it is 0")
    method: method_property()
    options: PointerProperty(type=TOUCHPOINT_PG_options)


def how_asked(question: Any) -> dict:
    """How it asks for objects to be tested: clearance, tolerance, self_collisions, weld, method and options, as
    arguments of `api.detect`. Lengths are in Blender units, as they were typed."""
    return {"clearance": as_typed(question.clearance), "tolerance": tolerance_of(question),
            "self_collisions": question.self_collisions, "weld": as_typed(question.weld), **chosen_method(question)}


COPIED = ("scope", *(name for name in Question.__annotations__ if name != "options"))


def copy_question(origin: Any, target: Any) -> None:
    """Ask in `target` what `origin` asks, the options of all methods included."""
    for name in COPIED:
        setattr(target, name, getattr(origin, name))
    for each in declarations():
        for option in each.options:
            value = getattr(getattr(origin.options, each.id), option.name)
            setattr(getattr(target.options, each.id), option.name, value)
