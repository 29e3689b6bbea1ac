# SPDX-License-Identifier: GPL-3.0-or-later
"""First contacts of convex bodies and of hulls that move (docs/moving-hulls.md)."""
