# SPDX-License-Identifier: GPL-3.0-or-later
"""What two triangles share, as flat arrays in canonical order."""
from .contacts import AREA, POINT, SEGMENT, Contacts

__all__ = ["AREA", "POINT", "SEGMENT", "Contacts"]
