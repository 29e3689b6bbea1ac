# SPDX-License-Identifier: GPL-3.0-or-later
"""bullets.blend: thin fast bodies that meet thin things between two frames."""
import math

import bpy

from . import building, bullets
from .expectation import Expected


def build() -> Expected:
    """Fill the open, empty file; returns when each pair first meets. Nothing meets at frame 1."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, bullets.LAST_FRAME
    place_range()
    place_bullets()
    place_rotor()
    scene.frame_set(1)
    building.camera((-2.6, -4.2, 2.2), (0.2, 0.9, 0.0), lens=30.0)
    building.sun((45.0, 15.0, -40.0))
    met = [(each.name, "Wall", each.meets) for each in bullets.BULLETS] + [("Blades", "Pin", bullets.blade_meets())]
    return Expected(first_contacts=sorted(met, key=lambda each: each[2]))


def place_range() -> None:
    still = building.collection("Range", color="COLOR_05")
    building.add("Wall", building.mesh("Wall", *bullets.wall()), still,
                 building.material("Wall", (0.45, 0.42, 0.38)))
    building.add("Pin", building.mesh("Pin", *bullets.pin()), still, building.material("Pin", (0.5, 0.5, 0.52)),
                 location=(0.0, 3.0, 0.0))


def place_bullets() -> None:
    moving = building.collection("Bullets", color="COLOR_03")
    look = building.material("Brass", (0.72, 0.52, 0.18), roughness=0.3)
    for each in bullets.BULLETS:
        made = building.add(each.name, building.mesh(each.name, *bullets.bullet(each)), moving, look,
                            location=(0.0, each.y, 0.0))
        building.animate(made, "location", 0, [each.tip(frame) for frame in range(1, bullets.LAST_FRAME + 1)])


def place_rotor() -> None:
    rotor = building.add("Blades", building.mesh("Blades", *bullets.blades()),
                         building.collection("Rotor", color="COLOR_01"),
                         building.material("Blades", (0.70, 0.12, 0.08), roughness=0.4), location=(0.0, 3.0, 0.0))
    building.animate(rotor, "rotation_euler", 0,
                     [math.radians(bullets.TURN) * frame for frame in range(bullets.LAST_FRAME)])
