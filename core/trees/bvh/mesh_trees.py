# SPDX-License-Identifier: GPL-3.0-or-later
"""`MeshTrees`: one linear BVH per mesh in flat arrays, built once, on several threads, and kept with the scene.

A tree puts its mesh in a new order: triangles in leaf order, and vertices in the order in which those triangles name
them. What lies together in space then lies together in memory. Vertices that no triangle names are left out.
"""
from operator import is_

import numpy as np

from ...arrays import starts_of
from ...machine_code.jit import kernel, unsigned
from ...memory import refuse_beyond
from ...parallel import run_in_pieces
from ...records import MeshTreeArrays
from ...scene import Scene
from ..refit_quality import RefitQuality, path_length
from .build import Tree, build_scratch, sort_codes, split_codes, triangle_codes
from .large_meshes import TRIANGLES_PER_PIECE, build_in_pieces, find_slots, renumber
from .nodes import leaf_code

TRIANGLES_PER_GROUP = 1 << 16   # of small meshes that are built in one go
BYTES_PER_TREE_VERTEX, BYTES_PER_TREE_TRIANGLE = 28, 54       # in the arrays of MeshTreeArrays
BYTES_PER_BUILT = 16            # of a triangle while the tree over it is built
MOST_USED = 0.75                # of the memory for trees: with less, those of removed meshes are closed up


