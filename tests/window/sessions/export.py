# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of the result as files: the dialog, and what it writes in a window, with pictures; a large one, which Esc
ends, and which Blender stays usable beside."""
import os
import tempfile
import time
import zipfile
from pathlib import Path

import bpy
from harness import context, log, note, picture, point_at_view, press_button, run, until, window, xdotool
from touchpoint_panel import add_box, detect_by_mouse, result, scene

COPIES = 400        # at one place: 79,800 pairs, whose JUnit file takes seconds


def dialog():
    """The area of a file browser, None where none is open."""
    return next((area for each in bpy.context.window_manager.windows for area in each.screen.areas
                 if area.type == "FILE_BROWSER"), None)


def press_in_dialog(operator):
    """A button of the file browser."""
    area = dialog()
    region = next(each for each in area.regions if each.type == "WINDOW")
    opened = next(each for each in bpy.context.window_manager.windows if area in list(each.screen.areas))
    with bpy.context.temp_override(window=opened, area=area, region=region):
        operator()


def exports():
    """True while the operator goes on and the file browser is gone."""
    return dialog() is None and any(each.bl_idname == "TOUCHPOINT_OT_export" for each in window().modal_operators)


def export_into(path, kind="JUNIT"):
    """As the button does, and the button of the file browser; returns when the writing has begun."""
    with context():
        assert bpy.ops.touchpoint.export("INVOKE_DEFAULT", filepath=str(path), kind=kind) == {"RUNNING_MODAL"}
    yield from until(lambda: dialog() is not None, 30)
    yield 0.5
    chosen = dialog().spaces.active.params
    chosen.directory, chosen.filename = str(path.parent).encode(), path.name
    press_in_dialog(bpy.ops.file.execute)
    yield from until(exports, 30, step=0.02)


def large_one():
    mesh = next(each for each in scene().objects if each.type == "MESH").data
    for number in range(COPIES):
        scene().collection.objects.link(bpy.data.objects.new(f"Copy {number}", mesh))
    with context():
        bpy.ops.ed.undo_push(message="Copies")
    yield 0.5
    yield from detect_by_mouse()
    path = Path(tempfile.mkdtemp()) / "large.xml"
    path.write_text("of before")
    yield from export_into(path)
    point_at_view()
    yield 0.3
    picture("writing.png")
    pressed = time.perf_counter()
    xdotool("key", "Escape")
    yield from until(lambda: not exports(), 60, step=0.02)
    note("from Esc to the end of Export", time.perf_counter() - pressed)
    assert path.read_text() == "of before" and os.listdir(path.parent) == ["large.xml"]
    yield from export_into(path)
    longest, last = 0.0, time.perf_counter()
    while exports():
        yield 0.02
        longest, last = max(longest, time.perf_counter() - last), time.perf_counter()
    note("the longest time without a tick while a large file is written", longest)
    assert path.stat().st_size > 1e7 and os.listdir(path.parent) == ["large.xml"]
    yield 1.0
    picture("written.png")


def session():
    bpy.data.objects.remove(next(each for each in scene().objects if each.type == "MESH"))
    add_box("A", (0, 0, 0), (2, 2, 2))
    add_box("B", (1, 0.25, 0.5), (3, 2.25, 2.5))
    with context():
        bpy.ops.ed.undo_push(message="Boxes")
    yield 0.5
    yield from detect_by_mouse()
    assert len(result().pairs) == 1
    folder = Path(tempfile.mkdtemp())
    for kind, ending in (("HTML", "html"), ("BCF", "bcf"), ("JUNIT", "xml"), ("JSON", "json"), ("CSV", "csv")):
        with context():
            bpy.ops.touchpoint.export(filepath=str(folder / f"report.{ending}"), kind=kind)
        yield 0.5
    page = (folder / "report.html").read_text(encoding="utf-8")
    with zipfile.ZipFile(folder / "report.bcf") as archive:
        names = archive.namelist()
    log(names)
    assert page.count("<img ") == 1 and sum(name.endswith("snapshot.png") for name in names) == 1
    yield from press_button("touchpoint.export")
    yield from until(lambda: dialog() is not None, 30)
    dialog().spaces.active.active_operator.kind = "HTML"
    yield 2.0
    picture("export_dialog.png")
    press_in_dialog(bpy.ops.file.cancel)
    yield from until(lambda: dialog() is None, 30)
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    yield from large_one()


if __name__ == "__main__":
    run(session)
