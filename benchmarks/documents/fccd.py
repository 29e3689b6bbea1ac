# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiment of the 2014 document (figure 6): 50 to 500 cubes of several sizes that move at random.

The cubes are `sample_scenes/swarm.py`: they come together and part again in 48 steps. The document's cubes glide; here
they are asked a second time while they turn, too. A step moves all cubes and finds which pairs meet until the next
step, those that already do among them, and when first. One thread.
"""
import gc
import statistics
import time
from functools import partial

import numpy as np

from ...core import Scene, detect, methods
from ...core.codes import CONTAINED
from ...core.continuous.instant import Instant
from ...core.run import Run
from ...sample_scenes.swarm import TURN, Swarm, cube, swarm
from ..animations import triangulated
from ..tables import agreement, milliseconds, ratio
from .plots import Plot
from .steps import Case

COUNTS = tuple(range(50, 501, 50))
PUBLISHED_MS = {50: 0.5, 500: 4.9}      # of FCCD, from the text
FCCD, LCCD, CERTIFIED, FRAMES = "FCCD", "LCCD", "certified", "frames alone"
METHODS = {FCCD: "fccd", LCCD: "lccd", "trajectory SAT": "trajectory_sat", CERTIFIED: "certified"}
NAMES = (*METHODS, FRAMES)
ROUNDS = 3                              # of which the quickest counts, step by step
QUICK = (12, 4)                         # cubes and frames


class Between:
    """One method on a Scene of its own: what comes together from one frame to the next."""

    def __init__(self, model: Swarm, method: str):
        self.scene = Scene()
        for edge in model.edges:
            self.scene.add_object(self.scene.add_mesh(*triangulated(cube(edge))))
        self.objects = range(len(model.edges))
        self.method = method
        self.seconds: list[list[float]] = []        # rounds, steps
        self.met: list[dict[tuple, float]] = []     # of the last round, by step: pair → time in the step

    def begin(self, poses: np.ndarray) -> None:
        self.seconds.append([])
        self.met.clear()
        self.scene.set_poses(self.objects, poses)
        self.start = Instant.of(self.scene)

    def step(self, poses: np.ndarray) -> None:
        between, run = methods.load(self.method).between, Run(None, 1, False, methods.load(self.method).chosen(None))
        assert between is not None
        begun = time.perf_counter()
        self.scene.set_poses(self.objects, poses)
        end = Instant.of(self.scene)
        found = between(self.start, end, None, run)
        self.seconds[-1].append(time.perf_counter() - begun)
        self.start = end
        self.met.append(dict(zip(zip(found.a.tolist(), found.b.tolist()), found.toi.tolist())))


class Frames(Between):
    """Touchpoint on each frame by itself. A pair has met in a step where one of the step's two frames shows it."""

    def begin(self, poses: np.ndarray) -> None:
        super().begin(poses)
        self.before = self.shown()

    def step(self, poses: np.ndarray) -> None:
        begun = time.perf_counter()
        self.scene.set_poses(self.objects, poses)
        now = self.shown()
        self.seconds[-1].append(time.perf_counter() - begun)
        self.met.append(dict.fromkeys(now, 1.0) | dict.fromkeys(self.before, 0.0))
        self.before = now

    def shown(self) -> list[tuple]:
        """Pairs whose surfaces meet."""
        pairs = detect(self.scene, contacts=False, threads=1).pairs
        pairs = pairs[pairs["verdict"] != CONTAINED]
        return list(zip(pairs["a"].tolist(), pairs["b"].tolist()))


def measure(count: int, turns: bool, quick: bool) -> dict:
    """Let the sides make all steps in turns, some rounds long."""
    count, frames = QUICK if quick else (count, None)
    model = swarm(count, turns=turns)
    middle = round(0.5 * (1 + model.last))
    shown = range(middle, middle + frames) if frames else range(1, model.last + 1)
    poses = np.array([model.poses(frame) for frame in shown])
    sides = {name: Between(model, method) for name, method in METHODS.items()} | {FRAMES: Frames(model, "touchpoint")}
    for _ in range(ROUNDS):
        for side in sides.values():
            side.begin(poses[0])
        gc.disable()        # Python's search for cycles is none of the methods' work
        try:
            for step, placed in enumerate(poses[1:]):
                for side in list(sides.values())[::1 if step % 2 else -1]:
                    side.step(placed)
        finally:
            gc.enable()
    return {"cubes": count, "turn": turns, "steps": len(poses) - 1,
            "sides": {name: figures(side, sides[CERTIFIED]) for name, side in sides.items()}}


