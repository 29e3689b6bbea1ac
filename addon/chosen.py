# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pair is chosen, and whether what is known of it is true of what a viewport shows."""
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import session, staleness
from .lengths import length_text

if TYPE_CHECKING:
    import bpy

    from ..core.report import Report

FRAME_TOLERANCE = 1e-4      # properties of Blender are single precision

_order: tuple[str, np.ndarray] = "", np.zeros(0, np.int64)     # run id of a result, and its rows as they are listed


@dataclass(frozen=True)
class Chosen:
    """A row of the list. While it is equal, its picture is the same."""

    run_id: str
    index: int


def chosen_in(scene: "bpy.types.Scene") -> Chosen | None:
    """The pair to be drawn in viewports of a scene. None where none is chosen, where no report of it is at hand, where
    an object of the pair has changed since, and at other frames than the row's."""
    settings, run = getattr(scene, "touchpoint", None), session.run()
    if settings is None or not settings.show_pair or not 0 <= settings.pair_index < len(settings.result.pairs):
        return None
    result = settings.result
    pair, chosen = result.pairs[settings.pair_index], Chosen(result.run_id, settings.pair_index)
    if found_of(scene, chosen) is None or staleness.change_of(result, pair) or (run is not None and run.is_writing):
        return None
    return chosen if is_at_frame(scene, result, pair) else None


def is_at_frame(scene: "bpy.types.Scene", result: Any, pair: Any) -> bool:
    """True where a scene is at the frame that a row of its result is about."""
    frame = pair.worst_frame if result.animated else result.frame
    return abs(scene.frame_float - frame) <= FRAME_TOLERANCE


def is_alone(chosen: Chosen) -> bool:
    """True where the pair of a row was tested by itself (`pair_alone.py`)."""
    alone = session.single()
    return alone is not None and alone[0] == chosen


def found_of(scene: "bpy.types.Scene", chosen: Chosen) -> "tuple[Report, int] | None":
    """The report that has a row, and its number there: that of the pair alone, else that of the result. None where
    neither is at hand."""
    if is_alone(chosen):
        return session.single()[1:]
    report = session.report_of(scene)
    if report is None or chosen.run_id != scene.touchpoint.result.run_id:
        return None
    return report, row_of(report, chosen)


def places_of(scene: "bpy.types.Scene", chosen: Chosen) -> np.ndarray | None:
    """(n,3) float64, none or more: where the objects of a row meet, or come closest. None where the report is not at
    hand, or one of them has changed since."""
    found, result = found_of(scene, chosen), scene.touchpoint.result
    if found is None or staleness.change_of(result, result.pairs[chosen.index]):
        return None
    report, row = found
    if report.is_apart(row):
        return report.pairs["gap_points"][row]
    return report.contacts_of(row).middle


def depths_of_regions(scene: "bpy.types.Scene") -> list[str]:
    """How deep the objects of the chosen row reach into each other in each region, as texts, the deepest first; none
    where that was not measured, or is not true any more."""
    settings, report = scene.touchpoint, session.report_of(scene)
    if report is None or report.regions is None or not 0 <= settings.pair_index < len(settings.result.pairs):
        return []
    if staleness.change_of(settings.result, settings.result.pairs[settings.pair_index]):
        return []
    row = row_of(report, Chosen(settings.result.run_id, settings.pair_index))
    return [length_text(depth, report.unit_scale) for depth in report.regions_of(row)["depth"].tolist()]


def row_of(report: "Report", chosen: Chosen) -> int:
    """Its row of Report.pairs: lists have the worst first."""
    global _order
    if _order[0] != chosen.run_id:
        _order = chosen.run_id, report.worst_first()
    return int(_order[1][chosen.index])
