# SPDX-License-Identifier: GPL-3.0-or-later
"""`Scene`: meshes, shared by objects, and a pose per object."""
from dataclasses import dataclass, field

import numpy as np

from ..arrays import as_pose, as_poses, as_triangles, as_vertices
from .turn import Turn


@dataclass(eq=False)
class Mesh:
    """One set of triangles in local coordinates."""

    vertices: np.ndarray        # (n,3) float64
    triangles: np.ndarray       # (m,3) int32


class Object:
    """A mesh at a pose. `pose_end` is the pose at the end of the interval, None where the query is for one instant."""

    _scene: "Scene"
    _index: int

    def __init__(self, scene: "Scene", index: int, mesh: int, name: str, group: str | None, static: bool,
                 pose_end: np.ndarray | None):
        self.__dict__.update(_scene=scene, _index=index)
        self.mesh = mesh
        self.name = name
        self.group = group
        self.static = static
        self.pose_end = pose_end            # (4,4) float64

    def __setattr__(self, name: str, value) -> None:
        super().__setattr__(name, value)
        self._scene.layout_changed()

    @property
    def pose(self) -> np.ndarray:
        """(4,4) float64, local to world; a row of `Scene.poses`."""
        return self._scene.poses[self._index]


@dataclass(frozen=True, eq=False)
class Layout:
    """What the objects are, but for where they stand. While it is the same one, what was made of it can be kept."""

    names: list[str]
    mesh: np.ndarray                # (n,) int64
    static: np.ndarray              # (n,) bool
    group: np.ndarray               # (n,) int32, row of `groups`
    groups: list[str | None]

    @classmethod
    def of(cls, objects: list[Object]) -> "Layout":
        groups = sorted({each.group for each in objects}, key=str)
        number = {group: i for i, group in enumerate(groups)}
        return cls([each.name for each in objects], np.array([each.mesh for each in objects], np.int64),
                   np.array([each.static for each in objects], bool),
                   np.array([number[each.group] for each in objects], np.int32), groups)


@dataclass(eq=False)
class Scene:
    """What is tested. Prepared trees are kept in `cache` between calls and follow `set_poses` and `set_vertices`.

    One run at a time: `detect` waits in another thread until the first one has ended. Different scenes are tested side
    by side. Change a scene between its runs only.
    """

    meshes: list[Mesh] = field(default_factory=list)
    objects: list[Object] = field(default_factory=list)
    cache: dict = field(default_factory=dict, repr=False)     # owned by the stages, keyed by their names
    # The first dimension has room to grow.
    _poses: np.ndarray = field(default_factory=lambda: np.empty((8, 4, 4)), repr=False)
    _versions: np.ndarray = field(default_factory=lambda: np.empty(8, np.int64), repr=False)
    _layout: Layout | None = field(default=None, repr=False)
    turn: Turn = field(default_factory=Turn, repr=False)      # held by a run

    @property
    def poses(self) -> np.ndarray:
        """(objects,4,4) float64, local to world."""
        return self._poses[:len(self.objects)]

    @property
    def versions(self) -> np.ndarray:
        """(meshes,) int64: how often `set_vertices` was called."""
        return self._versions[:len(self.meshes)]

    @property
    def layout(self) -> Layout:
        """Another one after an object was added or changed, the same one after it was moved."""
        if self._layout is None:
            self._layout = Layout.of(self.objects)
        return self._layout

    def layout_changed(self) -> None:
        """What objects are is not what it was."""
        self._layout = None

    def add_mesh(self, vertices, triangles) -> int:
        """Add a mesh and return its index.

        vertices: (n,3) float; triangles: (m,3) int. float64/int32 arrays in C order are used without a copy, so do
        not write into them afterwards (use `set_vertices`). Raises ValueError for wrong shapes or indices.
        """
        vertices = as_vertices(vertices)
        mesh, index = Mesh(vertices, as_triangles(triangles, len(vertices))), len(self.meshes)
        self._versions = _with_room(self._versions, index)
        self._versions[index] = 0
        self.meshes.append(mesh)
        return index

    def add_object(self, mesh: int, pose=None, *, name: str | None = None, group: str | None = None,
                   static: bool = False, pose_end=None) -> int:
        """Add an object and return its index. pose: 4×4 affine matrix, local to world, the identity by default.

        group: a label that `detect(rules=…)` speaks about. static: two static objects are not tested against
        each other. Raises ValueError for a pose that is no affine 4×4 matrix, IndexError for an unknown mesh.
        """
        if not 0 <= mesh < len(self.meshes):
            raise IndexError(f"there is no mesh {mesh}")
        index = len(self.objects)
        pose = np.eye(4) if pose is None else as_pose(pose, "pose")
        pose_end = None if pose_end is None else as_pose(pose_end, "pose_end")
        self._poses = _with_room(self._poses, index)
        self._poses[index] = pose
        self.objects.append(Object(self, index, mesh, f"object {index}" if name is None else name, group, static,
                                   pose_end))
        return index

    def set_poses(self, objects, poses) -> None:
        """Move objects. objects: indices (k,); poses: (k,4,4). Trees are kept."""
        poses = as_poses(poses)
        if len(poses) != len(objects):
            raise ValueError(f"{len(objects)} objects, but {len(poses)} poses")
        if len(objects):
            self.poses[np.asarray(objects)] = poses

    def set_vertices(self, mesh: int, vertices) -> None:
        """Deform a mesh: same triangles, new (n,3) vertices. Its tree is refitted, not rebuilt."""
        vertices = as_vertices(vertices)
        if vertices.shape != self.meshes[mesh].vertices.shape:
            raise ValueError(f"the mesh has {len(self.meshes[mesh].vertices)} vertices, not {len(vertices)}")
        self.meshes[mesh].vertices = vertices
        self.versions[mesh] += 1


def _with_room(array: np.ndarray, index: int) -> np.ndarray:
    """The array, or a larger one where it has no place for another entry."""
    return array if index < len(array) else np.concatenate([array, np.empty_like(array)])
