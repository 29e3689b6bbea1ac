# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames a Check Animation tests."""
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...core.errors import Refused
from ..scene_read.users_frame import LAST_FRAME

if TYPE_CHECKING:
    import bpy

DECIMALS = 6        # of a frame: steps of 0.1 give 1.3, not 1.3000000000000003
SCENE, PREVIEW, CUSTOM = "SCENE", "PREVIEW", "CUSTOM"
RANGE_ITEMS = (
    (SCENE, "Scene", "From the first to the last frame of the scene"),
    (PREVIEW, "Preview", "The preview range of the timeline; without one, the scene's range"),
    (CUSTOM, "Custom", "From one frame to another"),
)


def frames_between(first: float, last: float, step: float = 1.0) -> tuple[float, ...]:
    """Every step-th frame from the first one on, up to the last one; parts of frames, too, where the step has some.
    Raises Refused where there is none, or Blender does not have them."""
    if not step > 0.0 or not math.isfinite(step):
        raise Refused(f"The step from frame to frame has to be more than 0, not {step:g}.")
    for frame in (first, last):
        if not abs(frame) <= LAST_FRAME:    # not a number, too
            raise Refused(f"There is no frame {frame:g}: Blender has frames up to {LAST_FRAME}.")
    if last < first:
        raise Refused(f"There is no frame from {first:g} to {last:g}.")
    count = math.floor(round((last - first) / step, DECIMALS)) + 1
    return tuple(round(first + number * step, DECIMALS) for number in range(count))


def frames_asked(frames: Iterable[float] | None, scene: "bpy.types.Scene", step: float) -> tuple[float, ...]:
    """The frames of `api.check_animation`. Raises Refused as `frames_between`."""
    if frames is None:
        return frames_between(scene.frame_start, scene.frame_end, step)
    given = tuple(map(float, frames))
    if len(given) == 2:
        return frames_between(*given, step)
    if not given:
        raise Refused("There is no frame to test.")
    if step != 1.0:
        raise Refused("A step goes with the first and the last frame, not with a list of frames.")
    return tuple(frame for each in sorted(set(given)) for frame in frames_between(each, each))


def frames_of_settings(scene: "bpy.types.Scene") -> tuple[float, ...]:
    """The frames that the panel of a scene asks for. Raises Refused as `frames_between`."""
    first, last = range_of_settings(scene)
    return frames_between(first, last, round(scene.touchpoint.animation.step, DECIMALS))


def range_of_settings(scene: "bpy.types.Scene") -> tuple[int, int]:
    """First and last frame of the panel's range."""
    chosen = scene.touchpoint.animation
    if chosen.range == CUSTOM:
        return chosen.first, chosen.last
    if chosen.range == PREVIEW and scene.use_preview_range:
        return scene.frame_preview_start, scene.frame_preview_end
    return scene.frame_start, scene.frame_end
