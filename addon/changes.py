# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender tells about changes of a scene, and what it is busy with."""
import bpy

from .names import is_made

# What may change a result. Cameras, lights and the like never do; an armature also changes the mesh that it deforms.
INPUT_TYPES = {"MESH", "CURVE", "SURFACE", "FONT", "META", "CURVES", "POINTCLOUD", "VOLUME", "GREASEPENCIL"}


def is_rendering() -> bool:
    """True while Blender renders, in a window that can be used meanwhile."""
    return bool(bpy.app.is_job_running("RENDER"))


def concerns_result(depsgraph: bpy.types.Depsgraph) -> bool:
    """True where something that is tested may have changed its shape or its place, or may be hidden or shown: of keys
    and drivers of that, Blender tells no more than that the object was evaluated."""
    return any(is_input(update.id) for update in depsgraph.updates)


def is_input(data_block: bpy.types.ID) -> bool:
    """True for an object that may be tested, or instances what is."""
    if not isinstance(data_block, bpy.types.Object) or is_made(data_block):
        return False
    return data_block.type in INPUT_TYPES or data_block.instance_type != "NONE"
