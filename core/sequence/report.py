# SPDX-License-Identifier: GPL-3.0-or-later
"""`SweepReport`: what `sweep` returns, a Report of many frames."""
from dataclasses import dataclass, field

import numpy as np

from ..codes import VERDICTS
from ..report import Report


def _no_times() -> np.ndarray:
    return np.zeros(0)


@dataclass(eq=False)
class SweepReport(Report):
    """One row per pair that is not clear in some frame, as it was in its worst frame: verdict, depth, gap, contacts and
    their points are those of that frame. See docs/animation.md.

    An object is the same in all frames in which its name is. Its index, of which `pairs` speaks, is its number in the
    first scene; objects that came later follow these. triangles: of its mesh when it was first tested. `skipped` names
    what was left out in some frame. stages and counts are sums over the frames.
    cancelled: True marks a partial result; the frames that were finished are in it.
    continuous: None where frames only were tested, else how precise what is said between them is, lengths:
    `tolerance` of times, and, where a clearance was asked for, `gap_tolerance`.
    """

    frames: np.ndarray = field(default_factory=_no_times)           # (frames,) float64, ascending: those tested
    intervals: list[np.ndarray] = field(default_factory=list)       # per pair (k,2) float64, start and end, ascending
    interval_verdicts: list[np.ndarray] = field(default_factory=list)   # (k,) int8, of each interval's worst frame
    spells: list[np.ndarray] = field(default_factory=list)          # per pair (k,2) float64: parts of the intervals in
    spell_verdicts: list[np.ndarray] = field(default_factory=list)      # each of which it is one thing, (k,) int8
    first_contact: np.ndarray = field(default_factory=_no_times)    # (pairs,) float64: of the first interval's start,
                                                                    # or where the pair was only near before, later
    worst_frame: np.ndarray = field(default_factory=_no_times)      # (pairs,) float64
    continuous: dict | None = None
    unfollowed: str = ""            # a sentence of the notes: what could not be followed between some frames

    @property
    def is_incomplete(self) -> bool:
        return bool(self.unfollowed) or super().is_incomplete

    @property
    def left_open(self) -> list[str]:
        return [*super().left_open, *([self.unfollowed] if self.unfollowed else [])]

    def file_head(self) -> dict:
        span = [_whole(each) for each in self.frames[[0, -1]].tolist()] if len(self.frames) else [None, None]
        return {"frames": {"start": span[0], "end": span[1], "count": len(self.frames)},
                "continuous": self.continuous and {key: value * self.unit_scale
                                                   for key, value in self.continuous.items()}}

    def file_columns(self) -> tuple[str, ...]:
        return ("intervals", "first_contact", "worst_frame")

    def file_row(self, row: int) -> dict:
        return {"intervals": [[_whole(start), _whole(end)] for start, end in self.intervals[row].tolist()],
                "spells": [[_whole(start), _whole(end), VERDICTS[verdict]] for (start, end), verdict
                           in zip(self.spells[row].tolist(), self.spell_verdicts[row].tolist())],
                "first_contact": _whole(float(self.first_contact[row])),
                "worst_frame": _whole(float(self.worst_frame[row]))}


def _whole(frame: float) -> float | int:
    """41 rather than 41.0."""
    return int(frame) if frame.is_integer() else frame
