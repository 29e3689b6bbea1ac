# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects from a topological spatial grid (TSGO 2017, §2.2 to §3.1).

Objects, large ones as sub-objects, are registered in the cells that they overlap; objects that share no cell are not
compared. Objects that are static, or large and unmoved since the last call, are registered once. They are kept in
scene.cache together with the pairs among them; all others are registered at every call. Cube and depth depend on this
scene only, not on calls before. What is kept serves while they are the same, and its tests are counted as if they had
been made anew.

Nothing is lost by `cells="exact"`. Two objects that meet have a point in common, in a triangle of each. The boxes of
the sub-objects with these triangles hold that point, so that both are registered in its cell and their projections
overlap. In the same way an object inside another one that is registered whole shares a cell and the projections with
it. The inside of a divided object is not registered: its pairs are listed wherever the world boxes overlap.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..records import CellRegister, GridBoxes, GridItems
from ..run import Run
from ..scene.select import Selection
from ..trees.bounds import bounds_overlap
from ..trees.bvh.placed import PlacedMeshes
from ..trees.obb.trees import REACH_GROWTH, ObbTrees
from .cell_register import NO_ITEMS, PAIRS_PER_BLOCK, number_pairs, pairs_sharing_cells, register_cells
from .grid_cells import NEIGHBOURS, Cube, cells_of_boxes, cells_of_diagonals, grid_boxes
from .grid_depth import Estimate, rounded
from .sub_objects import root_edges, sub_objects

EXACT_CELLS, DIAGONAL_CELLS = "exact", "diagonals"
AUTOMATIC_DEPTH = -1       # in place of a depth
LARGE_CELLS = 4.0           # the size of objects that are not marked as static, but worth dividing
NO_NODE = -1


