# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators: each reads its inputs, makes one call, and reports."""
from ..classes import register_all, unregister_all
from .active_test import CLASSES as ACTIVE_TEST_CLASSES
from .animation import CLASSES as ANIMATION_CLASSES
from .clear import TOUCHPOINT_OT_clear, TOUCHPOINT_OT_clear_file
from .compare import TOUCHPOINT_OT_compare
from .detect import TOUCHPOINT_OT_cancel, TOUCHPOINT_OT_detect, TOUCHPOINT_OT_detect_with_itself
from .export import CLASSES as EXPORT_CLASSES
from .heat_map import TOUCHPOINT_OT_heat_map
from .help import TOUCHPOINT_OT_help
from .help import register as register_manual
from .help import unregister as unregister_manual
from .learn_rules import TOUCHPOINT_OT_learn_rules
from .mark_shell import TOUCHPOINT_OT_mark_shell
from .modal import stop_run
from .named_tests import CLASSES as TEST_CLASSES
from .open_example import TOUCHPOINT_MT_examples, TOUCHPOINT_OT_open_example
from .rules import CLASSES as RULE_CLASSES
from .save_pictures import TOUCHPOINT_OT_save_pictures
from .select_border import TOUCHPOINT_OT_select_border
from .select_pair import TOUCHPOINT_OT_select_pair
from .show_colours import TOUCHPOINT_OT_show_colours
from .walk_pairs import CLASSES as WALK_CLASSES
from .why import TOUCHPOINT_OT_why

__all__ = ["register", "stop_run", "unregister"]

CLASSES = (TOUCHPOINT_OT_detect, TOUCHPOINT_OT_detect_with_itself, TOUCHPOINT_OT_compare, TOUCHPOINT_OT_cancel,
           TOUCHPOINT_OT_clear, TOUCHPOINT_OT_clear_file, TOUCHPOINT_OT_help, TOUCHPOINT_OT_select_pair,
           TOUCHPOINT_OT_show_colours,
           TOUCHPOINT_OT_open_example, TOUCHPOINT_MT_examples, TOUCHPOINT_OT_learn_rules, TOUCHPOINT_OT_mark_shell,
           TOUCHPOINT_OT_save_pictures, TOUCHPOINT_OT_select_border, TOUCHPOINT_OT_heat_map, TOUCHPOINT_OT_why,
           *WALK_CLASSES, *EXPORT_CLASSES, *RULE_CLASSES, *TEST_CLASSES, *ACTIVE_TEST_CLASSES,
           *ANIMATION_CLASSES)


def register() -> None:
    register_all(CLASSES)
    register_manual()


def unregister() -> None:
    unregister_manual()
    unregister_all(CLASSES)
