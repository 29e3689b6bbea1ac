# SPDX-License-Identifier: GPL-3.0-or-later
"""`Counted`: of how many surfaces each object consists that was asked for, itself and what it instances.

Where objects come to instance something, or get their first faces, that is not told by their own mesh or pose.
"""
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING

import bpy

from ..names import is_made
from .reloaded import renumbered

if TYPE_CHECKING:
    from .snapshot import Snapshot
    from .swept import Swept

MAKERS = {"NODES", "PARTICLE_SYSTEM"}       # types of modifiers that may make instances
ON_PARTS = {"VERTS", "FACES"}       # types of instancing that show children somewhere else


def counted_of(source: "Snapshot | Swept") -> dict[int, int] | None:
    """How many surfaces of each object were tested, by session_uid; None where points were."""
    if source.has_points:
        return None
    return dict(Counter(row.session_uid for row in source.rows if row is not None))


class Counted:
    """What was counted in a reading, and whose number is another one now.

    before: by session_uid, of what was tested; nothing of what showed no surface. None: not known, as points were
    tested, or an old file does not say. only_new: what was tested had other numbers in other frames, so that only
    what showed no surface is looked at. others: whose number is another one now.
    """

    def __init__(self, before: dict[int, int] | None, only_new: bool = False):
        self.before, self.only_new = before, only_new
        self.others: set[int] = set()
        self.is_due = False             # something happened at a frame where nothing can be compared
        self._ever: set[int] = set()    # that were among the others: undo and redo may bring that back

    def may_differ(self, update: bpy.types.DepsgraphUpdate, each: bpy.types.Object) -> bool:
        """True where an object that Blender has evaluated anew may consist of more or fewer surfaces since. each: the
        original."""
        uid, parent = each.session_uid, each.parent
        if self.before is None:
            return False
        if uid in self.others or parent is not None and parent.instance_type in ON_PARTS:
            return True
        if uid not in self.before:
            return update.is_updated_geometry or each.instance_type != "NONE"
        return update.is_updated_geometry and any(modifier.type in MAKERS for modifier in each.modifiers)

    def has_idle_instancers(self, asked: Iterable[bpy.types.Object]) -> bool:
        """True where something instances a collection that showed nothing: of what is put there, only the scene
        tells."""
        return self.before is not None and any(
            each.instance_type == "COLLECTION" and each.session_uid not in self.before for each in asked)

    @property
    def was_ever_other(self) -> bool:
        return bool(self._ever)

    def renumber(self, new: Mapping[int, int]) -> None:
        """Some objects have another session_uid by now."""
        if self.before is not None:
            self.before = {new.get(uid, uid): count for uid, count in self.before.items()}
        self.others, self._ever = renumbered(self.others, new), renumbered(self._ever, new)

    def compare(self, depsgraph: bpy.types.Depsgraph, asked: Container[int]) -> bool:
        """Count anew in a graph that was evaluated just now, at the frame that was tested; True where other objects
        than before differ. asked: session_uid."""
        self.is_due = False
        if self.before is None:
            return False
        now = _surfaces(depsgraph, asked, self.before)
        others = {uid for uid in now.keys() | self.before.keys() if now[uid] != self.before.get(uid, 0)
                  and not (self.only_new and uid in self.before)}
        is_other, self.others = others != self.others, others
        self._ever |= others
        return is_other


def _surfaces(depsgraph: bpy.types.Depsgraph, asked: Container[int], before: Container[int]) -> Counter[int]:
    """How many surfaces are shown of each object, by session_uid. What is open in Edit Mode cannot be asked for its
    faces: it counts as it did."""
    found: Counter[int] = Counter()
    for each in depsgraph.object_instances:
        shown, is_instance = each.object, each.is_instance
        if shown.type != "MESH" or not each.show_self:
            continue
        uid = (each.parent if is_instance else shown).original.session_uid
        if uid not in asked:
            continue
        mesh = shown.data
        has_faces = uid in before if mesh.is_editmode else len(mesh.polygons) > 0
        if has_faces and not (is_instance and is_made(each.instance_object.original)):
            found[uid] += 1
    return found
