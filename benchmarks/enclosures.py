# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes of small things inside a large one, which no contact betrays: what does a search for contacts cost, and what
the question whether the things are inside?"""
import numpy as np

from ..sample_scenes import meshes
from .questions import STEPS, Scene

SHELL_TRIANGLES = 20_000
SCAN_TRIANGLES = 200_000
THING = 0.15            # size of a small thing,
LARGE = 1.0             # and of one that is larger than the holes of a leaky room
HOLES = 12
CUBE_TRIANGLES = 32
LENGTH, BORE = 60.0, 3.0        # of the tunnel
REACH = 20.0            # radius of the dome, half the side of the room
STEP_BETWEEN = 1.1      # size of a nested box over that of the next smaller one


def in_a_tunnel(count: int, triangles: int = SHELL_TRIANGLES) -> Scene:
    """A winding tube, open at both ends."""
    along = max(8, round((triangles * 2) ** 0.5))
    around = max(6, round(triangles / 2 / along))
    x, angle = np.meshgrid(np.linspace(-0.5, 0.5, along + 1) * LENGTH, 2 * np.pi * np.arange(around) / around,
                           indexing="ij")
    vertices = np.stack([x, _bend(x) + BORE * np.cos(angle), BORE * np.sin(angle)], axis=-1).reshape(-1, 3)
    grid = meshes.torus_grid(along + 1, around)
    open_ended = np.abs(grid // around - (grid // around)[:, :1]).max(axis=1) <= 1      # not from the last ring on

    def place(rng):
        x = (rng.random(count) - 0.5) * (LENGTH - 2.0)
        turn, away = 2 * np.pi * rng.random(count), (BORE - 0.8) * rng.random(count)
        return np.column_stack([x, _bend(x) + away * np.cos(turn), away * np.sin(turn)])

    return _inside((meshes.single(vertices), grid[open_ended]), count, place)


def _bend(x):
    return 3.0 * np.sin(x / 6.0)


def under_a_dome(count: int, triangles: int = SHELL_TRIANGLES) -> Scene:
    """Half a sphere, open below."""
    vertices, faces = meshes.octasphere(2 * triangles)
    upper = (vertices[faces][:, :, 2] >= 0.0).all(axis=1)

    def place(rng):
        turn, away = 2 * np.pi * rng.random(count), 0.8 * REACH * rng.random(count) ** 0.5
        return np.column_stack([away * np.cos(turn), away * np.sin(turn), 0.5 + 8.0 * rng.random(count)])

    return _inside((meshes.single(REACH * vertices), faces[upper]), count, place)


def in_a_room(count: int, triangles: int = SHELL_TRIANGLES) -> Scene:
    """A closed box."""
    return _inside(box(REACH, triangles), count, lambda rng: (rng.random((count, 3)) - 0.5) * 1.8 * REACH)


def in_a_leaky_room(count: int, triangles: int = SHELL_TRIANGLES) -> Scene:
    """A box that lacks some of its triangles: holes that nothing could leave by. Every thing is asked for by rays."""
    vertices, faces = box(REACH, triangles)
    keep = np.ones(len(faces), bool)
    keep[np.random.default_rng(0).choice(len(faces), HOLES, replace=False)] = False
    return _inside((vertices, faces[keep]), count, lambda rng: (rng.random((count, 3)) - 0.5) * 1.8 * REACH, LARGE)


def on_a_scan(count: int, triangles: int = SCAN_TRIANGLES) -> Scene:
    """Boxes that fall through a scan: uneven ground in triangles that share no vertices, so that each of them is a part
    by itself, some of which are inside a box as a whole."""
    side = max(2, round((triangles / 2) ** 0.5))
    x, y = (each.ravel() for each in np.meshgrid(*[np.linspace(-REACH, REACH, side + 1)] * 2, indexing="ij"))
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    faces = np.concatenate([np.stack([corner, corner + side + 1, corner + side + 2], axis=1),
                            np.stack([corner, corner + side + 2, corner + 1], axis=1)])
    ground = np.stack([x, y, np.sin(x) * np.cos(y)], axis=1)
    vertices = meshes.single(ground)[faces].reshape(-1, 3)
    scan, thing = (vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)), box(1.5 * THING, CUBE_TRIANGLES)
    poses = []
    for step in range(STEPS):
        rng = np.random.default_rng(step)
        poses.append(meshes.random_poses(count, 0.0, rng))
        poses[-1][:, :3, 3] = (rng.random((count, 3)) - 0.5) * (1.8 * REACH, 1.8 * REACH, 4.0)
    return Scene([scan, *[thing] * count], 1, poses)


def at_one_place(count: int) -> Scene:
    """Equal cubes, all at one place, which turn together: every two of them are flush everywhere."""
    poses = [np.tile(np.eye(4), (count, 1, 1)) for _ in range(STEPS)]
    for step, placed in enumerate(poses):
        placed[:, :3, :3] = meshes.about_y(0.1 * step)
    return Scene([box(1.0, CUBE_TRIANGLES)] * count, 0, poses)


def nested(count: int, triangles: int = 200) -> Scene:
    """Closed boxes, each in all larger ones, which all turn a little."""
    poses = [np.tile(np.eye(4), (count, 1, 1)) for _ in range(STEPS)]
    for step, placed in enumerate(poses):
        placed[:, :3, :3] = [meshes.about_y(0.01 * ((step + i) % STEPS)) for i in range(count)]
    return Scene([box(STEP_BETWEEN ** i, triangles) for i in range(count)], 0, poses)


def box(half: float, triangles: int):
    """A cube of this half side, closed, as a subdivided octahedron that was blown up."""
    vertices, faces = meshes.octasphere(triangles)
    return meshes.single(half * vertices / np.abs(vertices).max(axis=1)[:, None]), faces


def _inside(shell, count: int, place, size: float = THING) -> Scene:
    """The shell stands still, bumpy tori of eight shapes and this size are elsewhere in every step. place(rng):
    (count,3)."""
    things = [meshes.ring(6, 4, seed) for seed in range(8)]
    things = [(meshes.single(size * vertices), faces) for vertices, faces in things]
    poses = []
    for step in range(STEPS):
        rng = np.random.default_rng(step)
        poses.append(meshes.random_poses(count, 0.0, rng))
        poses[-1][:, :3, 3] = place(rng)
    return Scene([shell, *(things[i % 8] for i in range(count))], 1, poses)
