# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of rules: add, remove, move, ignore a pair of the results, import and export."""
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from ...core.errors import Refused, TouchpointError
from ...core.rules import Ref, Rule, read_rules, write_rules
from ...core.rules.rule import PAIRS
from .. import phrases, session
from ..listed import find_object
from ..named_tests.properties import OWN_RULES
from ..rules.kept import add_rules, new_rule, rules_of_list
from ..rules.properties import KIND_ITEMS, mark_outdated
from ..scene_read import metres_per_unit
from ..scene_read.relations import instance_in_ref, ref_of
from .reasoned import Reasoned
from .select_pair import is_with_itself

if TYPE_CHECKING:
    from .reasoned import Outcome

NO_ACTIVE_RULE, NO_RULES_YET = "No rule is chosen in the list", "There are no rules"
TEST_OF_MENU = "touchpoint_test"        # pointer of a layout: menus below it are about the active test


class RuleOperator(Reasoned):
    """What the operators share: they change the list of the current scene."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        if context.scene is None:
            return "There is no scene"
        if context.scene.library is not None:
            return "The scene is linked from another file"
        if session.run() is not None:
            return f"{session.run().title} is running"
        return ""


class OfRuleList(RuleOperator):
    """Those that concern the rules of the scene, or of one of its tests."""

    test: IntProperty(name="Test", description="Row of the list of tests, from 0, whose own rules are meant; -1 for "
                      "those of the scene", min=-1, default=-1, options={"SKIP_SAVE"})

    def holder(self, context: bpy.types.Context) -> Any:
        """What has the rules. Raises Refused where there is no such test."""
        settings = context.scene.touchpoint
        if self.test < 0:
            return settings
        if self.test >= len(settings.tests):
            raise Refused(f"There is no test {self.test}: the list has {len(settings.tests):,}.")
        return settings.tests[self.test]

    def execute(self, context: bpy.types.Context) -> "Outcome":
        try:
            return self.change(context, self.holder(context))
        except (TouchpointError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}

    @abstractmethod
    def change(self, context: bpy.types.Context, holder: Any) -> "Outcome":
        """Do it. May raise TouchpointError or OSError."""


class OfActiveRule(OfRuleList):
    """Those that concern the active rule."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        reason = super().why_not(context)
        if not reason and not any(map(has_active_rule, lists_of_rules(context))):
            return NO_ACTIVE_RULE
        return reason

    def change(self, context: bpy.types.Context, holder: Any) -> "Outcome":
        if not has_active_rule(holder):
            self.report({"WARNING"}, NO_ACTIVE_RULE)
            return {"CANCELLED"}
        return self.change_active(holder)

    @abstractmethod
    def change_active(self, holder: Any) -> "Outcome":
        """Do it to the active rule, which there is."""


def lists_of_rules(context: bpy.types.Context) -> list[Any]:
    """What has rules: the settings of the scene, and its tests. Which one is meant, no context says."""
    settings = context.scene.touchpoint
    return [settings, *settings.tests]


def has_active_rule(holder: Any) -> bool:
    """True where one is chosen in the list."""
    return 0 <= holder.rule_index < len(holder.rules)


class OfFile(RuleOperator):
    """Those that ask for a file first."""

    filepath: StringProperty(name="File", subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> "Outcome":
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}


class TOUCHPOINT_OT_add_rule(OfRuleList, bpy.types.Operator):
    """Add a rule: pairs of this kind are normal, and are taken away from the results"""

    bl_idname = "touchpoint.add_rule"
    bl_label = "Add Rule"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(name="Kind", items=KIND_ITEMS, default=KIND_ITEMS[0][0])

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: Any) -> str:
        return next(text for name, _, text, *_ in KIND_ITEMS if name == properties.kind)

    def change(self, context: bpy.types.Context, holder: Any) -> "Outcome":
        if self.kind != PAIRS:
            new_rule(holder, self.kind)
            return {"FINISHED"}
        chosen = context.view_layer.objects.selected
        if len(chosen) != 2:
            self.report({"WARNING"}, f"Select the two objects of the pair: {len(chosen)} are selected")
            return {"CANCELLED"}
        a, b = (ref_of(each) for each in chosen)
        add_rules(holder, [Rule(PAIRS, pairs=((a, b),))])
        return {"FINISHED"}


class TOUCHPOINT_OT_remove_rule(OfActiveRule, bpy.types.Operator):
    """Remove the active rule"""

    bl_idname = "touchpoint.remove_rule"
    bl_label = "Remove Rule"
    bl_options = {"REGISTER", "UNDO"}

    def change_active(self, holder: Any) -> "Outcome":
        holder.rules.remove(holder.rule_index)
        holder.rule_index = min(holder.rule_index, len(holder.rules) - 1)
        mark_outdated(holder)
        return {"FINISHED"}


class TOUCHPOINT_OT_move_rule(OfActiveRule, bpy.types.Operator):
    """Move the active rule in the list: the first rule that concerns a pair decides about it"""

    bl_idname = "touchpoint.move_rule"
    bl_label = "Move Rule"
    bl_options = {"REGISTER", "UNDO"}

    direction: EnumProperty(name="Direction", items=(("UP", "Up", "Ask it earlier"), ("DOWN", "Down", "Ask it later")))

    def change_active(self, holder: Any) -> "Outcome":
        to = holder.rule_index + (-1 if self.direction == "UP" else 1)
        if not 0 <= to < len(holder.rules):
            return {"CANCELLED"}
        holder.rules.move(holder.rule_index, to)
        holder.rule_index = to
        mark_outdated(holder)
        return {"FINISHED"}


