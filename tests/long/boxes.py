# SPDX-License-Identifier: GPL-3.0-or-later
"""R4: pairs of oriented boxes. Those that a plain float64 test leaves open, and some others, by rational arithmetic."""
import numpy as np
from naive.agreement import square_root
from naive.box_pairs import CLASSES, draw, surely
from naive.rational_convex import box_corners, boxes_meet, nearest_points
from touchpoint.core.queries import boxes_overlap

from .outcome import Outcome, Proof, shared_out

NEAR = 1e-12
# Classes that are mostly left open: fewer questions.
SLOW = {"same axes": 4, "nearly the same axes": 4, "without volume": 10, "far 1e12": 4, "scale 1e-150": 20,
        "scale 1e+150": 20, "scale 1e-06": 3, "scale 1e+06": 3, "far 1e5": 3}
EVERY = 500         # of the clear ones, too, this share by rational arithmetic


def run(count: int, seed: int) -> Outcome:
    rng, outcome = np.random.default_rng([seed, 4]), Outcome()
    for name, number in shared_out(count, CLASSES, rng, SLOW).items():
        boxes = draw(name, number, seed=[seed, 4])
        said, swapped = boxes_overlap(*boxes), boxes_overlap(*boxes[3:], *boxes[:3])
        sure = surely(*boxes)
        outcome.asked += number
        for row in np.flatnonzero((sure != 0) & ((said != (sure > 0)) | (swapped != said))):
            outcome.fail(f"{name}: {said[row]}, {swapped[row]} swapped: {[part[row].tolist() for part in boxes]}")
        checked = (sure == 0) | (rng.random(number) < 1 / EVERY)
        outcome.count("rational", checked.sum())
        for row in np.flatnonzero(checked):
            judge(name, [part[row].tolist() for part in boxes], said[row], swapped[row], outcome)
    return outcome


def judge(name, box_pair, said, swapped, outcome: Outcome) -> None:
    meet = boxes_meet(*box_pair)
    if said == swapped == meet:
        return
    if meet or not said:
        outcome.fail(f"{name}: {said}, {swapped} swapped, meeting {meet}: {box_pair}")
        return
    corners = [box_corners(*box) for box in (box_pair[:3], box_pair[3:])]
    size = np.ptp(np.array([corner for side in corners for corner in side], float), axis=0).max()
    gap = square_root(nearest_points(*corners).squared) / size
    outcome.count("false")
    outcome.measure("false hit at gap", gap)
    if not gap < NEAR or said != swapped:
        outcome.fail(f"{name}: {said}, {swapped} swapped, {gap:g} of the size apart: {box_pair}")


PROOF = Proof("R4", "oriented boxes: meeting, order", 10_000_000, 100_000, run)
