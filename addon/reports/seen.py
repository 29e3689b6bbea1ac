# SPDX-License-Identifier: GPL-3.0-or-later
"""From where pairs are looked at in BCF files."""
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ..pictures.camera import FIRST_SIDE, PICTURE_MARGIN, SMALLEST, Camera
from ..pictures.saving import camera_of
from ..scene_read.swept import is_swept
from ..write_back.framing import Bounds, view_of_pair
from .bcf import FIELD_OF_VIEW, Seen

if TYPE_CHECKING:
    from ...core.report import Report


def seen_of(report: "Report", snapshots: dict[int, bytes],
            context: bpy.types.Context | None = None) -> Callable[[int], Seen]:
    """What says of a row of `Report.pairs` from where to look at it, each from the side of its picture.

    snapshots: {row: PNG}. context: whose scene shows what could stand before a pair; `bpy.context` by default.
    """
    return lambda row: _seen(report, row, snapshots.get(row), context or bpy.context)


def _seen(report: "Report", row: int, snapshot: bytes | None, context: bpy.types.Context) -> Seen:
    source = report.source
    view = view_of_pair(Bounds(source.boxes, fixed=not is_swept(report)), report, row)
    if is_swept(report):        # the scene does not stand where it is worst
        side = FIRST_SIDE / np.linalg.norm(FIRST_SIDE)
    else:
        side = camera_of(context, report, row, view).side
    distance = PICTURE_MARGIN * max(view.radius, SMALLEST) / math.sin(0.5 * math.radians(FIELD_OF_VIEW))
    up = Camera(view.centre, side, distance).to_view()[1, :3]
    return Seen((view.centre + distance * side) * report.unit_scale, -side, up, snapshot)
