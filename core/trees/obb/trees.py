# SPDX-License-Identifier: GPL-3.0-or-later
"""`ObbTrees`: the trees of oriented boxes of all tested objects, and where their boxes are in the world.

There is one tree per mesh and stretch (pose.py). Objects share it that differ only by rotation, mirroring, scale and
position. A tree's own coordinates are stretch · (vertex - middle of the mesh's box) · a power of two, at most 1 from
the origin. Trees are kept in scene.cache. Poses change nothing in them; new vertices refit the boxes, or, where the
tree's order is lost (refit_quality.py), lead to a new tree.

A box in the world always holds the float64 world vertices (bvh/refit.py) of its triangles. With u = 2^-53, V the
largest coordinates of the mesh's vertices, r its half sizes, R = 2^k size the length that a tree's unit has in the
world, the margin that is added to half sizes covers, as lengths of vectors:
  4 u (|M| V + |t|)       rounding of a world vertex: a product and three sums
  5 u (|M| V + |t|)       the same for the position of the tree's origin, and for a box's centre, which starts there
  |M - factors| r         what the factors miss, computed (pose.factor_error), with its rounding below 32 u R
  8 u R                   rounding of a tree's coordinates: a difference and a product with the stretch
  12 u R                  rotated axes and centre
16 u (…) and 128 u R are taken for them. Rotations need not be orthonormal for this. One that is not makes a box a
little askew, for which the test of two boxes allows (mid_phase/obb_overlap.py).
"""
from collections.abc import Callable
from copy import copy
from functools import cached_property

import numpy as np

from ...alike import kinds_of
from ...arrays import pieces, starts_of
from ...errors import Unsupported
from ...memory import reserve
from ...parallel import run_in_pieces
from ...records import ObbNodes, PlacedObbTrees
from ...run import Run
from ..bvh.placed import PlacedMeshes
from ..refit_quality import RefitQuality, corners_of, triangle_path_length
from .build import build
from .nodes import AXES_AT, BOX_NUMBERS, HALF_AT
from .pose import STRETCH_STEP, factor_error, factors

MAX_TREE_BYTES = 1 << 30        # beyond it objects use the tree of another stretch, in wider boxes
BYTES_PER_OBB_NODE = 12 + 8 * BOX_NUMBERS
BYTES_PER_TRIANGLE = 2 * BYTES_PER_OBB_NODE + 4     # two nodes and a slot
POSES_AT_ONCE = 1 << 16         # that take some hundredths of a second
STEP_BITS = 19                  # that hold an entry of a stretch in STRETCH_STEPs, and its sign
MAX_NODES = 2 ** 31 - 1         # their numbers are int32
WORLD_NOISE, TREE_NOISE = 2.0 ** -49, 2.0 ** -46
POSE_ROTATION, POSE_POSITION, POSE_SIZE, POSE_MARGIN = 0, 9, 12, 13  # where these begin in a row of `ObbTrees.poses`
MIN_MARGIN = 1e-300             # where all else vanishes below what floats hold
REACH_GROWTH = 1.0 + 2.0 ** -20     # more than all roundings of a length that boxes are made larger by


