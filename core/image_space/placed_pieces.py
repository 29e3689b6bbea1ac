# SPDX-License-Identifier: GPL-3.0-or-later
"""`PlacedHulls`: the convex pieces of all tested objects in the world, with trees of oriented boxes over them."""
from collections.abc import Callable, Iterable
from itertools import islice

import numpy as np

from ..machine_code.jit import kernel
from ..parallel import run_chunks
from ..records import PieceTrees, PlacedPieces
from ..run import Run
from ..trees.bvh.placed import PlacedMeshes
from ..trees.obb.fit import eigenvectors, orthonormalize
from ..trees.obb.nodes import AXES_AT, BOX_NUMBERS, HALF_AT
from .hulls.pieces import Pieces

HALF_SIZE_SLACK_RELATIVE = 2.0 ** -40   # of a box's numbers: more than rounding may take from its half sizes
PARTS_AT_ONCE = 1 << 12     # arrays of objects that are joined in some hundredths of a second
COVARIANCE, COORDINATES = range(2)      # axes that are tried for a box


class PlacedHulls:
    """Of the tested objects, in the order of selection.objects."""

    def __init__(self, placed: PlacedMeshes, kind: str, decompose: Callable, run: Run):
        """kind: under which pieces are kept with the scene, per mesh. decompose(vertices, triangles, tick) -> Pieces.
        Raises Cancelled."""
        self.placed = placed
        each = [self._pieces_of(int(index), kind, decompose, run, k / max(1, len(placed.objects)))
                for k, index in enumerate(run.watched(placed.mesh_index))]
        with np.errstate(all="ignore"):
            mirrored = np.linalg.det(placed.poses[:, :, :3]) < 0.0
        run.tick()
        counts = np.array([len(pieces.vertex_start) - 1 for pieces in run.watched(each)], np.int64)
        self.count = int(counts.sum())
        nodes = np.array([len(pieces.spans) for pieces in run.watched(each)], np.int64)
        piece_start, node_start = np.cumsum(counts) - counts, np.cumsum(nodes) - nodes
        points = (placed.world_of(k)[pieces.vertices] for k, pieces in enumerate(each))
        faces = (pieces.triangles[:, ::-1] if flip else pieces.triangles for pieces, flip in zip(each, mirrored))
        children = (np.where(pieces.children < 0, -1, pieces.children + np.where(
            pieces.children[:, 1:] < 0, first_piece, first_node))
            for pieces, first_piece, first_node in zip(each, piece_start, node_start))
        spans = _in_one(np.zeros((0, 2), np.int64), (pieces.spans + first for pieces, first
                                                     in zip(each, piece_start)), run)
        self.pieces = PlacedPieces(_starts((pieces.vertex_start for pieces in each), run),
                                   _in_one(np.zeros((0, 3)), points, run),
                                   _starts((pieces.triangle_start for pieces in each), run),
                                   _in_one(np.zeros((0, 3), np.int32), faces, run).astype(np.int32),
                                   np.empty((self.count, BOX_NUMBERS)))
        self.trees = PieceTrees(np.where(nodes > 0, node_start, -1),
                                _in_one(np.zeros((0, 2), np.int64), children, run),
                                np.empty((len(spans), BOX_NUMBERS)))
        self._fit(spans, run)

    def _pieces_of(self, index: int, kind: str, decompose: Callable, run: Run, done: float) -> Pieces:
        """Of one mesh, kept with the scene until its vertices change."""
        scene = self.placed.scene
        kept = scene.cache.setdefault(kind, {})
        version = int(scene.versions[index])
        if index not in kept or kept[index][0] != version:
            run.tick(done)
            mesh = scene.meshes[index]
            kept[index] = version, decompose(mesh.vertices, mesh.triangles, run.tick)
        return kept[index][1]

    def _fit(self, spans: np.ndarray, run: Run) -> None:
        """Fit a box around the points of each node, and copy those of leaves to their pieces."""
        rows = self.pieces.point_start[spans]
        ends = np.linspace(0, len(spans), min(len(spans), 8 * run.threads) + 1).astype(np.int64)

        def work(number):
            fit_boxes(rows, int(ends[number]), int(ends[number + 1]), self.pieces.points, np.empty((3, 3)),
                      np.empty((2, 3, 3)), np.empty((2, 2, 3)), self.trees.boxes)

        run_chunks(work, len(ends) - 1, run.threads, lambda done: run.tick())
        leaf = self.trees.children[:, 1] < 0
        self.pieces.boxes[self.trees.children[leaf, 0]] = self.trees.boxes[leaf]


