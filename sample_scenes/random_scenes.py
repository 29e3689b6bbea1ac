# SPDX-License-Identifier: GPL-3.0-or-later
"""fifteen_objects.blend, close_shells.blend, equal_tori.blend, mixed_tori.blend: scenes of the benchmarks as files.

Nothing in them is placed on purpose, so no expectation is noted here: `judged.py` asks rational arithmetic.
"""
import colorsys

import bpy
from mathutils import Matrix

from . import building, fan, tori

STEPS = 24                          # of the thesis' scenes, one per frame
TORI = 100


def fifteen_objects() -> None:
    """Scene 1 of the thesis of 2003, a frame per step."""
    move(*fan.fifteen_objects(STEPS), [f"Object {i + 1:02d}" for i in range(fan.OBJECTS)])
    building.camera((8.5, -7.0, 6.0), (1.7, 1.7, 1.6), lens=45.0)
    building.sun((40.0, 10.0, -20.0))


def close_shells() -> None:
    """Scene 2 of the thesis of 2003, a frame per step."""
    move(*fan.close_surfaces(fan.CLOSE[2], STEPS), ["Resting Shell", "Turning Shell"])
    building.camera((3.2, -3.4, 1.9), (0.0, 0.0, 0.0), lens=50.0)
    building.sun((40.0, 10.0, -20.0))


def equal_tori() -> None:
    """A hundred tori of one shape and size."""
    place_tori(mixed=False)


def mixed_tori() -> None:
    """A hundred tori of eight shapes and of very different sizes."""
    place_tori(mixed=True)


def move(bodies, poses, names: list[str]) -> None:
    """One object per body, at one pose of poses (steps, bodies, 4, 4) in each frame."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, len(poses)
    into = building.collection("Objects", color="COLOR_05")
    for i, (name, body) in enumerate(zip(names, bodies)):
        piece = building.add(name, building.mesh(name, *body), into, shade(name, i / len(names)))
        places, turns, _ = zip(*(Matrix(step[i]).decompose() for step in poses))
        for before, turn in zip(turns, turns[1:]):
            turn.make_compatible(before)        # or the object would spin between two frames
        piece.rotation_mode = "QUATERNION"
        for path, values in (("location", places), ("rotation_quaternion", turns)):
            for axis in range(len(values[0])):
                building.animate(piece, path, axis, [value[axis] for value in values])
    scene.frame_set(1)


def place_tori(mixed: bool) -> None:
    """Objects that share the meshes of their shapes, as the first step has them."""
    into = building.collection("Tori", color="COLOR_05")
    shapes = [building.mesh(f"Torus {number}", *shape) for number, shape in enumerate(tori.shapes(mixed), 1)]
    for number, shape in enumerate(shapes):
        shape.materials.append(shade(shape.name, number / len(shapes)))
    for i, pose in enumerate(tori.poses(TORI, mixed, 0)):
        torus = building.add(f"Torus {i + 1:03d}", shapes[i % len(shapes)], into)
        torus.rotation_mode = "QUATERNION"
        torus.location, torus.rotation_quaternion, torus.scale = Matrix(pose).decompose()
    edge = tori.ROOM * TORI ** (1 / 3)
    building.camera((2.6 * edge, -1.9 * edge, 1.9 * edge), (edge / 2, edge / 2, edge / 2), lens=50.0)
    building.sun((40.0, 10.0, -20.0))


def shade(name: str, hue: float):
    """A quiet colour of its own."""
    return building.material(name, colorsys.hsv_to_rgb(hue, 0.45, 0.6))
