# SPDX-License-Identifier: GPL-3.0-or-later
"""`Scene`: meshes, shared by objects, and a pose per object."""
import copy
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

import numpy as np

from ..arrays import as_faces, as_indices, as_length, as_pose, as_poses, as_triangles, as_vertices, starts_of
from .frames import Frames
from .state import State
from .turn import Turn


@dataclass(eq=False)
class Mesh:
    """One set of triangles in local coordinates."""

    vertices: np.ndarray        # (n,3) float64
    triangles: np.ndarray       # (m,3) int32
    faces: np.ndarray | None = None     # (m,) int32: the face that each triangle was cut from; None: nobody knows
    removed: bool = False       # by `Scene.remove_mesh`, which leaves no vertices and triangles


class Shared:
    """What a Scene and its objects both look at. Objects that held their Scene would keep it, with all its trees, until
    Python looks for circles."""

    __slots__ = ("layout", "poses")

    def __init__(self):
        self.layout: Layout | None = None       # None: objects were added or changed since the last one
        self.poses = np.empty((8, 4, 4))        # the first dimension has room to grow


class Object:
    """A mesh at a pose. `pose_end` is the pose at the end of the interval, None where the query is for one instant.

    `shell`: it has no inside. `clearance`: that it asks for by itself. `enabled`: it is tested. `removed`: by
    `Scene.remove_object`, for good; a removed object is not enabled. `identity`: which one it is, whatever it is called
    and whatever Scene it is in; None: its name tells.
    """

    # Of a million objects a layout is read in half the time, and a gigabyte is saved.
    __slots__ = ("_index", "_serial", "_shared", "clearance", "enabled", "group", "identity", "mesh", "name",
                 "pose_end", "removed", "shell", "static")

    _shared: Shared
    _index: int
    _serial: int
    mesh: int
    name: str
    group: str | None
    static: bool
    shell: bool
    clearance: float
    pose_end: np.ndarray | None     # (4,4) float64
    identity: Hashable
    enabled: bool
    removed: bool

    def __init__(self, shared: Shared, index: int, serial: int, mesh: int, name: str, group: str | None, static: bool,
                 shell: bool, clearance: float, pose_end: np.ndarray | None, identity: Hashable):
        self._put(_shared=shared, _index=index, _serial=serial, mesh=mesh, name=name, group=group, static=static,
                  shell=shell, clearance=clearance, pose_end=pose_end, identity=identity, enabled=True, removed=False)
        shared.layout = None

    def _put(self, **values) -> None:
        """Set attributes without a word to the scene."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value) -> None:
        object.__setattr__(self, name, value)
        self._shared.layout = None

    def __setstate__(self, state: tuple) -> None:
        """As a copy, also by pickle, begins: the layout that its scene knows holds for it."""
        self._put(**state[1])

    @property
    def pose(self) -> np.ndarray:
        """(4,4) float64, local to world; a row of `Scene.poses`."""
        return self._shared.poses[self._index]


@dataclass(frozen=True, eq=False)
class Layout:
    """What the objects are, but for where they stand. While it is the same one, what was made of it can be kept."""

    names: list[str]
    mesh: np.ndarray                # (n,) int64
    static: np.ndarray              # (n,) bool
    shell: np.ndarray               # (n,) bool
    clearance: np.ndarray           # (n,) float64
    enabled: np.ndarray             # (n,) bool
    group: np.ndarray               # (n,) int32, row of `groups`
    groups: list[str | None]
    serial: np.ndarray              # (n,) int64: which object it is, whatever its index
    identities: list[Hashable]      # the same, whatever the Scene; None where the name tells

    @cached_property
    def largest_clearance(self) -> float:
        """Of all objects, a length; 0 where there are none."""
        return float(self.clearance.max(initial=0.0))

    @cached_property
    def enabled_count(self) -> int:
        """How many objects are enabled."""
        return int(np.count_nonzero(self.enabled))

    @cached_property
    def has_shells(self) -> bool:
        """True where an object is marked as a shell."""
        return bool(self.shell.any())

    @cached_property
    def has_identities(self) -> bool:
        """True where something tells which one an object is but its name."""
        return any(each is not None for each in self.identities)

    @classmethod
    def of(cls, objects: list[Object]) -> "Layout":
        own = list(map(attrgetter("group"), objects))
        groups = sorted(set(own), key=str)
        number = {group: i for i, group in enumerate(groups)}

        def column(name: str, dtype) -> np.ndarray:
            return np.fromiter(map(attrgetter(name), objects), dtype, len(objects))

        return cls(list(map(attrgetter("name"), objects)), column("mesh", np.int64), column("static", bool),
                   column("shell", bool), column("clearance", np.float64), column("enabled", bool),
                   np.fromiter(map(number.__getitem__, own), np.int32, len(own)), groups,
                   column("_serial", np.int64), list(map(attrgetter("identity"), objects)))


@dataclass(eq=False)
class Scene:
    """What is tested. Prepared trees are kept in `cache` between calls and follow `set_poses` and `set_vertices`; what
    is added, removed, hidden or shown costs the others nothing of what is kept of them.

    A copy, also by pickle, is the same scene of which nothing is prepared yet. It shares nothing with this one.

    Indices do not change, but for those of objects by `rearrange`. What was removed keeps its index, which is not given
    to anything else. One run at a time: `detect` waits in another thread until the first one has ended. Different
    scenes are tested side by side. Change a scene between its runs only.
    """

    meshes: list[Mesh] = field(default_factory=list)
    objects: list[Object] = field(default_factory=list)
    # Owned by the stages, keyed by their names. What is kept per mesh, and worth its memory, is a dict by index, or has
    # forget_mesh(index). What may hold other numbers after another way to the same scene: has_history, or renew(scene).
    cache: dict = field(default_factory=dict, repr=False)
    _shared: Shared = field(default_factory=Shared, repr=False)
    _versions: np.ndarray = field(default_factory=lambda: np.empty(8, np.int64), repr=False)    # has room to grow
    _state: State | None = field(default=None, repr=False)
    turn: Turn = field(default_factory=Turn, repr=False)      # held by a run
    _added: int = field(default=0, repr=False)      # objects, ever
    frames: Frames | None = field(default=None, repr=False)     # that the objects are in, see `repeated`; None: in one

    def __getstate__(self) -> dict:
        # What is kept is worked on in place, with memory and locks that belong to one scene.
        return {**self.__dict__, "cache": {}}

    def __copy__(self) -> "Scene":
        # Objects that two scenes had in common would tell one of them when they change, and not the other.
        return copy.deepcopy(self)

    @property
    def poses(self) -> np.ndarray:
        """(objects,4,4) float64, local to world."""
        return self._shared.poses[:len(self.objects)]

    @property
    def versions(self) -> np.ndarray:
        """(meshes,) int64: how often `set_vertices` was called."""
        return self._versions[:len(self.meshes)]

    @property
    def layout(self) -> Layout:
        """Another one after an object was added or changed, the same one after it was moved."""
        if self._shared.layout is None:
            self._shared.layout = Layout.of(self.objects)
        return self._shared.layout

    @property
    def state(self) -> State:
        """What the scene is now: the same one as long as nothing is moved, deformed, added or changed. A run looks
        once, as a scene is changed between its runs only."""
        if self._state is None or not self.turn.has_looked:
            self._state = State.after(self._state, self.layout, self.poses, self.versions)
            self.turn.look()
        return self._state

    def layout_changed(self) -> None:
        """What objects are is not what it was."""
        self._shared.layout = None

    def add_mesh(self, vertices, triangles, faces=None) -> int:
        """Add a mesh and return its index.

        vertices: (n,3) float; triangles: (m,3) int. float64/int32 arrays in C order are used without a copy, so do
        not write into them afterwards (use `set_vertices`). faces: (m,) int, the face that each triangle was cut from:
        a mesh whose faces are cut otherwise in the next frame is followed to it all the same (docs/animation.md).
        Raises ValueError for wrong shapes or indices.
        """
        vertices = as_vertices(vertices)
        triangles = as_triangles(triangles, len(vertices))
        faces = None if faces is None else as_faces(faces, len(triangles))
        mesh, index = Mesh(vertices, triangles, faces), len(self.meshes)
        self._versions = _with_room(self._versions, index)
        self._versions[index] = 0
        self.meshes.append(mesh)
        return index

    def add_object(self, mesh: int, pose=None, *, name: str | None = None, group: str | None = None,
                   static: bool = False, shell: bool = False, clearance: float = 0.0, pose_end=None,
                   identity: Hashable = None) -> int:
        """Add an object and return its index. pose: 4×4 affine matrix, local to world, the identity by default.

        group: a label that `detect(rules=…)` speaks about. static: two static objects are not tested against
        each other. shell: a room, a tunnel, a package, whose content is clear: the object is a surface without an
        inside, closed or not. clearance: a length; what is no farther from the object is near, also where `detect`
        asks for less. identity: which object it is, where another frame of a sweep may have it by another name, see
        docs/animation.md. Raises ValueError for a name that is no text, a pose that is no affine 4×4 matrix and a
        clearance that is no length of zero or more, IndexError for an unknown mesh.
        """
        self._refuse_unknown_mesh(mesh)
        index = len(self.objects)
        name = f"object {index}" if name is None else name
        if not isinstance(name, str):
            raise ValueError(f"name must be text, not {name!r}")
        pose = np.eye(4) if pose is None else as_pose(pose, "pose")
        pose_end = None if pose_end is None else as_pose(pose_end, "pose_end")
        if math.isnan(as_length(clearance)):
            raise ValueError(f"clearance must be a length of zero or more, not {clearance!r}")
        self._make_room(index)
        self._shared.poses[index] = pose
        self.objects.append(Object(self._shared, index, self._added, mesh, name, group, static, shell,
                                   float(clearance), pose_end, identity))
        self._added += 1
        return index

    def add_objects(self, meshes: Sequence[int], shells: Sequence[bool]) -> None:
        """Add objects, each with one of these meshes, a shell or not: as `add_object` with nothing else given, in a
        third of the time. Raises IndexError for an unknown mesh; then nothing is added."""
        for mesh in set(meshes):
            self._refuse_unknown_mesh(mesh)
        first = len(self.objects)
        self._make_room(first + len(meshes) - 1)
        self._shared.poses[first:first + len(meshes)] = np.eye(4)
        for index, (mesh, shell) in enumerate(zip(meshes, shells), first):
            self.objects.append(Object(self._shared, index, self._added, mesh, f"object {index}", None, False, shell,
                                       0.0, None, None))
            self._added += 1

    def remove_object(self, index: int) -> None:
        """Take an object out for good; its mesh stays. Raises IndexError where there is none, or none any more."""
        self._object(index).enabled = False
        self.objects[index].removed = True

    def hide(self, objects) -> None:
        """Leave objects out of what is tested until `show`; they are not listed as skipped. objects: indices (k,).
        Raises IndexError where one does not exist, or no more; then nothing is changed."""
        self._enable(objects, False)

    def show(self, objects) -> None:
        """Test objects again that were hidden. Arguments and errors as in `hide`."""
        self._enable(objects, True)

    def _enable(self, objects, enabled: bool) -> None:
        """What is so already costs nothing of what is kept."""
        for each in [self._object(index) for index in objects]:
            if each.enabled != enabled:
                each.enabled = enabled

    def rearrange(self, order) -> None:
        """Number the objects anew: object k is then the one whose index was order[k]. Objects that `order` does not
        name are removed, and lose their index. order: (n,) different indices. What is kept of the others stays.
        Raises IndexError where one does not exist, or no more, ValueError for an index that comes twice."""
        objects = [self._object(index) for index in order]
        if len({*order}) < len(objects):
            raise ValueError("an object can have one index only")
        poses = self.poses[np.asarray(order, np.int64)]
        for each in self.objects:
            each._put(removed=True)
        for index, each in enumerate(objects):
            each._put(_index=index, removed=False)
        self.objects[:] = objects
        self._shared.poses = poses if len(poses) else np.empty((8, 4, 4))
        self.layout_changed()

    def remove_mesh(self, mesh: int) -> None:
        """Free a mesh that no object has any more, and what is kept of it. Raises IndexError where there is none, or
        none any more, ValueError while an object has it."""
        self._refuse_unknown_mesh(mesh)
        if any(not self.objects[index].removed for index in np.flatnonzero(self.layout.mesh == mesh)):
            raise ValueError(f"an object still has the mesh {mesh}")
        self.meshes[mesh] = Mesh(np.zeros((0, 3)), np.zeros((0, 3), np.int32), removed=True)
        self.versions[mesh] += 1
        for kept in self.cache.values():
            if isinstance(kept, dict):
                kept.pop(mesh, None)
            elif hasattr(kept, "forget_mesh"):
                kept.forget_mesh(mesh)

    def repeated(self, objects: np.ndarray, times: np.ndarray, mesh_times: np.ndarray) -> "Scene":
        """A scene in which each of these objects, (n,) indices, comes so many times in a row, (n,) int64, and so does
        each mesh, (meshes,) int64, with the vertices that it has now: of one that comes several times, each object's
        first one has the first, and so on. Where objects stand is to be set, and `frames`. It is tested by the default
        method, without objects with themselves: rows of the report are those of the first frame, then those of the
        second one, and so on, and `Report.objects` are those of the first. Only poses and vertices may be changed. It
        has no Objects, which would stand where they do in this scene: its layout says what they are.
        """
        layout, every, first = self.layout, objects.repeat(times), starts_of(mesh_times)
        place = np.arange(len(every)) - starts_of(times)[:-1].repeat(times)
        mesh = layout.mesh[every]
        mesh = first[mesh] + np.where(mesh_times[mesh] > 1, place, 0)
        which = np.arange(len(self.meshes)).repeat(mesh_times)
        scene = Scene([Mesh(each.vertices, each.triangles, each.faces, each.removed)
                       for each in map(self.meshes.__getitem__, which.tolist())])
        scene.objects += [None] * len(every)        # type: ignore[list-item]
        scene._shared.poses, scene._versions = self.poses[every], self.versions[which]
        scene._shared.layout = Layout(
            [layout.names[index] for index in every.tolist()], mesh, layout.static[every],
            layout.shell[every], layout.clearance[every], np.ones(len(every), bool), layout.group[every],
            layout.groups, np.arange(len(every)), [layout.identities[index] for index in every.tolist()])
        return scene

    def renew(self) -> None:
        """Let the next answer be, to the last bit, that of a scene that was just made: nothing that is kept depends any
        more on what the scene was before. Trees of meshes that were not deformed since they were built stay."""
        for name, kept in list(self.cache.items()):
            if getattr(kept, "has_history", False):
                del self.cache[name]
            elif hasattr(kept, "renew"):
                kept.renew(self)

    def _make_room(self, index: int) -> None:
        """For the pose of an object with this index."""
        self._shared.poses = _with_room(self._shared.poses, index)

    def _object(self, index: int) -> Object:
        if not 0 <= index < len(self.objects) or self.objects[index].removed:
            raise IndexError(f"there is no object {index}")
        return self.objects[index]

    def _refuse_unknown_mesh(self, mesh: int) -> None:
        if not 0 <= mesh < len(self.meshes) or self.meshes[mesh].removed:
            raise IndexError(f"there is no mesh {mesh}")

    def set_poses(self, objects, poses) -> None:
        """Move objects. objects: indices (k,); poses: (k,4,4). Trees are kept. Raises IndexError where there is no such
        object, ValueError for wrong arrays."""
        objects, poses = as_indices(objects, len(self.objects), "objects"), as_poses(poses)
        if len(poses) != len(objects):
            raise ValueError(f"{len(objects)} objects, but {len(poses)} poses")
        if len(objects):
            self.poses[objects] = poses

    def set_vertices(self, mesh: int, vertices) -> None:
        """Deform a mesh: same triangles, new (n,3) vertices. Its tree is refitted, not rebuilt. Raises IndexError for
        an unknown mesh, ValueError for wrong arrays."""
        self._refuse_unknown_mesh(mesh)
        vertices = as_vertices(vertices)
        if vertices.shape != self.meshes[mesh].vertices.shape:
            raise ValueError(f"the mesh has {len(self.meshes[mesh].vertices)} vertices, not {len(vertices)}")
        self.meshes[mesh].vertices = vertices
        self.versions[mesh] += 1


def _with_room(array: np.ndarray, index: int) -> np.ndarray:
    """The array, or a larger one where it has no place for an entry with this index."""
    if index < len(array):
        return array
    more = max(len(array), index + 1 - len(array))
    return np.concatenate([array, np.empty((more, *array.shape[1:]), array.dtype)])
