# SPDX-License-Identifier: GPL-3.0-or-later
"""Four scenes of the 2003 thesis, chapter 3 (table 3-1), and the GPU against the processor (figure 3-16).

SCD0 and SCD1 test nearly all edges against nearly all triangles, so that they make one step each, in the first
placement. RECODE and IBCD ask pictures whether objects meet, the others find all contacts. One thread, but for the GPU.
"""
from dataclasses import replace
from functools import partial

from ...sample_scenes.fan_streams import TRIANGLES, balls, scene
from ..questions import Scene
from ..tables import milliseconds, ratio
from .fan_ibcd import IBCD, IBCD_CPU, PLACEMENTS, RECODE, RECODE_CPU, drawing
from .plots import Plot
from .rows import left, over, side_rows
from .steps import Case, Side, Turn, compared, take_turns, there

ON_GPU = True
# Table 3-1: milliseconds.
PUBLISHED_MS = {"SCD0": (6627.5, 2256.0, 15587.4, 9593.6), "SCD1": (47.6, 53.2, 58.7, 72.3),
                "SCD2": (23.0, 40.4, 24.1, 26.1), "RAPID": (1.0, 1.9, 161.6, 10.2), "RECODE": (29.3,)}
RAPID, DEVICES = "RAPID", (("GPU", "gpu"), ("processor", "cpu"))
FORMS = {"SCD0": "scd0", "SCD1": "scd1", "SCD2": "scd2", "walk": "walk"}
ALL, SLOW = ("walk", "SCD2"), ("SCD1", "SCD0")
EXACT = (Side("touchpoint", "touchpoint"), Side(RAPID, "rapid"))
CONVEX = 1                          # the scene that RECODE can be asked about
SIZES = (512, 2048, 8192)           # triangles of two balls, for figure 3-16
BUDGET, QUICK = 0.6, 1e-9           # seconds per side and case
TRY = 400                           # triangles of two balls, for a try


def streaming(forms: tuple[str, ...]) -> tuple[Side, ...]:
    return tuple(Side(f"{form}, {word}", "stream", {"form": FORMS[form], "device": device})
                 for form in forms for word, device in DEVICES)


def drawn(number: int) -> tuple[Side, ...]:
    recode = (drawing(RECODE, "recode", "gpu"), drawing(RECODE_CPU, "recode", "cpu")) if number == CONVEX else ()
    return (replace(EXACT[0], name="touchpoint, do they meet", contacts=False), *recode,
            drawing(IBCD, "ibcd", "gpu"), drawing(IBCD_CPU, "ibcd", "cpu"))


EXACT_NAMES = tuple(side.name for side in EXACT)
SIDE_NAMES = tuple(side.name for side in (*streaming(tuple(FORMS)), *drawn(CONVEX)[1:]))


def measure(number: int, quick: bool, gpu) -> dict:
    bodies, poses = balls(TRY, 2) if quick else scene(number, PLACEMENTS)
    budget, asked = QUICK if quick else BUDGET, Scene(bodies, 0, poses)
    sides = take_turns(asked, EXACT + streaming(ALL), budget, gpu)
    sides |= one_step(Scene(bodies, 0, poses[:1]), streaming(SLOW), gpu)
    return {"scene": number, "triangles": sum(len(triangles) for _, triangles in bodies),
            "sides": sides | take_turns(asked, drawn(number), budget, gpu)}


def one_step(asked: Scene, sides: tuple[Side, ...], gpu) -> dict[str, dict]:
    """The figures of sides that take seconds, compared with Touchpoint."""
    turns = [Turn(asked, side, gpu) for side in (EXACT[0], *there(sides, gpu))]
    for turn in turns:
        turn.step(0)
    return {turn.side.name: turn.figures() | compared(turns[0], turn) for turn in turns[1:]}


def sizes(triangles: int, quick: bool, gpu) -> dict:
    bodies, poses = balls(TRY if quick else triangles, 2)
    sides = take_turns(Scene(bodies, 0, poses), (*EXACT, *streaming(("SCD0", "walk"))), QUICK if quick else 0.5, gpu)
    return {"balls": triangles, "triangles": triangles, "sides": sides}


CASES = (*(Case(f"fan-stream-scene-{n}", f"scene {n}, {TRIANGLES[n]:,} triangles", partial(measure, n))
           for n in TRIANGLES),
         *(Case(f"fan-stream-balls-{n}", f"two balls of {n:,} triangles", partial(sizes, n)) for n in SIZES))


