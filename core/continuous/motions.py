# SPDX-License-Identifier: GPL-3.0-or-later
"""`Movement`: how each object moves from one Instant to another one, and boxes around it on the way.

Rigid: x(t) + R(t)·S(t)·v with the origin x and the stretch S linear in t, R turning at a constant speed about a fixed
axis. Linear: each vertex goes straight. docs/moving-meshes.md says which object moves how, and derives the bounds.
"""
import numpy as np

from ..records import Meetings, ObjectMotions, PlacedTrees
from ..verdicts.parts_inside import box_search
from .following import (
    bound_lines,
    box_swept_boxes,
    compare_ends,
    count_slices,
    find_near,
    follow_lines,
    follow_objects,
    mark_near_pairs,
)
from .instant import Instant
from .motion_bounds import mark_apart
from .parting_boxes import find_larger_resting, mark_clear
from .poses import no_pose


class Movement:
    """Per object (arrays of length n): `motions` and what is made of it. Rows are filled for objects that `follow` was
    asked for."""

    def __init__(self, start: Instant, end: Instant, follow: bool = True, has_turn: bool = False):
        """follow: all objects. has_turn: the caller is in a run on the Instants' scene."""
        n = len(start.mesh)
        self.has_turn = has_turn
        self.start, self.end = start, end
        self.deformed, others = start.changed(end)
        self.moves = np.empty(n, bool)              # those without triangles do not count
        self.followed = np.zeros(n, bool)
        self._states = np.empty((3, n), bool)       # see `follow_objects`
        self.lost, self._has_triangles, _ = self._states
        self.lost[:] = others
        np.greater(start.triangle_counts, 0, out=self._has_triangles)
        compare_ends(bits_of(start.poses), bits_of(end.poses), self.deformed, start.finite, end.finite, self.moves,
                     self._states)
        # Rigid: the local box, at both ends; linear: boxes in the world.
        self._corners = np.empty((2, n, 2, 3))
        self._low, self._high = self._corners
        self._size = np.zeros(n)
        self.around: np.ndarray | None = None   # (6,) float64, a box around the ways of all; None: nobody has made it
        self.motions = ObjectMotions(
            linear=self.deformed.astype(np.uint8), rotation=np.empty((n, 3, 3)), axis=np.empty((n, 3)),
            world_axis=np.empty((n, 3)), angle=np.zeros(n), stretch=np.empty((n, 2, 3, 3)), origin=np.empty((n, 2, 3)),
            start_pose=start.poses, end_pose=end.poses, curvature=np.zeros(n), speed=np.zeros(n),
            stretching=np.zeros(n), rounding=np.zeros(n))
        if follow:
            self.follow(np.arange(n, dtype=np.int64))

    @property
    def linear(self) -> np.ndarray:
        """(n,) bool: objects each of whose vertices moves on a line."""
        return self.motions.linear.view(bool)

    def follow(self, rows: np.ndarray) -> np.ndarray:
        """Find the motions of some objects; returns those of them that have triangles and can be followed, the others
        are `lost`. rows: (k,) int64, ascending, each once."""
        kept = np.empty(len(rows), np.int64)
        rows = kept[:follow_objects(rows, self.motions, self._states, self.start.local, self.end.local, self._low,
                                    self._high, self._size, np.empty((4, 3, 3)), kept)]
        linear = rows[self.linear[rows]]
        if len(linear):
            self._bound_lines(linear)
            rows = rows[~self.lost[rows]]
        self.followed[rows] = True
        return rows

    def _bound_lines(self, rows: np.ndarray) -> None:
        """Bound the motions of objects whose vertices move on lines, and put these into boxes. rows: (k,) int64."""
        start, end = self.start, self.end
        longest = [bound_lines(k, start.poses, start.vertices[k], end.poses, end.vertices[k], self._low, self._high)
                   for k in rows.tolist()]
        follow_lines(rows, np.array(longest), self.motions, self._low, self._high, self._size, self.lost)

    def world_ends(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """(v,3) float64 each: the vertices of a linear object in the world, at t = 0 and t = 1."""
        return self.start.world_vertices(k), self.end.world_vertices(k)

    def sizes(self, rows: np.ndarray) -> np.ndarray:
        """(k,) float64: about the diameters of some objects. rows: (k,) int64."""
        return self._size[rows]

    def slices(self) -> np.ndarray:
        """(n,) int64: into how many slices of time, a power of two, trees cut an object's way, so that no vertex
        leaves its line by more than about half a triangle's size."""
        count = np.empty(len(self.moves), np.int64)
        count_slices(self.motions.curvature, self._size, self.start.triangle_counts, count)
        return count

    def apart(self, a: np.ndarray, b: np.ndarray, overlap: np.ndarray | None = None) -> np.ndarray:
        """(k,) bool: pairs of objects that a direction certainly keeps apart all the while, by their own boxes. a, b:
        (k,) int32. overlap: (k,) float64, how far they may overlap along it, or, below zero, how far apart they must
        be; None: not at all."""
        apart = np.empty(len(a), bool)
        overlap = np.zeros(len(a)) if overlap is None else overlap
        mark_apart(a, b, overlap, self.motions, self._low, self._high, np.empty((2, 3, 4, 3)), no_pose(), np.empty(3),
                   apart)
        return apart

    def near(self, a: np.ndarray, b: np.ndarray, within: np.ndarray, begin: float, end: float) -> np.ndarray:
        """(k,) bool: pairs of objects whose upright boxes are not certainly farther apart than `within` along one axis
        of the world from one time to another one. a, b: (k,) int32; within: (k,) float64."""
        near = np.empty(len(a), bool)
        mark_near_pairs(a, b, within, begin, end, self.motions, self._low, self._high, no_pose(), np.empty((4, 3)),
                        np.empty((4, 6)), near)
        return near

    def larger_resting(self, rows: np.ndarray, meetings: Meetings) -> np.ndarray:
        """(m,) int64, ascending: what rests and is larger than the other one, which moves, of some pairs. rows: (k,)
        int64, of `meetings`."""
        named = np.zeros(len(self.moves), bool)
        if not find_larger_resting(rows, meetings, self.moves, self._size, named):
            return np.zeros(0, np.int64)
        return named.nonzero()[0]

    def clear(self, rows: np.ndarray, meetings: Meetings, trees: PlacedTrees) -> np.ndarray:
        """(k,) bool: pairs, rows (k,) int64 of `meetings`, of which one object rests, and is larger than the other one,
        whose own box certainly stays clear of its triangles all the while. trees: in which what rests is placed."""
        clear = np.empty(len(rows), bool)
        mark_clear(rows, meetings, self.moves, self._size, self.motions, self._corners, trees, np.empty((2, 4, 3)),
                   no_pose(), box_search(), clear)
        return clear

    def resting_near(self, boxes: np.ndarray) -> np.ndarray:
        """(k,) int64: the objects that rest and whose boxes meet one of these, ascending. boxes: (…,6) float64."""
        near = np.empty(len(self.moves), np.int64)
        return near[:find_near(self.moves, self._has_triangles, self.start.local, self.start.poses, boxes, near)]

    def swept_boxes(self, rows: np.ndarray | None = None) -> np.ndarray:
        """(k,6) float64: boxes that hold some objects all the while. rows: (k,) int64, None: all."""
        rows = np.arange(len(self.moves), dtype=np.int64) if rows is None else rows
        boxes = np.empty((len(rows), 6))
        box_swept_boxes(rows, self.motions, self._low, self._high, no_pose(), np.empty((4, 3)), np.empty((2, 6)),
                        boxes)
        return boxes


def bits_of(poses: np.ndarray) -> np.ndarray:
    """(n,12) int64: poses (n,3,4) as they are in memory."""
    return poses.view(np.int64).reshape(-1, 12)

