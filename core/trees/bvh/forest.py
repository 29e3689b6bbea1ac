# SPDX-License-Identifier: GPL-3.0-or-later
"""`Forest`: the trees of all tested objects in flat arrays, and those of them that are placed in the world.

Objects that share a mesh share its tree. Only objects that occur in a candidate pair are placed; while a scene is kept
between calls, only those of them that moved or were deformed. Where all placed objects together would take more than
MAX_PLACED_BYTES, pairs are worked off in batches.
"""
import math

import numpy as np

from ...arrays import moved_poses, same_poses, starts_of
from ...memory import refuse_beyond
from ...parallel import CHUNKS_PER_THREAD, run_chunks
from ...records import Corners, PlacedTrees, Placement, RefitScratch, ThinObjects
from ...scene import Scene
from ...scene.kept import KeptByScene
from ..bounds import HIGH, bounds_of_boxes
from .mesh_trees import MeshTrees
from .nodes import EMPTY
from .place_objects import bound_objects, gather_triangles, missing_objects, place_objects, place_vertices
from .refit import EMPTY_BOX_EDGE, empty_boxes, fit_triangles

MAX_PLACED_BYTES = 1 << 30      # of vertices and boxes
BYTES_PER_NODE, BYTES_PER_VERTEX = 96, 24
MOST_HELD = 2                   # times what placed objects need may be held, when others are gone
# What does not change while objects, meshes and trees are the same:
OF_MESHES = ("vertex_start", "vertex_count", "triangle_start", "triangle_count", "node_start", "node_count", "root",
             "in_batches", "_triangles", "_scratch")
TRIANGLES_PER_THREAD = 1 << 16  # that are worth one; meshes with more are placed in chunks


