# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes in which objects stand as they do between two frames."""
import numpy as np

from ..continuous.motions import Movement
from ..scene import Scene
from .stretch import Stretch


def posed(stretch: Stretch, movement: Movement, sides: np.ndarray, places: np.ndarray, times: np.ndarray) -> Scene:
    """Two objects for each moment, where they are then; of an object with itself the second one is disabled. sides:
    positions of a and of b, (2,m); places: (2,m), of these in the movement; times: (m,), from 0 to 1 in their
    intervals."""
    positions, places = sides.T.ravel(), places.T.ravel()
    every = np.repeat(times, 2)
    shells = stretch.layout.shell[stretch.objects[positions]].tolist()
    scene, meshes = Scene(), dict[tuple[int, int], int]()
    linear, alone = movement.linear[places], np.zeros(len(places), bool)
    alone[1::2] = places[1::2] == places[::2]
    moved, mesh_of = (~(linear | alone)).nonzero()[0], list[int]()
    for number, (k, position) in enumerate(zip(places.tolist(), positions.tolist())):
        vertices, triangles = stretch.first.vertices[position], stretch.first.triangles[position]
        if alone[number]:
            mesh_of.append(mesh_of[-1])
        elif linear[number]:
            one, other = movement.world_ends(k)
            mesh_of.append(scene.add_mesh((1.0 - every[number]) * one + every[number] * other, triangles))
        else:
            key = id(vertices), id(triangles)   # one for all that share them
            if key not in meshes:
                meshes[key] = scene.add_mesh(vertices, triangles)
            mesh_of.append(meshes[key])
    scene.add_objects(mesh_of, shells)
    scene.set_poses(moved, _poses(movement, places[moved], every[moved]))
    scene.hide(alone.nonzero()[0])
    return scene


def _poses(movement: Movement, objects: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(k,4,4): those of objects that turn, at times from 0 to 1; of others anything. objects: (k,) int64; times: (k,).
    """
    motions, t = movement.motions, times[:, None, None]
    poses, cross = np.zeros((len(objects), 4, 4)), np.zeros((len(objects), 3, 3))
    x, y, z = motions.axis[objects].T
    cross[:, 0, 1], cross[:, 0, 2], cross[:, 1, 2] = -z, y, -x
    cross[:, 1, 0], cross[:, 2, 0], cross[:, 2, 1] = z, -y, x
    angle = t * motions.angle[objects][:, None, None]
    turned = np.eye(3) + np.sin(angle) * cross + 2.0 * np.sin(0.5 * angle) ** 2 * (cross @ cross)
    stretch, origin = motions.stretch[objects], motions.origin[objects]
    poses[:, :3, :3] = motions.rotation[objects] @ turned @ ((1.0 - t) * stretch[:, 0] + t * stretch[:, 1])
    poses[:, :3, 3] = (1.0 - t[:, 0]) * origin[:, 0] + t[:, 0] * origin[:, 1]
    poses[:, 3, 3] = 1.0
    return poses
