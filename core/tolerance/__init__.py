# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts with a tolerance: what is judged, how much is tolerated, and what proves that it is little. See
docs/tolerance.md."""

AUTOMATIC = "auto"          # the tolerance that follows from what single precision resolves
NO_TOLERANCE = "Verdicts are exact, without a tolerance"    # how a note begins that says why there is none
