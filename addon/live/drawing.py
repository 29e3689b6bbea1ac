# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws what Live found over the objects in 3D viewports. The graphics card keeps meshes while they are drawn."""
import importlib
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from mathutils import Color, Matrix

from ..overlay.eye import towards_eye
from .answer import Answer, Body

BODY_ALPHA = 0.55
LINE_COLOUR = (1.0, 1.0, 1.0, 1.0)
LINE_WIDTH = 2.0

_handle: Any = None
_batches: dict[int, tuple[np.ndarray, Any]] = {}    # by id of vertices, which are kept
_lines: tuple[Any, Any] = (None, None)              # what they were made of, and the batch


def start(answer: Callable[[bpy.types.Scene], Answer | None]) -> None:
    """Draw what `answer(scene)` returns, an Answer or None, whenever a viewport is drawn."""
    global _handle
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (answer,), "WINDOW", "POST_VIEW")


def stop() -> None:
    global _handle, _lines
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
    _handle, _lines = None, (None, None)
    _batches.clear()


def _draw(asked) -> None:
    context = bpy.context
    answer = asked(context.scene)
    if answer is None or not context.space_data.overlay.show_overlays:
        return
    gpu: Any = importlib.import_module("gpu")       # there is none without a window
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    with gpu.matrix.push_pop():
        gpu.matrix.load_matrix(towards_eye(context.region_data) @ gpu.matrix.get_model_view_matrix())
        _draw_bodies(gpu, answer)
        _draw_lines(gpu, answer, context.region)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _draw_bodies(gpu, answer: Answer) -> None:
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    wanted = {id(body.vertices) for body in answer.bodies}
    for gone in _batches.keys() - wanted:
        del _batches[gone]
    for body in answer.bodies:
        with gpu.matrix.push_pop():
            gpu.matrix.multiply_matrix(Matrix(body.pose.tolist()))
            colour: Any = Color(body.colour).from_scene_linear_to_srgb()
            shader.uniform_float("color", (*colour, BODY_ALPHA))
            _batch(shader, body).draw(shader)


def _batch(shader, body: Body):
    from gpu_extras.batch import batch_for_shader

    kept = _batches.get(id(body.vertices))
    if kept is None:
        content = {"pos": body.vertices.astype(np.float32)}
        made = batch_for_shader(shader, "TRIS", content, indices=body.triangles.astype(np.int32))
        kept = _batches[id(body.vertices)] = body.vertices, made
    return kept[1]


def _draw_lines(gpu, answer: Answer, region) -> None:
    global _lines
    from gpu_extras.batch import batch_for_shader

    if len(answer.lines) == 0:
        return
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    if _lines[0] is not answer.lines:
        _lines = answer.lines, batch_for_shader(shader, "LINES", {"pos": answer.lines.reshape(-1, 3)})
    shader.uniform_float("viewportSize", (region.width, region.height))
    shader.uniform_float("lineWidth", LINE_WIDTH)
    shader.uniform_float("color", LINE_COLOUR)
    _lines[1].draw(shader)
