# SPDX-License-Identifier: GPL-3.0-or-later
"""What a large result costs in Blender: showing it, undo and redo, Clear, saving, and each redraw of its list.

    .venvs/bpy-5.2/bin/python tools/write_back_times.py [--boxes 3000] [--side 9.5] [--repeat 3]

Makes boxes of random sizes in a cube with a side of so many metres, detects, and shows the result. Prints processor
time in seconds, the least of all repeats, and how much of it Blender takes to evaluate what was written; and the same
of sample_scenes/workshop.blend. Beside it what Blender takes by itself in the same scene: to evaluate it once an object
is added, to undo and to redo the move of one object.
"""
import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
SEEN = 20       # rows that a tall panel has room for
LISTED = (0, 100, 10_000, 100_000)      # rows


def clock(what):
    """Processor time of a call, in seconds."""
    start = time.process_time()
    what()
    return time.process_time() - start


def make_boxes(count, side):
    random = np.random.default_rng(1)
    for number in range(count):
        mesh = bpy.data.meshes.new(f"Box {number}")
        mesh.from_pydata((CORNERS * random.uniform(0.5, 1.5, 3)).tolist(), [], FACES)
        made = bpy.data.objects.new(f"Box {number}", mesh)
        made.location = random.uniform(0.0, side, 3)
        bpy.context.scene.collection.objects.link(made)
    bpy.context.view_layer.update()


def saved_megabytes(folder):
    path = os.path.join(folder, "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, compress=False)
    return os.path.getsize(path) / 1e6


def measure_blender(repeat):
    """What is not ours. Prints a line."""
    times = {name: [] for name in ("add an object", "undo", "redo")}
    for _ in range(repeat):
        added = bpy.data.objects.new("Added", None)
        bpy.context.scene.collection.objects.link(added)
        times["add an object"].append(clock(bpy.context.view_layer.update))
        bpy.data.objects.remove(added)
        bpy.ops.ed.undo_push(message="before")
        bpy.context.view_layer.objects[0].location.x += 1.0
        bpy.context.view_layer.update()
        bpy.ops.ed.undo_push(message="moved")
        times["undo"].append(clock(bpy.ops.ed.undo))
        times["redo"].append(clock(bpy.ops.ed.redo))
    print("Blender alone: " + ", ".join(f"{name} {min(found):.4f} s" for name, found in times.items()))


def measure(repeat):
    """Show the result of the open file, undo, redo, clear. Prints a line for each."""
    from touchpoint.addon import api, write_back

    report = api.detect()
    print(f"{len(report.pairs):,} pairs, {len(report.contacts):,} contacts")
    times = {name: [] for name in ("write", "of which Blender's update", "undo", "redo", "clear")}
    evaluate, evaluating = write_back.evaluate, []
    write_back.evaluate = lambda: evaluating.append(clock(evaluate))
    with tempfile.TemporaryDirectory() as folder:
        plain = saved_megabytes(folder)
        for _ in range(repeat):
            bpy.ops.ed.undo_push(message="before")
            times["write"].append(clock(lambda: write_back.write(report)))
            times["of which Blender's update"].append(evaluating[-1])
            bpy.ops.ed.undo_push(message="result")
            times["undo"].append(clock(bpy.ops.ed.undo))
            times["redo"].append(clock(bpy.ops.ed.redo))
            whole = saved_megabytes(folder)
            times["clear"].append(clock(write_back.clear))
    write_back.evaluate = evaluate
    print(", ".join(f"{name} {min(found):.4f} s" for name, found in times.items()))
    print(f"file {plain:.1f} MB, with the result {whole:.1f} MB")


def measure_list():
    """What the panel does for one redraw, by the number of rows."""
    from touchpoint.addon.rows.kept import keep_rows
    from touchpoint.addon.rows.shown import page_of, shown_in
    from touchpoint.addon.rows.table import NOT_ASKED, ROW_DTYPE, Rows, Side

    sides = [Side(f"Box {number}", f"Box {number}", "", "", number) for number in range(3000)]
    random, scene = np.random.default_rng(2), bpy.context.scene
    for count in LISTED:
        table = np.zeros(count, ROW_DTYPE)
        table["a"], table["b"] = random.integers(0, len(sides), (2, count))
        table["verdict"], table["exact"] = 5, NOT_ASKED
        scene.touchpoint.result.run_id = f"rows {count}"
        kept = clock(lambda table=table: keep_rows(scene.touchpoint.result, Rows(sides, table)))

        def drawn():
            page, pairs = page_of(scene), scene.touchpoint.result.pairs
            rows = [pairs[row] for row in page[:SEEN].tolist()]
            return len(shown_in(scene)), [(row.name, row.figure, row.line) for row in rows]

        drawn()
        redraw = min(clock(drawn) for _ in range(20))
        bpy.context.window_manager.touchpoint.search = "box 29"
        search = clock(drawn)
        bpy.context.window_manager.touchpoint.search = ""
        print(f"{count:,} rows: kept in {kept:.4f} s, redraw {redraw:.5f} s, by another search {search:.4f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boxes", type=int, default=3000)
    parser.add_argument("--side", type=float, default=9.5)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT, os.path.join(folder, "touchpoint"))
        sys.path.insert(0, folder)
        import touchpoint

        bpy.ops.wm.open_mainfile(filepath=str(ROOT / "sample_scenes" / "workshop.blend"))
        touchpoint.register()
        measure_blender(options.repeat)
        measure(options.repeat)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        make_boxes(options.boxes, options.side)
        measure_blender(options.repeat)
        measure(options.repeat)
        measure_list()
    sys.stdout.flush()
    os._exit(0)         # Blender's own end crashes in some versions


if __name__ == "__main__":
    main()
