# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line that asks what the settings of a scene ask."""
import os
import shlex
import subprocess

import bpy

from ..core.declarations import declaration
from ..core.methods import DEFAULT
from .animation.frames import DECIMALS, range_of_settings
from .method_properties import as_typed, chosen_method
from .names import name_of
from .scene_read import metres_per_unit
from .scene_read.read import shown_frame
from .scene_read.scope import OF_SELECTION
from .self_reference_properties import REST, reference_of
from .tolerance_properties import tolerance_of


def why_no_command(scene: bpy.types.Scene) -> str:
    """Why there is no command line for what the settings ask, "" where there is one."""
    settings = scene.touchpoint
    if not bpy.data.filepath:
        return "Save the file first: the command line opens it"
    if settings.scope in OF_SELECTION:
        return "A selection is not seen on the command line: choose the scope Visible or Collections"
    if settings.scope == "COLLECTIONS" and not (settings.collection_a and settings.collection_b):
        return "Choose the collections A and B"
    return ""


def command_of(scene: bpy.types.Scene) -> str:
    """Of the file that is open, at the frame that is shown; after Check Animation, of its frames."""
    settings, metres = scene.touchpoint, metres_per_unit(scene)
    blender = [bpy.app.binary_path, "-b", "-c"] if bpy.app.binary_path else []
    words = [*blender, "touchpoint", "animation" if settings.result.animated else "detect", bpy.data.filepath]
    words += _frames(scene) if settings.result.animated else ["--frame", str(shown_frame(scene))]
    if settings.scope == "COLLECTIONS":
        words += ["--a", name_of(settings.collection_a), "--b", name_of(settings.collection_b)]
    for option, length in (("--clearance", settings.clearance), ("--weld", settings.weld)):
        if length:
            words += [option, _metres(length, metres)]
    tolerance = tolerance_of(settings)
    if not isinstance(tolerance, str):
        words += ["--tolerance", _metres(tolerance, metres)]
    if settings.self_collisions:
        words.append("--self-collisions")
    if settings.volumes and not settings.result.animated:
        words.append("--volume")
    if settings.regions and not settings.result.animated:
        words.append("--regions")
    reference = reference_of(settings)
    if reference is not None:
        words += ["--self-reference", "rest" if reference == REST else f"{reference:g}"]
    chosen = chosen_method(settings)
    if chosen["method"] != DEFAULT:
        words += ["--method", chosen["method"]]
    for each in declaration(chosen["method"]).options:
        if chosen["options"][each.name] != each.default:
            words += ["--option", f"{each.name}={chosen['options'][each.name]}"]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def _frames(scene) -> list[str]:
    chosen = scene.touchpoint.animation
    first, last = range_of_settings(scene)
    words = ["--frames", f"{first}:{last}"]
    if chosen.step != 1.0:
        words += ["--step", str(round(chosen.step, DECIMALS))]
    return [*words, "--continuous"] if chosen.continuous else words


def _metres(length: float, metres_per_unit: float) -> str:
    return str(as_typed(length) * metres_per_unit)
