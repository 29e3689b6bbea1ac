# SPDX-License-Identifier: GPL-3.0-or-later
"""robot_cell.blend: an arm whose links hang on empties, one per joint."""
import math

import bpy

from . import building, robot_cell

PAINT, GREY = (0.85, 0.42, 0.08), (0.28, 0.29, 0.30)
LOOKS = {"Floor": (0.33, 0.38, 0.40), "Crate": (0.55, 0.38, 0.20), "Post": (0.75, 0.62, 0.10),
         "Cabinet": (0.45, 0.50, 0.55)}


def build() -> None:
    """Fill the open, empty file."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = robot_cell.FPS, 1, robot_cell.LAST_FRAME
    still = building.collection("Cell", color="COLOR_05")
    for name, (shape, turn) in robot_cell.fixtures().items():
        building.add(name, building.mesh(name, *shape), still, building.material(name, LOOKS[name]),
                     turn=(0.0, 0.0, turn))
    place_arm(building.collection("Arm", color="COLOR_02"))
    scene.frame_set(1)
    building.camera((2.6, -2.9, 2.2), (0.15, 0.0, 0.65), lens=32.0)
    building.sun((45.0, 15.0, 40.0))


def place_arm(into) -> None:
    """A mesh per link, the child of an empty, which is the child of the one before."""
    parent = building.add("Robot", None, into)
    for number, shape in enumerate(robot_cell.links()):
        if number:
            parent = joint(number, parent, into)
        name = f"Link {number}" if number else "Base"
        look = building.material("Paint", PAINT, 0.4) if number % 2 else building.material("Steel", GREY, 0.4)
        building.add(name, building.mesh(name, *shape), into, look).parent = parent


def joint(number: int, parent, into):
    """An empty that turns as the program says."""
    each = robot_cell.JOINTS[number - 1]
    made = building.add(f"Joint {number}", None, into, location=each.offset)
    made.empty_display_size, made.parent = 0.1, parent
    building.animate(made, "rotation_euler", each.axis,
                     [math.radians(robot_cell.angles(frame)[number - 1])
                      for frame in range(1, robot_cell.LAST_FRAME + 1)])
    return made
