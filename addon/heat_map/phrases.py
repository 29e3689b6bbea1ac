# SPDX-License-Identifier: GPL-3.0-or-later
"""What a heat map says, in sentences. No Blender here."""
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .measuring import HeatMap


def sentences(heat: "HeatMap", names: tuple[str, str], length_text: Callable[[float], str]) -> list[str]:
    """The largest depth and the least gap that the colours show, and what has none. names: of a and b. length_text: how
    a length is written, with its unit."""
    found = []
    for side, name, other in zip(heat.sides, names, reversed(names)):
        if (side.distance < 0.0).any():
            found.append(f"{name} is up to {length_text(-float(side.distance.min()))} inside {other}")
    if not found and heat.nearest > 0.0:
        found.append(f"Nowhere nearer than {length_text(heat.nearest)}")
    for side, name in zip(heat.sides, names):
        if side.left_out:
            found.append(f"{name} has so many vertices that {side.left_out:,} of them, those farthest away, have no "
                         "colour")
    return found
