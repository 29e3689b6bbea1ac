# SPDX-License-Identifier: GPL-3.0-or-later
"""`Queued`: frames that were taken and wait to be tested together; which ones may, and how many."""
from copy import copy
from operator import is_
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import methods
from ..report import Report
from ..scene import Scene
from ..scene.select import Selection, mesh_boxes
from ..trees.bvh.mesh_trees import MeshTrees
from .at_once import AtOnce, Waits
from .moment import Moment
from .ranges import ANEW

if TYPE_CHECKING:
    from .looking import Looking

BOX_PAIRS_AT_ONCE = 50_000      # of a frame, of which one moves: all are tested
MOVING_AT_ONCE = 1 << 17        # triangles of all frames
RESTING_AT_ONCE = 1 << 19       # triangles: they have trees of their own there
FOUND_AT_ONCE = 1 << 15        # contacts of all frames, as far as those before tell
SECONDS_AT_ONCE = 0.02          # that all of them take, as far as those before tell
BENDING_AT_ONCE = 24            # meshes: to take over the vertices of more takes longer than is saved
# Sum of squares of all entries of poses, and of the boxes of meshes that were deformed: where objects may be too far
# away to be computed with, a frame is alone.
LARGEST_SQUARES = 1e200


class Queued:
    """The frames of a sweep that wait. All are of one Scene whose objects and meshes stay what they are."""

    def __init__(self, method: str, how: dict, looking: "Looking | None"):
        """method, how: of `detect`. looking: None where nothing is looked at between frames."""
        serves = method == methods.DEFAULT and not how["options"] and not how["self_collisions"]
        self.frames: list[Waits] = []
        self.selection: Selection | None = None     # what is tested between them; None: nothing is
        self._at_once, self._looking = AtOnce(method, how), looking
        self._at_once.is_off = not serves or (looking is not None and not looking.may_wait)
        self._most = self._capacity = 0             # frames that are tested together, and that have room
        self._steady: np.ndarray | None = None      # versions of meshes whose trees are as if they were built just now
        self._versions = np.zeros(0, np.int64)      # of meshes when the layout was seen for the first time
        self._bends = np.zeros(0, bool)             # (meshes,): those that were deformed since
        self._template: tuple = ()                  # objects and skipped of the last frame that was tested by itself
        self._triangles = np.zeros(0, np.int64)     # of each mesh
        self._layout: Any = None
        self._moves: np.ndarray | None = None       # (n,) bool: objects that have moved with it; None: not known
        self._begun = 0                             # how often something else began to move
        self._calm = 0                              # frames in a row in which nothing else did

    def begin_anew(self, now: Moment) -> None:
        """Nothing depends any more on what was before a frame, which is now."""
        self._steady = now.versions

    def learn(self, report: Report, now: Moment, rests: np.ndarray | None) -> None:
        """A frame was tested by itself. report: of what was tested in it. rests: as in `Waits`, None where nothing is
        known of the frame before."""
        self._most = 0
        if self._layout is not now.layout or len(self._versions) != len(now.versions):
            self._layout, self._moves, self._begun = now.layout, None, 0
            self._versions, self._bends = now.versions, np.zeros(len(now.versions), bool)
            self._triangles = np.array([len(mesh.triangles) for mesh in now.scene.meshes])
        if self._has_room_for_all(now):
            self._widen(now, now.tested)
        elif rests is not None:
            self._widen(now, now.tested & ~rests)
        if (self._bends.any() or self._is_steady(now)) and self._few_bend() and not self._at_once.is_off:
            self._template = copy(report.objects), list(report.skipped)
            self._look_at([report], now)

    def _look_at(self, latest: list[Report], now: Moment) -> None:
        """See how many frames like these can be tested together. latest: the reports of some in a row; now: of the last
        one."""
        self._most = 0
        if self._at_once.is_off:
            return
        if self._are_few(now) and all(each.judged for each in latest[-1].skipped):
            contacts = sum(len(report.contacts) for report in latest) / len(latest)
            seconds = sum(stage.seconds for report in latest for stage in report.stages
                          if stage.name != "prepare") / len(latest)      # what that takes once only
            self._most = int(min(self._room(now), FOUND_AT_ONCE / max(1.0, contacts),
                                 SECONDS_AT_ONCE / max(seconds, SECONDS_AT_ONCE / ANEW)))

    def _are_few(self, now: Moment) -> bool:
        """True where a frame has few pairs of objects of which one moves."""
        count = np.count_nonzero(now.tested)
        moving = count if self._moves is None else np.count_nonzero(self._moves)
        return moving * (count - 1) - moving * (moving - 1) // 2 <= BOX_PAIRS_AT_ONCE

    def _has_room_for_all(self, now: Moment) -> bool:
        """True where nobody need know what will move: there is room for each object in each frame."""
        count = np.count_nonzero(now.tested)
        return (count * (count - 1) // 2 <= BOX_PAIRS_AT_ONCE
                and self._triangles_of(now).sum() * (ANEW - 1) <= MOVING_AT_ONCE)

    def _triangles_of(self, now: Moment) -> np.ndarray:
        """(n,) int64: of each object that was tested, 0 of others."""
        return np.where(now.tested, self._triangles[now.layout.mesh], 0)

    def _widen(self, now: Moment, moves: np.ndarray) -> bool:
        """Take note of objects that move, (n,) bool, and of meshes that bend. False: others did until now."""
        self._calm += 1
        bends = now.versions != self._versions
        others = not np.array_equal(bends, self._bends)
        if others:
            self._bends = bends
            moves = moves | (now.tested & bends[now.layout.mesh])
        if self._moves is None:
            self._moves = moves
        elif others or (moves & ~self._moves).any():
            self._moves = self._moves | moves
            self._begun, self._calm = self._begun + 1, 0
            return False
        return True

    def _room(self, now: Moment) -> int:
        """How many frames have room in one scene."""
        triangles = self._triangles_of(now)
        moving = triangles if self._moves is None else triangles[self._moves]
        if triangles.sum() - moving.sum() > RESTING_AT_ONCE:
            return 0
        return min(ANEW - 1, MOVING_AT_ONCE // max(1, int(moving.sum())))

    def next(self, frame: float, scene: Scene, before: Moment | None, question: tuple, then: tuple) -> Waits | None:
        """A frame, as it waits; None where it is to be tested by itself. before: of the last one that was tested.
        question: see `Waits`; then: that of the frame before."""
        before = self.frames[-1].now if self.frames else before
        if (self._most < 2 or self._calm + 1 < min(self._begun, ANEW) or before is None or before.scene is not scene
                or before.layout is not scene.layout or not all(map(is_, question, then))
                or (self._looking is not None and before.layout.largest_clearance > 0.0)):
            return None
        now = Moment(scene, before.numbers, self._looking is not None, before)
        if (len(now.versions) != len(self._versions)
                or not np.einsum("ijk,ijk", now.poses, now.poses) < LARGEST_SQUARES):
            return None
        now.tested, rests = before.tested, now.resting(before)
        # Those that wait have a scene in which what rests is once. To make others takes longer than to test a frame, so
        # the more often something else began to move, the more frames have to pass without.
        if not self._widen(now, now.tested & ~rests) or not self._are_few(now) or self._calm < min(self._begun, ANEW):
            return None
        repeats = now.is_as(before)
        if self._bends.any():
            if repeats:
                self.held()
            if repeats or not self._few_bend() or not self._bends_well(now, before):
                return None
        elif not self._is_steady(now):
            return None
        return Waits(frame, now, rests, question, repeats)

    def held(self) -> None:
        """A frame was as the one before, and is not tested. Where meshes bend, but not in all frames, few would be
        tested together, and to share trees with them takes some milliseconds: the more often something is held, the
        more frames are alone after it."""
        if self._bends.any():
            self._begun, self._calm = self._begun + ANEW // 4, 0

    def _few_bend(self) -> bool:
        return np.count_nonzero(self._bends) <= BENDING_AT_ONCE

    def _bends_well(self, now: Moment, before: Moment) -> bool:
        """True where what was deformed since the frame before can wait: its objects were tested, its coordinates can be
        computed with, and no tree is to be built for it. Trees of the Scene follow it."""
        bent = now.versions != before.versions
        if (bent[now.layout.mesh] & now.layout.enabled & ~now.tested).any():
            return False
        boxes = mesh_boxes(now.scene)[bent]
        if not np.einsum("ij,ij", boxes, boxes) < LARGEST_SQUARES:
            return False
        with now.scene.turn:
            return MeshTrees.of(now.scene).keep_order(now.scene, np.unique(now.layout.mesh[now.tested]))

    def _is_steady(self, now: Moment) -> bool:
        """True where no mesh was deformed, added or removed since the sweep began anew."""
        if now.versions is not self._steady:
            if self._steady is None or not np.array_equal(now.versions, self._steady):
                return False
            self._steady = now.versions
        return True

    def add(self, waits: Waits) -> bool:
        """Let a frame wait. True: it is time to test those that do."""
        if not self.frames:     # look up what the scene tells now, and perhaps not later
            self._capacity = max(1, self._room(waits.now))
            assert self._moves is not None
            self._at_once.prepare(waits.now, self._moves, self._bends, self._capacity)
            if self._looking is not None:
                self.selection = self._looking.selection(waits.now.scene, waits.question[0])
        self.frames.append(waits)
        return len(self.frames) >= min(self._most, self._capacity)

    def tested(self, frames: list[Waits], progress) -> list[Report | None] | None:
        """The reports of these frames, of what was tested in each, None where nothing is different from the frame
        before; None where the run was cancelled. Raises what `detect` raises."""
        different = [each for each in frames if not each.repeats]
        reports = self._at_once.reports(different, self._template, progress) if different else []
        if reports is None:
            return None
        if different:
            self._look_at(reports, different[-1].now)
        left = iter(reports)
        return [None if each.repeats else next(left) for each in frames]
