# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user, another add-on and scripts do, in any order: keys, clicks in our sidebar, undo, redo, files, Edit Mode,
playback, and all operators and functions of ours with any arguments. What is the user's is the same before and after
each call of ours.

Arguments: a folder that has `drills`, a seed, and for how many seconds. Each step is a line of calls.txt, so that the
last one is known where Blender crashes.
"""
import faulthandler
import itertools
import os
import sys
import time
from pathlib import Path

import bpy
import numpy as np
from harness import OUT, context, log, open_sidebar, point_at_view, run, until, view3d, window, xdotool
from touchpoint_panel import running

FOLDER, SEED, SECONDS = sys.argv[sys.argv.index("--") + 1:][:3]
sys.path.insert(0, FOLDER)

from drills.random_calls import Calls, allowed, difference, fingerprint  # noqa: E402

KEYS = ("ctrl+z", "ctrl+z", "ctrl+shift+z", "Tab", "a", "alt+a", "Escape", "h", "alt+h", "Right", "Left", "space",
        "shift+d", "Return", "g", "r", "x", "n", "n", "Home", "KP_Decimal", "period", "z", "t", "t")
MOVES = ("g", "r", "shift+d")       # keys that begin to move things
LONGEST = 60.0          # seconds, of a run that nobody stops
CALLS_IN_A_ROW = 100
heard = {"changes": 0, "frames": 0, "loads": 0, "undos": 0}     # by the handlers of the other add-on


def another_addon():
    """Handlers of somebody else's, which write to the scene, too."""
    def change(scene, *_):
        heard["changes"] += 1
        if heard["changes"] % 50 == 0:
            scene["another add-on"] = heard["changes"]

    def frame(scene, *_):
        heard["frames"] += 1

    def load(*_):
        heard["loads"] += 1

    def undo(*_):
        heard["undos"] += 1

    handlers = bpy.app.handlers
    for events, function in (("depsgraph_update_post", change), ("frame_change_post", frame), ("load_post", load),
                             ("undo_post redo_post", undo)):
        for event in events.split():
            getattr(handlers, event).append(bpy.app.handlers.persistent(function))


def object_mode():
    """Back from whatever keys have begun."""
    for _ in range(3):
        xdotool("key", "Escape")
    yield 0.1
    with context():
        if bpy.context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")


def click_in_sidebar(random):
    """Anywhere in our tab; what opens is closed again."""
    region = view3d("UI")[1]
    if region.width < 20 or region.height < 20:
        yield from open_sidebar("Touchpoint")
        region = view3d("UI")[1]
    x = region.x + int(random.integers(4, max(5, region.width - 30)))
    y = window().height - region.y - int(random.integers(2, max(3, region.height)))
    xdotool("mousemove", x, y, "sleep", "0.03", "click", "1")
    yield 0.1
    xdotool("key", "Escape")
    yield 0.05


def with_a_window(calls, random):
    """Detect or Check Animation as the buttons call them: modal, while Blender goes on."""
    before = fingerprint()
    name, how = ("detect", "check_animation")[int(random.integers(2))], random.random()
    calls.done = f"{name} in the window"
    with context(), allowed():
        getattr(bpy.ops.touchpoint, name)("INVOKE_DEFAULT")
    if how < 0.3:
        yield 0.05
        point_at_view()
        xdotool("key", "Escape")
    yield from until(lambda: not running(), LONGEST, 0.02)
    if how > 0.6:
        after = fingerprint()
        assert before == after, (calls.done, difference(before, after))


def while_moving(random, calls):
    """Calls of ours while the user moves something. Nobody deletes it meanwhile: that may be what ends Blender 5.2."""
    for _ in range(int(random.integers(4))):
        with context():
            calls.ours()
        yield 0.02
    xdotool("key", ("Return", "Escape")[int(random.integers(2))])
    yield 0.05


def files(random, path):
    """Save, or open what was saved, or the empty file."""
    kind = int(random.integers(3))
    with context():
        if kind == 0 and bpy.context.mode == "OBJECT":
            bpy.ops.wm.save_as_mainfile(filepath=str(path))
        elif kind == 1 and path.exists():
            bpy.ops.wm.open_mainfile(filepath=str(path))
        elif kind == 2:
            bpy.ops.ed.undo_push(message="Random")
    yield 0.05


def steps(random, calls, path, lines):
    """One step: many are calls without a pause, as these are what finds faults soonest."""
    kind = random.random()
    if kind < 0.40:
        calls.seen = None       # Blender and the user have had their turn
        for _ in range(CALLS_IN_A_ROW):
            with context():
                calls.call()
    elif kind < 0.65:
        point_at_view()
        key = KEYS[int(random.integers(len(KEYS)))]
        calls.done = f"key {key}"
        lines.write(f"{calls.done}\n")      # Blender may end before the step does
        xdotool("key", key)
        yield 0.03
        if key in MOVES:
            yield from while_moving(random, calls)
    elif kind < 0.75:
        calls.done = "click"
        yield from click_in_sidebar(random)
    elif kind < 0.83:
        yield from object_mode()
        yield from with_a_window(calls, random)
    elif kind < 0.91:
        calls.done = "file"
        yield from files(random, path)
    elif kind < 0.95:
        calls.done = "frames"
        with context():
            bpy.context.scene.frame_set(int(random.integers(0, 5)))
    else:
        calls.done = "back to objects"
        yield from object_mode()
    yield 0.01


def session():
    faulthandler.enable()       # where Blender crashes, whose call it was
    random, end = np.random.default_rng(int(SEED)), time.perf_counter() + float(SECONDS)
    another_addon()
    yield from open_sidebar("Touchpoint")
    with context():
        calls = Calls(random, Path(OUT))
        bpy.ops.ed.undo_push(message="Cubes")
    count = 0
    original, made = calls.call, itertools.count(1)

    def counted():
        nonlocal count
        count = next(made)
        original()
        lines.write(f"{count} {calls.done}\n")

    calls.call = counted
    with open(os.path.join(OUT, "calls.txt"), "w", buffering=1, errors="backslashreplace") as lines:
        while time.perf_counter() < end:
            lines.write("step\n")
            if not bpy.context.scene.collection.objects:
                with context():
                    calls.new_scene()
            yield from steps(random, calls, Path(OUT) / "random.blend", lines)
            lines.write(f"- {calls.done}\n")
    log(f"{count} calls, and {heard} of another add-on")
    yield from object_mode()
    yield from until(lambda: not running(), LONGEST)
    with context():
        bpy.ops.touchpoint.clear()


run(session)
