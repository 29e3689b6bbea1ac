# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations that depend on the frames before."""
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..names import name_of

if TYPE_CHECKING:
    import bpy


def simulation_that_is_not_baked(scene: "bpy.types.Scene") -> str | None:
    """The name of an object with a simulation whose cache is not baked, None where there is none. Simulations in
    geometry nodes do not tell."""
    return next((name_of(each) for each, cache in _caches(scene) if not _is_kept(cache)), None)


def simulation_that_was_not_played(scene: "bpy.types.Scene", last: float) -> str | None:
    """The name of an object with a simulation that is not baked and whose frames Blender did not visit one after the
    other, so that it does not know where it is; None where there is none. last: the last frame that was looked at."""
    return next((name_of(each) for each, cache in _caches(scene)
                 if not _is_kept(cache) and last > cache.frame_start and not _was_played(cache)), None)


def _caches(scene: "bpy.types.Scene") -> "Iterator[tuple[bpy.types.Object, bpy.types.PointCache]]":
    """(object, cache) of each simulation; of the rigid body world, its first body."""
    world = scene.rigidbody_world
    bodies = [] if world is None or not world.enabled or world.collection is None else list(world.collection.objects)
    if bodies:
        yield bodies[0], world.point_cache
    for each in scene.objects:
        for modifier in each.modifiers:
            if modifier.type in ("CLOTH", "SOFT_BODY") and modifier.show_viewport:
                yield each, modifier.point_cache  # type: ignore[attr-defined]
        for system in each.particle_systems:
            if system.settings.type == "EMITTER" and system.settings.physics_type != "NO":
                yield each, system.point_cache


def _is_kept(cache: "bpy.types.PointCache") -> bool:
    """True where frames are there in any order: baked, or on disk."""
    return cache.is_baked or cache.use_disk_cache or cache.use_external


def _was_played(cache: "bpy.types.PointCache") -> bool:
    """False where it has no frames, or frames from before the file was opened, or leaps between them, which it says in
    words alone once the file was opened again."""
    return bool(cache.info) and not (cache.is_outdated or cache.is_frame_skip or "not exact" in cache.info)
