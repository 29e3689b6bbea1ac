# SPDX-License-Identifier: GPL-3.0-or-later
"""How objects move between two instants, and what the search for their first contact goes through (continuous/)."""
from typing import NamedTuple

import numpy as np

from .searches import DistanceScratch, TrianglePairScratch
from .trees import PlacedTrees, RefitScratch


class ObjectMotions(NamedTuple):
    """One motion per object; see continuous/motions.py and docs/continuous.md."""

    linear: np.ndarray              # (n,) uint8: 1 where each vertex moves on a line of its own
    rotation: np.ndarray            # (n,3,3) float64, at t = 0
    axis: np.ndarray                # (n,3) float64, of the turn, before `rotation`
    world_axis: np.ndarray          # (n,3) float64, the same after it
    angle: np.ndarray               # (n,) float64, of the whole turn, 0 … π
    stretch: np.ndarray             # (n,2,3,3) float64, at t = 0 and t = 1
    origin: np.ndarray              # (n,2,3) float64, of the object in the world
    start_pose: np.ndarray          # (n,3,4) float64: the very pose at t = 0
    end_pose: np.ndarray            # (n,3,4) float64, at t = 1
    curvature: np.ndarray           # (n,) float64: no vertex is accelerated more
    speed: np.ndarray               # (n,) float64: no vertex is faster
    stretching: np.ndarray          # (n,) float64: no vertex goes farther as `stretch` changes
    rounding: np.ndarray            # (n,) float64: no computed vertex is farther from where it should be


class SweptTrees(NamedTuple):
    """Trees of objects placed at both ends of a slice of time, and the vertices that they were placed from."""

    before: PlacedTrees
    after: PlacedTrees              # other places in the same arrays
    span: np.ndarray                # (2,) float64, begin and end of the slice
    counts: np.ndarray              # (2,n) int64: vertices and triangles of each object
    vertex_start: np.ndarray        # (n,) int64, first row of `start` and `end`
    start: np.ndarray               # (…,3) float64: local vertices; of `linear` objects, where they are at t = 0
    end: np.ndarray                 # (…,3) float64: of `linear` objects, where they are at t = 1. No rows where the
                                    # slice is all of the time: then they are where they are placed


class Meetings(NamedTuple):
    """Pairs of objects, and as far as known when they first come within a distance, or their least gap."""

    a: np.ndarray                   # (pairs,) int32
    b: np.ndarray                   # (pairs,) int32
    toi: np.ndarray                 # (pairs,) float64, infinity where there is none
    reached: np.ndarray             # (pairs,) float64: at that time surfaces are no farther apart than `within` and it
    tolerance: np.ndarray           # (pairs,) float64: what is this near counts as met
    within: np.ndarray              # (pairs,) float64: the distance to come within; 0: to meet
    gap: np.ndarray                 # (pairs,) float64: the least one found, infinity: none. No rows where first times
                                    # are asked for; else `within` follows it, and toi stays infinite
    when: np.ndarray                # (pairs,) float64: its time
    points: np.ndarray              # (pairs,2,3) float64: where it is then, on a and on b


class MeetingScratch(NamedTuple):
    """What one thread needs to search for first contacts."""

    entries: np.ndarray             # (16,) float32, when the boxes of two nodes begin to overlap
    now: np.ndarray                 # (6,3) float64, corners of two triangles at one time
    last: np.ndarray                # (6,3) float64, at the end of the slice
    later: np.ndarray               # (6,3) float64, at a time between
    pose: np.ndarray                # (1,3,4) float64
    direction: np.ndarray           # (3,) float64
    limits: np.ndarray              # (7,) float64, of the two triangles; see moving_triangles.py
    parting: np.ndarray             # (3,) float64: the direction that parted two triangles last; zero: none has
    known: np.ndarray               # (2,) float64: the row of Meetings whose objects are posed, and the time
    posed: np.ndarray               # (2,1,3,4) float64: of both objects at that time
    pair: TrianglePairScratch
    stats: np.ndarray               # (2,) int64, counted up: tasks, pairs of triangles


class TurnScratch(NamedTuple):
    """Memory of one thread that puts what turns into cylinders (continuous/parting_turns.py)."""

    stack: np.ndarray               # (STACK,) int64, codes of nodes still to visit
    pose: np.ndarray                # (1,3,4) float64
    world: np.ndarray               # (…,3) float64, where the vertices of one object are


class PartedScratch(NamedTuple):
    """Memory of one thread that looks at moving triangles of one mesh (self_collision/moving_neighbours.py)."""

    before: np.ndarray              # (6,3) float64, corners of two triangles at first
    after: np.ndarray               # (6,3) float64, in the end
    begin: np.ndarray               # (6,3) float64, at the beginning of a slice of time
    end: np.ndarray                 # (6,3) float64, at its end
    rows: np.ndarray                # (12,5) float64, what has to be on one side of a plane
    inverse: np.ndarray             # (12,) float64, of their sizes
    plane: np.ndarray               # (5,) float64: its normal, and where it is at both ends


class SoonestQueue(NamedTuple):
    """Pairs of objects, the one that may meet soonest first (continuous/soonest.py)."""

    time: np.ndarray                # (waiting,) float64, a heap: before that the pair does not meet
    row: np.ndarray                 # (waiting,) int64, of Meetings
    tests: np.ndarray               # (pairs,) int32: how often each pair was tested
    near: np.ndarray                # (pairs,) int32: how often it was nearer than the tolerance
    left: np.ndarray                # (pairs,) uint8: 1 where it was tested often enough, and nothing is known yet
    state: np.ndarray               # (4,) int64: how many wait, row of the pair in test or -1, its stack, all tests
    now: np.ndarray                 # (1,) float64: the time that it is tested at


class SoonestScratch(NamedTuple):
    """What one thread needs to test pairs in the order in which they may meet."""

    moves: np.ndarray               # (n,) uint8
    spin: np.ndarray                # (n,) float64: no vertex is faster but for the velocity of the object's origin
    home: np.ndarray                # (2,n) int64: first world vertex, and first box, of each object placed at t = 0
    own: np.ndarray                 # (2,2) int64: the same of the two placements that this thread may write
    end: np.ndarray                 # (…,3) float64, see SweptTrees
    which: np.ndarray               # (1,) int64
    limits: np.ndarray              # (5,) float64, see moving_triangles.py
    direction: np.ndarray           # (3,) float64
    corners: np.ndarray             # (6,3) float64
    pose: np.ndarray                # (1,3,4) float64
    distance: DistanceScratch
    refit: RefitScratch
