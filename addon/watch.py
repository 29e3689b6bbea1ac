# SPDX-License-Identifier: GPL-3.0-or-later
"""`Watch`: with what a result was found, and what of that is not as it was then."""
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ..core.shown import escaped
from . import session
from .changes import INPUT_TYPES
from .names import is_made, name_of
from .scene_read.bonds import Bonds
from .scene_read.counted import Counted, counted_of
from .scene_read.instances import SURFACE_TYPES
from .scene_read.instancing import (
    NO_INSTANCES,
    Instancing,
    Origin,
    Prints,
    objects_and_instancers,
    origin_of,
    shows_only,
    shows_otherwise,
)
from .scene_read.mesh_arrays import read_surface
from .scene_read.prints import mesh_print, pose_print, pose_prints, prints_of
from .scene_read.read import shown_frame
from .scene_read.relations import ties_of
from .scene_read.reloaded import NAMELESS, Key, key_of, reloaded, renumbered
from .scene_read.scope import collection_named, hidden_of

if TYPE_CHECKING:
    from .scene_read import Snapshot
    from .scene_read.swept import Swept

READ_AGAIN = 300_000        # vertices: a changed mesh of no more is read at each update, to see whether it is as it was
DELETED, NOT_THERE, HIDDEN, MOVED, DEFORMED = "deleted", "not in the view layer", "hidden", "moved", "changed"


@dataclass(slots=True)
class Kept:
    """One object as it was tested."""

    key: Key
    uid: int                        # its session_uid, 0 where it is not there
    own: Key = NAMELESS             # its own name: `key` is empty where it is not tested itself
    pose: int | None = None         # `pose_print`
    mesh: int | None = None         # `mesh_print`; None: not known, so that no comparison is possible
    row: int = -1                   # of the source, whose mesh gives `mesh` once it is asked for
    is_tested: bool = False         # itself, and not only as what others instance
    has_instances: bool = False
    shown_by: tuple[Key, ...] = ()  # those that instance it
    shows_itself: bool | None = None    # and not only what it instances; None: not known
    instances: Prints | None = None     # None: not known