class MeshTrees:
    """The trees of a scene's meshes, kept in `Scene.cache`. A mesh has a row, in order of first use."""

    vertices: np.ndarray        # these are the arrays of MeshTreeArrays, with memory for more nodes than there are
    vertex_order: np.ndarray
    triangles: np.ndarray
    order: np.ndarray
    slots: np.ndarray
    children: np.ndarray
    leaf: np.ndarray
    vertex_start: np.ndarray
    triangle_start: np.ndarray
    node_start: np.ndarray
    vertex_count: np.ndarray
    triangle_count: np.ndarray
    node_count: np.ndarray
    root: np.ndarray

    def __init__(self):
        self.members: list[int] = []            # indices in the scene, by row
        self.row = np.zeros(0, np.int64)        # of each mesh of the scene, -1: it has no tree yet
        self._versions = np.zeros(0, np.int64)  # of each mesh of the scene, when its vertices were taken over
        self._taken: dict[int, np.ndarray] = {}     # these vertices, by the mesh's index
        self._quality: dict[int, RefitQuality] = {}     # of the meshes that were deformed, by index
        self._built_of = np.zeros(0, np.int64)  # of each mesh of the scene: the version that its tree was built of
        self._stale = np.zeros(0, bool)         # of each mesh of the scene: its tree is to be built anew
        self.built = np.zeros(0, np.int64)      # of each mesh of the scene: how often; then slots and vertices move
        self.builds = 0                         # how many trees were built anew
        self.moves = 0                          # how often meshes moved in the flat arrays, as others were removed
        self.__dict__.update(_empty_arrays([], [])._asdict())

    @classmethod
    def of(cls, scene: Scene) -> "MeshTrees":
        """The trees that are kept with the scene."""
        if "mesh trees" not in scene.cache:
            scene.cache["mesh trees"] = cls()
        return scene.cache["mesh trees"]

    def lend(self, scene: Scene) -> None:
        """Let another scene, whose meshes are those of this one, as they are now, have these trees."""
        scene.cache["mesh trees"] = self

    def tree(self, index: int) -> Tree:
        """The tree of a mesh, as views of the flat arrays."""
        row = self.row[index]
        nodes = slice(self.node_start[row], self.node_start[row] + self.node_count[row])
        slots = slice(self.triangle_start[row], self.triangle_start[row] + self.triangle_count[row])
        return Tree(self.children[nodes], self.leaf[nodes], self.order[slots], int(self.root[row]))

    def update(self, scene: Scene, wanted: np.ndarray, tick, threads: int) -> None:
        """Build the trees that are missing, and take over deformed vertices. wanted: (k,) meshes with at least one
        triangle, each once. tick(fraction): may raise Cancelled."""
        more = len(scene.meshes) - len(self.row)
        if more:
            self.row = np.append(self.row, np.full(more, -1))
            self._versions = np.append(self._versions, np.zeros(more, np.int64))
            self.built = np.append(self.built, np.zeros(more, np.int64))
            self._built_of = np.append(self._built_of, np.zeros(more, np.int64))
            self._stale = np.append(self._stale, np.zeros(more, bool))
        new = wanted[self.row[wanted] < 0]
        if len(new):
            self._build(scene, new.tolist(), tick, threads)
        for index in wanted[self._stale[wanted] | (self._versions[wanted] != scene.versions[wanted])].tolist():
            self._follow(index, scene.meshes[index], int(scene.versions[index]), tick)
            self._versions[index] = scene.versions[index]
            self._taken[index] = scene.meshes[index].vertices

    def version_of(self, index: int) -> int:
        """That of a mesh of the scene when its vertices were taken over."""
        return int(self._versions[index])

    def hold(self, rows: np.ndarray, vertices: list[np.ndarray]) -> bool:
        """True where the trees in these rows (k,) were fitted last to these very arrays."""
        members, taken = self.members, self._taken
        return all(map(is_, [taken.get(members[row]) for row in rows.tolist()], vertices))

    def have(self, meshes: np.ndarray) -> bool:
        """True where these meshes, (k,) int64, have trees."""
        return int(meshes.max(initial=-1)) < len(self.row) and bool((self.row[meshes] >= 0).all())

    def others(self, meshes: np.ndarray, vertices: list[np.ndarray]) -> list[int]:
        """Places k of those of some meshes (n,) whose trees were not fitted last to the very array vertices[k]."""
        taken = map(self._taken.get, meshes.tolist())
        return [k for k, (mine, theirs) in enumerate(zip(taken, vertices)) if mine is not theirs]

    def renew(self, scene: Scene) -> None:
        """See `Scene.renew`."""
        self._stale |= self._built_of != scene.versions[:len(self._built_of)]
        self._quality.clear()

    def forget_mesh(self, index: int) -> None:
        """A mesh was removed. Its memory is used again when it is worth the while, at the next building."""
        if index < len(self.row):
            self.row[index] = -1
            self._quality.pop(index, None)
            self._taken.pop(index, None)

    def _close_gaps(self) -> None:
        """Move the meshes together, where much of the memory is that of removed ones."""
        sizes = np.diff(self.triangle_start)
        stay = np.array([row for row, index in enumerate(self.members) if self.row[index] == row], np.int64)
        if len(stay) == len(self.members) or sizes[stay].sum() > MOST_USED * sizes.sum():
            return
        starts = {"vertices": self.vertex_start, "vertex_order": self.vertex_start, "triangles": self.triangle_start,
                  "order": self.triangle_start, "slots": self.triangle_start, "children": self.node_start,
                  "leaf": self.node_start}
        arrays = _empty_arrays(np.diff(self.vertex_start)[stay].tolist(), sizes[stay].tolist())
        for name in PER_MESH:
            old, new = getattr(self, name), getattr(arrays, name)
            if name not in starts:
                new[:] = old[stay]
            elif len(stay):
                start = starts[name]
                np.concatenate([old[start[row]:start[row + 1]] for row in stay], out=new)
        self.__dict__.update(arrays._asdict())
        self.members = [self.members[row] for row in stay]
        self.row[self.members] = np.arange(len(stay))
        self.moves += 1

    def repeated(self, source: np.ndarray, versions: np.ndarray) -> "MeshTrees":
        """Trees of other meshes, which have the triangles of these: the same nodes, as long as none of these trees is
        built anew, with vertices of their own, which are what these have now. No tree can be added to them, or built
        anew. source: (n,) int64, which of these meshes each is; versions: (n,) int64, of the others."""
        other, rows = MeshTrees(), np.where(source < len(self.row), self.row.take(source, mode="clip"), -1)
        has_tree = rows >= 0
        other.members, other.row = has_tree.nonzero()[0].tolist(), np.where(has_tree, np.cumsum(has_tree) - 1, -1)
        other.built = np.where(has_tree, self.built.take(source, mode="clip"), 0)
        other._stale = np.zeros(len(source), bool)
        other._versions, other._built_of = versions.copy(), versions.copy()
        rows = rows[has_tree]
        for name in ("triangles", "order", "slots", "children", "leaf"):
            setattr(other, name, getattr(self, name))
        for name in ("triangle_start", "node_start", "vertex_count", "triangle_count", "node_count", "root"):
            setattr(other, name, getattr(self, name)[rows])
        first, last = self.vertex_start[rows].tolist(), self.vertex_start[rows + 1].tolist()
        other.vertex_start = starts_of(self.vertex_start[rows + 1] - self.vertex_start[rows])
        for name in ("vertices", "vertex_order"):
            mine = getattr(self, name)
            setattr(other, name, np.concatenate([mine[:0], *(mine[here:there] for here, there in zip(first, last))]))
        return other

    def take(self, index: int, vertices: np.ndarray, version: int) -> None:
        """Take over the vertices of a mesh, whose tree is not built anew whatever they are, where it has a tree."""
        row = self.row[index] if index < len(self.row) else -1
        if row >= 0:
            take_vertices(vertices, self.vertex_order, self.vertex_start[row], self.vertex_count[row], self.vertices)
            self._versions[index], self._taken[index] = version, vertices

    def keep_order(self, scene: Scene, wanted: np.ndarray) -> bool:
        """Take over deformed vertices, as `update` does, unless a tree might be built for it: False, and `update` is to
        be asked. wanted: as there."""
        if len(self.row) != len(scene.meshes) or (self.row[wanted] < 0).any() or self._stale[wanted].any():
            return False
        for index in wanted[self._versions[wanted] != scene.versions[wanted]].tolist():
            if not self._quality_after(index, scene.meshes[index].vertices).is_kept(self._path_length(index)):
                return False
            self._versions[index] = scene.versions[index]
            self._taken[index] = scene.meshes[index].vertices
        return True

    def _quality_after(self, index: int, vertices: np.ndarray) -> RefitQuality:
        """How well a mesh follows the order of its tree, which has other vertices from now on."""
        if index not in self._quality:
            self._quality[index] = RefitQuality(self._path_length(index))
        row = self.row[index]
        take_vertices(vertices, self.vertex_order, self.vertex_start[row], self.vertex_count[row], self.vertices)
        return self._quality[index]

    def _path_length(self, index: int) -> float:
        row = self.row[index]
        return path_length(self.vertices, self.vertex_start[row], self.vertex_count[row])

    def _follow(self, index: int, mesh, version: int, tick) -> None:
        """Take over the vertices of a deformed mesh, and build its tree anew where they have lost the tree's order."""
        if self._stale[index]:
            self._rebuild(index, mesh, version, tick)
        elif self._quality_after(index, mesh.vertices).needs_rebuild(self._path_length(index)):
            self._rebuild(index, mesh, version, tick)
            self._quality[index].rebuilt(self._path_length(index))

    def _rebuild(self, index: int, mesh, version: int, tick) -> None:
        row = self.row[index]
        self._stale[index] = True           # until the tree is whole
        self._build_rows(row, row + 1, [mesh], tick)
        self.built[index] += 1
        self.builds += 1
        self._built_of[index], self._stale[index] = version, False

    def _build(self, scene: Scene, new: list[int], tick, threads: int) -> None:
        """Give the meshes `new` rows behind the others, and build their trees."""
        self._close_gaps()
        meshes = [scene.meshes[index] for index in new]
        refuse_beyond(self._bytes(meshes, threads), "The trees of these objects")
        arrays = _empty_arrays([*np.diff(self.vertex_start).tolist(), *(len(mesh.vertices) for mesh in meshes)],
                               [*np.diff(self.triangle_start).tolist(), *(len(mesh.triangles) for mesh in meshes)])
        before = self.arrays
        for name in PER_MESH:
            old = getattr(before, name)
            getattr(arrays, name)[:len(old)] = old
        self.__dict__.update(arrays._asdict())      # all of them or, where memory ran out, none
        first = len(self.members)
        groups = _groups([len(scene.meshes[index].triangles) for index in new])

        sizes = [sum(len(mesh.triangles) for mesh in meshes[start:stop]) for start, stop in groups]

        def work(number, pause):
            start, stop = groups[number]
            self._build_rows(first + start, first + stop, meshes[start:stop], pause)

        try:
            run_in_pieces(work, sizes, threads, tick)
        except BaseException:               # cancelled: the next run may want fewer meshes than these arrays hold
            self.__dict__.update(before._asdict())
            raise
        self.members += new
        self.row[new] = first + np.arange(len(new))
        self._versions[new] = self._built_of[new] = scene.versions[new]
        self._stale[new] = False
        self._taken.update(zip(new, [mesh.vertices for mesh in meshes]))

    def _bytes(self, meshes: list, threads: int) -> int:
        """What it takes to build the trees of these meshes beside those that there are."""
        vertices, triangles = ([len(getattr(mesh, name)) for mesh in meshes] for name in ("vertices", "triangles"))
        at_once = sum(sorted(triangles)[-threads:])
        return (BYTES_PER_TREE_VERTEX * (len(self.vertices) + sum(vertices))
                + BYTES_PER_TREE_TRIANGLE * (len(self.triangles) + sum(triangles)) + BYTES_PER_BUILT * at_once)

    def _build_rows(self, start: int, stop: int, meshes: list, pause) -> None:
        """Build the trees of the meshes in the rows start … stop-1. pause(share done): called within large ones."""
        if len(meshes) == 1:
            vertices, triangles = meshes[0].vertices, meshes[0].triangles
            if len(triangles) > TRIANGLES_PER_PIECE:
                build_in_pieces(start, vertices, triangles, self.arrays, pause)
                return
        else:
            vertices = np.concatenate([mesh.vertices for mesh in meshes])
            triangles = np.concatenate([mesh.triangles for mesh in meshes])
        number = np.empty(max(len(mesh.vertices) for mesh in meshes), np.int32)
        scratch = build_scratch(max(len(mesh.triangles) for mesh in meshes))
        build_meshes(start, stop, vertices, triangles, self.arrays, number, scratch)

    @property
    def arrays(self) -> MeshTreeArrays:
        """The flat arrays."""
        return MeshTreeArrays(*(getattr(self, name) for name in MeshTreeArrays._fields))


