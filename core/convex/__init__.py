# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of points and oriented boxes, in pairs: do they meet, how far apart, how deep (docs/convex.md)."""
