# SPDX-License-Identifier: GPL-3.0-or-later
"""`Forest`: the trees of all tested objects in flat arrays, and the part of them that is placed in the world.

Objects that share a mesh share its tree. Only objects that stand in a candidate pair are placed, and while a scene is
kept between calls only those that moved or were deformed. When all of them together would not fit into the budget,
pairs are worked off in batches.
"""
import math

import numpy as np

from ...arrays import Corners, PlacedTrees, moved_poses, starts_of
from ...machine_code.jit import kernel
from ...parallel import run_chunks
from ...scene import Scene
from .build import EMPTY
from .mesh_trees import MeshTrees
from .refit import FAR, fit_triangles, move_vertices, round_vertices, unfitted

BUDGET = 1 << 30                # bytes for placed vertices and boxes
MOST_HELD = 2                   # times what placed objects need may be held, when others are gone
NODE_BYTES, VERTEX_BYTES = 96, 24
OF_MESHES = ("vertex_start", "vertex_count", "triangle_start", "triangle_count", "node_start", "node_count", "root",
             "in_batches")      # what does not change while objects, meshes and trees are the same
PLACED_AT_ONCE = 1 << 16        # triangles that are worth a thread
PARTS_PER_THREAD = 8            # of a larger mesh: enough that the last one hardly matters


