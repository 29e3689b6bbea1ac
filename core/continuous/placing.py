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
from ..trees.bvh.refit import FAR, empty_boxes, fit_triangles, round_vertices
from .motions import Movement
from .poses import no_pose, vertices_at

TRIANGLES_PER_THREAD = 1 << 14  # that are worth one
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
        self._world, self._boxes = np.empty((vertices[-1], 3)), empty_boxes(nodes[-1])
        self._follow(movement, trees, objects, run)

    @classmethod
    def after(cls, last: "SlicePlacer | None", movement: Movement, trees: MeshTrees, mesh: np.ndarray,
              objects: np.ndarray, quantization: np.ndarray, run: Run) -> "SlicePlacer":
        """A placer for an interval. last: that of the interval before, which is used up: objects that begin where it
        has placed them stay there."""
        if last is None or not last._has(trees, mesh, quantization):
            return cls(movement, trees, mesh, objects, quantization, run)
        stay = last._still(movement)
        wanted = np.where(movement.moves, 2, 1)
        if (last._places[objects] >= wanted[objects]).all() and len(objects) * MOST_HELD > (last._places > 0).sum():
            slot = last._slot_at_end()
            last._times[:] = np.nan
            last._times[slot[stay], stay] = 0.0
            last._follow(movement, trees, objects, run)
            return last
        new = cls(movement, trees, mesh, objects, quantization, run)
        new._copy(last, stay[new._places[stay] > 0])
        return new

    def _follow(self, movement: Movement, trees: MeshTrees, objects: np.ndarray, run: Run) -> None:
        """Place objects on another interval from now on."""
        self._movement, self._run, self._leaf = movement, run, trees.leaf
        self._moves = movement.moves
        self._end_poses, self._end_vertices = movement.end.poses, movement.end.vertices
        self._sort_vertices(trees, self._row, objects)
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

    def _slot_at_end(self) -> np.ndarray:
        """(n,) int64: where each object is placed as it was at the end of the interval, -1: nowhere."""
        here = (self._times == 1.0) | (np.isfinite(self._times) & ~self._moves)
        return np.where(here.any(axis=0), np.argmax(here, axis=0), -1)

    def _still(self, movement: Movement) -> np.ndarray:
        """(k,) int64: objects that are placed where they are at the start of another interval."""
        now = movement.start
        same = np.flatnonzero((self._slot_at_end() >= 0) & ~moved_poses(self._end_poses, now.poses))
        return np.array([k for k in same.tolist() if self._end_vertices[k] is now.vertices[k]], np.int64)

    def _copy(self, last: "SlicePlacer", objects: np.ndarray) -> None:
        """Copy these objects from where the interval before ended."""
        slot = last._slot_at_end()
        for k in objects.tolist():
            for mine, theirs, own, others, counts in (
                    (self._world, last._world, self._world_start, last._world_start, self._vertex_count),
                    (self._boxes, last._boxes, self._box_start, last._box_start, self._node_count)):
                to, since = own[0, k], others[slot[k], k]
                mine[to:to + counts[k]] = theirs[since:since + counts[k]]
        self._times[0, objects] = 0.0

    def _sort_vertices(self, trees: MeshTrees, row: np.ndarray, objects: np.ndarray) -> None:
        """Put the vertices that objects are placed from in the order of their trees; those of linear ones first, as
        these have two ends."""
        movement = self._movement
        self._vertex_start = np.zeros(len(row), np.int64)
        parts, ends, known, count = [np.zeros((0, 3))], [np.zeros((0, 3))], {}, 0
        for k in sorted(objects.tolist(), key=lambda k: not movement.linear[k]):
            key = k if movement.linear[k] else id(movement.start.vertices[k])
            if key not in known:
                first = trees.vertex_start[row[k]]
                order = trees.vertex_order[first:first + self._vertex_count[k]]
                if movement.linear[k]:
                    begin, end = movement.world_ends(k)
                    parts.append(begin[order])
                    ends.append(end[order])
                else:
                    parts.append(movement.start.vertices[k][order])
                known[key], count = count, count + len(order)
            self._vertex_start[k] = known[key]
        self._start, self._end = np.concatenate(parts), np.concatenate(ends)

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
            self._times[slot[which, new], new] = time
        before, after = (self._placed(each) for each in slot)
        return SweptTrees(before, after, np.array([begin, end]), self._vertex_start, self._start, self._end)

    def _placed(self, slot: np.ndarray) -> PlacedTrees:
        """The trees where each object has its placement in this slot, (n,)."""
        every = np.arange(len(slot))
        corners = self._trees.corners._replace(world_start=self._world_start[slot, every])
        return self._trees._replace(box_start=self._box_start[slot, every], corners=corners)

    def _place(self, which: np.ndarray, slot: np.ndarray, time: float) -> None:
        if len(which) == 0:
            return
        motions = self._movement.motions
        placement = Placement(no_pose(), self._vertex_start, self._vertex_count, self._start,
                              self._node_count, self._leaf, self._placed(slot))
        ends = np.cumsum(self._triangle_count[which])
        chunks = np.split(which, 1 + np.flatnonzero(np.diff(ends // TRIANGLES_PER_THREAD)))

        def work(number: int) -> None:
            chunk = chunks[number]
            most = self._vertex_count[chunk].max()
            place_at(chunk, time, motions, self._end, placement, no_pose(),
                     RefitScratch(np.empty((most + 1, 8), np.float32), np.empty(12, np.int64)))

        run_chunks(work, len(chunks), self._run.threads, lambda done: self._run.tick())


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
            rounded[count, x] = FAR
        fit_triangles(i, 0, placement.node_count[i], placement, scratch)
