# SPDX-License-Identifier: GPL-3.0-or-later
"""What contains much, or seems to, as it has a hole: proposed as a shell, in the panel and on the terminal."""
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..core.codes import A_IN_B, CANNOT_TELL
from . import phrases

if TYPE_CHECKING:
    from ..core.report import Report

PROPOSED = 3        # objects in another one, from which on it may be a room
PROPOSALS = 5       # that are named


def proposed_shells(report: "Report") -> Iterator[tuple[int, str]]:
    """(object, what it contains, in words) of those that hold at least PROPOSED others, those with most of them
    first."""
    pairs = report.pairs[report.pairs["inner"] != 0]
    holders = np.where(pairs["inner"] == A_IN_B, pairs["b"], pairs["a"])
    untold = pairs["verdict"] == CANNOT_TELL
    objects, count = np.unique(holders, return_counts=True)
    for place in np.argsort(-count, kind="stable")[:PROPOSALS].tolist():
        if count[place] < PROPOSED:
            break
        how = "perhaps contains" if untold[holders == objects[place]].any() else "contains"
        yield int(objects[place]), f"{how} {phrases.count(int(count[place]), 'object')}"