class Forest:
    """Per tested object (arrays of length n, in the order of `objects`) where its data begin in the flat arrays."""

    def __init__(self, scene: Scene, objects: np.ndarray, bounds: np.ndarray, tick, threads: int = 1):
        """objects: (n,) indices into scene.objects; bounds: (n,6) float64, world boxes that hold the objects.

        tick: called with the fraction done, or nothing, between pieces of work; it may raise Cancelled.
        """
        self.mesh_index: np.ndarray         # (n,) int64, index in scene.meshes
        self._wanted: np.ndarray            # (k,) meshes of the tested objects, each once
        self.built: np.ndarray              # (k,) int64: how often their trees were built
        self.frame: np.ndarray              # (4,) float64, see trees/bvh/refit.py
        self.scene = scene
        self._tick, self._threads = tick, threads
        self.objects, self.bounds = objects, bounds
        self.layout = scene.layout
        self.meshes = MeshTrees.of(scene)
        kept: Forest | None = scene.cache.get("forest")
        if kept is not None and kept.layout is self.layout and kept.objects is objects:
            self.mesh_index, self._wanted = kept.mesh_index, kept._wanted
        else:
            self.mesh_index = self.layout.mesh[objects]
            self._wanted = np.unique(self.mesh_index)
        self.meshes.update(scene, self._wanted, tick, threads)
        self.built = self.meshes.built[self._wanted]
        self._moves = self.meshes.moves
        same = (kept is not None and kept._wanted is self._wanted and np.array_equal(kept.built, self.built)
                and kept._moves == self._moves)
        if same:
            for name in OF_MESHES:
                setattr(self, name, getattr(kept, name))
        else:
            self._find_meshes()
        self.poses = scene.poses[objects, :3]
        self.versions = scene.versions[self.mesh_index]
        self.frame = frame_around(bounds, None if kept is None else kept.frame)
        self._reserve(kept, same)
        scene.cache["forest"] = self

    @classmethod
    def of(cls, scene: Scene, objects: np.ndarray, bounds: np.ndarray, tick, threads: int) -> "Forest":
        """The one of the last call where nothing has moved since, else a new one."""
        kept: Forest | None = scene.cache.get("forest")
        if kept is None or kept.objects is not objects or kept.bounds is not bounds or kept.in_batches:
            return cls(scene, objects, bounds, tick, threads)
        kept._tick, kept._threads = tick, threads
        return kept

    def _find_meshes(self) -> None:
        """Where the data of each object's mesh begin, which stays as it is when meshes are added."""
        mesh = self.meshes.place[self.mesh_index]
        self.vertex_start = self.meshes.vertex_start[mesh]
        self.vertex_count = self.meshes.vertex_count[mesh]
        self.triangle_start = self.meshes.triangle_start[mesh]
        self.triangle_count = self.meshes.triangle_start[mesh + 1] - self.triangle_start
        self.node_start = self.meshes.node_start[mesh]
        self.node_count = self.meshes.node_count[mesh]
        self.root = self.meshes.root[mesh]
        self.in_batches = (NODE_BYTES * self.node_count + VERTEX_BYTES * self.vertex_count).sum() > BUDGET

    def _reserve(self, kept: "Forest | None", same: bool) -> None:
        """Memory for placed objects: kept from the last call where it still fits, else new. same: the objects and
        their meshes are those of the last call."""
        self.world: np.ndarray              # (…,3) float64, vertices of placed objects
        self.boxes: np.ndarray              # (…,6,4) float32, their nodes, and an empty one at the end
        self.world_start: np.ndarray        # (n,) int64 into these two
        self.box_start: np.ndarray
        self.placed: np.ndarray             # (n,) bool
        self._tight: np.ndarray             # (n,6) float64, see `tight_bounds`, of those that are
        self._measured: np.ndarray          # (n,) bool
        n = len(self.objects)
        if kept is not None and not self.in_batches and not kept.in_batches and kept.frame is self.frame:
            if same or (np.array_equal(kept.objects, self.objects) and np.array_equal(kept.mesh_index, self.mesh_index)
                        and np.array_equal(kept.built, self.built)):
                self.world, self.boxes = kept.world, kept.boxes
                self.world_start, self.box_start = kept.world_start, kept.box_start
                moved = moved_poses(kept.poses, self.poses) | (kept.versions != self.versions)
                self.placed = kept.placed & ~moved
                self._tight, self._measured = kept._tight, kept._measured & ~moved
                return
            if self._take_over(kept):
                return
        self.placed, self._measured, self._tight = np.zeros(n, bool), np.zeros(n, bool), np.empty((n, 6))
        self.world_start, self.box_start = np.zeros(n, np.int64), np.zeros(n, np.int64)
        if not self.in_batches:
            self._allocate(np.arange(n))

    def _take_over(self, kept: "Forest") -> bool:
        """Keep where objects are placed that were there before others were added, removed, hidden or shown; what is new
        goes behind them. False, with nothing done, where most of the memory would be that of objects that are gone."""
        mine, theirs = self.layout.serial[self.objects], kept.layout.serial[kept.objects]
        order = np.argsort(theirs)
        old = order[np.minimum(np.searchsorted(theirs, mine, sorter=order), len(order) - 1)]
        stays = ((theirs[old] == mine) & (kept.mesh_index[old] == self.mesh_index)
                 & (kept._built_each[old] == self._built_each))
        new = np.flatnonzero(~stays)
        world, boxes = starts_of(self.vertex_count[new]), starts_of(self.node_count[new])
        held = len(kept.world) + int(world[-1])
        if held > MOST_HELD * int(self.vertex_count.sum()):
            return False
        self.world_start, self.box_start = kept.world_start[old], kept.box_start[old]
        self.world_start[new] = len(kept.world) + world[:-1]
        self.box_start[new] = len(kept.boxes) - 1 + boxes[:-1]
        self.world, self.boxes = kept.world, kept.boxes
        if len(new):
            self.world = np.concatenate([kept.world, np.empty((world[-1], 3))])
            self.boxes = np.concatenate([kept.boxes[:-1], unfitted(boxes[-1])])
        same = stays & ~moved_poses(kept.poses[old], self.poses) & (kept.versions[old] == self.versions)
        self.placed = same & kept.placed[old]
        self._tight, self._measured = kept._tight[old], same & kept._measured[old]
        return True

    @property
    def _built_each(self) -> np.ndarray:
        """(n,) int64: how often the tree of each object was built."""
        return self.built[np.searchsorted(self._wanted, self.mesh_index)]

    def _allocate(self, which: np.ndarray) -> None:
        starts = starts_of(self.vertex_count[which])
        self.world_start[which] = starts[:-1]
        self.world = np.empty((starts[-1], 3))
        starts = starts_of(self.node_count[which])
        self.box_start[which] = starts[:-1]
        self.boxes = unfitted(starts[-1])

    @property
    def corners(self) -> Corners:
        """Where the placed triangles are."""
        return Corners(self.triangle_start, self.meshes.triangles, self.meshes.order, self.world_start, self.world)

    @property
    def placed_trees(self) -> PlacedTrees:
        """What kernels need to follow a ray, or to measure distances."""
        return PlacedTrees(self.root, self.box_start, self.node_start, self.meshes.children, self.boxes, self.frame,
                           self.corners)

    def triangle_corners(self, objects: np.ndarray, triangles: np.ndarray) -> np.ndarray:
        """(n,3,3) float64 world corners of triangles, by number in their meshes: the very numbers of placed ones."""
        local = np.empty((len(objects), 3, 3))
        meshes = self.mesh_index[objects]
        for index in np.unique(meshes):
            mine = np.flatnonzero(meshes == index)
            mesh = self.scene.meshes[index]
            local[mine] = mesh.vertices[mesh.triangles[triangles[mine]]]
        m = self.poses[objects][:, None]
        return ((m[..., 0] * local[..., :1] + m[..., 1] * local[..., 1:2]) + m[..., 2] * local[..., 2:]) + m[..., 3]

    def mesh_of(self, objects):
        """Index in scene.meshes of the mesh of each position in the forest."""
        return self.mesh_index[objects]

    def occurring(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(k,) int64: the positions that stand in a or in b, each once, ascending."""
        mark = np.zeros(len(self.objects), bool)
        mark[a] = mark[b] = True
        return np.flatnonzero(mark)

    def tight_bounds(self, which: np.ndarray) -> np.ndarray:
        """(n,6) float64, lo x y z hi x y z of the triangles of objects: right for the placed objects `which`."""
        new = which[~self._measured[which]]
        fit_objects(new, self.vertex_count, self.world_start, self.world, self._tight)
        self._measured[new] = True
        return self._tight

    def batches(self, a: np.ndarray, b: np.ndarray):
        """Yield slices of the pairs (a[i], b[i]), each time with all their objects placed."""
        if not self.in_batches:
            self._place(self.occurring(a, b))
            yield slice(0, len(a))
            return
        start = 0
        while start < len(a):
            stop, which = self._fill_batch(a, b, start)
            self.placed[:] = False
            self._allocate(which)
            self._place(which)
            yield slice(start, stop)
            start = stop

    def _fill_batch(self, a, b, start: int) -> tuple[int, np.ndarray]:
        """As many of the pairs from `start` on as the budget holds, at least one; (stop, their objects)."""
        held, used = set(), 0
        stop = start
        while stop < len(a):
            new = {int(a[stop]), int(b[stop])} - held
            size = sum(NODE_BYTES * int(self.node_count[i]) + VERTEX_BYTES * int(self.vertex_count[i]) for i in new)
            if stop > start and used + size > BUDGET:
                break
            held |= new
            used += size
            stop += 1
        return stop, np.array(sorted(held))

    def _place(self, which: np.ndarray) -> None:
        which = which[~self.placed[which]].astype(np.int64)
        if len(which) == 0:
            return
        meshes = self.meshes
        if self._threads > 1:
            large = self.triangle_count[which] > PLACED_AT_ONCE
            for i in which[large].tolist():
                self._place_in_parts(i)
            which = which[~large]
            if len(which) == 0:
                return
        ends = np.cumsum(self.triangle_count[which])
        parts = np.split(which, 1 + np.flatnonzero(np.diff(ends // PLACED_AT_ONCE)))

        def work(number):
            place_objects(parts[number], self.poses, self.vertex_start, self.vertex_count, meshes.vertices,
                          self.world_start, self.world, self.node_start, self.node_count, meshes.children,
                          meshes.bottom, self.triangle_start, meshes.triangles, self.frame, self.box_start, self.boxes,
                          np.empty((self.vertex_count[parts[number]].max() + 1, 8), np.float32), np.empty(12, np.int64))
            self.placed[parts[number]] = True

        run_chunks(work, len(parts), self._threads, lambda done: self._tick())

    def _place_in_parts(self, i: int) -> None:
        """Place one object on several threads: vertices in parts, then trees below the uppermost nodes, then those."""
        meshes, count, nodes = self.meshes, int(self.vertex_count[i]), int(self.node_count[i])
        start = self.node_start[i]
        rounded = np.empty((count + 1, 8), np.float32)
        rounded[count] = FAR
        parts = PARTS_PER_THREAD * self._threads

        def vertices(number):
            place_vertices(i, count * number // parts, count * (number + 1) // parts, self.poses, self.vertex_start,
                           meshes.vertices, self.world_start, self.world, self.frame, rounded)

        def fit(first, last):
            place_nodes(i, first, last, self.vertex_count, self.node_start, meshes.children, meshes.bottom,
                        self.triangle_start, meshes.triangles, rounded, np.empty(12, np.int64), self.box_start,
                        self.boxes)

        run_chunks(vertices, parts, self._threads, lambda done: self._tick())
        upper, below = subtrees(meshes.children[start:start + nodes], parts)
        run_chunks(lambda number: fit(*below[number]), len(below), self._threads, lambda done: self._tick())
        for node in upper:
            fit(node, node + 1)
        self.placed[i] = True


def subtrees(children: np.ndarray, wanted: int) -> tuple[list[int], list[tuple[int, int]]]:
    """A tree in pieces that can be fitted one beside the other: the upper nodes, children before their parents, and
    (first, last + 1) of the nodes of each tree below them. children: (m,4) int32, of a tree whose root is an inner
    node; wanted: trees, if it has so many. In memory a node is followed by all that is below it."""
    upper, roots, inner = [], [], [0]
    while inner and len(roots) + len(inner) < wanted:
        upper += inner
        codes = [code for node in inner for code in children[node].tolist() if code != EMPTY]
        roots += [~code for code in codes if code < 0]
        inner = [code for code in codes if code > 0]
    roots += inner
    nodes = sorted(upper + roots)
    after = dict(zip(nodes, [*nodes[1:], len(children)]))
    return sorted(upper, reverse=True), [(root, after[root]) for root in roots]


@kernel
def place_objects(which, poses, vertex_start, vertex_count, vertices, world_start, world, node_start, node_count,
                  children, bottom, triangle_start, triangles, frame, box_start, boxes, rounded, at):
    """Move the vertices of some objects into the world and fit their trees' boxes around them. rounded: (v + 1, 8)
    float32 for the v vertices of the largest of them, at: (12,) int64, scratch."""
    for k in range(which.shape[0]):
        i = which[k]
        place_vertices(i, 0, vertex_count[i], poses, vertex_start, vertices, world_start, world, frame, rounded)
        for x in range(8):
            rounded[vertex_count[i], x] = FAR
        place_nodes(i, 0, node_count[i], vertex_count, node_start, children, bottom, triangle_start, triangles,
                    rounded, at, box_start, boxes)


@kernel
def place_vertices(i, first, last, poses, vertex_start, vertices, world_start, world, frame, rounded):
    """Vertices first … last-1 of object i in the world, and rounded."""
    move_vertices(poses, i, vertices, vertex_start[i] + first, last - first, world, world_start[i] + first)
    round_vertices(world, world_start[i], first, last, frame, rounded)


@kernel
def place_nodes(i, first, last, vertex_count, node_start, children, bottom, triangle_start, triangles, rounded, at,
                box_start, boxes):
    """Boxes of the nodes first … last-1 of object i, around rounded vertices."""
    fit_triangles(children, bottom, node_start[i], first, last, triangles, triangle_start[i], vertex_count[i],
                  rounded, at, boxes, box_start[i])


@kernel
def fit_objects(which, vertex_count, world_start, world, bounds):
    """bounds[i] = box of the placed triangles of object i, for i in which."""
    for k in range(which.shape[0]):
        i = which[k]
        for x in range(3):
            low = world[world_start[i], x]
            high = low
            for v in range(world_start[i], world_start[i] + vertex_count[i]):
                low = min(low, world[v, x])
                high = max(high, world[v, x])
            bounds[i, x] = low
            bounds[i, 3 + x] = high


def frame_around(bounds: np.ndarray, kept: np.ndarray | None = None) -> np.ndarray:
    """Origin and power-of-two scale in which float32 boxes tell the scene's objects apart.

    The kept frame is used again while it serves, as another one would move every box.
    """
    around = np.empty(6)
    box_around(bounds, around)
    box = around.tolist()
    origin = [0.5 * low + 0.5 * high for low, high in zip(box[:3], box[3:])]
    half = max(0.5 * high - 0.5 * low for low, high in zip(box[:3], box[3:]))
    scale = 1.0
    if half > 0.0 and not 1e-12 < half < 1e30:
        scale = math.ldexp(1.0, -max(-1000, min(1000, math.frexp(half)[1])))
    if kept is not None and kept[3] == scale and all(abs(k - o) <= half for k, o in zip(kept.tolist(), origin)):
        return kept
    return np.array([*origin, scale])


@kernel
def box_around(bounds, around):
    """around = the box that holds all of the boxes; both lo x y z hi x y z, float64."""
    for x in range(6):
        around[x] = bounds[0, x]
    for k in range(1, bounds.shape[0]):
        for x in range(3):
            around[x] = min(around[x], bounds[k, x])
            around[3 + x] = max(around[3 + x], bounds[k, 3 + x])