def case_rows(entry: dict) -> list[tuple[str, ...]]:
    """One row per side; ratios are of the best times."""
    return side_rows(entry["sides"], over(entry["sides"], RAPID), {"pairs after broad phase": left})


def chapters(results: dict) -> list[tuple[str, str, list[tuple[str, ...]]]]:
    entries = [results["cases"][case.id] for case in CASES if case.id in results["cases"]]
    scenes, grown = ([entry for entry in entries if key in entry] for key in ("scene", "balls"))
    found = []
    if scenes:
        found += [("Milliseconds of a step (table 3-1)", "Published: a 1.6 GHz processor and a GeForce FX 5800 of "
                   "2003. Here: means of each placement's quickest step; SCD0 and SCD1 make one step.",
                   step_rows(scenes)),
                  ("Ratios within one run", "How many times as quick as SCD0, as in the table of the thesis.",
                   speed_up_rows(scenes))]
    if grown:
        found.append(("GPU and processor (figure 3-16)", "The same algorithm on both, milliseconds of a step; above 1 "
                      "the GPU is quicker. The thesis has a curve only, in which its GPU is clearly quicker than its "
                      "processor.", device_rows(grown)))
    return found


def of(entry: dict, name: str) -> dict:
    """The figures of a method on the GPU, or on the processor where there is no GPU; {} for one that is not asked."""
    sides = entry["sides"]
    return next((sides[each] for each in (name, f"{name}, GPU", f"{name}, processor") if each in sides), {})


def step_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    names = [name for name in (*EXACT_NAMES, *SIDE_NAMES) if any(name in entry["sides"] for entry in entries)]
    rows: list[tuple[str, ...]] = [("scene", "triangles", "contacts", *(f"{name} published" for name in PUBLISHED_MS),
                                    *names)]
    for entry in entries:
        sides = entry["sides"]
        rows.append((str(entry["scene"]), f"{entry['triangles']:,}", f"{sides['touchpoint']['contacts']:,.0f}",
                     *(f"{times[entry['scene'] - 1]:,.1f}" if entry["scene"] <= len(times) else ""
                       for times in PUBLISHED_MS.values()),
                     *(milliseconds(sides[name]["best"]) if name in sides else "" for name in names)))
    return rows


def speed_up_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("scene", "SCD1 published", "SCD1", "SCD2 published", "SCD2", "walk",
                                    "RECODE published", "RECODE", "IBCD", "RAPID published", "RAPID", "touchpoint")]
    for entry in entries:
        published = {name: times[entry["scene"] - 1:][:1] for name, times in PUBLISHED_MS.items()}
        base = of(entry, "SCD0")["best"]
        row = [str(entry["scene"])]
        for name in ("SCD1", "SCD2", "walk", "RECODE", "IBCD", "RAPID", "touchpoint"):
            each = of(entry, name)
            if name in published:
                row.append("".join(ratio(published["SCD0"][0] / ms) for ms in published[name]))
            row.append(ratio(base / each["best"]) if each else "")
        rows.append(tuple(row))
    return rows


def device_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    names = [f"{form}, {word}" for form in ("SCD0", "walk") for word, _ in DEVICES]
    rows: list[tuple[str, ...]] = [("triangles", *names, "SCD0, processor / GPU", "walk, processor / GPU")]
    for entry in entries:
        sides = entry["sides"]
        times = {name: sides[name]["best"] for name in names if name in sides}
        rows.append((f"{entry['balls']:,}", *(milliseconds(times[name]) if name in times else "" for name in names),
                     *(ratio(times[f"{form}, processor"] / times[f"{form}, GPU"]) if f"{form}, GPU" in times else ""
                       for form in ("SCD0", "walk"))))
    return rows


def plots(results: dict) -> list[Plot]:
    """Figure 3-16."""
    entries = [results["cases"][case.id] for case in CASES if case.id in results["cases"]]
    grown = [entry for entry in entries if "balls" in entry]
    if not grown:
        return []
    names = [name for name in grown[0]["sides"] if name not in EXACT_NAMES]
    return [Plot("stream-devices", "Streams, figure 3-16: the same algorithm on the GPU and on the processor",
                 "triangles", "milliseconds of a step",
                 {name: ([entry["balls"] for entry in grown], [1e3 * entry["sides"][name]["best"] for entry in grown])
                  for name in names})]
