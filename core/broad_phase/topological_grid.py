# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects from a topological spatial grid (TSGO 2017, §2.2 to §3.1).

Objects, or the parts of large ones, are registered in the cells that they overlap; objects that share no cell are not
looked at. What is static, and what is large and has not moved since the last call, is registered once and kept in
scene.cache together with the pairs among it; all else is registered at every call. Cube and depth are those of the
scene as it stands, whatever was asked before: what is kept serves while they are the same, and its tests are counted
as if they had been made anew.

Nothing is lost by `cells="exact"`. Two objects that meet have a point in common, in a triangle of each. The boxes of
the parts that these triangles belong to hold it, so that both parts are registered in its cell and their projections
overlap. An object inside another one that is not in parts shares a cell and the projections with it in the same way.
The inside of an object in parts is not registered: pairs of it are listed wherever the world boxes overlap.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..run import Run
from .cell_register import NO_ITEMS, Items, Register, number_pairs, pairs_sharing_cells
from .grid_cells import NEAR, Cube, GridBoxes, cells_of_boxes, cells_of_diagonals
from .grid_depth import Estimate, rounded
from .sub_objects import parts_of, root_edges

EXACT, DIAGONALS = "exact", "diagonals"
AUTOMATIC = -1
LARGE = 4.0                 # cells long: objects that are not marked as static, but worth cutting up
NO_NODE = -1
CHUNK = 1 << 12             # pairs at a time
GROWTH = 1.0 + 2.0 ** -20   # more than all roundings of a reach


