# SPDX-License-Identifier: GPL-3.0-or-later
"""`contacts_between`: which objects come together between two instants, and when."""
from collections.abc import Callable
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np

from ..broad_phase.object_tree import overlapping_pairs
from ..distance.pair import pair_scratch
from ..errors import Cancelled
from ..parallel import run_chunks
from ..records import DistanceTasks, Meetings, MeetingScratch, SweptTrees
from ..run import Run
from ..scene import Scene
from ..trees.bounds import bounds_of_boxes
from ..trees.bvh.forest import quantization_of
from ..trees.bvh.mesh_trees import MeshTrees
from .cuts import cut_alike
from .following import put_side_by_side
from .instant import EVERY, Instant
from .motions import Movement
from .parting_turns import mark_parted_around, mark_parted_by_turns, mark_parted_in_slice, turn_scratch
from .placing import SlicePlacer
from .poses import no_pose
from .tree_sweep import FAN, search_pairs

RELATIVE_TOLERANCE = 2.0 ** -30  # relative to the smaller object
ROUNDINGS = 8.0             # the tolerance is never less than so many times the rounding of vertices
STEPS_PER_CALL = 1 << 10    # of the kernel: some milliseconds
PAIR_CHUNKS_PER_THREAD = 16  # enough that the last one to finish does not matter
FEW_MOVING_PAIRS = 16       # not worth the start of a thread
FEW_IN_CHUNK = 4            # pairs: fewer are not worth a chunk's scratch memory
LARGE_TURN = np.radians(160.0)  # nearly half a turn: one of up to 200 degrees the other way round is seen like that
FEW_MOVERS = 32             # that are held against what rests one by one


class FirstContacts(NamedTuple):
    """Pairs that come together within the interval, ordered by a, then b."""

    a: np.ndarray               # (k,) int32, positions in the Instants, a < b
    b: np.ndarray               # (k,) int32
    toi: np.ndarray             # (k,) float64 in [0, 1]
    tolerance: np.ndarray       # (k,) float64: at that time the surfaces are no farther apart, in world units
    lost: np.ndarray            # (n,) bool: objects that could not be followed: other triangles, or not finite
    turned: np.ndarray          # (n,) bool: objects that turn by LARGE_TURN or more, perhaps the other way round

    def none(self) -> "FirstContacts":
        """The same without any pair."""
        return self._replace(a=self.a[:0], b=self.b[:0], toi=self.toi[:0], tolerance=self.tolerance[:0])

    def joined(self, other: "FirstContacts") -> "FirstContacts":
        """Also the pairs of another one, behind these."""
        if len(other.a) == 0:
            return self
        return self._replace(**{name: np.concatenate([getattr(self, name), getattr(other, name)])
                                for name in ("a", "b", "toi", "tolerance")})


def contacts_between(start: Instant, end: Instant, allows: Callable | None = None, run: Run | None = None,
                     tolerance: float | None = None) -> FirstContacts:
    """When the surfaces of objects first meet while they move from one Instant to another one.

    Position k is the same object in both. What did not move or deform is not tested against what did not either.
    allows(a, b): (k,) bool, the pairs to test, of positions (k,) int32 with a < b; None: all. run: progress, threads,
    cancelling; None: all cores, unwatched. tolerance: a length; None: 2^-30 of the smaller object's size. It is at
    least eight times what vertices may err by.

    No contact is missed, and none is reported late. At the time reported the surfaces are no farther apart than the
    `tolerance` of the row, which is at most the one asked for. So surfaces that pass nearer than that may count as met.
    docs/moving-meshes.md has the motion between the Instants, and the proof. Raises Cancelled where the run is
    cancelled, TooLarge where memory is too small, ValueError for Instants of different numbers of objects. Waits, like
    `detect`, for runs on the scenes in other threads.
    """
    _check_alike(start, end)
    start, end = cut_alike(start, end)
    return first_contacts(start, end, allows, run or Run.unwatched(contacts_wanted=False), tolerance)


def first_contacts(start: Instant, end: Instant, allows: Callable | None, run: Run, tolerance: float | None = None,
                   possible: Callable | None = None, times: Callable | None = None) -> FirstContacts:
    """As `contacts_between`, by these stages of a method (`interval.interval_stages`); None: by those of this file."""
    _check_alike(start, end)
    with run.stage("continuous", len(start.mesh)) as record:
        movement = Movement(start, end, follow=False)
        a, b = (possible or possible_pairs)(movement, allows, run)
        toi, reached = (times or exact_times)(movement, a, b, run, tolerance)
        hit = np.isfinite(toi)
        record.items_out = int(hit.sum())
    return FirstContacts(a[hit], b[hit], toi[hit], reached[hit], movement.lost,
                         movement.motions.angle >= LARGE_TURN)


