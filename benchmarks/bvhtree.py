# SPDX-License-Identifier: GPL-3.0-or-later
"""The same question put to `mathutils.bvhtree`, as a script in Blender would: a tree per object, overlap per pair."""
import time
from dataclasses import dataclass

import numpy as np
from mathutils.bvhtree import BVHTree


@dataclass(eq=False)
class Overlaps:
    """pairs: (a, b) with a < b → (n,2) triangles that overlap, for every pair of objects that has some."""

    pairs: dict[tuple[int, int], np.ndarray]
    build_seconds: float        # world coordinates, lists, trees: a BVHTree has no pose of its own
    query_seconds: float        # boxes, then overlap() for each pair whose boxes meet


def overlaps(scene) -> Overlaps:
    """scene: a `touchpoint.core.Scene`, of which all pairs of objects are tested."""
    start = time.perf_counter()
    trees, low, high = [], [], []
    for each in scene.objects:
        mesh = scene.meshes[each.mesh]
        vertices = mesh.vertices @ each.pose[:3, :3].T + each.pose[:3, 3]
        trees.append(BVHTree.FromPolygons(vertices.tolist(), mesh.triangles.tolist(), all_triangles=True))
        low.append(vertices.min(axis=0))
        high.append(vertices.max(axis=0))
    built = time.perf_counter()
    pairs = {}
    for a, b in meeting_boxes(np.array(low), np.array(high)):
        found = trees[a].overlap(trees[b])
        if found:
            pairs[a, b] = np.array(found)
    return Overlaps(pairs, built - start, time.perf_counter() - built)


def meeting_boxes(low: np.ndarray, high: np.ndarray) -> list[tuple[int, int]]:
    """Pairs a < b of boxes (n,3) that have a point in common; compares each with all later ones."""
    found = []
    for a in range(len(low)):
        meet = np.all((low[a] <= high[a + 1:]) & (low[a + 1:] <= high[a]), axis=1)
        found += [(a, int(b)) for b in np.flatnonzero(meet) + a + 1]
    return found
