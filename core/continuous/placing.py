# SPDX-License-Identifier: GPL-3.0-or-later
"""`SlicePlacer`: trees of moving objects at both ends of one slice of time after the other."""

import numpy as np

from ..arrays import moved_poses, starts_of
from ..machine_code.jit import kernel, unsigned
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
MOST_HELD = 2                   # times as many vertices as are needed may have memory,
LEAST_HELD = 1 << 16            # or so many
LEAST_COPIED = 1 << 12          # triangles: smaller meshes are placed as fast as what is placed is looked up,
LEAST_TAKEN_OVER = 1 << 8       # and where that need not be looked up, these


class SlicePlacer:
    """The objects of some pairs, each with memory for two placements: a slice ends where the next one begins. What does
    not move is placed once."""

    has_history = True      # the quantization, as in a Forest

    def __init__(self, movement: Movement, trees: MeshTrees, mesh: np.ndarray, objects: np.ndarray,
                 quantization: np.ndarray, run: Run):
        """mesh: (n,) int64, of each object, as `trees` has it; objects: (k,) int64, positions that may be placed."""
        self._mesh, self.quantization, self._built = mesh, quantization, (trees.moves, trees.built[mesh])
        n, self._row = len(mesh), trees.row[mesh]
        self._counts, (self._node_count, self._places) = np.empty((2, n), np.int64), np.empty((2, n), np.int64)
        self._vertex_count, self._triangle_count = self._counts
        self._world_start, self._box_start = np.empty((2, 2, n), np.int64)
        vertices, nodes = lay_out(objects, movement.moves, self._row, trees.vertex_count, trees.triangle_count,
                                  trees.node_count, self._counts, self._node_count, self._places, self._world_start,
                                  self._box_start)
        refuse_beyond(BYTES_PER_VERTEX * vertices + BYTES_PER_NODE * nodes, "These objects, moving,")
        self._at = np.zeros((2, 2, n), np.int64)    # of both ends, of each: its first world vertex, and its first box
        self._times = np.full((2, n), np.nan)       # that each object is placed at, NaN: not
        self._world, self._boxes = np.empty((vertices, 3)), empty_boxes(nodes)

    @classmethod
    def after(cls, last: "SlicePlacer | None", movement: Movement, trees: MeshTrees, mesh: np.ndarray,
              objects: np.ndarray, quantization: np.ndarray, whole: bool, run: Run) -> "SlicePlacer":
        """A placer for an interval. last: that of the interval before, which is used up: objects stay where it has
        placed them as they are at one of the ends. whole: the interval is not cut into slices."""
        placer = None
        if last is not None and last._has(trees, mesh, quantization):
            placer = last._going_on(movement, trees, objects, run)
        if placer is None:
            placer = cls(movement, trees, mesh, with_others(objects, movement, trees, mesh), quantization, run)
        placer._follow(movement, trees, whole, run)
        return placer

    def _going_on(self, movement: Movement, trees: MeshTrees, objects: np.ndarray, run: Run) -> "SlicePlacer":
        """This one where its memory is enough and not far too much, else one with memory for what both have, or for
        these objects alone."""
        self._times = self._times_in(movement)
        wanted = np.where(movement.moves[objects], 2, 1)
        most = max(MOST_HELD * int(wanted.dot(self._vertex_count[objects])), LEAST_HELD)
        if (self._places[objects] >= wanted).all() and len(self._world) <= most:
            return self
        both = objects
        if movement.start.span is None:     # else what is elsewhere in each interval is placed for these alone
            both = np.union1d(objects, self._places.nonzero()[0])
        vertices = np.where(movement.moves[both], 2, 1).dot(self._vertex_count[both])
        some = with_others(both if vertices <= most else objects, movement, trees, self._mesh)
        new = type(self)(movement, trees, self._mesh, some, self.quantization, run)
        new._copy(self, movement)
        return new

    def _follow(self, movement: Movement, trees: MeshTrees, whole: bool, run: Run) -> None:
        """Place objects on another interval from now on."""
        self._movement, self._run, self._leaf, self._meshes, self._whole = movement, run, trees.leaf, trees, whole
        triangle_start, root, node_start = (each[self._row] for each in (trees.triangle_start, trees.root,
                                                                         trees.node_start))
        self._before, self._after = (
            PlacedTrees(root, box_start, node_start, trees.children, self._boxes, self.quantization,
                        Corners(triangle_start, trees.triangles, trees.order, world_start, self._world))
            for world_start, box_start in self._at)

    def expect(self, objects: np.ndarray) -> None:
        """Be asked for these objects (k,) int64, and no others, from now on."""
        placed_from = objects[~self._movement.linear[objects]] if self._whole else objects
        self._vertex_start, self._start, self._end = sorted_vertices(self._movement, self._meshes, self._row,
                                                                     placed_from)

    def rest(self) -> "SlicePlacer":
        """The same without what the next interval does not need: the run, and Instants, which refer to scenes."""
        self._ends = [(each.poses, each.vertices) for each in (self._movement.start, self._movement.end)]
        del self._movement, self._run, self._before, self._after, self._meshes
        self.__dict__.pop("_start", None)
        self.__dict__.pop("_end", None)
        return self

    def _has(self, trees: MeshTrees, mesh: np.ndarray, quantization: np.ndarray) -> bool:
        """True where what is placed is of these very trees."""
        return (quantization is self.quantization and trees.moves == self._built[0]
                and np.array_equal(mesh, self._mesh) and np.array_equal(trees.built[mesh], self._built[1]))

    def _times_in(self, movement: Movement) -> np.ndarray:
        """(2,n) float64: at which end of another interval objects are where they are placed, NaN: at neither."""
        times, placed = np.full(self._times.shape, np.nan), np.isfinite(self._times).any(axis=0).nonzero()[0]
        for then, (poses, vertices) in enumerate(self._ends):
            held = placed[(self._times[:, placed] == then).any(axis=0)]
            for time, instant in ((1.0, movement.end), (0.0, movement.start)):
                same = held
                if instant.poses is not poses:
                    same = same[~moved_poses(poses[same], instant.poses[same])]
                if instant.vertices is not vertices:
                    same = same[[vertices[k] is instant.vertices[k] for k in same.tolist()]]
                times[:, same] = np.where(self._times[:, same] == then, time, times[:, same])
        return times

    def _copy(self, last: "SlicePlacer", movement: Movement) -> None:
        """Copy what another placer has placed at one of the ends, but for small meshes."""
        times = np.where((self._places > 0) & (self._triangle_count >= LEAST_TAKEN_OVER), last._times, np.nan)
        rests = ~movement.moves & np.isfinite(times[0])
        times[1, rests] = np.nan        # there is memory for one
        for slot, k in np.argwhere(np.isfinite(times)).tolist():
            mine = slot if self._places[k] > 1 else 0
            for here, there, own, others, counts in (
                    (self._world, last._world, self._world_start, last._world_start, self._vertex_count),
                    (self._boxes, last._boxes, self._box_start, last._box_start, self._node_count)):
                to, since = own[mine, k], others[slot, k]
                here[to:to + counts[k]] = there[since:since + counts[k]]
            self._times[mine, k] = times[slot, k]

    def most_vertices(self, objects: np.ndarray) -> int:
        """How many one of these objects has at most."""
        return int(self._vertex_count[objects].max())

    def at(self, objects: np.ndarray, begin: float, end: float, both: bool = True) -> SweptTrees:
        """The trees of the objects (k,) int64 at both ends of a slice of time, until these are asked for again. both:
        False: at its beginning only."""
        slot, new = np.empty((2, len(self._mesh)), np.int64), np.empty((2, len(objects)), np.int64)
        missing = choose_slots(objects, self._movement.moves, begin, end, both, self._times, slot, new)
        put_starts(objects, slot, self._world_start, self._box_start, self._at)
        for which, count, time, trees in zip(new, missing, (begin, end), (self._before, self._after)):
            if count:
                self._place(which[:count], time, trees)
        return SweptTrees(self._before, self._after, np.array([begin, end]), self._counts, self._vertex_start,
                          self._start, self._end)

    def _place(self, which: np.ndarray, time: float, trees: PlacedTrees) -> None:
        if len(self._end) == 0:         # lines, if there are any, are placed at their ends alone
            which = which[~self._copied_from_frame(which, time, trees)]
            for k in which[self._movement.linear[which]].tolist():
                first, to = self._meshes.vertex_start[self._row[k]], trees.corners.world_start[k]
                order = self._meshes.vertex_order[first:first + self._vertex_count[k]]
                self._movement.world_ends(k)[int(time)].take(order, axis=0, out=self._world[to:to + len(order)],
                                                             mode="clip")   # which, unlike others, copies once
        placement = Placement(no_pose(), self._vertex_start, self._vertex_count, self._start, self._node_count,
                              self._leaf, trees)
        place_objects(which, time, self._movement, self._end, placement, self._triangle_count, self._run)

    def _copied_from_frame(self, which: np.ndarray, time: float, trees: PlacedTrees) -> np.ndarray:
        """(k,) bool: those large ones of the objects `which` that were placed like this when the frame was tested. What
        is placed is copied, which takes a third of the time."""
        copied = self._triangle_count[which] >= LEAST_COPIED
        instant = self._movement.end if time == 1.0 else self._movement.start
        forest = instant.scene.cache.get("forest") if copied.any() and time in (0.0, 1.0) else None
        if forest is None or forest.quantization is not self.quantization or forest.meshes is not self._meshes:
            return np.zeros(len(which), bool)
        for row in copied.nonzero()[0].tolist():
            k = which[row]
            there = forest.place_of(instant.objects[k], self._mesh[k], instant.poses[k], instant.vertices[k])
            copied[row] = there is not None
            if there is not None:
                for mine, theirs, to, since, count in (
                        (self._world, forest.world, trees.corners.world_start[k], there[0], self._vertex_count[k]),
                        (self._boxes, forest.boxes, trees.box_start[k], there[1], self._node_count[k])):
                    mine[to:to + count] = theirs[since:since + count]
        return copied


