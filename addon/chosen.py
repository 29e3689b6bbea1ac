# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pair is chosen, and whether what is known of it is true of what a viewport shows."""
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    """The pair to be drawn in viewports of a scene. None where none is chosen, where the report is not at hand (the
    result came with the file), where an object of the pair has changed since, and at other frames than the row's."""
    settings, run = getattr(scene, "touchpoint", None), session.run()
    if settings is None or not settings.show_pair or not 0 <= settings.pair_index < len(settings.result.pairs):
        return None
    result = settings.result
    pair = result.pairs[settings.pair_index]
    if session.report_of(scene) is None or staleness.change_of(result, pair) or (run is not None and run.is_writing):
        return None
    frame = pair.worst_frame if result.animated else result.frame
    if abs(scene.frame_current_final - frame) > FRAME_TOLERANCE:
        return None
    return Chosen(result.run_id, settings.pair_index)


def places_of(scene: "bpy.types.Scene", chosen: Chosen) -> np.ndarray | None:
    """(n,3) float64, none or more: where the objects of a row meet, or come closest. None where the report is not at
    hand, or one of them has changed since."""
    report, result = session.report_of(scene), scene.touchpoint.result
    if report is None or chosen.run_id != result.run_id or staleness.change_of(result, result.pairs[chosen.index]):
        return None
    row = row_of(report, chosen)
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
