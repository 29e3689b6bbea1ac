# SPDX-License-Identifier: GPL-3.0-or-later
"""Error bounds of the float64 filters for triangles and segments.

docs/triangle-filter.md and segment_triangle.py derive them.
"""
UNIT = 2.0 ** -53
PLANE_BOUND = 64.0 * UNIT           # of a point's height over a plane; 54 suffices
EDGE_BOUND = 144.0 * UNIT           # of the determinant of two edges; 132 suffices
SMALLEST_SIZE, LARGEST_SIZE = 1e-90, 1e90       # outside, a product of three might underflow or overflow unnoticed
