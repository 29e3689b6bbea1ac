# SPDX-License-Identifier: GPL-3.0-or-later
"""The three scenes of the 2003 thesis, chapter 4 (table 4-1): a task tree in four forms, on one thread and on all.

The thesis asks whether objects meet, and stops at the first hit of a pair; here both are asked, that and all contacts.
"""
from functools import partial

from ...sample_scenes.fan import SCENES, close_surfaces
from ..measure import core_count
from ..questions import Scene
from ..tables import milliseconds
from .rows import left, side_rows
from .shared_out import PIECES, shared_out
from .steps import POSES, Case, Side, take_turns

FORMS = ("SSTCD", "SPCD", "ESCD", "EPCD")
SPEED_UPS = (("SSTCD", "SPCD"), ("ESCD", "EPCD"))       # one thread, several
# Table 4-1: milliseconds of a step on four processors.
PUBLISHED_MS = {1: (246.9, 109.4, 231.2, 89.3), 2: (3652.1, 1443.8, 349.1, 125.9), 3: (14832.7, 7225.9, 581.7, 222.4)}
PROCESSORS = 4

BUDGET, QUICK = 2.0, 1e-9       # seconds per side and case
EVERYTHING, HITS = "all contacts", "do they meet"


def sides(contacts: bool) -> tuple[Side, ...]:
    return (Side("touchpoint", "touchpoint", threads=None, contacts=contacts),
            Side("touchpoint, 1 thread", "touchpoint", contacts=contacts),
            *(Side(form, "parallel", {"form": form}, threads=None, contacts=contacts) for form in FORMS))


def question(number: int, quick: bool) -> Scene:
    """Everything moves; for a try a few objects or small ones."""
    if not quick:
        bodies, poses = SCENES[number](POSES)
        return Scene(bodies, 0, poses)
    bodies, poses = SCENES[1](2) if number == 1 else close_surfaces(400, 2)
    return Scene(bodies[:4], 0, [placed[:4] for placed in poses])


def measure(number: int, contacts: bool, quick: bool) -> dict:
    asked = question(number, quick)
    entry = {"scene": number, "asked": EVERYTHING if contacts else HITS, "cores": core_count(),
             "objects": len(asked.bodies), "triangles": sum(len(triangles) for _, triangles in asked.bodies),
             "sides": take_turns(asked, sides(contacts), QUICK if quick else BUDGET)}
    if contacts:        # else threads only get what one has not answered at once
        entry["shared out"] = {several: {str(threads): shared_out(asked, several, threads, quick)
                                         for threads in sorted({1, core_count(), PROCESSORS})}
                               for _, several in SPEED_UPS}
    return entry


CASES = tuple(Case(f"fan-{word}-{number}", f"scene {number}, {text}", partial(measure, number, text == EVERYTHING))
              for word, text in (("all", EVERYTHING), ("hit", HITS)) for number in PUBLISHED_MS)


def speed_up(entry: dict, one: str, several: str) -> str:
    """How many times as fast the second form is."""
    figures = entry["sides"]
    return f"{figures[one]['best'] / figures[several]['best']:.2f}"


def case_rows(entry: dict) -> list[tuple[str, ...]]:
    """One row per side; the speed-up is over the same algorithm on one thread."""
    alone = {several: one for one, several in (*SPEED_UPS, ("touchpoint, 1 thread", "touchpoint"))}
    return side_rows(entry["sides"], {
        "speed-up": lambda name, each: speed_up(entry, alone[name], name) if name in alone else ""},
        {"pairs after broad phase": left})


def chapters(results: dict) -> list[tuple[str, str, list[tuple[str, ...]]]]:
    entries = [results["cases"][case.id] for case in CASES if case.id in results["cases"]]
    cores = results["made"]["machine"]["cores"]
    times: list[tuple[str, ...]] = [("scene", "objects", "triangles", "asked", *(f"{form} published" for form in FORMS),
                                     *FORMS, "touchpoint")]
    ratios: list[tuple[str, ...]] = [("scene", "asked", *(f"{one}/{several} {what}" for one, several in SPEED_UPS
                                                          for what in ("published", "here")), "touchpoint here")]
    for entry in entries:
        scene, figures = entry["scene"], entry["sides"]
        published = dict(zip(FORMS, PUBLISHED_MS[scene]))
        times.append((str(scene), str(entry["objects"]), f"{entry['triangles']:,}", entry["asked"],
                      *(f"{published[form]:,.1f}" for form in FORMS),
                      *(milliseconds(figures[name]["best"]) for name in (*FORMS, "touchpoint"))))
        row = [str(scene), entry["asked"]]
        for one, several in SPEED_UPS:
            row += [f"{published[one] / published[several]:.2f}", speed_up(entry, one, several)]
        ratios.append((*row, speed_up(entry, "touchpoint, 1 thread", "touchpoint")))
    return [("Milliseconds of a step", f"Published: {PROCESSORS} processors of 2003, whether objects meet. Here: "
             f"{cores} cores; means of each placement's quickest step.", times),
            ("Speed-up", f"The same algorithm on one thread over that on all: {PROCESSORS} processors there, {cores} "
             f"cores here, so that it can be {cores} at most.", ratios),
            ("What threads can share", "All contacts, milliseconds of the processor, each piece by itself: placing "
             "objects and the broad phase, fitting boxes, dividing the work, searching, putting hits in order and "
             "making contacts. Only the search is shared in scenes of this size. At most: what the longest share of "
             "the search and the handing over of empty parts leave of the speed-up, were threads never in each other's "
             "way; together: time of the processor that the search took with all threads at once, over that alone.",
             shared_rows([entry for entry in entries if "shared out" in entry]))]


def shared_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("scene", "form", "threads", *PIECES, "parts", "longest share",
                                    "hand over", "at most", "measured", "together")]
    for entry in entries:
        for one, several in SPEED_UPS:
            pieces = entry["shared out"][several]
            for threads, each in pieces.items():
                alone = threads == "1"
                rows.append((str(entry["scene"]), one if alone else several, threads,
                             *(milliseconds(each[piece]) for piece in PIECES), f"{each['parts']:.0f}",
                             *("" if alone else milliseconds(each[what]) for what in ("longest share", "hand over")),
                             "" if alone else f"{at_most(pieces['1'], each):.2f}",
                             speed_up(entry, one, several) if threads == str(entry["cores"]) != "1" else "",
                             "" if alone else f"{each['together'] / each['search']:.2f}"))
    return rows


def at_most(one: dict, several: dict) -> float:
    """The speed-up that the pieces allow."""
    serial = sum(several[piece] for piece in ("place", "fit", "divide", "contacts"))
    return sum(one[piece] for piece in PIECES) / (serial + several["longest share"] + several["hand over"])
