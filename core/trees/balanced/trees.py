# SPDX-License-Identifier: GPL-3.0-or-later
"""`BalancedTrees`: the balanced trees of all tested objects in flat arrays, fitted to where the objects are.

A tree is divided once, in the coordinates of its mesh, and shared by the objects of that mesh. Its boxes are those of
the placed triangles, along the axes of the world, per object. They are float64, and nothing but least and greatest
coordinates of vertices: no rounding is involved, and a box holds its triangles exactly.
"""
import operator
from dataclasses import dataclass

import numpy as np

from ...arrays import starts_of
from ...errors import Cancelled
from ...machine_code.jit import kernel
from ...machine_code.prefetch import prefetch
from ...memory import room_for
from ...parallel import run_chunks
from ...run import Run
from ..placed import PlacedMeshes
from ..refit_quality import Wear, disorder
from .build import Tree, build
from .edges import EdgeSet, edge_set

FITTED_AT_ONCE = 1 << 14        # triangles that are worth a thread
AHEAD = 16                      # triangles


class BalancedTrees:
    """Per tested object (arrays of length n, in the order of selection.objects) where its data begin.

    Topology and edges are kept per mesh in scene.cache; a deformed mesh keeps its own, and only its boxes follow, until
    it has lost that order: then it is divided anew (wear.py).
    Boxes are fitted when an object first stands in a pair (`fit`), and kept until it moves or is deformed.
    """

    def __init__(self, placed: PlacedMeshes, run: Run):
        """Divides meshes that are new, on several threads. Raises Unsupported where memory is too small, and
        Cancelled."""
        self.placed = placed
        scene = placed.scene
        self._kept_edges: dict[int, EdgeSet] = scene.cache.setdefault("balanced edges", {})
        self.used, self._mesh = np.unique(placed.mesh_index, return_inverse=True)
        self._trees = _divided(placed, self.used.tolist(), run)
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
        self.slot_start = placed.triangle_start                     # (n,) int64, into slots and faces
        if (kept is not None and np.array_equal(kept.placed.objects, placed.objects)
                and np.array_equal(kept.placed.mesh_index, placed.mesh_index)):
            moved = (kept.placed.poses != placed.poses).any(axis=(1, 2)) | (kept.placed.versions != placed.versions)
            self.box_start, self.boxes, self.leaf_start, self.leaf_boxes, self.fitted = (
                kept.box_start, kept.boxes, kept.leaf_start, kept.leaf_boxes, kept.fitted & ~moved)
        else:
            nodes, leaves = starts_of(self.node_count), starts_of(placed.triangle_count)
            self.box_start, self.leaf_start = nodes[:-1], leaves[:-1]       # (n,) int64, into
            with room_for(48 * int(nodes[-1] + leaves[-1]), "the boxes"):   # (…,6) float64, lo x y z hi x y z
                self.boxes = np.empty((nodes[-1], 6))           # of placed nodes
                self.leaf_boxes = np.empty((leaves[-1], 6))     # of placed triangles, in the order of slots
            self.fitted = np.zeros(len(placed.objects), bool)
        scene.cache["balanced trees"] = self

    def _take(self, trees: list[Tree]) -> None:
        """The arrays of trees, one mesh after the other as in `placed`."""
        meshes = [self.placed.scene.meshes[index] for index in self.used.tolist()]
        self.children = np.concatenate([tree.children for tree in trees])       # (…,2) int32, see Tree
        self.span = np.concatenate([tree.span for tree in trees])               # (…,2) int32
        self.slots = np.concatenate([tree.slots for tree in trees])             # (…,) int32
        self.faces = np.concatenate([mesh.triangles[tree.slots] for mesh, tree in zip(meshes, trees)])  # (…,3) int32
        self._nodes = np.array([len(tree.children) for tree in trees], np.int64)

    def fit(self, a: np.ndarray, b: np.ndarray, run: Run) -> None:
        """Fit the boxes of all objects of these pairs, positions, where that is still to be done."""
        which = np.unique(np.concatenate([a, b]))
        which = which[~self.fitted[which]].astype(np.int64)
        if len(which) == 0:
            return
        ends = np.cumsum(self.placed.triangle_count[which])
        parts = np.split(which, 1 + np.flatnonzero(np.diff(ends // FITTED_AT_ONCE)))
        corners = self.placed.corners

        def work(number):
            fit_objects(parts[number], self.node_start, self.node_count, self.children, self.span, self.slot_start,
                        self.placed.triangle_count, self.faces, corners.world_start, corners.world, self.box_start,
                        self.boxes, self.leaf_start, self.leaf_boxes)
            self.fitted[parts[number]] = True

        run_chunks(work, len(parts), run.threads, lambda done: run.tick())

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """node_start, children, span, box_start, boxes, slot_start, slots, leaf_start, leaf_boxes: for kernels."""
        return (self.node_start, self.children, self.span, self.box_start, self.boxes, self.slot_start, self.slots,
                self.leaf_start, self.leaf_boxes)

    def edges(self, run: Run) -> "Edges":
        """The edges of all tested objects; found per mesh at the first call, on several threads."""
        kept, scene = self._kept_edges, self.placed.scene

        def one(index, pause):
            kept[index] = edge_set(scene.meshes[index].triangles, scene.cache["balanced topology"][index].tree.slots,
                                   pause)

        _for_each([index for index in self.used.tolist() if index not in kept], one, run)
        return Edges([kept[index] for index in self.used.tolist()], self._mesh)


class Edges:
    """The edges of all tested objects in flat arrays; see balanced_edges.EdgeSet. Objects of a mesh share them."""

    def __init__(self, sets: list[EdgeSet], mesh: np.ndarray):
        """sets: one per mesh; mesh: (n,) the set of each tested object."""
        counts = np.array([len(each.ends) for each in sets], np.int64)
        slots = np.array([len(each.begin) for each in sets], np.int64)
        owners = starts_of([len(each.owners) for each in sets])
        self.start, self.count = starts_of(counts)[mesh], counts[mesh]          # (n,) int64 each, into
        self.ends = np.concatenate([each.ends for each in sets])                # (…,2) int32
        self.owner_start = np.concatenate([                                     # (…+1,) int64, into
            *(each.owner_start[:-1] + first for each, first in zip(sets, owners)), owners[-1:]])
        self.owners = np.concatenate([each.owners for each in sets])            # (…,) int32
        self.sides = np.concatenate([each.sides for each in sets])              # (…,) int32, from 3·triangle_start on
        self.begin_start = starts_of(slots)[mesh]                               # (n,) int64, into
        self.begin = np.concatenate([each.begin for each in sets])              # (…,) int32

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """start, ends, owner_start, owners, sides, begin_start, begin: for kernels."""
        return (self.start, self.ends, self.owner_start, self.owners, self.sides, self.begin_start,
                self.begin)


@dataclass(eq=False)
class _Divided:
    """The tree of a mesh, and how well it still fits."""

    tree: Tree
    version: int                # of the mesh that was looked at last
    wear: Wear


def _divided(placed: PlacedMeshes, used: list[int], run: Run) -> list[Tree]:
    """The trees of these meshes; what is missing or worn out is built, each by one thread."""
    scene = placed.scene
    kept: dict[int, _Divided] = scene.cache.setdefault("balanced topology", {})
    edges = scene.cache["balanced edges"]

    def one(index, pause):
        mesh, version = scene.meshes[index], int(scene.versions[index])
        corners = mesh.vertices[mesh.triangles]
        if index in kept and not kept[index].wear.is_too_much(disorder(corners[kept[index].tree.slots])):
            kept[index].version = version
            return
        tree = build(np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1), pause=pause)
        now = disorder(corners[tree.slots])
        wear = kept[index].wear if index in kept else Wear(now)
        wear.renewed(now)
        kept[index] = _Divided(tree, version, wear)
        edges.pop(index, None)

    late = [index for index in used if index not in kept or kept[index].version != scene.versions[index]]
    _for_each(late, one, run)
    return [kept[index].tree for index in used]


def _same(one: list, other: list) -> bool:
    """The very same things."""
    return len(one) == len(other) and all(map(operator.is_, one, other))


def _for_each(meshes: list[int], one, run: Run) -> None:
    """one(mesh, pause), each on one thread. Raises Cancelled soon after it is asked for, even where a mesh is large."""
    def pause():
        if run.cancelled:
            raise Cancelled

    def work(number):
        one(meshes[number], run.tick if min(len(meshes), run.threads) == 1 else pause)

    if meshes:
        run_chunks(work, len(meshes), run.threads, lambda done: run.tick(done / len(meshes)))


@kernel
def fit_objects(which, node_start, node_count, children, span, slot_start, slot_count, faces, world_start, world,
                box_start, boxes, leaf_start, leaf_boxes):
    """Boxes of the placed triangles of some objects and of the nodes above them, last node first: children come after
    their parents."""
    for k in range(which.shape[0]):
        i = which[k]
        fit_faces(faces, slot_start[i], slot_count[i], world_start[i], world, leaf_start[i], leaf_boxes)
        for node in range(node_start[i] + node_count[i] - 1, node_start[i] - 1, -1):
            box = box_start[i] + node - node_start[i]
            if children[node, 0] >= 0:
                join(boxes, box_start[i] + children[node, 0], boxes, box_start[i] + children[node, 1], boxes, box)
                continue
            first = leaf_start[i] + span[node, 0]
            join(leaf_boxes, first, leaf_boxes, first, boxes, box)
            for leaf in range(first + 1, first + span[node, 1]):
                join(leaf_boxes, leaf, boxes, box, boxes, box)


@kernel
def fit_faces(faces, start, count, place, world, leaf, leaf_boxes):
    """Boxes of the placed triangles of one object. Vertices are fetched ahead: they may lie anywhere."""
    for slot in range(count):
        ahead = start + min(slot + AHEAD, count - 1)
        for c in range(3):
            prefetch(world, 3 * (place + faces[ahead, c]))
        a = place + faces[start + slot, 0]
        b = place + faces[start + slot, 1]
        c = place + faces[start + slot, 2]
        for x in range(3):
            leaf_boxes[leaf + slot, x] = min(world[a, x], min(world[b, x], world[c, x]))
            leaf_boxes[leaf + slot, 3 + x] = max(world[a, x], max(world[b, x], world[c, x]))


@kernel
def join(one, i, other, j, target, k):
    """target[k] = the box around one[i] and other[j]."""
    for x in range(3):
        target[k, x] = min(one[i, x], other[j, x])
        target[k, 3 + x] = max(one[i, 3 + x], other[j, 3 + x])


@kernel
def meet(one, i, other, j):
    """1 where the closed boxes one[i] and other[j] have a point in common, else 0."""
    return np.int64((one[i, 0] <= other[j, 3]) & (other[j, 0] <= one[i, 3])
                    & (one[i, 1] <= other[j, 4]) & (other[j, 1] <= one[i, 4])
                    & (one[i, 2] <= other[j, 5]) & (other[j, 2] <= one[i, 5]))
