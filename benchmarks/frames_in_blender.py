# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the time of a Check Animation goes, frame by frame, and a loop that asks `mathutils.bvhtree` the same.

    python -m touchpoint.benchmarks.frames_in_blender [SCENE …] [--repeats N] [--json FILE]

Needs the bpy module and an installed touchpoint (`pip install -e .[blender]`). All figures are milliseconds of
processor time per frame, of all threads together, the best of the repeats; the sides take turns. The kernels are
compiled and each side was run once before the clock starts. SCENE: of `frame_scenes.SCENES`, all by default.
"""
import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from ..addon import api, questions
from ..addon.scene_read import Follower, read_scene, show_frame
from .bvhtree import meeting_boxes
from .frame_scenes import SCENES, build

# What a step is: Blender's own evaluation; our reading of what it shows; testing it; what Check Animation costs
# besides; a loop of `api.detect(frame=…)`, with all of that; and the same loop with a BVHTree per object.
STEPS = ("blender", "read", "core", "rest", "detect loop", "bvhtree loop")


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", metavar="SCENE", default=[])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(argv)
    questions.prepare()
    results: dict = {"blender": bpy.app.version_string, "python": sys.version.split()[0], "repeats": options.repeats,
                     "scenes": []}
    for name in options.scenes or SCENES:
        results["scenes"].append(measure(name, options.repeats))
        print(table(results).splitlines()[-1], flush=True)      # some take a minute
    print(table(results))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


def measure(name: str, repeats: int) -> dict:
    """The figures of one scene: seconds of processor time per frame, by step."""
    build(name)
    scene = bpy.context.scene
    frames = range(scene.frame_start, scene.frame_end + 1)
    sides: tuple[Callable, ...] = (step_by_step, check, detect_loop, bvhtree_loop)
    best: dict[str, float] = {}
    for repeat in range(repeats + 1):
        for side in sides:
            figures = side(scene, frames)
            if repeat:
                best |= {step: min(seconds, best.get(step, seconds)) for step, seconds in figures.items()}
    snapshot = read_scene()
    triangles = sum(len(snapshot.mesh_of(number)[1]) for number in range(len(snapshot.rows)))
    per_frame = {step: seconds / len(frames) for step, seconds in best.items()}
    per_frame["rest"] = max(0.0, per_frame.pop("check") - sum(per_frame[step] for step in STEPS[:3]))
    return {"scene": name, "frames": len(frames), "objects": len(snapshot.rows), "triangles": triangles,
            "best": per_frame}


def step_by_step(scene, frames) -> dict[str, float]:
    """What Check Animation does, taken apart."""
    follower, sweep = Follower(), questions.new_sweep(tolerance=0.0)
    spent = dict.fromkeys(("blender", "read", "core"), 0.0)
    for frame in frames:
        start = time.process_time()
        show_frame(scene, frame)
        shown = time.process_time()
        snapshot = read_scene(follower=follower)
        read = time.process_time()
        questions.take_frame(sweep, frame, snapshot, None)
        if frame == frames[-1]:
            sweep.finish()
        del snapshot        # as Check Animation lets go of it: what nobody has need not be kept as it was
        for step, seconds in zip(spent, (shown - start, read - shown, time.process_time() - read)):
            spent[step] += seconds
    return spent


def check(scene, frames) -> dict[str, float]:
    start = time.process_time()
    api.check_animation((frames[0], frames[-1]), tolerance=0.0)
    return {"check": time.process_time() - start}


def detect_loop(scene, frames) -> dict[str, float]:
    start = time.process_time()
    for frame in frames:
        api.detect(frame=frame, tolerance=0.0)
    return {"detect loop": time.process_time() - start}


def bvhtree_loop(scene, frames) -> dict[str, float]:
    start = time.process_time()
    for frame in frames:
        show_frame(scene, frame)
        overlapping_pairs(bpy.context.evaluated_depsgraph_get())
    return {"bvhtree loop": time.process_time() - start}


def overlapping_pairs(depsgraph) -> int:
    """How many pairs of evaluated meshes overlap: a tree per object, as it has no pose of its own. Each mesh is read
    once, in bulk."""
    read: dict = {}
    trees, low, high = [], [], []
    for each in depsgraph.object_instances:
        if each.object.type != "MESH" or not each.show_self:
            continue
        mesh = each.object.data
        if not mesh.polygons:
            continue
        kept = read.get(mesh.as_pointer())
        if kept is None:
            kept = read[mesh.as_pointer()] = _arrays(mesh)
        pose = np.array(each.matrix_world)
        vertices = kept[0] @ pose[:3, :3].T + pose[:3, 3]
        trees.append(BVHTree.FromPolygons(vertices.tolist(), kept[1], all_triangles=True))
        low.append(vertices.min(axis=0))
        high.append(vertices.max(axis=0))
    return sum(bool(trees[a].overlap(trees[b])) for a, b in meeting_boxes(np.array(low), np.array(high)))


def _arrays(mesh) -> tuple[np.ndarray, list]:
    mesh.calc_loop_triangles()
    vertices = np.empty(3 * len(mesh.vertices), np.float32)
    triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.attributes["position"].data.foreach_get("vector", vertices)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    return vertices.reshape(-1, 3).astype(np.float64), triangles.reshape(-1, 3).tolist()


def table(results: dict) -> str:
    """The figures for reading, as Markdown."""
    rows = [["ms of processor time per frame", *STEPS, "bvhtree / check", "bvhtree / detect"]]
    for each in results["scenes"]:
        best = each["best"]
        ours = sum(best[step] for step in STEPS[:4])
        rows.append([f"{each['scene']} ({each['objects']:,} objects)", *(f"{1e3 * best[step]:.2f}" for step in STEPS),
                     *(f"{best['bvhtree loop'] / one:.2f}" for one in (ours, best["detect loop"]))])
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


if __name__ == "__main__":
    main(sys.argv[1:])
