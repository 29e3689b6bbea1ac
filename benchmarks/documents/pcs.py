# SPDX-License-Identifier: GPL-3.0-or-later
"""The two experiments of the 2003 paper (figure 3): how many collision checks each moment of a motion takes.

A ball that is pushed onto a 30° ramp and flies off (`sample_scenes/ramp_ball.py`), and 20 dominoes of which the first
is pushed over (`sample_scenes/dominoes.py`), in steps of 0.01 s. Between two steps the methods are asked which objects
come together and when; what meets at the start of a step is not asked. One thread.
"""
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...core import Scene, detect, methods
from ...core.continuous.instant import Instant
from ...core.run import Run
from ...sample_scenes import dominoes, ramp_ball
from ..tables import milliseconds
from .plots import Plot
from .steps import Case

STEP = 0.01                     # seconds
PER_ROW = 25                    # steps in a row of the table
BLOW, DOMINO_STEPS = 51, 620    # the frame in which the first domino is pushed; until all lie
PCS, CERTIFIED = "PCS", "certified"
SIDES = {PCS: "pcs", CERTIFIED: "certified"}
ROUNDS = 3                      # of which the quickest counts, step by step
PUBLISHED = {                   # what the text says of figure 3
    "pcs-ball": "The document has about 300 checks per second where the ball reaches the ramp, and none of the ball in "
                "flight.",
    "pcs-dominoes": "In the document the checks fall far below their peak once it is over."}


@dataclass(frozen=True, eq=False)
class Film:
    """Bodies, vertices and faces each, and where they are at each step."""

    bodies: list[tuple]
    poses: np.ndarray           # (steps, bodies, 4, 4)
    events: list[tuple[str, float]]     # what the document says happens, and when, in seconds


def ball_film() -> Film:
    move = ramp_ball.motion()
    poses = still(len(move.angle), 3)
    poses[:, 2] = about_y(move.angle)
    poses[:, 2, :3, 3] = move.ball
    stations = ramp_ball.way()
    begin = stations[ramp_ball.LANDED].time - (ramp_ball.LANDING_FRAME - 1) * STEP
    foot, edge, landing = (each.time - begin for each in stations[2:5])
    return Film([dominoes.floor(), dominoes.ramp(), ramp_ball.globe()], poses,
                [("the ball rolls onto the ramp", foot), ("it flies off", edge), ("it comes down", landing)])


def domino_film() -> Film:
    path = dominoes.front_path(round(1 / STEP), BLOW, DOMINO_STEPS)
    leans, offsets = np.array([dominoes.chain(*each) for each in path]), dominoes.domino_offsets()
    poses = still(len(path), 1 + dominoes.COUNT)
    for k in range(dominoes.COUNT):
        poses[:, 1 + k] = about_y(leans[:, k])
        poses[:, 1 + k, :3, 3] = k * dominoes.SPACING, offsets[k], 0.0
    last = next(step for step, (front, _) in enumerate(path) if front == dominoes.COUNT - 1)
    return Film([dominoes.floor(), *[dominoes.domino()] * dominoes.COUNT], poses,
                [("the first domino is pushed", (BLOW - 1) * STEP), ("the last one is hit", last * STEP)])


def still(steps: int, bodies: int) -> np.ndarray:
    return np.tile(np.eye(4), (steps, bodies, 1, 1))


def about_y(angles: np.ndarray) -> np.ndarray:
    """(n,4,4) turns about y."""
    poses = still(len(angles), 1)[:, 0]
    poses[:, 0, 0] = poses[:, 2, 2] = np.cos(angles)
    poses[:, 0, 2], poses[:, 2, 0] = np.sin(angles), -np.sin(angles)
    return poses


def triangles(faces) -> np.ndarray:
    return np.array([(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)], np.int32)


def measure(film: Callable[[], Film], quick: bool) -> dict:
    """Every step of the film, by both methods; for a try only some around the last event."""
    made = film()
    middle = int(made.events[-1][1] / STEP)
    steps = range(middle - 2, middle + 3) if quick else range(len(made.poses) - 1)
    sides: dict[str, dict] = {name: {what: [] for what in ("checks", "pairs", "met", "seconds", "notes")}
                              for name in SIDES}
    scene, objects = Scene(), range(len(made.bodies))
    for vertices, faces in made.bodies:
        scene.add_object(scene.add_mesh(vertices, triangles(faces)))
    for step in steps:
        scene.set_poses(objects, made.poses[step])
        report = detect(scene, contacts=False, threads=1)
        meeting = report.pairs["a"].astype(np.int64) * len(objects) + report.pairs["b"]
        start = Instant.of(scene)
        scene.set_poses(objects, made.poses[step + 1])
        end = Instant.of(scene)
        for name, method in SIDES.items():
            ask(sides[name], method, start, end, partial(apart, meeting, len(objects)))
    return {"first": steps[0], "steps": len(steps), "bodies": len(objects), "events": made.events, "sides": sides}


