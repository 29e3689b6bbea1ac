# SPDX-License-Identifier: GPL-3.0-or-later
"""The timeline of a scene that shows the result of an animation: frames to go to, and intervals."""
from typing import TYPE_CHECKING, Any

from ..scene_read import show_frame
from ..style import style_of

if TYPE_CHECKING:
    import bpy

SLACK = 1e-3        # of a frame: Blender and the rows keep numbers in single precision


def go_to_frame(scene: "bpy.types.Scene", frame: float) -> None:
    """Show a frame, as close as single precision has it."""
    show_frame(scene, round(frame, 4))


def next_start(scene: "bpy.types.Scene", forward: bool) -> float | None:
    """The next frame, after or before that of the scene, in which a pair of its result begins to collide; None where
    there is none. Touches count where they are coloured."""
    style, frame = style_of(scene), scene.frame_float
    starts = [each.start for pair in scene.touchpoint.result.pairs for each in pair.spells
              if style.is_shown(each.verdict)]
    if forward:
        return min((each for each in starts if each > frame + SLACK), default=None)
    return max((each for each in starts if each < frame - SLACK), default=None)


def interval_of(pair: Any, frame: float) -> tuple[float, float]:
    """The interval of a row that a frame is in; where it is in none, the one with the worst frame."""
    found = [(each.start, each.end) for each in pair.intervals]
    for wanted in (frame, pair.worst_frame):
        for start, end in found:
            if start - SLACK <= wanted <= end + SLACK:
                return start, end
    return found[0]
