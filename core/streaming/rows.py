# SPDX-License-Identifier: GPL-3.0-or-later
"""`StreamedObjects`: the edges, triangles and box trees of objects as rows of float32, and where each object's are.

World coordinates are divided by a power of two, so that none is beyond 1, and each object is moved to its middle, in
float64, before they are rounded to float32. An object far from the origin loses nothing by that.
"""
import numpy as np

from ..arrays import moved_poses, starts_of
from ..errors import TooLarge
from ..memory import reserve
from ..records import EdgeArrays, StreamRows
from ..run import Run
from ..trees.balanced.edges import edge_arrays, edge_set
from ..trees.bvh.placed import PlacedMeshes
from ..trees.obb.trees import ObbTrees
from .port import (
    EDGE_DIRECTION,
    EDGE_LENGTH,
    EDGE_NUMBERS,
    EDGE_ORIGIN,
    END,
    MAX_ROWS,
    NODE_AXIS,
    NODE_CENTRE,
    NODE_COUNT,
    NODE_FIRST,
    NODE_HALF,
    NODE_NUMBERS,
    NODE_SKIP,
    SIDE_1,
    SIDE_2,
    TASK_NUMBERS,
    TRIANGLE_NUMBERS,
)

LEAF = 8                    # most triangles of a leaf
SHORTEST_EDGE = 1e-100      # an edge that is shorter, in a scene of size 1, counts as a point
ROUNDED_UP = 1.0 + 2.0 ** -20


