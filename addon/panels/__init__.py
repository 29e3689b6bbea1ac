# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar tab. Drawing reads cached strings only."""
import bpy

from .compare import TOUCHPOINT_PT_compare, TOUCHPOINT_UL_compared, TOUCHPOINT_UL_compared_pairs
from .detect import TOUCHPOINT_PT_detect
from .results import TOUCHPOINT_PT_results, TOUCHPOINT_UL_pairs
from .what_to_show import TOUCHPOINT_PT_what_to_show

CLASSES = (TOUCHPOINT_UL_pairs, TOUCHPOINT_UL_compared, TOUCHPOINT_UL_compared_pairs, TOUCHPOINT_PT_detect,
           TOUCHPOINT_PT_results, TOUCHPOINT_PT_what_to_show, TOUCHPOINT_PT_compare)


def register() -> None:
    for each in CLASSES:
        bpy.utils.register_class(each)


def unregister() -> None:
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