class TopologicalGrid:
    """The grid of one call: its cube, and what does not move in its cells. The last one is kept in scene.cache."""

    still: GridItems            # what is static or rests
    still_pairs: np.ndarray     # (k,4) int32, pairs of these that share a cell, see `pairs_sharing_cells`

    def __init__(self, placed: PlacedMeshes, trees: ObbTrees, selection: Selection, cells: str, depth: int,
                 split: bool):
        """Choose the cube. trees: of the same objects; cells: EXACT_CELLS or DIAGONAL_CELLS; depth: k, or
        AUTOMATIC_DEPTH; split: large objects are registered as sub-objects."""
        self.placed, self.trees, self.selection = placed, trees, selection
        self._settings = cells, depth, split
        self._of_scene = selection.objects, selection.static, placed.mesh_index
        self._edges = root_edges(trees)
        self._estimate: tuple[float, np.ndarray, Estimate] | None = None
        kept = placed.scene.cache.get("topological grid")
        self.cube = self._new_cube(depth, kept)
        self._kept = kept if kept is not None and self._can_go_on_with(kept) else None

    def _can_go_on_with(self, kept: "TopologicalGrid") -> bool:
        """True where what another call has registered may serve again: cells and objects are the same."""
        return (kept._settings == self._settings and kept.cube.depth == self.cube.depth
                and kept.cube.edge == self.cube.edge and np.array_equal(kept.cube.origin, self.cube.origin)
                and all(map(_same, kept._of_scene, self._of_scene)))

    def _new_cube(self, depth: int, kept: "TopologicalGrid | None") -> Cube:
        """The published cube for cells on diagonals, and a steady one for all cells that boxes overlap: these lose no
        pair in any cube, and in a steady one objects that rest can stay in their cells."""
        bounds = self.selection.bounds
        cube = Cube.around(bounds) if self._settings[0] == DIAGONAL_CELLS else Cube.steady(bounds)
        if depth == AUTOMATIC_DEPTH:
            edges = rounded(self._edges)
            if (kept is not None and kept._estimate is not None and kept._estimate[0] == cube.edge
                    and np.array_equal(kept._estimate[1], edges) and all(map(_same, kept._of_scene, self._of_scene))):
                self._estimate = kept._estimate
            else:
                self._estimate = cube.edge, edges, Estimate.of(cube.edge, edges, self.placed.triangle_count,
                                                               self.selection.static)
            depth = self._estimate[2].best(cube, bounds)
        return Cube(cube.origin, cube.edge, depth)

    def pairs(self, selection: Selection, run: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(a, b, tasks): int32 positions of the objects of each pair, a < b, ordered; (k,3) int32 rows of a pair, a
        node of a and a node of b, ordered by pair, where the search begins. The objects of a pair without tasks cannot
        touch.

        selection: the one that the grid was made of, perhaps with larger bounds (`Selection.grown`). The run's
        broad_tests grow by the tests that docs/methods/tsgo.md lists.
        """
        reach = REACH_GROWTH * float((self.selection.bounds[:, :3] - selection.bounds[:, :3]).max())
        rests = self._rests()
        self._register_still(rests, selection, reach, run)
        moving, divided, item_tests = self._items(np.flatnonzero(~rests), selection, reach)
        found, pair_tests = pairs_sharing_cells(moving, self.still, moving.owner, run.tick)
        divided = np.concatenate([divided, self._still_divided])
        meeting = _meeting(selection, divided)
        run.count(broad_tests=self._still_tests + item_tests + pair_tests + len(divided) * (len(rests) - 1))
        self.placed.scene.cache["topological grid"], self._kept = self, None
        a, b, tasks = number_pairs(np.concatenate([found, self.still_pairs, meeting]), len(rests))
        allowed = selection.allows(a, b)
        if allowed.all():
            return a, b, tasks
        tasks = tasks[allowed[tasks[:, 0]]]
        tasks[:, 0] = (np.cumsum(allowed) - 1)[tasks[:, 0]]
        return a[allowed], b[allowed], tasks

    def _rests(self) -> np.ndarray:
        """(n,) bool: static, or large and where it was."""
        rests = self.selection.static.copy()
        large = np.flatnonzero(~rests & (self._edges >= LARGE_CELLS * self.cube.cell))
        rests[large] = True
        if len(large) and self._kept is not None:
            old, new = self._kept.placed, self.placed
            rests[large] = ((old.poses[large] == new.poses[large]).all(axis=(1, 2))
                            & (old.versions[large] == new.versions[large]))
        return rests

    def _register_still(self, rests: np.ndarray, selection: Selection, reach: float, run: Run) -> None:
        """Register what rests, or take it over from the last call where it is the same."""
        which = np.flatnonzero(rests)
        self._of_still = which, self.placed.poses[which], self.placed.versions[which], self.trees.root[which], reach
        kept = self._kept
        if (kept is not None and kept.trees.left is self.trees.left         # or nodes have other numbers
                and all(map(_same, kept._of_still, self._of_still))):
            self.still, self._still_divided, self.still_pairs = kept.still, kept._still_divided, kept.still_pairs
            self._still_tests = kept._still_tests
            return
        self.still, self._still_divided, item_tests = self._items(which, selection, reach)
        rank = np.where(selection.static[self.still.owner], len(rests), self.still.owner)
        some = not selection.static[which].all()
        self.still_pairs, pair_tests = pairs_sharing_cells(self.still if some else NO_ITEMS, NO_ITEMS, rank, run.tick)
        self._still_tests = item_tests + pair_tests

    def _items(self, which: np.ndarray, selection: Selection, reach: float) -> tuple[GridItems, np.ndarray, int]:
        """(items, divided, tests): the objects `which` in the cells of their boxes, made larger by `reach` on every
        side; (k,) int64, those of them that have several sub-objects; how many tests that took, of nodes, which are cut
        off or not, and of boxes with cells.

        Static objects are divided where they are larger than a cell, others where they are LARGE_CELLS cells long.
        """
        if len(which) == 0:
            return NO_ITEMS, which, 0
        cut = which < 0
        if self._settings[2] and self.cube.scale > 0.0:
            with np.errstate(over="ignore"):        # so large are none
                cut = self._edges[which] >= np.where(selection.static[which], 1.0, LARGE_CELLS) * self.cube.cell
        below = [sub_objects(self.trees, obj, self.cube.cell) for obj in which[cut].tolist()]
        owner = np.concatenate([which[~cut], *map(np.full, map(len, below), which[cut].tolist())])
        node = np.concatenate([self.trees.root[which[~cut]], *below]).astype(np.int32)
        boxes = grid_boxes(self.cube, self.trees, owner, node, reach, selection.bounds)
        register, tests = self._in_cells(boxes)
        tests += sum(2 * len(each) - 1 for each in below)       # nodes of a binary tree down to these
        divided = which[cut][[len(each) > 1 for each in below]] if below else which[:0]
        return GridItems(owner, node, boxes.low, boxes.high, register), divided, tests

    def _in_cells(self, boxes: GridBoxes) -> tuple[CellRegister, int]:
        """The register of some boxes, and how many tests of a box with a cell that took. A box in one cell, or in all
        from its first to its last, is not tested."""
        tests = 0

        def overlapped(first, last, start, cells):
            nonlocal tests
            size = (last - first + 1).prod(axis=1)
            tests = int(size[(size > 1) & (boxes.inside > 0)].sum())
            return cells_of_boxes(boxes, boxes.inside, first, last, self.cube.side, np.empty((12, 5)), start, cells)

        def on_diagonals(first, last, start, cells):
            nonlocal tests
            tests = int((last - first + 1).prod(axis=1).sum())
            return cells_of_diagonals(boxes, first, last, self.cube.side, np.empty(NEIGHBOURS, np.int64), start, cells)

        fill = on_diagonals if self._settings[0] == DIAGONAL_CELLS else overlapped
        return register_cells(boxes.first, boxes.last, self.cube.side, fill), tests


def _same(one, other) -> bool:
    """True for equal arrays, or numbers."""
    return one is other or np.array_equal(one, other)


def _meeting(selection: Selection, which: np.ndarray) -> np.ndarray:
    """(k,4) int32 like `pairs_sharing_cells`, with NO_NODE: the pairs of an object in `which` with any object whose
    world box overlaps its own."""
    n, k, found = len(selection.objects), 0, [np.zeros((0, 4), np.int32)]
    buffer = np.empty((n + PAIRS_PER_BLOCK, 4), np.int32)
    while k < len(which):
        k, count = meeting_boxes(which, k, selection.bounds, selection.static.view(np.uint8), buffer)
        found.append(buffer[:count].copy())
    return np.concatenate(found)


@kernel
def meeting_boxes(which, k, bounds, static, pairs):
    """Write the pairs of the objects which[k:] with those whose bounds overlap theirs, unless both are static; returns
    (next k, number of pairs). bounds: (n,6) float64; static: (n,) uint8."""
    n = bounds.shape[0]
    count = 0
    while k < which.shape[0] and count + n <= pairs.shape[0]:
        i = which[k]
        for j in range(n):
            pairs[count, 0] = min(i, j)
            pairs[count, 1] = max(i, j)
            pairs[count, 2] = NO_NODE
            pairs[count, 3] = NO_NODE
            count += bounds_overlap(bounds, i, bounds, j) & (i != j) & (static[i] & static[j] == 0)
        k += 1
    return k, count
