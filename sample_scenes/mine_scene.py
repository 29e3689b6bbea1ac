# SPDX-License-Identifier: GPL-3.0-or-later
"""mine.blend: the mine with 100 fragments, each body an object of its own."""
import numpy as np

from . import building
from .mine import mine

FRAGMENTS = 100
COLORS = {"Stratum 1 Ground": (0.25, 0.36, 0.14), "Stratum 2 Clay": (0.55, 0.33, 0.18),
          "Stratum 3 Sandstone": (0.72, 0.58, 0.36), "Stratum 4 Shale": (0.30, 0.31, 0.36),
          "Stratum 5 Limestone": (0.66, 0.65, 0.60), "Tunnel": (0.45, 0.48, 0.50)}


def build() -> None:
    """Fill the open, empty file."""
    scene = mine(FRAGMENTS)
    rock, loose = building.collection("Mine", color="COLOR_06"), building.collection("Fragments", color="COLOR_02")
    for body in scene.static:
        look = building.material(body.name, COLORS[body.name], roughness=0.9)
        building.add(body.name, building.mesh(body.name, body.vertices, body.triangles), rock, look)
    look = building.material("Fragment", (0.58, 0.22, 0.10), roughness=0.9)
    for body, location, quaternion in zip(scene.fragments, *scene.placements()):
        fragment = building.add(body.name, building.mesh(body.name, body.vertices, body.triangles), loose, look,
                                location=location)
        fragment.rotation_mode = "QUATERNION"
        fragment.rotation_quaternion = np.asarray(quaternion, float)
    building.camera((-70.0, -140.0, -6.0), (-2.0, 0.0, -22.0), lens=42.0, distance=600.0)
    building.sun((40.0, 10.0, -50.0))