def with_others(objects: np.ndarray, movement: Movement, trees: MeshTrees, mesh: np.ndarray) -> np.ndarray:
    """(k,) int64: all objects that count and have trees, where memory for them is little: those that come near in a
    later interval find theirs then. Else these objects. mesh: (n,) int64, of each object in `trees`."""
    there = np.empty(len(mesh), np.int64)
    count, vertices = find_with_trees(mesh, trees.row, movement.start.triangle_counts, movement.moves,
                                      trees.vertex_count, there)
    return there[:count] if vertices <= LEAST_HELD else objects


@kernel
def find_with_trees(mesh, row_of, triangle_counts, moves, vertex_count, there):
    """(their number, all vertices of their placements): fill `there` (n,) int64 with the objects that have triangles
    and trees. mesh, triangle_counts: (n,) int64; row_of: (meshes,) int64, of trees, -1 where there is none; moves: (n,)
    bool; vertex_count: (rows,) int64."""
    count = 0
    vertices = 0
    for k in range(mesh.shape[0]):
        row = row_of[mesh[k]]
        if triangle_counts[k] > 0 and row >= 0:
            there[count] = k
            count += 1
            vertices += (2 if moves[k] else 1) * vertex_count[row]
    return count, vertices


@kernel
def lay_out(objects, moves, row_of, vertex_count, triangle_count, node_count, counts, nodes_of, places, world_start,
            box_start):
    """(vertices, nodes): how much room placements of some objects need, two of each that moves, else one.

    objects: (k,) int64; moves: (n,) bool; row_of: (n,) int64, of each object's tree, -1 where it has none; then (rows,)
    int64, of trees. counts: (2,n) int64, become numbers of vertices and triangles; nodes_of: (n,) int64, of nodes;
    places: (n,) int64, of placements; world_start, box_start: (2,n) int64, where each placement begins, 0 where there
    is none.
    """
    for k in range(unsigned(moves.shape[0])):
        row = row_of[k]
        counts[0, k] = 0 if row < 0 else vertex_count[row]
        counts[1, k] = 0 if row < 0 else triangle_count[row]
        nodes_of[k] = 0 if row < 0 else node_count[row]
        places[k] = world_start[0, k] = world_start[1, k] = box_start[0, k] = box_start[1, k] = 0
    vertices = 0
    nodes = 0
    for n in range(objects.shape[0]):
        k = objects[n]
        places[k] = 2 if moves[k] else 1
        for slot in range(2):
            if slot < places[k]:
                world_start[slot, k] = vertices
                box_start[slot, k] = nodes
                vertices += counts[0, k]
                nodes += nodes_of[k]
            else:
                world_start[slot, k] = world_start[0, k]
                box_start[slot, k] = box_start[0, k]
    return vertices, nodes


