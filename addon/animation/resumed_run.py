# SPDX-License-Identifier: GPL-3.0-or-later
"""`ResumedRun`: a Check Animation of the window, which goes on from the one before it."""
from collections.abc import Generator
from typing import TYPE_CHECKING

from ...core import Cancelled
from .. import questions, session, staleness
from ..method_properties import follower_of
from .frames import range_of_settings
from .run import AnimationRun

if TYPE_CHECKING:
    import bpy


class ResumedRun(AnimationRun):
    """It reads all frames, and does not test the first ones again that are as they were; see
    `core.sequence.resumed`. Its answer is that of an AnimationRun. Cancelled before it tests any frame it has none, and
    the earlier result stays."""

    def _steps(self) -> Generator[str, None, None]:
        # Taken, as nobody else may go on from it meanwhile: of an abandoned run a worker may still be busy with it.
        self._earlier, self._noted = session.take_ledger(), 0
        try:
            yield from super()._steps()
        except Cancelled:
            self._keep()
            raise
        self._keep()

    def _keep(self) -> None:
        session.keep_ledger(self._earlier if self._sweep is None else self._sweep.ledger)

    def _new_sweep(self):
        return questions.new_resumed_sweep(self._earlier, frames=len(self._frames), main_thread=self._on_main_thread,
                                           **self._how)

    def _following(self) -> int:
        return self._sweep.number

    def _note(self, snapshot) -> None:
        if self._done == self._noted:       # else it was read before, and is tested now
            super()._note(snapshot)

    def _test(self) -> Generator[str, None, bool]:
        done = yield from super()._test()
        self._noted = max(self._noted, self._done + done)
        return done

    def _put_together(self) -> Generator[str, None, None]:
        if self._sweep is not None and self._sweep.compares:
            raise Cancelled(self.nothing_found)
        yield from super()._put_together()


def frames_to_take_over(scene: "bpy.types.Scene") -> list[float]:
    """The frames that a cancelled check of a scene has done and that the panel's next one need not test again, unless
    it reads that they are not what they were. Empty where there are none, or anything is known to be asked
    otherwise."""
    settings, ledger = scene.touchpoint, session.ledger()
    result, chosen = settings.result, settings.animation
    if ledger is None or not (result.animated and result.partial) or session.report_of(scene) is None:
        return []
    frames = [frame for frame, _ in ledger.frames[:ledger.last_state(len(ledger.frames))]]
    first, last = range_of_settings(scene)
    is_same = (bool(frames) and first == frames[0] and frames[-1] <= last
               and abs(frames[-1] - first - (len(frames) - 1) * chosen.step) < 0.5 * chosen.step
               and ledger.question["continuous"] == (chosen.continuous or bool(follower_of(settings))))
    return frames if is_same and not staleness.is_stale(result) else []
