# SPDX-License-Identifier: GPL-3.0-or-later
"""`contacts_between`: which objects come together between two instants, and when."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..broad_phase.object_tree import overlapping_pairs
from ..distance.pair import pair_scratch
from ..parallel import run_chunks
from ..records import DistanceTasks, Meetings, MeetingScratch, SweptTrees
from ..run import Run
from ..scene import Scene
from ..trees.bvh.forest import quantization_of
from ..trees.bvh.mesh_trees import MeshTrees
from .instant import Instant
from .motions import Movement
from .placing import SlicePlacer
from .poses import no_pose
from .tree_sweep import FAN, search_pairs

TOLERANCE = 2.0 ** -30      # relative to the smaller object
ROUNDINGS = 8.0             # the tolerance is never less than so many times the rounding of vertices
STEPS_PER_CALL = 1 << 10    # of the kernel: some milliseconds
CHUNKS_PER_THREAD = 16      # enough that the last one to finish does not matter
FEW_PAIRS = 16              # not worth the start of a thread


class FirstContacts(NamedTuple):
    """Pairs that come together within the interval, ordered by a, then b."""

    a: np.ndarray               # (k,) int32, positions in the Instants, a < b
    b: np.ndarray               # (k,) int32
    toi: np.ndarray             # (k,) float64 in [0, 1]
    tolerance: np.ndarray       # (k,) float64: at that time the surfaces are no farther apart, in world units
    lost: np.ndarray            # (n,) bool: objects that could not be followed: other triangles, or not finite


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
    if len(start.vertices) != len(end.vertices):
        raise ValueError(f"the instants have {len(start.vertices)} and {len(end.vertices)} objects")
    run = run or Run.unwatched(contacts_wanted=False)
    scene, mesh = _trees_scene(start, end)
    with scene.turn, run.stage("continuous", len(mesh)) as record:
        found = _search(Movement(start, end), scene, mesh, allows, run, tolerance)
        record.items_out = len(found.a)
    return found


def _trees_scene(start: Instant, end: Instant) -> tuple[Scene, np.ndarray]:
    """A scene that has trees, or can have them, of the objects' triangles, and the mesh of each object there: that of
    an Instant, or one of our own."""
    for instant in (end, start):
        if instant.has_meshes:
            return instant.scene, instant.mesh
    scene, known, mesh = Scene(), {}, []
    for vertices, triangles in zip(end.vertices, end.triangles):
        key = id(vertices), id(triangles)
        if key not in known:
            known[key] = scene.add_mesh(vertices, triangles)
        mesh.append(known[key])
    return scene, np.array(mesh, np.int64)


def _search(movement: Movement, scene: Scene, mesh: np.ndarray, allows, run: Run, tolerance) -> FirstContacts:
    meetings, bounds = _pairs(movement, allows, run, tolerance)
    if len(meetings.a):
        objects = np.unique(np.concatenate([meetings.a, meetings.b])).astype(np.int64)
        trees = MeshTrees.of(scene)
        trees.update(scene, np.unique(mesh[objects]), run.tick, run.threads)
        last: SlicePlacer | None = scene.cache.pop("moving objects", None)
        quantization = quantization_of(bounds[objects], None if last is None else last.quantization)
        slices = movement.slices()
        pair_slices = np.maximum(slices[meetings.a], slices[meetings.b])
        for count in np.unique(pair_slices).tolist():
            rows = np.flatnonzero(pair_slices == count)
            objects = np.unique(np.concatenate([meetings.a[rows], meetings.b[rows]])).astype(np.int64)
            placer = SlicePlacer.after(last if count == 1 else None, movement, trees, mesh, objects, quantization, run)
            if count == 1:
                scene.cache["moving objects"] = placer
            _through_time(movement, meetings, rows, count, placer, run)
    hit = np.isfinite(meetings.toi)
    return FirstContacts(meetings.a[hit], meetings.b[hit], meetings.toi[hit], meetings.reached[hit],
                         ~movement.followed)


def _pairs(movement: Movement, allows, run: Run, tolerance) -> tuple[Meetings, np.ndarray]:
    """The pairs that may meet, and boxes (n,6) float64 around the objects' whole way."""
    n = len(movement.moves)
    bounds, some = np.zeros((n, 6)), movement.followed & [len(each) > 0 for each in movement.start.triangles]
    tested = np.flatnonzero(some)
    if len(tested) == 0 or not movement.moves[tested].any():
        a = b = np.zeros(0, np.int32)
    else:
        bounds[tested] = movement.swept_boxes()[tested]
        a, b = overlapping_pairs(bounds[tested], quantization_of(bounds[tested]), lambda found: run.tick())
        a, b = tested[a].astype(np.int32), tested[b].astype(np.int32)
        kept = movement.moves[a] | movement.moves[b]
        a, b = a[kept], b[kept]
        if allows is not None:
            kept = allows(a, b)
            a, b = a[kept], b[kept]
    sizes, rounding = movement.sizes(), movement.motions.rounding
    wanted = TOLERANCE * np.minimum(sizes[a], sizes[b]) if tolerance is None else float(tolerance)
    least = np.maximum(wanted, ROUNDINGS * (rounding[a] + rounding[b]))
    return Meetings(a, b, np.full(len(a), np.inf), np.zeros(len(a)), least), bounds


