# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls at the door, and convex meshes."""
