# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes made by script: an office of flush boxes, and plates that bolts hold together."""
import math

import numpy as np

from .bodies import plate, prism, tube
from .parts import Model, box

TURN = math.radians(31.7)       # of the whole building, as its site turns it
SITE = (118.43, -76.21, 3.05)
BAY, STOREY = (4.2, 3.6), 3.1
BAYS, STOREYS = (6, 4), 2
COLUMN, WALL, SLAB = 0.3, 0.12, 0.25
HOLES = [(0.05 + 0.1 * x, 0.05 + 0.1 * y) for x in range(4) for y in range(2)]     # of a plate, in its squares
HOLE = 0.012                    # radius


def _site() -> np.ndarray:
    pose = np.eye(4)
    pose[:2, :2] = [[math.cos(TURN), -math.sin(TURN)], [math.sin(TURN), math.cos(TURN)]]
    pose[:3, 3] = SITE
    return pose


def office() -> Model:
    """Slabs, columns, walls, panes, panels and desks that all lie flush against each other, turned and far away."""
    site, parts = _site(), []

    def add(name: str, at, size) -> None:
        pose = np.eye(4)
        pose[:3, 3] = at
        size = np.asarray(size, float)
        parts.append(box(f"{name} {len(parts)}", -0.5 * size, 0.5 * size, site @ pose))

    width, depth = BAY
    for storey in range(STOREYS):
        floor = storey * STOREY
        clear = STOREY - SLAB
        for x in range(BAYS[0] + 1):
            for y in range(BAYS[1] + 1):
                add("column", (x * width, y * depth, floor + 0.5 * clear), (COLUMN, COLUMN, clear))
                if x < BAYS[0]:
                    _wall(add, (x + 0.5) * width, y * depth, floor, (width - COLUMN, WALL), clear, y in (0, BAYS[1]))
                if y < BAYS[1]:
                    _wall(add, x * width, (y + 0.5) * depth, floor, (WALL, depth - COLUMN), clear, x in (0, BAYS[0]))
                if x < BAYS[0] and y < BAYS[1]:
                    middle = (x + 0.5) * width, (y + 0.5) * depth
                    add("slab", (*middle, floor + clear + 0.5 * SLAB), (width, depth, SLAB))
                    add("panel", (*middle, floor + clear - 0.01), (width - COLUMN, depth - COLUMN, 0.02))
                    add("desk", (*middle, floor + 0.36), (1.6, 0.8, 0.72))
                    add("screen", (*middle, floor + 0.72 + 0.2), (0.5, 0.05, 0.4))
    return Model("office (made)", parts)


def _wall(add, x: float, y: float, floor: float, size: tuple[float, float], clear: float, outside: bool) -> None:
    """A wall up to the slab above it; outside a parapet, a pane on it and a lintel on that."""
    if not outside:
        add("wall", (x, y, floor + 0.5 * clear), (*size, clear))
        return
    low, high = 0.9, 2.2
    add("parapet", (x, y, floor + 0.5 * low), (*size, low))
    add("pane", (x, y, floor + 0.5 * (low + high)), (*(min(each, 0.04) if each == WALL else each for each in size),
                                                     high - low))
    add("lintel", (x, y, floor + 0.5 * (high + clear)), (*size, clear - high))


def plates() -> Model:
    """Pairs of plates with bolts of the holes' own radius in them, and a nut on each bolt; turned by thirds of a
    degree, so that no coordinate is a round number."""
    parts = []
    for stack in range(8):
        turn = np.eye(4)
        angle = math.radians(stack / 3.0)
        turn[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
        turn[:3, 3] = 0.5 * stack, 0.1, 0.0
        for layer in range(2):
            parts.append(plate(f"plate {stack} {layer}", turn, HOLES, (0.1, 0.1), HOLE,
                               (0.02 * layer, 0.02 * layer + 0.02)))
        for x, y in HOLES:
            here = turn.copy()
            here[:3, 3] += turn[:3, :2] @ (x, y)
            name = f"{stack} {x:.2f} {y:.2f}"
            parts.append(prism(f"bolt {name}", here, HOLE, (0.0, 0.06)))
            parts.append(prism(f"head {name}", here, 0.02, (-0.01, 0.0), 6))
            parts.append(tube(f"nut {name}", here, (HOLE, 0.021), (0.04, 0.05)))
    return Model("bolted plates (made)", parts)
