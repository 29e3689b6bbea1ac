# SPDX-License-Identifier: GPL-3.0-or-later
"""Another file is opened during a run: the run ends without a trace, and the new file can be tested."""
import sys

import bpy
from harness import context, run, until
from touchpoint_panel import (
    add_heavy_scene,
    check_nothing_is_left,
    check_result_is_there,
    colours,
    detect_by_mouse,
    running,
    start_detect,
)

SCENE = sys.argv[sys.argv.index("--") + 1]


def session():
    add_heavy_scene()
    start_detect()
    yield 2.0
    assert running()
    with context():
        bpy.ops.wm.open_mainfile(filepath=SCENE)
    yield 1.0
    assert not running()
    assert bpy.data.filepath == SCENE
    before = colours()
    yield 3.0               # nothing of the old run arrives later
    check_nothing_is_left(before)
    yield from until(lambda: not running(), 10)
    yield from detect_by_mouse()
    check_result_is_there()


run(session)
