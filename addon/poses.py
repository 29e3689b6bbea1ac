# SPDX-License-Identifier: GPL-3.0-or-later
"""Looking at a scene as it is not shown: with all armatures in their rest pose, or at another frame."""
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import bpy

from ..core import Refused
from . import session
from .self_reference_properties import REST
from .write_back import own_changes


class Pose(NamedTuple):
    """A pose to compare with. frame: None for the rest pose."""

    frame: float | None

    @classmethod
    def of(cls, asked: Any) -> "Pose | None":
        """What `api.detect` takes as self_reference: REST, a frame, or None. Raises Refused for anything else."""
        if asked is None:
            return None
        if asked == REST:
            return cls(None)
        if isinstance(asked, bool) or not isinstance(asked, int | float) or not math.isfinite(asked):
            raise Refused(f"The reference of self-collisions is {REST} or a frame, not {asked!r}.")
        return cls(float(asked))

    @property
    def title(self) -> str:
        return "the rest pose" if self.frame is None else f"frame {self.frame:g}"


@contextmanager
def in_rest_pose(context: bpy.types.Context) -> Iterator[None]:
    """All armatures in their rest pose, and afterwards as they were: also those that bend what a collection instance
    shows, which are in no list of the scene. Raises Refused where nothing in the scene of the context has any."""
    if not _has_armature(context):
        raise Refused("There is no armature in this scene, so there is no rest pose.")
    before = {each: each.pose_position for each in bpy.data.armatures}
    with own_changes():
        for each in before:
            each.pose_position = "REST"
        try:
            yield
        finally:
            for each, position in before.items():
                each.pose_position = position
            session.note_change()       # what was read is not what is shown


def _has_armature(context: bpy.types.Context) -> bool:
    if any(each.type == "ARMATURE" for each in context.scene.objects):
        return True
    return any(isinstance(each, bpy.types.Armature) for each in context.evaluated_depsgraph_get().ids)
