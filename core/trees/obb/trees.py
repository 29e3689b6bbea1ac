# SPDX-License-Identifier: GPL-3.0-or-later
"""`ObbTrees`: the oriented box trees of all tested objects, and where their boxes are in the world.

One tree per mesh and stretch (pose.py), shared by all objects that differ by a turn, a mirror, a scale and a place
only. A tree's own coordinates are stretch · (vertex - middle of the mesh's box) · a power of two, at most 1 from the
origin. Trees are kept in scene.cache: poses change nothing in them, new vertices refit the boxes, or where these have
lost the tree's order (wear.py), a new tree is built.

A box in the world holds the float64 world vertices of its triangles (place.move_vertices) in every case. With
u = 2^-53, V the largest coordinates of the mesh's vertices, r its half sizes, R = 2^k size the radius that a tree's
unit has in the world, the margin that is added to half sizes covers, as lengths of vectors:
  4 u (|M| V + |t|)       rounding of a world vertex: a product and three sums
  5 u (|M| V + |t|)       the same of the place of the tree's origin, and of a box's centre that starts from there
  |M - factors| r         what the factors miss, computed (pose.missed), with its rounding below 32 u R
  8 u R                   rounding of a tree's coordinates: a difference and a product with the stretch
  12 u R                  turned axes and centre
16 u (…) and 128 u R are taken for them. Turns need not be orthonormal for this: the box that a turn gives is a little
askew then, which is the affair of who tests it (mid_phase/obb_overlap.py).
"""
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from ...arrays import starts_of
from ...errors import Unsupported
from ...memory import room_for
from ...parallel import run_chunks
from ...run import Run
from ..refit_quality import Wear, disorder
from .build import plant, scratch
from .fit import AXES, BOX, HALF
from .pose import ALIKE, factors, missed

BUDGET = 1 << 30                # bytes of trees; beyond it objects use the tree of another stretch, in wider boxes
NODE_BYTES = 12 + 8 * BOX
TRIANGLE_BYTES = 2 * NODE_BYTES + 4     # two nodes and a slot
MOST_NODES = 2 ** 31 - 1        # their numbers are int32
WORLD_NOISE, TREE_NOISE = 2.0 ** -49, 2.0 ** -46
SIZE, MARGIN = 12, 13           # in a row of `ObbTrees.poses`, after the turn (9) and the place (3)
LEAST = 1e-300                  # margin where all else vanishes below what floats hold


