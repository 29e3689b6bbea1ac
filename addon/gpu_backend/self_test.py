# SPDX-License-Identifier: GPL-3.0-or-later
"""Known numbers that a GPU has to give before any method trusts it."""
from typing import Any

import numpy as np

from . import layer

GROUPS, GROUP_THREADS = 5, 64       # threads that count: 320
TEST_SIDE = 8                    # pixels


def wrong_numbers() -> str:
    """What comes out wrong on this GPU, "" where nothing does."""
    with layer.saved_state():
        if _counted() != GROUPS * GROUP_THREADS:
            return "it does not count right"
        values = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)
        if not np.array_equal(layer.read(layer.texture(values)), values):
            return "textures do not come back as they were"
        if not np.array_equal(_drawn(), np.tri(TEST_SIDE)[::-1] * 2.0):
            return "triangles do not cover the pixels that they should"
    return ""


def _counted() -> int:
    """What as many threads add up, one each."""
    image = layer.counters(1, 1)
    count = layer.shader("self-test: count", _count_shader)
    count.bind()
    count.image("number", image)
    layer.gpu_module().compute.dispatch(count, GROUPS, 1, 1)
    return int(layer.read_counters(image)[0, 0])


def _drawn() -> np.ndarray:
    """A triangle over one half of a square, drawn twice, added: pixels below the diagonal are 2, and those on it,
    whose centres are inside."""
    gpu = layer.gpu_module()
    picture = layer.target(TEST_SIDE, TEST_SIDE, "R16F")
    frame = gpu.types.GPUFrameBuffer(color_slots=(picture,))
    one = layer.shader("self-test: one", _one_shader)
    half = layer.batch(np.array([[-1, -1], [1.1, -1], [-1, 1.1]], np.float32))
    with frame.bind():
        gpu.state.viewport_set(0, 0, TEST_SIDE, TEST_SIDE)
        frame.clear(color=(0.0, 0.0, 0.0, 0.0))
        layer.plain_state()
        gpu.state.blend_set("ADDITIVE")
        one.bind()
        for _ in range(2):
            half.draw(one)
        gpu.state.blend_set("NONE")
    return layer.read(picture).reshape(TEST_SIDE, TEST_SIDE)


def _count_shader() -> Any:
    info = layer.gpu_module().types.GPUShaderCreateInfo()
    info.image(0, "R32UI", "UINT_2D_ATOMIC", "number", qualifiers={"READ", "WRITE"})
    info.local_group_size(GROUP_THREADS, 1, 1)
    info.compute_source("void main() { imageAtomicAdd(number, ivec2(0), 1u); }")
    return info


def _one_shader() -> Any:
    info = layer.gpu_module().types.GPUShaderCreateInfo()
    info.vertex_in(0, "VEC2", "pos")
    info.fragment_out(0, "VEC4", "value")
    info.vertex_source("void main() { gl_Position = vec4(pos, 0.0, 1.0); }")
    info.fragment_source("void main() { value = vec4(1.0); }")
    return info
