# SPDX-License-Identifier: GPL-3.0-or-later
"""What the view shows of a chosen pair, in every shading mode and in quad view; keys, the way back, and that it goes.
"""
import os

import bpy
import gpu
import numpy as np
from harness import OUT, context, key, log, picture, run, until, view3d
from overlay_pixels import in_view_where
from shots import still, widen_sidebar
from touchpoint_panel import add_box, check_pair_is_in_sight, detect_by_mouse, result, scene

LARGE = 3000        # pixels: more than all squares of legends have


def in_view(name):
    """How much of a saved picture of the screen, in the 3D view, is clearly blue, clearly green, and white."""
    return in_view_where(
        name, lambda red, green, blue: (blue > 1.3 * green) & (blue > 1.9 * red) & (blue > 0.25),
        lambda red, green, blue: (green > 1.2 * red) & (green > 0.95 * blue) & (green > 0.25),
        lambda red, green, blue: np.minimum(np.minimum(red, green), blue) > 0.97)


def seen(name):
    view3d()[0].tag_redraw()
    yield 1.0
    picture(name)
    log(name, in_view(name))
    return in_view(name)


def choose(names):
    scene().touchpoint.pair_index = next(number for number, pair in enumerate(result().pairs)
                                         if {pair.object_a, pair.object_b} == names)
    yield 1.0


def look():
    """Where the 3D view looks from."""
    view = view3d()[0].spaces.active.region_3d
    return np.array([*view.view_location, *view.view_rotation, view.view_distance])


def by_keys(start):
    """Next, previous, and back to how it was before the first row."""
    index = scene().touchpoint.pair_index
    for name, expected in (("shift+alt+Down", index + 1), ("shift+alt+Up", index)):
        key(name)
        yield from until(lambda expected=expected: scene().touchpoint.pair_index == expected, 20)
    assert np.abs(look() - start).max() > 0.1
    key("shift+alt+BackSpace")
    yield from until(lambda: scene().touchpoint.pair_index == -1 and np.abs(look() - start).max() < 1e-3, 20)


def in_quad_view():
    """All four views look at the pair, beside the sidebar; only the one that can be turned is."""
    def rotations():
        return [tuple(each.view_rotation) for each in view3d()[0].spaces.active.region_quadviews]

    with context():
        bpy.ops.screen.region_quadview()
    yield 1.0
    before = rotations()
    yield from choose({"Crate", "Far"})
    yield from still()
    yield from seen("quad.png")
    assert check_pair_is_in_sight(scene().touchpoint.pair_index) == 4
    assert sum(was != now for was, now in zip(before, rotations())) <= 1
    with context():
        bpy.ops.screen.region_quadview()
    yield 1.0


def beside_a_wide_sidebar():
    """Of half of the view. Both objects are seen, though one of them hid the other from the side before."""
    region = view3d("UI")[1]
    yield from widen_sidebar(view3d()[1].width // 2 - region.width)
    yield from choose({"Crate", "Far"})
    yield from still()
    blue, green, _ = yield from seen("wide.png")
    assert min(blue, green) > LARGE, (blue, green)
    assert check_pair_is_in_sight(scene().touchpoint.pair_index) == 1
    yield from widen_sidebar(region.width - view3d()[1].width // 2)


def is_gone(colours, nothing, shown):
    """Whether no pair is drawn: no more of its colours is seen than without one. Mesa's Vulkan draws the lines of axes
    as green and red blocks, so that there it is a quarter of what was `shown` of the pair."""
    return colours <= nothing if gpu.platform.backend_type_get() == "OPENGL" else 4 * colours < shown


def after_loading(nothing, shown):
    """No pair is drawn then. A row of a result that came with the file shows its pair, too."""
    path = os.path.join(OUT, "overlay.blend")
    with context():
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
    yield 3.0
    assert len(result().pairs) and is_gone(min((yield from seen("loaded.png"))[:2]), max(nothing[:2]), shown)
    for names in ({"Slab", "Post"}, {"Crate", "Far"}):
        yield from choose(names)
        blue, green, white = yield from seen("loaded-" + "-".join(sorted(names)) + ".png")
        assert min(blue, green) > 200 + max(nothing[:2]) and white > nothing[2], (names, blue, green, white, nothing)


def session():
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    for name, low, high in (("Slab", (-3, -3, -1), (3, 3, 0)), ("Post", (-1, -1, -0.5), (0, 0, 2)),
                            ("Crate", (1, 0, 0), (2, 1, 1)), ("Core", (1.3, 0.3, 0.3), (1.7, 0.7, 0.7)),
                            ("Wall", (-4, -3.6, -1), (4, -3.2, 3)), ("Far", (2.2, 0, 0.4), (3, 1, 1.4))):
        add_box(name, low, high)
    scene().touchpoint.clearance = 0.5
    yield 0.5
    yield from detect_by_mouse()
    start = look()
    log([(pair.name, pair.verdict) for pair in result().pairs])
    nothing = yield from seen("nothing.png")
    for names in ({"Slab", "Post"}, {"Slab", "Crate"}, {"Crate", "Core"}, {"Crate", "Far"}):
        yield from choose(names)
        blue, green, white = yield from seen("-".join(sorted(names)) + ".png")
        assert min(blue, green) > 200 + max(nothing[:2]), (names, blue, green, nothing)
        assert white > nothing[2], (names, white, nothing)
    yield from by_keys(start)
    yield from in_quad_view()
    yield from choose({"Slab", "Post"})
    yield from beside_a_wide_sidebar()
    yield from choose({"Slab", "Post"})
    shading = view3d()[0].spaces.active.shading
    for kind in ("WIREFRAME", "MATERIAL", "RENDERED", "SOLID"):
        shading.type = kind
        yield 3.0
        blue, green, _ = yield from seen(f"{kind.lower()}.png")
        assert min(blue, green) > 200 + max(nothing[:2]), (kind, blue, green)
    shown = min(blue, green)
    yield from after_loading(nothing, shown)
    bpy.data.objects["Post"].location.x = 0.5
    yield from choose({"Slab", "Post"})
    assert is_gone((yield from seen("moved.png"))[1], nothing[1], shown)


run(session)
