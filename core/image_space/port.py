# SPDX-License-Identifier: GPL-3.0-or-later
"""The port: what a rasteriser gives, on a GPU or here."""
from typing import Protocol

import numpy as np

from ..records import Drawn

PIXEL_APART, PIXELS_MEET, PIXEL_UNDECIDED = 1, 2, 3  # classes of a pixel that the first body covers; 0: it does not
CLASSES = 4


class Raster(Protocol):
    """Draws pairs of convex bodies into a square picture each."""

    on_main_thread: bool    # it has to be called there

    def cells(self, side: int) -> int:
        """The most pairs of one call."""

    def classes(self, first: Drawn, second: Drawn, side: int) -> np.ndarray:
        """(k,CLASSES) int64: how many of the side · side pixels of each picture are of which class.

        Into the depths of the first body's front faces (counterclockwise) both sides of the second are drawn. A pixel
        that the first covers begins with PIXEL_APART. It counts one more for each front face of the second that is
        behind the depth, and one for each back face that is behind it or at it. So a second body that coincides with
        the first one meets it.
        """
