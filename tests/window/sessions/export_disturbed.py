# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens while Export writes: another file is opened, the add-on is disabled, a script undoes, clears the result,
detects or deletes what is in it. The older file is whole, or the new one is, and nothing is left beside it."""
import os
import sys
import tempfile
from pathlib import Path

import addon_utils
import bpy
from export import dialog, export_into, exports
from harness import context, log, picture, run, until
from touchpoint_panel import add_box, has_result, running, scene

MODULE = "bl_ext.user_default.touchpoint"
COPIES = 80         # at one place: 3,240 pairs
OLD = "of before"
SCENE = sys.argv[sys.argv.index("--") + 1]


def crowd():
    """Copies at one place, and a result about them."""
    add_box("A", (0, 0, 0), (2, 2, 2))
    mesh = bpy.data.meshes["A"]
    for number in range(COPIES):
        scene().collection.objects.link(bpy.data.objects.new(f"Copy {number}", mesh))
    with context():
        bpy.ops.ed.undo_push(message="Copies")
        bpy.ops.touchpoint.detect()
    yield from until(lambda: has_result() and not running(), 120)


def another_file():
    with context():
        bpy.ops.wm.open_mainfile(filepath=SCENE)


def disabled():
    addon_utils.disable(MODULE)


def undone():
    with context():
        bpy.ops.ed.undo()


def cleared():
    with context():
        bpy.ops.touchpoint.clear()


def detected_again():
    with context():
        bpy.ops.touchpoint.detect()


def deleted():
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)


def scene_deleted():
    other = bpy.data.scenes.new("Other")
    window = bpy.context.window_manager.windows[0]
    before, window.scene = window.scene, other
    bpy.data.scenes.remove(before)


def enabled_again():
    if not hasattr(bpy.types.Scene, "touchpoint"):
        addon_utils.enable(MODULE)


XML, BCF = ("JUNIT", "xml"), ("BCF", "bcf")      # BCF asks the scene what stands before a pair
CASES = ((scene_deleted, False, (BCF,)), (another_file, True, (XML, BCF)), (disabled, True, (XML, BCF)),
         (deleted, False, (XML, BCF)), (undone, False, (XML, BCF)), (cleared, False, (BCF,)),
         (detected_again, False, (XML,)))


def session():
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    for disturb, ends, kinds in CASES:
        for kind, ending in kinds:
            bpy.ops.wm.read_homefile(use_empty=True)
            yield 1.0
            yield from crowd()
            folder = Path(tempfile.mkdtemp())
            path = folder / f"large.{ending}"
            path.write_text(OLD)
            yield from export_into(path, kind)
            was_writing = exports()
            disturb()
            yield 0.1
            still = exports()
            log(disturb.__name__, kind, "writing" if was_writing else "done", "goes on" if still else "ended")
            assert not (ends and still)
            yield from until(lambda: not exports(), 300)
            enabled_again()
            yield 0.3
            picture(f"{disturb.__name__}_{kind}.png")
            assert os.listdir(folder) == [path.name], os.listdir(folder)
            data = path.read_bytes()
            whole = data.endswith((b"</testsuites>\n", b"</html>\n")) or data[-22:-18] == b"PK\x05\x06"
            assert whole or data == OLD.encode(), (disturb.__name__, kind, len(data))
            log("new" if whole else "old", len(data), dialog())


run(session)
