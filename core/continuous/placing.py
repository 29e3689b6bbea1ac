# SPDX-License-Identifier: GPL-3.0-or-later
"""`SlicePlacer`: trees of moving objects at both ends of one slice of time after the other."""
import numpy as np

from ..arrays import moved_poses, starts_of
from ..machine_code.jit import kernel
from ..memory import refuse_beyond
from ..parallel import run_chunks
from ..records import Corners, PlacedTrees, Placement, RefitScratch, SweptTrees
from ..run import Run
from ..trees.bvh.forest import BYTES_PER_NODE, BYTES_PER_VERTEX
from ..trees.bvh.mesh_trees import MeshTrees
from ..trees.bvh.refit import EMPTY_BOX_EDGE, empty_boxes, fit_triangles, round_vertices
from .motions import Movement
from .poses import no_pose, vertices_at

MOVING_TRIANGLES_PER_THREAD = 1 << 14  # that are worth one
MOST_HELD = 2                   # times as many objects as are needed may have memory


class SlicePlacer:
    """The objects of some pairs, each with memory for two placements: a slice ends where the next one begins. What does
    not move is placed once."""

    has_history = True      # the quantization, as in a Forest

    def __init__(self, movement: Movement, trees: MeshTrees, mesh: np.ndarray, objects: np.ndarray,
                 quantization: np.ndarray, run: Run):
        """mesh: (n,) int64, of each object, as `trees` has it; objects: (k,) int64, positions that may be placed."""
        self._mesh, self.quantization, self._built = mesh, quantization, (trees.moves, trees.built[mesh])
        n, self._row = len(mesh), trees.row[mesh]
        self._vertex_count, self._node_count = trees.vertex_count[self._row], trees.node_count[self._row]
        self._triangle_count = trees.triangle_start[self._row + 1] - trees.triangle_start[self._row]
        places = np.where(movement.moves[objects], 2, 1)
        vertices, nodes = starts_of(places * self._vertex_count[objects]), starts_of(places * self._node_count[objects])
        refuse_beyond(BYTES_PER_VERTEX * int(vertices[-1]) + BYTES_PER_NODE * int(nodes[-1]), "These objects, moving,")
        self._world_start, self._box_start = np.zeros((2, 2, n), np.int64)
        for starts, counts, ends in ((self._world_start, self._vertex_count, vertices),
                                     (self._box_start, self._node_count, nodes)):
            starts[0, objects] = ends[:-1]
            starts[1, objects] = ends[:-1] + np.where(movement.moves[objects], counts[objects], 0)
        self._places = np.zeros(n, np.int64)        # for how many placements there is memory
        self._places[objects] = places
        self._times = np.full((2, n), np.nan)       # that each object is placed at
        self._poses = np.full((2, n, 3, 4), np.nan)     # and the pose of that, NaN: of no Instant, or nothing is placed
        self._vertices: list[list] = [[None] * n, [None] * n]
        self._world, self._boxes = np.empty((vertices[-1], 3)), empty_boxes(nodes[-1])
        self._follow(movement, trees, objects, run)

    @classmethod
    def after(cls, last: "SlicePlacer | None", movement: Movement, trees: MeshTrees, mesh: np.ndarray,
              objects: np.ndarray, quantization: np.ndarray, run: Run) -> "SlicePlacer":
        """A placer for an interval. last: that of the interval before, which is used up: objects stay where it has
        placed them as they are at one of the ends."""
        if last is None or not last._has(trees, mesh, quantization):
            return cls(movement, trees, mesh, objects, quantization, run)
        last._times = last._times_in(movement)
        wanted = np.where(movement.moves, 2, 1)
        if (last._places[objects] >= wanted[objects]).all() and len(objects) * MOST_HELD > (last._places > 0).sum():
            last._follow(movement, trees, objects, run)
            return last
        new = cls(movement, trees, mesh, objects, quantization, run)
        new._copy(last)
        return new

    def _follow(self, movement: Movement, trees: MeshTrees, objects: np.ndarray, run: Run) -> None:
        """Place objects on another interval from now on."""
        self._movement, self._run, self._leaf = movement, run, trees.leaf
        self._moves = movement.moves
        self._vertex_start, self._start, self._end = sorted_vertices(movement, trees, self._row, objects)
        corners = Corners(trees.triangle_start[self._row], trees.triangles, trees.order, self._world_start[0],
                          self._world)
        self._trees = PlacedTrees(trees.root[self._row], self._box_start[0], trees.node_start[self._row],
                                  trees.children, self._boxes, self.quantization, corners)

    def rest(self) -> "SlicePlacer":
        """The same without what the next interval does not need: the run, and Instants, which refer to scenes."""
        del self._movement, self._run, self._trees, self._start, self._end
        return self

    def _has(self, trees: MeshTrees, mesh: np.ndarray, quantization: np.ndarray) -> bool:
        """True where what is placed is of these very trees."""
        return (quantization is self.quantization and trees.moves == self._built[0]
                and np.array_equal(mesh, self._mesh) and np.array_equal(trees.built[mesh], self._built[1]))

    def _times_in(self, movement: Movement) -> np.ndarray:
        """(2,n) float64: at which end of another interval objects are where they are placed, NaN: at neither."""
        times = np.full(self._times.shape, np.nan)
        for slot in range(2):
            for time, instant in ((1.0, movement.end), (0.0, movement.start)):
                same = np.flatnonzero(~moved_poses(self._poses[slot], instant.poses))
                held = self._vertices[slot]
                times[slot, [k for k in same.tolist() if held[k] is instant.vertices[k]]] = time
        return times

    def _copy(self, last: "SlicePlacer") -> None:
        """Copy what another placer has placed at one of the ends."""
        times = np.where(self._places > 0, last._times, np.nan)
        rests = ~self._moves & np.isfinite(times[0])
        times[1, rests] = np.nan        # there is memory for one
        for slot, k in np.argwhere(np.isfinite(times)).tolist():
            mine = slot if self._places[k] > 1 else 0
            for here, there, own, others, counts in (
                    (self._world, last._world, self._world_start, last._world_start, self._vertex_count),
                    (self._boxes, last._boxes, self._box_start, last._box_start, self._node_count)):
                to, since = own[mine, k], others[slot, k]
                here[to:to + counts[k]] = there[since:since + counts[k]]
            self._times[mine, k], self._poses[mine, k] = times[slot, k], last._poses[slot, k]
            self._vertices[mine][k] = last._vertices[slot][k]

    def at(self, objects: np.ndarray, begin: float, end: float) -> SweptTrees:
        """The trees of the objects (k,) int64 at both ends of a slice of time."""
        slot = np.zeros((2, len(self._vertex_count)), np.int64)
        rests = ~self._movement.moves[objects]
        for which, time in enumerate((begin, end)):
            times = self._times[:, objects]
            here = (times == time) | (np.isfinite(times) & rests)
            other = times == (end if which == 0 else begin)             # the other end of the slice stays
            missing = ~here.any(axis=0)
            slot[which, objects] = np.where(missing, np.argmin(other, axis=0), np.argmax(here, axis=0))
            new = objects[missing]
            self._place(new, slot[which], time)
            self._take_down(new, slot[which], time)
        before, after = (self._placed(each) for each in slot)
        return SweptTrees(before, after, np.array([begin, end]), self._vertex_start, self._start, self._end)

    def _take_down(self, new: np.ndarray, slot: np.ndarray, time: float) -> None:
        """Objects have been placed anew. slot: (n,)."""
        ends = {0.0: self._movement.start, 1.0: self._movement.end}
        self._times[slot[new], new] = time
        self._poses[slot[new], new] = ends[time].poses[new] if time in ends else np.nan
        for k in new.tolist() if time in ends else ():
            self._vertices[slot[k]][k] = ends[time].vertices[k]

    def _placed(self, slot: np.ndarray) -> PlacedTrees:
        """The trees where each object has its placement in this slot, (n,)."""
        corners = self._trees.corners._replace(world_start=np.where(slot, self._world_start[1], self._world_start[0]))
        return self._trees._replace(box_start=np.where(slot, self._box_start[1], self._box_start[0]), corners=corners)

    def _place(self, which: np.ndarray, slot: np.ndarray, time: float) -> None:
        placement = Placement(no_pose(), self._vertex_start, self._vertex_count, self._start,
                              self._node_count, self._leaf, self._placed(slot))
        place_objects(which, time, self._movement, self._end, placement, self._triangle_count, self._run)


