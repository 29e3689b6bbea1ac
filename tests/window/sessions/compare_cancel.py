# SPDX-License-Identifier: GPL-3.0-or-later
"""Esc during Compare: before a method is finished nothing is written, after that its row is kept and called partial;
the next Compare is whole, and each is one step to undo."""
import sys
import time

import bpy
from harness import context, key, log, note, open_sidebar, picture, point_at_view, run, until, xdotool
from touchpoint_panel import add_heavy_scene, result, running, scene

SESSION = "bl_ext.user_default.touchpoint.addon.session"
COMPARED = ("touchpoint", "rapid", "tsgo")


def comparison():
    return scene().touchpoint.comparison


def start_compare():
    """As the button does."""
    with context():
        assert bpy.ops.touchpoint.compare("INVOKE_DEFAULT") == {"RUNNING_MODAL"}


def escape_from(stage, after, name):
    """Start, press Esc so many seconds after a method has begun, and measure how long the work goes on, and when the
    panel is free again: a result that is kept is written first, and Blender keeps the scene for undo."""
    progress = bpy.context.window_manager.touchpoint
    start_compare()
    yield from until(lambda: not running() or progress.stage == stage, 240, step=0.02)
    yield after
    assert running(), f"the run was over before it could be cancelled in {stage}"
    log("Esc in", progress.stage, f"{progress.fraction:.0%}")
    work = sys.modules[SESSION].run()
    point_at_view()
    start = time.perf_counter()
    xdotool("key", "Escape")
    yield from until(lambda: work.is_done, 60, step=0.01)
    note(f"from Esc to the end of the work, {name}", time.perf_counter() - start)
    yield from until(lambda: not running(), 60, step=0.01)
    note(f"from Esc to the end of Compare, {name}", time.perf_counter() - start)
    yield 0.5


def session():
    add_heavy_scene(count=12, segments=300)         # seconds of work in each method, on fast machines, too
    settings = scene().touchpoint
    settings.repeats = 1
    for each in settings.compared_methods.bl_rna.properties:
        if each.type == "BOOLEAN":
            setattr(settings.compared_methods, each.identifier, each.identifier in COMPARED)
    with context():
        bpy.ops.ed.undo_push(message="Chosen")
    yield from open_sidebar("Touchpoint")

    for after in (0.05, 0.6, 1.2):
        yield from escape_from("Touchpoint", after, f"{after} s after the first method has begun")
        assert comparison().run_id == "" and len(comparison().rows) == 0, comparison().headline
        message = bpy.context.window_manager.touchpoint.message
        assert message == "Compare was cancelled before any method was finished.", message
    picture("compare_cancelled.png")

    yield from escape_from("RAPID", 0.5, "while the second method builds its trees")
    partial = comparison().run_id
    assert partial and comparison().partial and [row.name for row in comparison().rows] == ["Touchpoint"]
    picture("compare_partial.png")

    waves = sorted((each for each in scene().objects if each.name.startswith("Wave")), key=lambda each: each.name)
    for each in waves[2:]:
        bpy.data.objects.remove(each)           # a smaller scene
    with context():
        bpy.ops.ed.undo_push(message="Two Waves")
    start_compare()
    yield from until(lambda: not running() and comparison().run_id != partial, 400)
    log(comparison().headline)
    assert len(comparison().rows) == len(COMPARED) and not comparison().partial
    assert all(row.found == "same" for row in comparison().rows), [row.found for row in comparison().rows]
    assert result().run_id == ""

    key("ctrl+z")
    yield from until(lambda: comparison().run_id == partial, 20)
    assert comparison().partial and len(comparison().rows) == 1


run(session)
