# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left where the user deleted results by hand: data-blocks that nothing uses. Blender keeps them until the file
is loaded anew; those that others of them use, for longer."""
from typing import Any

import bpy

from ..names import is_made, is_result
from .collection import is_of_this_file, remove_objects


def remove_strays() -> None:
    """Remove what Touchpoint made and nothing uses any more, of any scene. What has a fake user stays, and what
    something of the user's needs, or lies in."""
    for each in _unused(bpy.data.collections):
        if not each.children and all(is_made(made) for made in each.objects):
            bpy.data.collections.remove(each)       # then its objects have one user less
    remove_objects(_needed_by_nothing([each for each in _unused(bpy.data.objects) if is_made(each)]))
    for each in _unused(bpy.data.meshes):
        if not (len(each.edges) or len(each.polygons)):     # else the user made something else of it
            bpy.data.meshes.remove(each)
    for each in _unused(bpy.data.actions):
        bpy.data.actions.remove(each)


def _unused(data_blocks) -> list:
    """Those with the marker of a result that have no user."""
    return [each for each in data_blocks if each.users == 0 and is_result(each) and is_of_this_file(each)]


def _needed_by_nothing(objects: list) -> list:
    """Those that nothing else names. A constraint, a driver or a modifier does not count as a user of its target."""
    if not objects:
        return []
    data: Any = bpy.data        # its stub asks for all arguments
    named_by = set().union(*data.user_map(subset=objects).values())
    for scene in named_by.intersection(bpy.data.scenes):
        for layer in scene.view_layers:     # Blender 5.2: until then a scene names objects that are gone from it
            layer.update()
    needed = data.user_map(subset=objects)
    return [each for each in objects if needed[each] <= set(objects)]
