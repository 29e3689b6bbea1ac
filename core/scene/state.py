# SPDX-License-Identifier: GPL-3.0-or-later
"""`State`: what a scene is at one moment. What was computed of it holds as long as it is the same one."""
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(eq=False)
class State:
    """Layout, poses and versions of meshes, as they were. Nothing is written into its arrays."""

    layout: Any                     # a `scene.Layout`
    poses: np.ndarray               # (objects,4,4) float64
    versions: np.ndarray            # (meshes,) int64
    before: "State | None"          # the State before this one, None where objects or meshes have come or gone since
    changed: np.ndarray             # (objects,) bool: moved, in any bit, or deformed since then; all without `before`

    @classmethod
    def after(cls, before: "State | None", layout, poses: np.ndarray, versions: np.ndarray) -> "State":
        """The State of a scene: `before` itself where nothing is different."""
        if before is None or before.layout is not layout or len(before.versions) != len(versions):
            return cls(layout, poses.copy(), versions.copy(), None, np.ones(len(poses), bool))
        # Sixteen truth values a pose, looked at as two numbers: to reduce them takes ten times as long.
        moved = (before.poses.view(np.int64) != poses.view(np.int64)).reshape(len(poses), 16).view(np.int64)
        changed = (moved[:, 0] | moved[:, 1]) != 0
        deformed = before.versions != versions
        if np.count_nonzero(deformed):
            changed |= deformed[layout.mesh]
            versions = versions.copy()
        elif not np.count_nonzero(changed):
            return before
        else:
            versions = before.versions
        before.before = None            # or all that ever was would stay
        return cls(layout, poses.copy(), versions, before, changed)

    @cached_property
    def affine(self) -> np.ndarray:
        """(objects,3,4) float64: the poses without their last rows."""
        return np.ascontiguousarray(self.poses[:, :3])

    def changed_since(self, other: "State") -> np.ndarray | None:
        """(objects,) bool: what is not as it was in another State of the scene; None where that is too long ago."""
        return self.changed if other is self.before else None
