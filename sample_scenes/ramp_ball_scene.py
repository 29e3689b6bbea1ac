# SPDX-License-Identifier: GPL-3.0-or-later
"""ramp_ball.blend: a ball pushed onto a ramp, animated with one key per hundredth of a second."""
import bpy

from . import building, dominoes, ramp_ball
from .expectation import Expected


def build() -> Expected:
    """Fill the open, empty file; returns what touches at frame 1, and when the ball first meets the floor."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = ramp_ball.FPS, 1, ramp_ball.LAST_FRAME
    move = ramp_ball.motion()
    ground = building.collection("Ground", color="COLOR_05")
    building.add("Floor", building.mesh("Floor", *dominoes.floor()), ground,
                 building.material("Floor", (0.33, 0.38, 0.40)))
    building.add("Ramp", building.mesh("Ramp", *dominoes.ramp()), ground,
                 building.material("Ramp", (0.62, 0.42, 0.22)))
    moving = building.collection("Ball", color="COLOR_01")
    ball = building.add("Ball", building.mesh("Ball", *ramp_ball.globe()), moving,
                        building.material("Ball", (0.70, 0.12, 0.08), roughness=0.3))
    for axis in range(3):
        building.animate(ball, "location", axis, move.ball[:, axis])
    building.animate(ball, "rotation_euler", 1, move.angle)
    scene.frame_set(1)
    building.camera((-14.0, -20.0, 7.0), (-3.0, 0.0, 0.5), lens=28.0)
    building.sun((45.0, 15.0, -40.0))
    expect = Expected(first_contacts=move.contacts)
    expect.touches("Floor", "Ramp")
    return expect
