# SPDX-License-Identifier: GPL-3.0-or-later
"""What is saved of tests with a scene (`Scene.touchpoint.tests`)."""
from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import PropertyGroup

from ..question_properties import Question
from ..rules.properties import RuleList

NEW_NAME = "Test"
VISIBLE, COLLECTIONS = "VISIBLE", "COLLECTIONS"
NOT_RUN = -1
# Files keep the numbers.
TEST_SCOPES = (
    (VISIBLE, "Visible", "Test all visible objects of the view layer against each other", "NONE", 0),
    (COLLECTIONS, "Collections", "Test the objects of one collection against those of another", "NONE", 1),
)


OF_SCENE, WITHOUT_RULES, OWN_RULES = "SCENE", "NONE", "OWN"
# Files keep the numbers.
RULES_ITEMS = (
    (OF_SCENE, "Of the Scene", "The rules in the panel Rules take pairs away", "NONE", 0),
    (WITHOUT_RULES, "None", "No rule takes pairs away", "NONE", 1),
    (OWN_RULES, "Own", "The test has a list of rules of its own, and no others take pairs away", "NONE", 2),
)


def _make_unique(test, _context) -> None:
    """Names are what --test takes, so no two tests have the same, and none has no name."""
    others = {each.name for each in test.id_data.touchpoint.tests if each != test}
    name = stem = test.name or NEW_NAME
    number = 2
    while name in others:
        name, number = f"{stem} ({number})", number + 1
    if name != test.name:
        test.name = name


class TOUCHPOINT_PG_test(Question, RuleList, PropertyGroup):
    """One test; `name` is what the list and --test call it. `rules` count where `asked_rules` is OWN_RULES. `code`,
    `line` and `frame`: how it ended the last time, and at which frame."""

    name: StringProperty(name="Name", description="What the list and --test call it", update=_make_unique)
    scope: EnumProperty(name="Scope", description="Which objects are tested", items=TEST_SCOPES)
    asked_rules: EnumProperty(name="Rules", description="Which rules take pairs away that are normal",
                              items=RULES_ITEMS)
    frames: StringProperty(
        name="Frames", description="Which frames are tested: 1, 12.5, 20:40, 1:250:10; empty for the current one")
    code: IntProperty(default=NOT_RUN)      # exit code of the command line
    line: StringProperty()
    frame: FloatProperty()


CLASSES = (TOUCHPOINT_PG_test,)
