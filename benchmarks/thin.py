# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes of long thin things that stand askew: boxes along the axes hold little of what they are around."""
import numpy as np

from ..sample_scenes import meshes
from .enclosures import box
from .questions import STEPS, Scene

BEAM_TRIANGLES = 32
BALL_TRIANGLES = 10_000
LENGTH, WIDTH = 40.0, 0.04      # of a beam,
NEEDLE = 4.0, 0.02              # and of a needle; the ball has radius 1
BAR, BAR_SIDES, BAR_ROOM = (10.0, 0.2), 200, 4.0
WALLS, WALL, BETWEEN = 10, (60.0, 0.2, 12.0), 8.0     # how many, of which size, how far from each other
ROOM = 20.0                     # that beams are in the middle of
REACH = 1.0                     # and needles


def beams(count: int) -> Scene:
    """Long thin boxes at random, elsewhere in every step; few of them meet."""
    stick = _stick(LENGTH, WIDTH)
    return Scene([stick] * count, 0, [meshes.random_poses(count, ROOM, np.random.default_rng(step))
                                      for step in range(STEPS)])


def bars(count: int) -> Scene:
    """Round bars of triangles that all go from one end to the other, elsewhere in every step: a bundle in which most
    pass each other closely."""
    angle = 2 * np.pi * np.arange(BAR_SIDES) / BAR_SIDES
    ring = BAR[1] * np.stack([0 * angle, np.cos(angle), np.sin(angle)], axis=1)
    vertices = np.concatenate([ring - (0.5 * BAR[0], 0.0, 0.0), ring + (0.5 * BAR[0], 0.0, 0.0)])
    k, after = np.arange(BAR_SIDES), (np.arange(BAR_SIDES) + 1) % BAR_SIDES
    fan = np.stack([np.zeros(BAR_SIDES - 2, int), k[2:], k[1:-1]], axis=1)
    faces = np.concatenate([np.stack([k, after, BAR_SIDES + after], axis=1),
                            np.stack([k, BAR_SIDES + after, BAR_SIDES + k], axis=1), fan, BAR_SIDES + fan[:, ::-1]])
    bar = meshes.single(vertices), faces.astype(np.int32)
    return Scene([bar] * count, 0, [meshes.random_poses(count, BAR_ROOM, np.random.default_rng(step))
                                    for step in range(STEPS)])


def needles(count: int) -> Scene:
    """Long thin boxes through a ball that stands still."""
    vertices, faces = meshes.octasphere(BALL_TRIANGLES)
    poses = []
    for step in range(STEPS):
        poses.append(meshes.random_poses(count, REACH, np.random.default_rng(step)))
        poses[-1][:, :3, 3] -= 0.5 * REACH
    return Scene([(meshes.single(vertices), faces), *[_stick(*NEEDLE)] * count], 1, poses)


def walls(count: int) -> Scene:
    """Walls of a building that stands askew, and so many things between and in them, elsewhere in every step."""
    (brick, faces), turned = box(0.5, BEAM_TRIANGLES), meshes.random_poses(1, 0.0, np.random.default_rng(1))[0, :3, :3]
    bodies = [(meshes.single((brick * WALL + (0.0, BETWEEN * number, 0.0)) @ turned.T), faces.copy())
              for number in range(WALLS)]
    things = [meshes.ring(16, 8, seed) for seed in range(4)]
    poses = []
    for step in range(STEPS):
        rng = np.random.default_rng(step)
        poses.append(meshes.random_poses(count, 0.0, rng))
        places = rng.random((count, 3)) * (WALL[0], BETWEEN * WALLS, WALL[2]) - (0.5 * WALL[0], 0.0, 0.5 * WALL[2])
        poses[-1][:, :3, 3] = places @ turned.T
    return Scene([*bodies, *(things[number % 4] for number in range(count))], WALLS, poses)


def _stick(length: float, width: float):
    vertices, faces = box(0.5, BEAM_TRIANGLES)
    return meshes.single(vertices * (length, width, width)), faces
