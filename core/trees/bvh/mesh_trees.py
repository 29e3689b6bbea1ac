# SPDX-License-Identifier: GPL-3.0-or-later
"""One tree per mesh, shared by its objects, in flat arrays; built once, on several threads, and kept with the scene.

With its tree a mesh gets an order of its own: triangles in leaf order, and vertices in the order in which those name
them, so that what lies together in space lies together in memory. Vertices that no triangle names are left out.
"""
import numpy as np

from ...arrays import starts_of
from ...machine_code.jit import kernel
from ...parallel import run_chunks
from ...scene import Scene
from ..refit_quality import Wear, spread
from .build import Tree, scratch, sort_codes, split_codes, triangle_codes

GROUP = 1 << 16                 # triangles of small meshes that are built in one go
MOST_USED = 0.75                # of the memory for trees: with less, those of removed meshes are closed up


class MeshTrees:
    """Per mesh (by its place, in order of first use) where its data begin in the flat arrays; in `Scene.cache`."""

    vertices: np.ndarray        # (…,3) float64, local coordinates
    vertex_order: np.ndarray    # (…,) int32: number of the vertex in its mesh
    triangles: np.ndarray       # (…,3) int32, vertices counted from the mesh's vertex_start, in leaf order
    order: np.ndarray           # (…,) int32: number of the triangle in its mesh
    children: np.ndarray        # (…,4) int32 and
    bottom: np.ndarray          # (…,) uint8, see Tree; room for more nodes than there are
    vertex_start: np.ndarray    # (meshes + 1,) int64
    triangle_start: np.ndarray
    node_start: np.ndarray
    vertex_count: np.ndarray    # (meshes,) int64: vertices in use
    node_count: np.ndarray      # (meshes,) int64
    root: np.ndarray            # (meshes,) int32

    def __init__(self):
        self.members: list[int] = []            # indices in the scene, by place
        self.place = np.zeros(0, np.int64)      # of each mesh of the scene, -1: it has no tree yet
        self._versions = np.zeros(0, np.int64)  # of each mesh of the scene, when its vertices were taken over
        self._wear: dict[int, Wear] = {}        # of the meshes that were deformed, by index
        self.built = np.zeros(0, np.int64)      # of each mesh of the scene: how often; then slots and vertices move
        self.moves = 0                          # how often meshes moved in the flat arrays, as others were removed
        self.__dict__.update(_arrays([], []))

    @classmethod
    def of(cls, scene: Scene) -> "MeshTrees":
        if "mesh trees" not in scene.cache:
            scene.cache["mesh trees"] = cls()
        return scene.cache["mesh trees"]

    def tree(self, index: int) -> Tree:
        """The tree of a mesh, as views of the flat arrays."""
        place = self.place[index]
        nodes = slice(self.node_start[place], self.node_start[place] + self.node_count[place])
        slots = slice(self.triangle_start[place], self.triangle_start[place + 1])
        return Tree(self.children[nodes], self.bottom[nodes], self.order[slots], int(self.root[place]))

    def update(self, scene: Scene, wanted: np.ndarray, tick, threads: int) -> None:
        """Build what is missing, take over deformed vertices. wanted: (k,) meshes with at least one triangle, each
        once."""
        more = len(scene.meshes) - len(self.place)
        if more:
            self.place = np.append(self.place, np.full(more, -1))
            self._versions = np.append(self._versions, np.zeros(more, np.int64))
            self.built = np.append(self.built, np.zeros(more, np.int64))
        new = wanted[self.place[wanted] < 0]
        if len(new):
            self._build(scene, new.tolist(), tick, threads)
        for index in wanted[self._versions[wanted] != scene.versions[wanted]].tolist():
            self._follow(index, scene.meshes[index])
            self._versions[index] = scene.versions[index]

    def forget_mesh(self, index: int) -> None:
        """A mesh was removed. Its memory is used again when it is worth the while, at the next building."""
        if index < len(self.place):
            self.place[index] = -1
            self._wear.pop(index, None)

    def _close_gaps(self) -> None:
        """Move the meshes together, where much of the memory is that of removed ones."""
        sizes = np.diff(self.triangle_start)
        stay = np.array([place for place, index in enumerate(self.members) if self.place[index] == place], np.int64)
        if len(stay) == len(self.members) or sizes[stay].sum() > MOST_USED * sizes.sum():
            return
        starts = {"vertices": self.vertex_start, "vertex_order": self.vertex_start, "triangles": self.triangle_start,
                  "order": self.triangle_start, "children": self.node_start, "bottom": self.node_start}
        arrays = _arrays(np.diff(self.vertex_start)[stay].tolist(), sizes[stay].tolist())
        for name in PER_MESH:
            old = getattr(self, name)
            if name not in starts:
                arrays[name][:] = old[stay]
            elif len(stay):
                start = starts[name]
                np.concatenate([old[start[place]:start[place + 1]] for place in stay], out=arrays[name])
        self.__dict__.update(arrays)
        self.members = [self.members[place] for place in stay]
        self.place[self.members] = np.arange(len(stay))
        self.moves += 1

    def _follow(self, index: int, mesh) -> None:
        """Take over the vertices of a mesh that was deformed; where they have lost the order of the tree, so that its
        boxes would be large, it is built anew."""
        place = self.place[index]
        start, count = self.vertex_start[place], self.vertex_count[place]
        if index not in self._wear:
            self._wear[index] = Wear(spread(self.vertices, start, count))
        take_vertices(mesh.vertices, self.vertex_order, start, count, self.vertices)
        if self._wear[index].is_too_much(spread(self.vertices, start, count)):
            self._plant(place, place + 1, [mesh])
            self.built[index] += 1
            self._wear[index].renewed(spread(self.vertices, start, count))

    def _build(self, scene: Scene, new: list[int], tick, threads: int) -> None:
        self._close_gaps()
        meshes = [scene.meshes[index] for index in new]
        arrays = _arrays([*np.diff(self.vertex_start).tolist(), *(len(mesh.vertices) for mesh in meshes)],
                         [*np.diff(self.triangle_start).tolist(), *(len(mesh.triangles) for mesh in meshes)])
        for name in PER_MESH:
            old = getattr(self, name)
            arrays[name][:len(old)] = old
        before = {name: getattr(self, name) for name in arrays}
        self.__dict__.update(arrays)        # all or, where memory ran out, none
        first = len(self.members)
        groups = _groups([len(scene.meshes[index].triangles) for index in new])

        def work(number):
            start, stop = groups[number]
            self._plant(first + start, first + stop, [scene.meshes[index] for index in new[start:stop]])

        try:
            run_chunks(work, len(groups), threads, lambda done: tick(done / len(groups)))
        except BaseException:               # cancelled: the next run may want fewer meshes than these have room for
            self.__dict__.update(before)
            raise
        self.members += new
        self.place[new] = first + np.arange(len(new))
        self._versions[new] = scene.versions[new]

    def _plant(self, start: int, stop: int, meshes: list) -> None:
        """Build the trees of the meshes in the places start … stop-1."""
        if len(meshes) == 1:
            vertices, triangles = meshes[0].vertices, meshes[0].triangles
        else:
            vertices = np.concatenate([mesh.vertices for mesh in meshes])
            triangles = np.concatenate([mesh.triangles for mesh in meshes])
        largest = max(len(mesh.triangles) for mesh in meshes)
        codes, items = np.empty((2, largest), np.uint32), np.empty(largest, np.int32)
        number = np.empty(max(len(mesh.vertices) for mesh in meshes), np.int32)
        plant(start, stop, vertices, triangles, self.vertex_start, self.triangle_start, self.node_start, self.vertices,
              self.vertex_order, self.triangles, self.order, self.children, self.bottom, self.vertex_count,
              self.node_count, self.root, codes, items, number, *scratch())