class TopologicalGrid:
    """The grid of one call: its cube, and what does not move in its cells. The last one is kept in scene.cache."""

    still: Items                # what is static or rests
    inner: np.ndarray           # (k,4) int32, pairs in it that share a cell, see `pairs_sharing_cells`

    def __init__(self, placed, trees, selection, cells: str, depth: int, split: bool):
        """placed: PlacedMeshes; trees: ObbTrees of the same objects; depth: k, or AUTOMATIC; split: large objects are
        registered in parts."""
        self.placed, self.trees, self.selection = placed, trees, selection
        self._settings = cells, depth, split
        self._of_scene = selection.objects, selection.static, placed.mesh_index
        self._edges = root_edges(trees)
        self._estimate: tuple[float, np.ndarray, Estimate] | None = None
        kept = placed.scene.cache.get("topological grid")
        self.cube = self._new_cube(depth, kept)
        self._kept = kept if kept is not None and self._can_go_on_with(kept) else None

    def _can_go_on_with(self, kept: "TopologicalGrid") -> bool:
        """What another call has registered may serve again: cells and objects are the same."""
        return (kept._settings == self._settings and kept.cube.depth == self.cube.depth
                and kept.cube.edge == self.cube.edge and np.array_equal(kept.cube.origin, self.cube.origin)
                and all(map(_same, kept._of_scene, self._of_scene)))

    def _new_cube(self, depth: int, kept: "TopologicalGrid | None") -> Cube:
        """The scene's own as published; for all cells that boxes overlap, which lose no pair in any cube, a steady one,
        so that what rests can stay in its cells."""
        bounds = self.selection.bounds
        cube = Cube.around(bounds) if self._settings[0] == DIAGONALS else Cube.steady(bounds)
        if depth == AUTOMATIC:
            edges = rounded(self._edges)
            if (kept is not None and kept._estimate is not None and kept._estimate[0] == cube.edge
                    and np.array_equal(kept._estimate[1], edges) and all(map(_same, kept._of_scene, self._of_scene))):
                self._estimate = kept._estimate
            else:
                self._estimate = cube.edge, edges, Estimate.of(cube.edge, edges, self.placed.triangle_count,
                                                               self.selection.static)
            depth = self._estimate[2].best(cube, bounds)
        return Cube(cube.origin, cube.edge, depth)

    def pairs(self, selection, run: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(a, b, tasks): int32 positions of the objects of each pair, a < b, ordered; (k,3) int32 rows of a pair, a
        node of a and a node of b, ordered: where to begin. A pair without any cannot touch.

        selection: the one that the grid was made of, perhaps with larger bounds (`Selection.grown`). run:
        run.Run, whose broad_tests grow by the tests that docs/methods/tsgo.md lists.
        """
        reach = GROWTH * float((self.selection.bounds[:, :3] - selection.bounds[:, :3]).max())
        rests = self._rests()
        self._register_still(rests, selection, reach, run)
        moving, in_parts, tests = self._items(np.flatnonzero(~rests), selection, reach)
        found, looks = pairs_sharing_cells(moving, self.still, moving.owner, run.tick)
        in_parts = np.concatenate([in_parts, self._still_in_parts])
        meeting = _meeting(selection, in_parts)
        run.count(broad_tests=self._still_tests + tests + looks + len(in_parts) * (len(rests) - 1))
        self.placed.scene.cache["topological grid"], self._kept = self, None
        a, b, tasks = number_pairs(np.concatenate([found, self.inner, meeting]), len(rests))
        allowed = selection.allows(a, b)
        if allowed.all():
            return a, b, tasks
        tasks = tasks[allowed[tasks[:, 0]]]
        tasks[:, 0] = (np.cumsum(allowed) - 1)[tasks[:, 0]]
        return a[allowed], b[allowed], tasks

    def _rests(self) -> np.ndarray:
        """(n,) bool: static, or large and where it was."""
        rests = self.selection.static.copy()
        large = np.flatnonzero(~rests & (self._edges >= LARGE * self.cube.cell))
        rests[large] = True
        if len(large) and self._kept is not None:
            old, new = self._kept.placed, self.placed
            rests[large] = ((old.poses[large] == new.poses[large]).all(axis=(1, 2))
                            & (old.versions[large] == new.versions[large]))
        return rests

    def _register_still(self, rests: np.ndarray, selection, reach: float, run: Run) -> None:
        """Register what rests, unless it is what was registered at the last call."""
        which = np.flatnonzero(rests)
        self._of_still = which, self.placed.poses[which], self.placed.versions[which], self.trees.root[which], reach
        kept = self._kept
        if (kept is not None and kept.trees.left is self.trees.left         # or nodes have other numbers
                and all(map(_same, kept._of_still, self._of_still))):
            self.still, self._still_in_parts, self.inner = kept.still, kept._still_in_parts, kept.inner
            self._still_tests = kept._still_tests
            return
        self.still, self._still_in_parts, tests = self._items(which, selection, reach)
        rank = np.where(selection.static[self.still.owner], len(rests), self.still.owner)
        some = not selection.static[which].all()
        self.inner, looks = pairs_sharing_cells(self.still if some else NO_ITEMS, NO_ITEMS, rank, run.tick)
        self._still_tests = tests + looks

    def _items(self, which: np.ndarray, selection, reach: float) -> tuple[Items, np.ndarray, int]:
        """The objects `which` in the cells of their boxes, made larger by `reach` on every side; those that are larger
        than a cell, or LARGE ones only if they may move, in parts. And (k,) int64, the objects that are in several, and
        how many tests that took: of nodes, which are cut off or not, and of boxes with cells."""
        if len(which) == 0:
            return NO_ITEMS, which, 0
        cut = which < 0
        if self._settings[2] and self.cube.scale > 0.0:
            with np.errstate(over="ignore"):        # so large are none
                cut = self._edges[which] >= np.where(selection.static[which], 1.0, LARGE) * self.cube.cell
        parts = [parts_of(self.trees, obj, self.cube.cell) for obj in which[cut].tolist()]
        owner = np.concatenate([which[~cut], *map(np.full, map(len, parts), which[cut].tolist())])
        node = np.concatenate([self.trees.root[which[~cut]], *parts]).astype(np.int32)
        boxes = GridBoxes(self.cube, self.trees, owner, node, reach, selection.bounds)
        register, tests = self._in_cells(boxes)
        tests += sum(2 * len(each) - 1 for each in parts)       # nodes of a binary tree down to these
        in_parts = which[cut][[len(each) > 1 for each in parts]] if parts else which[:0]
        return Items(owner, node, boxes.low, boxes.high, register), in_parts, tests

    def _in_cells(self, boxes: GridBoxes) -> tuple[Register, int]:
        """The register of some boxes, and how many tests of a box with a cell that took. A box in one cell, or in all
        from its first to its last, is not tested."""
        tests = 0

        def overlapped(first, last, start, cells):
            nonlocal tests
            size = (last - first + 1).prod(axis=1)
            tests = int(size[(size > 1) & (boxes.inside > 0)].sum())
            return cells_of_boxes(boxes.centre, boxes.axes, boxes.half, first, last, boxes.inside, self.cube.side,
                                  np.empty((12, 5)), start, cells)

        def on_diagonals(first, last, start, cells):
            nonlocal tests
            tests = int((last - first + 1).prod(axis=1).sum())
            return cells_of_diagonals(boxes.centre, boxes.axes, boxes.half, first, last, self.cube.side,
                                      np.empty(NEAR, np.int64), start, cells)

        fill = on_diagonals if self._settings[0] == DIAGONALS else overlapped
        return Register.of(boxes.first, boxes.last, self.cube.side, fill), tests


def _same(one, other) -> bool:
    """Equal arrays, or numbers."""
    return one is other or np.array_equal(one, other)


def _meeting(selection, which: np.ndarray) -> np.ndarray:
    """(k,4) int32 like `pairs_sharing_cells`, with NO_NODE: pairs of an object in `which` with any other whose world
    box overlaps its own."""
    n, k, found = len(selection.objects), 0, [np.zeros((0, 4), np.int32)]
    buffer = np.empty((n + CHUNK, 4), np.int32)
    while k < len(which):
        k, count = meeting_boxes(which, k, selection.bounds, selection.static.view(np.uint8), buffer)
        found.append(buffer[:count].copy())
    return np.concatenate(found)


@kernel
def meeting_boxes(which, k, bounds, static, pairs):
    """Pairs of the objects which[k:] with those whose bounds (n,6) overlap theirs, unless both are static, (n,) uint8;
    returns (next k, number)."""
    n = bounds.shape[0]
    count = 0
    while k < which.shape[0] and count + n <= pairs.shape[0]:
        i = which[k]
        for j in range(n):
            apart = (i == j) | (static[i] & static[j] != 0)
            for x in range(3):
                apart |= (bounds[i, x] > bounds[j, 3 + x]) | (bounds[j, x] > bounds[i, 3 + x])
            pairs[count, 0] = min(i, j)
            pairs[count, 1] = max(i, j)
            pairs[count, 2] = NO_NODE
            pairs[count, 3] = NO_NODE
            count += 1 - apart
        k += 1
    return k, count