class Watch:
    """Marks objects that changed, and takes the mark away where they are as they were. Nothing of it is claimed where
    it can be compared: positions and faces, and the pose, at the frame that was tested."""

    def __init__(self, scene, frame: float, swept: bool, layer: str, scope: str, collections: tuple[int, ...]):
        """frame: that was tested, or that was shown when an animation had been. layer: name of the view layer.
        collections: session_uid of A and B, 0 for one that is gone."""
        self.frame, self.swept, self.layer, self.scope, self.collections = frame, swept, layer, scope, collections
        self._scene_uid = scene.session_uid
        self._number = 0        # of the view layer, which may get another name
        self.counted = Counted(None)
        self.bonds = Bonds()
        self.called: dict[int, Key] = {}    # what collections are called, of those and of A and B, by session_uid
        self.rebound: dict[int, str] = {}   # uid: how it belongs to others now
        self._ties: dict[int, tuple] = {}   # of what Blender has evaluated since
        self.kept: dict[int, Kept] = {}
        self.lost: list[Kept] = []          # of a file: those that nothing has the name of
        self.asked: set[int] = set()
        self.selected: set[int] = set()     # of these, the ones that all others were tested against
        self.gone: dict[int, str] = {}      # uid: why it would not be tested now
        self.moved: set[int] = set()
        self.deformed: set[int] = set()
        self.appeared: list[str] = []
        self.suspects: set[int] = set()    # whose shape was touched since, at any time: undo may bring that back
        self.elsewhere: set[int] = set()   # touched at another frame of an animation, where nothing can be compared
        # Has the meshes; large, and not kept by this once the report is forgotten.
        self._source: Callable[[], Any] = lambda: None
        self._origins: dict[int, Origin] = {}   # of collections that are instanced, as they were compared last
        self.is_new = True                  # nothing was compared yet

    @classmethod
    def of(cls, source: "Snapshot | Swept", scene: bpy.types.Scene, layer: str) -> "Watch":
        """Of a Snapshot, or a Swept, that was tested just now. What changed since it was read is marked."""
        swept = source.frame is None
        sides = [collection_named(name, scene) for name in source.collections]
        watch = cls(scene, shown_frame(scene) if source.frame is None else source.frame, swept, layer, source.scope,
                    tuple(0 if each is None else each.session_uid for each in sides))
        watch.asked, watch.selected = set(source.asked), set(source.selected)
        if not swept:
            watch._source = weakref.ref(source)
        objects = {each.session_uid: each for each in bpy.data.objects}
        poses = [None] * len(source.rows) if swept else prints_of(source.poses.astype(np.float32))
        for number, (row, pose) in enumerate(zip(source.rows, poses)):
            if row is not None:
                watch._keep(number, row, objects, pose)
        watch._keep_instancers(objects)
        watch.bonds = Bonds.of(source, scene)
        watch.note_names()
        watch.counted = Counted(counted_of(source), swept)
        watch.counted.is_due = bool(session.touched())
        watch._mark_touched(source.changes)
        watch.check()
        return watch

    def _keep(self, number: int, row, objects: dict, pose: int | None) -> None:
        """One row of what was read. pose: its print, None where it is that of many frames."""
        key = escaped(row.object_name), escaped(row.library or "")      # as rows of the list have it
        own = self.kept.setdefault(row.session_uid, Kept(key, row.session_uid))
        own.key = own.own = key
        own.is_tested = True
        if not row.is_instance:
            own.pose = _pose_of(objects, row.session_uid) if pose is None else pose
            own.row = -1 if own.has_instances or self.swept else number
            own.shows_itself = True
            return
        own.has_instances, own.row = True, -1       # its own mesh tells nothing of where these are
        if own.pose is None:
            own.pose = _pose_of(objects, row.session_uid)
        if row.source_uid:
            shown = self.kept.setdefault(row.source_uid, Kept(NAMELESS, row.source_uid))
            if shown.pose is None and row.source_uid in objects:
                shown.pose, shown.own = pose_print(objects[row.source_uid]), key_of(objects[row.source_uid])
            if not shown.is_tested and not self.swept:
                shown.row = number
            if key not in shown.shown_by:
                shown.shown_by += (key,)

    def _keep_instancers(self, objects: dict) -> None:
        """Who shows itself beside what it instances, and what that is. Of those that others instance and that do not,
        there is no row."""
        for own in list(self.kept.values()):
            parent = objects[own.uid].parent if own.shown_by and own.uid in objects else None
            if parent is not None and parent.is_instancer and parent.session_uid not in self.kept:
                self.kept[parent.session_uid] = Kept(NAMELESS, parent.session_uid, key_of(parent),
                                                     pose_print(parent), shown_by=own.shown_by)
        instancing = Instancing()
        for own in self.kept.values():
            if own.uid in objects:      # one with a row of its own did, whatever became of it while the run went on
                own.shows_itself = own.shows_itself or objects[own.uid].show_instancer_for_viewport
                own.instances = instancing.prints_of(objects[own.uid])

    def note_names(self) -> None:
        """Remember what the collections are called that it asks for."""
        asked = {*self.collections, *self.bonds.holding}
        self.called = {each.session_uid: key_of(each) for each in bpy.data.collections if each.session_uid in asked}

    def _mark_touched(self, since: int) -> None:
        """Of what Blender has evaluated anew while the run was going on, what cannot be compared."""
        for uid, (moved, deformed) in session.touched().items():
            if uid in self.kept and deformed > since:
                self.suspects.add(uid)
                self.deformed.add(uid)
            if uid in self.kept and moved > since and (self.swept or self.kept[uid].has_instances):
                self.elsewhere.add(uid)
                self.moved.add(uid)

    # What is asked of it

    @cached_property
    def changed(self) -> dict[Key, str]:
        """What became of objects of the list: the worst of it."""
        found: dict[Key, str] = {each.key: DELETED for each in self.lost}
        for uid, each in self.kept.items():
            word = (self.gone.get(uid) or self.rebound.get(uid) or (MOVED if uid in self.moved else "")
                    or (DEFORMED if uid in self.deformed or uid in self.counted.others else ""))
            if word and each.is_tested:
                found[each.key] = word
            for owner in each.shown_by if word else ():
                found.setdefault(owner, DEFORMED)
        return found

    @property
    def is_stale(self) -> bool:
        return bool(self.changed or self.appeared)

    # What is told to it

    def note(self, uid: int, evaluated: bpy.types.Object, moved: bool, deformed: bool, comparable: bool) -> None:
        """Blender has evaluated an object anew. comparable: what `is_comparable` says."""
        if (kept := self.kept.get(uid)) is None:
            return
        if moved:
            self._mark(self.moved, uid, not comparable or self.swept or pose_print(evaluated) != kept.pose)
        if deformed:
            self.suspects.add(uid)
            if not comparable:
                self._mark(self.deformed, uid, True)
            elif uid not in self.deformed or _is_small(evaluated):
                self._mark(self.deformed, uid, self._is_deformed(kept, evaluated))
        if not comparable and self.swept:
            self.elsewhere.add(uid)

    def check(self) -> None:
        """Compare all anew: after undo and redo, at the frame that was tested, and once a file was loaded."""
        self.is_new = False
        self._ties.clear()      # undo and redo change them without a word
        self.check_seen()
        if not self.is_comparable():
            return
        layer, suspects = self._view_layer(), (self.suspects & self.kept.keys()) - self.elsewhere
        objects = {each.session_uid: each for each in bpy.data.objects} if suspects else {}
        for uid, pose in pose_prints(self.kept):
            if uid not in self.elsewhere:
                self._mark(self.moved, uid, pose != self.kept[uid].pose)
        for uid in suspects:
            if uid in objects and layer is not None:
                graph = layer.depsgraph     # None where Blender has not evaluated the scene yet: another one is shown
                self._mark(self.deformed, uid, graph is None or self._is_deformed(
                    self.kept[uid], objects[uid].evaluated_get(graph)))

    def check_at_frame(self) -> None:
        """Compare, where the frame that is shown is the one that was tested."""
        if self.is_stale:
            self.check()
        elif self.is_comparable():
            self.check_seen()

    def sees_otherwise(self, objects: list[bpy.types.Object]) -> bool:
        """True where objects that were evaluated anew are hidden or shown, themselves or with what they instance, and
        `check_seen` found otherwise. Keys and drivers of its visibility tell in no other way."""
        layer = self._view_layer()
        if layer is None or not objects:
            return False
        shown, instancing, appeared = self.is_comparable(), Instancing(), set(self.appeared)
        hidden = hidden_of(objects, layer, shown)
        for each in objects:
            uid = each.session_uid
            kept, is_hidden = self.kept.get(uid), uid in hidden
            if kept is not None and shows_otherwise(each, kept, instancing, shown) != (self.gone.get(uid) == DEFORMED):
                return True
            if kept is not None and kept.is_tested:
                if is_hidden != (self.gone.get(uid) == HIDDEN):
                    return True
            elif is_hidden == (escaped(name_of(each)) in appeared) and self._candidates({uid: each}):
                return True
        return False

    def sees_other_origin(self, collection: bpy.types.Collection) -> bool:
        """True for a collection whose instances stand elsewhere since `check_seen`."""
        origin = origin_of(collection)
        return self._origins.get(collection.session_uid, origin) != origin

    def sees_other_ties(self, each: bpy.types.ID) -> bool:
        """True for an object or an armature that may belong to others than at `check_seen`, as parents, armatures and
        constraints have it."""
        if not self.bonds.kinds or not isinstance(each, (bpy.types.Object, bpy.types.Armature)):
            return False
        ties, before = ties_of(each), self._ties.get(each.session_uid)
        self._ties[each.session_uid] = ties
        return ties != before

    def check_counts(self, depsgraph: bpy.types.Depsgraph | None) -> None:
        """Compare how many surfaces objects consist of, in a graph that was evaluated just now; at another frame later,
        once that is shown which was tested."""
        layer = self._view_layer()
        if (layer is None or depsgraph is None or depsgraph.view_layer.name != layer.name
                or not self.is_comparable()):
            self.counted.is_due = True
        elif self.counted.compare(depsgraph, self.asked):
            self._forget_changed()
            self.check_seen()

    def has_idle_instancers(self) -> bool:
        """True where something that was asked for instances a collection, and showed nothing."""
        return self._view_layer() is not None and self.counted.has_idle_instancers(
            each for uid, each in objects_and_instancers()[1].items() if uid in self.asked)

    def check_seen(self) -> None:
        """Compare what would be tested now with what was."""
        layer = self._view_layer()
        # One that is deleted while a result is being written is None until the layer is evaluated.
        here = {} if layer is None else {each.session_uid: each for each in layer.objects if each is not None}
        shown, instancing = self.is_comparable(), Instancing()
        gone: dict[int, str] = {}
        everywhere, instancers = objects_and_instancers()
        if self.kept.keys() - everywhere.keys() and self._take_reloaded():
            self.check()
            return
        tested = {uid for uid, each in self.kept.items() if each.is_tested}
        made = {uid for uid, each in self.kept.items() if each.instances not in (None, NO_INSTANCES)}
        for uid in instancers.keys() & self.kept.keys() | made & everywhere.keys():     # most objects are none
            if shows_otherwise(everywhere[uid], self.kept[uid], instancing, shown):
                gone[uid] = DEFORMED
        gone |= dict.fromkeys(hidden_of((here[uid] for uid in tested & here.keys()), layer, shown), HIDDEN)
        gone |= dict.fromkeys(tested - here.keys(), NOT_THERE)
        gone |= dict.fromkeys(self.kept.keys() - everywhere.keys(), DELETED)
        self._origins = instancing.origins
        new = self._candidates(here) + [here[uid] for uid in here
                                        if uid in self.counted.others and uid not in self.kept]
        hidden = hidden_of(new, layer, shown)
        appeared = [escaped(name_of(each)) for each in new if each.session_uid not in hidden]
        rebound = self._rebound()
        if gone != self.gone or appeared != self.appeared or rebound != self.rebound:
            self.gone, self.appeared, self.rebound = gone, appeared, rebound
            self._forget_changed()

    def _take_reloaded(self) -> bool:
        """True where some of what was tested has come from its library anew, and is known again."""
        new = reloaded({uid: each.own for uid, each in self.kept.items()}, bpy.data.objects)
        if not new:
            return False
        self.kept = {new.get(uid, uid): each for uid, each in self.kept.items()}
        for uid in new.values():
            self.kept[uid].uid = uid
        self.asked, self.selected, self.moved, self.deformed, self.elsewhere = (
            renumbered(uids, new) for uids in (self.asked, self.selected, self.moved, self.deformed, self.elsewhere))
        self.suspects = renumbered(self.suspects, new) | set(new.values())
        self.counted.renumber(new)
        collections = reloaded(self.called, bpy.data.collections)
        self.bonds = self.bonds.renumbered(new, collections)
        self.collections = tuple(collections.get(uid, uid) for uid in self.collections)
        self.called = {collections.get(uid, uid): key for uid, key in self.called.items()}
        self._forget_changed()
        return True

    def _rebound(self) -> dict[int, str]:
        scene = self._scene()
        if scene is None or not (self.bonds.kinds or self.bonds.holding):
            return {}
        tested = {uid for uid, each in self.kept.items() if each.is_tested}
        return {uid: word for uid, word in self.bonds.differing(self.bonds.now(scene, tested), tested).items()
                if uid in self.kept}

    def _candidates(self, here: dict) -> list:
        """Objects that the scope takes and that were not asked for."""
        if self.scope not in ("VISIBLE", "OTHERS", "COLLECTIONS"):
            return []
        new = [here[uid] for uid in here if uid not in self.asked]
        new = [each for each in new if (each.type in INPUT_TYPES or each.instance_type != "NONE")
               and not is_made(each)]
        if not new or self.scope != "COLLECTIONS":
            return new
        inside = {each.session_uid for collection in bpy.data.collections
                  if collection.session_uid in self.collections for each in collection.all_objects}
        return [each for each in new if each.session_uid in inside]

    def _is_deformed(self, kept: Kept, evaluated) -> bool:
        expected = self.print_of_mesh(kept)
        if expected is None and shows_only(evaluated.original, self.kept):
            return False
        return expected is None or evaluated.type not in SURFACE_TYPES - {"META"} or mesh_print(
            *_arrays(evaluated)) != expected

    def print_of_mesh(self, kept: Kept) -> int | None:
        source = self._source()
        if kept.mesh is None and kept.row >= 0 and source is not None:
            kept.mesh = mesh_print(*source.mesh_of(kept.row))
        return kept.mesh

    def is_comparable(self) -> bool:
        """True where the frame is shown that was tested."""
        scene = self._scene()
        return scene is not None and shown_frame(scene) == self.frame

    def _scene(self):
        return next((each for each in bpy.data.scenes if each.session_uid == self._scene_uid), None)

    def _view_layer(self):
        scene = self._scene()
        if scene is None:
            return None
        layers = scene.view_layers
        found = layers.find(self.layer)
        if found >= 0:
            self._number = found
        elif self._number < len(layers):        # it has another name now
            self.layer = layers[self._number].name
        return layers.get(self.layer)

    def _mark(self, marks: set[int], uid: int, marked: bool) -> None:
        if marked != (uid in marks):
            (marks.add if marked else marks.discard)(uid)
            self._forget_changed()

    def _forget_changed(self) -> None:
        self.__dict__.pop("changed", None)


def _pose_of(objects: dict, uid: int) -> int | None:
    return pose_print(objects[uid]) if uid in objects else None


def _arrays(evaluated) -> tuple[np.ndarray, np.ndarray]:
    stored = read_surface(evaluated)
    return stored.vertices, stored.triangles


def _is_small(evaluated) -> bool:
    """True where it is read again at each update; not while it is being edited, which would go on being slow."""
    return evaluated.mode == "OBJECT" and (evaluated.type != "MESH" or len(evaluated.data.vertices) <= READ_AGAIN)
