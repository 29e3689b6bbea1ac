# SPDX-License-Identifier: GPL-3.0-or-later
"""Paints pictures of pairs into an off-screen buffer and prints as JSON which colours came of it. A process of its own:
where there is no graphics driver, Blender dies. Run by test_overlay.py with a name of a painting below."""
import json
import os
import sys

import bpy
import gpu
import numpy as np
from mathutils import Matrix

SIZE = 200
OTHER_COLOURS = {"a": (0.75, 0.25, 0.5), "b": (1.0, 0.75, 0.25)}


def triangle(z, half=0.8):
    return np.array([[(-half, -half, z), (half, -half, z), (0, half, z)]], np.float32)


def start():
    """A context for drawing without a window."""
    if hasattr(gpu, "init"):
        gpu.init()
        return
    scene = bpy.context.scene       # a render makes one
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x = scene.render.resolution_y = 16
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    bpy.ops.render.render()


def painted(picture, wall=None, steep=0.0, colours=None):
    """(SIZE,SIZE,4) float32: a picture on black, looked at along -z; a grey wall at that z hides what is behind it.
    steep: how much nearer the wall comes above and below its middle, by the way there. colours: of the pair, None for
    the usual ones."""
    from gpu_extras.batch import batch_for_shader
    from touchpoint.addon.default_colours import PAIR_COLOURS
    from touchpoint.addon.overlay.painting import Painting

    screen = gpu.types.GPUOffScreen(SIZE, SIZE, format="RGBA16F")
    with screen.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_matrix(Matrix.Identity(4))
        gpu.matrix.load_projection_matrix(Matrix.Diagonal((1, 1, -1, 1)))
        frame = gpu.state.active_framebuffer_get()
        frame.clear(color=(0, 0, 0, 1), depth=1.0)
        if wall is not None:
            shader = gpu.shader.from_builtin("UNIFORM_COLOR")
            gpu.state.depth_test_set("LESS_EQUAL")
            gpu.state.depth_mask_set(True)
            shader.uniform_float("color", (0.5, 0.5, 0.5, 1))
            half = [(-4, 0, wall), (4, 0, wall), (0, 4, wall + 4 * steep)]
            other = [(x, -y, z) for x, y, z in half]
            batch_for_shader(shader, "TRIS", {"pos": half + other}).draw(shader)
        Painting(picture, colours or PAIR_COLOURS).draw((SIZE, SIZE), (0.0, 0.0, 0.0))
        read = frame.read_color(0, 0, SIZE, SIZE, 4, 0, "FLOAT")
        read.dimensions = SIZE * SIZE * 4
    colours = np.array(read, np.float32).reshape(SIZE, SIZE, 4)
    screen.free()
    return colours


def legend(painting, *what):
    """The same of a legend alone, in pixels. painting: its class; what: it is made of."""
    screen = gpu.types.GPUOffScreen(SIZE, SIZE, format="RGBA16F")
    with screen.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_matrix(Matrix.Identity(4))
        gpu.matrix.load_projection_matrix(Matrix.Translation((-1, -1, 0)) @ Matrix.Diagonal((2 / SIZE, 2 / SIZE, 1, 1)))
        frame = gpu.state.active_framebuffer_get()
        frame.clear(color=(0, 0, 0, 1), depth=1.0)
        painting(*what).draw(0.0, 0.8)
        read = frame.read_color(0, 0, SIZE, SIZE, 4, 0, "FLOAT")
        read.dimensions = SIZE * SIZE * 4
    colours = np.array(read, np.float32).reshape(SIZE, SIZE, 4)
    screen.free()
    return colours


