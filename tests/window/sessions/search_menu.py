# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own search finds Detect and Clear, in our menu, and starts them, by keys. It is opened by the operator that
F3 calls: that key does not reach Blender on the screen of these sessions."""
import bpy
from harness import context, picture, point_at_view, run, until, xdotool
from touchpoint_panel import add_bolt_and_plate, check_result_is_there, has_result


def search(words, name, done):
    """Open the search over the 3D view, type, and take the first entry."""
    point_at_view()
    yield 0.5
    with context():
        bpy.ops.wm.search_menu("INVOKE_DEFAULT")
    yield 2.0
    xdotool("type", "--delay", "100", words)
    yield 2.0
    picture(name)
    xdotool("key", "Return")
    yield from until(done, 480)
    yield 1.0


def session():
    add_bolt_and_plate()
    yield 1.0
    yield from search("touchpoint detect", "search_detect.png", has_result)
    check_result_is_there()
    yield from search("touchpoint clear", "search_clear.png", lambda: not has_result())


run(session)
