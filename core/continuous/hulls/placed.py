# SPDX-License-Identifier: GPL-3.0-or-later
"""`moving_hulls`: the hulls of moving objects, placed at both ends of the interval."""
from contextlib import nullcontext

import numpy as np

from ...arrays import starts_of
from ...convex.hulls.faces import HullBody, deformed_body, hull_body
from ...machine_code.jit import kernel
from ...records import MovingHulls
from ...run import Run
from ...trees.bvh.refit import move_vertices
from ..motions import Movement


def moving_hulls(movement: Movement, objects: np.ndarray, run: Run) -> tuple[MovingHulls, np.ndarray]:
    """The hulls of some objects, and (n,) bool: which of them certainly are convex all the while.

    objects: (k,) int64, ascending, each once, followed. What is affinely moved stays convex; a mesh whose vertices go
    their own ways is not called convex.
    """
    bodies, row = _bodies(movement, objects, run)
    n, mine = len(movement.moves), row[objects]
    sizes = np.array([[len(body.corners), len(body.faces), len(body.edges)] for body in bodies], np.int64)
    axes = np.array([[body.face_axes, body.edge_axes] for body in bodies], np.int64)
    local_starts, face_starts, edge_starts = (starts_of(each)[:-1] for each in sizes.T)
    starts = np.zeros(n, np.int64)
    corner_starts = starts_of(sizes[mine, 0])
    starts[objects] = corner_starts[:-1]
    first = {number: int(k) for k, number in zip(objects[::-1].tolist(), mine[::-1].tolist())}
    local = np.concatenate([movement.start.vertices[first[number]][body.corners] for number, body in enumerate(bodies)])
    begin, end = np.empty((2, int(corner_starts[-1]), 3))
    faces, edges = np.concatenate([body.faces for body in bodies]), np.concatenate([body.edges for body in bodies])
    face_counts, edge_counts = (np.stack([sizes[row, 1 + k], axes[row, k]], axis=1) for k in range(2))
    hulls = MovingHulls(starts, sizes[row, 0], begin, end, local_starts[row], local, face_starts[row], face_counts,
                        faces, edge_starts[row], edge_counts, edges)
    place_ends(objects, movement.motions, hulls)
    for k in objects[movement.deformed[objects]].tolist():
        rows = slice(starts[k], starts[k] + hulls.counts[k])
        begin[rows], end[rows] = (each[bodies[row[k]].corners] for each in movement.world_ends(k))
    convex = np.zeros(n, bool)
    convex[objects] = np.array([body.convex for body in bodies], bool)[mine]
    return hulls, convex


def _bodies(movement: Movement, objects: np.ndarray, run: Run) -> tuple[list[HullBody], np.ndarray]:
    """Bodies, and (n,) int64: which one an object has. Those of meshes are kept with the scene."""
    instant, row = movement.start, np.zeros(len(movement.moves), np.int64)
    deformed = movement.deformed[objects]
    meshes, first, which = np.unique(instant.mesh[objects[~deformed]], return_index=True, return_inverse=True)
    row[objects[~deformed]] = which.reshape(-1)
    row[objects[deformed]] = len(meshes) + np.arange(deformed.sum())
    bodies: list[HullBody] = []
    with nullcontext() if movement.has_turn else instant.scene.turn:
        kept = instant.scene.cache.setdefault("hull bodies", {})
        for mesh, k in zip(meshes.tolist(), objects[~deformed][first].tolist()):
            vertices, triangles = instant.vertices[k], instant.triangles[k]
            if mesh not in kept or kept[mesh][0] is not vertices or kept[mesh][1] is not triangles:
                kept[mesh] = vertices, triangles, hull_body(vertices, triangles, run.threads, run.tick)
            bodies.append(kept[mesh][2])
    bodies += [deformed_body(instant.triangles[k]) for k in objects[deformed].tolist()]
    return bodies, row


@kernel
def place_ends(objects, motions, hulls):
    """Fill `begin` and `end` for some objects, (k,) int64, by their poses."""
    for i in range(objects.shape[0]):
        k = objects[i]
        for at in range(2):
            world = hulls.begin if at == 0 else hulls.end
            poses = motions.start_pose if at == 0 else motions.end_pose
            move_vertices(poses, k, hulls.local, hulls.local_starts[k], hulls.counts[k], world, hulls.starts[k])
