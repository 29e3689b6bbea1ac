# SPDX-License-Identifier: GPL-3.0-or-later
"""The first minute with Touchpoint as a moving picture, of pictures of the window. Started by tools/screenshots.py."""
import sys

import bpy
from harness import (
    click,
    context,
    find_property,
    key,
    open_sidebar,
    point_at_view,
    run,
    until,
    view3d,
    window,
    xdotool,
)
from shots import convert, cut, still, widen_sidebar
from touchpoint_panel import detect_by_mouse, made_by_touchpoint, result, scene

WIDTH, COLOURS = 800, 64
GLIDE = 4           # pictures of a moving view
GLIDING = "bl_ext.user_default.touchpoint.addon.views.gliding"
_frames = []        # (file, hundredths of a second, what stands below)


class Clock:
    """In the place of `time` where views are moved: a picture takes longer than the whole way."""

    now = 0.0           # seconds

    def perf_counter(self):
        return self.now


_clock = Clock()


def shot(said, hundredths):
    """A picture of the area of the 3D view, shown for so long."""
    name = f"frame_{len(_frames):02d}.png"
    cut(name, 256)
    _frames.append((name, hundredths, said))


def away():
    """The mouse to where it makes nothing light up."""
    xdotool("mousemove", 20, window().height - 20)


def glide(said, last):
    """Pictures of a view on its way to a pair, and of its end."""
    for _ in range(GLIDE):
        _clock.now += 1.0 / (1 + GLIDE)
        yield 0.3
        shot(said, 12)
    _clock.now += 1.0
    away()
    yield from still()
    shot(said, last)


def session():
    bpy.context.preferences.view.smooth_view = 1000
    sys.modules[GLIDING].time = _clock
    shot("N opens the sidebar: tab Touchpoint", 150)
    yield from open_sidebar("Touchpoint")
    yield from widen_sidebar(100)
    away()
    yield 1.0
    shot("N opens the sidebar: tab Touchpoint", 200)
    with context():
        bpy.ops.touchpoint.open_example(name="workshop")
    yield from until(lambda: "Mug" in " ".join(bpy.data.objects.keys()), 60)
    yield 2.0
    yield from open_sidebar("Touchpoint")
    view = view3d()[0].spaces.active
    view.show_gizmo = False
    view.region_3d.view_perspective = "CAMERA"
    with context():
        bpy.ops.view3d.view_center_camera()
    away()
    yield 3.0
    shot("Open Example: a workshop", 250)
    yield from detect_by_mouse()
    away()
    yield 1.0
    shot("Detect: what collides has the colour of its verdict", 300)

    click((yield from find_property("touchpoint.pair_index")))
    yield from until(lambda: scene().touchpoint.pair_index >= 0, 10)
    yield from glide("A click on a row: the pair, and where it meets", 250)
    for _ in range(2):
        before = scene().touchpoint.pair_index
        key("shift+alt+Down")
        yield from until(lambda: scene().touchpoint.pair_index != before, 10)  # noqa: B023
        yield from glide("Shift Alt Down: the next one", 200)
    key("shift+alt+BackSpace")
    yield from glide("Shift Alt Backspace: back to where one was", 150)
    with context():
        bpy.ops.touchpoint.clear()
    yield 1.0
    point_at_view()         # Blender moves what stands below a panel that has shrunk when something happens
    yield 1.0
    away()
    yield 1.0
    assert result().run_id == "" and made_by_touchpoint() == []
    shot("Clear: nothing is left", 250)
    make_film("first-minute.gif")


def make_film(name):
    """All frames, with what they say, as one GIF that begins anew."""
    parts = []
    for file, hundredths, said in _frames:
        convert(file, "-resize", f"{WIDTH}x", "-gravity", "South", "-background", "#222", "-splice", "0x32", "-font",
                "DejaVu-Sans", "-pointsize", 18, "-fill", "white", "-annotate", "+0+6", said, file)
        parts += ["-delay", str(hundredths), file]
    convert(*parts, "-loop", "0", "-dither", "none", "-colors", COLOURS, "-layers", "optimize", name)


run(session)
