# SPDX-License-Identifier: GPL-3.0-or-later
"""When do meshes that deform first meet themselves? Trees of boxes around all ways, each against itself; what is not
parted all the while is asked of exact times of impact (docs/moving-meshes.md).
"""
import threading
from contextlib import nullcontext

import numpy as np

from ..continuous.contacts_between import FirstContacts, trees_scene
from ..continuous.ends import HIT_AT_END
from ..continuous.exact import EDGE_EDGE, VERTEX_FACE, first_contact
from ..continuous.first_contact import HIT, SHORTEST_PIECE
from ..continuous.instant import Instant
from ..continuous.motions import Movement
from ..continuous.placing import SlicePlacer
from ..continuous.toi import POINT_ROWS, filtered
from ..errors import Cancelled
from ..geometry.undecided import UNDECIDED
from ..mid_phase.descend import MAX_TASKS_PER_CALL
from ..narrow_phase.triangle_pairs import BUFFER
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..records import Corners, PartedScratch, SweptTrees
from ..run import Run
from ..trees.bvh.forest import quantization_of
from ..trees.bvh.mesh_trees import MeshTrees
from ..trees.bvh.nodes import CHILD_PAIRS
from .after_start import first_collision
from .descend_moving import MOST_NEW_TASKS, descend_moving
from .fans import spread_vertices
from .known import Known
from .moving_features import drop_decided, feature_scratch
from .moving_neighbours import drop_parted_all_the_while, parted_scratch

STACK = 1 << 10             # tasks, beyond what a chunk begins with
CALLS_ALONE = 1             # of the kernels before other threads are worth their start: some milliseconds
CANDIDATES_AT_ONCE = 1 << 10    # pairs of triangles whose corners and sides are asked about together
EARLY = 4.0 * SHORTEST_PIECE                    # of the time: no reported one is early by more
SIDES_OF_TRIANGLE = np.array([(0, 1), (1, 2), (2, 0)])      # by its corners
# Of two triangles with the corners 0 … 2 and 3 … 5, as `toi.filtered` takes them: each corner with the other's face,
# and each side with each of the other's.
FOURS = {VERTEX_FACE: np.array([(k, 3, 4, 5) for k in range(3)] + [(k, 0, 1, 2) for k in range(3, 6)]),
         EDGE_EDGE: np.array([(*one, *other) for one in SIDES_OF_TRIANGLE for other in 3 + SIDES_OF_TRIANGLE])}


def first_self_contacts(start: Instant, end: Instant, positions: np.ndarray, known: list[Known | None],
                        met_at_end: np.ndarray, run: Run) -> FirstContacts:
    """When objects that meet themselves at no place at the start first do so on the way to another Instant, a and b
    being the same: triangles share a point off what they have in common all the while. Never late, and none is missed.
    Vertices go straight, in the world; an object whose own vertices are the same ones does not come to meet itself.

    positions: (k,) int64, of the objects, ascending; known: (k,), pairs of triangles that do not count; met_at_end:
    (k,) bool: an object meets itself at the end, so that meeting there counts. Raises Cancelled.
    """
    deformed, _ = start.changed(end)
    which = np.flatnonzero(deformed[positions])
    found = FirstContacts(*np.zeros((2, 0), np.int32), *np.zeros((2, 0)), *np.zeros((2, 0), bool))
    if len(which) == 0:
        return found
    with run.stage("continuous, with itself", len(which)) as record:
        positions = positions[which]
        movement = Movement(start.taken(positions), end.taken(positions))
        objects = np.flatnonzero(movement.followed & movement.linear)
        if len(objects):
            search = _Search(_swept(movement, objects, run), objects.astype(np.int32),
                             movement.motions.rounding[objects], [known[row] for row in which[objects]],
                             met_at_end[which[objects]], run)
            search.through_all()
            hit = np.flatnonzero(np.isfinite(search.toi))
            record.items_out = len(hit)
            at = positions[objects[hit]].astype(np.int32)
            found = found._replace(a=at, b=at, toi=search.toi[hit],
                                   tolerance=2.0 * EARLY * movement.motions.speed[objects[hit]])
    return found


