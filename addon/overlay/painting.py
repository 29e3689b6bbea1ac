# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a `Picture` with Blender's own shaders, into whatever is bound and by the matrices that are set. What other
things hide is drawn faintly, so all of the pair is seen through them."""
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from mathutils import Matrix

from .picture import Heat, Picture

CURVE, CASING = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)
CURVE_WIDTH, CASING_WIDTH = 2.5, 5.5
ARROW_WIDTH, ARROW_CASING = 3.0, 6.0
POINT_SIZE, POINT_CASING = 7.0, 11.0
MANY_POINT_SIZE = 2.0       # of more than MOST_WIDE, which in their usual size would cover what they lie on
PATCH_SEEN, PATCH_HIDDEN = 0.75, 0.35       # how much patches and lines cover: what is seen of them …
LINE_SEEN, LINE_HIDDEN = 1.0, 0.45          # … and what something else hides
# A surface that comes nearer to the eye by so much, over its way across the view, covers no part of a wide line that
# lies on it: where two objects cross, surfaces rise on both sides of the curve.
STEEPEST = 3.0
HEAT_SEEN, HEAT_INSIDE = 0.92, 0.70         # of heat maps: what is seen of them, and what lies in the other object
MOST_WIDE = 2000    # segments, or points, drawn wide and cased: without a graphics card 10,000 cost half a frame
VEIL = 0.65                                 # how much of everything else is taken away


class Painting:
    """A Picture on the graphics card."""

    def __init__(self, picture: Picture, colours: dict[str, tuple[float, ...]]):
        """colours: sRGB of the sides "a" and "b"."""
        gpu: Any = importlib.import_module("gpu")       # there is none without a window
        from gpu_extras.batch import batch_for_shader

        self._gpu, self._colours = gpu, colours
        self._flat, self._shaded, self._line = (
            gpu.shader.from_builtin(name) for name in ("UNIFORM_COLOR", "FLAT_COLOR", "POLYLINE_UNIFORM_COLOR"))
        self._point = _point_shader(gpu)
        self._veil = batch_for_shader(self._flat, "TRIS", {"pos": np.array(
            [(-1, -1, 0), (3, -1, 0), (-1, 3, 0)], np.float32)})
        self._tints = [(each, batch_for_shader(self._shaded, "TRIS", {
            "pos": each.corners.reshape(-1, 3), "color": _colours(each, colours[each.side])}), batch_for_shader(
                self._flat, "TRIS", {"pos": each.vertices}, indices=np.ascontiguousarray(each.triangles)))
            for each in picture.tints]
        self._smooth = gpu.shader.from_builtin("SMOOTH_COLOR")
        self._heat = [_heat_batch(batch_for_shader, self._smooth, each, np.full(each.inside.shape, HEAT_SEEN))
                      for each in picture.heat]
        self._heat_inside = [_heat_batch(batch_for_shader, self._smooth, each, HEAT_INSIDE * each.inside)
                             for each in picture.heat]
        self._patches = _batch(batch_for_shader, self._flat, "TRIS", picture.patches)
        self._is_wide = len(picture.lines) <= MOST_WIDE
        self._curve = _batch(batch_for_shader, self._line if self._is_wide else self._flat, "LINES", picture.lines)
        self._many_points = len(picture.points) > MOST_WIDE
        self._points = _batch(batch_for_shader, self._point, "POINTS", picture.points)
        self._arrow = _batch(batch_for_shader, self._line, "LINES", picture.arrow)

    def draw(self, size: tuple[int, int], background: tuple, scale: float = 1.0) -> None:
        """size: of what is drawn into, in pixels. background: (red, green, blue) that everything else fades to.
        scale: of lines and points."""
        state = self._gpu.state
        state.blend_set("ALPHA")
        state.depth_mask_set(False)
        state.depth_test_set("NONE")
        with self._gpu.matrix.push_pop(), self._gpu.matrix.push_pop_projection():
            self._gpu.matrix.load_identity()
            self._gpu.matrix.load_projection_matrix(Matrix.Identity(4))
            self._fill(self._veil, (*background, VEIL))
        for test, batches in (("LESS_EQUAL", self._heat), ("GREATER", self._heat_inside)):     # the deep parts on top
            state.depth_test_set(test)
            for batch in batches:
                if batch is not None:
                    batch.draw(self._smooth)
        passes = ("GREATER", True), ("LESS_EQUAL", False)
        for test, hidden in passes:
            state.depth_test_set(test)
            self._draw_tints(hidden)
        for test, hidden in passes:         # over all colours: the two objects hide much of where they meet
            state.depth_test_set(test)
            self._fill(self._patches, (*CURVE, PATCH_HIDDEN if hidden else PATCH_SEEN))
            opacity = LINE_HIDDEN if hidden else LINE_SEEN
            if self._is_wide:
                self._draw_lines(self._curve, size, CURVE_WIDTH * scale, CASING_WIDTH * scale, opacity)
            else:
                self._fill(self._curve, (*CURVE, opacity))
            self._draw_points(size, opacity, scale)
        state.depth_test_set("NONE")
        self._draw_lines(self._arrow, size, ARROW_WIDTH * scale, ARROW_CASING * scale, 1.0)
        state.blend_set("NONE")

    def _draw_tints(self, hidden: bool) -> None:
        for tint, seen, behind in self._tints:
            self._gpu.state.face_culling_set("BACK" if tint.one_sided else "NONE")
            if hidden:
                self._fill(behind, (*self._colours[tint.side], tint.hidden))
            else:
                seen.draw(self._shaded)
        self._gpu.state.face_culling_set("NONE")

    @contextmanager
    def _before_surfaces(self, size: tuple[int, int], width: float) -> Iterator[None]:
        """What is drawn meanwhile, so many pixels wide, lies before the surfaces that its middle lies on."""
        matrix = self._gpu.matrix
        projection = matrix.get_projection_matrix()
        nearer = STEEPEST * width / (projection[0][0] * size[0])        # at distance 1 from the eye
        moved = Matrix.Scale(1.0 - nearer, 4) if projection[3][3] == 0.0 else Matrix.Translation((0.0, 0.0, nearer))
        with matrix.push_pop():
            matrix.load_matrix(moved @ matrix.get_model_view_matrix())
            yield

    def _fill(self, batch, colour: tuple) -> None:
        if batch is not None:
            self._flat.uniform_float("color", colour)
            batch.draw(self._flat)

    def _draw_lines(self, batch, size: tuple, width: float, casing: float, opacity: float) -> None:
        if batch is None:
            return
        with self._before_surfaces(size, casing):
            self._line.uniform_float("viewportSize", size)
            for colour, each in ((CASING, casing), (CURVE, width)):
                self._line.uniform_float("lineWidth", each)
                self._line.uniform_float("color", (*colour, opacity))
                batch.draw(self._line)

    def _draw_points(self, size: tuple[int, int], opacity: float, scale: float) -> None:
        if self._points is None:
            return
        few = (CASING, POINT_CASING), (CURVE, POINT_SIZE)
        for colour, width in ((CURVE, MANY_POINT_SIZE),) if self._many_points else few:
            with self._before_surfaces(size, width * scale):
                self._gpu.state.point_size_set(width * scale)
                self._point.uniform_float("color", (*colour, opacity))
                self._points.draw(self._point)
        self._gpu.state.point_size_set(1.0)


def _point_shader(gpu):
    """The one for points; before 4.5 the plain one draws them in any size, and there is no other."""
    try:
        return gpu.shader.from_builtin("POINT_UNIFORM_COLOR")
    except ValueError:
        return gpu.shader.from_builtin("UNIFORM_COLOR")


def _colours(tint, colour: tuple) -> np.ndarray:
    """(3 m,4) float32: of the corners of a tint in a colour."""
    colours = np.empty((len(tint.shades), 4), np.float32)
    colours[:, :3] = tint.shades[:, None] * np.array(colour, np.float32)
    colours[:, 3] = tint.seen
    return np.repeat(colours, 3, axis=0)


def _heat_batch(make, shader, heat: Heat, opacity: np.ndarray):
    """Triangles of a heat map, None where nothing of them is seen. opacity: (m,3), of their corners."""
    seen = (opacity > 0.0).any(axis=1)
    colours = np.concatenate((heat.colours[seen], opacity[seen, :, None].astype(np.float32)), axis=2)
    return make(shader, "TRIS", {"pos": heat.corners[seen].reshape(-1, 3), "color": colours.reshape(-1, 4)}
                ) if seen.any() else None


def _batch(make, shader, kind: str, corners: np.ndarray):
    """None where there is nothing to draw."""
    return make(shader, kind, {"pos": corners.reshape(-1, 3)}) if len(corners) else None
