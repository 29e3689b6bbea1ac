# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates → Contacts: which pairs of triangles meet, and where."""
