# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges, triangles and boxes as rows of float32; streaming/port.py says where numbers begin in a row."""
from typing import NamedTuple

import numpy as np


class StreamRows(NamedTuple):
    """Edges, triangles and boxes of objects, each object in a frame of its own around its middle."""

    edges: np.ndarray       # (…,8) float32: origin, 0, unit direction, length
    triangles: np.ndarray   # (…,12) float32: corner, 0, side to the second corner, 0, side to the third, 0
    nodes: np.ndarray       # (…,20) float32: centre, node to skip to; axis and half size, three times; a leaf's first
                            # triangle and their number, 0 in other nodes; 0, 0. The next node is the first child
