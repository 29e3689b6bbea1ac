# SPDX-License-Identifier: GPL-3.0-or-later
"""A thin, safe layer over Blender's gpu module, 4.2 to 5.2, OpenGL and Vulkan: textures of float arrays, read-back,
counters, shaders, batches. Call it on the main thread only, within `Backend.drawing`.

Each rule here was learned from wrong numbers that came without an error; docs/gpu.md has them all.
"""
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...core.errors import TooLarge

FORMATS = {1: "R32F", 2: "RG32F", 4: "RGBA32F"}     # of as many columns; integers travel as floats, exact below 2^24
_shaders: dict[str, Any] = {}       # a shader that is collected while bound lets the next one run the old program


def gpu_module() -> Any:
    """Blender's gpu module."""
    import gpu

    return gpu


def max_side() -> int:
    """The most pixels along a side of a texture. Vulkan takes larger ones without a word."""
    return int(gpu_module().capabilities.max_texture_size_get())


def _check_side(width: int, height: int) -> None:
    if max(width, height) > max_side():
        raise TooLarge(f"The GPU takes textures of {max_side():,} pixels a side at most, and this scene needs "
                       f"{max(width, height):,}.")


def texture(values: np.ndarray) -> Any:
    """A texture of an array (h,w) or (h,w,c), c 1, 2 or 4, as float32; row 0 is the bottom. Raises TooLarge."""
    floats = np.ascontiguousarray(values, np.float32)       # a Buffer would reinterpret the bytes of other kinds
    height, width = floats.shape[:2]
    _check_side(width, height)
    columns = floats.shape[2] if floats.ndim == 3 else 1
    types = gpu_module().types
    return types.GPUTexture((width, height), format=FORMATS[columns],
                            data=types.Buffer("FLOAT", floats.size, floats.reshape(-1)))


def target(width: int, height: int, format: str) -> Any:
    """A texture to draw into. Raises TooLarge."""
    _check_side(width, height)
    return gpu_module().types.GPUTexture((width, height), format=format)


def counters(width: int, height: int) -> Any:
    """A texture of whole numbers (R32UI), all 0, for image atomics in shaders. Raises TooLarge."""
    image = target(width, height, "R32UI")
    image.clear(format="UINT", value=(0,))
    return image


def read(source: Any) -> np.ndarray:
    """(h,w) or (h,w,c): the pixels of a texture of floats, or of an R32UI one that was drawn into, not written with
    image atomics (`read_counters`)."""
    buffer = source.read()
    shape = list(buffer.dimensions)
    buffer.dimensions = int(np.prod(shape))     # arrays of more dimensions have wrong strides before 5.2
    return np.array(buffer).reshape(shape)


def read_counters(image: Any) -> np.ndarray:
    """(h,w) uint32: what shaders counted into `counters`. They are copied through a colour target: Python cannot issue
    the barrier that a plain read-back needs."""
    gpu = gpu_module()
    width, height = image.width, image.height
    copied = target(width, height, "R32UI")
    frame = gpu.types.GPUFrameBuffer(color_slots=(copied,))
    copy = shader("copy counters", _copy_shader)
    barrier()
    with frame.bind():
        gpu.state.viewport_set(0, 0, width, height)
        plain_state()
        copy.bind()
        copy.uniform_sampler("source", image)
        whole_screen().draw(copy)
    return read(copied).reshape(height, width).astype(np.uint32)


def barrier() -> None:
    """Order what shaders have written to images before what reads them: an empty dispatch ends with a barrier."""
    gpu_module().compute.dispatch(shader("nothing", _empty_shader), 1, 1, 1)


def shader(name: str, build: Callable[[], Any]) -> Any:
    """The shader with this name, built by build() -> GPUShaderCreateInfo at its first use, and kept."""
    if name not in _shaders:
        _shaders[name] = gpu_module().shader.create_from_info(build())
    return _shaders[name]


def batch(vertices: np.ndarray, triangles: np.ndarray | None = None) -> Any:
    """Triangles to be drawn. vertices: (n,3), or (n,2) for `pos` of two numbers, as float32. triangles: (k,3), None for
    vertices in their order. The caller keeps it; it is freed with its last reference."""
    types = gpu_module().types
    layout = types.GPUVertFormat()
    layout.attr_add(id="pos", comp_type="F32", len=vertices.shape[1], fetch_mode="FLOAT")
    corners = types.GPUVertBuf(layout, len(vertices))
    corners.attr_fill("pos", np.ascontiguousarray(vertices, np.float32))
    if triangles is None:
        return types.GPUBatch(type="TRIS", buf=corners)
    index = types.GPUIndexBuf(type="TRIS", seq=np.ascontiguousarray(triangles, np.int32))
    return types.GPUBatch(type="TRIS", buf=corners, elem=index)


def whole_screen() -> Any:
    """One triangle over the whole viewport, `pos` of two numbers."""
    return batch(np.array([[-1, -1], [3, -1], [-1, 3]], np.float32))


def plain_state() -> None:
    """No blending, no depth, no culling."""
    state = gpu_module().state
    state.blend_set("NONE")
    state.depth_test_set("NONE")
    state.depth_mask_set(False)
    state.face_culling_set("NONE")


@contextmanager
def saved_state() -> Iterator[None]:
    """Blender draws with the same global state: give it back as it was."""
    state = gpu_module().state
    blend, depth, mask, view = state.blend_get(), state.depth_test_get(), state.depth_mask_get(), state.viewport_get()
    try:
        yield
    finally:
        state.blend_set(blend)
        state.depth_test_set(depth)
        state.depth_mask_set(mask)
        state.face_culling_set("NONE")
        state.color_mask_set(True, True, True, True)
        state.viewport_set(*view)
        gpu_module().shader.unbind()


def forget_shaders() -> None:
    """Free all shaders; none is bound then."""
    if _shaders:
        gpu_module().shader.unbind()
        _shaders.clear()


def _empty_shader() -> Any:
    info = gpu_module().types.GPUShaderCreateInfo()
    info.local_group_size(1, 1, 1)
    info.compute_source("void main() {}")
    return info


def _copy_shader() -> Any:
    info = gpu_module().types.GPUShaderCreateInfo()
    info.vertex_in(0, "VEC2", "pos")
    info.sampler(0, "UINT_2D", "source")
    info.fragment_out(0, "UINT", "value")
    info.vertex_source("void main() { gl_Position = vec4(pos, 0.0, 1.0); }")
    info.fragment_source("void main() { value = texelFetch(source, ivec2(gl_FragCoord.xy), 0).r; }")
    return info
