# SPDX-License-Identifier: GPL-3.0-or-later
"""Time the steps of several methods on the same moving scene, in turns; what is a part of a step and what is not.

A step moves the objects (`set_poses`) and finds all contacts: the stages prepare, broad phase and contacts of `detect`
on a Scene that is kept. That is what the documents time. Selecting the objects, the stage of verdicts (who is
inside whom, crossing or touching: no document asks it) and the report are not counted, but stated beside it. Methods
that draw have their pictures in the stage of verdicts, which is then a part of a step.
"""
import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...core import Scene, detect
from ...core.contacts import POINT
from ..peers.ours import scene_of
from ..questions import Scene as Moving

POSES = 8           # placements that the steps go through, again and again: the least of each is a steady figure
STAGES = ("prepare", "broad phase", "contacts")
MOST_ROUNDS = 12


@dataclass(frozen=True)
class Side:
    """A method as it takes part in a table."""

    name: str
    method: str
    options: dict = field(default_factory=dict, hash=False)
    threads: int | None = 1         # None: all cores
    sure: bool = True               # may not lose pairs
    contacts: bool = True           # False: only whether objects meet
    draws: bool = False             # its verdicts are what it finds in pictures, so that they are part of a step

    @property
    def on_gpu(self) -> bool:
        return self.options.get("device") == "gpu"


@dataclass(frozen=True)
class Case:
    """One scene of a table. measure(quick) gives its entry in the results file; measure(quick, gpu) in a table that
    has ON_GPU, gpu being what `detect` takes."""

    id: str
    title: str
    measure: Callable[..., dict]

    @property
    def workload(self) -> str:
        return self.id.rpartition("-")[0]


@dataclass(eq=False)
class Answer:
    """What was found in one placement."""

    broad: int              # pairs of objects after the broad phase
    tests: dict             # Report.counts
    objects: np.ndarray     # sorted codes of pairs of objects that meet or hold each other
    triangles: np.ndarray   # sorted codes of pairs of triangles that meet
    points: int             # ends of what they share: one of a point, two of a segment or an area
    notes: list[str]


class Turn:
    """One side with the Scene that it keeps."""

    def __init__(self, question: Moving, side: Side, gpu=None):
        self.question, self.side, self.gpu = question, side, gpu
        self.scene: Scene
        self.scene, self.objects = scene_of(question)
        self.seconds: list[list[float]] = [[] for _ in question.poses]      # of steps, by placement
        self.stages: dict[str, list[list[float]]] = {name: [[] for _ in question.poses] for name in STAGES}
        self.verdicts: list[float] = []
        self.whole: list[float] = []
        self.answers: list[Answer] = []
        self.first = 0.0                                # seconds of the first step, which prepares what is kept

    def step(self, step: int, warm_up: bool = False) -> None:
        side = self.side
        gc.disable()        # Python's search for cycles is none of the methods' work
        try:
            start = time.perf_counter()
            self.scene.set_poses(self.objects, self.question.poses_at(step))
            moved = time.perf_counter()
            report = detect(self.scene, method=side.method, threads=side.threads, contacts=side.contacts,
                            options=side.options, gpu=self.gpu)
            end = time.perf_counter()
        finally:
            gc.enable()
        by_name = {stage.name: stage.seconds for stage in report.stages}
        counted = (*STAGES, "verdicts") if side.draws else STAGES
        seconds = moved - start + sum(by_name[name] for name in counted)
        if warm_up:
            self.first = seconds
            return
        self.seconds[step % len(self.seconds)].append(seconds)
        for name, placements in self.stages.items():
            placements[step % len(placements)].append(by_name[name])
        self.verdicts.append(by_name["verdicts"])
        self.whole.append(end - start)
        if len(self.answers) < len(self.seconds):
            self.answers.append(answer_of(self.question, report))

    def figures(self) -> dict:
        """Seconds and means over the placements. `best`: the mean of each placement's quickest step; so of stages."""
        all_steps = [seconds for placement in self.seconds for seconds in placement]
        answers = self.answers
        return {"runs": len(all_steps), "mean": statistics.fmean(all_steps),
                "best": mean_of_quickest(self.seconds), "placements": [min(each) for each in self.seconds],
                "stages": {name: mean_of_quickest(placements) for name, placements in self.stages.items()},
                "verdicts": statistics.fmean(self.verdicts), "whole": statistics.fmean(self.whole), "first": self.first,
                "broad": statistics.fmean(answer.broad for answer in answers),
                "broad tests": statistics.fmean(answer.tests["broad_tests"] for answer in answers),
                "box tests": statistics.fmean(answer.tests["box_pairs"] for answer in answers),
                "triangle tests": statistics.fmean(answer.tests["triangle_pairs"] for answer in answers),
                "possible": answers[0].tests["possible_pairs"],
                "meeting": statistics.fmean(len(answer.objects) for answer in answers),
                "contacts": statistics.fmean(len(answer.triangles) for answer in answers),
                "points": statistics.fmean(answer.points for answer in answers),
                "notes": answers[0].notes}


