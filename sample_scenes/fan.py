# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes with the numbers of objects and triangles of table 4-1 (Fan, thesis of 2003, chapter 4), for the method
`parallel`. Its models are not to be had: shapes, motions and so the numbers of contacts are ours.

A scene is (bodies, poses): bodies (vertices (n,3) float64, triangles (m,3) int32) each, poses (bodies,4,4) float64
per step. The same every time.
"""
from functools import partial

import numpy as np

from . import meshes

OBJECTS, TRIANGLES = 15, 28853          # of scene 1
ROOM = 3.4                              # edge of the space of scene 1: some objects meet in each step
PACE = 0.15                             # of its objects, per step, in lengths and in radians
CLOSE = {2: 10000, 3: 20000}            # triangles of scenes 2 and 3, about


def fifteen_objects(steps: int):
    """Scene 1: 15 objects that move at random within a limited space, all pairs tested in each step. Tori, knots and
    shells of a radius of about 1; the last lacks some faces, so that there are as many as in the document."""
    bodies = []
    for i in range(OBJECTS - 1):
        body = (meshes.ring(40, 24, i), meshes.knot(1920, seed=i), meshes.shell(1920, i))[i % 3]
        bodies.append((body[0] / (3.0 if i % 3 == 1 else 1.0), body[1]))
    left = TRIANGLES - sum(len(triangles) for _, triangles in bodies)
    vertices, triangles = meshes.shell(left + 200, OBJECTS)
    bodies.append((vertices, triangles[:left]))
    rng = np.random.default_rng(15)
    pose = meshes.random_poses(OBJECTS, ROOM, rng)
    poses = []
    for _ in range(steps):
        poses.append(pose.copy())
        turn = PACE * rng.standard_normal((OBJECTS, 4)) + (1.0, 0.0, 0.0, 0.0)
        turn = meshes.rotations(turn / np.linalg.norm(turn, axis=1, keepdims=True))
        pose[:, :3, :3] = turn @ pose[:, :3, :3]
        pose[:, :3, 3] = np.clip(pose[:, :3, 3] + PACE * rng.standard_normal((OBJECTS, 3)), 0.0, ROOM)
    return bodies, poses


def close_surfaces(triangles: int, steps: int):
    """Scenes 2 and 3, of about 10,000 and 20,000 triangles: two wavy shells that lie close to each other all over and
    cross along many curves; one turns. The document's times for these scenes are ten to sixty times those of scene 1:
    boxes alone tell little apart."""
    bodies = [meshes.shell(triangles // 2, seed) for seed in (1, 2)]
    poses = []
    for step in range(steps):
        pose = np.tile(np.eye(4), (2, 1, 1))
        pose[1, :3, :3] = meshes.about_y(0.1 * step)
        poses.append(pose)
    return bodies, poses


SCENES = {                              # by number, as in the document
    1: fifteen_objects,
    2: partial(close_surfaces, CLOSE[2]),
    3: partial(close_surfaces, CLOSE[3]),
}
