# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a pair of objects is, or is not, in a report: the stage, rule or box that decides, and what can be measured."""
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from .codes import CLEAR, NEAR, VERDICTS
from .distance.asked import Clearance
from .distance.gaps import within
from .errors import Refused
from .pipeline import detect
from .report import Report
from .rules import Rule, RuleSet
from .rules.applied import NO_RULE
from .scene import Scene
from .scene.select import Selection, select
from .tolerance.asked import Tolerance, checked

LEFT_OUT, NOT_ASKED, BOXES, RULE, SURFACES = "left out", "not asked for", "boxes", "rule", "surfaces"
MOST_PAIRS = 10_000         # of instances of the two
CANCELLED_QUESTION = "The question was cancelled before it was answered."
BEYOND = 1.001              # of the farthest that two objects in their boxes can be apart
LARGEST = 0.25 * sys.float_info.max     # clearance: boxes are grown by it


@dataclass
class Why:
    """What decides about two objects, and what is measured of them.

    stage: LEFT_OUT: one of them cannot be tested, `reason` says why. NOT_ASKED: they are not to be tested against each
    other, as both are static or on one side. BOXES: their boxes are apart by box_gap, beyond clearance and tolerance,
    so that nothing else is looked at. RULE: `rule` takes the pair away. SURFACES: the surfaces decide.
    verdict: of the pair in a report, a word of VERDICTS; "" where a report does not list it, nor calls it clear.
    report: of the pair tested by itself, whatever decides, with one row that has the gap or the depth; None where it
    cannot be tested. rule: the first one that concerns the pair, also where it is not what decides.
    """

    a: int
    b: int
    stage: str
    verdict: str = ""
    report: Report | None = None
    rule: Rule | None = None
    box_gap: float = 0.0
    reason: str = ""


def why(scene: Scene, first, second, *, rules=None, clearance: float = 0.0, tolerance: float | str = 0.0,
        weld: float = 0.0, threads: int | None = None, progress=None) -> Why:
    """What decides about two objects in `detect` with these rules and lengths, by the default method.

    first, second: indices (k,) of objects, the instances of the two; of all their pairs the worst one, or the nearest,
    is explained. Raises Refused where there are too many of them, or only one object, and what `detect` raises.
    """
    asked, pairs = RuleSet.of(rules), _pairs(first, second)
    selection = select(scene, None, asked.groups)
    testable = np.isin(pairs, selection.objects).all(axis=1)
    if not testable.any():
        reasons = {each.index: each.reason for each in selection.skipped}
        reason = next((reasons[each] for each in pairs.ravel().tolist() if each in reasons), "it is hidden")
        return Why(int(pairs[0, 0]), int(pairs[0, 1]), LEFT_OUT, reason=reason)
    places = np.searchsorted(selection.objects, pairs[testable])
    moving = ~selection.static[places].all(axis=1)
    if not moving.any():
        a, b = selection.objects[places[0]].tolist()
        return Why(a, b, NOT_ASKED, reason="neither of them moves")
    places = places[moving]
    pairs = selection.objects[places]
    ask = partial(_answered, scene, tolerance=tolerance, weld=weld, contacts=False, threads=threads, progress=progress)
    report = ask(clearance=_reach(selection.bounds[places]), pairs=pairs, depth=True)
    if len(report.pairs) == 0:
        raise Refused(CANCELLED_QUESTION)
    row = _worst(report.pairs)
    report.pairs = report.pairs[row:row + 1]
    place = places[np.flatnonzero((pairs == report.pairs[["a", "b"]].tolist()[0]).all(axis=1))[0]]
    return _decided(scene, selection, place, asked, clearance, tolerance, report, ask)


def _answered(scene: Scene, **how) -> Report:
    """What `detect` answers. Raises Refused where that is partial."""
    report = detect(scene, **how)
    if report.cancelled:
        raise Refused(CANCELLED_QUESTION)
    return report


def _pairs(first, second) -> np.ndarray:
    """(k,2) int64, ascending in each: every pair of the two. Raises Refused."""
    if len(first) * len(second) > MOST_PAIRS:
        raise Refused(f"These are {len(first) * len(second):,} pairs of instances. Name one instance, as reports do.")
    pairs = np.stack(np.meshgrid(first, second, indexing="ij"), axis=-1).reshape(-1, 2)
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    if len(pairs) == 0:
        raise Refused("This is one and the same object. Two are needed.")
    return pairs


def _reach(boxes: np.ndarray) -> float:
    """A clearance that no pair is beyond. boxes: (pairs,2,6)."""
    low, high = boxes[:, :, :3].min(axis=1), boxes[:, :, 3:].max(axis=1)
    return min(BEYOND * max(map(_length, high - low)), LARGEST)


def _length(vector: np.ndarray) -> float:
    """That of three numbers whose squares may be too large or too small for a number."""
    return math.hypot(*vector.tolist())


def _worst(pairs: np.ndarray) -> int:
    """The row with the worst verdict, of those the deepest, of those the nearest."""
    depth, gap = (np.nan_to_num(pairs[name], nan=0.0) for name in ("depth", "gap"))
    return int(np.lexsort((gap, -depth, -pairs["verdict"].astype(np.int64)))[0])


def _decided(scene: Scene, selection: Selection, place: np.ndarray, asked: RuleSet, clearance: float,
             tolerance: float | str, report: Report, ask: Callable[..., Report]) -> Why:
    """Which stage decides about the pair that is measured. place: (2,) positions in the selection. ask: as `detect`."""
    pair = report.pairs[0]
    verdict = int(pair["verdict"])
    near = Clearance.of(clearance, scene.layout, selection.objects)
    if verdict == NEAR and not (near.is_asked and pair["gap"] <= within(near.of_pairs(place[:1], place[1:])[0])):
        verdict = CLEAR
    answer = Why(int(pair["a"]), int(pair["b"]), SURFACES, VERDICTS[verdict], report)
    tolerated = checked(tolerance)
    shares = Tolerance.of(tolerated, scene, selection).shares if tolerated else 0.0
    grown = selection.grown(np.maximum(near.shares, shares)).bounds[place]
    apart = np.maximum(grown[0, :3] - grown[1, 3:], grown[1, :3] - grown[0, 3:])
    boxes = selection.bounds[place]
    answer.box_gap = _length(np.maximum(np.maximum(boxes[0, :3] - boxes[1, 3:], boxes[1, :3] - boxes[0, 3:]), 0.0))
    applied = asked.applied(scene.layout.names, scene.layout.group, scene.layout.groups)
    if applied is not None:
        decided = int(applied.deciding(*selection.objects[place][:, None])[0])
        answer.rule = applied.rules[decided] if decided != NO_RULE else None
    if not selection.allows(place[:1], place[1:])[0]:
        answer.stage, answer.verdict, answer.reason = NOT_ASKED, "", "both are on the same side"
    elif (apart > 0.0).any():
        answer.stage, answer.verdict = BOXES, VERDICTS[CLEAR]
    elif answer.rule is not None and (answer.rule.allowed_depth is None or ask(
            pairs=selection.objects[place][None], rules=asked, clearance=clearance).summary()["taken_away"]):
        answer.stage, answer.verdict = RULE, ""
    return answer
