# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations that depend on the frames before."""
from typing import TYPE_CHECKING

from ..names import name_of
from ..scene_read.simulations import point_caches

if TYPE_CHECKING:
    import bpy


def simulation_that_is_not_baked(context: "bpy.types.Context") -> str | None:
    """The name of an object with a simulation whose cache is not baked, None where there is none."""
    return next((name_of(owner) for owner, cache in point_caches(context) if not _is_kept(cache)), None)


def _is_kept(cache) -> bool:
    """True where frames are there in any order: baked, or on disk."""
    return cache.is_baked or cache.use_disk_cache or cache.use_external