class ObbTrees:
    """Per tested object (length n, in the order of the selection) its root and its place, and the nodes of all trees.

    A world coordinate times 2^shift is a coordinate of the common frame, in which no number is larger than 1: the
    point x of an object's tree is at place + turn (size x), half sizes become size · half + margin.
    """

    placed: Any                 # trees.placed.PlacedMeshes of the objects
    root: np.ndarray            # (n,) int64: node
    turn: np.ndarray            # (n,3,3) float64
    place: np.ndarray           # (n,3) float64
    size: np.ndarray            # (n,) float64
    margin: np.ndarray          # (n,) float64
    poses: np.ndarray           # (n,14) float64: these four, for kernels
    code: np.ndarray            # (nodes,) int32: the left child, the right one being next; ~(number of the triangle)
    boxes: np.ndarray           # (nodes,BOX) float64: see obb_fit, the longest side first, in the tree's coordinates
    first: np.ndarray           # (nodes,) int32: the triangles in a node are slots[first : first + count]
    count: np.ndarray
    slots: np.ndarray           # (…,) int32: number of the triangle in its mesh
    shift: int

    @classmethod
    def of(cls, placed, run: Run) -> "ObbTrees":
        """The trees of the tested objects. placed: trees.placed.PlacedMeshes; run: run.Run, which may be
        cancelled here."""
        kept = placed.scene.cache.pop("obb trees", None)
        trees = cls(placed, run, kept)
        placed.scene.cache["obb trees"] = trees
        return trees

    def __init__(self, placed, run: Run, kept: "ObbTrees | None"):
        self.placed = placed
        scene = placed.scene
        linear = np.ascontiguousarray(placed.poses[:, :, :3])
        exponent, size, turn, stretch = factors(linear)
        wanted, tree, spared = _share(scene, placed.mesh_index, stretch)
        if spared:
            run.note("The poses stretch their meshes in more ways than there is memory for trees: some objects are "
                     "searched in wider boxes, which takes longer.")
        self._trees = _adopt(scene, wanted, kept, run)
        self.code, self.boxes, self.first, self.count, self.slots = self._trees.arrays.values()
        self.root = self._trees.node_start[tree]
        self._place(placed, linear, exponent, size, turn, tree)

    def _place(self, placed, linear, exponent, size, turn, tree) -> None:
        """Where the trees are in the common frame."""
        trees = self._trees
        middle, reach, far = (array[tree] for array in (trees.middle, trees.reach, trees.far))
        offset = placed.poses[:, :, 3]
        place = (linear @ middle[:, :, None])[:, :, 0] + offset
        terms = (np.abs(linear) @ far[:, :, None])[:, :, 0] + np.abs(offset)
        self.shift = -int(np.clip(np.frexp(terms.max(initial=0.0))[1] + 2, -1000, 1100))
        radius = trees.exponent[tree] + exponent + self.shift
        in_tree = np.ldexp(reach, -trees.exponent[tree][:, None])
        rest = np.ldexp(missed(linear, exponent, size, turn, trees.stretch[tree], in_tree), radius)
        size = np.ldexp(size, radius)
        margin = (WORLD_NOISE * np.linalg.norm(np.ldexp(terms, self.shift), axis=1) + TREE_NOISE * size
                  + (1.0 + 2.0 ** -20) * rest + (np.ldexp(1.0, -1066 + self.shift) + LEAST))
        self.turn, self.place, self.size, self.margin = turn, np.ldexp(place, self.shift), size, margin
        self.poses = np.concatenate([turn.reshape(-1, 9), self.place, size[:, None], margin[:, None]], axis=1)

    @property
    def left(self) -> np.ndarray:
        """(nodes,) int32: the one child, -1 in a leaf; the same array as long as the nodes are the same."""
        return self._trees.children[0]

    @property
    def right(self) -> np.ndarray:
        """(nodes,) int32: the other child, -1 in a leaf."""
        return self._trees.children[1]

    @property
    def centre(self) -> np.ndarray:
        """(nodes,3) float64, a view, as the next two: where boxes are in the tree's coordinates."""
        return self.boxes[:, :AXES]

    @property
    def axes(self) -> np.ndarray:
        """(nodes,3,3) float64: their axes, as rows."""
        return self.boxes[:, AXES:HALF].reshape(-1, 3, 3)

    @property
    def half(self) -> np.ndarray:
        """(nodes,3) float64: half their sizes along these."""
        return self.boxes[:, HALF:]

    def node_boxes(self, obj, nodes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """World boxes of some nodes of an object, or of one node each of several objects, that hold the triangles.

        obj: a position in the selection, or (k,) of them; nodes: (k,) → centre (k,3), axes (k,3,3) as rows, half (k,3).
        """
        pose = self.poses[obj]
        back = np.swapaxes(pose[..., :9].reshape(*pose.shape[:-1], 3, 3), -1, -2)
        place, size, margin = pose[..., 9:12], pose[..., 12:13], pose[..., 13:]
        boxes = self.boxes[nodes]
        centre = place + size * (boxes[:, None, :AXES] @ back)[:, 0]
        with np.errstate(over="ignore"):
            half = np.ldexp(size * boxes[:, HALF:] + margin, -self.shift)
        return (np.ldexp(centre, -self.shift), boxes[:, AXES:HALF].reshape(-1, 3, 3) @ back,
                np.minimum(half, np.finfo(float).max))

    def reaching(self, length: float) -> "ObbTrees":
        """The same trees with boxes that are this world length larger on every side: what is no farther from an object
        lies in its box. Room for rounding is the caller's."""
        other = copy(self)
        other.margin = self.margin + np.ldexp(length, self.shift)
        other.poses = np.concatenate([self.poses[:, :MARGIN], other.margin[:, None]], axis=1)
        return other

    def world_boxes(self, which) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """World boxes of the objects `which` (k,): `node_boxes` of their roots."""
        return self.node_boxes(np.asarray(which), self.root[which])


class _Trees:
    """The trees themselves, one per mesh and stretch, in flat arrays."""

    def __init__(self, mesh: np.ndarray, stretch: np.ndarray, triangles: np.ndarray):
        """mesh: (t,) int64; stretch: (t,3,3); triangles: (t,) how many there are."""
        n = len(mesh)
        self.mesh, self.stretch = mesh, stretch
        self.version = np.full(n, -1, np.int64)                 # of the mesh that the boxes fit
        self.wear: list[Wear | None] = [None] * n
        self.node_start = starts_of(2 * triangles - 1)[:-1]
        self.slot_start = starts_of(triangles)[:-1]
        self.middle = np.zeros((n, 3))                          # of the box around the mesh's triangles
        self.reach = np.zeros((n, 3))                           # half its size
        self.far = np.zeros((n, 3))                             # largest coordinates without their sign
        self.exponent = np.zeros(n, np.int32)                   # 2^exponent is the tree's unit
        nodes, slots = int((2 * triangles - 1).sum()), int(triangles.sum())
        if nodes > MOST_NODES:
            raise Unsupported(f"These objects have {slots:,} triangles; trees of oriented boxes hold "
                              f"{MOST_NODES // 2:,}. Use the method Touchpoint, or test fewer objects.")
        with room_for(nodes * NODE_BYTES + 4 * slots, "the trees"):
            self.arrays: dict[str, np.ndarray] = {
                "code": np.empty(nodes, np.int32), "boxes": np.empty((nodes, BOX)), "first": np.empty(nodes, np.int32),
                "count": np.empty(nodes, np.int32), "slots": np.empty(slots, np.int32),
            }

    @cached_property
    def children(self) -> tuple[np.ndarray, np.ndarray]:
        """(nodes,) int32 each: left and right, -1 in leaves."""
        left = np.maximum(self.arrays["code"], np.int32(-1))
        return left, left + (left >= 0)

    def renumbered(self) -> "_Trees":
        """The same, where nodes have changed: `children` of before belong to others who still look at them."""
        other = copy(self)
        other.__dict__.pop("children", None)
        return other

    def take_over(self, number: int, old: "_Trees", other: int) -> None:
        """Tree `number` is tree `other` of the old ones."""
        count = self.arrays["count"]
        n = old.arrays["count"][old.node_start[other]]
        here, there = self.node_start[number], old.node_start[other]
        for name, values in self.arrays.items():
            start, source, length = ((self.slot_start[number], old.slot_start[other], n) if name == "slots"
                                     else (here, there, 2 * n - 1))
            values[start:start + length] = old.arrays[name][source:source + length]
        inner = slice(here, here + 2 * n - 1)
        self.arrays["code"][inner][count[inner] > 1] += here - there
        self.arrays["first"][inner] += self.slot_start[number] - old.slot_start[other]
        for name in ("version", "wear", "middle", "reach", "far", "exponent"):
            getattr(self, name)[number] = getattr(old, name)[other]

    def fit(self, number: int, mesh, version: int) -> bool:
        """Build tree `number`, or fit the boxes of one that is there to new vertices, unless they have lost its order:
        then it is built anew. version: of the mesh. Returns whether it was built."""
        code, boxes, first, count, slots = self.arrays.values()
        here = slice(self.slot_start[number], self.slot_start[number] + len(mesh.triangles))
        nodes = slice(self.node_start[number], self.node_start[number] + 2 * len(mesh.triangles) - 1)
        wear, new = self.wear[number], True
        if wear is not None:
            corners = self._in_tree(number, mesh.vertices[mesh.triangles[slots[here]]])
            new = wear.is_too_much(disorder(corners))
        if new:
            corners = self._in_tree(number, mesh.vertices[mesh.triangles])
        plant(corners, new, self.node_start[number], self.slot_start[number], slots, code, first, count, boxes,
              np.empty(len(corners)), *scratch())
        code[nodes] = np.where(count[nodes] == 1, ~slots[first[nodes]], code[nodes])
        if wear is None:
            self.wear[number] = Wear(disorder(corners))
        elif new:
            wear.renewed(disorder(corners))
        self.version[number] = version
        return new

    def _in_tree(self, number: int, corners: np.ndarray) -> np.ndarray:
        """Choose the coordinates of tree `number` for these corners (n,3,3) of its mesh, and give them in these; the
        array is overwritten."""
        columns = [corners[:, :, x] for x in range(3)]
        low, high = (np.array([getattr(column, side)() for column in columns]) for side in ("min", "max"))
        self.middle[number] = 0.5 * low + 0.5 * high
        self.reach[number] = 0.5 * high - 0.5 * low
        self.far[number] = np.maximum(np.abs(low), np.abs(high))
        # Half the diagonal is below twice the largest side; beyond 2^-1000 a mesh is small in its unit.
        self.exponent[number] = max(-1000, np.frexp(self.reach[number].max())[1] + 1)
        corners -= self.middle[number]
        if (self.stretch[number] != np.eye(3)).any():
            corners = corners @ self.stretch[number]
        return np.ascontiguousarray(np.ldexp(corners, -self.exponent[number]))


def _adopt(scene, wanted: list[tuple[int, np.ndarray]], kept: ObbTrees | None, run: Run) -> _Trees:
    """The wanted trees: those that are kept, and the others built, on several threads."""
    mesh = np.array([index for index, _ in wanted], np.int64)
    stretch = np.array([matrix for _, matrix in wanted]).reshape(-1, 3, 3)
    old = None if kept is None else kept._trees
    if old is not None and np.array_equal(old.mesh, mesh) and np.array_equal(old.stretch, stretch):
        trees = old
    else:
        trees = _Trees(mesh, stretch, np.array([len(scene.meshes[index].triangles) for index in mesh], np.int64))
        names = {} if old is None else {_name(*key): i for i, key in enumerate(zip(old.mesh, old.stretch))}
        for number, key in enumerate(wanted):
            if old is not None and _name(*key) in names:
                trees.take_over(number, old, names[_name(*key)])
    late = [k for k in range(len(mesh)) if trees.version[k] != scene.versions[mesh[k]]]
    built = np.zeros(len(late), bool)

    def fit(number):
        index = mesh[late[number]]
        built[number] = trees.fit(late[number], scene.meshes[index], scene.versions[index])

    run_chunks(fit, len(late), run.threads, lambda done: run.tick(done / max(1, len(late))))
    return trees.renumbered() if trees is old and built.any() else trees


def _name(mesh, stretch: np.ndarray) -> tuple:
    return int(mesh), stretch.tobytes()


def _share(scene, mesh: np.ndarray, stretch: np.ndarray) -> tuple[list[tuple[int, np.ndarray]], np.ndarray, bool]:
    """Which trees (mesh, stretch) the objects need, (n,) int64 which of them each uses, and whether some must do with
    the tree of another stretch. mesh: (n,) int64; stretch: (n,3,3), entries in multiples of ALIKE.

    Every mesh has one tree, whatever memory there is.
    """
    keys = np.concatenate([mesh[:, None], np.rint(stretch.reshape(-1, 9) / ALIKE).astype(np.int64)], axis=1)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    needs = TRIANGLE_BYTES * np.array([len(scene.meshes[index].triangles) for index in mesh[first]], np.int64)
    further = np.append(False, mesh[first][1:] == mesh[first][:-1])         # trees of a mesh that has one already
    kept = ~further | (needs[~further].sum() + np.cumsum(np.where(further, needs, 0)) <= BUDGET)
    number = np.cumsum(kept) - 1
    for k in np.flatnonzero(~kept):
        others = np.flatnonzero(kept & (mesh[first] == mesh[first[k]]))
        nearest = np.abs(stretch[first[others]] - stretch[first[k]]).max(axis=(1, 2)).argmin()
        number[k] = number[others[nearest]]
    wanted = [(int(mesh[i]), stretch[i]) for i in first[kept]]
    return wanted, number[inverse.reshape(-1)], not kept.all()
