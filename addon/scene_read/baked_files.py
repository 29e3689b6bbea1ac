# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations whose frames Blender keeps in files beside the .blend file, and whether these are there.

A file that was copied or renamed without them shows things where they were before anything was simulated. Blender says
nothing, and its caches go on to tell how many frames they have "on disk".
"""
import os
from collections.abc import Iterator
from typing import Any

import bpy

from ..names import name_of, text_in

BY_ITSELF = ("NO", "KEYED")     # physics of particles that do not depend on the frames before


def cache_of(modifier: Any) -> Any:
    """The point cache of what a modifier simulates by the frames before, None where it does not."""
    if modifier.type in ("CLOTH", "SOFT_BODY"):
        return modifier.point_cache
    if modifier.type == "PARTICLE_SYSTEM":
        system = modifier.particle_system
        emits = system.settings.type == "EMITTER" and system.settings.physics_type not in BY_ITSELF
        return system.point_cache if emits or system.use_hair_dynamics else None
    return None


def lost_bakes() -> Iterator[str]:
    """Folders of baked frames that are not there, or have none of an object's."""
    for each in bpy.data.objects:
        for modifier in each.modifiers:
            if not modifier.show_viewport:
                continue
            if modifier.type == "NODES":
                yield from _of_nodes(modifier, each)
                continue
            cache = cache_of(modifier)
            if cache is not None and (cache.is_baked or cache.use_external) and has_lost_files(cache, each):
                yield f"{_folder(cache, each)} of {name_of(each)}"


def has_lost_files(cache: Any, owner: bpy.types.Object) -> bool:
    """True where a point cache is kept on disk, and nothing of it is there."""
    if not (cache.use_disk_cache or cache.use_external) or not (owner.library or bpy.data.filepath):
        return False        # in memory, or in a folder of this session
    name = text_in(cache, "name") or name_of(owner).encode("utf-8", "surrogateescape").hex().upper()
    try:
        return not any(each.startswith(f"{name}_") for each in os.listdir(_absolute(_folder(cache, owner), owner)))
    except OSError:
        return True


def _folder(cache: Any, owner: bpy.types.Object) -> str:
    """As Blender writes it: of its own choice, it lies beside the file that an object is in."""
    if cache.use_external:
        return text_in(cache, "filepath")
    path = text_in(owner.library, "filepath") if owner.library else text_in(bpy.data, "filepath")
    return f"//blendcache_{os.path.basename(path.replace(chr(92), '/')).removesuffix('.blend')}"


def _of_nodes(modifier: Any, owner: bpy.types.Object) -> Iterator[str]:
    """Blender removes the folder of one bake with the bake, and leaves that of a modifier."""
    for bake in getattr(modifier, "bakes", ()):
        target = getattr(bake, "bake_target", "DISK")       # the only one before Blender 4.3
        if (modifier.bake_target if target == "INHERIT" else target) != "DISK":
            continue
        folder = text_in(bake, "directory") if bake.use_custom_path else text_in(modifier, "bake_directory")
        if folder and not os.path.exists(_absolute(folder, owner)):
            yield folder


def _absolute(path: str, owner: bpy.types.ID) -> str:
    return bpy.path.abspath(path, library=owner.library)
