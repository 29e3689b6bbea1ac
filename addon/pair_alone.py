# SPDX-License-Identifier: GPL-3.0-or-later
"""A row whose objects are not at hand, as the result came with the file or is about many frames: its pair is tested
once more, by itself, so that there is something to draw."""
import json
from typing import TYPE_CHECKING

import bpy

from ..core.codes import VERDICTS
from ..core.errors import Cancelled, TouchpointError
from ..core.methods import DEFAULT
from ..core.shown import escaped
from ..core.tolerance import AUTOMATIC
from . import kernels, session, staleness
from .chosen import Chosen, is_at_frame
from .listed import find_object
from .run import DetectRun
from .scene_read.swept import is_swept

if TYPE_CHECKING:
    from ..core.report import Report

MOST_POLYGONS = 200_000     # of both objects: more would hold up the click on the row
ROUNDED_UP = 1.0 + 1e-6     # clearances are asked for in lengths that may be rounded


def test_alone(context: bpy.types.Context, chosen: Chosen) -> None:
    """Test the pair of a row, where the scene is at its frame, that takes a moment and the answer is still that of the
    row; and keep what was found for `chosen.found_of`."""
    scene = context.scene
    report, result = session.report_of(scene), scene.touchpoint.result
    session.keep_single(None)
    if chosen.run_id != result.run_id or report is not None and not is_swept(report) or session.run() is not None:
        return
    pair = result.pairs[chosen.index]
    objects = _objects(context, result, pair)
    if (not objects or not is_at_frame(scene, result, pair) or staleness.change_of(result, pair)
            or not kernels.are_ready()):
        return
    run = DetectRun(context, {"objects": objects, "rules": ()}, DEFAULT, clearance=ROUNDED_UP * pair.gap,
                    tolerance=_tolerance(result), self_collisions=len(objects) == 1)
    try:
        found = run.complete()
    except (TouchpointError, Cancelled):
        return
    row = _row_of(found, pair)
    if row is not None:
        session.keep_single((chosen, found, row))


def _objects(context, result, pair) -> list[bpy.types.Object]:
    """The objects of a row, one or two; none where one is gone, is an instance, or takes longer than a moment."""
    if pair.instance_a or pair.instance_b:
        return []
    objects = [each for each in (find_object(result, pair, side) for side in "ab") if each is not None]
    if len(objects) < 2:
        return []
    depsgraph = context.evaluated_depsgraph_get()
    shown = [each.evaluated_get(depsgraph).data for each in objects]
    return [] if sum(len(getattr(each, "polygons", ())) for each in shown) > MOST_POLYGONS else list(
        dict.fromkeys(objects))


def _tolerance(result) -> float | str:
    """That of the result, where settings asked for it."""
    try:
        return dict(json.loads(result.asked)).get("Tolerance", AUTOMATIC)
    except (ValueError, TypeError):     # nothing, or what somebody else has written
        return AUTOMATIC


def _row_of(report: "Report", pair) -> int | None:
    """The row that says of these two objects what the listed one says; None where no row does."""
    for row, found in enumerate(report.pairs):
        names = [escaped(report.name(int(found[side]))) for side in "ab"]
        if sorted(names) == sorted([pair.title_a, pair.title_b]) and VERDICTS[found["verdict"]] == pair.verdict:
            return row
    return None
