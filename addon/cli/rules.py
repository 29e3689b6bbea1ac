# SPDX-License-Identifier: GPL-3.0-or-later
"""`--rules`: those of a file, or none, instead of those that are kept with the scene."""
from argparse import Namespace

from ...core.rules import Rule, read_rules
from ...core.rules.files import scaled
from ..opening import settings_of_scenes

NO_RULES = "none"


def given_rules(arguments: Namespace) -> list[Rule] | None:
    """The rules of --rules, lengths in metres; None where there is no such argument. Raises Refused or OSError for a
    file that cannot be used, before any scene is opened."""
    if arguments.rules is None:
        return None
    return [] if str(arguments.rules) == NO_RULES else read_rules(arguments.rules)


def rules_of_run(given: list[Rule] | None, metres_per_unit: float) -> list[Rule]:
    """The rules of a run on the open scene, lengths in its units. given: those of --rules."""
    import bpy

    from ..rules.kept import kept_rules

    if given is not None:
        return [scaled(rule, 1.0 / metres_per_unit) for rule in given]
    with settings_of_scenes():
        return kept_rules(bpy.context.scene)
