# SPDX-License-Identifier: GPL-3.0-or-later
"""How long Detect takes on a .blend file, step by step, and `mathutils.bvhtree` on the same scene in the same run.

    python -m touchpoint.benchmarks.detect_scenes [SCENE.blend …] [--repeats N] [--json FILE]

Needs the bpy module and an installed touchpoint (`pip install -e .[blender]`). The kernels are compiled and every
step was run once before the clock starts. Both sides take turns, so that a busy machine slows both; the best of the
repeats counts, the median stands beside it in the JSON. Read is common to both.
"""
import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path

import bpy

from ..addon import api
from ..addon.scene_read import read_scene
from .bvhtree import Overlaps, overlaps

SAMPLES = [Path(__file__).resolve().parents[1] / "sample_scenes" / f"{name}.blend" for name in ("workshop", "mine")]
QUERY_STAGES = ("broad phase", "contacts", "verdicts")
AGAIN = ("again, nothing moved", "again, one moved", "again, all moved")
STEPS = ("read", "build", "query", "write back", "query again", *AGAIN, "bvhtree build", "bvhtree query")
STEP_ASIDE = 2.0 ** -10     # how far an object is moved, in Blender units


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", type=Path, default=SAMPLES)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(argv)
    results = {"blender": bpy.app.version_string, "python": sys.version.split()[0], "cores": os.cpu_count(),
               "repeats": options.repeats, "scenes": [measure(path, options.repeats) for path in options.scenes]}
    print(table(results))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


def measure(path: Path, repeats: int) -> dict:
    """Everything about one file. Times in seconds; raises FileNotFoundError for a file that cannot be opened."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    if Path(bpy.data.filepath) != path.resolve():
        raise FileNotFoundError(path)
    run_once()
    runs = [run_once() for _ in range(repeats)]
    times = {step: [run[0][step] for run in runs] for step in STEPS}
    _, report, peer = runs[-1]
    best = {step: min(values) for step, values in times.items()}
    ours = best["build"] + best["query"]
    return {"scene": path.name, "objects": len(report.objects), "triangles": sum(o.triangles for o in report.objects),
            "pairs": report.summary(), "best": best,
            "median": {step: statistics.median(values) for step, values in times.items()},
            "bvhtree": compare(report, peer),
            "ratio": {"build and query": (best["bvhtree build"] + best["bvhtree query"]) / ours,
                      "query": best["bvhtree query"] / best["query"],
                      "query again": (best["bvhtree build"] + best["bvhtree query"]) / best["query again"]}}


def run_once():
    """Read, detect, write back and clear, then the BVHTree: (seconds per step, report, Overlaps)."""
    snapshot = read_scene(bpy.context)
    report = api.detect_in(snapshot, tolerance=0.0)     # the question that a BVHTree answers
    stages = {stage.name: stage.seconds for stage in report.stages}
    start = time.perf_counter()
    api.write_back(report)
    written = time.perf_counter() - start
    api.clear()
    again = api.detect_in(snapshot, tolerance=0.0)     # the trees are kept, as for the next step of a simulation
    peer = overlaps(snapshot.core)
    seconds = {"read": stages["read"], "build": stages["prepare"], "write back": written,
               "query": sum(stages[name] for name in QUERY_STAGES),
               "query again": sum(stage.seconds for stage in again.stages if stage.name != "read"),
               "bvhtree build": peer.build_seconds, "bvhtree query": peer.query_seconds}
    return {**seconds, **detect_again()}, report, peer


def detect_again() -> dict[str, float]:
    """Seconds of a whole Detect, by step of AGAIN, after one that asked the same of what has not moved since."""
    objects, seconds = [each for each in bpy.context.view_layer.objects if each.type == "MESH"], {}
    for step, moved in zip(AGAIN, ([], objects[:1], objects)):
        api.detect(tolerance=0.0)
        for each in moved:
            each.location.x += STEP_ASIDE
        bpy.context.view_layer.update()
        start = time.perf_counter()
        api.detect(tolerance=0.0)
        seconds[step] = time.perf_counter() - start
        for each in moved:
            each.location.x -= STEP_ASIDE
        bpy.context.view_layer.update()
    return seconds


def compare(report, peer: Overlaps) -> dict:
    """Pairs of objects and of triangles that only one side reports; touching counts as meeting."""
    ours = {(int(pair["a"]), int(pair["b"])): contacts_of(report, row)
            for row, pair in enumerate(report.pairs) if pair["contacts"]}
    theirs = {pair: {(int(i), int(j)) for i, j in found} for pair, found in peer.pairs.items()}
    everything = ours.keys() | theirs.keys()
    return {"object pairs missed": sorted(named(report, pair) for pair in ours.keys() - theirs.keys()),
            "object pairs more": sorted(named(report, pair) for pair in theirs.keys() - ours.keys()),
            "triangle pairs": sum(map(len, ours.values())),
            "triangle pairs missed": sum(len(ours.get(p, set()) - theirs.get(p, set())) for p in everything),
            "triangle pairs more": sum(len(theirs.get(p, set()) - ours.get(p, set())) for p in everything)}


def contacts_of(report, row: int) -> set[tuple[int, int]]:
    contacts = report.contacts_of(row)
    return set(zip(contacts.triangle_a.tolist(), contacts.triangle_b.tolist()))


def named(report, pair: tuple[int, int]) -> list[str]:
    return [report.name(index) for index in pair]


def table(results: dict) -> str:
    """The figures for reading: milliseconds, best of the repeats."""
    scenes = results["scenes"]
    rows = [["ms, best of " + str(results["repeats"])] + [each["scene"] for each in scenes],
            ["objects, triangles"] + [f"{each['objects']}, {each['triangles']}" for each in scenes]]
    rows += [[step] + [f"{1e3 * each['best'][step]:.2f}" for each in scenes] for step in STEPS]
    rows += [["bvhtree / ours, " + name] + [f"{each['ratio'][name]:.1f}" for each in scenes]
             for name in scenes[0]["ratio"]]
    rows += [["bvhtree: " + name] + [str(len(count) if isinstance(count, list) else count)
                                     for count in (each["bvhtree"][name] for each in scenes)]
             for name in scenes[0]["bvhtree"]]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join([row[0].ljust(widths[0])] + [cell.rjust(w) for cell, w in zip(row[1:], widths[1:])])
                     for row in rows)


if __name__ == "__main__":
    main(sys.argv[1:])
