# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex distance by simulated annealing and a genetic search."""