PER_MESH = ("vertices", "vertex_order", "triangles", "order", "children", "bottom", "vertex_count", "node_count",
            "root")


def _arrays(vertex_counts: list[int], triangle_counts: list[int]) -> dict[str, np.ndarray]:
    """The flat arrays of `MeshTrees` for meshes of these sizes."""
    vertex_start, triangle_start = starts_of(vertex_counts), starts_of(triangle_counts)
    count, vertices, triangles = len(vertex_counts), vertex_start[-1], triangle_start[-1]
    return {
        "vertex_start": vertex_start, "triangle_start": triangle_start,
        "node_start": 2 * triangle_start,       # a tree has fewer nodes than that
        "vertices": np.empty((vertices, 3)), "vertex_order": np.empty(vertices, np.int32),
        "triangles": np.empty((triangles, 3), np.int32), "order": np.empty(triangles, np.int32),
        "children": np.empty((2 * triangles, 4), np.int32), "bottom": np.empty(2 * triangles, np.uint8),
        "vertex_count": np.zeros(count, np.int64), "node_count": np.zeros(count, np.int64),
        "root": np.zeros(count, np.int32),
    }


def _groups(triangle_counts: list[int]) -> list[tuple[int, int]]:
    """Ranges of meshes that are worth a thread."""
    groups, start, held = [], 0, 0
    for k, count in enumerate(triangle_counts):
        if k > start and held + count > GROUP:
            groups.append((start, k))
            start, held = k, 0
        held += count
    return [*groups, (start, len(triangle_counts))]


@kernel
def plant(start, stop, source_vertices, source_triangles, vertex_start, triangle_start, node_start, vertices,
          vertex_order, triangles, order, children, bottom, vertex_count, node_count, root, codes, items, number,
          histogram, stack, parts):
    """Build the trees of the meshes start … stop-1, whose source arrays follow one another.

    codes (2,m) uint32, items (m,) int32, number (v,) int32, for the largest of them, and `scratch`: scratch.
    """
    for i in range(start, stop):
        v = vertex_start[i]
        t = triangle_start[i]
        n = triangle_start[i + 1] - t
        source = source_vertices[v - vertex_start[start]:vertex_start[i + 1] - vertex_start[start]]
        corners = source_triangles[t - triangle_start[start]:t + n - triangle_start[start]]
        triangle_codes(source, corners, codes[0, :n])
        sort_codes(codes[0, :n], items[:n], codes[1, :n], order[t:t + n], histogram)
        node = node_start[i]
        node_count[i] = split_codes(codes[1, :n], children[node:node + 2 * n], bottom[node:node + 2 * n], stack, parts)
        root[i] = -1 if bottom[node] else 0
        vertex_count[i] = renumber(source, corners, order[t:t + n], number, vertices[v:v + source.shape[0]],
                                   vertex_order[v:v + source.shape[0]], triangles[t:t + n])


@kernel
def renumber(source, corners, order, number, vertices, vertex_order, triangles):
    """Triangles in leaf order with vertices numbered as they first come; returns how many vertices are in use."""
    for v in range(source.shape[0]):
        number[v] = -1
    used = 0
    for slot in range(order.shape[0]):
        for c in range(3):
            v = corners[order[slot], c]
            if number[v] < 0:
                number[v] = used
                vertex_order[used] = v
                for x in range(3):
                    vertices[used, x] = source[v, x]
                used += 1
            triangles[slot, c] = number[v]
    return used


@kernel
def take_vertices(source, vertex_order, start, count, vertices):
    """New coordinates of a mesh that was deformed."""
    for v in range(start, start + count):
        for x in range(3):
            vertices[v, x] = source[vertex_order[v], x]
