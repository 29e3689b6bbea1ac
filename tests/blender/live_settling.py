# SPDX-License-Identifier: GPL-3.0-or-later
"""Live without a window: ticks as Blender's timer does."""
import time

import bpy
from touchpoint.addon.live import engine


def settled(seconds=600.0):      # kernels may have to be compiled
    """The answer, once there is nothing more to ask; ticks as Blender's timer does."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        assert engine.tick() is not None
        live = engine._live
        if live.worker is None and not live.marked and live.answer is not None and engine._is_free(
                live, bpy.context.scene) and not engine._is_due(live, bpy.context.scene):
            return live.answer
        time.sleep(0.001)
    raise TimeoutError
