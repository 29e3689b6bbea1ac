# SPDX-License-Identifier: GPL-3.0-or-later
"""The mine of the 2017 paper (table 1 and figures 3 and 9): 50 to 600 rocks that move in 93,079 triangles that stay.

The scene is `sample_scenes/mine.py`, with the published numbers of objects and triangles; the shapes, and so the
numbers of contacts, are ours. One thread, as published.
"""
from functools import partial

import numpy as np

from ...core.mid_phase.obb_descend import LEAF_FIRST
from ...sample_scenes.mine import TOTALS, mine
from ..questions import Scene
from ..tables import milliseconds
from .plots import Plot
from .rows import left, over, side_rows
from .steps import POSES, Case, Side, take_turns

# Table 1: milliseconds of a step, and contact points.
RAPID_MS = dict(zip(TOTALS, (57.06, 82.99, 165.53, 193.64, 231.27, 278.26, 358.42)))
HYBRID_MS = dict(zip(TOTALS, (56.94, 82.10, 164.70, 192.20, 226.17, 262.68, 332.30)))
TSGO_MS = dict(zip(TOTALS, (55.88, 74.85, 157.23, 167.95, 186.49, 204.06, 247.08)))
POINTS = dict(zip(TOTALS, (640, 808, 1230, 1364, 1463, 1510, 1716)))

PUBLISHED_DEPTH = 2
PUBLISHED, LARGER_FIRST, DIAGONALS, EXACT, DEFAULT = (
    "TSGO k=2, diagonals, leaf first (as published)", "TSGO k=2, diagonals", "TSGO automatic, diagonals",
    "TSGO k=2, all cells", "TSGO automatic, all cells (default)")
SIDES = (
    Side("touchpoint", "touchpoint"),
    Side("RAPID", "rapid"),
    Side("hybrid", "hybrid"),
    Side(PUBLISHED, "tsgo", {"depth": PUBLISHED_DEPTH, "cells": "diagonals", "descent": LEAF_FIRST}, sure=False),
    Side(LARGER_FIRST, "tsgo", {"depth": PUBLISHED_DEPTH, "cells": "diagonals"}, sure=False),
    Side(DIAGONALS, "tsgo", {"cells": "diagonals"}, sure=False),
    Side(EXACT, "tsgo", {"depth": PUBLISHED_DEPTH}),
    Side(DEFAULT, "tsgo"),
)
BUDGET, QUICK = 1.6, 1e-9       # seconds per side and case
SWEPT = (100, 600)              # numbers of rocks that the depth is swept at


def question(fragments: int, quick: bool) -> Scene:
    """The mine; for a try only its tunnel and a few rocks."""
    model = mine(12 if quick else fragments)
    static = model.static[-1:] if quick else model.static
    bodies = [(each.vertices, each.triangles) for each in static + model.fragments]
    return Scene(bodies, len(static), [model.poses(step) for step in range(2 if quick else POSES)])


def measure(fragments: int, quick: bool) -> dict:
    asked = question(fragments, quick)
    return {"fragments": fragments, "triangles": sum(len(triangles) for _, triangles in asked.bodies),
            "sides": take_turns(asked, SIDES, QUICK if quick else BUDGET)}


def deepest(asked: Scene) -> int:
    """k_max of the paper: the largest k for which a cell is larger than the largest object that moves."""
    edges = np.array([np.ptp(vertices, axis=0).max() for vertices, _ in asked.bodies])
    corners = np.concatenate([vertices for vertices, _ in asked.bodies[:asked.fixed]])
    return int(np.floor(np.log2(np.ptp(corners, axis=0).max() / edges[asked.fixed:].max())))


def sweep(fragments: int, quick: bool) -> dict:
    """Every depth from 0 to k_max, both rules."""
    asked = question(fragments, quick)
    depths = range(0, 1 + deepest(asked), 2 if quick else 1)
    sides = [Side(f"k={depth}, all cells", "tsgo", {"depth": depth}) for depth in depths]
    sides += [Side(f"k={depth}, diagonals", "tsgo", {"depth": depth, "cells": "diagonals"}, sure=False)
              for depth in depths]
    return {"fragments": fragments, "depths": list(depths),
            "sides": take_turns(asked, (SIDES[0], *sides), QUICK if quick else 0.5 * BUDGET)}


CASES = (*(Case(f"tsgo-{n}", f"mine, {n} rocks", partial(measure, n)) for n in TOTALS),
         *(Case(f"tsgo-depth-{n}", f"mine, {n} rocks, depth of the grid", partial(sweep, n)) for n in SWEPT))

def case_rows(entry: dict) -> list[tuple[str, ...]]:
    """One row per side; ratios are of the best times."""
    sides = entry["sides"]
    return side_rows(sides, {} if "depths" in entry else over(sides, "RAPID"), {
        "whole call ms": lambda name, each: milliseconds(each["whole"]), "pairs after broad phase": left})


