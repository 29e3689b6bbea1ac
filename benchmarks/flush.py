# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes whose objects touch, or are there twice: nearly every pair of triangles that is found is decided by exact
signs. Peers in single precision find some of them."""
import numpy as np

from ..sample_scenes import meshes
from .enclosures import box
from .questions import STEPS, Scene

BRICK_TRIANGLES = 32
BALL_TRIANGLES = 2000
GAP = 1e-6              # of a box on a slope, more than roundings
APART = 1.7             # neighbouring balls of radius 1
PUSHED = 1.0 - 2.0 ** -5    # neighbouring bricks of size 1 that are pushed into each other


def wall(count: int, triangles: int = BRICK_TRIANGLES, apart: float = 1.0) -> Scene:
    """Bricks of a wall, each upper one across two lower ones, flush everywhere, which all move by whole numbers. apart:
    less than 1 where they are pushed into each other along the wall and upwards."""
    columns = max(1, round(count ** 0.5))
    poses = [np.tile(np.eye(4), (count, 1, 1)) for _ in range(STEPS)]
    for step, placed in enumerate(poses):
        for number in range(count):
            row, column = divmod(number, columns)
            placed[number, :3, 3] = apart * (column + 0.5 * (row % 2)) + step, 2.0 * step, apart * row
    return Scene([box(0.5, triangles)] * count, 0, poses)


def on_a_slope(count: int) -> Scene:
    """Boxes that stand on a slope and slide along it. Their poses are rounded, so that some stand above it by less than
    any coordinate can tell, and some reach into it as far."""
    columns, poses = max(1, round(count ** 0.5)), []
    slope = meshes.about_y(np.radians(17.0))
    (stone, faces), (table, large_faces) = box(0.5, BRICK_TRIANGLES), box(0.5, BRICK_TRIANGLES)
    for step in range(STEPS):
        placed = np.tile(np.eye(4), (1 + count, 1, 1))
        places = np.array([(2.0 * (number % columns) + 0.1 * step, 2.0 * (number // columns), 0.5)
                           for number in range(count)])
        placed[1:, :3, :3], placed[1:, :3, 3] = slope, (places - (columns, columns, 0.0)) @ slope.T
        poses.append(placed)
    large = (table * (4.0 * columns, 4.0 * columns, 1.0) - (0.0, 0.0, 0.5)) @ slope.T
    return Scene([(large, large_faces), *[(stone, faces)] * count], 0, poses, GAP)


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
