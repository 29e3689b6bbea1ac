# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of overlap volumes."""
from typing import NamedTuple

import numpy as np


class Layers(NamedTuple):
    """What of a surface lies over each cell of a grid, one row per triangle and cell, cell by cell."""

    start: np.ndarray       # (cells+1,) int64, into the other arrays
    low: np.ndarray         # (rows,) float64: over the open cell the triangle is nowhere lower …
    high: np.ndarray        # … and nowhere higher
    hit: np.ndarray         # (rows,) float64: where the line through the cell's centre meets it
    sign: np.ndarray        # (rows,) int8: what the winding number of that line changes by there, going up; mostly 0
    triangle: np.ndarray    # (rows,) int32: which one it is
    vertices: np.ndarray    # (n,3) float64, of the surface: across, up, height
    triangles: np.ndarray   # (m,3) int32


class Steps(NamedTuple):
    """A function of height that is constant between `count` heights; below the first one it is SURELY_OUT."""

    order: np.ndarray       # (n,) int64, scratch: rows of layers, block by block
    end: np.ndarray         # (n,) int64, scratch: where in `order` each block ends
    mean: np.ndarray        # (n,) float64, scratch: the mean height of the surface in each block,
    error: np.ndarray       # (n,) float64, scratch: and how far that may be off; NaN: not known
    polygon: np.ndarray     # (2,8,2) float64, scratch
    height: np.ndarray      # (2n,) float64, ascending
    level: np.ndarray       # (2n,) int8: SURELY_OUT, PERHAPS or SURELY_IN from this height to the next one
