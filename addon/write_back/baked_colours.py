# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours of the user's objects as keys, for renders and for Blender without Touchpoint: the colour of what an object
does while it does that, and its own afterwards.

An object with such keys carries the colour that it had and a digest of the keys, so that they are known after a reload.
Keys that somebody has changed since are the user's and stay.
"""
import hashlib
from dataclasses import dataclass, field

import bpy
import numpy as np

from ...core.shown import escaped
from ..names import COLOUR_BAKED, COLOUR_BEFORE, COLOUR_GIVEN, RESULTS_MARKER, is_result, name_of
from ..pieces import finished
from ..style import COLOURED, style_of
from .colours import PLAIN, colour_in, coloured_objects, restoring
from .colours_over_time import Course, course_of, forget
from .curves import all_curves, curves_of, key_times, new_curve, set_keys

PATH = "color"
CHANNELS = 4
INTERPOLATION = "CONSTANT"
MADE = "made "      # before the digest, where the object had no animation
ACTION_NAME = "Touchpoint Colours"


@dataclass
class Baked:
    """How many objects have keys, and which have none."""

    objects: int = 0
    left_out: dict[str, list[str]] = field(default_factory=dict)    # names, by the reason


def bake(scene: bpy.types.Scene) -> Baked:
    """Give the objects of an animation's result keys for their colours; those that they had from it are replaced."""
    remove_baked(scene)
    forget()            # one object may have been deleted, and another one added
    course, done = course_of(scene), Baked()
    for place, each in enumerate(course.objects):
        reason = _why_not(each)
        if reason:
            done.left_out.setdefault(reason, []).append(escaped(name_of(each)))
            continue
        finished(restoring([each]))
        _key(each, scene, course, place)
        done.objects += 1
    return done


def remove_baked(scene: bpy.types.Scene) -> None:
    """Remove these keys from the objects of a scene, and give them their colours back."""
    for each in coloured_objects(scene):
        if COLOUR_BAKED in each and each.is_editable:
            if _remove_keys(each, each[COLOUR_BAKED]):
                each.color = colour_in(each, COLOUR_BEFORE) or PLAIN
            for key in (COLOUR_BAKED, COLOUR_BEFORE):
                if key in each:
                    del each[key]


def _why_not(each) -> str:
    """Why the colour of an object cannot have keys of ours, "" where it can."""
    if not each.is_editable:
        return "linked from another file"
    return _why_not_animation(each) or _why_not_colour(each)


def _why_not_colour(each) -> str:
    changed = COLOUR_GIVEN in each and tuple(each.color) != colour_in(each, COLOUR_GIVEN)
    return "coloured by somebody else since" if changed else ""


def _why_not_animation(each) -> str:
    animation = each.animation_data
    if animation is None:
        return ""
    strips = [strip for track in animation.nla_tracks for strip in track.strips if strip.action]
    curves = [*animation.drivers, *(curves_of(each) or ()), *(curve for strip in strips
                                                              for curve in all_curves(strip.action))]
    if any(curve.data_path == PATH for curve in curves):
        return "the colour is animated already"
    if animation.use_tweak_mode:
        return "a strip of the animation is being edited"
    return _why_not_action(animation)


def _why_not_action(animation) -> str:
    action = animation.action
    if action is None:
        return ""
    if not action.is_editable:
        return "the action is linked from another file"
    if not hasattr(action, "slots"):
        users = action.users - action.use_fake_user
    elif animation.action_slot is None:
        return "the action has no slot for it"
    else:
        users = len(animation.action_slot.users())
    return "other objects have the same action" if users > 1 else ""


def _key(each, scene, course: Course, place: int) -> None:
    own, had_animation = tuple(each.color), each.animation_data is not None
    frames, ranks = course.changes(place)
    colours = style_of(scene).colours
    values = np.array([own, *(own if rank < 0 else (*colours[COLOURED[rank]], 1.0) for rank in ranks.tolist())])
    frames = np.concatenate([[frames[0] - 1.0], frames])    # its own before the first one
    animation = each.animation_data_create()
    if animation.action is None:
        animation.action = bpy.data.actions.new(ACTION_NAME)
        animation.action[RESULTS_MARKER] = True
    for index in range(CHANNELS):
        set_keys(new_curve(each, PATH, index), key_times(scene, frames), values[:, index], INTERPOLATION)
    each[COLOUR_BEFORE] = own
    each[COLOUR_BAKED] = ("" if had_animation else MADE) + _digest(_baked_curves(each))
    each.color = values[np.searchsorted(frames, scene.frame_float, side="right").clip(1) - 1]


def _remove_keys(each, baked) -> bool:
    """Remove the keys from an object, and what was made for them; False where they are the user's by now. baked: what
    is kept about them."""
    curves, found, animation = curves_of(each), _baked_curves(each), each.animation_data
    ours = isinstance(baked, str) and (not found or _are_as_made(found, baked.removeprefix(MADE)))
    for curve in found if ours else ():
        curves.remove(curve)
    action = animation.action if animation else None
    if action is not None and is_result(action):
        if all_curves(action):
            del action[RESULTS_MARKER]      # what is left in it is the user's
        else:
            bpy.data.actions.remove(action)
    if not ours:
        return False
    if animation and baked.startswith(MADE) and not (animation.action or animation.drivers or animation.nla_tracks):
        each.animation_data_clear()
    return True


def _baked_curves(each) -> list:
    return [curve for curve in curves_of(each) or () if curve.data_path == PATH]


def _are_as_made(curves: list, digest: str) -> bool:
    """True where nobody has changed the keys, or how the colour goes from one to the next. digest: of the keys."""
    return (_digest(curves) == digest and not any(len(each.modifiers) for each in curves)
            and all(key.interpolation == INTERPOLATION for each in curves for key in each.keyframe_points))


def _digest(curves: list) -> str:
    """Tells whether keys are still the same."""
    digest = hashlib.sha256()
    for curve in sorted(curves, key=lambda each: each.array_index):
        places = np.zeros(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", places)
        digest.update(places.tobytes())
    return digest.hexdigest()
