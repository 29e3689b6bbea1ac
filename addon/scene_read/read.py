# SPDX-License-Identifier: GPL-3.0-or-later
"""The reading, step by step: choose objects, walk what the dependency graph shows, name and assemble it."""
import gc
import os
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from typing import Any, TypeVar

import bpy
import numpy as np

from ...core import memory
from ...core.rules import Rule
from .. import session
from ..names import name_of
from ..pieces import finished
from .assemble import Assembly
from .bonds import held_by
from .doubts import Doubts, doubts
from .edited import flush_edits
from .follower import Follower
from .instances import walk
from .mesh_arrays import Stored
from .mesh_source import MeshKey, Moved
from .refusals import refuse_too_few
from .scope import OF_SELECTION, choose
from .simulations import doubts_as_shown
from .snapshot import Snapshot
from .users_frame import UsersFrame

SIZE_OF_PIECE = 1 << 15     # points and faces that are read in one go, and how many of them a mesh without any
SIZE_OF_ANY = 1 << 8        # takes as long as: some milliseconds
Made = TypeVar("Made")


def read_scene(context: bpy.types.Context | None = None, **asked: Any) -> Snapshot:
    """Read what is asked for, on the main thread and in one go. Arguments and errors as in `reading`."""
    return finished(reading(context, **asked))


def reading(context: bpy.types.Context | None = None, *, scope: str = "VISIBLE",
            collection_a: bpy.types.Collection | str | None = None,
            collection_b: bpy.types.Collection | str | None = None, objects: Iterable[bpy.types.Object] | None = None,
            frame: float | None = None, takes_points: bool = False, alone: bool = False,
            follower: Follower | None = None, rules: Sequence[Rule] = (),
            identify_by: str = "", simulated: Doubts | None = None,
            circles: bool = True) -> Generator[float, None, Snapshot]:
    """Read what is asked for, on the main thread and in pieces: yields the fraction done, returns the Snapshot.

    The Snapshot shows one moment: where Blender changes something between two pieces, Moved is raised.

    context: a `bpy.types.Context`, the current one by default; its scene, view layer and, where it is a 3D viewport,
    its local view decide what is visible. scope: "VISIBLE", "SELECTED", "OTHERS" (what is
    selected against all else that is visible; with objects, these) or "COLLECTIONS" (collection_a against
    collection_b, each a name or a collection, child collections included; an instance lies where its instancer
    lies). objects: Blender objects to test among themselves, instead of a scope. frame: evaluate there, with the
    user's frame put back afterwards, all in one piece; by default the current frame. takes_points: objects without
    faces are read, too, as points: loose vertices and point clouds (`Method.takes_points`). alone: one object is
    enough. follower: whose core Scene goes on to this reading, and is the Snapshot's until the next one; without it,
    the Snapshot has a Scene of its own.
    rules: that take pairs away, lengths in Blender units; what they ask about objects is read, too.
    identify_by: a custom property of objects, such as a GUID, that reports have beside names.
    simulated: doubts about simulations at the current frame, None where nobody knows how it was come to.
    circles: look for things that depend on each other in a circle.
    Raises Refused, with a sentence for the user, where there is nothing to test.
    """
    context = context or bpy.context
    start = time.perf_counter()
    if session.note_reading(context.scene, bpy.data.scenes):
        memory.give_back()
    read = Reading(context, takes_points, follower, alone, identify_by, circles)
    steps = read.steps(scope, (collection_a, collection_b), objects, rules)
    with _at_frame(context, frame) as there, closing(steps):
        next(steps)
        read.simulated = there or simulated or doubts_as_shown(context, shown_frame(context.scene))
        changes = session.changes()
        for done in steps:
            if frame is None:
                paused = time.perf_counter()
                yield done
                start += time.perf_counter() - paused       # which is not reading
                if session.changes() != changes:
                    raise Moved
    return read.snapshot(start)


