# SPDX-License-Identifier: GPL-3.0-or-later
"""Patches of a surface that are convex, after §2.2 of the 2003 thesis.

A patch grows from a seed face over edges that two faces share. A neighbour joins if the edge is not concave and its far
vertex is behind the planes of all faces of the patch; here, all vertices of the patch must be behind its own plane,
too. That the hull of the patch is cut by no other face is asked of the whole patch (cuts.py), see pieces.py.
"""
from collections.abc import Callable

import numpy as np

from ...machine_code.jit import kernel
from ...radix_sort import order_of


def neighbours_of(triangles: np.ndarray, tick: Callable[[], None] = lambda: None) -> np.ndarray:
    """(m,3) int32: the face across each edge of triangles (m,3), -1 where there is not exactly one that runs the other
    way. tick(): called now and then, may raise."""
    found = np.full(3 * len(triangles), -1, np.int32)
    edges = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2).astype(np.int64)
    tick()
    keys = np.empty((2, len(edges)), np.int64)
    keys[0] = np.minimum(edges[:, 0], edges[:, 1])
    keys[0] *= int(edges.max(initial=0)) + 1
    keys[0] += np.maximum(edges[:, 0], edges[:, 1])
    code = keys[0].copy()
    tick()
    order = order_of(keys, int(code.max(initial=0)).bit_length(), tick)
    code = code[order]
    tick()
    new = np.ones(len(order), bool)
    new[1:] = code[1:] != code[:-1]
    first = np.flatnonzero(new)
    uses = np.diff(np.append(first, len(order)))
    one, other = order[first[uses == 2]], order[first[uses == 2] + 1]
    opposite = edges[one, 0] == edges[other, 1]
    one, other = one[opposite], other[opposite]
    found[one], found[other] = other // 3, one // 3
    return found.reshape(-1, 3)


@kernel
def grow(seed, points, triangles, planes, neighbours, owner, noise, scratch):
    """Write the faces of the patch around a seed to scratch.members, GrowScratch; returns how many they are.

    points (n,3), planes (m,4) float64, of unit normals; faces without area have none and join no patch. owner: (m,)
    int32, -1 for faces that belong to no patch. noise: how far in front of a plane a vertex may be.
    """
    members = scratch.members
    corners = scratch.corners
    stamp = seed + 1
    for i in range(3):
        corners[i] = triangles[seed, i]
        scratch.vertex_seen[triangles[seed, i]] = stamp
    members[0] = seed
    scratch.corner_count[0] = 3
    scratch.face_seen[seed] = stamp
    count = 1
    corner_count = 3
    head = 0
    while head < count:
        face = members[head]
        head += 1
        for edge in range(3):
            f = neighbours[face, edge]
            if f < 0 or count == members.shape[0]:
                continue
            if owner[f] >= 0 or scratch.face_seen[f] == stamp:
                continue
            scratch.face_seen[f] = stamp        # what does not join now never will: the patch only grows
            if not joins(f, points, triangles, planes, members, count, corners, corner_count, noise):
                continue
            for i in range(3):
                v = triangles[f, i]
                if scratch.vertex_seen[v] != stamp:
                    scratch.vertex_seen[v] = stamp
                    corners[corner_count] = v
                    corner_count += 1
            members[count] = f
            scratch.corner_count[count] = corner_count
            count += 1
    return count


@kernel
def joins(f, points, triangles, planes, members, count, corners, corner_count, noise):
    """True where the vertices of face f are behind the planes of all members, and all corners behind its own."""
    for m in range(count):
        if in_front(points, triangles[f, 0], planes[members[m]], noise):
            return False
        if in_front(points, triangles[f, 1], planes[members[m]], noise):
            return False
        if in_front(points, triangles[f, 2], planes[members[m]], noise):
            return False
    for i in range(corner_count):
        if in_front(points, corners[i], planes[f], noise):
            return False
    return True


@kernel
def in_front(points, v, plane, noise):
    """True where vertex v is more than `noise` in front of a plane (4,)."""
    return plane[0] * points[v, 0] + plane[1] * points[v, 1] + plane[2] * points[v, 2] - plane[3] > noise
