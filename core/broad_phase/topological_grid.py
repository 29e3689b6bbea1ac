# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects from a topological spatial grid (TSGO 2017, §2.2 to §3.1).

Objects, or the parts of large ones, are registered in the cells that they overlap; objects that share no cell are not
looked at. What is static, and what is large and has not moved since the last call, is registered once and kept in
scene.cache together with the pairs among it; all else is registered at every call.

Nothing is lost by `cells="exact"`. Two objects that meet have a point in common, in a triangle of each. The boxes of
the parts that these triangles belong to hold it, so that both parts are registered in its cell and their projections
overlap. An object inside another one that is not in parts shares a cell and the projections with it in the same way.
The inside of an object in parts is not registered: pairs of it are listed wherever the world boxes overlap.
"""
from dataclasses import dataclass

import numpy as np

from ..radix_sort import order_of
from .cell_register import NOTHING, Register, pairs_sharing_cells
from .grid_cells import NEAR, Cube, GridBoxes, cells_of_boxes, cells_of_diagonals
from .grid_depth import choose_depth
from .sub_objects import parts_of, root_edges

EXACT, DIAGONALS = "exact", "diagonals"
AUTOMATIC = -1
LARGE = 4.0                 # cells long: objects that are not marked as static, but worth cutting up
ROOM = 0.5                  # of its edge: how far outside a kept cube objects may go before a new one is made
NO_NODE = -1
GROWTH = 1.0 + 2.0 ** -20   # more than all roundings of a reach


@dataclass(frozen=True, eq=False)
class Items:
    """Objects, or parts of them, in the grid."""

    owner: np.ndarray       # (k,) int64, position in the selection
    node: np.ndarray        # (k,) int32, node of its OBB tree
    low: np.ndarray         # (k,3) float64, projections of the node's box, in cell units
    high: np.ndarray
    register: Register
    in_parts: np.ndarray    # (s,) int64, owners that are in several parts


NO_ITEMS = Items(np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)), NOTHING,
                 np.zeros(0, np.int64))


class TopologicalGrid:
    """The grid of one call: its cube, and what does not move in its cells. The last one is kept in scene.cache."""

    still: Items                # what is static or rests
    inner: np.ndarray           # (k,2) int32, pairs of items in `still` that share a cell

    def __init__(self, placed, trees, selection, cells: str, depth: int, split: bool):
        """placed: PlacedMeshes; trees: ObbTrees of the same objects; depth: k, or AUTOMATIC; split: large objects are
        registered in parts."""
        self.placed, self.trees, self.selection = placed, trees, selection
        self._settings = cells, depth, split
        self._edges = root_edges(trees)
        kept = placed.scene.cache.get("topological grid")
        self._kept = kept if kept is not None and self._can_go_on_with(kept) else None
        self.cube = self._new_cube(depth) if self._kept is None else self._kept.cube

    def _can_go_on_with(self, kept: "TopologicalGrid") -> bool:
        """The cube of another call serves again. The published cells depend on the cube, so that it must be the very
        one of this scene; others need not change with each object that moves a little way out."""
        if (kept._settings != self._settings
                or not np.array_equal(kept.selection.objects, self.selection.objects)
                or not np.array_equal(kept.selection.static, self.selection.static)
                or not np.array_equal(kept.placed.mesh_index, self.placed.mesh_index)):
            return False
        cube = Cube.around(self.selection.bounds)
        if self._settings[0] == DIAGONALS:
            return np.array_equal(cube.origin, kept.cube.origin) and cube.edge == kept.cube.edge
        room = ROOM * kept.cube.edge
        inside = (cube.origin >= kept.cube.origin - room) & (
            self.selection.bounds[:, 3:].max(axis=0) <= kept.cube.origin + kept.cube.edge + room)
        return bool(inside.all()) and cube.edge >= ROOM * kept.cube.edge

    def _new_cube(self, depth: int) -> Cube:
        bounds = self.selection.bounds
        cube = Cube.around(bounds)
        if depth == AUTOMATIC:
            centres = 0.5 * bounds[:, :3] + 0.5 * bounds[:, 3:]
            depth = choose_depth(cube, centres, self._edges, self.placed.triangle_count, self.selection.static)
        return Cube(cube.origin, cube.edge, depth)

    def pairs(self, selection, run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(a, b, tasks): int32 positions of the objects of each pair, a < b, ordered; (k,3) int32 rows of a pair, a
        node of a and a node of b, ordered by pair: where to begin. A pair without any cannot touch.

        selection: the one that the grid was made of, perhaps with larger bounds (`Selection.grown`).
        """
        reach = GROWTH * float((self.selection.bounds[:, :3] - selection.bounds[:, :3]).max())
        rests = self._rests()
        self._register_still(rests, selection, reach, run)
        moving, still = self._items(np.flatnonzero(~rests), selection, reach), self.still
        owner = np.concatenate([moving.owner, still.owner])
        node = np.concatenate([moving.node, still.node])
        rank = owner.copy()
        rank[len(moving.owner):] = len(rests)       # a pair of two still items is in `inner`
        found = pairs_sharing_cells(moving.register, still.register, rank, np.concatenate([moving.low, still.low]),
                                    np.concatenate([moving.high, still.high]), run.tick)
        found = np.concatenate([found, self.inner + np.int32(len(moving.owner))])
        meeting = _meeting(selection, np.concatenate([moving.in_parts, still.in_parts]))
        self.placed.scene.cache["topological grid"], self._kept = self, None
        return _ordered(owner[found], node[found], meeting, selection)

    def _rests(self) -> np.ndarray:
        """(n,) bool: static, or large and where it was."""
        large = self._edges >= LARGE * self.cube.cell
        if self._kept is not None:
            large &= (self._kept.placed.poses == self.placed.poses).all(axis=(1, 2))
            large &= self._kept.placed.versions == self.placed.versions
        return self.selection.static | large

    def _register_still(self, rests: np.ndarray, selection, reach: float, run) -> None:
        """Register what rests, unless it is what was registered at the last call."""
        which = np.flatnonzero(rests)
        self._of_still = which, self.placed.poses[which], self.placed.versions[which], self.trees.root[which], reach
        kept = self._kept
        if (kept is not None and kept.trees.left is self.trees.left         # or nodes have other numbers
                and all(map(np.array_equal, kept._of_still, self._of_still))):
            self.still, self.inner = kept.still, kept.inner
            return
        self.still = still = self._items(which, selection, reach)
        rank = np.where(selection.static[still.owner], len(rests), still.owner)
        self.inner = pairs_sharing_cells(still.register, NOTHING, rank, still.low, still.high, run.tick)

    def _items(self, which: np.ndarray, selection, reach: float) -> Items:
        """The objects `which` in the cells of their boxes, made larger by `reach` on every side; those that are larger
        than a cell, or LARGE ones only if they may move, in parts."""
        if len(which) == 0:
            return NO_ITEMS
        least = np.where(selection.static[which], 1.0, LARGE)
        cut = (self._edges[which] >= least * self.cube.cell) & self._settings[2] & (self.cube.scale > 0.0)
        parts = [parts_of(self.trees, obj, self.cube.cell) for obj in which[cut].tolist()]
        counts = np.array([len(each) for each in parts], np.int64)
        owner = np.concatenate([which[~cut], np.repeat(which[cut], counts)])
        node = np.concatenate([self.trees.root[which[~cut]], *parts]).astype(np.int32)
        centre, axes, half = self.trees.node_boxes(owner, node)
        boxes = GridBoxes.of(self.cube, centre, axes, half, reach)
        register = self._in_cells(boxes, self.cube.holds(selection.bounds)[owner])
        return Items(owner, node, boxes.low, boxes.high, register, which[cut][counts > 1])

    def _in_cells(self, boxes: GridBoxes, inside: np.ndarray) -> Register:
        """inside: (k,) bool; boxes of objects that reach out of the cube count to all cells between their ends."""
        side = self.cube.side

        def overlapped(first, last, start, cells):
            return cells_of_boxes(boxes.centre, boxes.axes, boxes.half, first, last, inside.astype(np.uint8), side,
                                  np.empty((12, 5)), start, cells)

        def on_diagonals(first, last, start, cells):
            return cells_of_diagonals(boxes.centre, boxes.axes, boxes.half, first, last, side, np.empty(NEAR, np.int64),
                                      start, cells)

        fill = on_diagonals if self._settings[0] == DIAGONALS else overlapped
        first, last = self.cube.cells_between(boxes.low, boxes.high)
        return Register.of(first, last, side, fill)


