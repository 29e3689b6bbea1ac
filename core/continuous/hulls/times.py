# SPDX-License-Identifier: GPL-3.0-or-later
"""`hull_times`: when objects first meet, by their hulls; the stage of the methods fccd, lccd and trajectory_sat."""
from collections.abc import Callable
from functools import partial

import numpy as np

from ...convex.gjk.exact_simplex import SIMPLEX_TERMS
from ...convex.gjk.support import LANES
from ...parallel import run_chunks
from ...records import HullAnswers, Hulls, HullScratch, Meetings, MovingHulls, MovingHullScratch
from ...run import Run
from ...scene.tiny import falling_box
from ..contacts_between import exact_times, meetings_of
from ..motions import Movement
from ..poses import no_pose
from .placed import moving_hulls
from .search import FREE, MET, first_meetings

CORNERS_PER_CHUNK = 1 << 12     # of both hulls of its pairs: about a tenth of a millisecond
HULLS_OPTION = "hulls"          # the option of the methods


def hull_times(way: int) -> Callable:
    """times(movement, a, b, run, tolerance=None) -> (toi, reached), for `interval_stages`. way: of search.py."""
    return partial(_times, way)


def _times(way: int, movement: Movement, a: np.ndarray, b: np.ndarray, run: Run,
           tolerance: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    if len(a) == 0:
        return np.zeros(0), np.zeros(0)
    meetings = meetings_of(movement, a, b, tolerance)
    objects = np.unique(np.concatenate([a, b])).astype(np.int64)
    hulls, convex = moving_hulls(movement, objects, run)
    answer = _search(way, movement, meetings, hulls, run)
    as_hulls = bool(run.options.get(HULLS_OPTION, False))
    left = np.flatnonzero((answer != FREE) & ((answer != MET) | ~(convex[a] & convex[b])))
    if as_hulls:
        left = left[convex[a[left]] & convex[b[left]]]
        _note_hulls(~convex[objects], run)
    if len(left):
        run.count(exact_decisions=len(left))
        found = exact_times(movement, a[left], b[left], run, tolerance)
        meetings.toi[left], meetings.reached[left] = found
    return meetings.toi, meetings.reached


def _note_hulls(others: np.ndarray, run: Run) -> None:
    if others.any():
        sentence = (f"Not convex: {int(others.sum())} of {len(others)} objects that may meet. They are taken as their "
                    "hulls, which can meet earlier than they do, and where they do not.")
        if sentence not in run.notes:
            run.note(sentence)


def _search(way: int, movement: Movement, meetings: Meetings, hulls: MovingHulls, run: Run) -> np.ndarray:
    """(k,) uint8: FREE, MET or OPEN for each pair; fills `meetings`."""
    answer = np.empty(len(meetings.a), np.uint8)
    most = int(hulls.counts.max())
    ends = np.cumsum(hulls.counts[meetings.a] + hulls.counts[meetings.b])
    cuts = [0, *(1 + np.flatnonzero(np.diff(ends // CORNERS_PER_CHUNK))).tolist(), len(answer)]

    def work(number: int) -> None:
        if run.stopped():
            return
        scratch = _scratch(most, int(hulls.face_counts.max()))
        first_meetings(cuts[number], cuts[number + 1], way, meetings, movement.motions, hulls, scratch, answer)
        run.count(hull_placements=int(scratch.stats[0]), axes=int(scratch.stats[1]))

    run_chunks(work, len(cuts) - 1, run.threads, lambda done: run.tick(done / len(cuts)))
    run.tick()          # of chunks that were stopped
    return answer


def _scratch(most: int, faces: int) -> MovingHullScratch:
    """Memory for one thread. most: corners of a hull."""
    def one(count: int) -> Hulls:
        return Hulls(np.empty((count, 3)), np.zeros(1, np.int64), np.zeros(1, np.int64))

    gjk = HullScratch(np.empty(3 * (2 * most + LANES)), np.empty(3 * (most + LANES)), np.empty((6, 5)), np.empty(3),
                      np.empty(4), np.empty(SIMPLEX_TERMS))
    return MovingHullScratch(one(most), one(most), np.empty((max(most, faces), 3)), np.empty((max(most, faces), 3)),
                             one(2 * most), gjk, HullAnswers(np.empty(1, np.uint8), np.empty((1, 8), np.int32)),
                             np.empty((1, 3)), no_pose(), np.empty(3), np.empty(3), np.empty(3), np.empty(6),
                             np.zeros(2, np.int64))


def warm_up(detect) -> None:
    """A box that falls onto another one."""
    detect(falling_box())
