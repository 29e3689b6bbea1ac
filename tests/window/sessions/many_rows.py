# SPDX-License-Identifier: GPL-3.0-or-later
"""What a redraw costs with up to 100,000 rows in the list. No kernel is needed: the rows belong to a report made by
hand."""
import sys
import time

import bpy
import numpy as np
from harness import context, log, note, open_sidebar, picture, run, view3d
from touchpoint_panel import scene

OBJECTS = 500
LISTED = (0, 100, 10_000, 100_000)
REDRAWS = 10
SLACK_SECONDS = 0.02    # a redraw with all rows may take so much longer than one with the first hundred


def part(name):
    """A module of the installed extension."""
    package = next(each for each in list(sys.modules) if each.endswith(".touchpoint"))
    return sys.modules[f"{package}.{name}"]


def make_objects():
    mesh = bpy.data.meshes.new("Bolt")
    mesh.from_pydata([(0, 0, 0), (0.5, 0, 0), (0, 0.5, 0), (0, 0, 0.5)], [],
                     [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    for number in range(OBJECTS):
        made = bpy.data.objects.new(f"Bolt {number}", mesh)
        made.location = (number % 25, number // 25, 0)
        scene().collection.objects.link(made)
    bpy.context.view_layer.update()


def show(count):
    """Give the scene a result with so many rows."""
    report = part("core.report").Report("touchpoint", {}, [], [], np.zeros(0, part("core.findings").PAIR_DTYPE),
                                        part("core.contacts").Contacts.empty())
    report.source = part("addon.scene_read").read_scene()
    report.pairs = np.zeros(count, part("core.findings").PAIR_DTYPE)
    report.objects = [part("core.findings").ObjectInfo(number, row.name, 4)
                      for number, row in enumerate(report.source.rows)]
    first, second = np.triu_indices(OBJECTS, 1)
    report.pairs["a"], report.pairs["b"] = first[:count], second[:count]
    report.pairs["verdict"] = 5
    report.pairs["depth"] = np.linspace(1.0, 0.0, count)
    part("addon.write_back").write(report)


def redraw_seconds():
    """Processor time of one redraw of the window."""
    with context("UI"):
        bpy.ops.wm.redraw_timer(type="DRAW_WIN", iterations=2)
        start = time.process_time()
        bpy.ops.wm.redraw_timer(type="DRAW_WIN", iterations=REDRAWS)
    return (time.process_time() - start) / REDRAWS


def session():
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    make_objects()
    yield from open_sidebar("Touchpoint")
    taken = {}
    for count in LISTED:
        show(count)
        view3d()[0].tag_redraw()
        yield 1.0
        taken[count] = redraw_seconds()
        note(f"redraw with {count} rows", taken[count])
        log(f"redraw with {count:,} rows: {taken[count]:.4f} s")
    assert taken[LISTED[-1]] < taken[LISTED[1]] + SLACK_SECONDS, taken
    picture("many_rows.png")


run(session)
