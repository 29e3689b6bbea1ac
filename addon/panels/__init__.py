# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar tab. Drawing reads cached strings only."""
import bpy

from .. import preferences
from ..classes import register_all, unregister_all
from . import icons
from .animation import TOUCHPOINT_PT_animation
from .compare import TOUCHPOINT_PT_compare, TOUCHPOINT_UL_compared, TOUCHPOINT_UL_compared_pairs
from .detect import TOUCHPOINT_PT_detect
from .layout import Sidebar
from .live import TOUCHPOINT_PT_live
from .menu import TOUCHPOINT_MT_object, draw_in_menu
from .method import TOUCHPOINT_PT_method
from .named_tests import CLASSES as TEST_CLASSES
from .results import TOUCHPOINT_PT_results, TOUCHPOINT_UL_pairs
from .rules import CLASSES as RULE_CLASSES
from .rules import draw_in_list_menu
from .what_to_show import TOUCHPOINT_PT_what_to_show

CLASSES = (TOUCHPOINT_UL_pairs, TOUCHPOINT_UL_compared, TOUCHPOINT_UL_compared_pairs, TOUCHPOINT_PT_detect,
           TOUCHPOINT_PT_results, TOUCHPOINT_PT_live, TOUCHPOINT_PT_animation, *RULE_CLASSES, *TEST_CLASSES,
           TOUCHPOINT_PT_what_to_show, TOUCHPOINT_PT_method, TOUCHPOINT_PT_compare, TOUCHPOINT_MT_object)


def register() -> None:
    icons.register()
    preferences.when_tab_is_renamed(_register_again)
    for each in CLASSES:
        if issubclass(each, Sidebar):
            each.bl_category = preferences.tab()
    register_all(CLASSES)
    bpy.types.UI_MT_list_item_context_menu.append(draw_in_list_menu)
    bpy.types.VIEW3D_MT_object.append(draw_in_menu)


def _register_again() -> None:
    unregister()
    register()


def unregister() -> None:
    bpy.types.VIEW3D_MT_object.remove(draw_in_menu)
    bpy.types.UI_MT_list_item_context_menu.remove(draw_in_list_menu)
    unregister_all(CLASSES)
    icons.unregister()