def chapters(results: dict) -> list[tuple[str, str, list[tuple[str, ...]]]]:
    entries = [results["cases"][case.id] for case in CASES if case.id in results["cases"]]
    mines = [entry for entry in entries if "depths" not in entry]
    sweeps = [entry for entry in entries if "depths" in entry]
    found = [("Milliseconds of a step", "Ours are the means of each placement's quickest step; the published ones are "
              "means of 100 steps on a 3.2 GHz processor of 2017.", step_rows(mines)),
             ("Ratios within one run", "What should hold on any machine: TSGO over RAPID, and over the hybrid "
              "method. Of two boxes the larger gives way in all of them, but where leaf first is said.",
              ratio_rows(mines)),
             ("What the diagonals lose", f"Pairs of objects that meet, and contacts, that are not found, over {POSES} "
              "placements, where cells are found by the four diagonals only.", lost_rows(mines))]
    if sweeps:
        found.append(("Depth of the grid (figure 3)", "Milliseconds of a step, all cells; in brackets with the "
                      "diagonals, and how many of the contacts these lose.", sweep_rows(sweeps)))
    return found


def plots(results: dict) -> list[Plot]:
    """Figure 9 as ratios, which machines can share, and figure 3."""
    entries = [results["cases"][case.id] for case in CASES if case.id in results["cases"]]
    mines = [entry for entry in entries if "depths" not in entry]
    sweeps = [entry for entry in entries if "depths" in entry]
    return [*([ratio_plot(mines)] if mines else []), *([depth_plot(sweeps)] if sweeps else [])]


def ratio_plot(mines: list[dict]) -> Plot:
    rocks = [entry["fragments"] for entry in mines]
    names = {"hybrid": "hybrid", f"TSGO, {short(EXACT)}": EXACT, f"TSGO, {short(DEFAULT)}": DEFAULT}
    curves = {label: (rocks, [entry["sides"][name]["best"] / entry["sides"]["RAPID"]["best"] for entry in mines])
              for label, name in names.items()}
    published = {f"{label} published": (rocks, [times[n] / RAPID_MS[n] for n in rocks])
                 for label, times in (("hybrid", HYBRID_MS), ("TSGO", TSGO_MS))}
    return Plot("tsgo-rocks", "TSGO, figure 9: time of a step over that of RAPID", "rocks", "ratio", curves, published)


def depth_plot(sweeps: list[dict]) -> Plot:
    curves = {}
    for entry in sweeps:
        for rule in ("all cells", "diagonals"):
            times = [1e3 * entry["sides"][f"k={depth}, {rule}"]["best"] for depth in entry["depths"]]
            curves[f"{entry['fragments']} rocks, {rule}"] = entry["depths"], times
    return Plot("tsgo-depth", "TSGO, figure 3: depth of the grid", "k", "milliseconds of a step", curves)


def step_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    names = [side.name for side in SIDES]
    rows = [("rocks", "triangles", "contact points", "published", "RAPID published", "hybrid published",
             "TSGO published", *names)]
    for entry in entries:
        n, sides = entry["fragments"], entry["sides"]
        rows.append((str(n), f"{entry['triangles']:,}", f"{sides['touchpoint']['points']:,.0f}", f"{POINTS[n]:,}",
                     *(f"{published[n]:.2f}" for published in (RAPID_MS, HYBRID_MS, TSGO_MS)),
                     *(milliseconds(sides[name]["best"]) for name in names)))
    return rows


def ratio_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    ours = (PUBLISHED, LARGER_FIRST, EXACT, DEFAULT)
    rows = [("rocks", "TSGO/RAPID published", *(f"{short(name)} / RAPID" for name in ours),
             "TSGO/hybrid published", *(f"{short(name)} / hybrid" for name in ours))]
    for entry in entries:
        n, sides = entry["fragments"], entry["sides"]
        row = [str(n)]
        for base, published in (("RAPID", RAPID_MS), ("hybrid", HYBRID_MS)):
            row.append(f"{TSGO_MS[n] / published[n]:.2f}")
            row += [f"{sides[name]['best'] / sides[base]['best']:.2f}" for name in ours]
        rows.append(tuple(row))
    return rows


def lost_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    lossy = (PUBLISHED, DIAGONALS)
    rows: list[tuple[str, ...]] = [("rocks", *(f"{what} lost, {short(name)}" for name in lossy
                                               for what in ("pairs", "contacts")))]
    for entry in entries:
        row = [str(entry["fragments"])]
        for name in lossy:
            each = entry["sides"][name]
            row += [share(each[f"{what} lost"], each[f"{what} asked"]) for what in ("objects", "triangles")]
        rows.append(tuple(row))
    return rows


def sweep_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    most = max((entry["depths"] for entry in entries), key=len)
    rows: list[tuple[str, ...]] = [("k", *(f"{entry['fragments']} rocks" for entry in entries))]
    for depth in most:
        row = [str(depth)]
        for entry in entries:
            exact, published = (entry["sides"].get(f"k={depth}, {rule}") for rule in ("all cells", "diagonals"))
            row.append(f"{milliseconds(exact['best'])} ({milliseconds(published['best'])}, "
                       f"{share(published['triangles lost'], published['triangles asked'])})"
                       if exact and published else "")
        rows.append(tuple(row))
    return rows


def short(name: str) -> str:
    return name.removeprefix("TSGO ").partition(" (")[0]


def share(lost: int, asked: int) -> str:
    return f"{lost:,} of {asked:,}" + (f" ({100 * lost / asked:.2g} %)" if lost else "")
