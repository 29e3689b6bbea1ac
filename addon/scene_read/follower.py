# SPDX-License-Identifier: GPL-3.0-or-later
"""`Follower`: a core Scene that goes on from reading to reading, so that what was prepared for it is used again."""
import threading
import weakref
from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from ...core import Scene
from ...core.arrays import moved_poses
from ..pieces import MADE_AT_ONCE
from .assemble import Assembly
from .cast import Cast
from .mesh_arrays import Stored
from .mesh_source import MeshKey
from .snapshot import Snapshot

if TYPE_CHECKING:
    from ...core.sequence.again import Again

MOST_REMOVED = 1000     # meshes that are gone, of which the Scene keeps the indices, until a new one is begun


class Follower:
    """Takes over one Assembly after the other and passes on to its core Scene only what differs.

    Objects are told apart by their owner, what they show, and Blender's number of the instance; meshes by the object
    that has them. That says what to compare with what, and no more: what is called unchanged was compared bit by bit,
    poses as well as positions and faces. So undo, other frames and edits that Blender tells nobody about need no care.

    `lock`: held from the beginning of a reading to the end of the run that uses it, as a worker may be busy with the
    Scene. `stays`: no new Scene is begun at the next reading, although the old one has grown. `again`: what answers
    questions about the Scene, None until the first one.
    """

    def __init__(self):
        self.lock = threading.Lock()
        self.stays = False
        self._begin()

    def _begin(self) -> None:
        self.core = Scene()
        self.again: Again | None = None
        self._stored: dict[MeshKey, Stored] = {}
        self._mesh: dict[MeshKey, int] = {}
        self._keys: list[tuple] = []        # of the objects, by index
        self.cast: Cast | None = None       # of the latest reading
        self._latest: weakref.ref[Snapshot] | None = None

    def forget(self) -> None:
        """Begin anew: nobody knows what the core Scene is, as its run was broken off anywhere."""
        self._begin()

    def stored(self, key: MeshKey) -> Stored | None:
        """What was read of a mesh the last time."""
        return self._stored.get(key)

    def follow(self, assembly: Assembly) -> Generator[None, None, Scene]:
        """Make the core Scene that of an Assembly whose sources are all read, and return it: as `put_together`."""
        if (latest := self._latest and self._latest()) is not None:
            latest.leave()
        if len(self.core.meshes) > MOST_REMOVED + 2 * len(assembly.sources) and not self.stays:
            self._begin()
        self.stays = False
        try:
            yield from self._follow_meshes(assembly)
            yield from self._follow_objects(assembly)
        except BaseException:   # also where it is not gone on with
            self._begin()       # something half way is worse than nothing
            raise
        return self.core

    def handed_out(self, snapshot: Snapshot) -> None:
        """The Snapshot has the core Scene until the next `follow`."""
        self._latest = weakref.ref(snapshot)

    def _follow_meshes(self, assembly: Assembly) -> Generator[None, None, None]:
        """Make the meshes of the core Scene those of the sources; what is gone stays until no object has it."""
        stored, mesh = self._stored, dict(self._mesh)
        for count, (key, source) in enumerate(assembly.sources.items()):
            if count % MADE_AT_ONCE == MADE_AT_ONCE - 1:
                yield
            now, before = source.stored, stored.get(key)
            assert now is not None      # all are read
            if now is before:
                continue
            if before is not None and now.is_deformed(before):
                self.core.set_vertices(mesh[key], now.vertices)
            else:
                mesh[key] = source.add_to(self.core)
            stored[key] = now
        if len(stored) > len(assembly.sources):
            for key in stored.keys() - assembly.sources.keys():
                del stored[key], mesh[key]
        self._is_other_mesh = mesh != self._mesh
        self._gone = set(self._mesh.values()) - set(mesh.values()) if self._is_other_mesh else set()
        self._mesh = mesh

    def _follow_objects(self, assembly: Assembly) -> Generator[None, None, None]:
        core, cast = self.core, assembly.cast
        if cast is not self.cast or self._is_other_mesh:
            yield from self._follow_cast(assembly)
        if cast.rows:
            moved = np.flatnonzero(moved_poses(core.poses, assembly.poses))
            core.set_poses(moved, assembly.poses[moved])

    def _follow_cast(self, assembly: Assembly) -> Generator[None, None, None]:
        """Make the objects of the core Scene those of the cast."""
        core, cast = self.core, assembly.cast
        index_of = {key: index for index, key in enumerate(self._keys)}
        order = []
        for count, (key, row, mesh, group, (shell, clearance), pose) in enumerate(zip(
                cast.keys, cast.rows, cast.meshes, cast.groups, cast.own, assembly.poses)):
            if count % MADE_AT_ONCE == MADE_AT_ONCE - 1:
                yield
            index = index_of.get(key)
            if index is None:
                index = core.add_object(self._mesh[mesh], pose, name=row.name, group=group, shell=shell,
                                        clearance=clearance, identity=key)
            else:
                _update(core.objects[index], mesh=self._mesh[mesh], name=row.name, group=group, shell=shell,
                        clearance=clearance)
            order.append(index)
        if order != list(range(len(core.objects))):
            core.rearrange(order)
        self._keys, self.cast = cast.keys, cast
        for gone in self._gone:
            core.remove_mesh(gone)


def _update(each, **wanted) -> None:
    """Set what differs: setting anything else would cost what is kept of the layout."""
    for name, value in wanted.items():
        if getattr(each, name) != value:
            setattr(each, name, value)
