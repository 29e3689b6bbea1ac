# SPDX-License-Identifier: GPL-3.0-or-later
"""`Limits`: how much is drawn of the pair of a row."""
from typing import NamedTuple


class Limits(NamedTuple):
    """As they are where the user has chosen no others (preferences.py)."""

    contacts: int = 200_000         # lines, points and patches
    triangles: int = 1_000_000      # of an object that is tinted: more would take seconds until they are drawn
    heat_vertices: int = 200_000    # of each object that are measured for a heat map: a second or two


USUAL = Limits()
