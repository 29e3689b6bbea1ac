# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of the chosen pair."""
from typing import TYPE_CHECKING

from ...core.shown import escaped
from ..chosen import Chosen, found_of
from ..heat_map.colours import colours_of
from ..lengths import COLUMN_FIGURES, length_text
from ..phrases import VERDICT_TITLES
from ..preferences import limits
from ..scene_read.swept import is_swept
from .picture import Picture, heated, picture_of, tinted_sides

if TYPE_CHECKING:
    import bpy

    from ..heat_map.measuring import HeatMap


def picture_in(scene: "bpy.types.Scene", chosen: Chosen, heat: "HeatMap | None" = None) -> Picture:
    """What to draw of it. heat: of the row, in place of the two colours."""
    found = found_of(scene, chosen)
    assert found is not None
    report, row = found
    pair = report.pairs[row]
    length, what = (float(pair["gap"]), "apart") if report.is_apart(row) else (float(pair["depth"]), "deep")
    core = None if is_swept(report) else report.source.core
    label = f"{length_text(length, report.unit_scale, COLUMN_FIGURES)} {what}" if length > 0.0 else ""
    picture = picture_of(report, row, core, label, limits())
    if heat is None:
        picture.title, picture.names = VERDICT_TITLES[report.verdict(row)], names_of_tints(scene, chosen)
    else:
        picture.tints = []
        picture.heat = [heated(side.vertices, side.triangles, colours_of(side.distance, heat.end), side.distance < 0.0,
                               core.poses[int(pair[which])]) for side, which in zip(heat.sides, "ab")]
    return picture


def names_of_tints(scene: "bpy.types.Scene", chosen: Chosen) -> list[tuple[str, str]]:
    """("a" or "b", name) of what the picture of a row has in the colour of that side (`preferences.pair_colours`)."""
    found = found_of(scene, chosen)
    assert found is not None
    report, row = found
    core = None if is_swept(report) else report.source.core
    return [(side, escaped(report.name(index)))
            for side, index in tinted_sides(report, row, core, limits().triangles)]
