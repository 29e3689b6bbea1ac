# SPDX-License-Identifier: GPL-3.0-or-later
"""`MeshSource`: an evaluated mesh that is to be read, or was."""
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy

from ...core.errors import Refused
from ...core.shown import escaped
from ..names import name_of
from .mesh_arrays import Stored, read_mesh, read_point_cloud

if TYPE_CHECKING:
    from ...core import Scene

MeshKey = tuple[int, int]       # session_uid of the object whose mesh it is, and which of its meshes
Before = Callable[[MeshKey], Stored | None]     # what was read of a mesh the last time
READERS = {"MESH": read_mesh, "POINTCLOUD": read_point_cloud}


class Moved(Exception):
    """The evaluated mesh that was met is not there any more."""


@dataclass(slots=True)
class MeshSource:
    """Leads to an evaluated mesh without a reference to it, which would not survive an edit.

    An object's own mesh is found again by that object, and can be read later, as long as no undo and no other file has
    come in between. What nodes, texts and curves make, and
    what is open in Edit Mode, belongs to nobody who could be asked again: it is read as soon as it is met.
    """

    pointer: int                    # of the evaluated mesh
    holder: bpy.types.Object        # the (original) object whose mesh it is
    key: MeshKey
    points: int
    faces: int
    stored: Stored | None           # once read

    @classmethod
    def of(cls, shown: bpy.types.Object, data: Any, holder: bpy.types.Object,
           numbers: dict[int, int], before: Before) -> "MeshSource":
        """Of an entry of `depsgraph.object_instances` that is a mesh or a point cloud. shown: its evaluated object,
        whose data is `data`; holder: this very object, or the one that the entry is an instance of. numbers: how many
        meshes there were until now, by holder: nodes may make it several. before: what an earlier reading gave."""
        pointer, original = data.as_pointer(), holder.original
        known = holder is shown or (holder.type == shown.type and holder.data.as_pointer() == pointer)
        is_mesh = shown.type == "MESH"
        uid = original.session_uid
        number = numbers[uid] = numbers.get(uid, 0) + 1
        key = uid, number
        stored = None if known and not (is_mesh and data.is_editmode) else READERS[shown.type](shown, before(key))
        if stored is not None:
            points, faces = len(stored.vertices), len(stored.triangles)
        elif is_mesh:
            points, faces = len(data.vertices), len(data.polygons)
        else:
            points, faces = len(data.points), 0
        return cls(pointer, original, key, points, faces, stored)

    def read(self, depsgraph: bpy.types.Depsgraph, before: Stored | None = None) -> None:
        """Read it into `stored`, which is `before` itself where that is what would be read again.

        depsgraph: the one it was met in, not evaluated again since. Raises Moved where that is not so, as far as that
        can be told.
        """
        if self.stored is not None:
            if self.stored is not before:
                self.stored = self.stored.after(before)
            return
        try:
            evaluated = self.holder.evaluated_get(depsgraph)
        except ReferenceError:      # it was deleted
            raise Moved from None
        if evaluated.data is None or evaluated.data.as_pointer() != self.pointer:
            raise Moved
        self.stored = READERS[evaluated.type](evaluated, before)

    def add_to(self, core: "Scene") -> int:
        """Its index among the meshes of a core Scene. Raises Refused for a mesh whose faces have corners that it does
        not have, as damaged files and scripts have them."""
        stored = self.stored
        assert stored is not None       # it is read
        try:
            return core.add_mesh(stored.vertices, stored.triangles, stored.faces_of)
        except ValueError as error:
            raise Refused(f'The mesh of "{escaped(name_of(self.holder))}" is damaged: {error}.') from None
