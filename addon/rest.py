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

    Only of stages whose pieces take about equally long. Where something long may come after a stage, its own rest is
    the least that the run still takes.
    """

    def __init__(self, last: str = "", parts: tuple[str, ...] = ()):
        """last: a stage of this run that nothing long comes after, beside OF_ALL, "" for none. parts: other stages."""
        self._whole = (*OF_ALL, last) if last else OF_ALL
        self._stages = (*self._whole, *parts)
        self._stage = ""
        self._start: Progress | None = None
        self._first: tuple[float, float] | None = None      # (when, fraction) after the first piece
        self._last = (0.0, 0.0)                             # and after the last one
        self._pieces = 0                                    # from the first one to the last

    def is_least(self, stage: str) -> bool:
        """True where the run may take much longer than this stage of it."""
        return stage not in self._whole

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


def rest_text(seconds: float, at_least: bool = False) -> str:
    """`about 40 s left`. at_least: `at least 40 s left`, rounded down; "" where that says nothing."""
    if at_least:
        return _at_least(seconds)
    if seconds < 10.0:
        return "a few seconds left"
    if seconds < 90.0:
        return f"about {5 * round(seconds / 5)} s left"
    if seconds < 5400.0:
        return f"about {round(seconds / 60)} min left"
    return f"about {seconds / 3600:.1f} h left"


def _at_least(seconds: float) -> str:
    if seconds < 10.0:
        return ""
    if seconds < 120.0:
        return f"at least {5 * int(seconds / 5)} s left"
    if seconds < 5400.0:
        return f"at least {int(seconds / 60)} min left"
    return f"at least {int(seconds / 360) / 10:.1f} h left"
