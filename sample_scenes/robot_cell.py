# SPDX-License-Identifier: GPL-3.0-or-later
"""An arm of six joints beside a crate, a post and a cabinet: shapes, joints, its program, and where each link is in any
frame. numpy only. Lengths in metres, angles in degrees.

Each link begins with a drum or a shaft that goes through the end of the link before, so neighbours cross in every
frame; others never meet. The gripper presses into the crate for some frames, passes the post between two frames, and
passes the cabinet at a distance of GAP.
"""
from dataclasses import dataclass

import numpy as np

from . import shapes

FPS, LAST_FRAME = 24, 80
CLEAR = 1 / 64              # what stands is so far above the floor
GAP = 0.005


@dataclass(frozen=True)
class Joint:
    """Where it lies on the link before, and the axis about which it turns: 0, 1, 2 for x, y, z."""

    offset: tuple[float, float, float]
    axis: int


JOINTS = (Joint((0.0, 0.0, 0.30), 2), Joint((0.0, 0.0, 0.30), 1), Joint((0.0, 0.0, 0.60), 1),
          Joint((0.15, 0.0, 0.0), 0), Joint((0.35, 0.0, 0.0), 1), Joint((0.10, 0.0, 0.0), 0))
PROGRAM = {         # frame: angles of all joints; even between them
    1: (0, 0, 0, 0, 0, 0),
    10: (-60, 0, 0, 0, 0, 0),
    20: (-60, 40, 20, 0, 30, 0),        # down into the crate
    24: (-60, 40, 20, 0, 30, 90),
    34: (-60, 0, 0, 0, 0, 90),
    38: (-60, 0, 0, 0, 0, 90),
    44: (60, 0, 0, 0, 0, 90),           # 20° per frame, past the post
    60: (108, 0, 0, 0, 0, 90),          # 3° per frame, along the cabinet
    72: (108, -20, -10, 180, 50, 0),
    80: (40, -10, -20, 180, 30, 0),
}
CRATE_AT, POST_AT, CABINET_AT = -60, 10, 84        # degrees about the axis of the base
ALONG_CABINET = 52                                 # a frame in which the arm points at it


def angles(frame: float) -> list[float]:
    """Of all joints, in degrees."""
    frames = list(PROGRAM)
    return [float(np.interp(frame, frames, each)) for each in zip(*PROGRAM.values())]


def poses(frame: float) -> np.ndarray:
    """(7,4,4): of the base and of the six links."""
    found = [np.eye(4)]
    for joint, angle in zip(JOINTS, angles(frame)):
        here = np.eye(4)
        here[:3, :3], here[:3, 3] = about(joint.axis, angle), joint.offset
        found.append(found[-1] @ here)
    return np.array(found)


def about(axis: int, angle: float) -> np.ndarray:
    """(3,3) rotation about x, y or z."""
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    turned, (i, j) = np.eye(3), ((1, 2), (2, 0), (0, 1))[axis]
    turned[[i, i, j, j], [i, j, i, j]] = cosine, -sine, sine, cosine
    return turned


def drum(radius: float, half: float):
    """About y, through the origin."""
    return shapes.facing_y(shapes.lathe([(radius, -half), (radius, half)], around=24))


def shaft(radius: float, start: float, end: float):
    """Along x."""
    vertices, faces = shapes.lathe([(radius, start), (radius, end)], around=24)
    return vertices[:, [2, 0, 1]], faces


def links() -> list:
    """The base and the six links, each where its own joint is the origin, as shapes."""
    return [
        shapes.lathe([(0.22, CLEAR), (0.22, 0.08), (0.16, 0.12), (0.16, 0.30)]),
        shapes.joined(shapes.lathe([(0.12, -0.02), (0.12, 0.17)]),
                      shapes.box((-0.11, -0.10, 0.16), (0.11, 0.10, 0.40))),
        shapes.joined(drum(0.08, 0.13), shapes.box((-0.06, -0.05, 0.05), (0.06, 0.05, 0.66))),
        shapes.joined(drum(0.05, 0.08), shapes.box((0.03, -0.06, -0.06), (0.15, 0.06, 0.06))),
        shapes.joined(shaft(0.045, -0.03, 0.28), shapes.box((0.27, -0.04, -0.04), (0.39, 0.04, 0.04))),
        shapes.joined(drum(0.03, 0.06), shapes.box((0.02, -0.03, -0.03), (0.10, 0.03, 0.03))),
        shapes.joined(shaft(0.025, -0.02, 0.02), shapes.box((0.015, -0.05, -0.025), (0.05, 0.05, 0.025)),
                      shapes.box((0.045, -0.045, -0.015), (0.16, -0.025, 0.015)),
                      shapes.box((0.045, 0.025, -0.015), (0.16, 0.045, 0.015))),
    ]


def reach() -> float:
    """How far from the axis of the base the arm gets while it moves along the cabinet."""
    placed = [vertices @ pose[:3, :3].T + pose[:3, 3]
              for (vertices, _), pose in zip(links(), poses(ALONG_CABINET))]
    return float(np.linalg.norm(np.concatenate(placed)[:, :2], axis=1).max())


def fixtures() -> dict[str, tuple]:
    """Name → (shape, by how many degrees it is turned about the axis of the base)."""
    front = reach() + GAP
    return {
        "Floor": (shapes.box((-1.5, -1.5, -0.05), (1.5, 1.5, 0.0)), 0),
        "Crate": (shapes.box((0.45, -0.2, CLEAR), (0.85, 0.2, 0.40)), CRATE_AT),
        "Post": (shapes.moved(shapes.lathe([(0.015, CLEAR), (0.015, 1.3)], around=16), (0.69, 0.0, 0.0)), POST_AT),
        "Cabinet": (shapes.box((front, -0.3, CLEAR), (front + 0.3, 0.3, 1.6)), CABINET_AT),
    }