def _through_time(movement: Movement, meetings: Meetings, rows: np.ndarray, count: int, placer: SlicePlacer,
                  run: Run) -> None:
    """Search some pairs, one slice of time after the other. rows: of meetings; count: how many slices."""
    after = movement.boxes_at(0.0)
    away = 0.125 * movement.motions.curvature / count ** 2
    for number in range(count):
        begin, end = number / count, (number + 1) / count
        before, after = after, movement.boxes_at(end)
        rows = rows[~np.isfinite(meetings.toi[rows])]
        near = rows[_boxes_meet(meetings.a[rows], meetings.b[rows], before, after, away)]
        if len(near):
            objects = np.unique(np.concatenate([meetings.a[near], meetings.b[near]])).astype(np.int64)
            _search_rows(near, meetings, movement, placer.at(objects, begin, end), run)
        run.tick(end)


def _boxes_meet(a, b, before: np.ndarray, after: np.ndarray, away: np.ndarray) -> np.ndarray:
    """(k,) bool: pairs whose boxes are not apart along one axis, the same way round, at both ends of the slice. away:
    (n,), how far objects leave their line."""
    reach = (away[a] + away[b])[:, None]
    meet = np.ones(len(a), bool)
    for first, second in ((a, b), (b, a)):
        apart = np.ones((len(a), 3), bool)
        for boxes in (before, after):
            apart &= boxes[first, :3] > boxes[second, 3:] + reach
        meet &= ~apart.any(axis=1)
    return meet


def _search_rows(rows: np.ndarray, meetings: Meetings, movement: Movement, swept: SweptTrees, run: Run) -> None:
    """Search some pairs in one slice of time, on several threads."""
    count = min(len(rows), CHUNKS_PER_THREAD * run.threads) if len(rows) > FEW_PAIRS else 1
    chunks = [np.ascontiguousarray(rows[i::count]) for i in range(count)]

    def work(number: int) -> None:
        _search_chunk(chunks[number], meetings, movement, swept, run)

    run_chunks(work, count, run.threads, lambda done: run.tick())
    run.tick()          # of a single chunk that was stopped


def _search_chunk(rows: np.ndarray, meetings: Meetings, movement: Movement, swept: SweptTrees, run: Run) -> None:
    tasks = DistanceTasks(np.empty((1024, 2), np.int32), np.empty(1024, np.float32))
    scratch = MeetingScratch(np.empty(16, np.float32), np.empty((6, 3)), np.empty((6, 3)), np.empty((6, 3)), no_pose(),
                             np.empty(3), np.empty(5), pair_scratch(), np.zeros(2, np.int64))
    state = np.array([0, -1], np.int64)
    while state[0] < len(rows) and not run.stopped():
        search_pairs(rows, state, meetings, movement.motions, swept, tasks, STEPS_PER_CALL, scratch)
        if state[1] + FAN > len(tasks.nodes):
            tasks = DistanceTasks(*(np.concatenate([each, np.empty_like(each)]) for each in tasks))
    boxes, triangles = scratch.stats.tolist()
    run.count(box_pairs=16 * boxes, triangle_pairs=triangles)
