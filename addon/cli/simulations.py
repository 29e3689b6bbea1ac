# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations that nobody has played: a run without a window leaps to its frame."""
from typing import TYPE_CHECKING

import bpy

from ...core.shown import escaped
from ..scene_read.swept import is_swept
from ..workers.simulations import simulation_that_was_not_played

if TYPE_CHECKING:
    from ...core.report import Report


def add_simulations(report: "Report") -> None:
    """Say so in a report of the open file, whose answer is left open then."""
    last = max(report.frames) if is_swept(report) else float(report.frame or 0.0)
    name = simulation_that_was_not_played(bpy.context.scene, last)
    if name is None:
        return
    sentence = (f"The simulation of {escaped(name)} is not baked, and its frames were not played one after the other: "
                "objects that depend on it may stand elsewhere. Bake it.")
    report.doubts.append(sentence)
    report.notes.append(sentence)
    report.unsure = True