def paintings():
    """Name → colours."""
    from touchpoint.addon.default_colours import PAIR_COLOURS
    from touchpoint.addon.heat_map.colours import colours_of, legend_of
    from touchpoint.addon.heat_map.legend_painting import LegendPainting
    from touchpoint.addon.heat_map.measuring import HeatMap, Side
    from touchpoint.addon.overlay.names_painting import NamesPainting
    from touchpoint.addon.overlay.painting import MOST_WIDE
    from touchpoint.addon.overlay.picture import Heat, Picture, Tint

    def tint(side, **how):
        corners = np.arange(3, dtype=np.int32)[None, ::-1 if how.pop("from_behind", False) else 1]
        return Tint(triangle(0.0)[0], corners, np.ones(1, np.float32), side, **{"seen": 0.85, "hidden": 0.1, **how})

    line = np.array([[(-0.5, 0, 0), (0.5, 0, 0)]], np.float32)
    yield "nothing", painted(Picture())
    for side in "ab":
        yield side, painted(Picture(tints=[tint(side)]))
        yield f"{side} behind", painted(Picture(tints=[tint(side)]), wall=0.5)
    for turn in (False, True):
        for wall in (None, 0.5):
            name = ("inside" if turn else "outside") + ("" if wall is None else " behind")
            yield f"around, from {name}", painted(Picture(tints=[tint("a", one_sided=True, from_behind=turn)]), wall)
    yield "line", painted(Picture(lines=line))
    yield "line behind", painted(Picture(lines=line), wall=0.5)
    inside = Picture([tint("a")], lines=line - np.float32((0, 0, 0.5)), patches=triangle(-0.5, 0.2))
    yield "inside", painted(inside, wall=-0.1)
    yield "line in a valley", painted(Picture(lines=line), wall=0.0, steep=2.0)
    yield "point in a valley", painted(Picture(points=np.zeros((1, 3), np.float32)), wall=0.0, steep=2.0)
    yield "many lines", painted(Picture(lines=np.repeat(line, MOST_WIDE + 1, axis=0)))
    yield "arrow behind", painted(Picture(arrow=line), wall=0.5)
    yield "patch", painted(Picture(patches=triangle(0.0)))
    yield "patch behind", painted(Picture(patches=triangle(0.0)), wall=0.5)
    yield "point", painted(Picture(points=np.zeros((1, 3), np.float32)))
    yield "many points", painted(Picture(points=np.zeros((MOST_WIDE + 1, 3), np.float32)))
    for name, distance in (("apart", 1.0), ("inside", -1.0)):
        at = np.full(3, distance)
        heat = Heat(triangle(0.0), colours_of(at, 1.0)[None], (at < 0.0)[None])
        yield f"heat {name}", painted(Picture(heat=[heat]))
        yield f"heat {name} behind", painted(Picture(heat=[heat]), wall=0.5)
    heat = HeatMap([Side(np.zeros((1, 3)), np.zeros((0, 3)), np.full(1, -1.0))], 1.0)
    yield "legend", legend(LegendPainting, legend_of(heat, str))
    yield "names", legend(NamesPainting, Picture(title="Crossing", names=[("a", "Mannequin"), ("b", "Mug")]),
                          PAIR_COLOURS)
    yield "names in other colours", legend(NamesPainting, Picture(title="Crossing", names=[("a", "Mannequin")]),
                                           OTHER_COLOURS)
    yield "other colours", painted(Picture(tints=[tint("a")]), colours=OTHER_COLOURS)
    yield "other colours behind", painted(Picture(tints=[tint("a")]), wall=0.5, colours=OTHER_COLOURS)
    yield "wall", painted(Picture(), wall=0.5)


if __name__ == "__main__":
    start()
    found = {}
    for name, colours in paintings():
        if len(sys.argv) > 1:
            image = bpy.data.images.new(name, SIZE, SIZE)
            image.pixels.foreach_set(colours.ravel())
            image.filepath_raw = os.path.join(sys.argv[1], f"{name}.png")
            image.file_format = "PNG"
            image.save()
        values, counts = np.unique(np.round(colours[:, :, :3].reshape(-1, 3), 2), axis=0, return_counts=True)
        most = np.argsort(-counts)[:6]
        found[name] = [[values[each].tolist(), int(counts[each])] for each in most]
    print(json.dumps(found), flush=True)
    os._exit(0)
