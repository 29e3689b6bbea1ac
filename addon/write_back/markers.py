# SPDX-License-Identifier: GPL-3.0-or-later
"""Markers on the timeline where pairs first meet. Those of a result are known by their names, which it keeps."""
import math
from collections.abc import Generator
from typing import TYPE_CHECKING

from ...core.shown import escaped
from ..names import NAME_BYTES, pair_label, shorten
from ..style import style_of

if TYPE_CHECKING:
    import bpy
    import numpy as np

    from ...core.sequence.report import SweepReport

MARKER_PREFIX = "Touchpoint "
MOST_MARKERS = 200       # the first ones; more of them hide each other
MORE = " +{}"       # behind the name: so many further pairs first meet in that frame


def writing_markers(report: "SweepReport", rows: "np.ndarray", scene: "bpy.types.Scene") -> Generator[None, None, None]:
    """Put a marker at each of the first frames in which pairs first meet, named after the worst of them; a piece per
    marker. rows: of Report.pairs, the worst first; those of touches count where they are coloured."""
    at: dict[int, list[int]] = {}
    style = style_of(scene)
    for row in [row for row in rows.tolist() if style.is_shown(report.verdict(row))]:
        at.setdefault(math.floor(report.first_contact[row]), []).append(row)
    taken = {each.name for each in scene.timeline_markers}
    for frame, found in sorted(at.items())[:MOST_MARKERS]:
        name = _free_name(_label(report, found), taken)
        scene.timeline_markers.new(name, frame=frame)
        scene.touchpoint.result.markers.add().name = name
        taken.add(name)
        yield


def remove_markers(scene: "bpy.types.Scene") -> None:
    """Remove the markers of a scene's result, wherever they were moved; one that was renamed is the user's by now."""
    names = {each.name for each in scene.touchpoint.result.markers}
    for each in [each for each in scene.timeline_markers if each.name in names and each.name.startswith(MARKER_PREFIX)]:
        scene.timeline_markers.remove(each)
    scene.touchpoint.result.markers.clear()


def _label(report, found: list[int]) -> str:
    """`Touchpoint A × B +2`."""
    pair = report.pairs[found[0]]
    a, b = (escaped(report.name(int(pair[side]))) for side in "ab")
    more = MORE.format(len(found) - 1) if len(found) > 1 else ""
    return f"{MARKER_PREFIX}{pair_label(a, b, NAME_BYTES - len(MARKER_PREFIX) - len(more))}{more}"


def _free_name(wanted: str, taken: set[str]) -> str:
    """The name, or one with a number where there is such a marker already: it may be the user's."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        ending = f" ({number})"
        name = shorten(wanted, NAME_BYTES - len(ending)) + ending
    return name
