# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow, plain and exact: the answers that every fast method is held to, in rational arithmetic and pure Python.

Nothing here shares code with the fast kernels, and nothing here is compiled. The method `exact` asks all of it. The
fast stages ask last_resort.py what their kernels leave UNDECIDED (docs/decisions/0008).
"""
from ..geometry.placed import placed_corners, placed_vertices
from .contacts import ReferenceContact, box_pairs, contacts_between, contacts_within, rounded
from .inside import OPEN, closedness, components_inside, seems_enclosed
from .judge import judge
from .surface import Surface
from .triangle_pair import SharedPart, shared_part
from .verdict import crosses

__all__ = ["OPEN", "ReferenceContact", "SharedPart", "Surface", "box_pairs", "closedness", "components_inside",
           "contacts_between", "contacts_within", "crosses", "judge", "placed_corners", "placed_vertices", "rounded",
           "seems_enclosed", "shared_part"]
