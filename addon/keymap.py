# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys for the timeline. They lie in Blender's own map of keys for frames, so they work wherever its arrow keys do."""
from typing import Any

import bpy

MAP = "Frames"
# With Shift and Alt, which Blender leaves free there.
KEYS: Any = (("touchpoint.next_collision", "RIGHT_ARROW"), ("touchpoint.previous_collision", "LEFT_ARROW"))

_items: list = []       # (map, item) each, as they were added


def register() -> None:
    keys = bpy.context.window_manager.keyconfigs.addon
    if keys is None:        # Blender runs without a window
        return
    frames = keys.keymaps.new(name=MAP)
    for operator, key in KEYS:
        item = frames.keymap_items.new(operator, key, "PRESS", shift=True, alt=True, repeat=True)
        _items.append((frames, item))


def unregister() -> None:
    for frames, item in _items:
        frames.keymap_items.remove(item)
    _items.clear()
