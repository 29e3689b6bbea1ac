# SPDX-License-Identifier: GPL-3.0-or-later
"""What is being edited or sculpted is tested as its mode shows it, and that is said where it is otherwise elsewhere."""
from collections.abc import Iterable

import bpy

from ...core.shown import escaped, first_few
from ..names import name_of

SCULPTED = {"MULTIRES"}     # modifiers that sculpting is for


def flush_edits(view_layer: bpy.types.ViewLayer) -> list[str]:
    """Bring what is being edited into the evaluation; Edit Mode is not left. Returns sentences."""
    edited, resting, sculpted = [], [], []
    for each in view_layer.objects:
        mode = each.mode
        if mode == "EDIT":
            edited.append(each)
        elif mode == "SCULPT" and _is_without_modifiers(each, view_layer.id_data):
            sculpted.append(each)
    for each in edited:
        if each.type == "MESH":
            each.update_from_editmode()
        elif each.type == "ARMATURE":
            resting.append(each)
    without = [each for each in _users(edited, view_layer)
               if any(modifier.show_viewport and not modifier.show_in_editmode for modifier in each.modifiers)]
    found = []
    if without:
        found.append(f"Tested as Edit Mode shows it, without modifiers that are off there: {_told(without)}.")
    if resting:
        found.append(f"Tested as Edit Mode shows it, where rigs deform nothing: {_told(resting)}.")
    if sculpted:
        found.append(f"Tested as Sculpt Mode shows it, where modifiers may be off: {_told(sculpted)}.")
    return found


def _users(edited: list[bpy.types.Object], view_layer: bpy.types.ViewLayer) -> list[bpy.types.Object]:
    """Those in Edit Mode, and those that have a mesh of theirs, which Blender shows likewise."""
    meshes = {each.data for each in edited if each.type == "MESH"}
    if all(each.users == 1 for each in meshes):
        return edited
    return [each for each in view_layer.objects if each.mode == "EDIT" or each.data in meshes]


def _is_without_modifiers(each: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """True for an object in Sculpt Mode some of whose modifiers may be off there."""
    kinds = {modifier.type for modifier in each.modifiers if modifier.show_viewport}
    deform_only = getattr(scene.tool_settings.sculpt, "use_deform_only", False)
    return bool(kinds - SCULPTED) and (each.use_dynamic_topology_sculpting or deform_only or bool(kinds & SCULPTED))


def _told(objects: Iterable[bpy.types.Object]) -> str:
    return first_few([escaped(name_of(each)) for each in objects])