class StreamedObjects:
    """Per tested object (arrays of length n): where its rows are. Objects that are in no pair have none."""

    _written: np.ndarray        # (n,) bool: whose rows hold for the poses, versions and exponent below
    _poses: np.ndarray
    _versions: np.ndarray
    _exponent: int
    has_history = True          # which rows are there, and by what they are divided, depends on earlier runs

    @classmethod
    def of(cls, trees: ObbTrees, used: np.ndarray, run: Run) -> "StreamedObjects":
        """As the constructor. Rows are kept with the scene: only those of objects that moved or were deformed, or were
        not used before, are written anew."""
        cache = trees.placed.scene.cache
        made = cls(trees, used, run, cache.pop("streams", None))    # cancelled half way, nothing is left
        cache["streams"] = made
        return made

    def __init__(self, trees: ObbTrees, used: np.ndarray, run: Run, kept: "StreamedObjects | None" = None):
        """used: (k,) objects, k ≥ 1, ascending. kept: of an earlier run; its rows are taken over. Raises Cancelled, and
        TooLarge where memory or numbers of rows do not suffice."""
        placed = trees.placed
        if kept is not None and kept._has_layout_of(trees):
            vars(self).update(vars(kept))
            self._trees = trees
            if not np.isin(used, self._used).all():
                self._lay_out(np.union1d(used, self._used), run)    # soon these are all, and the layout stays
        else:
            self._trees = trees
            self._lay_out(used, run)
        with np.errstate(under="ignore", over="ignore", invalid="ignore"):
            largest = max((np.abs(placed.world_of(obj)).max() for obj in run.watched(self._used.tolist())),
                          default=0.0)
            exponent = -int(np.frexp(largest)[1])
            if exponent != self._exponent:
                self._written[:] = False
            self._written[moved_poses(self._poses, placed.poses) | (self._versions != placed.versions)] = False
            self._exponent, self._poses, self._versions = exponent, placed.poses, placed.versions
            for obj in used[~self._written[used]].tolist():
                run.tick()
                self._fill(obj, *self._cuts[int(trees.root[obj])])
                self._written[obj] = True

    def _has_layout_of(self, trees: ObbTrees) -> bool:
        """True where these trees have the nodes, and their objects the meshes, that the rows were laid out for."""
        before = self._trees
        return (trees.left is before.left and np.array_equal(trees.root, before.root)
                and np.array_equal(trees.placed.objects, before.placed.objects)
                and np.array_equal(trees.placed.mesh_index, before.placed.mesh_index))

    def _lay_out(self, used: np.ndarray, run: Run) -> None:
        """Find where each object's rows are, and make memory for them. Nothing is written yet."""
        trees, placed, n = self._trees, self._trees.placed, len(self._trees.placed.objects)
        self._used = used
        self.owners = _edges(placed, used)
        self._cuts = {}
        for root in np.unique(trees.root[used]).tolist():
            run.tick()
            self._cuts[root] = _cut(trees, root)
        count = np.zeros((3, n), np.int64)          # of edges, triangles, nodes
        count[0, used], count[1, used] = self.owners.edge_count[used], placed.triangle_count[used]
        count[2, used] = [len(self._cuts[root][0]) for root in trees.root[used].tolist()]
        start = np.stack([starts_of(each) for each in count])
        if start[:, -1].max() >= MAX_ROWS:
            raise TooLarge(f"The method Stream takes {MAX_ROWS:,} edges, triangles and boxes of each kind at most.")
        self.edge_start, self.triangle_start, self.node_start = start[:, :-1]
        self.edge_count, self.triangle_count, self.node_count = count
        sizes = EDGE_NUMBERS, TRIANGLE_NUMBERS, NODE_NUMBERS
        with reserve(int(4 * (start[:, -1] * sizes).sum() + 4 * start[1, -1]), "the streams of edges and triangles"):
            self.rows = StreamRows(*(np.zeros((rows, size), np.float32) for rows, size in zip(start[:, -1], sizes)))
            self.number = np.empty(start[1, -1], np.int32)      # of each row's triangle in its mesh
        self._centre, self._radius = np.zeros((n, 3)), np.zeros(n)
        self._written, self._exponent = np.zeros(n, bool), 0
        self._poses, self._versions = placed.poses, placed.versions

    def _fill(self, obj: int, nodes: np.ndarray, skip: np.ndarray) -> None:
        """Write the rows of one object. nodes: of its tree, in the order of a walk; skip: (k,) places in it."""
        placed, trees = self._trees.placed, self._trees
        world = np.ldexp(placed.world_of(obj), self._exponent)
        self._centre[obj] = 0.5 * world.min(axis=0) + 0.5 * world.max(axis=0)
        local = world - self._centre[obj]
        edges = self.rows.edges[self.edge_start[obj]:][:self.edge_count[obj]]
        ends = self.owners.ends[self.owners.edge_start[obj]:][:self.edge_count[obj]]
        way = world[ends[:, 1]] - world[ends[:, 0]]
        length = np.linalg.norm(way, axis=1)
        short = length < SHORTEST_EDGE
        edges[:, EDGE_ORIGIN:EDGE_ORIGIN + 3], edges[:, EDGE_LENGTH] = local[ends[:, 0]], np.where(short, 0.0, length)
        edges[:, EDGE_DIRECTION:EDGE_DIRECTION + 3] = np.where(short[:, None], (1.0, 0.0, 0.0),
                                                     way / np.where(short, 1.0, length)[:, None])
        order = trees.slots[trees.first[trees.root[obj]]:][:self.triangle_count[obj]]
        self.number[self.triangle_start[obj]:][:len(order)] = order
        corners = placed.triangles[placed.triangle_start[obj] + order]
        triangles = self.rows.triangles[self.triangle_start[obj]:][:len(order)]
        triangles[:, :3] = local[corners[:, 0]]
        for side, corner in ((SIDE_1, 1), (SIDE_2, 2)):
            triangles[:, side:side + 3] = world[corners[:, corner]] - world[corners[:, 0]]
        reach = self._fill_nodes(obj, nodes, skip)
        self._radius[obj] = max(np.abs(local).max(), reach)

    def _fill_nodes(self, obj: int, nodes: np.ndarray, skip: np.ndarray) -> float:
        """Write the boxes of an object's tree; returns how far a coordinate of theirs is from its middle, at most."""
        trees, start = self._trees, self.node_start[obj]
        centre, axes, half = trees.node_boxes(obj, nodes)
        centre = np.ldexp(centre, self._exponent) - self._centre[obj]
        half = np.ldexp(half, self._exponent)
        rows = self.rows.nodes[start:][:len(nodes)]
        rows[:, NODE_CENTRE:NODE_CENTRE + 3] = centre
        rows[:, NODE_SKIP] = np.where(skip == len(nodes), END, start + skip)
        for k in range(3):
            rows[:, NODE_AXIS + 4 * k:NODE_AXIS + 4 * k + 3], rows[:, NODE_HALF + 4 * k] = axes[:, k], half[:, k]
        leaf = trees.count[nodes] <= LEAF
        first = trees.first[nodes] - trees.first[trees.root[obj]] + self.triangle_start[obj]
        rows[:, NODE_FIRST], rows[:, NODE_COUNT] = np.where(leaf, first, 0), np.where(leaf, trees.count[nodes], 0)
        return float(max(np.abs(centre).max(), half.max()))

    def tasks(self, edged: np.ndarray, other: np.ndarray, first: np.ndarray, count) -> np.ndarray:
        """(k,8) float32: tasks of edges of the objects `edged` (k,) against rows first … first + count of `other`."""
        tasks = np.zeros((len(edged), TASK_NUMBERS), np.float32)
        way = self._centre[edged] - self._centre[other]
        tasks[:, :3] = way
        tasks[:, 3] = (self._radius[edged] + self._radius[other] + np.abs(way).max(axis=1, initial=0.0)) * ROUNDED_UP
        tasks[:, 4], tasks[:, 5] = first, count
        return tasks


def _edges(placed: PlacedMeshes, used: np.ndarray) -> EdgeArrays:
    """The edges of the objects `used`; for others there are none. A mesh's are found once."""
    kept = placed.scene.cache.setdefault("streamed edges", {})
    meshes = np.unique(placed.mesh_index[used])
    for index in meshes.tolist():
        if index not in kept:
            triangles = placed.scene.meshes[index].triangles
            kept[index] = edge_set(triangles, np.arange(len(triangles), dtype=np.int32))
    mesh = np.minimum(np.searchsorted(meshes, placed.mesh_index), len(meshes) - 1)
    return edge_arrays([kept[index] for index in meshes.tolist()], mesh)


def _cut(trees: ObbTrees, root: int) -> tuple[np.ndarray, np.ndarray]:
    """(nodes (k,), skip (k,)): a tree down to nodes of at most LEAF triangles, each before those inside it, and the
    place of the first node after them."""
    levels = [np.array([root], np.int64)]
    while len(levels[-1]):
        inner = levels[-1][trees.count[levels[-1]] > LEAF]
        levels.append(np.concatenate([trees.left[inner], trees.right[inner]]).astype(np.int64))
    nodes = np.concatenate(levels)
    nodes = nodes[np.lexsort((-trees.count[nodes], trees.first[nodes]))]
    first = trees.first[nodes]
    return nodes, np.searchsorted(first, first + trees.count[nodes])
