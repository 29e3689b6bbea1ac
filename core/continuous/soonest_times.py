# SPDX-License-Identifier: GPL-3.0-or-later
"""`soonest_times`: when pairs of objects first meet, by tests of the pair that may meet soonest."""
from contextlib import nullcontext

import numpy as np

from ..arrays import starts_of
from ..distance.gaps import distance_scratch
from ..distance.nearest import FAN
from ..errors import Cancelled
from ..memory import refuse_beyond
from ..parallel import run_chunks
from ..records import (
    Corners,
    DistanceTasks,
    Meetings,
    PairGaps,
    PlacedTrees,
    Placement,
    RefitScratch,
    SoonestQueue,
    SoonestScratch,
)
from ..run import Run
from ..trees.bvh.forest import BYTES_PER_NODE, BYTES_PER_VERTEX, quantization_of
from ..trees.bvh.mesh_trees import MeshTrees
from ..trees.bvh.refit import empty_boxes
from .contacts_between import FEW_MOVING_PAIRS, exact_times, meetings_of, objects_of, trees_scene
from .motions import Movement
from .placing import place_objects, sorted_vertices
from .poses import no_pose
from .soonest import IN_TEST, QUEUE_DEPTH, TESTS, WAITING, check_in_turn

TESTS_PER_CALL = 1 << 6     # of the kernel: some milliseconds
TASKS = 1 << 10             # that there is memory for at first


def soonest_times(movement: Movement, a: np.ndarray, b: np.ndarray, run: Run,
                  tolerance: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """As `exact_times`, by tests of the pair that may meet soonest; how many these were is counted as `checks`. Pairs
    that are tested too often are asked of `exact_times`. Each thread has a queue of its own. Raises Cancelled."""
    toi, reached = np.full(len(a), np.inf), np.zeros(len(a))
    rows = np.flatnonzero(movement.near(a, b, reached, 0.0, 1.0))    # the others an axis of the world keeps apart
    meetings = meetings_of(movement, a[rows], b[rows], tolerance)
    if len(rows):
        left = _test(movement, meetings, run)
        if len(left):
            meetings.toi[left], meetings.reached[left] = exact_times(movement, meetings.a[left], meetings.b[left], run,
                                                                     tolerance)
        toi[rows], reached[rows] = meetings.toi, meetings.reached
    return toi, reached


def _test(movement: Movement, meetings: Meetings, run: Run) -> np.ndarray:
    """Test pairs until each has met, or cannot meet any more; returns the rows of those that take too many tests."""
    objects = objects_of(meetings, slice(None))
    scene, mesh = trees_scene(movement.start, movement.end, objects)
    with nullcontext() if movement.has_turn else scene.turn:
        trees = MeshTrees.of(scene)
        trees.update(scene, np.unique(mesh[objects]), run.tick, run.threads)
        threads = run.threads if len(meetings.a) > FEW_MOVING_PAIRS else 1
        testers = Testers(movement, meetings, objects, trees, mesh, threads, run)
        testers.run()
    if run.cancelled:
        raise Cancelled
    return np.flatnonzero(testers.left)


class Testers:
    """What threads share that test pairs: their objects as they are placed at the start, and memory to place two more
    for each thread. A thread has every so many-th pair."""

    def __init__(self, movement: Movement, meetings: Meetings, objects: np.ndarray, trees: MeshTrees, mesh: np.ndarray,
                 threads: int, run: Run):
        """objects: (k,) int64, of the pairs; mesh: (n,) int64, of each object in `trees`."""
        self.movement, self.meetings, self.threads, self._run = movement, meetings, threads, run
        pairs, row = len(meetings.a), trees.row[mesh]
        self.gaps = PairGaps(meetings.a, meetings.b, np.empty(pairs), np.empty((pairs, 2, 3)),
                             np.zeros(pairs, np.uint8))
        self.tests, self.near = np.zeros((2, pairs), np.int32)
        self.left = np.zeros(pairs, np.uint8)
        counts = trees.vertex_count[row], trees.node_count[row]
        starts = [starts_of(each[objects]) for each in counts]
        self._most = [int(each[objects].max()) for each in counts]
        self._first = [int(start[-1]) for start in starts]          # row of the first thread's own placement
        vertices, nodes = (first + 2 * threads * most for first, most in zip(self._first, self._most))
        refuse_beyond(BYTES_PER_VERTEX * vertices + BYTES_PER_NODE * nodes, "These objects, moving,")
        self.home = np.zeros((2, len(mesh)), np.int64)
        self.home[:, objects] = [start[:-1] for start in starts]
        self.spin = np.zeros(len(mesh))
        origin = movement.motions.origin[objects]
        self.spin[objects] = movement.motions.speed[objects] - np.sqrt(((origin[:, 1] - origin[:, 0]) ** 2).sum(axis=1))
        vertex_start, start, self.end = sorted_vertices(movement, trees, row, objects)
        around = movement.swept_boxes(objects) if movement.around is None else movement.around[None]
        corners = Corners(trees.triangle_start[row], trees.triangles, trees.order, self.home[0],
                          np.empty((vertices, 3)))
        placed = PlacedTrees(trees.root[row], self.home[1], trees.node_start[row], trees.children, empty_boxes(nodes),
                             quantization_of(around), corners)
        self.placement = Placement(no_pose(), vertex_start, counts[0], start, counts[1], trees.leaf, placed)
        place_objects(objects, 0.0, movement, self.end, self.placement, trees.triangle_count[row], run)

    def own(self, number: int) -> tuple[Placement, SoonestScratch]:
        """What one thread writes to."""
        trees, home = self.placement.trees, self.home.copy()
        trees = trees._replace(box_start=home[1], corners=trees.corners._replace(world_start=home[0]))
        own = [[first + (2 * number + side) * most for first, most in zip(self._first, self._most)]
               for side in range(2)]
        refit = RefitScratch(np.empty((self._most[0] + 1, 8), np.float32), np.empty(12, np.int64))
        return self.placement._replace(trees=trees), SoonestScratch(
            self.movement.moves.view(np.uint8), self.spin, self.home, np.array(own, np.int64), self.end,
            np.empty(1, np.int64), np.empty(5), np.empty(3), np.empty((6, 3)), no_pose(), distance_scratch(), refit)

    def queue(self, number: int) -> SoonestQueue:
        """The pairs of one thread. Of none is anything known yet."""
        rows = np.arange(number, len(self.meetings.a), self.threads, dtype=np.int64)
        return SoonestQueue(np.zeros(len(rows)), rows, self.tests, self.near, self.left,
                            np.array([len(rows), -1, 0, 0], np.int64), np.zeros(1))

    def run(self) -> None:
        """Test until no pair waits, or the run is cancelled."""
        run_chunks(self._work, self.threads, self.threads, lambda done: self._run.tick())

    def _work(self, number: int) -> None:
        queue, (placement, scratch) = self.queue(number), self.own(number)
        tasks = DistanceTasks(np.empty((TASKS, 2), np.int32), np.empty(TASKS, np.float32))
        state = queue.state
        while (state[WAITING] or state[IN_TEST] >= 0) and not self._run.stopped():
            check_in_turn(queue, self.meetings, self.gaps, self.movement.motions, placement, tasks, TESTS_PER_CALL,
                         scratch)
            if state[QUEUE_DEPTH] + FAN > len(tasks.nodes):
                tasks = DistanceTasks(*(np.concatenate([each, np.empty_like(each)]) for each in tasks))
        boxes, triangles = scratch.distance.stats.tolist()
        self._run.count(checks=int(state[TESTS]), box_pairs=16 * boxes, triangle_pairs=triangles)
