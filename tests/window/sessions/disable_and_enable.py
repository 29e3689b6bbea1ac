# SPDX-License-Identifier: GPL-3.0-or-later
"""Disabled during a run, nothing of the add-on stays in Blender; enabled again, it works."""
import addon_utils
import bpy
from harness import run, until
from touchpoint_panel import add_heavy_scene, check_result_is_there, has_result, start_detect

MODULE = "bl_ext.user_default.touchpoint"


def traces():
    """Classes, handlers, properties and modal operators of the add-on."""
    classes = [name for name in dir(bpy.types) if name.startswith("TOUCHPOINT_")]
    handlers = [f"{event}: {each}" for event in dir(bpy.app.handlers)
                if isinstance(getattr(bpy.app.handlers, event), list)
                for each in getattr(bpy.app.handlers, event) if MODULE in getattr(each, "__module__", "")]
    properties = [each.__name__ for each in (bpy.types.Scene, bpy.types.WindowManager) if hasattr(each, "touchpoint")]
    return classes + handlers + properties


def session():
    assert traces()
    add_heavy_scene(count=6)
    start_detect()
    yield 1.0
    addon_utils.disable(MODULE)
    yield 1.0
    assert traces() == []
    addon_utils.enable(MODULE)
    yield 1.0
    start_detect()
    yield from until(has_result, 180)
    check_result_is_there()


run(session)
