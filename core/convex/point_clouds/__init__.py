# SPDX-License-Identifier: GPL-3.0-or-later
"""Clouds of points by their convex hulls."""
