# SPDX-License-Identifier: GPL-3.0-or-later
"""PointClouds of points by their convex hulls."""
