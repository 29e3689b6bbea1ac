# SPDX-License-Identifier: GPL-3.0-or-later
"""`Film`: frames of a scene, kept to be shown as often as one likes."""
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..scene import Scene
from ..scene.scene import Layout, Mesh


@dataclass(frozen=True, eq=False)
class _Frame:
    """What a scene was in one frame. Vertices and triangles are those of the scene, not copies."""

    number: float
    layout: Layout
    poses: np.ndarray           # (objects,4,4) float64
    meshes: list[Mesh]

    def same_triangles(self, other: "_Frame") -> bool:
        """True where only poses and vertices may differ."""
        return (self.layout is other.layout and len(self.meshes) == len(other.meshes)
                and all(mine.triangles is theirs.triangles for mine, theirs in zip(self.meshes, other.meshes)))

    def made(self) -> Scene:
        """The scene, made anew."""
        scene, layout = Scene(), self.layout
        for mesh in self.meshes:
            scene.add_mesh(mesh.vertices, mesh.triangles, mesh.faces)
        for number, name in enumerate(layout.names):
            scene.add_object(int(layout.mesh[number]), self.poses[number], name=name,
                             group=layout.groups[layout.group[number]], static=bool(layout.static[number]),
                             shell=bool(layout.shell[number]), clearance=float(layout.clearance[number]),
                             identity=layout.identities[number])
        scene.hide(np.flatnonzero(~layout.enabled).tolist())
        return scene


class Film:
    """Frames in the order in which they were added. Memory: of each frame its poses, and the meshes that have changed
    since the one before."""

    def __init__(self) -> None:
        self._frames: list[_Frame] = []

    def add(self, number: float, scene: Scene) -> None:
        """Keep a frame: the scene as it is now, which may be moved, deformed and rearranged afterwards."""
        meshes = [Mesh(mesh.vertices, mesh.triangles, mesh.faces) for mesh in scene.meshes]
        self._frames.append(_Frame(number, scene.layout, scene.poses.copy(), meshes))

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def frames(self) -> np.ndarray:
        """(frames,) float64."""
        return np.array([each.number for each in self._frames])

    def scenes(self) -> Iterator[tuple[float, Scene]]:
        """Yield (frame, scene): the same scene, moved and deformed, as long as its objects and triangles stay."""
        scene, before = Scene(), None
        for frame in self._frames:
            if before is None or not frame.same_triangles(before):
                scene = frame.made()
            else:
                for index, (mesh, old) in enumerate(zip(frame.meshes, before.meshes)):
                    if mesh.vertices is not old.vertices:
                        scene.set_vertices(index, mesh.vertices)
                scene.set_poses(np.arange(len(frame.poses)), frame.poses)
            yield frame.number, scene
            before = frame
