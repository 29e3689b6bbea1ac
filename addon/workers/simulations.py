# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations that depend on the frames before."""
from typing import TYPE_CHECKING

from ..names import name_of
from ..scene_read.simulations import point_caches, simulations

if TYPE_CHECKING:
    import bpy


def simulation_that_is_not_baked(context: "bpy.types.Context") -> str | None:
    """The name of an object with a simulation whose frames are not there in any order, None where there is none: they
    are where they are baked, or all in files."""
    lacking = {each.key for each in simulations(context) if each.known < each.end}
    return next((name_of(owner) for owner, cache in point_caches(context)
                 if not (cache.is_baked or cache.use_external or cache.use_disk_cache)
                 or cache.as_pointer() in lacking), None)
