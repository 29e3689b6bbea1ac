# SPDX-License-Identifier: GPL-3.0-or-later
"""A ball that is pushed onto a 30° ramp and flies off, after the first experiment of 2003. Geometry and motion, numpy
only.

The ball rests, is pushed until it reaches the ramp, slows down on it, flies, bounces, and rolls until it rests again.
On its way to the end of the ramp it stays `RIDE` above floor and ramp; where it comes down it presses `PRESS` deep into
the floor, each time in a whole frame, and so it does where it rolls out. Lengths in metres, angles in radians, frames
at `FPS`: the step of the experiment.
"""
from dataclasses import dataclass

import numpy as np

from .dominoes import GRAVITY, PRESS, RADIUS, RAMP_END, RAMP_START, RIDE, SLOPE
from .shapes import ball

FPS, LANDING_FRAME, LAST_FRAME = 100, 320, 700
START, SPEED = -14.0, 8.75          # where the ball rests, and its speed at the foot of the ramp
BOUNCE, KEPT = 0.5, 0.8             # parts of the speed upward and along the floor that a bounce leaves
SHORTEST_HOP = 8                    # frames: after that it rolls
FRICTION = 1.0                      # m/s², of what rolls out


LANDED = 4                          # the station at which the ball comes down


@dataclass(frozen=True, eq=False)
class Motion:
    """Row k belongs to frame k + 1."""

    ball: np.ndarray            # (LAST_FRAME, 3) centre
    angle: np.ndarray           # (LAST_FRAME,) turn about y
    contacts: list              # [(name, name, frame of first contact)]


def globe():
    """The ball: vertices (n,3), faces."""
    return ball(RADIUS, 32, 16)


def motion() -> Motion:
    """The whole animation, one row per frame."""
    stations = way()
    times = stations[LANDED].time + (np.arange(1, LAST_FRAME + 1) - LANDING_FRAME) / FPS
    x, z, rolled = np.array([place(t, stations) for t in times]).T
    centres = np.column_stack([x, np.zeros(len(x)), z])
    return Motion(centres, rolled / RADIUS, [("Ball", "Floor", landing(centres, rolled / RADIUS))])


@dataclass(frozen=True)
class Station:
    """What begins at a time: at a place, with a speed, under an acceleration, both (x, z). spin: speed at which the
    ball's surface turns, and how that changes."""

    time: float
    place: tuple[float, float]
    speed: tuple[float, float]
    acceleration: tuple[float, float]
    rolled: float               # how far the surface has turned by then
    spin: tuple[float, float]


def place(t: float, stations: list[Station]) -> tuple[float, float, float]:
    """x, z and how far the surface has turned."""
    at = [each for each in stations if each.time <= t][-1]
    past = t - at.time
    x, z = (p + v * past + a / 2 * past ** 2 for p, v, a in zip(at.place, at.speed, at.acceleration))
    return x, z, at.rolled + at.spin[0] * past + at.spin[1] / 2 * past ** 2


def way() -> list[Station]:
    """The ball's stations, from time 0, at which it is pushed."""
    height = RADIUS + RIDE
    up = np.array([np.cos(SLOPE), np.sin(SLOPE)])
    foot = np.array([RAMP_START - height * np.tan(SLOPE / 2), height])      # the rolling centre turns upward there
    top = np.array([RAMP_END, (RAMP_END - RAMP_START) * np.tan(SLOPE)])
    leave = top + height * np.array([-np.sin(SLOPE), np.cos(SLOPE)])        # square above the ramp's upper edge
    push = SPEED ** 2 / (2 * (foot[0] - START))
    braking = 5 / 7 * GRAVITY * np.sin(SLOPE)                               # a rolling ball on a slope
    slide = np.hypot(*(leave - foot))
    edge_speed = np.sqrt(SPEED ** 2 - 2 * braking * slide)
    at_foot = SPEED / push
    at_edge = at_foot + (SPEED - edge_speed) / braking
    rolled = foot[0] - START
    stations = [Station(-10.0, (START, height), (0.0, 0.0), (0.0, 0.0), 0.0, (0.0, 0.0)),
                Station(0.0, (START, height), (0.0, 0.0), (push, 0.0), 0.0, (0.0, push)),
                Station(at_foot, tuple(foot), tuple(SPEED * up), tuple(-braking * up), rolled, (SPEED, -braking))]
    return stations + flight(at_edge, leave, edge_speed * up, rolled + slide, edge_speed)


def flight(time: float, at: np.ndarray, speed: np.ndarray, rolled: float, spin: float) -> list[Station]:
    """From the end of the ramp on: hops, then rolling out."""
    low, stations = RADIUS - PRESS, []
    while True:
        stations.append(Station(time, tuple(at), tuple(speed), (0.0, -GRAVITY), rolled, (spin, 0.0)))
        hop = (speed[1] + np.sqrt(speed[1] ** 2 + 2 * GRAVITY * (at[1] - low))) / GRAVITY
        time, rolled = time + hop, rolled + spin * hop
        at = np.array([at[0] + speed[0] * hop, low])
        frames = int(2 * BOUNCE * (GRAVITY * hop - speed[1]) / GRAVITY * FPS)       # of the next hop, whole ones
        speed = np.array([KEPT * speed[0], frames / FPS * GRAVITY / 2])
        spin = speed[0]
        if frames < SHORTEST_HOP:
            break
    rest = speed[0] / FRICTION
    out = speed[0] * rest / 2
    return [*stations, Station(time, tuple(at), (speed[0], 0.0), (-FRICTION, 0.0), rolled, (spin, -FRICTION)),
            Station(time + rest, (at[0] + out, low), (0.0, 0.0), (0.0, 0.0), rolled + out, (0.0, 0.0))]


def landing(centres: np.ndarray, angles: np.ndarray) -> float:
    """The frame at which a corner of the ball first reaches the floor; between frames all is linear."""
    x, _, z = globe()[0].T
    frames = np.arange(1, LAST_FRAME + 1)

    def height(frame: float) -> float:
        angle = np.interp(frame, frames, angles)
        return np.interp(frame, frames, centres[:, 2]) + (np.cos(angle) * z - np.sin(angle) * x).min()

    late = next(frame for frame in frames.tolist() if height(frame) <= 0.0)
    early, late = late - 1.0, float(late)
    for _ in range(50):
        middle = (early + late) / 2
        early, late = (early, middle) if height(middle) <= 0.0 else (middle, late)
    return late
