# SPDX-License-Identifier: GPL-3.0-or-later
"""`ResumedRun`: a Check Animation of the window, which goes on from the one before it."""
from collections.abc import Generator

from ...core import Cancelled
from .. import questions, session
from .run import AnimationRun


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

    def _test(self, frame: float) -> Generator[str, None, bool]:
        done = yield from super()._test(frame)
        self._noted = max(self._noted, self._done + done)
        return done

    def _whole_report(self):
        if self._sweep is not None and self._sweep.compares:
            raise Cancelled(self.nothing_found)
        return super()._whole_report()