class ObbTrees:
    """Per tested object (length n, in the order of the selection) its root and its pose, and the nodes of all trees.

    A world coordinate times 2^shift is a *common coordinate*, none of which is larger than 1. There, the point x of an
    object's tree is at position + rotation (size x), and half sizes are size · half + margin.
    """

    placed: PlacedMeshes
    root: np.ndarray            # (n,) int64, node
    rotation: np.ndarray        # (n,3,3) float64
    position: np.ndarray        # (n,3) float64
    size: np.ndarray            # (n,) float64
    margin: np.ndarray          # (n,) float64
    poses: np.ndarray           # (n,14) float64, these four, for kernels
    code: np.ndarray            # the arrays of ObbNodes; boxes are in the tree's coordinates, their longest axis first
    boxes: np.ndarray
    first: np.ndarray           # first_slot
    count: np.ndarray           # slot_count
    slots: np.ndarray
    shift: int

    @classmethod
    def of(cls, placed: PlacedMeshes, run: Run) -> "ObbTrees":
        """The trees of the tested objects. Raises Cancelled, and Unsupported where memory is too small."""
        kept = placed.scene.cache.pop("obb trees", None)
        trees = cls(placed, run, kept)
        placed.scene.cache["obb trees"] = trees
        return trees

    def __init__(self, placed: PlacedMeshes, run: Run, kept: "ObbTrees | None"):
        self.placed = placed
        scene = placed.scene
        linear = np.ascontiguousarray(placed.poses[:, :, :3])
        exponent, size, rotation, stretch = _factors(linear, run)
        wanted, tree, spared = _share(scene, placed.mesh_index, stretch, run)
        if spared:
            run.note("The poses stretch their meshes in more ways than there is memory for trees: some objects are "
                     "searched in wider boxes, which takes longer.")
        self._trees = _adopt(scene, wanted, kept, run)
        self.code, self.boxes, self.first, self.count, self.slots = self._trees.nodes
        self.root = self._trees.node_start[tree]
        self._place(placed, linear, exponent, size, rotation, tree, run)

    def _place(self, placed: PlacedMeshes, linear, exponent, size, rotation, tree, run: Run) -> None:
        """Find the poses of the trees in common coordinates."""
        trees = self._trees
        middle, reach, far = (array[tree] for array in (trees.middle, trees.reach, trees.far))
        offset = placed.poses[:, :, 3]
        run.tick()
        position = (linear @ middle[:, :, None])[:, :, 0] + offset
        run.tick()
        terms = (np.abs(linear) @ far[:, :, None])[:, :, 0] + np.abs(offset)
        run.tick()
        self.shift = -int(np.clip(np.frexp(terms.max(initial=0.0))[1] + 2, -1000, 1100))
        radius = trees.exponent[tree] + exponent + self.shift
        in_tree = np.ldexp(reach, -trees.exponent[tree][:, None])
        rest = np.empty(len(linear))
        for begin in range(0, len(linear), POSES_AT_ONCE):
            run.tick()
            some = slice(begin, begin + POSES_AT_ONCE)
            rest[some] = factor_error(linear[some], exponent[some], size[some], rotation[some],
                                      trees.stretch[tree[some]], in_tree[some])
        rest = np.ldexp(rest, radius)
        run.tick()
        size = np.ldexp(size, radius)
        margin = (WORLD_NOISE * np.linalg.norm(np.ldexp(terms, self.shift), axis=1) + TREE_NOISE * size
                  + (1.0 + 2.0 ** -20) * rest + (np.ldexp(1.0, -1066 + self.shift) + MIN_MARGIN))
        self.rotation, self.position, self.size, self.margin = rotation, np.ldexp(position, self.shift), size, margin
        self.poses = np.concatenate([rotation.reshape(-1, 9), self.position, size[:, None], margin[:, None]], axis=1)

    @property
    def placed_trees(self) -> PlacedObbTrees:
        """The trees and poses, for kernels."""
        return PlacedObbTrees(self.poses, self.code, self.boxes)

    @property
    def left(self) -> np.ndarray:
        """(nodes,) int32: the left child, -1 in a leaf; the same array as long as the nodes are the same."""
        return self._trees.children[0]

    @property
    def right(self) -> np.ndarray:
        """(nodes,) int32: the right child, -1 in a leaf."""
        return self._trees.children[1]

    @property
    def centre(self) -> np.ndarray:
        """(nodes,3) float64: the boxes' centres in the tree's coordinates; a view, as the next two."""
        return self.boxes[:, :AXES_AT]

    @property
    def axes(self) -> np.ndarray:
        """(nodes,3,3) float64: the boxes' axes, as rows."""
        return self.boxes[:, AXES_AT:HALF_AT].reshape(-1, 3, 3)

    @property
    def half(self) -> np.ndarray:
        """(nodes,3) float64: the boxes' half sizes along their axes."""
        return self.boxes[:, HALF_AT:]

    def node_boxes(self, obj, nodes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(centre (k,3), axes (k,3,3) as rows, half (k,3)): world boxes of nodes, which hold their triangles.

        obj: the object, an index into the selection, or (k,) of them, one for each node; nodes: (k,).
        """
        pose = self.poses[obj]
        back = np.swapaxes(pose[..., POSE_ROTATION:POSE_POSITION].reshape(*pose.shape[:-1], 3, 3), -1, -2)
        position, size = pose[..., POSE_POSITION:POSE_SIZE], pose[..., POSE_SIZE:POSE_MARGIN]
        margin = pose[..., POSE_MARGIN:]
        boxes = self.boxes[nodes]
        centre = position + size * (boxes[:, None, :AXES_AT] @ back)[:, 0]
        with np.errstate(over="ignore"):
            half = np.ldexp(size * boxes[:, HALF_AT:] + margin, -self.shift)
        return (np.ldexp(centre, -self.shift), boxes[:, AXES_AT:HALF_AT].reshape(-1, 3, 3) @ back,
                np.minimum(half, np.finfo(float).max))

    def reaching(self, length: float) -> "ObbTrees":
        """The same trees with boxes that are larger by this world length on every side: a point that is no farther from
        an object lies in its box, but for rounding, for which the caller adds to the length."""
        other = copy(self)
        other.margin = self.margin + np.ldexp(length, self.shift)
        other.poses = np.concatenate([self.poses[:, :POSE_MARGIN], other.margin[:, None]], axis=1)
        return other

    def world_boxes(self, which) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """World boxes of the objects `which` (k,): `node_boxes` of their roots."""
        return self.node_boxes(np.asarray(which), self.root[which])


class _Trees:
    """The trees themselves, one per mesh and stretch, in flat arrays."""

    def __init__(self, mesh: np.ndarray, stretch: np.ndarray, triangles: np.ndarray):
        """Make memory for trees. mesh: (t,) int64; stretch: (t,3,3) float64; triangles: (t,) int64, their numbers."""
        n = len(mesh)
        self.mesh, self.stretch = mesh, stretch
        self.version = np.full(n, -1, np.int64)                 # of the mesh that the boxes fit
        self.quality: list[RefitQuality | None] = [None] * n
        self.node_start = starts_of(2 * triangles - 1)[:-1]
        self.slot_start = starts_of(triangles)[:-1]
        self.middle = np.zeros((n, 3))                          # of the box around the mesh's triangles
        self.reach = np.zeros((n, 3))                           # half its size
        self.far = np.zeros((n, 3))                             # largest coordinates without their sign
        self.exponent = np.zeros(n, np.int32)                   # 2^exponent is the tree's unit
        nodes, slots = int((2 * triangles - 1).sum()), int(triangles.sum())
        if nodes > MAX_NODES:
            raise Unsupported(f"These objects have {slots:,} triangles; trees of oriented boxes hold "
                              f"{MAX_NODES // 2:,}. Use the method Touchpoint, or test fewer objects.")
        with reserve(nodes * BYTES_PER_OBB_NODE + 4 * slots, "the trees"):
            self.nodes = ObbNodes(np.empty(nodes, np.int32), np.empty((nodes, BOX_NUMBERS)),
                                  np.empty(nodes, np.int32), np.empty(nodes, np.int32), np.empty(slots, np.int32))

    @cached_property
    def children(self) -> tuple[np.ndarray, np.ndarray]:
        """(nodes,) int32 each: left and right, -1 in leaves."""
        left = np.maximum(self.nodes.code, np.int32(-1))
        return left, left + (left >= 0)

    def renumbered(self) -> "_Trees":
        """A copy that shares all but `children`: those of before belong to whoever still looks at the old nodes."""
        other = copy(self)
        other.__dict__.pop("children", None)
        return other

    def take_over(self, number: int, old: "_Trees", other: int) -> None:
        """Copy tree `other` of the old trees to tree `number`."""
        nodes, count = self.nodes, self.nodes.slot_count
        n = old.nodes.slot_count[old.node_start[other]]
        here, there = self.node_start[number], old.node_start[other]
        for name in ObbNodes._fields:
            start, source, length = ((self.slot_start[number], old.slot_start[other], n) if name == "slots"
                                     else (here, there, 2 * n - 1))
            getattr(nodes, name)[start:start + length] = getattr(old.nodes, name)[source:source + length]
        own = slice(here, here + 2 * n - 1)
        nodes.code[own][count[own] > 1] += here - there
        nodes.first_slot[own] += self.slot_start[number] - old.slot_start[other]
        for name in ("version", "quality", "middle", "reach", "far", "exponent"):
            getattr(self, name)[number] = getattr(old, name)[other]

    def fit(self, number: int, mesh, version: int, pause: Callable[[], object]) -> bool:
        """Build tree `number`, or fit the boxes of a tree that is there to new vertices; returns whether it was built.

        A tree whose order the vertices have lost is built anew. version: of the mesh. pause(): called a few times a
        second; where it raises, the tree is to be built anew.
        """
        code, _, first, count, slots = self.nodes
        here = slice(self.slot_start[number], self.slot_start[number] + len(mesh.triangles))
        own = slice(self.node_start[number], self.node_start[number] + 2 * len(mesh.triangles) - 1)
        quality, new = self.quality[number], True
        self.version[number], self.quality[number] = -1, None       # until the tree is whole
        if quality is not None:
            corners = self._in_tree(number, corners_of(mesh.vertices, mesh.triangles[slots[here]], pause), pause)
            new = quality.needs_rebuild(triangle_path_length(corners, None, pause))
        if new:
            corners = self._in_tree(number, corners_of(mesh.vertices, mesh.triangles, pause), pause)
        pause()
        build(corners, new, self.node_start[number], self.slot_start[number], self.nodes, pause)
        code[own] = np.where(count[own] == 1, ~slots[first[own]], code[own])
        pause()
        if quality is None:
            quality = RefitQuality(triangle_path_length(corners, None, pause))
        elif new:
            quality.rebuilt(triangle_path_length(corners, None, pause))
        self.version[number], self.quality[number] = version, quality
        return new

    def _in_tree(self, number: int, corners: np.ndarray, pause: Callable[[], object]) -> np.ndarray:
        """Choose the coordinates of tree `number`; returns these corners (n,3,3) of its mesh in them. The array is
        overwritten. pause(): as for `fit`."""
        ends = np.array([(corners[some].min(axis=(0, 1)), corners[some].max(axis=(0, 1)))
                         for some in pieces(len(corners), pause)])
        low, high = ends[:, 0].min(axis=0), ends[:, 1].max(axis=0)
        self.middle[number] = 0.5 * low + 0.5 * high
        self.reach[number] = 0.5 * high - 0.5 * low
        self.far[number] = np.maximum(np.abs(low), np.abs(high))
        # Half the diagonal is below twice the largest side; beyond 2^-1000 a mesh is small in its unit.
        self.exponent[number] = max(-1000, np.frexp(self.reach[number].max())[1] + 1)
        is_stretched = (self.stretch[number] != np.eye(3)).any()
        for some in pieces(len(corners), pause):
            part = corners[some] - self.middle[number]
            if is_stretched:
                part = part @ self.stretch[number]
            np.ldexp(part, -self.exponent[number], out=corners[some])
        return corners


def _adopt(scene, wanted: list[tuple[int, np.ndarray]], kept: ObbTrees | None, run: Run) -> _Trees:
    """The wanted trees, (mesh, stretch) each. Those that are not kept are built, on several threads."""
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

    def fit(number, pause):
        index = mesh[late[number]]
        built[number] = trees.fit(late[number], scene.meshes[index], scene.versions[index], pause)

    run_in_pieces(fit, [len(scene.meshes[index].triangles) for index in mesh[late].tolist()], run.threads, run.tick)
    return trees.renumbered() if trees is old and built.any() else trees


def _factors(linear: np.ndarray, run: Run) -> list[np.ndarray]:
    """`pose.factors` of all poses. linear: (n,3,3) float64. Raises Cancelled."""
    parts = []
    for begin in range(0, max(1, len(linear)), POSES_AT_ONCE):
        run.tick()
        parts.append(factors(linear[begin:begin + POSES_AT_ONCE]))
    return [np.concatenate(column) for column in zip(*parts)]


def _name(mesh, stretch: np.ndarray) -> tuple:
    """A key for the tree of a mesh and a stretch."""
    return int(mesh), stretch.tobytes()


def _share(scene, mesh: np.ndarray, stretch: np.ndarray,
           run: Run) -> tuple[list[tuple[int, np.ndarray]], np.ndarray, bool]:
    """(trees, tree, spared): the trees (mesh, stretch) that the objects need; (n,) int64, which of them each object
    uses; whether some objects must do with the tree of another stretch, to save memory.

    mesh: (n,) int64; stretch: (n,3,3) float64, multiples of STRETCH_STEP. Every mesh has one tree, however little
    memory there is. Raises Cancelled.
    """
    first, tree = kinds_of([mesh.astype(np.int64), *_stretch_keys(stretch)], run.tick)
    needs = BYTES_PER_TRIANGLE * np.array([len(scene.meshes[index].triangles) for index in mesh[first]], np.int64)
    further = np.append(False, mesh[first][1:] == mesh[first][:-1])         # trees of a mesh that has one already
    kept = ~further | (needs[~further].sum() + np.cumsum(np.where(further, needs, 0)) <= MAX_TREE_BYTES)
    number = np.cumsum(kept) - 1
    for k in np.flatnonzero(~kept):
        others = np.flatnonzero(kept & (mesh[first] == mesh[first[k]]))
        nearest = np.abs(stretch[first[others]] - stretch[first[k]]).max(axis=(1, 2)).argmin()
        number[k] = number[others[nearest]]
    wanted = [(int(mesh[i]), stretch[i]) for i in first[kept]]
    return wanted, number[tree], not kept.all()


def _stretch_keys(stretch: np.ndarray) -> list[np.ndarray]:
    """Three columns (n,) int64 that are the same where stretches are, a row of these in each. stretch: as above."""
    steps = np.rint(stretch / STRETCH_STEP).astype(np.int64) + (1 << STEP_BITS - 1)
    return [(x << 2 * STEP_BITS) | (y << STEP_BITS) | z for x, y, z in steps.transpose(1, 2, 0)]
