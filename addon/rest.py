# SPDX-License-Identifier: GPL-3.0-or-later
"""`Rest`: how long a run will still take, as far as that can be known. No Blender here."""
from .worker import Progress

OF_ALL = ("preparing for the first run", "learning", "testing", "checking")    # stages that nothing long comes after
FEWEST_SECONDS = 2.0    # that must have been watched
LEAST_SHARE = 0.02      # of the work
FEWEST_PIECES = 3       # of it
MOST_LATE_SECONDS = 5.0     # that an end is late before it is not known any more


class Rest:
    """Watches the progress of one run. The first piece does not count: it prepares what the others need.

    Only of stages after which nothing long comes, and whose pieces take about equally long.
    """

    def __init__(self, last: str = ""):
        """last: what else is such a stage in this run, "" for none."""
        self._stages = (*OF_ALL, last) if last else OF_ALL
        self._stage = ""
        self._start: Progress | None = None
        self._first: tuple[float, float] | None = None      # (when, fraction) after the first piece
        self._last = (0.0, 0.0)                             # and after the last one
        self._pieces = 0                                    # from the first one to the last

    def seconds(self, progress: Progress, now: float) -> float | None:
        """How long the stage will still take, None where that cannot be said yet, or what was said has proved wrong.
        now: in seconds, of any clock."""
        if progress.stage not in self._stages:
            return None
        fraction = progress.fraction
        if progress.stage != self._stage:
            self._stage, self._start, self._first = progress.stage, progress, None
        assert self._start is not None
        if self._first is None:
            if fraction > self._start.fraction:
                self._first, self._pieces = (now, fraction), 0
                self._last = self._first
            return None
        if fraction > self._last[1]:
            self._last, self._pieces = (now, fraction), self._pieces + 1
        watched, done = self._last[0] - self._first[0], self._last[1] - self._first[1]
        if watched < FEWEST_SECONDS or done < LEAST_SHARE or self._pieces < FEWEST_PIECES:
            return None
        left = watched / done * (1.0 - self._last[1]) - (now - self._last[0])
        return max(0.0, left) if left > -MOST_LATE_SECONDS else None


def rest_text(seconds: float) -> str:
    """`about 40 s left`."""
    if seconds < 10.0:
        return "a few seconds left"
    if seconds < 90.0:
        return f"about {5 * round(seconds / 5)} s left"
    if seconds < 5400.0:
        return f"about {round(seconds / 60)} min left"
    return f"about {seconds / 3600:.1f} h left"
