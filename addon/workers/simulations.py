# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations that depend on the frames before."""
from typing import TYPE_CHECKING

from ..names import name_of

if TYPE_CHECKING:
    import bpy


def simulation_that_is_not_baked(scene: "bpy.types.Scene") -> str | None:
    """The name of an object with a simulation whose cache is not baked, None where there is none. Simulations in
    geometry nodes do not tell."""
    world = scene.rigidbody_world
    bodies = [] if world is None or not world.enabled or world.collection is None else list(world.collection.objects)
    if bodies and not _is_kept(world.point_cache):
        return name_of(bodies[0])
    for each in scene.objects:
        caches = [modifier.point_cache for modifier in each.modifiers  # type: ignore[attr-defined]
                  if modifier.type in ("CLOTH", "SOFT_BODY") and modifier.show_viewport]
        caches += [system.point_cache for system in each.particle_systems if system.settings.type == "EMITTER"]
        if not all(map(_is_kept, caches)):
            return name_of(each)
    return None


def _is_kept(cache) -> bool:
    """True where frames are there in any order: baked, or on disk."""
    return cache.is_baked or cache.use_disk_cache or cache.use_external
