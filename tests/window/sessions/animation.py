# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation on the bullets: the panel, the answer, keys through the timeline, a row, Esc, undo."""
import os
import sys

import bpy
import numpy as np
from harness import OUT, context, key, log, open_sidebar, picture, press_button, run, until, view3d, window
from touchpoint_panel import check_nothing_is_left, colours, press_undo, result, running, scene

PANEL = "bl_ext.user_default.touchpoint.addon.panels.animation"
RESULTS = PANEL.replace("animation", "results")


def frame():
    return round(scene().frame_current_final, 3)


def markers():
    return sorted((each.frame, each.name) for each in scene().timeline_markers)


def have_the_panel_open():
    """It is closed until somebody clicks on its header, where it is drawn for the first time."""
    panel = sys.modules[PANEL].TOUCHPOINT_PT_animation
    bpy.utils.unregister_class(panel)
    panel.bl_options = set()
    bpy.utils.register_class(panel)


def red_in_timelines(name):
    """How much of a saved picture of the screen, in the Dope Sheets, has the red of what collides."""
    image = bpy.data.images.load(os.path.join(OUT, name))
    width, height = image.size
    pixels = np.zeros(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    red = np.abs(pixels.reshape(height, width, 4)[:, :, :3] - (0.735, 0.152, 0.462)).max(axis=2) < 0.02
    areas = [each for each in window().screen.areas if each.type == "DOPESHEET_EDITOR"]
    return sum(int(np.count_nonzero(red[each.y:each.y + each.height, each.x:each.x + each.width])) for each in areas)


def names_in_the_list():
    """What the rows of the list say of the pairs, as they are drawn next."""
    results, names = sys.modules[RESULTS], []
    draw = results.draw_columns
    results.draw_columns = lambda layout, widths, name, *more: (names.append(name), draw(layout, widths, name, *more))
    area, _ = view3d()
    area.tag_redraw()
    yield from until(lambda: len(names) >= len(result().pairs), 20)
    results.draw_columns = draw
    return set(names)


def look_at_strips():
    """A line in the small timeline, rows in a large Dope Sheet, neither when switched off."""
    small = red_in_timelines("checked.png")
    area, _ = view3d()
    area.type = "DOPESHEET_EDITOR"
    yield 1.0
    picture("strips.png")
    large = red_in_timelines("strips.png")
    scene().touchpoint.animation.strips = False
    yield 1.0
    picture("no_strips.png")
    log("red of the timelines", small, large, red_in_timelines("no_strips.png"))
    assert 50 < small < large and red_in_timelines("no_strips.png") == 0
    scene().touchpoint.animation.strips = True
    area.type = "VIEW_3D"
    yield from open_sidebar("Touchpoint")


def curve_and_keys(pair):
    """Both are written on request, and one undo each takes them away."""
    def actions():
        return sorted(each.name for each in bpy.data.actions)

    before = actions()
    with context():
        bpy.ops.touchpoint.gap_curve("INVOKE_DEFAULT")
    yield from until(lambda: not running() and len(actions()) > len(before), 60)
    assert actions() == sorted([*before, f"Touchpoint Gap {pair}"]) and frame() == 26
    assert bpy.data.objects[f"Touchpoint Gap {pair}"]["gap"] < 0.0
    key("ctrl+z")
    yield from until(lambda: actions() == before, 20)
    with context():
        bpy.ops.touchpoint.bake_colours("INVOKE_DEFAULT")
    yield from until(lambda: len(actions()) > len(before), 20)
    scene().frame_set(26)       # where the undo did not leave it
    assert bpy.data.objects["Wall"].color[0] < 1.0
    key("ctrl+z")
    yield from until(lambda: actions() == before, 20)


def session():
    before = colours()
    scene().frame_set(3)
    scene().touchpoint.animation.continuous = True
    have_the_panel_open()
    yield from open_sidebar("Touchpoint")
    yield from press_button("touchpoint.check_animation")
    yield from until(lambda: running() or result().animated, 60)
    picture("checking.png")
    yield from until(lambda: not running() and result().animated, 300)
    yield 1.0
    picture("checked.png")
    log(result().headline, result().tested, [(pair.name, pair.when) for pair in result().pairs])
    assert len(result().pairs) == 7 and frame() == 3 and len(markers()) == 7
    names = yield from names_in_the_list()
    log("names", names, view3d("UI")[1].width)
    whole = {pair.name for pair in result().pairs} & names      # in the sidebar as Blender opens it
    assert len(whole) >= 6 and all("Wall" in each or "Pin" in each for each in names)
    yield from look_at_strips()

    for wanted in (6.58, 10.43):        # blades meet the pin in between
        while frame() < wanted - 0.01:
            last = frame()
            key("shift+alt+Right")
            yield from until(lambda last=last: frame() > last, 20)
        assert abs(frame() - wanted) < 0.01, frame()
    yield 0.5
    picture("next.png")
    key("shift+alt+Left")
    yield from until(lambda: frame() < 10.4, 20)

    rows = {pair.name: number for number, pair in enumerate(result().pairs)}
    scene().touchpoint.pair_index = rows["Slug × Wall"]
    yield from until(lambda: frame() == 26, 20)
    yield 0.5
    picture("row.png")
    assert tuple(bpy.data.objects["Slug"].color) != before["Slug"]
    yield from curve_and_keys("Slug × Wall")
    scene().frame_set(28)
    assert colours()["Slug"] == before["Slug"]

    yield from press_undo()
    check_nothing_is_left(before)
    assert markers() == [] and len(result().pairs) == 0

    scene().touchpoint.animation.step = 0.05        # long enough that there is time for Esc
    yield from press_button("touchpoint.check_animation")
    yield from until(lambda: running() and bpy.context.window_manager.touchpoint.fraction > 0.2, 60)
    key("Escape")
    yield from until(lambda: not running(), 60)
    yield 0.5
    picture("cancelled.png")
    log(result().headline, result().tested)
    assert result().animated and result().partial


run(session)
