# SPDX-License-Identifier: GPL-3.0-or-later
"""F-curves of objects, wherever this Blender keeps them: in the channels of an action's slot, before 4.4 in the action.
"""
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

INTERPOLATIONS: Any = bpy.types.Keyframe.bl_rna.properties["interpolation"]


def curves_of(owner: bpy.types.Object) -> Any:
    """The F-curves of the action that animates a data-block, as Blender's collection; None where there are none."""
    animation = owner.animation_data
    action = animation.action if animation else None
    if action is None or not hasattr(action, "layers"):
        return None if action is None else action.fcurves
    bags = [strip.channelbag(animation.action_slot) for layer in action.layers for strip in layer.strips
            if animation.action_slot is not None]
    return next((bag.fcurves for bag in bags if bag is not None), None)


def all_curves(action: bpy.types.Action) -> list:
    """The F-curves of an action, whatever they animate."""
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    return [curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags
            for curve in bag.fcurves]


def new_curve(owner: bpy.types.Object, path: str, index: int = 0) -> bpy.types.FCurve:
    """A new F-curve of a property, in the action that animates its owner."""
    action = owner.animation_data.action
    if hasattr(action, "fcurve_ensure_for_datablock"):
        return action.fcurve_ensure_for_datablock(owner, path, index=index)
    return action.fcurves.new(path, index=index)


def key_times(scene: bpy.types.Scene, frames: Sequence[float] | np.ndarray) -> np.ndarray:
    """(k,) float32: where F-curves are at frames of a timeline, to the last bit: elsewhere where time is remapped."""
    render = scene.render
    return np.asarray(frames, np.float32) * np.float32(render.frame_map_old / render.frame_map_new)


def set_keys(curve: bpy.types.FCurve, frames: Sequence[float] | np.ndarray, values: Sequence[float] | np.ndarray,
             interpolation: str) -> None:
    """Give an F-curve without keys these. frames: (k,) `key_times`, ascending; values: (k,) numbers. interpolation:
    between them, a word of Blender's."""
    points = curve.keyframe_points
    points.add(len(frames))
    points.foreach_set("co", np.stack([frames, values], axis=1).astype(np.float32).ravel())
    points.foreach_set("interpolation", np.full(len(frames), INTERPOLATIONS.enum_items[interpolation].value, np.int32))
    curve.update()
