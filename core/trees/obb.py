# SPDX-License-Identifier: GPL-3.0-or-later
"""`ObbTrees`: the oriented box trees of all tested objects, and where their boxes are in the world.

One tree per mesh and stretch (obb_pose.py), shared by all objects that differ by a turn, a mirror, a scale and a place
only. A tree's own coordinates are stretch · (vertex - middle of the mesh's box) · a power of two, at most 1 from the
origin. Trees are kept in scene.cache: poses change nothing in them, new vertices refit the boxes.

A box in the world holds the float64 world vertices of its triangles (place.move_vertices) in every case. With
u = 2^-53, V the largest coordinates of the mesh's vertices, r its half sizes, R = 2^k size the radius that a tree's
unit has in the world, the margin that is added to half sizes covers, as lengths of vectors:
  4 u (|M| V + |t|)       rounding of a world vertex: a product and three sums
  5 u (|M| V + |t|)       the same of the place of the tree's origin, and of a box's centre that starts from there
  |M - factors| r         what the factors miss, computed (obb_pose.missed), with its rounding below 32 u R
  8 u R                   rounding of a tree's coordinates: a difference and a product with the stretch
  12 u R                  turned axes and centre
16 u (…) and 128 u R are taken for them. Turns need not be orthonormal for this: the box that a turn gives is a little
askew then, which is the affair of who tests it (mid_phase/obb_overlap.py).
"""
import numpy as np

from ..parallel import run_chunks
from . import obb_pose
from .obb_build import plant, scratch

BUDGET = 1 << 30                # bytes of trees; beyond it objects use the tree of another stretch, in wider boxes
TRIANGLE_BYTES = 276            # two nodes and a slot
WORLD_NOISE, TREE_NOISE = 2.0 ** -49, 2.0 ** -46
LEAST = 1e-300                  # margin where all else vanishes below what floats hold


