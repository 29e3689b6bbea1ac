# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of proofs, in the order of the goals."""
from . import convex, triangles

PROOFS = [triangles.PROOF, convex.PROOF]
