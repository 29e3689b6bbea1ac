# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of a heat map, and the legend that says what they mean. Nothing here knows Blender."""
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .measuring import HeatMap

# sRGB, from the surface to the end of the scale. Blue and orange are told apart by the colour-blind, too, and both get
# darker outwards (tests/blender/test_heat_map.py).
PARTS = 0.0, 0.25, 0.5, 1.0
APART = (0.96, 0.96, 0.96), (0.66, 0.83, 0.95), (0.38, 0.64, 0.88), (0.13, 0.30, 0.58)
INSIDE = (0.96, 0.96, 0.96), (0.99, 0.80, 0.45), (0.95, 0.53, 0.13), (0.52, 0.09, 0.04)
LEGEND_STEPS = 64           # of colour along the legend


@dataclass(frozen=True)
class Legend:
    """A bar of colours from its lower end up, and the numbers beside it."""

    colours: np.ndarray             # (LEGEND_STEPS,3) float32, sRGB
    numbers: tuple[tuple[float, str], ...]      # (part of the bar from its lower end, text)
    title: str


def colours_of(distance: np.ndarray, end: float) -> np.ndarray:
    """(n,3) float32, sRGB, of distances (n,), negative inside. end: of the scale, above 0."""
    part = np.clip(np.abs(distance) / end, 0.0, 1.0)
    found = [np.stack([np.interp(part, PARTS, channel) for channel in zip(*stops)], axis=1)
             for stops in (APART, INSIDE)]
    return np.where((distance < 0.0)[:, None], found[1], found[0]).astype(np.float32)


def legend_of(heat: "HeatMap", length_text: Callable[[float], str]) -> Legend:
    """length_text: how a length is written, with its unit."""
    end, has_inside = heat.end, heat.deepest > 0.0
    low = -end if has_inside else 0.0
    steps = low + (end - low) * (np.arange(LEGEND_STEPS) + 0.5) / LEGEND_STEPS
    marks = (-end, -0.5 * end, 0.0, 0.5 * end, end) if has_inside else (0.0, 0.5 * end, end)
    return Legend(colours_of(steps, end),
                  tuple(((mark - low) / (end - low), _number(mark, length_text)) for mark in marks),
                  "Distance to the Other")


def _number(mark: float, length_text: Callable[[float], str]) -> str:
    if mark == 0.0:
        return "surface"
    return f"{length_text(abs(mark))} {'inside' if mark < 0.0 else 'apart'}"
