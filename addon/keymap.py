# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, all with Shift and Alt, which Blender leaves free there: for the timeline wherever Blender's arrow keys go
through frames, and for the list of pairs in 3D viewports."""
from typing import Any

import bpy

MAP = "Frames"
KEYS: Any = (("touchpoint.next_collision", "RIGHT_ARROW"), ("touchpoint.previous_collision", "LEFT_ARROW"))
VIEW_MAP = "3D View"
VIEW_KEYS: Any = (("touchpoint.next_pair", "DOWN_ARROW"), ("touchpoint.previous_pair", "UP_ARROW"),
                  ("touchpoint.go_back", "BACK_SPACE"))

_items: list = []       # (map, item) each, as they were added


def items_of(configuration: bpy.types.KeyConfig) -> list[tuple[bpy.types.KeyMap, bpy.types.KeyMapItem]]:
    """Our keys in a configuration, such as the user's, with their maps."""
    ours = {operator for operator, _ in (*KEYS, *VIEW_KEYS)}
    maps = [each for each in configuration.keymaps if each.name in (MAP, VIEW_MAP)]
    return [(keys, item) for keys in maps for item in keys.keymap_items if item.idname in ours]


def register() -> None:
    keys = bpy.context.window_manager.keyconfigs.addon
    if keys is None:        # Blender runs without a window
        return
    for made, wanted in ((keys.keymaps.new(name=MAP), KEYS),
                         (keys.keymaps.new(name=VIEW_MAP, space_type="VIEW_3D"), VIEW_KEYS)):
        for operator, key in wanted:
            item = made.keymap_items.new(operator, key, "PRESS", shift=True, alt=True, repeat="ARROW" in key)
            _items.append((made, item))


def unregister() -> None:
    for made, item in _items:
        made.keymap_items.remove(item)
    _items.clear()
