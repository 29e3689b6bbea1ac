# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes made by script: an office of flush boxes, and plates that bolts hold together."""
import math

import numpy as np

from .parts import Model, Part, box, stored

TURN = math.radians(31.7)       # of the whole building, as its site turns it
SITE = (118.43, -76.21, 3.05)
BAY, STOREY = (4.2, 3.6), 3.1
BAYS, STOREYS = (6, 4), 2
COLUMN, WALL, SLAB = 0.3, 0.12, 0.25
SEGMENTS = 32                   # of a bolt's circle


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
            parts.append(_plate(f"plate {stack} {layer}", turn, 0.02 * layer))
        for x in range(4):
            for y in range(2):
                at = 0.05 + 0.1 * x, 0.05 + 0.1 * y
                parts.append(_prism(f"bolt {stack} {x} {y}", turn, at, 0.012, (0.0, 0.06), SEGMENTS))
                parts.append(_prism(f"head {stack} {x} {y}", turn, at, 0.02, (-0.01, 0.0), 6))
                parts.append(_nut(f"nut {stack} {x} {y}", turn, at))
    return Model("bolted plates (made)", parts)


def _circle(at, radius: float, count: int) -> np.ndarray:
    angles = 2.0 * math.pi * np.arange(count) / count
    return np.asarray(at) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _ring(outer: np.ndarray, inner: np.ndarray | None, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """A closed body between two heights: within a polygon, without what is within another one of as many corners."""
    n = len(outer)
    loops = [outer] if inner is None else [outer, inner]
    vertices = np.concatenate([np.column_stack([loop, np.full(n, z)]) for loop in loops for z in (low, high)])
    i, j = np.arange(n), (np.arange(n) + 1) % n
    sides = [(i, j, j + n), (i, j + n, i + n)]
    if inner is None:
        sides += [(0 * i[2:], i[1:-1] + 1, i[1:-1]), (0 * i[2:] + n, i[1:-1] + n, i[1:-1] + 1 + n)]
    else:
        sides += [(i + 2 * n, j + 3 * n, j + 2 * n), (i + 2 * n, i + 3 * n, j + 3 * n), (i, i + 2 * n, j + 2 * n),
                  (i, j + 2 * n, j), (i + n, j + 3 * n, i + 3 * n), (i + n, j + n, j + 3 * n)]
    return vertices, np.concatenate([np.stack(side, axis=1) for side in sides]).astype(np.int32)


def _prism(name: str, pose: np.ndarray, at, radius: float, heights: tuple[float, float], count: int) -> Part:
    return stored(Part(name, *_ring(_circle(at, radius, count), None, *heights), pose))


def _nut(name: str, pose: np.ndarray, at) -> Part:
    """Round outside and inside, on top of the upper plate, with the bolt's own radius."""
    return stored(Part(name, *_ring(_circle(at, 0.021, SEGMENTS), _circle(at, 0.012, SEGMENTS), 0.04, 0.05), pose))


def _plate(name: str, pose: np.ndarray, low: float) -> Part:
    """Squares with a round hole each, side by side: one closed body per square, in one mesh."""
    vertices, triangles, count = [], [], 0
    for x in range(4):
        for y in range(2):
            middle = np.array([0.05 + 0.1 * x, 0.05 + 0.1 * y])
            around = _circle(middle, 1.0, SEGMENTS) - middle
            square = middle + 0.05 * around / np.abs(around).max(axis=1)[:, None]
            corners, sides = _ring(square, _circle(middle, 0.012, SEGMENTS), low, low + 0.02)
            vertices.append(corners)
            triangles.append(sides + count)
            count += len(corners)
    return stored(Part(name, np.concatenate(vertices), np.concatenate(triangles), pose))
