# SPDX-License-Identifier: GPL-3.0-or-later
"""`GpuRaster`: the port `core.image_space.port.Raster` on the GPU.

Pairs of one call share an atlas: each has a square of it, which is its viewport. Blender's Python has no stencil and no
layers; a second pass adds up what is behind the depths of the first one, and a third counts pixels per class. One
read-back brings the counts of all pairs.
"""
from typing import Any

import numpy as np

from ...core.image_space.port import CLASSES
from ...core.records import Drawn
from . import layer
from .backend import Backend

MOST_PAIRS = 256        # of one call: a few hundredths of a second, also where the processor draws
ATLAS_SIDE = 1024       # pixels
GROUP_SIDE = 8               # pixels along a side of what one group of threads counts


class GpuRaster:
    """See `core.image_space.port.Raster`. Textures are kept from call to call."""

    on_main_thread = True

    def __init__(self, backend: Backend):
        self._backend = backend
        self._atlas: tuple[int, int, Any, Any, Any, Any] | None = None

    def cells(self, side: int) -> int:
        return min(MOST_PAIRS, max(1, ATLAS_SIDE // side) ** 2)

    def free(self) -> None:
        """Drop what is kept on the GPU."""
        self._atlas = None

    def classes(self, first: Drawn, second: Drawn, side: int) -> np.ndarray:
        pairs = len(first.start) - 1
        if pairs == 0:
            return np.zeros((0, CLASSES), np.int64)
        with self._backend.drawing():
            columns = max(1, ATLAS_SIDE // side)
            depth, count, depth_frame, count_frame = self._targets(side, columns, -(-self.cells(side) // columns))
            gpu = layer.gpu_module()
            with depth_frame.bind():
                gpu.state.viewport_set(0, 0, depth.width, depth.height)
                depth_frame.clear(depth=1.0)
                layer.plain_state()
                gpu.state.depth_test_set("LESS")
                gpu.state.depth_mask_set(True)
                gpu.state.face_culling_set("BACK")
                _draw(first, side, columns, layer.shader("raster: depth", _depth_shader))
            with count_frame.bind():
                gpu.state.viewport_set(0, 0, depth.width, depth.height)
                count_frame.clear(color=(0.0, 0.0, 0.0, 0.0))
                layer.plain_state()
                gpu.state.blend_set("ADDITIVE")
                _draw(second, side, columns, layer.shader("raster: count", _count_shader), depth)
                layer.plain_state()
            return _counted(depth, count, side, columns, pairs)

    def _targets(self, side: int, columns: int, rows: int) -> tuple[Any, Any, Any, Any]:
        """The atlas of depths, that of counts, and a frame buffer for each."""
        if self._atlas is None or self._atlas[:2] != (side, rows):
            depth = layer.target(side * columns, side * rows, "DEPTH_COMPONENT32F")
            count = layer.target(side * columns, side * rows, "R16F")
            types = layer.gpu_module().types
            self._atlas = (side, rows, depth, count, types.GPUFrameBuffer(depth_slot=depth),
                           types.GPUFrameBuffer(color_slots=(count,)))
        return self._atlas[2:]


def _draw(drawn: Drawn, side: int, columns: int, shader: Any, depth: Any = None) -> None:
    """Draw one body of each pair into its square."""
    if len(drawn.corners) == 0:
        return
    state, triangles = layer.gpu_module().state, layer.batch(drawn.corners.reshape(-1, 3))
    shader.bind()
    if depth is not None:
        shader.uniform_sampler("depths", depth)
    for k, (begin, end) in enumerate(zip(drawn.start[:-1].tolist(), drawn.start[1:].tolist())):
        if begin < end:
            state.viewport_set(side * (k % columns), side * (k // columns), side, side)
            triangles.draw_range(shader, elem_start=3 * begin, elem_count=3 * (end - begin))


def _counted(depth: Any, count: Any, side: int, columns: int, pairs: int) -> np.ndarray:
    """(pairs,CLASSES) int64."""
    numbers = layer.counters(CLASSES, pairs)
    shader = layer.shader("raster: classes", _classes_shader)
    shader.bind()
    shader.uniform_int("layout_of", [side, columns, pairs])
    shader.uniform_sampler("depths", depth)
    shader.uniform_sampler("counts", count)
    shader.image("numbers", numbers)
    rows = -(-pairs // columns)
    layer.gpu_module().compute.dispatch(shader, -(-side * columns // GROUP_SIDE), -(-side * rows // GROUP_SIDE), 1)
    return layer.read_counters(numbers).astype(np.int64)


def _depth_shader() -> Any:
    info = layer.gpu_module().types.GPUShaderCreateInfo()
    info.vertex_in(0, "VEC3", "pos")
    info.vertex_source("void main() { gl_Position = vec4(pos, 1.0); }")
    info.fragment_source("void main() {}")
    return info


def _count_shader() -> Any:
    info = layer.gpu_module().types.GPUShaderCreateInfo()
    info.vertex_in(0, "VEC3", "pos")
    info.sampler(0, "DEPTH_2D", "depths")
    info.fragment_out(0, "VEC4", "value")
    info.vertex_source("void main() { gl_Position = vec4(pos, 1.0); }")
    info.fragment_source("""void main() {
        float first = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r;
        if (first >= 1.0) discard;
        bool behind = gl_FrontFacing ? gl_FragCoord.z > first : gl_FragCoord.z >= first;
        value = vec4(behind ? 1.0 : 0.0, 0.0, 0.0, 1.0);
    }""")
    return info


def _classes_shader() -> Any:
    info = layer.gpu_module().types.GPUShaderCreateInfo()
    info.sampler(0, "DEPTH_2D", "depths")
    info.sampler(1, "FLOAT_2D", "counts")
    info.image(0, "R32UI", "UINT_2D_ATOMIC", "numbers", qualifiers={"READ", "WRITE"})
    info.push_constant("IVEC3", "layout_of")
    info.local_group_size(GROUP_SIDE, GROUP_SIDE, 1)
    info.compute_source("""void main() {
        ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
        int column = pixel.x / layout_of.x;
        int pair = column + layout_of.y * (pixel.y / layout_of.x);
        if (column >= layout_of.y || pair >= layout_of.z) return;
        int kind = 0;
        if (texelFetch(depths, pixel, 0).r < 1.0) {
            kind = min(1 + int(texelFetch(counts, pixel, 0).r + 0.5), 3);
        }
        imageAtomicAdd(numbers, ivec2(kind, pair), 1u);
    }""")
    return info
