# SPDX-License-Identifier: GPL-3.0-or-later
"""The reading, step by step: choose objects, walk what the dependency graph shows, name and assemble it."""
import math
import os
import time
from contextlib import contextmanager

import bpy
import numpy as np

from ...core import Refused
from ..names import name_of
from .assemble import assemble
from .instances import walk
from .refusals import refuse_too_few
from .scope import choose
from .snapshot import Snapshot

LAST_FRAME = 1_048_574      # Blender's limit, both ways


def read_scene(context=None, *, scope: str = "VISIBLE", collection_a=None, collection_b=None, objects=None,
               frame: float | None = None, takes_points: bool = False) -> Snapshot:
    """Read what is asked for, on the main thread and in one go.

    context: a `bpy.types.Context`, the current one by default; its scene, view layer and, where it is a 3D viewport,
    its local view decide what is visible. scope: "VISIBLE", "SELECTED" or "COLLECTIONS" (collection_a against
    collection_b, each a name or a collection, child collections included; an instance lies where its instancer
    lies). objects: Blender objects to test among themselves, instead of a scope. frame: evaluate there, with the
    user's frame put back afterwards; by default the current frame. takes_points: objects without faces are read, too,
    as points: loose vertices and point clouds (`Method.takes_points`).
    Raises Refused, with a sentence for the user, where there is nothing to test.
    """
    context = context or bpy.context
    start = time.perf_counter()
    scene = context.scene
    with _at_frame(scene, frame):
        context.view_layer.update()     # what was added just now is not in the view layer's list before
        chosen = choose(context, scope, (collection_a, collection_b), objects)
        _flush_edits(context.view_layer)
        found = walk(context.evaluated_depsgraph_get(), chosen, takes_points)
        tested_frame = shown_frame(scene)
    core, rows, skipped = assemble(found, chosen)
    refuse_too_few(core, chosen, skipped, takes_points)
    return Snapshot(core, rows, skipped, chosen.rules, os.path.basename(bpy.data.filepath), name_of(scene),
                    scene.session_uid, tested_frame, metres_per_unit(scene), time.perf_counter() - start)


def metres_per_unit(scene) -> float:
    """Length of one Blender unit; a scene without a unit system is taken to be in metres."""
    units = scene.unit_settings
    return 1.0 if units.system == "NONE" else _as_typed(units.scale_length)


def shown_frame(scene) -> float:
    """The scene's frame with its part after the point."""
    return _as_typed(scene.frame_current_final)


def _as_typed(number: float) -> float:
    """The shortest number that is this one in single precision: 0.01, which Blender keeps as 0.009999999776482582."""
    return float(str(np.float32(number)))


def show_frame(scene, frame: float) -> None:
    """Go to a frame. Raises Refused for one that Blender does not have."""
    if not abs(frame) <= LAST_FRAME:    # not a number, too
        raise Refused(f"There is no frame {frame}: Blender has frames up to {LAST_FRAME}.")
    whole = math.floor(frame)
    scene.frame_set(whole, subframe=frame - whole)


@contextmanager
def _at_frame(scene, frame: float | None):
    """The scene at this frame, and afterwards at the user's again."""
    if frame is None or frame == shown_frame(scene):
        yield
        return
    users_frame, users_subframe = scene.frame_current, scene.frame_subframe
    show_frame(scene, frame)
    try:
        yield
    finally:
        scene.frame_set(users_frame, subframe=users_subframe)


def _flush_edits(view_layer) -> None:
    """Bring what is being edited into the evaluation; Edit Mode is not left."""
    for each in view_layer.objects:
        if each.mode == "EDIT" and each.type == "MESH":
            each.update_from_editmode()
