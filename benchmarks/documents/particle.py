# SPDX-License-Identifier: GPL-3.0-or-later
"""Many objects in equal and in mixed boxes, after the 2018 paper: what share of the pairs each filter drops, and the
time that is left. The paper's figures could not be read, so none stand beside ours. One thread.
"""
from functools import partial

from ...sample_scenes import tori
from ..questions import Scene
from ..tables import milliseconds
from .descents import descents
from .rows import left, over, side_rows
from .steps import POSES, STAGES, Case, Side, take_turns

COUNTS = (50, 100, 200, 500, 1000)
SIDES = (Side("touchpoint", "touchpoint"), Side("RAPID", "rapid"), Side("hybrid", "hybrid"),
         Side("particle", "particle"), Side("particle, leaf first", "particle", {"descent": "leaf_first"}))
BUDGET, QUICK = 1.2, 1e-9           # seconds per side and case


def question(count: int, mixed: bool, quick: bool) -> Scene:
    """The tori, all elsewhere in every step."""
    count = 12 if quick else count
    shapes = tori.shapes(mixed)
    return Scene([shapes[i % len(shapes)] for i in range(count)], 0,
                 [tori.poses(count, mixed, step) for step in range(2 if quick else POSES)])


def measure(count: int, mixed: bool, quick: bool) -> dict:
    asked = question(count, mixed, quick)
    return {"objects": count, "mixed": mixed, "sides": take_turns(asked, SIDES, QUICK if quick else BUDGET),
            "descents": descents(asked, quick)}


CASES = tuple(Case(f"particle-{word}-{n}", f"{n} objects in {word} boxes", partial(measure, n, word == "mixed"))
              for word in ("equal", "mixed") for n in COUNTS)


def case_rows(entry: dict) -> list[tuple[str, ...]]:
    """One row per side; ratios are of the best times."""
    sides = entry["sides"]
    return side_rows(sides, over(sides, "RAPID"), {
        "pairs dropped": lambda name, each: dropped(each), "pairs left": left,
        "of them meet": lambda name, each: f"{each['meeting']:,.0f}"})


def chapters(results: dict) -> list[tuple[str, str, list[tuple[str, ...]]]]:
    entries = [results["cases"][case.id] for case in CASES if case.id in results["cases"]]
    found = []
    for mixed in (False, True):
        alike = [entry for entry in entries if entry["mixed"] == mixed]
        if alike:
            found.append((f"Objects in {boxes(mixed)} boxes", "The share of all pairs of objects that the broad phase "
                          "drops, and the milliseconds of a step.", filter_rows(alike)))
    return [*found,
            ("Where the time of a step goes", "Milliseconds of each stage. RAPID and hybrid compare root boxes in the "
             "broad phase, particle those that it leaves in the contacts.", stage_rows(entries)),
            ("The order of descent", "Down the trees of the pairs that the particles leave, to pairs of leaves, in "
             "milliseconds of the processor. The document goes down one object's tree to a leaf, and with it down the "
             "other's, and does not say whose comes first.", descent_rows(entries))]


def filter_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    names = [side.name for side in SIDES]
    rows = [("objects", "pairs", "meet", *(f"{name} drops" for name in names),
             *(f"{name} ms" for name in names), "particle/RAPID", "particle/hybrid")]
    for entry in entries:
        sides = entry["sides"]
        ours = sides["touchpoint"]
        rows.append((str(entry["objects"]), f"{ours['possible']:,}", f"{ours['meeting']:,.0f}",
                     *(dropped(sides[name]) for name in names),
                     *(milliseconds(sides[name]["best"]) for name in names),
                     *(f"{sides['particle']['best'] / sides[base]['best']:.2f}" for base in ("RAPID", "hybrid"))))
    return rows


def stage_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("objects", "boxes", "method", *STAGES, "broad tests", "box tests")]
    for entry in entries:
        for name, each in entry["sides"].items():
            rows.append((str(entry["objects"]), boxes(entry["mixed"]), name,
                         *(milliseconds(each["stages"][stage]) for stage in STAGES), f"{each['broad tests']:,.0f}",
                         f"{each['box tests']:,.0f}"))
    return rows


def descent_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("objects", "boxes", "order", "box tests", "per pair", "pairs of leaves", "ms",
                                    "ns per test")]
    for entry in entries:
        for order, each in entry["descents"].items():
            rows.append((str(entry["objects"]), boxes(entry["mixed"]), order, f"{each['tests']:,.0f}",
                         f"{each['tests'] / each['pairs']:.0f}", f"{each['leaf pairs']:,.0f}",
                         milliseconds(each["seconds"]), f"{1e9 * each['seconds'] / each['tests']:.0f}"))
    return rows


def boxes(mixed: bool) -> str:
    return "mixed" if mixed else "equal"


def dropped(figures: dict) -> str:
    """Per cent, so that what is left can be told: 99.93 %."""
    return f"{100 * (1 - figures['broad'] / figures['possible']):.2f} %"