def _meeting(selection, which: np.ndarray) -> np.ndarray:
    """(k,2) int64: pairs of an object in `which` with any other whose world box overlaps its own."""
    low, high = selection.bounds[:, :3], selection.bounds[:, 3:]
    found = [np.zeros((0, 2), np.int64)]
    for obj in which.tolist():
        others = np.flatnonzero(((low <= high[obj]) & (low[obj] <= high)).all(axis=1) & (np.arange(len(low)) != obj))
        found.append(np.stack([np.full_like(others, obj), others], axis=1))
    return np.concatenate(found)


def _ordered(owners: np.ndarray, nodes: np.ndarray, meeting: np.ndarray, selection):
    """What `pairs` returns, of pairs of items, owners and nodes (k,2), and pairs of objects without any (l,2)."""
    owners = np.concatenate([owners, meeting])
    nodes = np.concatenate([nodes, np.full(meeting.shape, NO_NODE, np.int32)])
    swap = owners[:, 0] > owners[:, 1]
    owners[swap], nodes[swap] = owners[swap, ::-1], nodes[swap, ::-1]
    bits = len(selection.objects).bit_length()
    keys = np.empty((2, len(owners)), np.int64)
    keys[0] = code = owners[:, 0] << bits | owners[:, 1]
    order = order_of(keys, 2 * bits)
    code = code[order]
    new = np.ones(len(code), bool)
    new[1:] = code[1:] != code[:-1]
    a, b = (code[new] >> bits).astype(np.int32), (code[new] & (1 << bits) - 1).astype(np.int32)
    allowed = selection.allows(a, b)
    row = (np.cumsum(allowed) - 1)[np.cumsum(new) - 1]
    tasks = np.column_stack([row, nodes[order]]).astype(np.int32)
    return a[allowed], b[allowed], tasks[allowed[np.cumsum(new) - 1] & (tasks[:, 1] != NO_NODE)]
