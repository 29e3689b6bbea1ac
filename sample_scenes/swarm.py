# SPDX-License-Identifier: GPL-3.0-or-later
"""Cubes of several sizes that fly and turn, each in a direction of its own: they come together and fly apart again.

Lengths in metres, times in frames."""
from dataclasses import dataclass

import numpy as np

from . import shapes

COUNT, LAST_FRAME = 64, 49
ROOM = 3.2              # edge of the cube in which a swarm of one would be half way; it grows with the number
EDGES = (0.75, 1.25)
SPEED, TURN = 0.2, 5.0      # standard deviations: metres per frame along each axis, degrees per frame
SEED = 1


@dataclass(frozen=True, eq=False)
class Swarm:
    """Each cube is at `middles` half way between frame 1 and `last`; its turn is one about `axes`."""

    edges: np.ndarray       # (n,)
    middles: np.ndarray     # (n,3)
    speeds: np.ndarray      # (n,3), per frame
    axes: np.ndarray        # (n,3), unit vectors
    starts: np.ndarray      # (n,) degrees, at frame 1
    rates: np.ndarray       # (n,) degrees per frame
    last: int

    def places(self, frame: float) -> np.ndarray:
        """(n,3)"""
        return self.middles + (frame - 0.5 * (1.0 + self.last)) * self.speeds

    def angles(self, frame: float) -> np.ndarray:
        """(n,) degrees"""
        return self.starts + (frame - 1.0) * self.rates

    def poses(self, frame: float) -> np.ndarray:
        """(n,4,4), rigid"""
        found = np.tile(np.eye(4), (len(self.edges), 1, 1))
        found[:, :3, :3], found[:, :3, 3] = about(self.axes, self.angles(frame)), self.places(frame)
        return found


def swarm(count: int = COUNT, last: int = LAST_FRAME, turns: bool = True, seed: int = SEED) -> Swarm:
    """Random cubes. turns: False for cubes that only glide, each as it lies at frame 1."""
    rng = np.random.default_rng(seed)
    edges = np.rint(64 * rng.uniform(*EDGES, count)) / 64
    middles = ROOM * count ** (1 / 3) * (rng.random((count, 3)) - 0.5)
    speeds, axes = SPEED * rng.standard_normal((count, 3)), rng.standard_normal((count, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    starts, rates = rng.uniform(0.0, 360.0, count), TURN * rng.standard_normal(count)
    return Swarm(edges, middles, speeds, axes, starts, rates if turns else np.zeros(count), last)


def cube(edge: float = 1.0):
    """Its centre is the origin."""
    return shapes.box((-0.5 * edge,) * 3, (0.5 * edge,) * 3)


def about(axes: np.ndarray, degrees: np.ndarray) -> np.ndarray:
    """(n,3,3) rotations about unit vectors (n,3)."""
    angle = np.radians(degrees)[:, None, None]
    along = axes[:, :, None] * axes[:, None, :]
    x, y, z = axes.T
    none = np.zeros(len(axes))
    across = np.array([[none, -z, y], [z, none, -x], [-y, x, none]]).transpose(2, 0, 1)
    return np.cos(angle) * np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * along
