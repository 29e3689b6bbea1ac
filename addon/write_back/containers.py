# SPDX-License-Identifier: GPL-3.0-or-later
"""What contains much, or seems to, as it has a hole: proposed as a shell, as it stands in the panel."""
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.codes import A_IN_B, CANNOT_TELL
from ...core.shown import escaped
from .. import phrases

if TYPE_CHECKING:
    from ...core.report import Report

PROPOSED = 3        # objects in another one, from which on it may be a room
PROPOSALS = 5       # in the panel


def write_containers(result: Any, report: "Report") -> None:
    """Name the objects that hold at least PROPOSED others, those with most of them first."""
    pairs = report.pairs[report.pairs["inner"] != 0]
    holders = np.where(pairs["inner"] == A_IN_B, pairs["b"], pairs["a"])
    untold = pairs["verdict"] == CANNOT_TELL
    objects, count = np.unique(holders, return_counts=True)
    for place in np.argsort(-count, kind="stable")[:PROPOSALS].tolist():
        if count[place] < PROPOSED:
            break
        row, item = report.source.rows[objects[place]], result.containers.add()
        how = "perhaps contains" if untold[holders == objects[place]].any() else "contains"
        item.name = escaped(f"{row.name} {how} {phrases.count(int(count[place]), 'object')}")
        item.object_a, item.library_a = escaped(row.object_name), escaped(row.library or "")
        item.uid_a = row.session_uid
