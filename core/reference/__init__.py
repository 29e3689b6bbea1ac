# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow, plain and exact: the answers that every fast method is held to, in rational arithmetic and pure Python.

Nothing here shares code with the fast kernels, and nothing here is compiled.
"""
from .contacts import ReferenceContact, box_pairs, contacts_between, rounded
from .inside import OPEN, closedness, parts_inside, seems_enclosed
from .judge import Surface, judge
from .placed import placed_corners, placed_vertices
from .triangle_pair import SharedPart, shared_part
from .verdict import crosses

__all__ = ["OPEN", "ReferenceContact", "SharedPart", "Surface", "box_pairs", "closedness", "contacts_between",
           "crosses", "judge", "parts_inside", "placed_corners", "placed_vertices", "rounded", "seems_enclosed",
           "shared_part"]
