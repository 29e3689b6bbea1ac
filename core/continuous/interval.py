# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages of methods that follow objects during an interval: what they share, whatever way they find times.

The interval is that from `Object.pose` to `Object.pose_end`. Pairs that meet at its start are judged as they are there,
exactly. Of all others the method says when they come together.
"""
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypedDict

import numpy as np

from ..broad_phase.object_tree import overlapping_pairs
from ..codes import CLEAR, CROSSING, TOUCHING
from ..contacts import Contacts
from ..errors import Cancelled, Refused
from ..pair_table import PairTable
from ..run import Run
from ..scene import Scene
from ..scene.select import Selection
from ..search.stream import stream_contacts
from ..trees.bvh.forest import Forest
from ..verdicts import judging
from .contacts_between import FirstContacts, exact_times, first_contacts, possible_pairs
from .instant import Instant
from .motions import Movement

FOLLOWED_AT_ONCE = 1 << 15      # objects, whose motions are found in some hundredths of a second


@dataclass(frozen=True, eq=False)
class Moving:
    """The tested objects: where they are at the start, and how they move from there on."""

    forest: Forest
    movement: Movement


class Stages(TypedDict):
    """Arguments of `Method`."""

    prepare: Callable
    broad_phase: Callable
    contacts: Callable
    verdicts: Callable
    between: Callable


def interval_stages(times: Callable = exact_times, possible: Callable = possible_pairs) -> Stages:
    """The stages of a `Method` that needs an interval.

    possible(movement, allows, run) -> (a, b)       (k,) int32 each, a < b, ordered by (a, b): pairs of positions among
        which are all that meet while one of them moves, and for which allows(a, b) is True (None: all). Their objects
        are followed (`Movement.follow`)
    times(movement, a, b, run, tolerance=None) -> (toi, reached)
        (k,) float64 each: when the surfaces of pairs first meet, never late and never missed, infinity where they do
        not; how far apart they are then at most, a length. tolerance: a length that this is not to exceed but for
        rounding; None: `contacts_between.TOLERANCE`
    """
    return {"prepare": prepare, "broad_phase": partial(broad_phase, possible), "contacts": contacts,
            "verdicts": partial(verdicts, times), "between": partial(between, possible, times)}


def prepare(scene: Scene, selection: Selection, run: Run) -> Moving:
    start = Instant.of(scene, selection.objects)
    poses = start.poses.copy()
    for k, index in enumerate(run.watched(selection.objects.tolist())):
        pose_end = scene.objects[index].pose_end
        if pose_end is not None:
            poses[k] = pose_end[:3]
    run.tick()
    movement = Movement(start, replace(start, poses=poses), follow=False, has_turn=True)
    for begin in range(0, len(poses), FOLLOWED_AT_ONCE):
        run.tick()
        movement.follow(np.arange(begin, min(begin + FOLLOWED_AT_ONCE, len(poses)), dtype=np.int64))
    for index in selection.objects[movement.lost].tolist():
        raise Refused(f"{scene.layout.names[index]} cannot be followed: the pose at the end of the interval is not "
                      "finite, or too far away.")
    return Moving(Forest.of(scene, selection.objects, selection.bounds, run.tick, run.threads), movement)


def broad_phase(possible: Callable, moving: Moving, selection: Selection, run: Run):
    """Pairs that may meet during the interval, or that may meet at its start and rest."""
    movement = moving.movement
    a, b = possible(movement, selection.allows, run)
    still_a, still_b = overlapping_pairs(selection.bounds, moving.forest.quantization, lambda found: run.tick(0.5),
                                         lambda tests: run.count(broad_tests=tests))
    rest = ~(movement.moves[still_a] | movement.moves[still_b])
    still_a, still_b = still_a[rest], still_b[rest]
    kept = selection.allows(still_a, still_b)
    a, b = np.concatenate([a, still_a[kept]]), np.concatenate([b, still_b[kept]])
    order = np.lexsort((b, a))
    return a[order], b[order]


def contacts(moving: Moving, table: PairTable, run: Run) -> Contacts:
    """Those at the start."""
    return stream_contacts(moving.forest, table, run)


def verdicts(times: Callable, moving: Moving, table: PairTable, run: Run) -> dict[str, np.ndarray]:
    """The exact verdict at the start of pairs that meet there, at the time 0. Those that come together later are
    crossing, and so are those that touch at the start while one of them moves: nobody has proved that they do no more.
    """
    columns = judging.verdicts(moving.forest, table, run)
    verdict, moves = columns["verdict"], moving.movement.moves
    at_rest = ~(moves[table.a] | moves[table.b])
    toi = np.where((verdict == CLEAR) | ~table.finished, np.nan, 0.0)
    verdict[(verdict == TOUCHING) & ~at_rest] = CROSSING
    rows = np.flatnonzero((verdict == CLEAR) & table.finished & ~at_rest)
    if len(rows) and not run.cancelled:
        try:
            found, _ = times(moving.movement, table.a[rows], table.b[rows], run)
            meet = np.isfinite(found)
            verdict[rows[meet]], toi[rows[meet]] = CROSSING, found[meet]
        except Cancelled:
            if run.dropped:
                raise
            table.finished[rows] = False
    return {**columns, "verdict": verdict, "toi": toi}


def between(possible: Callable, times: Callable, start: Instant, end: Instant, allows: Callable | None, run: Run,
            tolerance: float | None = None) -> FirstContacts:
    """As `contacts_between`, by the stages of this method."""
    return first_contacts(start, end, allows, run, tolerance, possible, times)
