# SPDX-License-Identifier: GPL-3.0-or-later
"""The two scenes of chapter 2 (Fan, thesis of 2003), for the methods that draw: 130 objects that move at random, and a
hand that moves among objects. Its models are not to be had: shapes and motions are ours, and so is what meets.

A scene is (bodies, fixed, poses): bodies (vertices (n,3) float64, triangles (m,3) int32) each, of which the first
`fixed` stay, and poses (moving,4,4) float64 per step. The same every time.
"""
import numpy as np

from . import meshes
from .hand import hand

MOVING = 130
ROOM = 2.1              # edge of the cube per object: each meets about one other
PACE = 0.1              # of the objects, per step, in lengths and in radians
AROUND = 24             # objects around the hand
REACH = 1.6             # radius of the ring that they stand in, and that the hand goes along
TURNS = 0.02            # of the ring that the hand goes per step


def moving_objects(triangles: int, steps: int):
    """130 objects of about so many triangles each, two convex ones and a torus in turn."""
    bodies = [_object(i, triangles) for i in range(MOVING)]
    rng = np.random.default_rng(2)
    room = ROOM * MOVING ** (1 / 3)
    pose = meshes.random_poses(MOVING, room, rng)
    poses = []
    for _ in range(steps):
        poses.append(pose.copy())
        turn = PACE * rng.standard_normal((MOVING, 4)) + (1.0, 0.0, 0.0, 0.0)
        turn = meshes.rotations(turn / np.linalg.norm(turn, axis=1, keepdims=True))
        pose[:, :3, :3] = turn @ pose[:, :3, :3]
        pose[:, :3, 3] = np.clip(pose[:, :3, 3] + PACE * rng.standard_normal((MOVING, 3)), 0.0, room)
    return bodies, 0, poses


def hand_among_objects(parts: int, steps: int):
    """A hand of 1,524 · parts² triangles that goes around, among objects that stay."""
    rng = np.random.default_rng(3)
    bodies = []
    for i, pose in enumerate(meshes.random_poses(AROUND, 0.0, rng)):
        vertices, triangles = _object(i, 96 * parts ** 2)
        angle = 2.0 * np.pi * i / AROUND
        middle = np.array([REACH * np.cos(angle), REACH * np.sin(angle), 0.6 * rng.standard_normal()])
        bodies.append((meshes.single(0.35 * vertices @ pose[:3, :3].T + middle), triangles))
    poses = np.tile(np.eye(4), (steps, 1, 1, 1))
    for step, pose in enumerate(poses[:, 0]):
        angle = 2.0 * np.pi * TURNS * step
        pose[:3, :3] = meshes.about_y(3.0 * angle)
        pose[:3, 3] = REACH * np.cos(angle), REACH * np.sin(angle), 0.0
    return [*bodies, hand(parts)], AROUND, list(poses)


def _object(number: int, triangles: int):
    """A ball with three radii, or each third time a torus."""
    rng = np.random.default_rng(number)
    if number % 3 < 2:
        vertices, faces = meshes.octasphere(triangles)
        return meshes.single(vertices * rng.uniform(0.5, 1.0, 3)), faces
    across = max(4, round((triangles / 4) ** 0.5))
    around = max(6, round(triangles / 2 / across))
    u, v = 2 * np.pi * np.arange(around)[:, None] / around, 2 * np.pi * np.arange(across) / across
    thick = rng.uniform(0.2, 0.35)
    vertices = np.stack([(0.65 + thick * np.cos(v)) * np.cos(u), (0.65 + thick * np.cos(v)) * np.sin(u),
                         thick * np.sin(v) + 0.0 * u], axis=-1)
    return meshes.single(vertices.reshape(-1, 3)), meshes.torus_grid(around, across)