def sorted_vertices(movement: Movement, trees: MeshTrees, row: np.ndarray,
                    objects: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(vertex_start, start, end) of a SweptTrees: what these objects are placed from, in the order of their trees;
    linear ones first, as these have two ends. row: (n,) int64, of each object in `trees`."""
    is_linear = movement.linear[objects]
    linear, rigid = objects[is_linear].tolist(), objects[~is_linear].tolist()
    first_with = {id(movement.start.vertices[k]): k for k in reversed(rigid)}   # one for all that share vertices
    sources = [*linear, *(k for k in rigid if first_with[id(movement.start.vertices[k])] == k)]
    starts = starts_of(trees.vertex_count[row[sources]])
    vertex_start = np.zeros(len(row), np.int64)
    vertex_start[sources] = starts[:-1]
    start, end = np.empty((starts[-1], 3)), np.empty((starts[len(linear)], 3))
    for k, here, there in zip(sources, starts[:-1].tolist(), starts[1:].tolist()):
        first = trees.vertex_start[row[k]]
        order = trees.vertex_order[first:first + there - here]
        if here < len(end):
            for vertices, into in zip(movement.world_ends(k), (start, end)):
                vertices.take(order, axis=0, out=into[here:there], mode="clip")     # which, unlike others, copies once
        else:
            movement.start.vertices[k].take(order, axis=0, out=start[here:there], mode="clip")
    for k in rigid:
        vertex_start[k] = vertex_start[first_with[id(movement.start.vertices[k])]]
    return vertex_start, start, end


def place_objects(which: np.ndarray, time: float, movement: Movement, end: np.ndarray, placement: Placement,
                  triangle_count: np.ndarray, run: Run) -> None:
    """Put some objects (k,) int64 where they are at one time, on several threads. end: see SweptTrees; triangle_count:
    (n,) int64."""
    if len(which) == 0:
        return
    ends = np.cumsum(triangle_count[which])
    chunks = np.split(which, 1 + np.flatnonzero(np.diff(ends // MOVING_TRIANGLES_PER_THREAD)))

    def work(number: int) -> None:
        chunk = chunks[number]
        most = placement.vertex_count[chunk].max()
        place_at(chunk, time, movement.motions, end, placement, no_pose(),
                 RefitScratch(np.empty((most + 1, 8), np.float32), np.empty(12, np.int64)))

    run_chunks(work, len(chunks), run.threads, lambda done: run.tick())


@kernel
def place_at(which, time, motions, end, placement, pose, scratch):
    """Put the vertices of some objects where they are at one time, and fit their trees to them. which: (k,) int64; end:
    see SweptTrees; placement: Placement; pose: (1,3,4), scratch; scratch: RefitScratch for the largest of them."""
    rounded = scratch.rounded
    corners = placement.trees.corners
    for k in range(which.shape[0]):
        i = which[k]
        count = placement.vertex_count[i]
        vertices_at(motions, i, time, placement.vertices, end, placement.vertex_start[i], count, pose, corners.world,
                    corners.world_start[i])
        round_vertices(corners.world, corners.world_start[i], 0, count, placement.trees.quantization, rounded)
        for x in range(8):
            rounded[count, x] = EMPTY_BOX_EDGE
        fit_triangles(i, 0, placement.node_count[i], placement, scratch)
