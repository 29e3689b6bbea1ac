# SPDX-License-Identifier: GPL-3.0-or-later
"""`Swept`: where the objects of a check over many frames came from, as a Snapshot is for one."""
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeGuard

import bpy
import numpy as np

from ...core.codes import Skipped
from .. import session
from ..names import name_of
from .doubts import Doubts
from .names import library_path
from .scope import IS_HIDDEN
from .snapshot import Related, Row, Snapshot

if TYPE_CHECKING:
    from ...core.findings import ObjectInfo
    from ...core.report import Report
    from ...core.sequence.report import SweepReport


class Swept:
    """What is kept of the Snapshots of all frames: as much as one of them, however many there are.

    After `order_like`, rows[i] tells where object i of the report came from, and boxes[i] how large it is.
    """

    def __init__(self) -> None:
        self.rows: list[Row | None] = []    # None: what the core left out in every frame
        self.boxes = np.zeros((0, 6))
        self.frames = 0         # with something to test
        self.seconds = 0.0      # of reading
        self.frame = None       # as there are several
        self.has_points = False     # it is not looked for, as numbers of surfaces differ between frames anyway
        self.doubts = Doubts()
        self.scope = ""
        self.collections: tuple[str, ...] = ()
        self.asked: frozenset[int] = frozenset()        # as in a Snapshot: of all frames
        self.selected: frozenset[int] = frozenset()
        self.changes = 0        # session.changes() when the first frame was read
        self.related = Related()        # as in a Snapshot: of the latest frame
        self.held: dict[int, frozenset[int]] | None = None      # the same
        self._known: dict[str, tuple[Row, np.ndarray]] = {}
        self._noted: list[Row] = []     # of the latest frame
        self._skipped: dict[tuple[str, str], Skipped] = {}

    def note(self, snapshot: Snapshot) -> None:
        """One more frame was tested."""
        self.frames += 1
        if self.frames == 1:
            self.changes = snapshot.changes
        self.asked |= snapshot.asked
        self.selected |= snapshot.selected
        self.scope, self.collections, self.held = snapshot.scope, snapshot.collections, snapshot.held
        if snapshot.taking is not None and snapshot.taking.relations is not self.related.relations:
            self.related = snapshot.related
        if snapshot.rows is not self._noted:        # a Cast is kept from frame to frame while nobody comes
            new = [number for number, row in enumerate(snapshot.rows) if row.name not in self._known]
            for number in new:
                row = snapshot.rows[number]
                self._known[row.name] = row, snapshot.boxes[number]
            self._noted = snapshot.rows
        for each in snapshot.skipped:
            self._skipped.setdefault((each.name, each.reason), each)
        if snapshot.doubts.sentences:
            self.doubts = self.doubts.joined(snapshot.doubts)
        self.seconds += snapshot.seconds
        self.file_name, self.scene_name, self.scene_uid = snapshot.file_name, snapshot.scene_name, snapshot.scene_uid
        self.unit_scale, self.identified_by, self.rules = snapshot.unit_scale, snapshot.identified_by, snapshot.rules

    def join(self, later: "Swept") -> None:
        """Go on by frames that another process has read, from the same file."""
        if not later.frames:
            return
        self.frames += later.frames
        self._known = {**later._known, **self._known}
        for key, each in later._skipped.items():
            self._skipped.setdefault(key, each)
        self.doubts = self.doubts.joined(later.doubts)
        self.seconds += later.seconds
        self.file_name, self.scene_name, self.scene_uid = later.file_name, later.scene_name, later.scene_uid
        self.unit_scale, self.identified_by = later.unit_scale, later.identified_by
        self.scope, self.collections = later.scope, later.collections
        self.related = self.related if self.related.rules else Related(later.related.rules)

    def find_again(self, scene: bpy.types.Scene) -> None:
        """Let rows lead to the objects of this process, which has the same file open, with this scene."""
        uids = {(name_of(each), library_path(each)): each.session_uid for each in bpy.data.objects}
        self.scene_uid, self.held = scene.session_uid, None
        self.asked, self.changes = frozenset(each.session_uid for each in scene.objects), session.changes()
        self._known = {name: (row._replace(session_uid=uids.get((row.object_name, row.library), row.session_uid)), box)
                       for name, (row, box) in self._known.items()}

    @property
    def skipped(self) -> list[Skipped]:
        """What was left out in some frame, each reason once. What was hidden in some frames and tested in others is
        not among them."""
        return [each for (name, reason), each in self._skipped.items()
                if reason != IS_HIDDEN or name not in self._known]

    def order_like(self, objects: "Sequence[ObjectInfo]") -> None:
        """Rows and boxes by the index of the objects of a report."""
        count = 1 + max((each.index for each in objects), default=-1)
        self.rows, self.boxes = [None] * count, np.zeros((count, 6))
        for each in objects:
            self.rows[each.index], self.boxes[each.index] = self._known[each.name]

    def find_scene(self) -> bpy.types.Scene | None:
        """The `bpy.types.Scene` that was read, or None when it was deleted, or another file loaded."""
        return next((each for each in bpy.data.scenes if each.session_uid == self.scene_uid), None)

    def find_objects(self) -> list:
        """For each row its `bpy.types.Object`, or None when it was deleted meanwhile; one pass over the file."""
        by_uid = {each.session_uid: each for each in bpy.data.objects}
        return [None if row is None else by_uid.get(row.session_uid) for row in self.rows]


def is_swept(report: "Report") -> "TypeGuard[SweepReport]":
    """True for the report of a Check Animation, which has intervals."""
    return isinstance(report.source, Swept)
