# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart the two objects of a pair are, frame by frame: `GapRun`."""
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

import numpy as np

from ...core import Cancelled
from ...core.codes import CANNOT_TELL, NEAR
from ...core.errors import NothingToTest, Refused
from ...core.methods import DEFAULT
from ...core.shown import escaped
from ..listed import find_object
from ..method_properties import as_typed
from ..pumped_run import AT_ONCE_SECONDS, WRITING
from ..scene_read import Snapshot
from ..worker import Progress
from .frames import frames_of_settings
from .over_frames import OverFrames
from .run import CHECKING

MEASURED_NOTHING = "Gap as Curve was cancelled before a frame was measured."
NEVER_BOTH = "There is no frame in which both objects can be measured."
ROOM = 1.01         # of the length that is surely not exceeded


@dataclass(eq=False)
class GapCurve:
    """What is known of a pair over time, in Blender units: its gap, below zero the depth."""

    pair: str
    frames: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)


class GapRun(OverFrames):
    """Measures the pair of the active row in every frame that the panel asks for; its answer is a GapCurve, which it
    writes into the scene. A cancelled run answers for the frames that it has measured."""

    title = "Gap as Curve"
    nothing_found = MEASURED_NOTHING

    def __init__(self, context):
        scene = context.scene
        settings = scene.touchpoint
        result, pair = settings.result, settings.result.pairs[settings.pair_index]
        super().__init__(context, lambda: {"objects": list(dict.fromkeys(find_object(result, pair, side)
                                                                         for side in "ab"))},
                         takes_points=False, needs_kernels=True, shown=True, alone=True)
        self._needs_others = False
        self._frames = frames_of_settings(scene)
        self._weld = as_typed(settings.weld)
        self._sides = [(getattr(pair, f"object_{side}"), getattr(pair, f"instance_{side}")) for side in "ab"]
        self._curve = GapCurve(pair.name)

    @property
    def progress(self) -> Progress:
        if self._progress is not None and self._progress.stage == WRITING:
            return self._progress
        return Progress(CHECKING, self._done / max(len(self._frames), 1))

    def _steps(self) -> Generator[str, None, None]:
        self._begun = True
        with self._other_frames():
            for frame in self._frames:
                if self._cancelled:
                    break
                yield from self._measure(frame)
                self._done += 1
        if not self._curve.frames:
            raise Cancelled(self.nothing_found) if self._cancelled else Refused(NEVER_BOTH)
        yield from self._write(self._curve)
        self.answer = self._curve

    def _measure(self, frame: float) -> Generator[str, None, None]:
        """Add a frame to the curve, where both objects are there and their gap is known."""
        self._frame = frame
        try:
            snapshot = yield from self._read()
        except (Cancelled, NothingToTest):      # things may be hidden in some frames
            return
        self._hand_over(snapshot)
        try:
            gap = yield from self._wait()
        except Cancelled:
            return
        if gap is not None:
            self._curve.frames.append(frame)
            self._curve.gaps.append(gap)

    def _ask(self, snapshot, progress):
        rows = {(escaped(row.object_name), escaped(row.instance)): index for index, row in enumerate(snapshot.rows)}
        pair = sorted(rows[side] for side in self._sides if side in rows)
        return gap_in(snapshot, pair, self._weld, progress) if len(pair) == 2 else None

    def _patience(self) -> float:
        return AT_ONCE_SECONDS

    def _refuse_nothing(self, answer) -> None:
        """A curve has at least one frame."""

    def _writing(self, answer, scene) -> Generator[float, None, None]:
        from ..write_back import writing_curve

        return writing_curve(answer, scene)


def gap_in(snapshot: Snapshot, pair: list[int], weld: float,
           progress: Callable[[str, float], bool]) -> float | None:
    """How far apart the surfaces of two objects are, in Blender units; minus their depth where they reach into each
    other, 0 where they only meet, or meet and have no depth, as two open meshes have none. None where that cannot be
    told. Raises Cancelled."""
    from ...core import detect

    boxes = snapshot.boxes[pair]
    reach = ROOM * float(np.linalg.norm(boxes[:, 3:].max(axis=0) - boxes[:, :3].min(axis=0)))
    report = detect(snapshot.core, DEFAULT, reach, np.array([pair]), depth=True, weld=weld, contacts=False,
                    progress=progress)
    if report.cancelled:
        raise Cancelled
    if len(report.pairs) != 1 or report.pairs["verdict"][0] == CANNOT_TELL:
        return None
    found = report.pairs[0]
    if found["verdict"] == NEAR:
        return float(found["gap"])
    return -float(found["depth"]) if found["depth"] > 0.0 else 0.0
