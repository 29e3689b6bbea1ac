# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a sweep begins anew, and how its frames are shared out among workers. Loads no kernels."""

ANEW = 32               # frames; see `Sweep._begin_anew`
PER_WORKER = 4          # ranges: the last worker to finish is then seldom far behind


def ranges(frames: int, workers: int) -> list[tuple[int, int]]:
    """[(first, last + 1)] of the parts in which so many workers test so many frames, in order."""
    size = ANEW * max(1, frames // (ANEW * PER_WORKER * workers))
    return [(first, min(first + size, frames)) for first in range(0, frames, size)]
