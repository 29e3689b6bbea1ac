# SPDX-License-Identifier: GPL-3.0-or-later
"""Live in the workshop: the switch, dragging, undo, off; then another file, and playing until something collides."""
import os
import subprocess
import sys
import time

import bpy
import numpy as np
from harness import (
    OUT,
    context,
    log,
    note,
    open_sidebar,
    picture,
    point_at_view,
    run,
    until,
    view3d,
    window,
    xdotool,
)
from touchpoint_panel import check_nothing_is_left, colours, press_undo, scene

ENGINE = "bl_ext.user_default.touchpoint.addon.live.engine"
STEPS = 150         # of the mouse, while it drags
OTHER = sys.argv[-1]


def engine():
    return sys.modules[ENGINE]


def switch(on):
    bpy.context.window_manager.touchpoint.live = on


def found():
    """What Live says, "" before it says anything."""
    answer = engine().answer()
    return answer.headline if answer else ""


def red(name):
    """How many pixels of a saved picture of the screen have the hue of a crossing, in the 3D view."""
    image = bpy.data.images.load(os.path.join(OUT, name))
    width, height = image.size
    pixels = np.zeros(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    area, _ = view3d()
    here = pixels.reshape(height, width, 4)[area.y:area.y + area.height, area.x:area.x + area.width // 2]
    return int(np.count_nonzero((here[:, :, 0] - here[:, :, 1] > 0.2) & (here[:, :, 0] > here[:, :, 2])))


def drag(each, title):
    """Move an object with the mouse, and say how often Blender drew and Live answered meanwhile."""
    for other in scene().objects:
        other.select_set(other == each)
    bpy.context.view_layer.objects.active = each
    draws = []
    handle = bpy.types.SpaceView3D.draw_handler_add(lambda: draws.append(engine()._live and engine()._live.number), (),
                                                    "WINDOW", "POST_PIXEL")
    point_at_view()
    yield 0.3
    xdotool("key", "g")
    yield 0.3
    _, region = view3d()
    x, y = region.x + region.width // 3, window().height - region.y - region.height // 2
    moves = [str(word) for step in range(STEPS)
             for word in ("mousemove", x + step, y + step % 20, "sleep", 0.02)]
    draws.clear()
    start = time.perf_counter()
    mouse = subprocess.Popen(["xdotool", *moves])
    while mouse.poll() is None:
        yield 0.02
    seconds = time.perf_counter() - start
    bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    answers = len(set(draws)) - 1
    log(f"{title}: {len(draws) / seconds:.1f} redraws and {answers / seconds:.1f} answers in a second")
    note(f"redraws per second, {title}", len(draws) / seconds)
    note(f"answers per second, {title}", answers / seconds)
    return len(draws), answers


def session():
    before = colours()
    yield from open_sidebar("Touchpoint")
    picture("live_before.png")
    switch(True)
    yield from until(found, 120)
    yield 1.0
    picture("live.png")
    said = found()
    log(said, engine().answer().rows, red("live_before.png"), red("live.png"))
    assert said == "14 pairs collide; 15 touch" and red("live.png") > 3 * red("live_before.png") + 1000

    yield from drag(bpy.data.objects["Radiator"], "live")
    picture("live_dragging.png")
    xdotool("click", "1")
    yield from until(lambda: found() and found() != said, 20)
    log(found())
    yield from press_undo()
    yield from until(lambda: found() == said, 20)
    yield 1.0
    number = engine()._live.number
    yield 1.0
    assert engine()._live.number == number      # nothing changes, nothing is asked

    switch(False)
    yield from until(lambda: not engine().is_on(), 20)
    yield 1.0
    picture("live_off.png")
    assert red("live_off.png") <= 1.1 * red("live_before.png") + 100
    check_nothing_is_left(before)
    yield from drag(bpy.data.objects["Radiator"], "without")
    xdotool("key", "Escape")
    yield 0.5

    switch(True)
    bpy.ops.wm.open_mainfile(filepath=OTHER)
    yield from until(lambda: "Slug" in bpy.data.objects, 30)
    yield 1.0
    assert not engine().is_on()
    manager = bpy.context.window_manager.touchpoint
    manager.live = manager.stop_at_contact = True
    scene().frame_set(12)
    yield from until(lambda: found() and not engine()._live.marked, 60)
    yield 1.0
    log(found())
    with context():
        bpy.ops.screen.animation_play()
    yield from until(lambda: not window().screen.is_animation_playing, 120)
    yield 1.0
    picture("live_stopped.png")
    log("stopped at", scene().frame_current, found(), engine().answer().colliding)
    assert engine().answer().colliding and scene().frame_current in (25, 26, 27)


run(session)
