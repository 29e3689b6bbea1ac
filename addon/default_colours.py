# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of verdicts where nobody has chosen others."""
import numpy as np

# Linear red, green, blue, by word of core.report.VERDICTS. Told apart from each other, from white, and from the orange
# of Blender's selection with any kind of colour vision: at least 18 apart in CIELAB.
VERDICT_COLOURS = {
    "crossing": (0.50, 0.02, 0.18),
    "overlap": (1.00, 0.12, 0.65),
    "contained": (0.04, 0.22, 0.92),
    "cannot tell": (0.03, 0.01, 0.07),
    "touching": (0.03, 0.45, 0.21),
    "near": (1.00, 0.82, 0.01),
}

# sRGB, of the two objects of the chosen pair. Told apart by the colour-blind, too, and from the orange of a selection.
PAIR_COLOURS = {"a": (0.125, 0.376, 0.816), "b": (0.251, 0.816, 0.690)}


def colour_property(verdict: str) -> str:
    """Name of the setting with the colour of a verdict, of a scene and of the preferences."""
    return "colour_" + verdict.replace(" ", "_")


def as_screens_show(colour: tuple[float, ...]) -> np.ndarray:
    """(3,) float64: a linear colour in sRGB, from 0 to 1."""
    linear = np.array(colour)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1.0 / 2.4) - 0.055)
