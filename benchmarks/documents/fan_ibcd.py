# SPDX-License-Identifier: GPL-3.0-or-later
"""The two scenes of the 2003 thesis, chapter 2 (figures 2-15 to 2-20): 130 objects that move, and a hand among objects.

The thesis asks whether objects meet; so do all sides here. It gives curves only, so that no figures stand beside ours
but what its text says. The methods that draw are measured on the GPU that there is and on the processor, by the same
rules. One thread, but for the GPU.
"""
from functools import partial
from statistics import fmean, pstdev

from ...sample_scenes.fan_pictures import hand_among_objects, moving_objects
from ...sample_scenes.hand import TRIANGLES as HAND_TRIANGLES
from ..questions import Scene
from ..tables import milliseconds
from .picture_errors import error_plot, error_rows, errors_by_resolution
from .plots import Plot
from .rows import left, over, side_rows
from .steps import Case, Side, take_turns

ON_GPU = True
RAPID, IBCD, IBCD_CPU = "RAPID", "IBCD, GPU", "IBCD, processor"
RECODE, RECODE_CPU, CONFIRMED = "RECODE, GPU", "RECODE, processor", "IBCD, GPU, confirmed (default)"


def drawing(name: str, method: str, device: str, confirm: bool = False) -> Side:
    return Side(name, method, {"device": device, "confirm": confirm}, sure=confirm, contacts=False, draws=True)


SIDES = (Side("touchpoint", "touchpoint", contacts=False), Side(RAPID, "rapid", contacts=False),
         drawing(RECODE, "recode", "gpu"), drawing(RECODE_CPU, "recode", "cpu"),
         drawing(IBCD, "ibcd", "gpu"), drawing(IBCD_CPU, "ibcd", "cpu"), drawing(CONFIRMED, "ibcd", "gpu", True))
STEADY = tuple(side for side in SIDES if side.name in ("touchpoint", RAPID, IBCD, IBCD_CPU))
MOVING = (96, 384, 1536)        # triangles of one of the 130 objects, about
PARTS = (1, 2, 3)               # of the hand's cells
PLACEMENTS = 4                  # that the steps go through
STEPS = 40                      # that the variation is looked at over
BUDGET, QUICK = 0.8, 1e-9       # seconds per side and case


def question(scene: str, size: int, steps: int, quick: bool) -> Scene:
    """For a try the smallest hand or a few of the smallest objects."""
    if scene == "hand":
        return Scene(*hand_among_objects(1 if quick else size, steps))
    bodies, fixed, poses = moving_objects(MOVING[0] if quick else size, steps)
    few = 12 if quick else len(bodies)
    return Scene(bodies[:few], fixed, [each[:few] for each in poses])


def measure(scene: str, size: int, quick: bool, gpu) -> dict:
    asked = question(scene, size, 2 if quick else PLACEMENTS, quick)
    return {"scene": scene, "triangles": sum(len(triangles) for _, triangles in asked.bodies),
            "sides": take_turns(asked, SIDES, QUICK if quick else BUDGET, gpu)}


def variation(quick: bool, gpu) -> dict:
    asked = question("hand", 2, 3 if quick else STEPS, quick)
    return {"steps": len(asked.poses), "sides": take_turns(asked, STEADY, QUICK if quick else BUDGET, gpu)}


def hand_triangles(parts: int) -> int:
    return HAND_TRIANGLES * parts ** 2


CASES = (*(Case(f"fan-ibcd-moving-{n}", f"130 objects of about {n} triangles", partial(measure, "moving", n))
           for n in MOVING),
         *(Case(f"fan-ibcd-hand-{n}", f"a hand of {hand_triangles(n):,} triangles among objects",
                partial(measure, "hand", n)) for n in PARTS),
         Case("fan-ibcd-variation", "a hand among objects, step by step", variation),
         Case("fan-ibcd-errors", "random pairs of convex bodies, pictures alone", errors_by_resolution))


def case_rows(entry: dict) -> list[tuple[str, ...]]:
    """One row per side; ratios are of the best times."""
    if "resolutions" in entry:
        return error_rows(entry)
    return side_rows(entry["sides"], over(entry["sides"], RAPID), {"pairs after broad phase": left})


def chapters(results: dict) -> list[tuple[str, str, list[tuple[str, ...]]]]:
    entries = [results["cases"][case.id] for case in CASES if case.id in results["cases"]]
    found = []
    for scene, title in (("moving", "130 objects that move (figure 2-17)"), ("hand", "A hand among objects (figures "
                                                                             "2-18 and 2-19)")):
        alike = [entry for entry in entries if entry.get("scene") == scene]
        if alike:
            found.append((title, "Milliseconds of a step, the means of each placement's quickest step: do objects "
                          "meet? The thesis has curves only, by which IBCD is quicker than RECODE. In brackets: how "
                          "many pairs of objects the pictures lose and invent, of those that meet.", step_rows(alike)))
    steady = [entry for entry in entries if "steps" in entry]
    if steady:
        found.append(("Variation of time (figure 2-20)", "(t − mean)/mean over the steps of the hand of "
                      f"{hand_triangles(2):,} triangles, each the quickest of its runs, in per cent. The thesis says "
                      "that image-based detection is steadier than RAPID.", variation_rows(steady[0])))
    errors = [entry for entry in entries if "resolutions" in entry]
    if errors:
        found.append(("What pictures miss", "The same random pairs of convex bodies of about the size 1 at every "
                      "resolution, drawn by the processor, against the exact answer.", error_rows(errors[0])))
    return found


def step_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    names = [side.name for side in SIDES if all(side.name in entry["sides"] for entry in entries)]
    rows = [("triangles", "pairs that meet", *names)]
    for entry in entries:
        rows.append((f"{entry['triangles']:,}", f"{entry['sides']['touchpoint']['meeting']:.1f}",
                     *(milliseconds(entry["sides"][name]["best"]) + wrong(entry["sides"][name]) for name in names)))
    return rows


def wrong(figures: dict) -> str:
    lost, invented, asked = (figures[f"objects {what}"] for what in ("lost", "invented", "asked"))
    return f" ({lost} lost, {invented} invented of {asked})" if lost or invented else ""


def deviations(figures: dict) -> list[float]:
    """Of each step from the mean, in per cent."""
    mean = fmean(figures["placements"])
    return [100.0 * (each - mean) / mean for each in figures["placements"]]


def variation_rows(entry: dict) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("method", "mean ms", "standard deviation", "least", "most")]
    for name, each in entry["sides"].items():
        apart = deviations(each)
        rows.append((name, milliseconds(fmean(each["placements"])),
                     *(f"{number:+.0f} %" if sign else f"{number:.0f} %"
                       for number, sign in ((pstdev(apart), False), (min(apart), True), (max(apart), True)))))
    return rows


def plots(results: dict) -> list[Plot]:
    """Figure 2-20, and errors over the resolution."""
    found, cases = [], results["cases"]
    if "fan-ibcd-variation" in cases:
        sides = cases["fan-ibcd-variation"]["sides"]
        curves = {name: (range(1, 1 + len(each["placements"])), deviations(each)) for name, each in sides.items()
                  if name != "touchpoint"}
        found.append(Plot("ibcd-variation", "IBCD, figure 2-20: time of a step beside the mean", "step", "per cent",
                          curves, signed=True))
    if "fan-ibcd-errors" in cases:
        found.append(error_plot(cases["fan-ibcd-errors"]))
    return found