class Reading:
    """One reading: `steps` to their end, then `snapshot`."""

    def __init__(self, context, takes_points: bool, follower: Follower | None, alone: bool, identify_by: str,
                 circles: bool):
        self._context, self._follower, self._circles = context, follower, circles
        self._takes_points, self._alone, self._identify_by = takes_points, alone, identify_by
        self.simulated = Doubts()

    def steps(self, scope: str, collections: tuple, objects: Iterable[bpy.types.Object] | None,
              rules: Sequence[Rule]) -> Generator[float, None, None]:
        """Do it in pieces; yields the fraction done, first when all that is shown was walked over. Raises Moved where
        something that was met is not there any more."""
        assembling = self.look(scope, collections, objects, rules)
        yield 0.0
        try:
            self._assembly = yield from _quick(assembling, 0.0)     # of Blender's objects it has those with the meshes
            yield from self._meshes()
            # At that frame: others may break a driver.
            self._doubts = doubts(self._depsgraph(), self._edited, self._circles)
            assembly, follower = self._assembly, self._follower
            self._core = yield from _quick(follower.follow(assembly) if follower else assembly.put_together(), 1.0)
        except ReferenceError:
            raise Moved from None

    def look(self, scope: str, collections: tuple, objects: Iterable[bpy.types.Object] | None,
             rules: Sequence[Rule]) -> Generator[None, None, Assembly]:
        """Choose objects, and note all instances and where their meshes are; returns what puts them in order, in
        pieces."""
        context, scene = self._context, self._context.scene
        context.view_layer.update()     # what was added just now is not in the view layer's list before
        self._edited = flush_edits(context.view_layer)
        chosen = choose(context, scope, collections, objects)
        self._asked: dict[str, Any] = {
            "scope": "" if _is_local(context) or objects is not None and scope not in OF_SELECTION else scope,
            "collections": chosen.collections, "asked": frozenset(chosen.groups),
            "selected": chosen.selected, "held": held_by(scene, rules, chosen.collections)}
        self._layer = scene.session_uid, context.view_layer.name
        cast = None if self._follower is None else self._follower.cast
        with _without_search_for_cycles():
            found = walk(context.evaluated_depsgraph_get(), chosen, self._takes_points, self._before)
        self._found_at = (os.path.basename(bpy.data.filepath), name_of(scene), scene.session_uid, shown_frame(scene),
                          metres_per_unit(scene))
        return Assembly.of(found, chosen, scene, rules, self._identify_by, cast)

    def _meshes(self) -> Generator[float, None, None]:
        """Read the meshes; yields the fraction done now and then. Raises Moved where one is not there any more."""
        sources = self._assembly.sources
        depsgraph, size = self._depsgraph(), 0
        for number, (key, source) in enumerate(sources.items()):
            if size > SIZE_OF_PIECE:
                yield number / len(sources)
                depsgraph, size = self._depsgraph(), 0
            source.read(depsgraph, self._before(key))
            size += SIZE_OF_ANY + source.points + source.faces
        yield 1.0

    def snapshot(self, start: float) -> Snapshot:
        """What was read since `start`. Raises Refused where that is too little."""
        assembly, follower = self._assembly, self._follower
        refuse_too_few(self._core, assembly, self._alone)
        snapshot = Snapshot(self._core, assembly.cast.rows, assembly.skipped, assembly.rules, *self._found_at,
                            time.perf_counter() - start, self._doubts.joined(self.simulated), assembly.taking,
                            self._identify_by, changes=session.changes(), **self._asked)
        if follower:
            follower.handed_out(snapshot)
        return snapshot

    def _before(self, key: MeshKey) -> Stored | None:
        """What was read of a mesh the last time."""
        return None if self._follower is None else self._follower.stored(key)

    def _depsgraph(self):
        """The one that was looked at, as it is, without an evaluation of what was changed since."""
        uid, name = self._layer
        scene = next((each for each in bpy.data.scenes if each.session_uid == uid), None)
        layer = None if scene is None else scene.view_layers.get(name)
        if layer is None or layer.depsgraph is None:
            raise Moved
        return layer.depsgraph


def _is_local(context) -> bool:
    """True where a 3D viewport asks that shows a part of the scene only."""
    space = getattr(context, "space_data", None)
    return space is not None and space.type == "VIEW_3D" and space.local_view is not None


def metres_per_unit(scene: bpy.types.Scene) -> float:
    """Length of one Blender unit; a scene without a unit system is taken to be in metres."""
    units = scene.unit_settings
    return 1.0 if units.system == "NONE" else _as_typed(units.scale_length)


def shown_frame(scene: bpy.types.Scene) -> float:
    """The scene's frame with its part after the point, as timelines have it and `frame_set` takes it: of a scene whose
    time is remapped `frame_current_final` is another one."""
    return _as_typed(scene.frame_float)


def _as_typed(number: float) -> float:
    """The shortest number that is this one in single precision: 0.01, which Blender keeps as 0.009999999776482582."""
    return float(str(np.float32(number)))


@contextmanager
def _without_search_for_cycles():
    """Of thousands of objects some ten thousand tuples are made, which make Python search all that it has for cycles a
    few times: a fifth of the whole reading. There are none in them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _quick(pieces: Generator[None, None, Made], done: float) -> Generator[float, None, Made]:
    """The same pieces, each without that search. Yields the fraction done of the reading."""
    with closing(pieces):
        while True:
            with _without_search_for_cycles():
                try:
                    next(pieces)
                except StopIteration as end:
                    return end.value
            yield done


@contextmanager
def _at_frame(context, frame: float | None):
    """The scene at this frame, and afterwards at the user's again. Gives doubts about simulations there, None where
    the user has come to it."""
    if frame is None or frame == shown_frame(context.scene):
        yield None
        return
    users_frame = UsersFrame(context)
    users_frame.show(context, frame)
    try:
        yield users_frame.doubts
    finally:
        users_frame.put_back()
