# SPDX-License-Identifier: GPL-3.0-or-later
"""What verdicts need to know of meshes: closedness, components, edges. Found once, kept with the scene."""
import math
from dataclasses import dataclass, field, replace
from functools import partial
from operator import is_

import numpy as np

from ..arrays import starts_of
from ..records import MeshEdges
from ..scene import Scene
from ..trees.bvh.mesh_trees import MeshTrees
from .closedness import OPEN, closedness, first_at_place
from .components import components, vertex_per_component
from .edges import edges_of, join_edges
from .openings import Sheets, sheets_of
from .rims import is_closed_by

NOT_ANALYSED = -1
ROUNDED = 1 << 22       # weld distances are rounded down to a share of themselves: turning a mesh changes last digits


@dataclass(eq=False)
class Kept:
    """What is known of the meshes of a scene, by their index there; lives in its cache."""

    closed: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    version: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))      # of the mesh then, or NOT_ANALYSED
    components: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    component_count: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    built: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))    # `MeshTrees.built`, or NOT_ANALYSED
    component_start: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))      # into component_vertices
    component_vertices: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    edges: dict[int, MeshEdges] = field(default_factory=dict)
    places: dict[int, tuple[int, np.ndarray | None]] = field(default_factory=dict)      # `first_at_place`, as sheets
    placed: dict[int, tuple[int, np.ndarray, MeshEdges]] = field(default_factory=dict)  # `_by_place`, as sheets
    joined: "JoinedMeshes | None" = None        # the last answer of `MeshTopology.joined`
    sheets: dict[int, tuple[int, Sheets]] = field(default_factory=dict)     # with the version of the mesh then
    welded: dict[int, tuple[int, float, bool]] = field(default_factory=dict)    # with the version and distance then
    alike: np.ndarray | None = None     # (n,) int64, of each mesh the first one with its triangles; None: not known

    def repeated(self, source: np.ndarray) -> "Kept":
        """What of it is known of other meshes, by their triangles alone. source: (n,) int64, which mesh of the scene
        each one has the triangles, and the tree, of; in a row where several have those of one."""
        meshes, first, alike = np.unique(source, return_index=True, return_inverse=True)
        other, known = Kept(alike=first[alike.ravel()]), np.flatnonzero(source < len(self.closed))
        other.closed, other.version = np.zeros(len(source), np.int8), np.full(len(source), NOT_ANALYSED)
        for name, blank in (("component_count", 0), ("built", NOT_ANALYSED), ("component_start", 0)):
            values = np.full(len(source), blank)
            values[known] = getattr(self, name)[source[known]]
            setattr(other, name, values)
        other.component_vertices = self.component_vertices.copy()
        for mine, theirs in ((self.components, other.components), (self.edges, other.edges)):
            theirs.update({index: mine[mesh] for mesh, index in zip(meshes.tolist(), first.tolist()) if mesh in mine})
        return other

    def forget_mesh(self, index: int) -> None:
        """Drop what is known of a mesh that the scene no longer has."""
        self.components.pop(index, None)
        self.edges.pop(index, None)
        self.places.pop(index, None)
        self.placed.pop(index, None)
        self.sheets.pop(index, None)
        self.welded.pop(index, None)
        self.joined = None


@dataclass(eq=False)
class JoinedMeshes:
    """Several meshes, whose vertices are numbered one mesh after another."""

    parts: list[np.ndarray | MeshEdges]     # triangles and edges of each mesh
    places: list[np.ndarray]                # vertices of each mesh
    vertices: np.ndarray                    # (…,3) float64
    triangles: np.ndarray                   # (…,3) int32, by these numbers
    triangle_start: np.ndarray              # (meshes,) int64, first row of `triangles`
    edges: MeshEdges


