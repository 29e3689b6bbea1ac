# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine of four cylinders, at one angle of its crank. What runs in or lies on each other is flush: pistons have the
radius of their liners, pins that of their holes."""
import math

import numpy as np

from .bodies import plate, prism, spring, tube
from .parts import Model, Part, box

PITCH, BORE, LINER = 0.1, 0.043, 0.048          # between cylinders; radii inside and outside of a liner, metres
THROW, ROD = 0.045, 0.15                        # of the crank; between the ends of a rod
FOOT, DECK, HEAD = 0.095, 0.23, 0.27            # heights of the liners' ends and of the head's top above the crank
SIDE = 0.13                                     # of the block, across
CRANK = math.radians(30.0)
TURNS = (0.0, math.pi, math.pi, 0.0)            # of the cranks
ACROSS = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])      # takes z to x


def engine() -> Model:
    parts = [plate("block", np.eye(4), [(PITCH * k, 0.0) for k in range(4)], (PITCH, SIDE), LINER, (FOOT, DECK)),
             plate("head", np.eye(4), [(0.5 * PITCH * k - 0.025, 0.0) for k in range(8)], (0.5 * PITCH, SIDE), 0.006,
                   (DECK, HEAD))]
    for number, turn in enumerate(TURNS):
        parts += _cylinder(number, CRANK + turn)
    for number in range(5):
        at = (number - 0.5) * PITCH, 0.0, 0.0
        parts += [prism(f"journal {number}", _pose(at, CRANK, ACROSS), 0.025, (-0.026, 0.026)),
                  tube(f"bearing {number}", _pose(at, CRANK, ACROSS), (0.025, 0.035), (-0.015, 0.015))]
    parts.append(prism("flywheel", _pose((3.5 * PITCH + 0.026, 0.0, 0.0), CRANK, ACROSS), 0.11, (0.0, 0.02)))
    return Model("engine (made)", parts)


def _cylinder(number: int, angle: float) -> list[Part]:
    """Liner, piston, rod, crank and valves. angle: of the crank from above."""
    x, crank = number * PITCH, np.array([0.0, THROW * math.sin(angle), THROW * math.cos(angle)])
    lean = math.asin(-crank[1] / ROD)
    pin = np.array([0.0, 0.0, crank[2] + ROD * math.cos(lean)])
    upright, top = _pose((x, 0.0, 0.0)), _pose((x, *pin[1:]))
    small, large, web = (_pose((x, *end[1:]), turn, ACROSS) for end, turn in ((pin, lean), (crank, lean),
                                                                             (0.0 * pin, angle)))
    rod, webs = _pose((x, *crank[1:]), lean), _pose((x, 0.0, 0.0), angle)
    parts = [tube("liner", upright, (BORE, LINER), (FOOT, DECK)),
             prism("crown", top, BORE, (0.018, 0.03)), tube("skirt", top, (0.038, BORE), (-0.02, 0.018)),
             prism("gudgeon pin", small, 0.01, (-0.034, 0.034)),
             tube("small end", small, (0.01, 0.016), (-0.012, 0.012)),
             box("rod", (-0.008, -0.01, 0.028), (0.008, 0.01, ROD - 0.016), rod),
             tube("big end", large, (0.022, 0.028), (-0.013, 0.013)), prism("crank pin", large, 0.022, (-0.014, 0.014)),
             *(box(f"web {side}", (low, -0.03, -0.03), (low + 0.01, 0.03, THROW + 0.03), webs)
               for side, low in (("left", -0.024), ("right", 0.014)))]
    for side, y in (("in", -0.025), ("out", 0.025)):
        at = _pose((x + y, 0.0, 0.0))
        parts += [prism(f"valve {side}", at, 0.016, (DECK - 0.003, DECK)),
                  prism(f"stem {side}", at, 0.006, (DECK, 0.32)),
                  tube(f"retainer {side}", at, (0.006, 0.014), (0.31, 0.315)),
                  spring(f"spring {side}", at, 0.0105, 0.0015, (HEAD + 0.002, 0.308), 5)]
    return [Part(f"{part.name} {number}", part.vertices, part.triangles, part.pose) for part in parts]


def _pose(at, turn: float = 0.0, first: np.ndarray | None = None) -> np.ndarray:
    """A turn about -x, which is where a crank and a rod go, after another one."""
    cos, sin = math.cos(turn), math.sin(turn)
    pose = np.eye(4)
    pose[:3, :3] = [[1.0, 0.0, 0.0], [0.0, cos, sin], [0.0, -sin, cos]]
    pose[:3, :3] = pose[:3, :3] @ (np.eye(3) if first is None else first)
    pose[:3, 3] = at
    return pose
