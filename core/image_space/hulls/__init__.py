# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh as convex pieces of its surface: `pieces.py` is the place to start."""
