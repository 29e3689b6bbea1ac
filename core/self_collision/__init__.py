# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a mesh meets itself: a tree against itself → pairs of its triangles → contacts (docs/self-collision.md)."""