def figures(side: Between, right: Between) -> dict:
    """Seconds of each step's quickest round; how pairs and times, as shares of a step, differ from another side's."""
    found: dict = {"seconds": np.min(side.seconds, axis=0).tolist(), "pairs": sum(map(len, side.met)), "notes": []}
    if side is right:
        return found
    both = list(zip(side.met, right.met))
    told: dict[str, float] = {"missed": sum(len(theirs.keys() - mine.keys()) for mine, theirs in both),
                              "invented": sum(len(mine.keys() - theirs.keys()) for mine, theirs in both),
                              "found": sum(len(theirs) for _, theirs in both)}
    if not isinstance(side, Frames):
        apart = [0.0, *(mine[pair] - theirs[pair] for mine, theirs in both for pair in mine.keys() & theirs.keys())]
        told |= {"later by": max(apart), "earlier by": -min(apart)}
    return found | {"agreement": told}


CASES = tuple(Case(f"fccd-{word}-{n}", f"{n} {word} cubes", partial(measure, n, word == "turning"))
              for word in ("gliding", "turning") for n in COUNTS)


def case_rows(entry: dict) -> list[tuple[str, ...]]:
    """One row per side."""
    rows: list[tuple[str, ...]] = [("method", "steps", "ms mean", "ms most", f"× {FCCD}", "pairs that meet in a step",
                                    "agreement")]
    least = statistics.fmean(entry["sides"][FCCD]["seconds"])
    for name, each in entry["sides"].items():
        mean = statistics.fmean(each["seconds"])
        rows.append((name, str(entry["steps"]), milliseconds(mean), milliseconds(max(each["seconds"])),
                     ratio(mean / least), f"{each['pairs'] / entry['steps']:.1f}", agreement(each.get("agreement"))))
    return rows


def chapters(results: dict) -> list[tuple[str, str, list[tuple[str, ...]]]]:
    found = []
    for turn, title, sentence in (
            (False, "Cubes that glide (figure 6)", "As in the document, whose figures are from a 2.13 GHz processor."),
            (True, "Cubes that turn, too", f"Each about an axis of its own, by some {TURN:g}° per step.")):
        entries = entries_of(results, turn)
        if entries:
            found.append((title, f"Milliseconds of a step, the mean over all steps. {sentence}", step_rows(entries)))
    return found


def plots(results: dict) -> list[Plot]:
    """Figure 6."""
    found = []
    for turn, word in ((False, "glide"), (True, "turn")):
        entries = entries_of(results, turn)
        if entries:
            cubes = [entry["cubes"] for entry in entries]
            curves = {name: (cubes, [1e3 * statistics.fmean(entry["sides"][name]["seconds"]) for entry in entries])
                      for name in NAMES}
            published = {} if turn else {"FCCD published": (list(PUBLISHED_MS), list(PUBLISHED_MS.values()))}
            found.append(Plot(f"fccd-{word}", f"FCCD, figure 6: cubes that {word}", "cubes", "milliseconds of a step",
                              curves, published))
    return found


def entries_of(results: dict, turn: bool) -> list[dict]:
    entries = (results["cases"].get(case.id) for case in CASES)
    return [entry for entry in entries if entry and entry["turn"] == turn]


def step_rows(entries: list[dict]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("cubes", "FCCD published", *NAMES, "LCCD/FCCD", "pairs that meet in a step")]
    for entry in entries:
        mean = {name: statistics.fmean(entry["sides"][name]["seconds"]) for name in NAMES}
        published = "" if entry["turn"] else str(PUBLISHED_MS.get(entry["cubes"], ""))
        rows.append((str(entry["cubes"]), published, *map(milliseconds, mean.values()),
                     f"{mean[LCCD] / mean[FCCD]:.2f}",
                     f"{entry['sides'][CERTIFIED]['pairs'] / entry['steps']:.1f}"))
    return rows