def _swept(movement: Movement, objects: np.ndarray, run: Run) -> SweptTrees:
    """The trees of objects at both ends."""
    bounds = movement.swept_boxes(objects)
    scene, mesh = trees_scene(movement.start, movement.end, objects)
    with nullcontext() if movement.has_turn else scene.turn:
        trees = MeshTrees.of(scene)
        trees.update(scene, np.unique(mesh[objects]), run.tick, run.threads)
        placer = SlicePlacer.after(None, movement, trees, mesh, objects, quantization_of(bounds), True, run)
        placer.expect(objects)
        return placer.at(objects, 0.0, 1.0)


class _Search:
    """Through some objects: `toi` (k,) float64, infinity where they do not meet themselves."""

    def __init__(self, swept: SweptTrees, objects: np.ndarray, rounding: np.ndarray, known: list[Known | None],
                 met_at_end: np.ndarray, run: Run):
        """objects: (k,) int32; rounding: (k,) float64, what their vertices err by."""
        self.toi = np.full(len(objects), np.inf)
        self._swept, self._objects, self._run = swept, objects, run
        self._before, self._after = swept.before.corners, swept.after.corners
        self._spread = spread_vertices(swept, objects, run)
        self._grow = _rounded_up(2.0 * rounding * swept.before.quantization[3])
        self._until = np.ones(len(objects), np.float32)     # later than that they are known to meet
        self._known, self._met_at_end, self._lock = known, met_at_end, threading.Lock()
        self._any_known = any(each is not None and len(each.codes) > 0 for each in known)

    def through_all(self) -> None:
        """Search all objects: a little at once, what is left after that on several threads."""
        roots = self._swept.before.root[self._objects]
        left = self._search(np.stack([np.arange(len(roots), dtype=np.int32), roots, roots], axis=1), CALLS_ALONE)
        number = min(len(left), self._run.threads * CHUNKS_PER_THREAD)
        chunks = [np.ascontiguousarray(left[i::number]) for i in range(number)]
        if chunks:
            run_chunks(lambda chunk: self._search(chunks[chunk], None), number, self._run.threads,
                       lambda done: self._run.tick(done / number))
        if self._run.cancelled:         # while a single chunk asked, which raises nothing
            raise Cancelled

    def _search(self, tasks: np.ndarray, calls: int | None) -> np.ndarray:
        """Work off tasks until none is left, the run is cancelled or that many calls are made; returns what is left.
        calls: None for no limit."""
        candidates, scratch, entries = np.empty((BUFFER, 3), np.int32), parted_scratch(), np.empty(16, np.float32)
        depth, found, stats = len(tasks), 0, np.zeros(1, np.int64)
        tasks = np.concatenate([tasks, np.empty((STACK, 3), np.int32)])
        while depth and calls != 0 and not self._run.stopped():
            depth, count = descend_moving(self._objects, self._swept, self._grow, self._until, tasks, depth,
                                          MAX_TASKS_PER_CALL, candidates, entries, stats)
            found += count
            self._take(candidates, count, scratch)
            if depth + MOST_NEW_TASKS > len(tasks):
                tasks = np.concatenate([tasks, np.empty_like(tasks)])
            calls = None if calls is None else calls - 1
        self._run.count(box_pairs=int(stats[0]) * CHILD_PAIRS, triangle_pairs=found)
        return tasks[:depth]

    def _take(self, candidates: np.ndarray, count: int, scratch: PartedScratch) -> None:
        """Ask when candidates[:count] meet. Safe in any thread."""
        left = drop_parted_all_the_while(candidates, count, self._objects, self._before, self._after, self._spread,
                                         scratch)
        rows, toi = self._new(candidates[:left]), self.toi.copy()
        left = drop_decided(rows, len(rows), self._objects, self._before, self._after, POINT_ROWS[VERTEX_FACE],
                            POINT_ROWS[EDGE_EDGE], *feature_scratch(), scratch, toi)
        rows = rows[:left]
        self._lower(np.arange(len(toi)), toi)
        for first in range(0, len(rows), CANDIDATES_AT_ONCE):
            if self._run.stopped():
                return
            some = rows[first:first + CANDIDATES_AT_ONCE]
            P, Q = self._corners(some, self._before), self._corners(some, self._after)
            features, at_start = [], np.zeros(len(some), bool)
            for kind in (VERTEX_FACE, EDGE_EDGE):
                pair, four = _features(P, Q, kind)
                here = self._ask_when(some[pair, 0], P[pair[:, None], four], Q[pair[:, None], four], kind)
                at_start[pair[here]] = True
                features.append((kind, pair, four))
            for k in at_start.nonzero()[0].tolist():
                if self.toi[some[k, 0]] > 0.0 and not self._run.stopped():
                    time = first_collision(P[k].tolist(), Q[k].tolist(), [
                        (kind, each) for kind, pair, four in features for each in four[pair == k].tolist()])
                    self._lower(some[k:k + 1, 0], np.array([np.inf if time is None else time]))

    def _ask_when(self, rows: np.ndarray, X0: np.ndarray, X1: np.ndarray, kind: int) -> np.ndarray:
        """Take corners and faces, or two sides, into account that belong to these rows. Returns which of them are
        together at the start, (k,) int64: that is no collision, as the object does not meet itself there, and neither
        is it at the end where the object does not meet itself either.

        Of those that floats cannot decide, the ones are asked of rational arithmetic that may be sooner than all that
        is known."""
        toi, status = filtered(X0, X1, kind, 1)
        self._lower(rows, np.where(status == HIT, toi, np.inf))
        at_start = (status == HIT_AT_END) & (toi == 0.0)
        left = np.flatnonzero((status == UNDECIDED) | (status == HIT_AT_END) & ~at_start)
        for query in left[np.argsort(toi[left])].tolist():
            row = rows[query]
            if toi[query] < self.toi[row]:
                time = first_contact(X0[query].tolist(), X1[query].tolist(), kind)
                if time == 0.0:
                    at_start[query] = True
                elif time is not None and (time < 1.0 or self._met_at_end[row]):
                    self._lower(rows[query:query + 1], np.array([time]))
        return at_start.nonzero()[0]

    def _lower(self, rows: np.ndarray, times: np.ndarray) -> None:
        with self._lock:
            np.minimum.at(self.toi, rows, times)
            np.minimum.at(self._until, rows, _rounded_up(times))

    def _new(self, rows: np.ndarray) -> np.ndarray:
        """Those of candidates that are not known."""
        if len(rows) == 0 or not self._any_known:
            return rows
        obj = self._objects[rows[:, 0]]
        first, second = (self._before.order[self._before.triangle_start[obj] + rows[:, side]].astype(np.int64)
                         for side in (1, 2))
        keep = np.ones(len(rows), bool)
        for row in np.unique(rows[:, 0]).tolist():
            known = self._known[row]
            if known is not None:
                mine = rows[:, 0] == row
                codes = np.minimum(first, second) * len(known.triangles) + np.maximum(first, second)
                keep[mine] = ~np.isin(codes[mine], known.codes)
        return rows[keep]

    def _corners(self, rows: np.ndarray, corners: Corners) -> np.ndarray:
        """(k,6,3) float64: the corners of both triangles of candidates."""
        obj = self._objects[rows[:, 0]]
        return np.concatenate([corners.world[corners.world_start[obj][:, None]
                                             + corners.triangles[corners.triangle_start[obj] + rows[:, side]]]
                               for side in (1, 2)], axis=1)


def _rounded_up(numbers: np.ndarray) -> np.ndarray:
    """(k,) float32, none of which is less than the given one."""
    return np.nextafter(numbers.astype(np.float32), np.float32(np.inf))


def _features(P: np.ndarray, Q: np.ndarray, kind: int) -> tuple[np.ndarray, np.ndarray]:
    """(pair, four): the corners and faces, or the sides, of pairs of triangles that have no place in common all the
    while: (n,) of which pair each is, and (n,4) which of its corners, as `toi.filtered` takes them. P, Q: (k,6,3),
    corners at both ends."""
    common = (P[:, :3, None] == P[:, None, 3:]).all(axis=3) & (Q[:, :3, None] == Q[:, None, 3:]).all(axis=3)
    if kind == VERTEX_FACE:
        shares = np.concatenate([common.any(axis=2), common.any(axis=1)], axis=1)
    else:
        one, other = SIDES_OF_TRIANGLE[:, None, :, None], SIDES_OF_TRIANGLE[None, :, None, :]
        shares = common[:, one, other].any(axis=(3, 4)).reshape(len(P), 9)
    pair, which = (~shares).nonzero()
    return pair, FOURS[kind][which]
