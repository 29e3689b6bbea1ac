# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's classes, registered in their order and unregistered the other way round."""
from collections.abc import Sequence

import bpy


def register_all(classes: Sequence[type]) -> None:
    for each in classes:
        bpy.utils.register_class(each)


def unregister_all(classes: Sequence[type]) -> None:
    for each in reversed(classes):
        bpy.utils.unregister_class(each)
