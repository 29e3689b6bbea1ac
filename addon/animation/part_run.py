# SPDX-License-Identifier: GPL-3.0-or-later
"""`PartRun`: a Check Animation of some frames in a row out of many, to be joined with others."""
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import questions
from ..pumped_run import Where
from ..scene_read.swept import Swept
from .run import AnimationRun, Frames

if TYPE_CHECKING:
    from ...core.sequence.parts import Part


@dataclass(eq=False)
class SweptPart:
    """What some frames in a row say, and where their objects came from. It can be pickled."""

    part: "Part"
    swept: Swept
    refusal: str            # why the first frame with too little to test had too little, "" where there was none


class PartRun(AnimationRun):
    """Its answer is a SweptPart."""

    def __init__(self, context, where: Where, frames: Frames, first: int, last: int, method: str, **how):
        """frames: all of them; this part has those from number `first` to `last` - 1. The rest as in AnimationRun."""
        self._first, self._before = first, 1 if first else 0        # the frame before them is tested as well
        self._first_of_all = frames[0]
        super().__init__(context, where, frames[first - self._before:last], method, **how)

    @property
    def done(self) -> int:
        """How many of its frames are done."""
        return max(0, self._done - self._before)

    def _first_frame(self) -> float:
        return self._first_of_all

    def _number(self) -> int:
        return self._first - self._before + self._place

    def _new_sweep(self):
        return questions.new_part_sweep(self._first, main_thread=self._on_main_thread, **self._how)

    def _note(self, snapshot) -> None:
        if self._done >= self._before:
            super()._note(snapshot)

    def _put_together(self) -> Generator[str, None, None]:
        """A part waits for the others."""
        yield from ()

    def _whole_report(self):
        part = self._sweep.part()
        part.cancelled |= self._cancelled
        return SweptPart(part, self._swept, str(self._refusal or ""))
