# SPDX-License-Identifier: GPL-3.0-or-later
"""Twenty dominoes and a ball on a 30° ramp, after the two experiments of 2003. Geometry and motion, numpy only.

The ball rolls to the ramp, flies off it and knocks the first domino over; each domino knocks over the next one.
A domino turns about its lower front edge, so that edge stays on the floor exactly. Whoever pushes presses
`PRESS` deep into what it pushes: the pair crosses from its first contact on, and never only by rounding.
Lengths in metres, angles in radians, frames at `FPS`.
"""
from dataclasses import dataclass

import numpy as np

from .shapes import box

COUNT, SPACING = 20, 1.0
THICK, WIDE, HIGH = 0.25, 1.0, 2.0
PRESS = 1 / 256
RIDE = 1 / 256                      # the ball stays this far above floor and ramp
RADIUS = 0.5
SLOPE, RAMP_START, RAMP_END = np.radians(30.0), -9.0, -6.0
BALL_START, BALL_SPEED = -14.0, 8.75
GRAVITY = 9.81
FPS, BLOW_FRAME, LAST_FRAME = 25, 58, 200     # the blow: the ball has pressed into the first domino
LAID_FLAT = np.radians(89.9)        # the last domino stops a little above the floor
PASSED_ON = 0.95                    # part of the angular speed that the next domino takes over
SUBSTEPS = 400                      # of the small simulation, per frame

PUSH_ANGLE = np.arcsin((SPACING - THICK + PRESS) / HIGH)        # has pressed into its upright neighbour and moves it


@dataclass(frozen=True, eq=False)
class Motion:
    """Row k belongs to frame k + 1."""

    angles: np.ndarray          # (LAST_FRAME, COUNT) lean of each domino, 0 = upright
    ball: np.ndarray            # (LAST_FRAME, 3) centre
    ball_angle: np.ndarray      # (LAST_FRAME,) turn about y
    contacts: list              # [(name, name, frame of first contact)], in the order in which they happen


def domino_names() -> list[str]:
    return [f"Domino {i + 1:02d}" for i in range(COUNT)]


def domino_offsets(seed: int = 0) -> np.ndarray:
    """(COUNT,) sideways offsets, as set up by hand: multiples of 1/64 m, so that no two side faces are coplanar."""
    steps = np.random.default_rng(seed).permutation(COUNT)
    return (steps - COUNT // 2) / 64


def domino():
    """A box that stands on the origin with its lower front edge: vertices (8,3), quads (6,4)."""
    return box((-THICK, -WIDE / 2, 0.0), (0.0, WIDE / 2, HIGH))


def ramp():
    """A wedge whose upper face climbs at 30° along x: vertices (6,3), faces (list of 3 and 4 corners)."""
    top = (RAMP_END - RAMP_START) * np.tan(SLOPE)
    outline = [(RAMP_START, 0.0), (RAMP_END, 0.0), (RAMP_END, top)]
    vertices = [(x, y, z) for y in (-1.5, 1.5) for x, z in outline]
    return np.array(vertices), [(0, 1, 2), (5, 4, 3), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)]


def floor():
    """A slab whose upper face is z = 0."""
    return box((-16.0, -4.0, -0.5), (24.0, 4.0, 0.0))


def motion() -> Motion:
    """The whole animation, one row per frame."""
    ball, ball_angle = ball_path()
    angles = np.array([chain(front, lean) for front, lean in front_path()])
    names = ["Ball", *domino_names()]
    contacts = [(names[0], names[1], first_positive(lambda f: between(ball[:, 0], f) + RADIUS + THICK))]
    for i in range(COUNT - 1):
        contacts.append((names[i + 1], names[i + 2], first_positive(
            lambda f: pressed(between(angles[:, i], f), between(angles[:, i + 1], f)))))       # noqa: B023
    return Motion(angles, ball, ball_angle, contacts)


def between(rows: np.ndarray, frame: float) -> float:
    """The value at a frame, linear between the rows."""
    return float(np.interp(frame, np.arange(1, LAST_FRAME + 1), rows))


def pressed(lean, ahead):
    """How deep the upper front edge of a domino that leans by `lean` stands behind the back of the next one."""
    return HIGH * np.sin(lean - ahead) - SPACING * np.cos(ahead) + THICK


def first_positive(depth) -> float:
    """The time at which a depth becomes positive, by bisection between the frames around it."""
    late: float = next(frame for frame in range(1, LAST_FRAME + 1) if depth(frame) > 0)
    early = late - 1.0
    for _ in range(50):
        middle = (early + late) / 2
        early, late = (early, middle) if depth(middle) > 0 else (middle, late)
    return late


