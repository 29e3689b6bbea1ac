# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of proofs, in the order of the goals."""
from . import (
    batches,
    boxes,
    continuous,
    convex,
    distance,
    large,
    methods,
    motions,
    nearing,
    points,
    real_meshes,
    scenes,
    self_collisions,
    self_motions,
    triangles,
    whole_triangles,
)

PROOFS = [
    triangles.PROOF, whole_triangles.PROOF, points.PROOF_OF_SEGMENTS, scenes.PROOF, methods.PROOF, real_meshes.PROOF,
    self_collisions.PROOF, self_motions.PROOF,
    boxes.PROOF, convex.PROOF, convex.PROOF_OF_DEPTH, continuous.PROOF, continuous.PROOF_OF_TIMES,
    motions.PROOF, nearing.PROOF, scenes.PROOF_OF_NESTING, points.PROOF, distance.PROOF, distance.PROOF_OF_TRIANGLES,
    distance.PROOF_OF_CLEARANCE,
    scenes.PROOF_OF_SAMENESS, batches.PROOF, scenes.PROOF_OF_FILTER, large.PROOF,
]
