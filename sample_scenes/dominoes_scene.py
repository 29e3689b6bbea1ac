# SPDX-License-Identifier: GPL-3.0-or-later
"""dominoes.blend: the row of dominoes, the ball and the ramp, animated with one key per frame."""
import bpy

from . import building, dominoes, shapes
from .expectation import Expected

IVORY, EBONY = (0.85, 0.80, 0.68), (0.08, 0.07, 0.07)


def build() -> Expected:
    """Fill the open, empty file; returns what touches at frame 1, and when each pair first meets."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = dominoes.FPS, 1, dominoes.LAST_FRAME
    move = dominoes.motion()
    place_ground()
    place_dominoes(move.angles)
    place_ball(move.ball, move.ball_angle)
    scene.frame_set(1)
    building.camera((-20.0, -22.0, 11.5), (1.2, 0.0, 0.2), lens=31.0)
    building.sun((45.0, 15.0, -40.0))
    expect = Expected(first_contacts=move.contacts)
    expect.touches("Floor", "Ramp", *dominoes.domino_names())
    return expect


def place_ground() -> None:
    ground = building.collection("Ground", color="COLOR_05")
    building.add("Floor", building.mesh("Floor", *dominoes.floor()), ground,
                 building.material("Floor", (0.33, 0.38, 0.40)))
    building.add("Ramp", building.mesh("Ramp", *dominoes.ramp()), ground,
                 building.material("Ramp", (0.62, 0.42, 0.22)))


def place_dominoes(angles) -> None:
    row = building.collection("Dominoes", color="COLOR_04")
    looks = building.material("Ivory", IVORY), building.material("Ebony", EBONY)
    pieces = [building.mesh(look.name, *dominoes.domino()) for look in looks]
    names, offsets = dominoes.domino_names(), dominoes.domino_offsets()
    for i, name in enumerate(names):
        piece = building.add(name, pieces[i % 2], row, looks[i % 2], location=(i * dominoes.SPACING, offsets[i], 0.0))
        building.animate(piece, "rotation_euler", 1, angles[:, i])


def place_ball(centres, turns) -> None:
    moving = building.collection("Ball", color="COLOR_01")
    ball = building.add("Ball", building.mesh("Ball", *shapes.ball(dominoes.RADIUS, 64, 32), smooth=True), moving,
                        building.material("Ball", (0.70, 0.12, 0.08), roughness=0.3))
    for axis in range(3):
        building.animate(ball, "location", axis, centres[:, axis])
    building.animate(ball, "rotation_euler", 1, turns)
