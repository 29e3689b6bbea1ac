# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes as people have them: how many rows a run gives, and at which of them planted clashes stand."""