def _in_one(none: np.ndarray, parts: Iterable[np.ndarray], run: Run) -> np.ndarray:
    """The rows of all parts. none: such an array without a row. Raises Cancelled."""
    joined, rest = [none], iter(parts)
    while some := list(islice(rest, PARTS_AT_ONCE)):
        run.tick()
        joined.append(np.concatenate(some))
    run.tick()
    return np.concatenate(joined)


def _starts(each: Iterable[np.ndarray], run: Run) -> np.ndarray:
    """(n + 1,) int64: starts of lists of lists, joined. Raises Cancelled."""
    counts = _in_one(np.zeros(0, np.int64), (np.diff(start) for start in each), run)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


@kernel
def fit_boxes(rows, begin, end, points, covariance, axes, ends, boxes):
    """boxes[k] = the box around points[rows[k, 0]:rows[k, 1]], for k from begin to end. covariance (3,3), axes (2,3,3)
    and ends (2,2,3) are float64 scratch."""
    for k in range(begin, end):
        spread(points, rows[k, 0], rows[k, 1], covariance)
        eigenvectors(covariance, axes[COVARIANCE])
        orthonormalize(axes[COVARIANCE])
        for i in range(3):
            for x in range(3):
                axes[COORDINATES, i, x] = 1.0 if i == x else 0.0
        best = COVARIANCE
        least = np.inf
        for tried in range(2):
            reach(points, rows[k, 0], rows[k, 1], axes[tried], ends[tried])
            x = ends[tried, 1, 0] - ends[tried, 0, 0]
            y = ends[tried, 1, 1] - ends[tried, 0, 1]
            z = ends[tried, 1, 2] - ends[tried, 0, 2]
            if x * y + y * z + z * x < least:
                least = x * y + y * z + z * x
                best = tried
        write_box(points, rows[k, 0], axes[best], ends[best], boxes[k])


@kernel
def spread(points, begin, end, covariance):
    """covariance (3,3) = that of the points, about their mean."""
    for i in range(3):
        for j in range(3):
            covariance[i, j] = 0.0
    mean_x = mean_y = mean_z = 0.0
    for p in range(begin, end):
        mean_x += points[p, 0] - points[begin, 0]
        mean_y += points[p, 1] - points[begin, 1]
        mean_z += points[p, 2] - points[begin, 2]
    number = max(1, end - begin)
    mean_x = points[begin, 0] + mean_x / number
    mean_y = points[begin, 1] + mean_y / number
    mean_z = points[begin, 2] + mean_z / number
    for p in range(begin, end):
        x = points[p, 0] - mean_x
        y = points[p, 1] - mean_y
        z = points[p, 2] - mean_z
        covariance[0, 0] += x * x
        covariance[1, 1] += y * y
        covariance[2, 2] += z * z
        covariance[0, 1] += x * y
        covariance[0, 2] += x * z
        covariance[1, 2] += y * z
    covariance[1, 0] = covariance[0, 1]
    covariance[2, 0] = covariance[0, 2]
    covariance[2, 1] = covariance[1, 2]


@kernel
def reach(points, begin, end, axes, ends):
    """ends (2,3) = the least and largest places of the points along the axes, from the first point."""
    for i in range(3):
        ends[0, i] = 0.0
        ends[1, i] = 0.0
        for p in range(begin, end):
            place = ((points[p, 0] - points[begin, 0]) * axes[i, 0] + (points[p, 1] - points[begin, 1]) * axes[i, 1]
                     + (points[p, 2] - points[begin, 2]) * axes[i, 2])
            ends[0, i] = min(ends[0, i], place)
            ends[1, i] = max(ends[1, i], place)


@kernel
def write_box(points, first, axes, ends, box):
    """box (BOX_NUMBERS,) = that along the axes with these ends, counted from the point `first`."""
    for x in range(3):
        box[x] = points[first, x]
    for i in range(3):
        middle = 0.5 * (ends[0, i] + ends[1, i])
        for x in range(3):
            box[AXES_AT + 3 * i + x] = axes[i, x]
            box[x] += middle * axes[i, x]
    for i in range(3):
        box[HALF_AT + i] = 0.5 * (ends[1, i] - ends[0, i])
        for x in range(3):
            box[HALF_AT + i] += HALF_SIZE_SLACK_RELATIVE * (abs(box[x]) + ends[1, x] - ends[0, x])
