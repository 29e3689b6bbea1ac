# SPDX-License-Identifier: GPL-3.0-or-later
"""`Asking`: whether to go on, asked while frames are told of."""
from contextlib import suppress

from ..errors import Cancelled

TELLING = "telling"         # the stage
MANY_PAIRS = 1 << 14        # of a frame: to tell of fewer takes less than some hundredths of a second


class Asking:
    """What is being told stays true where the answer is no: pairs are told of, and their contacts are not listed, as
    to move these is what takes long."""

    def __init__(self, progress=None):
        """progress: as in `detect`; None: nobody is asked."""
        self.progress, self.stops, self._error = progress, False, None

    def __call__(self) -> None:
        """Between two pieces. Raises Cancelled once the answer was no."""
        if not self.stops and self.progress is not None:
            try:
                self.stops = self.progress(TELLING, 0.0) is False
            except BaseException as error:      # is raised when all is told
                self.stops, self._error = True, error
        if self.stops:
            raise Cancelled

    def of_many(self, pairs: int) -> None:
        """The same before what takes so many pairs in one piece, without raising: it is done in any case."""
        if pairs > MANY_PAIRS:
            with suppress(Cancelled):
                self()

    def end(self) -> bool:
        """Whether to go on, when all is told. Raises what the progress raised."""
        if self._error is not None:
            raise self._error
        return not self.stops


NO_QUESTIONS = Asking()
