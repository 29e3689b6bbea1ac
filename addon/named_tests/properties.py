# SPDX-License-Identifier: GPL-3.0-or-later
"""What is saved of tests with a scene (`Scene.touchpoint.tests`)."""
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from bpy.types import PropertyGroup

from ..question_properties import Question

VISIBLE, COLLECTIONS = "VISIBLE", "COLLECTIONS"
NOT_RUN = -1
# Files keep the numbers.
TEST_SCOPES = (
    (VISIBLE, "Visible", "Test all visible objects of the view layer against each other", "NONE", 0),
    (COLLECTIONS, "Collections", "Test the objects of one collection against those of another", "NONE", 1),
)


def _make_unique(test, _context) -> None:
    """Names are what --test takes, so no two tests have the same."""
    others = {each.name for each in test.id_data.touchpoint.tests if each != test}
    if test.name in others:
        stem, number = test.name, 2
        while (name := f"{stem} ({number})") in others:
            number += 1
        test.name = name


class TOUCHPOINT_PG_test(Question, PropertyGroup):
    """One test; `name` is what the list and --test call it. `code` and `line`: how it ended the last time."""

    name: StringProperty(name="Name", description="What the list and --test call it", update=_make_unique)
    scope: EnumProperty(name="Scope", description="Which objects are tested", items=TEST_SCOPES)
    ask_rules: BoolProperty(name="Rules", description="Take away what the rules of the scene call normal", default=True)
    frames: StringProperty(
        name="Frames", description="Which frames are tested: 1, 12.5, 20:40, 1:250:10; empty for the current one")
    code: IntProperty(default=NOT_RUN)      # exit code of the command line
    line: StringProperty()


CLASSES = (TOUCHPOINT_PG_test,)
