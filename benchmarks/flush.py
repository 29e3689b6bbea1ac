# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes whose objects touch, or are there twice: nearly every pair of triangles that is found is decided by exact
signs. Peers in single precision find some of them."""
import numpy as np

from ..sample_scenes import meshes
from .enclosures import box
from .questions import STEPS, Scene

BRICK_TRIANGLES = 32
BALL_TRIANGLES = 2000
APART = 1.7             # neighbouring balls of radius 1


def wall(count: int, triangles: int = BRICK_TRIANGLES) -> Scene:
    """Bricks of a wall, each upper one across two lower ones, flush everywhere, which all move by whole numbers."""
    columns = max(1, round(count ** 0.5))
    poses = [np.tile(np.eye(4), (count, 1, 1)) for _ in range(STEPS)]
    for step, placed in enumerate(poses):
        for number in range(count):
            row, column = divmod(number, columns)
            placed[number, :3, 3] = column + 0.5 * (row % 2) + step, 2.0 * step, row
    return Scene([box(0.5, triangles)] * count, 0, poses)


def balls_twice(count: int, triangles: int = BALL_TRIANGLES) -> Scene:
    """Balls that cross their neighbours, each with a copy at its place, all turned otherwise in every step."""
    columns, poses = max(1, round(count ** 0.5)), []
    for step in range(STEPS):
        placed = meshes.random_poses(count, 0.0, np.random.default_rng(step))
        for number in range(count):
            placed[number, :3, 3] = APART * (number % columns), APART * (number // columns), 0.0
        poses.append(np.repeat(placed, 2, axis=0))
    vertices, faces = meshes.octasphere(triangles)
    return Scene([(meshes.single(vertices), faces)] * (2 * count), 0, poses)
