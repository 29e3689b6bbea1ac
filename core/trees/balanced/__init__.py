# SPDX-License-Identifier: GPL-3.0-or-later
"""Balanced trees of axis-aligned boxes, of the method `parallel`."""
