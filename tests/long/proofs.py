# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of proofs, in the order of the goals."""
from . import continuous, convex, large, scenes, triangles

PROOFS = [triangles.PROOF, scenes.PROOF, convex.PROOF, continuous.PROOF, continuous.PROOF_OF_TIMES,
          scenes.PROOF_OF_NESTING, scenes.PROOF_OF_SAMENESS, scenes.PROOF_OF_FILTER, large.PROOF]
