# SPDX-License-Identifier: GPL-3.0-or-later
"""What is saved of tests with a scene (`Scene.touchpoint.tests`)."""
import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ..method_properties import TOUCHPOINT_PG_options, method_property
from ..names import is_result
from ..tolerance_properties import tolerance_kind_property, tolerance_property

VISIBLE, COLLECTIONS = "VISIBLE", "COLLECTIONS"
NOT_RUN = -1
# Files keep the numbers.
SCOPES = (
    (VISIBLE, "Visible", "Test all visible objects of the view layer against each other", "NONE", 0),
    (COLLECTIONS, "Collections", "Test the objects of one collection against those of another", "NONE", 1),
)


def _is_input(_test, collection) -> bool:
    return not is_result(collection)


def _make_unique(test, _context) -> None:
    """Names are what --test takes, so no two tests have the same."""
    others = {each.name for each in test.id_data.touchpoint.tests if each != test}
    if test.name in others:
        stem, number = test.name, 2
        while (name := f"{stem} ({number})") in others:
            number += 1
        test.name = name


class TOUCHPOINT_PG_test(PropertyGroup):
    """One test; `name` is what the list and --test call it. `code` and `line`: how it ended the last time."""

    name: StringProperty(name="Name", description="What the list and --test call it", update=_make_unique)
    scope: EnumProperty(name="Scope", description="Which objects are tested", items=SCOPES)
    collection_a: PointerProperty(
        name="Collection A", description="Its objects, also those of its child collections, are tested against B",
        type=bpy.types.Collection, poll=_is_input)
    collection_b: PointerProperty(
        name="Collection B", description="Its objects, also those of its child collections, are tested against A",
        type=bpy.types.Collection, poll=_is_input)
    clearance: FloatProperty(
        name="Clearance", default=0.0, min=0.0, soft_max=1.0, subtype="DISTANCE", unit="LENGTH", precision=4, step=0.1,
        description="Also find objects that do not touch but are no farther apart than this; not asked where it is 0")
    tolerance_kind: tolerance_kind_property()
    tolerance: tolerance_property()
    method: method_property()
    options: PointerProperty(type=TOUCHPOINT_PG_options)
    ask_rules: BoolProperty(name="Rules", description="Take away what the rules of the scene call normal", default=True)
    frames: StringProperty(
        name="Frames", description="Which frames are tested: 1, 12.5, 20:40, 1:250:10; empty for the current one")
    code: IntProperty(default=NOT_RUN)      # exit code of the command line
    line: StringProperty()


CLASSES = (TOUCHPOINT_PG_test,)
