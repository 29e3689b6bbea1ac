# SPDX-License-Identifier: GPL-3.0-or-later
"""Squares in the colours of verdicts, as the settings of a scene have them, and in those of the chosen pair: the same
in lists, sentences and views."""
from typing import Any

import bpy.utils.previews
import numpy as np

from ..default_colours import as_screens_show
from ..preferences import pair_colours
from ..style import colour_of

ICON_SIZE, BORDER = 16, 2        # pixels; the border stays empty
RIM = 0.6       # grey, sRGB, one pixel wide: dark colours are seen on dark themes, and bright ones on light themes

_previews: Any = None


def square(scene: bpy.types.Scene, verdict: str) -> int:
    """The number of the icon, for `icon_value`."""
    return made(scene, verdict).icon_id


def made(scene: bpy.types.Scene, verdict: str) -> bpy.types.ImagePreview:
    """The `bpy.types.ImagePreview` of a verdict, made when it is asked for first."""
    return _made(as_screens_show(colour_of(scene.touchpoint, verdict)))


def square_of_side(side: str) -> int:
    """The number of the icon in the colour that views give to one object of the chosen pair. side: "a" or "b"."""
    return made_of_side(side).icon_id


def made_of_side(side: str) -> bpy.types.ImagePreview:
    """The `bpy.types.ImagePreview` of one object of the pair."""
    return _made(np.array(pair_colours()[side]))


def _made(shown: np.ndarray) -> bpy.types.ImagePreview:
    """shown: (3,) sRGB."""
    name = " ".join(f"{part:.4f}" for part in shown)
    if name not in _previews:
        new = _previews.new(name)
        new.icon_size = ICON_SIZE, ICON_SIZE
        new.icon_pixels_float = _pixels(shown).ravel().tolist()
    return _previews[name]


def pixels(colour: tuple) -> np.ndarray:
    """(ICON_SIZE, ICON_SIZE, 4) float: a square of this colour, which is linear, as screens show it."""
    return _pixels(as_screens_show(colour))


def _pixels(shown: np.ndarray) -> np.ndarray:
    picture = np.zeros((ICON_SIZE, ICON_SIZE, 4))
    picture[BORDER:-BORDER, BORDER:-BORDER] = RIM, RIM, RIM, 1.0
    picture[BORDER + 1:-BORDER - 1, BORDER + 1:-BORDER - 1] = *shown, 1.0
    return picture


def register() -> None:
    global _previews
    _previews = bpy.utils.previews.new()


def unregister() -> None:
    bpy.utils.previews.remove(_previews)
