# SPDX-License-Identifier: GPL-3.0-or-later
"""What flies through thin things between two frames: shapes, motions, and the times at which they meet. Lengths in
metres, times in frames."""
from dataclasses import dataclass

import numpy as np

from . import shapes

LAST_FRAME = 40
WALL = 0.02         # thick; its front is at x = 0
TURN = 140.0        # degrees per frame
BLADE, PIN = (0.0, 6.0), (211.0, 213.0)     # degrees, from one radial edge to the other, at frame 1


@dataclass(frozen=True)
class Bullet:
    """Flies along x. meets: when its tip is at the front of the wall. stops: the last frame in which it moves."""

    name: str
    y: float
    speed: float        # metres per frame
    meets: float
    length: float = 0.06
    radius: float = 0.01
    stops: float = LAST_FRAME

    def tip(self, frame: float) -> float:
        """Where its tip is on x."""
        return self.speed * (min(frame, self.stops) - self.meets)


BULLETS = (
    Bullet("Bullet 1", -0.6, 4.0, 10.43),
    Bullet("Bullet 2", -0.3, 2.0, 15.71),
    Bullet("Bullet 3", 0.0, 1.0, 20.37),
    Bullet("Bullet 4", 0.3, 8.0, 6.58),
    Bullet("Stuck Bullet", 0.6, 0.25, 29.95, stops=30.0),       # its tip ends in the middle of the wall
    Bullet("Slug", 0.9, 0.05, 24.2, length=0.12, radius=0.03),
)


def bullet(each: Bullet):
    """A cylinder with a pointed tip at the origin, along x."""
    neck = -1.5 * each.radius
    vertices, faces = shapes.lathe([(0.0, -each.length), (each.radius, -each.length), (each.radius, neck), (0.0, 0.0)],
                                   around=12)
    return vertices[:, [2, 0, 1]], faces


def wall():
    return shapes.box((0.0, -1.0, -0.5), (WALL, 1.5, 0.5))


def sector(angles, inner: float, outer: float, low: float, high: float, steps: int = 4):
    """A thin piece of a ring about x, between two angles in degrees, whose ends are radial."""
    turn = np.radians(np.linspace(angles[0], angles[1], steps))
    rim = np.column_stack([np.cos(turn), np.sin(turn)])
    vertices, faces = shapes.prism(np.concatenate([inner * rim[::-1], outer * rim]), low, high)
    return vertices[:, [2, 0, 1]], faces


def blades():
    """Two thin blades on a hub; the second one is opposite to the first."""
    hub = shapes.lathe([(0.0, -0.05), (0.1, -0.05), (0.1, 0.05), (0.0, 0.05)], around=24)
    hub = hub[0][:, [2, 0, 1]], hub[1]
    opposite = tuple(angle + 180.0 for angle in BLADE)
    return shapes.joined(hub, *(sector(each, 0.09, 0.8, -0.005, 0.005) for each in (BLADE, opposite)))


def pin():
    """Where the tips of the blades pass."""
    return sector(PIN, 0.7, 0.9, -0.02, 0.02, steps=2)


def blade_meets() -> float:
    """When a blade first meets the pin: the one that is opposite at frame 1."""
    return 1.0 + (PIN[0] - (BLADE[1] + 180.0)) / TURN