def mean_of_quickest(placements: list[list[float]]) -> float:
    return statistics.fmean(map(min, placements))


def answer_of(question: Moving, report) -> Answer:
    found, pairs = report.contacts, report.pairs[report.contacts.pair]
    return Answer(report.counts["pairs"], report.counts,
                  question.object_codes(report.pairs["a"], report.pairs["b"]),
                  question.codes(pairs["a"], pairs["b"], found.triangle_a, found.triangle_b),
                  int(np.where(found.kind == POINT, 1, 2).sum()), list(report.notes))


def take_turns(question: Moving, sides: tuple[Side, ...], budget: float, gpu=None) -> dict[str, dict]:
    """Let the sides make the same steps in turns, every placement at least twice, until `budget` seconds per side are
    used. Returns name → figures, with what each side lost and invented, as compared with the first one. Without a gpu
    (see `detect`) the sides that need one are not there."""
    turns = [Turn(question, side, gpu) for side in there(sides, gpu)]
    for turn in turns:
        turn.step(0, warm_up=True)
    start = time.perf_counter()
    for number in range(MOST_ROUNDS):
        for step in range(1, 1 + len(question.poses)):
            for turn in turns if step % 2 else reversed(turns):
                turn.step(step)
        if number and time.perf_counter() - start > budget * len(turns):
            break
    return {turn.side.name: turn.figures() | compared(turns[0], turn) for turn in turns}


def there(sides: tuple[Side, ...], gpu) -> tuple[Side, ...]:
    """The sides that can take part. gpu: as in `take_turns`."""
    return sides if gpu is not None and not isinstance(gpu, str) else tuple(side for side in sides if not side.on_gpu)


def compared(right: Turn, other: Turn) -> dict:
    """Pairs of objects and of triangles that `other` lost or invented, summed over all placements."""
    found: dict = {}
    for what in ("objects", "triangles"):
        both = [(getattr(a, what), getattr(b, what)) for a, b in zip(right.answers, other.answers)]
        found[f"{what} asked"] = sum(len(a) for a, _ in both)
        found[f"{what} lost"] = sum(len(np.setdiff1d(a, b)) for a, b in both)
        found[f"{what} invented"] = sum(len(np.setdiff1d(b, a)) for a, b in both)
    return found


def agreement(figures: dict) -> str:
    """How a side's answers differ, in words."""
    words = []
    for what, text in (("objects", "pairs"), ("triangles", "contacts")):
        for how in ("lost", "invented"):
            if figures[f"{what} {how}"]:
                words.append(f"{figures[f'{what} {how}']:,} of {figures[f'{what} asked']:,} {text} {how}")
    same = f"{figures['triangles asked']:,}" if figures["triangles asked"] else f"{figures['objects asked']:,} pairs"
    return ", ".join(words) or f"same {same}"
