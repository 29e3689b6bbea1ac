# SPDX-License-Identifier: GPL-3.0-or-later
"""Four scenes with the numbers of triangles of table 3-1 (Fan, thesis of 2003, chapter 3), for the method `stream`. Its
models are not to be had: shapes, numbers of objects, motions and so the numbers of contacts are ours.

A scene is (bodies, poses): bodies (vertices (n,3) float64, triangles (m,3) int32) each, poses (bodies,4,4) float64
per step. The same every time. Where the number of triangles is odd, or no mesh of ours has so many, the last body lacks
some faces.
"""
import numpy as np

from . import meshes
from .hand import hand

TRIANGLES = {1: 21_292, 2: 18_217, 3: 40_419, 4: 18_378}
PARTS = 2           # of the hand's cells in scene 2
OBJECTS = 12        # around it
KNOT = 9_200        # triangles of the first knot of scene 4, about


def scene(number: int, steps: int):
    """Scene 1, two balls that cross: convex, so that RECODE can be asked. 2: a hand that goes through objects. 3: two
    wavy shells that nearly coincide. 4: two knots that are linked and cross."""
    return SCENES[number](TRIANGLES[number], steps)


def balls(triangles: int, steps: int):
    """Two balls that cross, of so many triangles together; one goes away from the other, and turns."""
    bodies = [meshes.octasphere(triangles // 2), ball(triangles - len(meshes.octasphere(triangles // 2)[1]))]
    return [(meshes.single(vertices), faces) for vertices, faces in bodies], _moved(2, steps, (1.2, 0.2, 0.1), 0.09)


def _hand_and_objects(triangles: int, steps: int):
    rng = np.random.default_rng(4)
    bodies = [hand(PARTS)]
    left = triangles - len(bodies[0][1])
    for i in range(OBJECTS):
        share = left // OBJECTS if i < OBJECTS - 1 else left - (OBJECTS - 1) * (left // OBJECTS)
        vertices, faces = ball(share)
        angle = 2.0 * np.pi * i / OBJECTS
        place = np.array([0.8 * np.cos(angle), 0.1 * rng.standard_normal(), 1.1 * np.sin(angle)])
        bodies.append((meshes.single(0.25 * vertices * rng.uniform(0.6, 1.2, 3) + place), faces))
    poses = np.tile(np.eye(4), (steps, len(bodies), 1, 1))
    for step in range(steps):
        poses[step, 0, :3, :3] = meshes.about_y(0.05 * step)
    return bodies, list(poses)


def _shells(triangles: int, steps: int):
    first = meshes.shell(triangles // 2, 1)
    left = triangles - len(first[1])
    vertices, faces = meshes.shell(_enough(left), 2)
    return [first, (vertices, faces[:left])], _moved(2, steps, (0.0, 0.0, 0.0), 0.1)


def _knots(triangles: int, steps: int):
    first = meshes.knot(KNOT, seed=1)
    left = triangles - len(first[1])
    vertices, faces = meshes.knot(KNOT + 400, seed=2)
    return [first, (vertices, faces[:left])], _moved(2, steps, (0.7, 0.3, 0.2), 0.1)


def ball(triangles: int):
    """The unit sphere of exactly so many triangles: it lacks some where no octahedron gives them."""
    vertices, faces = meshes.octasphere(_enough(triangles))
    return vertices, faces[:triangles]


def _enough(triangles: int) -> int:
    """The least number of triangles of a subdivided octahedron that is not smaller."""
    return 8 * int(np.ceil((triangles / 8) ** 0.5)) ** 2


def _moved(bodies: int, steps: int, place: tuple, turn: float) -> list[np.ndarray]:
    """Poses where the last body stands at `place`, a little farther and turned by `turn` more in each step."""
    poses = np.tile(np.eye(4), (steps, bodies, 1, 1))
    for step in range(steps):
        poses[step, -1, :3, :3] = meshes.about_y(turn * (1 + step))
        poses[step, -1, :3, 3] = np.multiply(place, 1.0 + 0.02 * step)
    return list(poses)


SCENES = {1: balls, 2: _hand_and_objects, 3: _shells, 4: _knots}