PER_MESH = ("vertices", "vertex_order", "triangles", "order", "slots", "children", "leaf", "vertex_count", "node_count",
            "root")


def _empty_arrays(vertex_counts: list[int], triangle_counts: list[int]) -> MeshTreeArrays:
    """The flat arrays for meshes of these sizes."""
    vertex_start, triangle_start = starts_of(vertex_counts), starts_of(triangle_counts)
    count, vertices, triangles = len(vertex_counts), vertex_start[-1], triangle_start[-1]
    return MeshTreeArrays(
        vertex_start, triangle_start, node_start=2 * triangle_start,        # a tree has fewer nodes than that
        vertices=np.empty((vertices, 3)), vertex_order=np.empty(vertices, np.int32),
        triangles=np.empty((triangles, 3), np.int32), order=np.empty(triangles, np.int32),
        slots=np.empty(triangles, np.int32), children=np.empty((2 * triangles, 4), np.int32),
        leaf=np.empty(2 * triangles, np.uint8), vertex_count=np.zeros(count, np.int64),
        triangle_count=np.diff(triangle_start), node_count=np.zeros(count, np.int64), root=np.zeros(count, np.int32))


def _groups(triangle_counts: list[int]) -> list[tuple[int, int]]:
    """(first, last + 1) of meshes that together are worth a thread."""
    groups, start, size = [], 0, 0
    for k, count in enumerate(triangle_counts):
        if k > start and size + count > TRIANGLES_PER_GROUP:
            groups.append((start, k))
            start, size = k, 0
        size += count
    return [*groups, (start, len(triangle_counts))]