def chain(front: int, lean: float) -> np.ndarray:
    """(COUNT,) leans when domino `front` leans so far: each one before it rests, top edge first, on its successor."""
    angles = np.zeros(COUNT)
    angles[front] = lean
    for i in range(front - 1, -1, -1):
        ahead = angles[i + 1]
        angles[i] = ahead + np.arcsin((SPACING * np.cos(ahead) - THICK + PRESS) / HIGH)
    return angles


def front_path(fps: int = FPS, blow: int = BLOW_FRAME, last: int = LAST_FRAME) -> list[tuple[int, float]]:
    """Per frame, at so many per second: which domino is the foremost that moves, and its lean. A bar that tips over its
    lower edge from the frame `blow` on."""
    step, front, lean, speed = 1 / (FPS * SUBSTEPS), 0, 0.0, 2.0
    path = []
    for frame in range(1, last + 1):
        path.append((front, lean))
        for _ in range(FPS * SUBSTEPS // fps if frame >= blow else 0):
            speed += step * 1.5 * GRAVITY * (HIGH * np.sin(lean) - THICK * np.cos(lean)) / (HIGH ** 2 + THICK ** 2)
            lean += step * speed
            if front < COUNT - 1 and lean >= PUSH_ANGLE:
                front, lean, speed = front + 1, 0.0, PASSED_ON * speed
            elif lean >= LAID_FLAT:
                lean, speed = LAID_FLAT, 0.0
    return path


def ball_path():
    """Centre (n,3) and turn (n,) per frame: at rest, rolling, up the ramp, in flight, thrown back by domino 1."""
    height = RADIUS + RIDE
    foot = RAMP_START - height * np.tan(SLOPE / 2)      # where the rolling centre turns upward
    # The centre leaves the ramp square above its upper edge.
    edge = np.array([RAMP_END, (RAMP_END - RAMP_START) * np.tan(SLOPE)])
    leave = edge + height * np.array([-np.sin(SLOPE), np.cos(SLOPE)])
    slide = np.hypot(*(leave - (foot, height)))
    braking = 5 / 7 * GRAVITY * np.sin(SLOPE)           # a rolling ball on a slope
    speed = np.sqrt(BALL_SPEED ** 2 - 2 * braking * slide)
    at_foot = (foot - BALL_START) / BALL_SPEED
    at_edge = at_foot + (BALL_SPEED - speed) / braking
    level, blow = speed * np.cos(SLOPE), PRESS - THICK - RADIUS
    at_blow = at_edge + (blow - leave[0]) / level

    def place(t):
        if t <= at_foot:
            return BALL_START + BALL_SPEED * max(t, 0.0), height
        if t <= at_edge:
            way = BALL_SPEED * (t - at_foot) - braking / 2 * (t - at_foot) ** 2
            return foot + way * np.cos(SLOPE), height + way * np.sin(SLOPE)
        flight = min(t, at_blow) - at_edge
        z = leave[1] + speed * np.sin(SLOPE) * flight - GRAVITY / 2 * flight ** 2
        if t <= at_blow:
            return leave[0] + level * flight, z
        return rebound(t - at_blow, blow, z, speed * np.sin(SLOPE) - GRAVITY * flight, height)

    times = at_blow + (np.arange(1, LAST_FRAME + 1) - BLOW_FRAME) / FPS
    path = np.array([place(t) for t in times])
    turn = np.concatenate([[0.0], np.cumsum(np.diff(path[:, 0]))]) / RADIUS
    centres = np.column_stack([path[:, 0], np.zeros(len(path)), path[:, 1]])
    return centres, turn


def rebound(t: float, x: float, z: float, rise: float, height: float):
    """Where the ball is t seconds after the blow: thrown back, bouncing, rolling out."""
    while True:
        landing = (rise + np.sqrt(rise ** 2 + 2 * GRAVITY * (z - height))) / GRAVITY
        if t < landing or landing < 0.05:
            break
        t, x, z, rise = t - landing, x - 1.2 * landing, height, 0.45 * (GRAVITY * landing - rise)
    rolled = min(t, 1.2) if landing < 0.05 else t
    slowed = 0.5 * rolled ** 2 if landing < 0.05 else 0.0
    return x - 1.2 * rolled + slowed, max(height, z + rise * t - GRAVITY / 2 * t ** 2)
