# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of proofs, in the order of the goals."""
from . import continuous, convex, triangles

PROOFS = [triangles.PROOF, convex.PROOF, continuous.PROOF, continuous.PROOF_OF_TIMES]