class ObbTrees:
    """Per tested object (length n, in the order of the selection) its root and its place, and the nodes of all trees.

    A world coordinate times 2^shift is a coordinate of the common frame, in which no number is larger than 1: the
    point x of an object's tree is at place + turn (size x), half sizes become size · half + margin.
    """

    root: np.ndarray            # (n,) int64: node
    left: np.ndarray            # (nodes,) int32: children, -1 in a leaf
    right: np.ndarray
    first: np.ndarray           # (nodes,) int32: its triangles are slots[first : first + count]
    count: np.ndarray
    slots: np.ndarray           # (…,) int32: number of the triangle in its mesh
    centre: np.ndarray          # (nodes,3) float64, in the tree's own coordinates
    axes: np.ndarray            # (nodes,3,3) float64: rows, the longest side first
    half: np.ndarray            # (nodes,3) float64: half sizes
    turn: np.ndarray            # (n,3,3) float64
    place: np.ndarray           # (n,3) float64
    size: np.ndarray            # (n,) float64
    margin: np.ndarray          # (n,) float64
    shift: int

    @classmethod
    def of(cls, placed, run) -> "ObbTrees":
        """The trees of the tested objects. placed: scene.placed.PlacedMeshes; run: pipeline.Run, which may be
        cancelled here."""
        kept = placed.scene.cache.pop("obb trees", None)
        trees = cls(placed, run, kept)
        placed.scene.cache["obb trees"] = trees
        return trees

    def __init__(self, placed, run, kept: "ObbTrees | None"):
        scene = placed.scene
        linear = np.ascontiguousarray(placed.poses[:, :, :3])
        exponent, size, turn, stretch = obb_pose.factors(linear)
        wanted, tree, spared = _share(scene, placed.mesh_index, stretch)
        if spared:
            run.note("The poses stretch their meshes in more ways than there is memory for trees: some objects are "
                     "searched in wider boxes, which takes longer.")
        self._trees = _adopt(scene, wanted, kept, run)
        for name in _NODE_ARRAYS + ("slots",):
            setattr(self, name, self._trees.arrays[name])
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
        self.turn, self.place = turn, np.ldexp(place, self.shift)
        self.size = np.ldexp(size, radius)
        rest = np.ldexp(obb_pose.missed(linear, exponent, size, turn, trees.stretch[tree], in_tree), radius)
        self.margin = (WORLD_NOISE * np.linalg.norm(np.ldexp(terms, self.shift), axis=1)
                       + TREE_NOISE * self.size + (1.0 + 2.0 ** -20) * rest
                       + (np.ldexp(1.0, -1066 + self.shift) + LEAST))

    def node_boxes(self, obj, nodes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """World boxes of some nodes of an object, or of one node each of several objects, that hold the triangles.

        obj: a position in the selection, or (k,) of them; nodes: (k,) → centre (k,3), axes (k,3,3) as rows, half (k,3).
        """
        turn = self.turn[obj]
        size, margin = np.asarray(self.size[obj])[..., None], np.asarray(self.margin[obj])[..., None]
        across = (self.centre[nodes][:, None] @ np.swapaxes(turn, -1, -2))[:, 0]
        axes = self.axes[nodes] @ np.swapaxes(turn, -1, -2)
        centre = self.place[obj] + size * across
        with np.errstate(over="ignore"):
            half = np.ldexp(size * self.half[nodes] + margin, -self.shift)
        return np.ldexp(centre, -self.shift), axes, np.minimum(half, np.finfo(float).max)

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
        self.node_start = _starts(2 * triangles - 1)[:-1]
        self.slot_start = _starts(triangles)[:-1]
        self.middle = np.zeros((n, 3))                          # of the box around the mesh's triangles
        self.reach = np.zeros((n, 3))                           # half its size
        self.far = np.zeros((n, 3))                             # largest coordinates without their sign
        self.exponent = np.zeros(n, np.int32)                   # 2^exponent is the tree's unit
        nodes, slots = int((2 * triangles - 1).sum()), int(triangles.sum())
        self.arrays: dict[str, np.ndarray] = {
            "left": np.empty(nodes, np.int32), "right": np.empty(nodes, np.int32),
            "first": np.empty(nodes, np.int32), "count": np.empty(nodes, np.int32),
            "centre": np.empty((nodes, 3)), "axes": np.empty((nodes, 3, 3)), "half": np.empty((nodes, 3)),
            "slots": np.empty(slots, np.int32),
        }

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
        for name in ("left", "right"):
            self.arrays[name][inner][count[inner] > 1] += here - there
        self.arrays["first"][inner] += self.slot_start[number] - old.slot_start[other]
        for name in ("version", "middle", "reach", "far", "exponent"):
            getattr(self, name)[number] = getattr(old, name)[other]

    def fit(self, number: int, mesh, version: int) -> None:
        """Build tree `number`, or fit the boxes of one that is there to new vertices; version: of the mesh."""
        corners = mesh.vertices[mesh.triangles]
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
        corners = np.ldexp(corners, -self.exponent[number])
        arrays = self.arrays
        plant(np.ascontiguousarray(corners), bool(self.version[number] < 0), self.node_start[number],
              self.slot_start[number], arrays["slots"], *(arrays[name] for name in _NODE_ARRAYS),
              np.empty(len(corners)), *scratch())
        self.version[number] = version


_NODE_ARRAYS = ("left", "right", "first", "count", "centre", "axes", "half")


def _starts(counts) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


def _adopt(scene, wanted: list[tuple[int, np.ndarray]], kept: ObbTrees | None, run) -> _Trees:
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

    def fit(number):
        index = mesh[late[number]]
        trees.fit(late[number], scene.meshes[index], scene.versions[index])

    run_chunks(fit, len(late), run.threads, lambda done: run.tick(done / max(1, len(late))))
    return trees


def _name(mesh, stretch: np.ndarray) -> tuple:
    return int(mesh), stretch.tobytes()


def _share(scene, mesh: np.ndarray, stretch: np.ndarray) -> tuple[list[tuple[int, np.ndarray]], np.ndarray, bool]:
    """Which trees (mesh, stretch) the objects need, (n,) int64 which of them each uses, and whether some must do with
    the tree of another stretch. mesh: (n,) int64; stretch: (n,3,3), entries in multiples of ALIKE.

    Every mesh has one tree, whatever memory there is.
    """
    keys = np.concatenate([mesh[:, None], np.rint(stretch.reshape(-1, 9) / obb_pose.ALIKE).astype(np.int64)], axis=1)
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
