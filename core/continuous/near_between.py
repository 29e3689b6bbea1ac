# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects come near between two instants, when, and how near they come: `near_between` and `least_gaps`."""
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from ..records import Meetings
from ..run import Run
from .contacts_between import FirstContacts, exact_times, first_contacts, possible_pairs, search_meetings, tolerances
from .instant import Instant
from .least_gap import GAP_RELATIVE, GAP_TOLERANCES
from .motions import Movement

SURELY_WITHIN_TOLERANCES = 2.0  # tolerances beyond a clearance: what is said to come within it comes nearer than this


class LeastGaps(NamedTuple):
    """How near pairs come within the interval."""

    gap: np.ndarray             # (k,) float64: a distance that they have then; infinity: none that is asked for
    slack: np.ndarray           # (k,) float64: nowhere in the interval are they nearer by more than this
    when: np.ndarray            # (k,) float64 in [0, 1]
    points: np.ndarray          # (k,2,3) float64: on a and on b then, so far apart


def near_between(start: Instant, end: Instant, clearance: np.ndarray, allows: Callable | None,
                 run: Run) -> FirstContacts:
    """When objects first come within their clearance while they move from one Instant to another one.

    clearance: (n,) float64, what each object asks for, zero or more; of two the larger one counts. None is missed or
    late; at the time reported the surfaces are farther apart than the clearance by no more than the `tolerance` of the
    row. All else as in `contacts_between`, but that triangles are to be the same in both Instants (`cuts.cut_alike`).
    """
    return first_contacts(start, end, allows, run, None, partial(possible_pairs, clearance=clearance),
                          partial(_near_times, clearance))


def _near_times(clearance: np.ndarray, movement: Movement, a: np.ndarray, b: np.ndarray, run: Run,
                tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
    return exact_times(movement, a, b, run, tolerance, np.maximum(clearance[a], clearance[b]))


def least_gaps(start: Instant, end: Instant, a: np.ndarray, b: np.ndarray, clearance: np.ndarray, known: np.ndarray,
               run: Run) -> LeastGaps:
    """The least distance of pairs while they move from one Instant to another one.

    a, b: (k,) int32, positions, a < b, pairs that do not meet. clearance: (k,) float64. known: (k,) float64, a gap that
    they have at one end: only what is less by more than its slack is asked for; infinity: no such gap is known, and all
    up to the clearance are asked for. Of what cannot be followed there is none. Raises what `contacts_between` raises.
    """
    if len(a) == 0:             # most intervals of most scenes
        return LeastGaps(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros((0, 2, 3)))
    with run.stage("continuous", len(start.mesh)) as record:
        movement = Movement(start, end, follow=False)
        movement.follow(np.unique(np.concatenate([a, b])).astype(np.int64))
        gap, when, points = np.full(len(a), np.inf), np.full(len(a), np.nan), np.full((len(a), 2, 3), np.nan)
        rows = (movement.followed[a] & movement.followed[b] & (movement.moves[a] | movement.moves[b])).nonzero()[0]
        tolerance = tolerances(movement, a, b, None)
        within = clearance + SURELY_WITHIN_TOLERANCES * tolerance
        some = np.isfinite(known)
        within[some] = np.maximum(known[some] - _slack(known[some], tolerance[some]), 0.0)
        rows = rows[~movement.apart(a[rows], b[rows], -within[rows])]
        if len(rows):
            meetings = Meetings(a[rows], b[rows], gap[rows], np.zeros(len(rows)), tolerance[rows], within[rows],
                                gap[rows], when[rows], points[rows])
            search_meetings(movement, meetings, run)
            gap[rows], when[rows], points[rows] = meetings.gap, meetings.when, meetings.points
        record.items_out = int(np.isfinite(gap).sum())
    return LeastGaps(gap, _slack(gap, tolerance), when, points)


def _slack(gap: np.ndarray, tolerance: np.ndarray) -> np.ndarray:
    """(k,) float64: `least_gap.slack` of each."""
    return GAP_RELATIVE * gap + GAP_TOLERANCES * tolerance
