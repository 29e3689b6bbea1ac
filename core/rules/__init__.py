# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules: pairs of objects whose meeting is normal. They are taken away, counted and named, never called clear.

    rules = RuleSet(read_rules("robot.json"))
    report = detect(scene, rules=rules)
    report.rules.taken          # the pairs that were taken away, each with its rule
"""
from .files import read_rules, write_rules
from .outcome import Outcome
from .relations import Relations
from .rule import Ref, Rule
from .rule_set import RuleSet

__all__ = ["Outcome", "Ref", "Relations", "Rule", "RuleSet", "read_rules", "write_rules"]