class Forest(KeptByScene):
    """Per tested object (arrays of length n, in the order of `objects`) where its data begin in the flat arrays.

    A *position* in the forest is an index into these arrays.
    """

    has_history = True      # the quantization: boxes that are rounded otherwise are searched in another order

    def __init__(self, scene: Scene, objects: np.ndarray, bounds: np.ndarray, tick, threads: int = 1,
                 quantization: np.ndarray | None = None):
        """Build the trees that are missing; nothing is placed yet.

        objects: (n,) int32 indices into scene.objects. bounds: (n,6) float64, world boxes that hold the objects.
        tick: called with the fraction done, or nothing, between pieces of work; it may raise Cancelled. quantization:
        (4,) float64, None: the one of the last call while it serves, else one that suits these bounds.
        """
        self.mesh_index: np.ndarray         # (n,) int64, index in scene.meshes
        self._wanted: np.ndarray            # (k,) meshes of the tested objects, each once
        self.built: np.ndarray              # (k,) int64: how often their trees were built
        self.quantization: np.ndarray       # (4,) float64, origin x y z and scale of boxes, see refit.py
        self.corners: Corners               # where the corners of placed triangles are
        self.placed_trees: PlacedTrees      # for kernels that go down the trees of placed objects
        self.poses: np.ndarray              # (n,3,4) float64
        self.placed: np.ndarray             # (n,) bool
        self._measured: np.ndarray          # (n,) bool, see `tight_bounds`
        self.thin: ThinObjects | None = None    # what mid_phase/thin_objects.py has seen of objects where they are now
        self.versions: np.ndarray           # (n,) int64, of their meshes
        super().__init__(scene)
        self._tick, self._threads = tick, threads
        self.objects, self.bounds = objects, bounds
        self.layout, self.state = scene.layout, scene.state
        self.meshes = MeshTrees.of(scene)
        kept: Forest | None = scene.cache.get("forest")
        self.spare: list = [] if kept is None else kept.spare       # buffers of searches, for the next ones
        if kept is not None and kept.layout is self.layout and kept.objects is objects:
            self.mesh_index, self._wanted = kept.mesh_index, kept._wanted
        else:
            self.mesh_index = self.layout.mesh[objects]
            self._wanted = np.unique(self.mesh_index)
        self.meshes.update(scene, self._wanted, tick, threads)
        self.built = self.meshes.built[self._wanted]
        self._moves, self._builds = self.meshes.moves, self.meshes.builds
        same = (kept is not None and kept._wanted is self._wanted and np.array_equal(kept.built, self.built)
                and kept._moves == self._moves)
        if same:
            for name in OF_MESHES:
                setattr(self, name, getattr(kept, name))
        else:
            self._find_meshes()
        self._take_state()
        self.quantization = _chosen(quantization, bounds, None if kept is None else kept.quantization)
        self._reserve(kept, same)
        if not self.in_batches:
            self._make_records()
        scene.cache["forest"] = self

    @classmethod
    def of(cls, scene: Scene, objects: np.ndarray, bounds: np.ndarray, tick, threads: int,
           quantization: np.ndarray | None = None) -> "Forest":
        """The forest of the last call, where objects and trees are those of then, else a new one. Arguments as of
        `__init__`."""
        kept: Forest | None = scene.cache.get("forest")
        if (kept is None or kept.objects is not objects or kept.in_batches
                or not kept._goes_on(bounds, tick, threads, quantization)):
            return cls(scene, objects, bounds, tick, threads, quantization)
        kept._tick, kept._threads = tick, threads
        return kept

    def _goes_on(self, bounds: np.ndarray, tick, threads: int, quantization: np.ndarray | None) -> bool:
        """Take over where the objects are now. False, with nothing done but to the trees of meshes, where objects or
        trees are others, or boxes are to be counted from elsewhere. Arguments as of `__init__`. In a frame of a small
        scene this takes a tenth of the time that a new Forest takes."""
        state, meshes = self.scene.state, self.meshes
        if state is self.state and bounds is self.bounds and quantization is None:
            return True
        if self.layout is not state.layout or self.scene.cache.get("mesh trees") is not meshes:
            return False
        if state.versions is not self.state.versions:
            meshes.update(self.scene, self._wanted, tick, threads)
        changed = state.changed_since(self.state)
        if (changed is None or meshes.builds != self._builds or meshes.moves != self._moves
                or _chosen(quantization, bounds, self.quantization) is not self.quantization):
            return False
        stays = ~(changed if len(changed) == len(self.objects) else changed[self.objects])
        self.bounds, self.state = bounds, state
        self._take_state()
        self.placed, self._measured = self.placed & stays, self._measured & stays
        if self.corners.triangles is not meshes.triangles:      # other meshes were added
            self._make_records()
        return True

    def _take_state(self) -> None:
        """Look up where objects are, and which vertices their meshes have."""
        whole = len(self.objects) == len(self.state.poses)
        self.poses = self.state.affine if whole else self.state.affine[self.objects]    # (n,3,4) float64
        self.versions = self.state.versions[self.mesh_index]

    def _find_meshes(self) -> None:
        """Look up where the data of each object's mesh begin. Meshes that are added later change none of it."""
        mesh = self.meshes.row[self.mesh_index]
        self.vertex_start = self.meshes.vertex_start[mesh]
        self.vertex_count = self.meshes.vertex_count[mesh]
        self.triangle_start = self.meshes.triangle_start[mesh]
        self.triangle_count = self.meshes.triangle_count[mesh]
        self.node_start = self.meshes.node_start[mesh]
        self.node_count = self.meshes.node_count[mesh]
        self.root = self.meshes.root[mesh]
        self.in_batches = (BYTES_PER_NODE * self.node_count
                           + BYTES_PER_VERTEX * self.vertex_count).sum() > MAX_PLACED_BYTES
        self._triangles = int(self.triangle_count.sum())
        self._scratch = _scratch(self.vertex_count.max(initial=0) if self._triangles < TRIANGLES_PER_THREAD else 0)

    def _reserve(self, kept: "Forest | None", same: bool) -> None:
        """Make memory for placed objects, or keep that of the last call where it still fits. same: the objects and
        their meshes are those of the last call."""
        self.world: np.ndarray              # (…,3) float64, vertices of placed objects
        self.boxes: np.ndarray              # (…,6,4) float32, boxes of their nodes, and an empty row at the end
        self.world_start: np.ndarray        # (n,) int64, first row of `world`
        self.box_start: np.ndarray          # (n,) int64, first row of `boxes`
        self._tight: np.ndarray             # (n,6) float64, see `tight_bounds`
        n = len(self.objects)
        if kept is not None and not self.in_batches and not kept.in_batches and kept.quantization is self.quantization:
            if same or (np.array_equal(kept.objects, self.objects) and np.array_equal(kept.mesh_index, self.mesh_index)
                        and np.array_equal(kept.built, self.built)):
                self.world, self.boxes = kept.world, kept.boxes
                self.world_start, self.box_start = kept.world_start, kept.box_start
                moved = moved_poses(kept.poses, self.poses) | (kept.versions != self.versions)
                self.placed = kept.placed & ~moved
                self._tight, self._measured, self.thin = kept._tight, kept._measured & ~moved, kept.thin
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
        if len(kept.world) + int(world[-1]) > MOST_HELD * int(self.vertex_count.sum()):
            return False
        self.world_start, self.box_start = kept.world_start[old], kept.box_start[old]
        self.world_start[new] = len(kept.world) + world[:-1]
        self.box_start[new] = len(kept.boxes) - 1 + boxes[:-1]
        self.world, self.boxes = kept.world, kept.boxes
        if len(new):
            self.world = np.concatenate([kept.world, np.empty((world[-1], 3))])
            self.boxes = np.concatenate([kept.boxes[:-1], empty_boxes(boxes[-1])])
        same = stays & ~moved_poses(kept.poses[old], self.poses) & (kept.versions[old] == self.versions)
        self.placed = same & kept.placed[old]
        self._tight, self._measured = kept._tight[old], same & kept._measured[old]
        return True

    @property
    def _built_each(self) -> np.ndarray:
        """(n,) int64: how often the tree of each object was built."""
        return self.built[np.searchsorted(self._wanted, self.mesh_index)]

    def _allocate(self, which: np.ndarray) -> None:
        vertices, nodes = starts_of(self.vertex_count[which]), starts_of(self.node_count[which])
        refuse_beyond(BYTES_PER_VERTEX * int(vertices[-1]) + BYTES_PER_NODE * int(nodes[-1]), "These objects, placed,")
        self.world_start[which], self.box_start[which] = vertices[:-1], nodes[:-1]
        self.world = np.empty((vertices[-1], 3))
        self.boxes = empty_boxes(nodes[-1])

    def _make_records(self) -> None:
        """To be called when there are other arrays."""
        self.corners = Corners(self.triangle_start, self.meshes.triangles, self.meshes.order, self.world_start,
                               self.world)
        self.placed_trees = PlacedTrees(self.root, self.box_start, self.node_start, self.meshes.children, self.boxes,
                                        self.quantization, self.corners)

    def triangle_corners(self, objects: np.ndarray, triangles: np.ndarray) -> np.ndarray:
        """(n,3,3) float64 world corners of triangles. objects: (n,) positions, which are placed; triangles: (n,)
        numbers in their meshes."""
        found = np.empty((len(objects), 3, 3))
        gather_triangles(objects.astype(np.int64), triangles.astype(np.int64), self.meshes.slots, self.corners, found)
        return found

    def count_from(self, quantization: np.ndarray) -> None:
        """Count boxes from elsewhere from now on, and place objects anew. quantization: (4,) float64."""
        if not np.array_equal(quantization, self.quantization):
            self.quantization, self.placed = quantization, np.zeros(len(self.objects), bool)
            if not self.in_batches:
                self._make_records()

    def place_of(self, index: int, mesh: int, pose: np.ndarray, vertices: np.ndarray) -> tuple[int, int] | None:
        """(first row of `world`, first row of `boxes`) of an object that is placed, with this mesh, this pose (3,4) and
        these very vertices, and whose tree is still the one that was placed; else None. index: in scene.objects."""
        position = int(np.searchsorted(self.objects, index))
        if self.in_batches or position == len(self.objects) or self.objects[position] != index:
            return None
        if not (self.placed[position] and self.mesh_index[position] == mesh
                and self.versions[position] == self.meshes.version_of(mesh)
                and self._built_each[position] == self.meshes.built[mesh] and self._moves == self.meshes.moves
                and self.meshes.hold(self.meshes.row[mesh:mesh + 1], [vertices])
                and same_poses(self.poses[position:position + 1], pose[None])):
            return None
        return int(self.world_start[position]), int(self.box_start[position])

    def mesh_of(self, objects):
        """The index in scene.meshes of each position's mesh."""
        return self.mesh_index[objects]

    def tight_bounds(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(n,6) float64: lo x y z hi x y z of objects' triangles. Only the rows of objects that occur in the pairs
        (a[i], b[i]) are filled; they are placed. a, b: (pairs,) int32."""
        new = self._missing(a, b, self._measured)
        if len(new):
            bound_objects(new, self.vertex_count, self.world_start, self.world, self._tight)
            self._measured[new] = True
        return self._tight

    def _missing(self, a: np.ndarray, b: np.ndarray, have: np.ndarray) -> np.ndarray:
        """(k,) int64: the positions that occur in a or in b and are not in `have`, (n,) bool, each once, ascending."""
        which, wanted = np.empty(len(have), np.int64), np.zeros(len(have), bool)
        return which[:missing_objects(a, b, have, wanted, which)]

    def batches(self, a: np.ndarray, b: np.ndarray):
        """Yield slices of the pairs (a[i], b[i]), each time with all their objects placed. a, b: (pairs,) int32."""
        if not self.in_batches:
            self._place(self._missing(a, b, self.placed))
            yield slice(0, len(a))
            return
        start = 0
        while start < len(a):
            stop, which = self._fill_batch(a, b, start)
            self.placed[:] = False
            self._allocate(which)
            self._make_records()
            self._place(which)
            yield slice(start, stop)
            start = stop

    def _fill_batch(self, a, b, start: int) -> tuple[int, np.ndarray]:
        """(stop, objects): as many pairs from `start` on as fit into MAX_PLACED_BYTES, at least one; their objects."""
        batch, used = set(), 0
        stop = start
        while stop < len(a):
            new = {int(a[stop]), int(b[stop])} - batch
            size = sum(BYTES_PER_NODE * int(self.node_count[i]) + BYTES_PER_VERTEX * int(self.vertex_count[i])
                       for i in new)
            if stop > start and used + size > MAX_PLACED_BYTES:
                break
            batch |= new
            used += size
            stop += 1
        return stop, np.array(sorted(batch))

    def _place(self, which: np.ndarray) -> None:
        """Place objects that are not placed. which: (k,) int64 positions."""
        if len(which) == 0:
            return
        if self.thin is not None:
            self.thin.kind[which] = 0       # not seen where they will be
        placement = self._placement
        if self._triangles < TRIANGLES_PER_THREAD:
            self._tick()
            place_objects(which, placement, self._scratch)
            self.placed[which] = True
            return
        large = self.triangle_count[which] > TRIANGLES_PER_THREAD
        for i in which[large].tolist():
            self.place_in_chunks(i)
        which = which[~large]
        if len(which) == 0:
            return
        chunks = self._chunks(which)

        def work(number):
            place_objects(chunks[number], placement, _scratch(self.vertex_count[chunks[number]].max()))
            self.placed[chunks[number]] = True

        run_chunks(work, len(chunks), self._threads, lambda done: self._tick())

    def _chunks(self, which: np.ndarray) -> list[np.ndarray]:
        """The objects in chunks that are worth a thread each."""
        ends = np.cumsum(self.triangle_count[which])
        if ends[-1] < TRIANGLES_PER_THREAD:
            return [which]
        return np.split(which, 1 + np.flatnonzero(np.diff(ends // TRIANGLES_PER_THREAD)))

    @property
    def _placement(self) -> Placement:
        return Placement(self.poses, self.vertex_start, self.vertex_count, self.meshes.vertices, self.node_count,
                         self.meshes.leaf, self.placed_trees)

    def place_in_chunks(self, i: int) -> None:
        """Place one object, whose root is no leaf, on several threads: its vertices in chunks, then the trees below its
        uppermost nodes, then these nodes."""
        placement = self._placement
        count, start = int(self.vertex_count[i]), self.node_start[i]
        scratch, chunks = _scratch(count), CHUNKS_PER_THREAD * self._threads
        scratch.rounded[count] = EMPTY_BOX_EDGE

        def vertices(number):
            place_vertices(i, count * number // chunks, count * (number + 1) // chunks, placement, scratch.rounded)

        def fit(first, last):
            fit_triangles(i, first, last, placement, scratch._replace(rows=np.empty_like(scratch.rows)))

        run_chunks(vertices, chunks, self._threads, lambda done: self._tick())
        upper, below = subtrees(self.meshes.children[start:start + self.node_count[i]], chunks)
        run_chunks(lambda number: fit(*below[number]), len(below), self._threads, lambda done: self._tick())
        for node in upper:
            fit(node, node + 1)
        self.placed[i] = True


def _scratch(vertices: int) -> RefitScratch:
    """Scratch memory for fitting trees over up to so many vertices."""
    return RefitScratch(np.empty((vertices + 1, 8), np.float32), np.empty(12, np.int64))


def subtrees(children: np.ndarray, wanted: int) -> tuple[list[int], list[tuple[int, int]]]:
    """A tree in pieces that threads can fit side by side: its upper nodes, children before their parents, and (first,
    last + 1) of the nodes of each tree below them.

    children: (m,4) int32, of a tree whose root is an inner node; wanted: trees, where there are so many. In memory a
    node is followed by all that is below it.
    """
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


def _chosen(wanted: np.ndarray | None, bounds: np.ndarray, kept: np.ndarray | None) -> np.ndarray:
    """`quantization_of` these bounds, unless one is wanted; the kept one where that is the same."""
    if wanted is None:
        return quantization_of(bounds, kept)
    return kept if kept is not None and np.array_equal(kept, wanted) else wanted


def quantization_of(bounds: np.ndarray, kept: np.ndarray | None = None) -> np.ndarray:
    """(4,) float64: the origin and the power-of-two scale in which float32 boxes tell the scene's objects apart.

    bounds: (n,6) float64, n ≥ 1. kept: the quantization of an earlier call, which is returned again while it serves,
    as another one would change every box.
    """
    box = bounds_of_boxes(bounds)
    origin = [0.5 * low + 0.5 * high for low, high in zip(box[:HIGH], box[HIGH:])]
    half = max(0.5 * high - 0.5 * low for low, high in zip(box[:HIGH], box[HIGH:]))
    scale = 1.0
    if half > 0.0 and not 1e-12 < half < 1e30:
        scale = math.ldexp(1.0, -max(-1000, min(1000, math.frexp(half)[1])))
    if kept is not None and kept[3] == scale and all(abs(k - o) <= half for k, o in zip(kept.tolist(), origin)):
        return kept
    return np.array([*origin, scale])
