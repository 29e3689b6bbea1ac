# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a pair and what is around it into pixels, with the overlay's own painting."""
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from mathutils import Matrix

from ..gpu_backend import layer
from ..overlay.eye import NEARER
from ..overlay.painting import Painting
from ..overlay.picture import Picture
from ..preferences import pair_colours
from .camera import Camera

if TYPE_CHECKING:
    from ...core.scene import Scene

PICTURE_SIDE = 640          # pixels of a picture, both ways
FINER = 2           # as many pixels are drawn for each, both ways, so that edges are smooth
BACKGROUND = (0.20, 0.20, 0.20)     # sRGB, what everything but the pair fades to


class Offscreen:
    """Draws pictures of one report. Meshes stay on the GPU from picture to picture."""

    def __init__(self) -> None:
        self._batches: dict[int, Any] = {}      # by mesh
        self._targets: tuple[Any, Any, Any] | None = None

    def draw(self, picture: Picture, core: "Scene", indices: np.ndarray, camera: Camera, reach: float) -> np.ndarray:
        """(n,n,3) uint8, n = PICTURE_SIDE, the top row first. core: Scene; indices: its objects to be drawn; reach:
        how far from the camera's centre they go. Within `Backend.drawing`."""
        gpu, size = layer.gpu_module(), PICTURE_SIDE * FINER
        colours, _, frame = self._made(size)
        view, clip = camera.to_view(), camera.to_clip(reach)
        with frame.bind():
            gpu.state.viewport_set(0, 0, size, size)
            frame.clear(color=(*BACKGROUND, 1.0), depth=1.0)
            self._draw_solids(core, indices, view, clip, camera.centre)
            with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
                gpu.matrix.load_matrix(Matrix.Scale(NEARER, 4) @ Matrix(view.tolist()))
                gpu.matrix.load_projection_matrix(Matrix(clip.tolist()))
                painting = Painting(around(picture, camera.centre), pair_colours())
                painting.draw((size, size), BACKGROUND, FINER)
            layer.plain_state()
        return _smoothed(layer.read(colours)[:, :, :3])

    def _made(self, size: int) -> tuple[Any, Any, Any]:
        """What is drawn into: colours, depths and their frame buffer."""
        if self._targets is None:
            colours, depths = layer.target(size, size, "RGBA16F"), layer.target(size, size, "DEPTH_COMPONENT32F")
            frame = layer.gpu_module().types.GPUFrameBuffer(color_slots=(colours,), depth_slot=depths)
            self._targets = colours, depths, frame
        return self._targets

    def _draw_solids(self, core, indices: np.ndarray, view: np.ndarray, clip: np.ndarray, centre: np.ndarray) -> None:
        state, solid = layer.gpu_module().state, layer.shader("picture: solid", _solid_shader)
        layer.plain_state()
        state.depth_test_set("LESS_EQUAL")
        state.depth_mask_set(True)
        solid.bind()
        for index in indices.tolist():
            mesh = int(core.layout.mesh[index])
            if mesh not in self._batches:
                self._batches[mesh] = layer.batch(core.meshes[mesh].vertices, core.meshes[mesh].triangles)
            pose = core.poses[index].copy()
            pose[:3, 3] -= centre
            solid.uniform_float("to_view", Matrix((view @ pose).tolist()))
            solid.uniform_float("to_clip", Matrix(clip.tolist()))
            self._batches[mesh].draw(solid)


def around(picture: Picture, centre: np.ndarray) -> Picture:
    """A picture with the centre as its origin."""
    def moved(places: np.ndarray) -> np.ndarray:
        return (places - centre).astype(np.float32)

    return replace(picture, tints=[replace(each, vertices=moved(each.vertices)) for each in picture.tints],
                   lines=moved(picture.lines), points=moved(picture.points), patches=moved(picture.patches),
                   arrow=moved(picture.arrow))


def _smoothed(colours: np.ndarray) -> np.ndarray:
    """(n,n,3) uint8, the top row first, n = PICTURE_SIDE, of (n·FINER,n·FINER,3) from 0 to 1, the bottom row first."""
    mean = colours.reshape(PICTURE_SIDE, FINER, PICTURE_SIDE, FINER, 3).mean(axis=(1, 3), dtype=np.float32)
    return (255.0 * np.clip(mean[::-1], 0.0, 1.0) + 0.5).astype(np.uint8)


def _solid_shader() -> Any:
    """Grey, the brighter the more a surface faces the eye. The normal is that of the triangle that is drawn."""
    types = layer.gpu_module().types
    between = types.GPUStageInterfaceInfo("touchpoint_picture_solid")
    between.smooth("VEC3", "seen")
    info = types.GPUShaderCreateInfo()
    info.push_constant("MAT4", "to_view")
    info.push_constant("MAT4", "to_clip")
    info.vertex_in(0, "VEC3", "pos")
    info.vertex_out(between)
    info.fragment_out(0, "VEC4", "colour")
    info.vertex_source("""void main() {
        vec4 place = to_view * vec4(pos, 1.0);
        seen = place.xyz;
        gl_Position = to_clip * place;
    }""")
    info.fragment_source("""void main() {
        vec3 across = cross(dFdx(seen), dFdy(seen));
        float facing = abs(across.z) / max(length(across), 1e-30);
        colour = vec4(vec3(0.30 + 0.55 * facing), 1.0);
    }""")
    return info