def _check_alike(start: Instant, end: Instant) -> None:
    if len(start.mesh) != len(end.mesh):
        raise ValueError(f"the instants have {len(start.mesh)} and {len(end.mesh)} objects")


def possible_pairs(movement: Movement, allows: Callable | None, run: Run,
                   clearance: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(k,) int32 each, a < b, ordered by (a, b): pairs that may meet while one of them moves, or come within what one
    of them asks for. Their objects are followed. clearance: (n,) float64, what each object asks for; None: nothing."""
    objects, bounds = followed_boxes(movement, clearance)
    if len(objects) == 0:
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    if movement.start.span is not None:
        which, bounds = side_by_side(bounds, movement.start.span[objects])
        objects = objects[which]
    a, b = overlapping_pairs(bounds, quantization_of(bounds), lambda found: run.tick())
    a, b = objects[a].astype(np.int32), objects[b].astype(np.int32)
    a, b = allowed_pairs(a, b, movement.moves[a] | movement.moves[b], allows)
    if len(a) == 0:
        return a, b
    kept = ~movement.apart(a, b, None if clearance is None else -np.maximum(clearance[a], clearance[b]))
    return a[kept], b[kept]


def followed_boxes(movement: Movement, clearance: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Objects (k,) int64, ascending, and boxes (k,6) float64 around their whole ways: all that move, and what rests
    near them. They are followed from now on. clearance: as in `possible_pairs`; boxes of pairs that come within what
    one of them asks for overlap."""
    objects = movement.follow(movement.moves.nonzero()[0])
    bounds = movement.swept_boxes(objects)
    if len(objects):
        around = np.array([bounds_of_boxes(bounds)])
        reach = bounds if len(objects) <= FEW_MOVERS else around
        if clearance is not None:
            reach = grown(reach, np.full(len(reach), clearance.max()))
        resting = movement.follow(movement.resting_near(reach))
        if len(resting):
            their = movement.swept_boxes(resting)
            objects, bounds = _merged(objects, bounds, resting, their)
            around = np.concatenate([around, their])
        movement.around = np.array(bounds_of_boxes(around))
        if clearance is not None:       # together the shares of two objects are at least what the larger one asks for
            bounds = grown(bounds, clearance[objects] - 0.5 * clearance.min())
    return objects, bounds


def _merged(objects: np.ndarray, boxes: np.ndarray, others: np.ndarray, their: np.ndarray):
    """(objects, boxes) of both, in order. objects, others: (…,) int64, ascending; boxes, their: (…,6) float64."""
    before = others[-1] < objects[0]        # so it is where several intervals are looked at together
    objects, boxes = np.concatenate([others, objects]), np.concatenate([their, boxes])
    if before:
        return objects, boxes
    order = objects.argsort()
    return objects[order], boxes[order]


def side_by_side(boxes: np.ndarray, span: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(which, boxes): those of each of several intervals, (k,6) float64, each interval's far from those of the others;
    and which of the given ones they are, (k,) int64, ascending but for what comes again. span: see `Instant.span`."""
    intervals, still = 1 + int(span.max()), int(np.count_nonzero(span == EVERY))
    count = len(span) + still * (intervals - 1)
    which, moved = np.empty(count, np.int64), np.empty((count, 6))
    put_side_by_side(boxes, span, intervals, still, which, moved)
    return which, moved


def grown(boxes: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """(k,6) float64: boxes, each larger by a length on all sides, (k,), and by more than that rounds off."""
    more = (lengths + 2.0 ** -50 * (lengths + np.abs(boxes).max(axis=1)))[:, None]
    return np.concatenate([boxes[:, :3] - more, boxes[:, 3:] + more], axis=1)


def allowed_pairs(a: np.ndarray, b: np.ndarray, kept: np.ndarray, allows: Callable | None):
    """The pairs (k,) int32 each that are `kept` (k,) bool, and that `allows` lets be tested."""
    a, b = a[kept], b[kept]
    if allows is not None:
        kept = allows(a, b)
        a, b = a[kept], b[kept]
    return a, b


def exact_times(movement: Movement, a: np.ndarray, b: np.ndarray, run: Run, tolerance: float | None = None,
                within: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(k,) float64 each: when pairs of objects that are followed first meet, infinity where they do not, and how far
    apart they are then at most. a, b: (k,) int32; within: (k,) float64, distances that count as meeting, and that they
    are farther apart by no more than; None: 0. All else as in `contacts_between`."""
    if len(a) == 0:
        return np.zeros(0), np.zeros(0)
    meetings = meetings_of(movement, a, b, tolerance, within)
    search_meetings(movement, meetings, run)
    return meetings.toi, meetings.reached


def meetings_of(movement: Movement, a: np.ndarray, b: np.ndarray, tolerance: float | None = None,
                   within: np.ndarray | None = None) -> Meetings:
    """What to search for first times; nothing is known yet. Arguments as in `exact_times`."""
    return Meetings(a, b, np.full(len(a), np.inf), np.zeros(len(a)), tolerances(movement, a, b, tolerance),
                    np.zeros(len(a)) if within is None else within, np.zeros(0), np.zeros(0), np.zeros((0, 2, 3)))


def tolerances(movement: Movement, a: np.ndarray, b: np.ndarray, tolerance: float | None) -> np.ndarray:
    """(k,) float64: the tolerance of each pair, where this one was asked for."""
    rounding = movement.motions.rounding
    wanted = (RELATIVE_TOLERANCE * np.minimum(movement.sizes(a), movement.sizes(b)) if tolerance is None
              else float(tolerance))
    return np.maximum(wanted, ROUNDINGS * (rounding[a] + rounding[b]))


def search_meetings(movement: Movement, meetings: Meetings, run: Run) -> None:
    """Find what is asked of all pairs: first times or least gaps."""
    objects = objects_of(meetings, slice(None))
    bounds = movement.swept_boxes(objects) if movement.around is None else movement.around[None]
    scene, mesh = trees_scene(movement.start, movement.end, objects)
    with nullcontext() if movement.has_turn else scene.turn:
        trees = MeshTrees.of(scene)
        trees.update(scene, np.bincount(mesh[objects]).nonzero()[0], run.tick, run.threads)
        last: SlicePlacer | None = None
        if keeps := movement.start.span is not None or not movement.start.part:
            last = scene.cache.pop("moving objects", None)
        quantization = _quantization(bounds, [scene.cache.get("forest"), last])
        slices = movement.slices()
        pair_slices = np.maximum(slices[meetings.a], slices[meetings.b])
        for count in [1] if pair_slices.max() == 1 else np.unique(pair_slices).tolist():
            rows = np.flatnonzero(pair_slices == count)
            some = objects if len(rows) == len(meetings.a) else objects_of(meetings, rows)
            placer = SlicePlacer.after(last if count == 1 else None, movement, trees, mesh, some, quantization,
                                       count == 1, run)
            rows = rows[~stay_clear(rows, meetings, movement, placer)]
            if len(rows):
                some = objects_of(meetings, rows)
                placer.expect(some)
                _through_time(movement, meetings, rows, some, count, placer, run)
            if count == 1 and keeps:
                scene.cache["moving objects"] = placer.rest()


def _quantization(bounds: np.ndarray, placed: list) -> np.ndarray:
    """That of the first one of those who have placed something before which still serves, else another one: so what is
    placed in a frame, or was in the interval before, can be taken over. placed: Forest, SlicePlacer or None each."""
    for kept in (each.quantization for each in placed if each is not None):
        if quantization_of(bounds, kept) is kept:
            return kept
    return quantization_of(bounds)


def trees_scene(start: Instant, end: Instant, objects: np.ndarray) -> tuple[Scene, np.ndarray]:
    """A scene that has trees, or can have them, of the objects' triangles, and the mesh of each object there, (n,)
    int64: that of an Instant, or one of our own."""
    for instant in (end, start):
        if instant.has_meshes(objects):
            return instant.scene, instant.mesh
    scene, mesh, known = Scene(), np.zeros(len(end.mesh), np.int64), {}
    for k in objects.tolist():
        key = id(end.vertices[k]), id(end.triangles[k])
        if key not in known:
            known[key] = scene.add_mesh(end.vertices[k], end.triangles[k])
        mesh[k] = known[key]
    return scene, mesh


def objects_of(meetings: Meetings, rows) -> np.ndarray:
    """(k,) int64: the objects of some pairs, ascending, each once."""
    a, b = meetings.a[rows], meetings.b[rows]
    named = np.zeros(1 + b.max(initial=-1), bool)       # a < b
    named[a] = named[b] = True
    return named.nonzero()[0]


def stay_clear(rows: np.ndarray, meetings: Meetings, movement: Movement, placer: SlicePlacer) -> np.ndarray:
    """(k,) bool: pairs one of which rests, and is larger than the other one, whose box certainly stays clear of its
    triangles."""
    still = movement.larger_resting(rows, meetings)
    if len(still) == 0:
        return np.zeros(len(rows), bool)
    placer.expect(still)
    return movement.clear(rows, meetings, placer.at(still, 0.0, 1.0).before)


def _through_time(movement: Movement, meetings: Meetings, rows: np.ndarray, objects: np.ndarray, count: int,
                  placer: SlicePlacer, run: Run) -> None:
    """Search some pairs, one slice of time after the other. rows: of meetings; objects: of these pairs; count: how many
    slices."""
    a, b = meetings.a[rows], meetings.b[rows]
    done, new = np.zeros((2, len(rows)), bool)
    motions = movement.motions
    turn = np.stack([motions.angle[a] > 0.0, motions.angle[b] > 0.0])
    new[:] = turn.any(axis=0)                           # what may be parted as it turns,
    again = turn.all(axis=0) | new & (movement.linear[a] | movement.linear[b])      # and in any slice of time
    for number in range(count):
        begin, end = number / count, (number + 1) / count
        done |= np.isfinite(meetings.toi[rows])
        near = (movement.near(a, b, meetings.within[rows], begin, end) & ~done).nonzero()[0]
        if new[near].any():
            asked = near[new[near]]
            done[asked], new[asked] = _parted_by_turns(rows[asked], meetings, movement, placer, begin, end), False
            near = near[~done[near]]
        if again[near].any():
            parted = np.zeros(len(near), bool)
            parted[again[near]] = _parted_in_slice(rows[near[again[near]]], meetings, movement, placer, begin, end)
            near = near[~parted]
        if len(near):
            some = objects if len(near) == len(rows) else objects_of(meetings, rows[near])
            _search_rows(rows[near], meetings, movement, placer.at(some, begin, end), run)
        run.tick(end)


def _parted_by_turns(rows: np.ndarray, meetings: Meetings, movement: Movement, placer: SlicePlacer, begin: float,
                     end: float) -> np.ndarray:
    """(k,) bool: pairs that certainly stay apart from the beginning of a slice to the end of all time, as one of the
    two only turns, or both do."""
    motions, parted, objects = movement.motions, np.empty(len(rows), bool), objects_of(meetings, rows)
    turns, scratch = motions.angle > 0.0, turn_scratch(placer.most_vertices(objects))
    straight = objects[~(turns[objects] | movement.linear[objects])]
    mark_parted_by_turns(rows, meetings, motions, placer.at(straight, begin, end, False), scratch, parted)
    left = (~parted & (turns[meetings.a[rows]] ^ turns[meetings.b[rows]])).nonzero()[0]
    if len(left):       # trees of what turns are placed only now
        objects, around = objects_of(meetings, rows[left]), np.empty(len(left), bool)
        swept = placer.at(objects[turns[objects]], begin, end, False)
        mark_parted_around(rows[left], meetings, motions, swept, scratch, around)
        parted[left] = around
    return parted


def _parted_in_slice(rows: np.ndarray, meetings: Meetings, movement: Movement, placer: SlicePlacer, begin: float,
                     end: float) -> np.ndarray:
    """(k,) bool: pairs that certainly stay apart in a slice of time, as one of the two turns."""
    parted, objects = np.empty(len(rows), bool), objects_of(meetings, rows)
    swept = placer.at(objects, begin, end, bool(movement.linear[objects].any()))
    mark_parted_in_slice(rows, meetings, movement.motions, swept, turn_scratch(placer.most_vertices(objects)), parted)
    return parted


def _search_rows(rows: np.ndarray, meetings: Meetings, movement: Movement, swept: SweptTrees, run: Run) -> None:
    """Search some pairs in one slice of time, on several threads."""
    most = PAIR_CHUNKS_PER_THREAD * run.threads
    count = min(len(rows) // FEW_IN_CHUNK, most) if len(rows) > FEW_MOVING_PAIRS and run.threads > 1 else 1
    chunks = [np.ascontiguousarray(rows[i::count]) for i in range(count)]

    def work(number: int) -> None:
        _search_chunk(chunks[number], meetings, movement, swept, run)

    run_chunks(work, count, run.threads, lambda done: run.tick())
    if run.cancelled:           # while a single chunk asked, which raises nothing
        raise Cancelled


def _search_chunk(rows: np.ndarray, meetings: Meetings, movement: Movement, swept: SweptTrees, run: Run) -> None:
    tasks = DistanceTasks(np.empty((1024, 2), np.int32), np.empty(1024, np.float32))
    scratch = MeetingScratch(np.empty(16, np.float32), np.empty((6, 3)), np.empty((6, 3)), np.empty((6, 3)), no_pose(),
                             np.empty(3), np.empty(7), np.zeros(3), np.full(2, np.nan), np.empty((2, 1, 3, 4)),
                             pair_scratch(), np.zeros(2, np.int64))
    state = np.array([0, -1], np.int64)
    while state[0] < len(rows) and not run.stopped():
        search_pairs(rows, state, meetings, movement.motions, swept, tasks, STEPS_PER_CALL, scratch)
        if state[1] + FAN > len(tasks.nodes):
            tasks = DistanceTasks(*(np.concatenate([each, np.empty_like(each)]) for each in tasks))
    boxes, triangles = scratch.stats.tolist()
    run.count(box_pairs=16 * boxes, triangle_pairs=triangles)
