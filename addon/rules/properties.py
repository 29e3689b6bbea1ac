# SPDX-License-Identifier: GPL-3.0-or-later
"""What is saved of rules with a scene (`Scene.touchpoint.rules`, and those of its tests)."""
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup

from ...core.rules.rule import ASSEMBLY, COLLECTIONS, JOINTS, MOST_REASON, PAIRS, PARENTS
from ...core.shown import escaped
from .. import session
from ..names import can_be_tested, name_of
from ..scene_read.names import library_path

# Files keep the numbers.
KIND_ITEMS = (
    (COLLECTIONS, "Collections", "The objects of one collection and those of another one, or of one among themselves",
     "NONE", 0),
    (PARENTS, "Parents and Children", "An object and the next of its parents that is tested", "NONE", 1),
    (ASSEMBLY, "Rigs and Assemblies", "Objects with the same armature or the same top parent, and the parts of one "
                                      "collection instance", "NONE", 2),
    (JOINTS, "Joints", "Objects on the same bone or empty, on two that follow one another, or joined by a constraint",
     "NONE", 3),
    (PAIRS, "Pairs", "Pairs of objects, each by itself", "NONE", 4),
)

TESTS = "touchpoint.tests["       # how the path of a test begins, and of its rules

THIS_FRAME, REST_POSE, FRAMES = "FRAME", "REST", "FRAMES"
LEARN_ITEMS = (
    (THIS_FRAME, "This Frame", "Pairs that meet now are normal"),
    (REST_POSE, "Rest Pose", "Pairs that meet while all armatures are in their rest pose are normal"),
    (FRAMES, "Frames", "Pairs that meet in any of some frames, spread over the scene's range, are normal"),
)


def _outdate(rule, _context) -> None:
    if not session.is_writing():
        mark_outdated(rule)


def mark_outdated(changed: Any) -> None:
    """A rule or a list of rules was changed: a result that was found with such rules, those of the scene or those of a
    test, is outdated."""
    settings = getattr(changed.id_data, "touchpoint", None)
    if settings is None:
        return
    of_test = changed.path_from_id().startswith(TESTS)
    session.note_other_rules(of_test)
    if of_test == bool(settings.result.rules_of):
        session.mark_outdated(settings.result.run_id)


def _chosen(side: str):
    """An update callback: keep the name of the collection beside it, for when it is missing."""
    def update(rule, context) -> None:
        collection = getattr(rule, f"collection_{side}")
        setattr(rule, f"name_{side}", "" if collection is None else escaped(name_of(collection)))
        setattr(rule, f"library_{side}", "" if collection is None else escaped(library_path(collection) or ""))
        _outdate(rule, context)

    return update


class TOUCHPOINT_PG_rule_pair(PropertyGroup):
    """Two objects. The names are those that they had when the rule was made: they count where an object is missing."""

    object_a: PointerProperty(name="A", description="One object of the pair", type=bpy.types.Object)
    name_a: StringProperty()
    library_a: StringProperty()
    instance_a: StringProperty()    # one of the instances that it makes; "": all of it
    alone_a: BoolProperty()         # the object itself, without those that it makes
    object_b: PointerProperty(name="B", description="The other object of the pair", type=bpy.types.Object)
    name_b: StringProperty()
    library_b: StringProperty()
    instance_b: StringProperty()
    alone_b: BoolProperty()


class TOUCHPOINT_PG_rule(PropertyGroup):
    """One rule; `core.rules.Rule` says what it means."""

    name: StringProperty(name="Reason", description="Why these pairs are normal; reports say it", maxlen=MOST_REASON)
    kind: EnumProperty(name="Kind", description="Which pairs the rule concerns", items=KIND_ITEMS,
                       update=_outdate)
    enabled: BoolProperty(name="On", description="Ask this rule", default=True, update=_outdate)
    is_tested: BoolProperty(
        name="Allowed Depth", default=False, update=_outdate,
        description="Test these pairs, and take away only those that are no deeper than this; else they are not tested")
    allowed_depth: FloatProperty(
        name="Allowed Depth", description="So deep these objects may reach into each other", default=0.0, min=0.0,
        soft_max=1.0, subtype="DISTANCE", unit="LENGTH", precision=4, step=0.1, update=_outdate)
    collection_a: PointerProperty(
        name="Collection A", description="Its objects, also those of its child collections",
        type=bpy.types.Collection, poll=can_be_tested, update=_chosen("a"))
    name_a: StringProperty()
    library_a: StringProperty()
    collection_b: PointerProperty(
        name="Collection B", description="Its objects, also those of its child collections; the same as A for the "
        "objects of one collection among themselves", type=bpy.types.Collection, poll=can_be_tested,
        update=_chosen("b"))
    name_b: StringProperty()
    library_b: StringProperty()
    pairs: CollectionProperty(type=TOUCHPOINT_PG_rule_pair)


class RuleList:
    """What has rules of its own: the settings of a scene, and tests."""

    rules: CollectionProperty(type=TOUCHPOINT_PG_rule)
    rule_index: IntProperty(name="Active Rule", description="Show this rule", default=-1)


CLASSES = (TOUCHPOINT_PG_rule_pair, TOUCHPOINT_PG_rule)
