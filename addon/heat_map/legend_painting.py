# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the legend of a heat map into the lower left corner of a 3D viewport."""
import importlib
from typing import Any

import numpy as np

from .colours import LEGEND_STEPS, Legend

LEGEND_FONT = 0
BAR_WIDTH, BAR_HEIGHT = 16.0, 180.0     # pixels, at Blender's usual size of the interface
FROM_LEFT, FROM_BELOW = 20.0, 46.0      # of the bar, from what else is drawn there
NUMBER_GAP, TITLE_GAP = 8.0, 16.0
LEGEND_POINTS = 12.0                    # of its numbers
LEGEND_BLUR = 5                         # of the shadow below them


class LegendPainting:
    """A Legend on the graphics card."""

    def __init__(self, legend: Legend):
        gpu: Any = importlib.import_module("gpu")       # there is none without a window
        from gpu_extras.batch import batch_for_shader

        self._gpu, self._legend = gpu, legend
        self._shader = gpu.shader.from_builtin("FLAT_COLOR")
        self._bar = batch_for_shader(self._shader, "TRIS", bar_of(legend))

    def draw(self, left: float, scale: float) -> None:
        """Into the region that is drawn. left: as in `corner_of`; scale: of the interface."""
        x, y = corner_of(left, scale)
        state, matrix = self._gpu.state, self._gpu.matrix
        state.blend_set("NONE")
        state.depth_test_set("NONE")
        with matrix.push_pop():
            matrix.translate((x, y, 0.0))
            matrix.scale((BAR_WIDTH * scale, BAR_HEIGHT * scale, 1.0))
            self._bar.draw(self._shader)
        right = x + (BAR_WIDTH + NUMBER_GAP) * scale
        for part, text in self._legend.numbers:
            write(text, right, y + (part * BAR_HEIGHT - 0.35 * LEGEND_POINTS) * scale, scale)
        write(self._legend.title, x, y + (BAR_HEIGHT + TITLE_GAP) * scale, scale)


def bar_of(legend: Legend) -> dict[str, np.ndarray]:
    """The corners of the bar's triangles, from 0 to 1, and their colours."""
    low = np.arange(LEGEND_STEPS, dtype=np.float32) / LEGEND_STEPS
    high = np.append(low[1:], np.float32(1.0))
    corners = np.zeros((LEGEND_STEPS, 6, 3), np.float32)
    corners[:, :, 0] = (0, 1, 1, 0, 1, 0)
    for corner, height in enumerate((low, low, high, low, high, high)):
        corners[:, corner, 1] = height
    colours = np.ones((LEGEND_STEPS, 4), np.float32)
    colours[:, :3] = legend.colours
    return {"pos": corners.reshape(-1, 3), "color": np.repeat(colours, 6, axis=0)}


def corner_of(left: float, scale: float) -> tuple[float, float]:
    """Where a legend begins, in pixels from the lower left corner of the region. left: where that is not covered."""
    return FROM_LEFT * scale + left, FROM_BELOW * scale


def write(text: str, x: float, y: float, scale: float) -> None:
    """A line of a legend into the region that is drawn. x, y: in pixels; scale: of the interface."""
    import blf

    blf.size(LEGEND_FONT, LEGEND_POINTS * scale)
    blf.enable(LEGEND_FONT, blf.SHADOW)
    blf.shadow(LEGEND_FONT, LEGEND_BLUR, 0.0, 0.0, 0.0, 1.0)
    blf.color(LEGEND_FONT, 1.0, 1.0, 1.0, 1.0)
    blf.position(LEGEND_FONT, x, y, 0.0)
    blf.draw(LEGEND_FONT, text)
    blf.disable(LEGEND_FONT, blf.SHADOW)