class TOUCHPOINT_OT_ignore_pair(RuleOperator, bpy.types.Operator):
    """Add a rule for this pair: it is normal. From the next run on it is taken away. Where a test with rules of its own
    is shown, it becomes one of these"""

    bl_idname = "touchpoint.ignore_pair"
    bl_label = "Ignore This Pair"
    bl_options = {"REGISTER", "UNDO"}

    index: IntProperty(name="Row", description="Row of the list, from 0; -1 for the active one", min=-1, default=-1)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        reason = super().why_not(context)
        if not reason and not context.scene.touchpoint.result.pairs:
            return "There are no pairs: run Detect first"
        return reason

    def execute(self, context: bpy.types.Context) -> "Outcome":
        settings = context.scene.touchpoint
        index = settings.pair_index if self.index < 0 else self.index
        if not 0 <= index < len(settings.result.pairs):
            self.report({"WARNING"}, "No pair is chosen in the list")
            return {"CANCELLED"}
        pair = settings.result.pairs[index]
        if is_with_itself(pair):
            self.report({"WARNING"}, "Rules are about two objects. Switch off Self-Collisions to test none with itself")
            return {"CANCELLED"}
        refs = []
        for side in "ab":
            found = find_object(settings.result, pair, side)
            if found is None:
                self.report({"WARNING"}, f"Deleted since: {getattr(pair, f'object_{side}')}")
                return {"CANCELLED"}
            ref = ref_of(found)
            refs.append(Ref(ref.name, ref.library, instance_in_ref(found, getattr(pair, f"instance_{side}"))))
        if refs[0] == refs[1]:
            self.report({"WARNING"}, "An object with itself is no pair: no rule takes it away")
            return {"CANCELLED"}
        test = settings.tests.get(settings.result.rules_of) if settings.result.rules_of else None
        holder = test if test is not None and test.asked_rules == OWN_RULES else settings
        add_rules(holder, [Rule(PAIRS, pairs=((refs[0], refs[1]),))])
        return {"FINISHED"}


class TOUCHPOINT_OT_import_rules(OfFile, OfRuleList, bpy.types.Operator):
    """Append the rules of a JSON file to the list"""

    bl_idname = "touchpoint.import_rules"
    bl_label = "Import Rules"
    bl_options = {"REGISTER", "UNDO"}

    def change(self, context: bpy.types.Context, holder: Any) -> "Outcome":
        rules = read_rules(bpy.path.abspath(self.filepath), metres_per_unit(context.scene))
        add_rules(holder, rules)
        self.report({"INFO"}, f"{phrases.count(len(rules), 'rule')} imported")
        return {"FINISHED"}


class TOUCHPOINT_OT_export_rules(OfFile, OfRuleList, bpy.types.Operator):
    """Write the rules of the list as a JSON file, for other scenes and for the command line"""

    bl_idname = "touchpoint.export_rules"
    bl_label = "Export Rules"
    bl_options = {"REGISTER"}

    check_existing: BoolProperty(default=True, options={"HIDDEN"})

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        reason = super().why_not(context)
        return reason or ("" if any(len(each.rules) for each in lists_of_rules(context)) else NO_RULES_YET)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> "Outcome":
        self.filepath = "rules.json"
        return super().invoke(context, event)

    def change(self, context: bpy.types.Context, holder: Any) -> "Outcome":
        if not holder.rules:
            raise Refused(NO_RULES_YET)
        rules = list(dict.fromkeys(rules_of_list(holder)))      # a file has each rule once
        write_rules(rules, bpy.path.abspath(self.filepath), metres_per_unit(context.scene))
        self.report({"INFO"}, f"{phrases.count(len(rules), 'rule')} exported")
        return {"FINISHED"}


class TOUCHPOINT_MT_add_rule(bpy.types.Menu):
    bl_idname = "TOUCHPOINT_MT_add_rule"
    bl_label = "Add Rule"

    def draw(self, context: bpy.types.Context) -> None:
        for kind, title, *_ in KIND_ITEMS:
            text = "Selected Pair" if kind == PAIRS else title
            add = self.layout.operator(TOUCHPOINT_OT_add_rule.bl_idname, text=text)
            add.kind, add.test = kind, _test_of_menu(context)


class TOUCHPOINT_MT_rules(bpy.types.Menu):
    bl_idname = "TOUCHPOINT_MT_rules"
    bl_label = "Rules"

    def draw(self, context: bpy.types.Context) -> None:
        layout, test = self.layout, _test_of_menu(context)
        layout.operator(TOUCHPOINT_OT_import_rules.bl_idname, text="Import…", icon="IMPORT").test = test
        layout.operator(TOUCHPOINT_OT_export_rules.bl_idname, text="Export…", icon="EXPORT").test = test


def _test_of_menu(context: bpy.types.Context) -> int:
    """Whose rules a menu changes, as the panel that opened it says: `OfRuleList.test`."""
    if getattr(context, TEST_OF_MENU, None) is None:
        return -1
    return context.scene.touchpoint.test_index


CLASSES = (TOUCHPOINT_OT_add_rule, TOUCHPOINT_OT_remove_rule, TOUCHPOINT_OT_move_rule, TOUCHPOINT_OT_ignore_pair,
           TOUCHPOINT_OT_import_rules, TOUCHPOINT_OT_export_rules, TOUCHPOINT_MT_add_rule, TOUCHPOINT_MT_rules)
