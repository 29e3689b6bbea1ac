# SPDX-License-Identifier: GPL-3.0-or-later
"""`Snapshot`: what was read, and which Blender object each part of it came from."""
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import bpy
import numpy as np

from ...core import Scene
from ...core.codes import Skipped
from ...core.rules import Relations, Rule, RuleSet
from ...core.scene.scene import Layout
from ...core.scene.select import world_boxes
from ..names import is_utf8
from .doubts import Doubts


class Row(NamedTuple):
    """One object of the core Scene.

    `name` is what the user sees and is unique in its Snapshot. The other fields lead back to the Blender object
    that stands for it: the object itself, or the instancer whose instance it is.
    """

    name: str
    object_name: str
    library: str | None             # path of its library as the file stores it; None: in this file
    session_uid: int                # survives renames and undo, not the loading of a file
    is_instance: bool = False
    persistent_id: tuple[int, ...] = ()     # Blender's number of the instance, innermost level first
    instance: str = ""              # what reports call it beside the instancer: "Tree #12"
    identifier: str | None = None   # the property that was asked for: of the object, or of what is instanced
    source_uid: int = 0             # session_uid of the object that is instanced; 0 where there is none

    def find(self) -> bpy.types.Object | None:
        """The `bpy.types.Object`, or None when it was deleted meanwhile."""
        if is_utf8(self.object_name):
            found = bpy.data.objects.get((self.object_name, self.library))
            if found is not None and found.session_uid == self.session_uid:
                return found
        return next((each for each in bpy.data.objects if each.session_uid == self.session_uid), None)


class Related(NamedTuple):
    """Rules that take pairs away, what they were told of the objects, and the session_uid of each of these."""

    rules: tuple[Rule, ...] = ()
    relations: Relations | None = None
    uids: list[int] | tuple[()] = ()


@dataclass(eq=False)
class _Left:
    """What a core Scene was, to make it again."""

    layout: Layout
    poses: np.ndarray
    meshes: list[tuple]

    def made_again(self) -> Scene:
        core, layout = Scene(), self.layout
        for mesh in self.meshes:
            core.add_mesh(*mesh)
        for name, mesh, group, shell, clearance, pose in zip(
                layout.names, layout.mesh.tolist(), layout.group, layout.shell.tolist(), layout.clearance.tolist(),
                self.poses):
            core.add_object(mesh, pose, name=name, group=layout.groups[group], shell=shell, clearance=clearance)
        return core


@dataclass(eq=False)
class Snapshot:
    """A scene as it was at one frame.

    core: the `touchpoint.core.Scene` to test, `rows[i]` tells where its object i came from. rules: for
    `core.detect(rules=…)`, None where all pairs are tested. skipped: objects left out before they reached `core`.
    """

    _core: Scene | _Left
    rows: list[Row]
    skipped: list[Skipped]
    rules: list[tuple[str, str]] | None
    file_name: str              # without its folder; "" for a file that was never saved
    scene_name: str             # of the Blender scene
    scene_uid: int              # its session_uid
    frame: float
    unit_scale: float           # metres per Blender unit
    seconds: float              # time the reading took
    doubts: Doubts = field(default_factory=Doubts)      # why the scene may not be what its author sees
    taking: RuleSet | None = None       # `rules`, and those that take pairs away; None where there are none
    identified_by: str = ""             # the property that identifies objects, "" where none was asked for
    scope: str = ""                     # that was asked for, "" where it was given objects, or only a local view
    collections: tuple[str, ...] = ()   # names of A and B
    asked: frozenset[int] = frozenset()     # session_uid of all objects that were asked for, tested or not
    selected: frozenset[int] = frozenset()      # of these, the ones that all others were tested against
    changes: int = 0                    # session.changes() when it was read
    held: dict[int, frozenset[int]] | None = None   # what collections held then, see `bonds.held_by`; None: not known

    @property
    def core(self) -> Scene:
        """Always of that frame; where the Scene went on to another reading, it is made again."""
        if isinstance(self._core, _Left):
            self._core = self._core.made_again()
        return self._core

    def leave(self) -> None:
        """The core Scene is about to go on to another reading."""
        core = self.core
        self.boxes = world_boxes(core)
        self._core = _Left(core.layout, core.poses.copy(),
                           [(each.vertices, each.triangles, each.faces) for each in core.meshes])

    def mesh_of(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """Vertices and triangles of an object, local, as they were read."""
        if isinstance(self._core, _Left):
            return self._core.meshes[self._core.layout.mesh[index]][:2]
        mesh = self._core.meshes[self._core.objects[index].mesh]
        return mesh.vertices, mesh.triangles

    @property
    def has_points(self) -> bool:
        """True where an object is points without faces."""
        used, meshes = set(self._core.layout.mesh.tolist()), self._core.meshes
        if isinstance(self._core, _Left):
            return not all(len(meshes[each][1]) for each in used)
        return not all(len(meshes[each].triangles) for each in used)

    @property
    def related(self) -> Related:
        """What decided about pairs, beside shapes and places."""
        uids = [row.session_uid for row in self.rows]
        return Related((), None, uids) if self.taking is None else Related(
            tuple(self.taking.rules), self.taking.relations, uids)

    @property
    def poses(self) -> np.ndarray:
        """(n,4,4) float64, as they were read."""
        return self._core.poses

    @cached_property
    def boxes(self) -> np.ndarray:
        """(n,6) float64, lo x y z hi x y z: world boxes that hold the objects, a little larger than tight."""
        return world_boxes(self.core)

    def find_scene(self) -> bpy.types.Scene | None:
        """The `bpy.types.Scene` that was read, or None when it was deleted, or another file loaded."""
        return next((each for each in bpy.data.scenes if each.session_uid == self.scene_uid), None)

    def find_objects(self) -> list:
        """For each row its `bpy.types.Object`, or None when it was deleted meanwhile; one pass over the file."""
        by_uid = {each.session_uid: each for each in bpy.data.objects}
        return [by_uid.get(row.session_uid) for row in self.rows]
