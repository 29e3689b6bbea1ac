# SPDX-License-Identifier: GPL-3.0-or-later
"""`Follower`: a core Scene that goes on from reading to reading, so that what was prepared for it is used again."""
import threading
import weakref

import numpy as np

from ...core import Scene
from ...core.arrays import moved_poses
from .assemble import Assembly, MeshKey
from .mesh_arrays import Stored
from .snapshot import Snapshot

MOST_REMOVED = 1000     # meshes that are gone, of which the Scene keeps the indices, until a new one is begun


class Follower:
    """Takes over one Assembly after the other and passes on to its core Scene only what differs.

    Objects are told apart by their owner, what they show, and Blender's number of the instance; meshes by the object
    that has them. That says what to compare with what, and no more: what is called unchanged was compared bit by bit,
    poses as well as positions and faces. So undo, other frames and edits that Blender tells nobody about need no care.

    `lock`: held from the beginning of a reading to the end of the run that uses it, as a worker may be busy with the
    Scene. `stays`: no new Scene is begun at the next reading, although the old one has grown.
    """

    def __init__(self):
        self.lock = threading.Lock()
        self.stays = False
        self._begin()

    def _begin(self) -> None:
        self.core = Scene()
        self._stored: dict[MeshKey, Stored] = {}
        self._mesh: dict[MeshKey, int] = {}
        self._keys: list[tuple] = []        # of the objects, by index
        self._latest: weakref.ref[Snapshot] | None = None

    def stored(self, key: MeshKey) -> Stored | None:
        """What was read of a mesh the last time."""
        return self._stored.get(key)

    def follow(self, assembly: Assembly) -> Scene:
        """Make the core Scene that of an Assembly whose sources are all read, and return it: as `put_together`."""
        if (latest := self._latest and self._latest()) is not None:
            latest.leave()
        if len(self.core.meshes) > MOST_REMOVED + 2 * len(assembly.sources) and not self.stays:
            self._begin()
        self.stays = False
        try:
            mesh = self._follow_meshes(assembly)
            self._follow_objects(assembly, mesh)
        except BaseException:
            self._begin()       # something half way is worse than nothing
            raise
        return self.core

    def handed_out(self, snapshot: Snapshot) -> None:
        """The Snapshot has the core Scene until the next `follow`."""
        self._latest = weakref.ref(snapshot)

    def _follow_meshes(self, assembly: Assembly) -> dict[int, int]:
        """Index of each source's mesh, by its pointer."""
        stored, mesh, index = {}, {}, {}
        for pointer, source in assembly.sources.items():
            key, now = assembly.mesh_keys[pointer], source.stored
            assert now is not None      # all are read
            before = self._stored.get(key)
            if before is not now and before is not None and now.is_deformed(before):
                self.core.set_vertices(self._mesh[key], now.vertices)
            known = before is not None and (before is now or now.is_deformed(before))
            stored[key] = now
            index[pointer] = mesh[key] = self._mesh[key] if known else self._added(now)
        self._gone = set(self._mesh.values()) - set(mesh.values())
        self._stored, self._mesh = stored, mesh
        return index

    def _added(self, stored: Stored) -> int:
        return self.core.add_mesh(stored.vertices, stored.triangles, stored.faces_of)

    def _follow_objects(self, assembly: Assembly, mesh: dict[int, int]) -> None:
        core = self.core
        index_of = {key: index for index, key in enumerate(self._keys)}
        order = []
        for part in assembly.parts:
            index = index_of.get(part.key)
            if index is None:
                index = core.add_object(mesh[part.mesh], part.pose, name=part.row.name, group=part.group,
                                        shell=part.shell, clearance=part.clearance)
            else:
                _update(core.objects[index], mesh=mesh[part.mesh], name=part.row.name, group=part.group,
                        shell=part.shell, clearance=part.clearance)
            order.append(index)
        if order != list(range(len(core.objects))):
            core.rearrange(order)
        self._keys = [part.key for part in assembly.parts]
        for gone in self._gone:
            core.remove_mesh(gone)
        if order:
            poses = np.array([part.pose for part in assembly.parts])
            moved = np.flatnonzero(moved_poses(core.poses, poses))
            core.set_poses(moved, poses[moved])


def _update(each, **wanted) -> None:
    """Set what differs: setting anything else would cost what is kept of the layout."""
    for name, value in wanted.items():
        if getattr(each, name) != value:
            setattr(each, name, value)
