# SPDX-License-Identifier: GPL-3.0-or-later
"""swarm.blend: cubes that fly through each other at random, after the experiment of the 2014 document."""
import math

import bpy

from . import building
from .swarm import LAST_FRAME, cube, swarm


def build() -> None:
    """Fill the open, empty file."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST_FRAME
    into = building.collection("Swarm", color="COLOR_04")
    shape = building.mesh("Cube", *cube())
    shape.materials.append(building.material("Green", (0.16, 0.45, 0.20)))
    model = swarm()
    for number, edge in enumerate(model.edges.tolist()):
        made = building.add(f"Cube {number + 1:02d}", shape, into, scale=(edge,) * 3)
        made.rotation_mode = "AXIS_ANGLE"
        made.rotation_axis_angle = (0.0, *model.axes[number].tolist())
        for frame in (1, LAST_FRAME):       # steady between them
            made.location = model.places(frame)[number].tolist()
            made.rotation_axis_angle[0] = math.radians(model.angles(frame)[number])
            made.keyframe_insert("location", frame=frame)
            made.keyframe_insert("rotation_axis_angle", index=0, frame=frame)
        building.steady(made)
    scene.frame_set(1)
    building.camera((25.0, -20.0, 14.0), (0.0, 0.0, 0.0), lens=30.0)
    building.sun((40.0, 10.0, -20.0))
