# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that count as closed: their borders are nowhere farther apart than a weld distance.

No vertex is moved. A strip joins each edge of the rim to what the edge would be with its ends moved, each by no more
than the weld distance. Where the moved edges cancel each other out, the mesh and its strips enclose space: the winding
number of both together is a whole number. It is that of the mesh, which is known, and a share of the strips, which is
bounded. docs/decisions/0016 derives it.
"""
import numpy as np

from ..trees.bounds import HIGH
from ..trees.bvh.forest import Forest
from .mesh_topology import MeshTopology
from .winding import winding_of_pairs

MOST_OF_STRIPS = 0.25       # of a winding number; a half would do, were numbers not rounded
LENGTH_ROUNDING_FACTOR = 1.0 + 2.0 ** -20   # for the rounding of lengths,
SMALL = 2.0 ** -44          # and for that of places, beside the largest coordinate
SMALLEST_NORMAL = np.finfo(float).tiny


def inside_when_welded(forest: Forest, topology: MeshTopology, bounds: np.ndarray, inner: np.ndarray,
                       outer: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) bool, object inner[k] is inside outer[k], whose mesh the weld distance closes; and (n,) bool, that could be
    told. The two do not meet, inner[k] has one component, and its box lies in that of outer[k].

    bounds: (objects,6) float64, tight boxes. It is not told of objects as near to the rim as strips may be, and of
    those for which strips could count too much.
    """
    winding = winding_of_pairs(forest, topology, inner, outer)
    told = ~np.isnan(winding)
    for k in np.flatnonzero(told).tolist():
        rim, pose = topology.sheets(int(forest.mesh_of(outer[k]))).rim, forest.poses[outer[k]]
        told[k] = _strips_are_far(rim @ pose[:, :3].T + pose[:, 3], bounds[inner[k]], topology.weld)
    return told & (np.round(winding) != 0.0), told


def _strips_are_far(ends: np.ndarray, box: np.ndarray, weld: float) -> bool:
    """True where strips along edges, as wide as the weld distance, stay clear of a box, and add little to the winding
    number of any point in it. ends: (k,2,3) float64, of the edges; box: (6,) float64."""
    # Numbers as large as these are rounded so.
    reach = LENGTH_ROUNDING_FACTOR * (weld + SMALL * max(np.abs(ends).max(), np.abs(box).max()))
    apart = np.maximum(ends.min(axis=1) - box[HIGH:], box[:HIGH] - ends.max(axis=1)).max(axis=1)
    centre, way = 0.5 * box[:HIGH] + 0.5 * box[HIGH:], ends[:, 1] - ends[:, 0]
    share = ((centre - ends[:, 0]) * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), SMALLEST_NORMAL)
    nearest = ends[:, 0] + np.clip(share, 0.0, 1.0)[:, None] * way
    apart = np.maximum(apart, np.linalg.norm(nearest - centre, axis=1) - np.linalg.norm(box[HIGH:] - centre)) - reach
    if not (apart > 0.0).all():
        return False
    length = np.linalg.norm(way, axis=1)
    return bool((reach * (length + reach) / apart ** 2).sum() / (4.0 * np.pi) < MOST_OF_STRIPS)