class MeshTopology:
    """Closedness, components and edges of the meshes of a scene, by their index there. One serves a whole run.

    weld: borders that are no farther apart than this, in the world, can count as closed. 0: none do. tick: called now
    and then while a large mesh is looked at; may raise.
    """

    def __init__(self, scene: Scene, weld: float = 0.0, tick=None):
        self.scene, self.weld, self._tick = scene, weld, tick
        self.welded: set[int] = set()       # objects that `welds` has closed, and that mattered
        self.kept = kept = scene.cache.setdefault("mesh topology", Kept())
        more = len(scene.meshes) - len(kept.closed)
        if more:
            kept.closed = np.append(kept.closed, np.zeros(more, np.int8))
            kept.version = np.append(kept.version, np.full(more, NOT_ANALYSED))
            kept.component_count = np.append(kept.component_count, np.zeros(more, np.int64))
            kept.built = np.append(kept.built, np.full(more, NOT_ANALYSED))
            kept.component_start = np.append(kept.component_start, np.zeros(more, np.int64))

    def closed(self, meshes: np.ndarray) -> np.ndarray:
        """(n,) int8: OPEN, EVEN or ORIENTED of the meshes (n,)."""
        kept = self.kept
        stale = kept.version[meshes] != self.scene.versions[meshes]
        if stale.any():
            for index in np.unique(meshes[stale]).tolist():
                mesh = self.scene.meshes[index]
                kept.closed[index] = closedness(mesh.vertices, mesh.triangles, partial(self.edges, index), self._tick,
                                                partial(self._places, index))
                kept.version[index] = self.scene.versions[index]    # moved vertices may fall together
        return kept.closed[meshes]

    def solid(self, objects: np.ndarray) -> np.ndarray:
        """(n,) int8: `closed` of the meshes of objects, indices (n,) into scene.objects; OPEN for shells, which have no
        inside."""
        layout = self.scene.layout
        closed = self.closed(layout.mesh[objects])
        closed[layout.shell[objects]] = OPEN
        return closed

    def welds(self, objects: np.ndarray) -> np.ndarray:
        """(n,) bool: the weld distance closes the meshes of objects, indices (n,) into scene.objects; False for shells,
        and for those that are closed without it."""
        answer = np.zeros(len(objects), bool)
        if self.weld:
            answer = (self.solid(objects) == OPEN) & ~self.scene.layout.shell[objects]
            known = {index: self._is_welded(index) for index in np.unique(objects[answer]).tolist()}
            answer[answer] = [known[index] for index in objects[answer].tolist()]
        return answer

    def _is_welded(self, index: int) -> bool:
        """The weld distance closes the mesh of an object. Its pose can stretch the mesh: no stretched length is longer
        than the weld distance. Kept for poses that stretch it the same, but for rounding."""
        mesh, stretch = int(self.scene.layout.mesh[index]), np.linalg.norm(self.scene.poses[index, :3, :3], 2)
        version = int(self.scene.versions[mesh])
        share, exponent = math.frexp(self.weld / stretch) if stretch > 0.0 else (0.0, 0)
        distance = math.ldexp(math.floor(share * ROUNDED), exponent) / ROUNDED
        if self.kept.welded.get(mesh, ())[:2] != (version, distance):
            closes = distance > 0.0 and is_closed_by(self.sheets(mesh).rim, distance)
            self.kept.welded[mesh] = version, distance, closes
        return self.kept.welded[mesh][2]

    def _first_alike(self, index: int) -> int:
        """The number of the mesh that keeps what triangles alone tell of a mesh."""
        return index if self.kept.alike is None else int(self.kept.alike[index])

    def edges(self, index: int) -> MeshEdges:
        """The edges of one mesh."""
        index = self._first_alike(index)
        if index not in self.kept.edges:
            mesh = self.scene.meshes[index]
            self.kept.edges[index] = edges_of(mesh.triangles, len(mesh.vertices), self._tick)
        return self.kept.edges[index]

    def _places(self, index: int) -> np.ndarray | None:
        """`first_at_place` of one mesh."""
        version = int(self.scene.versions[index])
        if self.kept.places.get(index, (None,))[0] != version:
            self.kept.places[index] = version, first_at_place(self.scene.meshes[index].vertices)
        return self.kept.places[index][1]

    def sheets(self, index: int) -> Sheets:
        """The sheets of one mesh."""
        version = int(self.scene.versions[index])
        if self.kept.sheets.get(index, (None,))[0] != version:
            mesh = self.scene.meshes[index]
            self.kept.sheets[index] = version, sheets_of(mesh.vertices, mesh.triangles)
        return self.kept.sheets[index][1]

    def _each_by_place(self, meshes: np.ndarray) -> list[tuple[np.ndarray, MeshEdges]]:
        """Of each of some meshes (n,) the triangles and their edges, where the mesh is OPEN with one number for all
        vertices at a place. A closed one that is split overlaps what passes through it along its edges, and is left as
        it is."""
        closed = (self.closed(meshes) != OPEN).tolist()
        return [(self.scene.meshes[index].triangles, self.edges(index)) if whole else self._by_place(index)
                for index, whole in zip(meshes.tolist(), closed)]

    def _by_place(self, index: int) -> tuple[np.ndarray, MeshEdges]:
        version, first = int(self.scene.versions[index]), self._places(index)
        mesh = self.scene.meshes[index]
        if first is None:
            return mesh.triangles, self.edges(index)
        if self.kept.placed.get(index, (None,))[0] != version:
            triangles = first[mesh.triangles]
            self.kept.placed[index] = version, triangles, edges_of(triangles, len(mesh.vertices), self._tick)
        return self.kept.placed[index][1:]

    def joined(self, meshes: np.ndarray) -> JoinedMeshes:
        """Some meshes (n,), whose triangles and edges are those of `_each_by_place`; kept while these are the same."""
        vertices = [self.scene.meshes[index].vertices for index in meshes.tolist()]
        triangles, edges = zip(*self._each_by_place(meshes))
        parts, kept = [*triangles, *edges], self.kept.joined
        if kept is None or not _are(kept.parts, parts):
            first = starts_of([len(each) for each in vertices])
            numbered = [each + np.int32(start) for each, start in zip(triangles, first.tolist())]
            start = starts_of([len(each) for each in triangles])[:-1]
            kept = self.kept.joined = JoinedMeshes(parts, vertices, np.concatenate(vertices),
                                                   np.concatenate(numbered), start, join_edges(edges, self._tick))
        elif not _are(kept.places, vertices):       # meshes were deformed
            kept = self.kept.joined = replace(kept, places=vertices, vertices=np.concatenate(vertices))
        return kept

    def components(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """`components.components` of one mesh: its first triangle in each, the component of each triangle."""
        index = self._first_alike(index)
        if index not in self.kept.components:
            mesh = self.scene.meshes[index]
            self.kept.components[index] = components(mesh.triangles, len(mesh.vertices))
        return self.kept.components[index]

    def single(self, meshes: np.ndarray) -> np.ndarray:
        """(n,) bool: the mesh has one component."""
        self._find_components(meshes)
        return self.kept.component_count[meshes] == 1

    def known_components(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(of tree, built, components), (meshes,) int64 each: how many components a mesh has, where the first two, the
        tree by which they were counted and the one that there is, agree. After `single` of a mesh they do."""
        return self.kept.built, MeshTrees.of(self.scene).built, self.kept.component_count

    def vertices_of_components(self, meshes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(first, last, vertices), int64: vertices[first[k]:last[k]] is a vertex of each component of meshes[k], in the
        numbers of `MeshTrees`."""
        self._find_components(meshes)
        first = self.kept.component_start[meshes]
        return first, first + self.kept.component_count[meshes], self.kept.component_vertices

    def _find_components(self, meshes: np.ndarray) -> None:
        """Find a vertex of each component of those meshes whose trees are new."""
        kept, trees = self.kept, MeshTrees.of(self.scene)
        unknown = kept.built[meshes] != trees.built[meshes]
        if not unknown.any():
            return
        new = np.unique(meshes[unknown])
        rows = trees.row[new]
        used = trees.vertex_count[rows]
        start, count = np.empty((2, len(new)), np.int64)
        found = np.empty(used.sum(), np.int64)
        number = vertex_per_component(rows, trees.vertex_count, trees.triangle_start, trees.triangle_count,
                                      trees.triangles, np.empty(used.max(), np.int32), start, count, found)
        again = kept.built[new] != NOT_ANALYSED     # a tree that was built anew has as many components
        for k, index in zip(np.flatnonzero(again), new[again]):
            row = kept.component_start[index]
            kept.component_vertices[row:row + count[k]] = found[start[k]:start[k] + count[k]]
        kept.component_start[new[~again]] = start[~again] + len(kept.component_vertices)
        kept.component_count[new] = count
        if not again.all():
            kept.component_vertices = np.concatenate([kept.component_vertices, found[:number]])
        kept.built[new] = trees.built[new]


def _are(some: list, others: list) -> bool:
    """True where these are the same objects."""
    return len(some) == len(others) and all(map(is_, some, others))
