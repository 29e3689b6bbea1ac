# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours by the rows of the list, where the report is not there any more: after a file was loaded."""
from collections.abc import Generator
from typing import TYPE_CHECKING

from ..listed import finder
from ..style import COLOURED, style_of
from .colours import colouring, restoring, tell_uncoloured
from .colours_over_time import following, forget, is_followed

if TYPE_CHECKING:
    import bpy


def recolouring(scene: "bpy.types.Scene") -> Generator[None, None, None]:
    """Colour the objects of the rows anew by the settings of a scene; in pieces."""
    result, style = scene.touchpoint.result, style_of(scene)
    find, here = finder(result), set(scene.objects)
    worst: dict = {}
    for pair in result.pairs:
        rank = COLOURED.index(pair.verdict) if style.is_shown(pair.verdict) else len(COLOURED)
        for each in {find(pair, side) for side in "ab"} & here:
            worst[each] = min(rank, worst.get(each, rank))
    yield from restoring(worst)
    if is_followed(scene):
        forget()
        yield from following(scene)
        return
    wanted = {each: style.colours[COLOURED[rank]] for each, rank in worst.items() if rank < len(COLOURED)}
    if result.animated or not style.colour_objects:
        wanted = {}
    tell_uncoloured(scene, (yield from colouring(wanted)))
