# SPDX-License-Identifier: GPL-3.0-or-later
"""The gap of a pair over time, as an F-curve of a custom property of an empty of its own."""
from typing import Any

import bpy
import numpy as np

from ..names import CURVE_KEY, NAME_BYTES, RESULTS_MARKER, shorten
from ..scene_read.read import shown_frame
from .collection import find_made, find_results, make_results, new_result, remove_objects
from .curves import key_times, new_curve, set_keys

PROPERTY = "gap"
CURVE_PREFIX = "Touchpoint Gap "
DESCRIPTION = "How far apart the two objects are, in Blender units; below zero, how deep they reach into each other"


def write_curve(curve: Any, scene: bpy.types.Scene) -> None:
    """Write an `animation.gaps.GapCurve` into a scene; what there was of its pair is replaced."""
    remove_objects([each for each in _carriers(scene) if each[CURVE_KEY] == curve.pair])
    made = new_result(find_results(scene) or make_results(scene), shorten(CURVE_PREFIX + curve.pair, NAME_BYTES))
    made[CURVE_KEY] = curve.pair
    made[PROPERTY] = float(np.interp(shown_frame(scene), curve.frames, curve.gaps))
    made.id_properties_ui(PROPERTY).update(description=DESCRIPTION)  # type: ignore[attr-defined]
    made.empty_display_size = 0.0
    action = bpy.data.actions.new(made.name)
    action[RESULTS_MARKER] = True
    made.animation_data_create().action = action
    set_keys(new_curve(made, f'["{PROPERTY}"]'), key_times(scene, curve.frames), curve.gaps, "LINEAR")


def carrier_of(scene: bpy.types.Scene, pair: str) -> bpy.types.Object | None:
    """The object with the curve of a pair, None where there is none."""
    return next((each for each in _carriers(scene) if each[CURVE_KEY] == pair), None)


def remove_curves(scene: bpy.types.Scene) -> None:
    """Remove all curves of a scene's result."""
    remove_objects(_carriers(scene))


def _carriers(scene) -> list:
    return [each for each in find_made(scene) if each.type == "EMPTY" and CURVE_KEY in each]
