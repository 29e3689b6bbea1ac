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


class Steps(NamedTuple):
    """A function of height that is constant between `count` heights; below the first one it is SURELY_OUT."""

    order: np.ndarray       # (n,) int64, scratch
    height: np.ndarray      # (2n,) float64, ascending
    level: np.ndarray       # (2n,) int8: SURELY_OUT, PERHAPS or SURELY_IN from this height to the next one