@kernel
def build_meshes(start, stop, source_vertices, source_triangles, trees, number, scratch):
    """Build the trees of the meshes in the rows start … stop-1, whose source arrays follow one another.

    trees: MeshTreeArrays, whose rows are filled. number: (v,) int32, scratch for the vertices of the largest of them;
    scratch: BvhScratch for its triangles.
    """
    children = trees.children
    leaf = trees.leaf
    for i in range(start, stop):
        v = trees.vertex_start[i]
        t = trees.triangle_start[i]
        n = trees.triangle_start[i + 1] - t
        vertices_before = trees.vertex_start[start]
        triangles_before = trees.triangle_start[start]
        source = source_vertices[v - vertices_before:trees.vertex_start[i + 1] - vertices_before]
        corners = source_triangles[t - triangles_before:t + n - triangles_before]
        order = trees.order[t:t + n]
        codes = scratch.codes[0, :n]
        sorted_codes = scratch.codes[1, :n]
        triangle_codes(source, corners, codes)
        sort_codes(codes, scratch.items[:n], sorted_codes, order, scratch.histogram)
        node = trees.node_start[i]
        trees.node_count[i] = split_codes(sorted_codes, children[node:node + 2 * n], leaf[node:node + 2 * n],
                                          scratch)
        trees.root[i] = leaf_code(0) if leaf[node] else 0
        number[:source.shape[0]] = -1
        trees.vertex_count[i] = renumber(source, corners, order, number, 0, trees.vertices[v:v + source.shape[0]],
                                         trees.vertex_order[v:v + source.shape[0]], trees.triangles[t:t + n])
        find_slots(order, 0, trees.slots[t:t + n])


@kernel
def take_vertices(source, vertex_order, start, count, vertices):
    """Copy new coordinates of a mesh into the rows start … start + count - 1."""
    for v in range(unsigned(start), unsigned(start + count)):
        row = unsigned(vertex_order[v])
        for x in range(3):
            vertices[v, x] = source[row, x]
