# SPDX-License-Identifier: GPL-3.0-or-later
"""Esc during a long run: it ends soon, what was found is kept and called partial, undo removes it. Esc of a move is
the move's, not the run's."""
import sys
import time

import bpy
from harness import key, log, note, open_sidebar, picture, run, until, window, xdotool
from touchpoint_panel import (
    add_heavy_scene,
    check_nothing_is_left,
    colours,
    press_undo,
    result,
    running,
    start_detect,
)


def is_moving():
    return any(each.bl_idname == "TRANSFORM_OT_translate" for each in window().modal_operators)


def escape_of_a_move():
    wave = bpy.data.objects["Wave 0"]
    wave.select_set(True)
    key("g")
    yield from until(is_moving, 20)
    xdotool("key", "Escape")
    yield from until(lambda: not is_moving(), 20)
    asked = next(module for name, module in sys.modules.items() if name.endswith("touchpoint.addon.session")).run()
    assert running() and not asked.is_cancelled and tuple(wave.location) == (0.0, 0.0, 0.0)


def session():
    add_heavy_scene()
    before = colours()
    yield from open_sidebar("Touchpoint")
    start_detect()
    progress = bpy.context.window_manager.touchpoint
    # Earlier there is nothing to keep: the run then ends with a sentence and leaves the file alone.
    yield from until(lambda: not running() or progress.stage == "contacts" and progress.fraction > 0.0, 240)
    yield 1.0
    assert running(), "the run was over before it could be cancelled"
    log(progress.stage, progress.fraction)
    picture("running.png")
    yield from escape_of_a_move()
    start = time.perf_counter()
    key("Escape")
    yield from until(lambda: not running(), 60, step=0.02)
    note("from Esc to the end of the run", time.perf_counter() - start)
    yield 0.5
    picture("cancelled.png")
    log(result().headline, "|", result().tested)
    assert result().partial and result().run_id
    yield from press_undo()
    check_nothing_is_left(before)


run(session)
