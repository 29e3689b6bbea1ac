# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects → candidates: pairs of triangles whose boxes overlap."""
