# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of the result as files: the dialog, and what it writes in a window, with pictures."""
import tempfile
import zipfile
from pathlib import Path

import bpy
from harness import context, log, picture, press_button, run, until
from touchpoint_panel import add_box, detect_by_mouse, result, scene


def dialog():
    """The area of a file browser, None where none is open."""
    return next((area for each in bpy.context.window_manager.windows for area in each.screen.areas
                 if area.type == "FILE_BROWSER"), None)


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


run(session)