@kernel
def put_starts(objects, slot, world_start, box_start, at):
    """at[end, 0, k] = the first world vertex, at[end, 1, k] = the first box of each object at both ends. objects: (k,)
    int64; the rest as in SlicePlacer."""
    for n in range(objects.shape[0]):
        k = objects[n]
        for end in range(2):
            at[end, 0, k] = world_start[slot[end, k], k]
            at[end, 1, k] = box_start[slot[end, k], k]


@kernel
def choose_slots(objects, moves, begin, end, both, times, slot, new):
    """(missing at begin, missing at end): how many of the objects have to be placed anew for a slice of time; they are
    in new[0] and new[1] then, and `times` says that they are placed.

    objects: (k,) int64; moves: (n,) bool; both: False: nobody asks for the end; times: (2,n), what each of both slots
    has placed, NaN: nothing; slot: (2,n) int64, becomes the slot at both ends; new: (2,k) int64.
    """
    missing_at_begin = 0
    missing_at_end = 0
    for n in range(objects.shape[0]):
        k = objects[n]
        if not moves[k]:                # it is where it is at any time
            slot[0, k] = 0 if times[0, k] == times[0, k] else 1
            if times[slot[0, k], k] != times[slot[0, k], k]:
                slot[0, k] = 0
                times[0, k] = begin
                new[0, missing_at_begin] = k
                missing_at_begin += 1
            slot[1, k] = slot[0, k]
            continue
        if times[0, k] == begin or times[1, k] == begin:
            slot[0, k] = 0 if times[0, k] == begin else 1
        else:                           # what is placed at the other end stays
            slot[0, k] = 1 if times[0, k] == end else 0
            times[slot[0, k], k] = begin
            new[0, missing_at_begin] = k
            missing_at_begin += 1
        if not both:
            slot[1, k] = slot[0, k]
            continue
        other = 1 - slot[0, k]
        slot[1, k] = other
        if times[other, k] != end:
            times[other, k] = end
            new[1, missing_at_end] = k
            missing_at_end += 1
    return missing_at_begin, missing_at_end


def sorted_vertices(movement: Movement, trees: MeshTrees, row: np.ndarray,
                    objects: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(vertex_start, start, end) of a SweptTrees: what these objects are placed from, in the order of their trees;
    linear ones first, as these have two ends. row: (n,) int64, of each object in `trees`."""
    is_linear = movement.linear[objects]
    if not is_linear.any() and trees.hold(row[objects], [movement.start.vertices[k] for k in objects.tolist()]):
        return trees.vertex_start[row], trees.vertices, np.empty((0, 3))        # no copy
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
    ends, chunks = np.cumsum(triangle_count[which]), [which]
    if ends[-1] >= MOVING_TRIANGLES_PER_THREAD:
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
