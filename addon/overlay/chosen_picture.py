# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of the chosen pair."""
from typing import TYPE_CHECKING

from ..chosen import Chosen, found_of
from ..heat_map.colours import colours_of
from ..lengths import COLUMN_FIGURES, length_text
from ..preferences import limits
from ..scene_read.swept import is_swept
from .picture import Picture, heated, picture_of

if TYPE_CHECKING:
    import bpy

    from ..heat_map.measuring import HeatMap


def picture_in(scene: "bpy.types.Scene", chosen: Chosen, heat: "HeatMap | None" = None) -> Picture:
    """What to draw of it. heat: of the row, in place of the two colours."""
    found = found_of(scene, chosen)
    assert found is not None
    report, row = found
    pair = report.pairs[row]
    length = float(pair["gap"] if report.is_apart(row) else pair["depth"])
    core = None if is_swept(report) else report.source.core
    label = length_text(length, report.unit_scale, COLUMN_FIGURES) if length > 0.0 else ""
    picture = picture_of(report, row, core, label, limits())
    if heat is not None:
        picture.tints = []
        picture.heat = [heated(side.vertices, side.triangles, colours_of(side.distance, heat.end), side.distance < 0.0,
                               core.poses[int(pair[which])]) for side, which in zip(heat.sides, "ab")]
    return picture