def apart(meeting: np.ndarray, count: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k,) bool: pairs that do not meet at the start. meeting: codes a·count + b of those that do."""
    return ~np.isin(a.astype(np.int64) * count + b, meeting)


def ask(side: dict, method: str, start: Instant, end: Instant, allows: Callable) -> None:
    """Add what a method says of one step, and the least time of some rounds."""
    between, seconds = methods.load(method).between, []
    assert between is not None
    for _ in range(ROUNDS):
        run = Run(None, 1, False, methods.load(method).chosen(None))
        begun = time.perf_counter()
        found = between(start, end, allows, run)
        seconds.append(time.perf_counter() - begun)
    side["seconds"].append(min(seconds))
    side["checks"].append(run.counts.get("checks", 0))
    side["pairs"].append(run.counts["broad_tests"])
    side["met"].append([[int(a), int(b), round(float(toi), 6)] for a, b, toi in zip(found.a, found.b, found.toi)])


CASES = (Case("pcs-ball", "a ball on a ramp", partial(measure, ball_film)),
         Case("pcs-dominoes", "20 dominoes", partial(measure, domino_film)))


def case_rows(entry: dict) -> list[tuple[str, ...]]:
    """One row per method."""
    rows: list[tuple[str, ...]] = [("method", "steps", "ms mean", "ms most", "pairs that share a tile", "checks",
                                    "most in a step", "pairs that meet", "agreement")]
    right = entry["sides"][CERTIFIED]["met"]
    for name, each in entry["sides"].items():
        own = name == PCS
        rows.append((name, str(entry["steps"]), milliseconds(statistics.fmean(each["seconds"])),
                     milliseconds(max(each["seconds"])), f"{sum(each['pairs']):,}" if own else "",
                     f"{sum(each['checks']):,}" if own else "", str(max(each["checks"])) if own else "",
                     str(sum(map(len, each["met"]))), agreement(each["met"], right)))
    return rows


def agreement(met: list, right: list) -> str:
    """Whether the same pairs meet in the same steps, and by how much their times differ."""
    if [[pair[:2] for pair in step] for step in met] != [[pair[:2] for pair in step] for step in right]:
        return "other pairs"
    apart = [abs(one[2] - other[2]) for step, others in zip(met, right) for one, other in zip(step, others)]
    return f"the same, times within {max(apart, default=0.0):.0e} of a step" if any(apart) else "the same"


def chapters(results: dict) -> list[tuple[str, str, list[tuple[str, ...]]]]:
    entries = [(case, results["cases"][case.id]) for case in CASES if case.id in results["cases"]]
    found = []
    for case, entry in entries:
        events = ", ".join(f"{what} at {when:.2f} s" for what, when in entry["events"])
        every = entry["bodies"] * (entry["bodies"] - 1) // 2 / STEP
        found.append((f"Checks per second over time: {case.title} (figure 3)", f"What happens: {events}. "
                      f"{PUBLISHED[case.id]} A check of every pair in every step would be {every:,.0f} per second.",
                      curve_rows(entry)))
    return found


def plots(results: dict) -> list[Plot]:
    """Figure 3, each moment with the quarter of a second around it."""
    found = []
    for case, letter in zip(CASES, "ab"):
        entry = results["cases"].get(case.id)
        if entry:
            side = entry["sides"][PCS]
            seconds = [(entry["first"] + step + 0.5) * STEP for step in range(entry["steps"])]
            curves = {label: (seconds, around_each(side[what])) for label, what in (
                ("checks", "checks"), ("pairs that share a tile", "pairs"))}
            found.append(Plot(case.id, f"PCS, figure 3{letter}: {case.title}", "seconds", "per second", curves,
                              events=entry["events"]))
    return found


def around_each(counts: list[int]) -> list[float]:
    """Per second, in the PER_ROW steps around each one."""
    window = min(PER_ROW, len(counts))
    return np.convolve(counts, np.full(window, 1 / (window * STEP)), "same").tolist()


def curve_rows(entry: dict) -> list[tuple[str, ...]]:
    """The curves of figure 3, a row per quarter of a second."""
    rows: list[tuple[str, ...]] = [("from s", "to s", "checks per second", "", "pairs that share a tile, per second",
                                    "pairs that meet")]
    checks, pairs, met = (entry["sides"][PCS][what] for what in ("checks", "pairs", "met"))
    per_second = [sum(checks[k:k + PER_ROW]) / (len(checks[k:k + PER_ROW]) * STEP)
                  for k in range(0, len(checks), PER_ROW)]
    most = max(*per_second, 1.0)
    for number, rate in enumerate(per_second):
        some = slice(number * PER_ROW, (number + 1) * PER_ROW)
        begin = (entry["first"] + some.start) * STEP
        rows.append((f"{begin:.2f}", f"{begin + len(checks[some]) * STEP:.2f}", f"{rate:,.0f}",
                     "█" * round(20 * rate / most), f"{sum(pairs[some]) / (len(pairs[some]) * STEP):,.0f}",
                     str(sum(map(len, met[some])))))
    return rows
