# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws which of the two colours is which object of the pair, below the verdict, into the lower left corner of a 3D
viewport: who goes from pair to pair by keys may have no list in sight."""
import importlib
from typing import Any

from ..heat_map.legend_painting import LEGEND_POINTS, corner_of, write
from .painting import CASING
from .picture import Picture

NAME_HEIGHT = 20.0          # of a line, pixels, at Blender's usual size of the interface
SIDE, DARK_RIM = 12.0, 1.0       # of the squares, and of the dark rim around them
NAME_GAP = 8.0


class NamesPainting:
    """The legend of a Picture on the graphics card."""

    def __init__(self, picture: Picture, colours: dict[str, tuple[float, ...]]):
        """colours: sRGB of the sides "a" and "b"."""
        gpu: Any = importlib.import_module("gpu")       # there is none without a window
        from gpu_extras.batch import batch_for_shader

        self._gpu, self._picture, self._colours = gpu, picture, colours
        self._shader = gpu.shader.from_builtin("UNIFORM_COLOR")
        self._square = batch_for_shader(self._shader, "TRIS", {
            "pos": [(x, y, 0.0) for x, y in ((0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1))]})

    def draw(self, left: float, scale: float) -> None:
        """Into the region that is drawn. left: where that is not covered, in pixels; scale: of the interface."""
        x, y = corner_of(left, scale)
        for side, name in reversed(self._picture.names):
            self._draw_square(x - DARK_RIM * scale, y - DARK_RIM * scale, (SIDE + 2.0 * DARK_RIM) * scale, CASING)
            self._draw_square(x, y, SIDE * scale, self._colours[side])
            write(name, x + (SIDE + NAME_GAP) * scale, y + 0.5 * (SIDE - 0.7 * LEGEND_POINTS) * scale, scale)
            y += NAME_HEIGHT * scale
        if self._picture.names:
            write(self._picture.title, x, y + 0.5 * (SIDE - 0.7 * LEGEND_POINTS) * scale, scale)

    def _draw_square(self, x: float, y: float, size: float, colour: tuple) -> None:
        self._gpu.state.blend_set("NONE")
        self._gpu.state.depth_test_set("NONE")
        with self._gpu.matrix.push_pop():
            self._gpu.matrix.translate((x, y, 0.0))
            self._gpu.matrix.scale((size, size, 1.0))
            self._shader.uniform_float("color", (*colour, 1.0))
            self._square.draw(self._shader)
