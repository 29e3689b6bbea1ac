# SPDX-License-Identifier: GPL-3.0-or-later
"""`BalancedTrees`: the balanced trees of all tested objects in flat arrays, fitted to where the objects are.

A tree is built once, in the coordinates of its mesh, and the objects of that mesh share it. Its boxes are fitted to
the placed triangles of each object, along the axes of the world. They are float64, and nothing but least and largest
coordinates of vertices: without any rounding, a box holds its triangles exactly.
"""
import operator
from dataclasses import dataclass

import numpy as np

from ...arrays import pieces, starts_of
from ...machine_code.jit import kernel
from ...machine_code.prefetch import prefetch
from ...memory import reserve
from ...parallel import run_chunks, run_in_pieces
from ...records import EdgeArrays, PlacedBalancedTrees
from ...run import Run
from ...scene import Scene
from ..bounds import HIGH, join_bounds
from ..bvh.placed import PlacedMeshes
from ..refit_quality import RefitQuality, corners_of, triangle_path_length
from .build import Tree, build
from .edges import EdgeSet, edge_arrays, edge_set

FITTED_PER_THREAD = 1 << 14     # triangles that are worth one
TRIANGLES_AHEAD = 16            # whose vertices are fetched


class BalancedTrees:
    """Per tested object (arrays of length n, in the order of selection.objects) where its data begin.

    Topology and edges are kept per mesh in scene.cache. A deformed mesh keeps its topology, and only its boxes follow,
    until it has lost that order: then its tree is built anew (refit_quality.py). Boxes are fitted when an object first
    occurs in a pair (`fit`), and kept until it moves or is deformed.
    """

    def __init__(self, placed: PlacedMeshes, run: Run):
        """Build the trees of meshes that are new, on several threads. Raises Unsupported where memory is too small, and
        Cancelled."""
        self.placed = placed
        scene = placed.scene
        self._kept_edges: dict[int, EdgeSet] = scene.cache.setdefault("balanced edges", {})
        self.used, self._mesh = np.unique(placed.mesh_index, return_inverse=True)
        self._trees = _built(placed, self.used.tolist(), run)
        kept = scene.cache.get("balanced trees")
        if kept is not None and not (np.array_equal(kept.used, self.used) and _same(kept._trees, self._trees)):
            kept = None             # nodes have other numbers
        if kept is not None:
            self.children, self.span, self.slots, self.faces, self._nodes = (
                kept.children, kept.span, kept.slots, kept.faces, kept._nodes)
        else:
            self._take(self._trees)
        self.node_start = starts_of(self._nodes)[self._mesh]        # (n,) int64, into children and span
        self.node_count = self._nodes[self._mesh]
        if (kept is not None and np.array_equal(kept.placed.objects, placed.objects)
                and np.array_equal(kept.placed.mesh_index, placed.mesh_index)):
            moved = (kept.placed.poses != placed.poses).any(axis=(1, 2)) | (kept.placed.versions != placed.versions)
            self.box_start, self.boxes, self.slot_box_start, self.slot_boxes, self.fitted = (
                kept.box_start, kept.boxes, kept.slot_box_start, kept.slot_boxes, kept.fitted & ~moved)
        else:
            nodes, slots = starts_of(self.node_count), starts_of(placed.triangle_count)
            self.box_start, self.slot_box_start = nodes[:-1], slots[:-1]    # (n,) int64, into
            with reserve(48 * int(nodes[-1] + slots[-1]), "the boxes"):     # (…,6) float64, lo x y z hi x y z
                self.boxes = np.empty((nodes[-1], 6))           # of placed nodes
                self.slot_boxes = np.empty((slots[-1], 6))      # of placed triangles, in the order of slots
            self.fitted = np.zeros(len(placed.objects), bool)
        scene.cache["balanced trees"] = self

    def _take(self, trees: list[Tree]) -> None:
        """Join the arrays of trees, one mesh after another as in `placed`."""
        meshes = [self.placed.scene.meshes[index] for index in self.used.tolist()]
        self.children = np.concatenate([tree.children for tree in trees])       # (…,2) int32, see Tree
        self.span = np.concatenate([tree.span for tree in trees])               # (…,2) int32
        self.slots = np.concatenate([tree.slots for tree in trees])             # (…,) int32
        self.faces = np.concatenate([mesh.triangles[tree.slots] for mesh, tree in zip(meshes, trees)])  # (…,3) int32
        self._nodes = np.array([len(tree.children) for tree in trees], np.int64)

    def fit(self, a: np.ndarray, b: np.ndarray, run: Run) -> None:
        """Fit the boxes of all objects of the pairs (a[i], b[i]), (pairs,) int32, that are not fitted yet."""
        which = np.unique(np.concatenate([a, b]))
        which = which[~self.fitted[which]].astype(np.int64)
        if len(which) == 0:
            return
        ends = np.cumsum(self.placed.triangle_count[which])
        chunks = np.split(which, 1 + np.flatnonzero(np.diff(ends // FITTED_PER_THREAD)))
        trees = self.placed_trees

        def work(number):
            fit_objects(chunks[number], trees, self.node_count, self.placed.triangle_count, self.faces)
            self.fitted[chunks[number]] = True

        run_chunks(work, len(chunks), run.threads, lambda done: run.tick())

    @property
    def placed_trees(self) -> PlacedBalancedTrees:
        """The trees of placed objects, for kernels."""
        return PlacedBalancedTrees(self.node_start, self.children, self.span, self.box_start, self.boxes, self.slots,
                                   self.slot_box_start, self.slot_boxes, self.placed.corners)

    def edges(self, run: Run) -> EdgeArrays:
        """The edges of all tested objects, found at the first call per mesh, on several threads."""
        kept, scene = self._kept_edges, self.placed.scene

        def one(index, pause):
            kept[index] = edge_set(scene.meshes[index].triangles, scene.cache["balanced topology"][index].tree.slots,
                                   pause)

        _for_each([index for index in self.used.tolist() if index not in kept], one, scene, run)
        return edge_arrays([kept[index] for index in self.used.tolist()], self._mesh)


@dataclass(eq=False)
class _Kept:
    """The tree of a mesh, and how well the mesh still follows its order."""

    tree: Tree
    version: int                # of the mesh when it was looked at last
    quality: RefitQuality


def _built(placed: PlacedMeshes, used: list[int], run: Run) -> list[Tree]:
    """The trees of these meshes. Those that are missing, or whose order is lost, are built, each by one thread."""
    scene = placed.scene
    kept: dict[int, _Kept] = scene.cache.setdefault("balanced topology", {})
    edges = scene.cache["balanced edges"]

    def one(index, pause):
        mesh, version = scene.meshes[index], int(scene.versions[index])
        corners = corners_of(mesh.vertices, mesh.triangles, pause)
        if index in kept:
            path = triangle_path_length(corners, kept[index].tree.slots, pause)
            if not kept[index].quality.needs_rebuild(path):
                kept[index].version = version
                return
        boxes = np.empty((len(corners), 6))
        for some in pieces(len(corners), pause):
            a, b, c = corners[some, 0], corners[some, 1], corners[some, 2]
            boxes[some, :HIGH] = np.minimum(a, np.minimum(b, c))
            boxes[some, HIGH:] = np.maximum(a, np.maximum(b, c))
        tree = build(boxes, pause=pause)
        path = triangle_path_length(corners, tree.slots, pause)
        quality = kept[index].quality if index in kept else RefitQuality(path)
        quality.rebuilt(path)
        kept[index] = _Kept(tree, version, quality)
        edges.pop(index, None)

    late = [index for index in used if index not in kept or kept[index].version != scene.versions[index]]
    _for_each(late, one, scene, run)
    return [kept[index].tree for index in used]


def _same(one: list, other: list) -> bool:
    """True for lists of the very same things."""
    return len(one) == len(other) and all(map(operator.is_, one, other))


def _for_each(meshes: list[int], one, scene: Scene, run: Run) -> None:
    """Call one(mesh, pause) for each mesh, on one thread each."""
    if meshes:
        run_in_pieces(lambda number, pause: one(meshes[number], pause),
                      [len(scene.meshes[index].triangles) for index in meshes], run.threads, run.tick)


@kernel
def fit_objects(which, trees, node_count, slot_count, faces):
    """Fit the boxes of some objects: first those of the placed triangles, then those of the nodes, the last node first,
    as children come after their parents.

    which: (k,) int64; trees: PlacedBalancedTrees; node_count, slot_count: (objects,) int64; faces: (…,3) int32, the
    triangles in the order of slots.
    """
    children = trees.children
    span = trees.span
    boxes = trees.boxes
    slot_boxes = trees.slot_boxes
    for k in range(which.shape[0]):
        i = which[k]
        fit_slots(i, trees, slot_count[i], faces)
        box_start = trees.box_start[i]
        node_start = trees.node_start[i]
        for node in range(node_start + node_count[i] - 1, node_start - 1, -1):
            box = box_start + node - node_start
            if children[node, 0] >= 0:
                join_bounds(boxes, box_start + children[node, 0], boxes, box_start + children[node, 1], boxes, box)
                continue
            first = trees.slot_box_start[i] + span[node, 0]
            join_bounds(slot_boxes, first, slot_boxes, first, boxes, box)
            for slot in range(first + 1, first + span[node, 1]):
                join_bounds(slot_boxes, slot, boxes, box, boxes, box)


@kernel
def fit_slots(obj, trees, count, faces):
    """Fit the boxes of an object's placed triangles. Vertices are fetched ahead: they may lie anywhere."""
    world = trees.corners.world
    slot_boxes = trees.slot_boxes
    start = trees.corners.triangle_start[obj]
    first = trees.corners.world_start[obj]
    box_start = trees.slot_box_start[obj]
    for slot in range(count):
        ahead = start + min(slot + TRIANGLES_AHEAD, count - 1)
        for c in range(3):
            prefetch(world, 3 * (first + faces[ahead, c]))
        a = first + faces[start + slot, 0]
        b = first + faces[start + slot, 1]
        c = first + faces[start + slot, 2]
        for x in range(3):
            slot_boxes[box_start + slot, x] = min(world[a, x], min(world[b, x], world[c, x]))
            slot_boxes[box_start + slot, HIGH + x] = max(world[a, x], max(world[b, x], world[c, x]))
