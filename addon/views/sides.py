# SPDX-License-Identifier: GPL-3.0-or-later
"""From which side to look at places. Nothing here knows Blender."""
from collections.abc import Callable

import numpy as np

ENOUGH = 0.3        # of the places, seen from where one looks now, so that one need not turn: the other half of a curve
# around something is at its back
TURNING = 0.3       # what half a turn costs, in parts of the places
BELOW = 0.3         # what it costs to look from below
SAMPLES = 8         # places that are asked for
AZIMUTHS, ELEVATIONS = 8, (15.0, 40.0, 70.0, 90.0, -25.0)      # of sides to look from; degrees


def samples_of(points: np.ndarray) -> np.ndarray:
    """At most SAMPLES of (n,3) points, evenly spread over their order."""
    chosen = np.linspace(0, len(points) - 1, min(len(points), SAMPLES)).round().astype(int)
    return points[chosen]


def candidates() -> np.ndarray:
    """(k,3): unit vectors from what is looked at to the eye."""
    found = []
    for elevation in np.radians(ELEVATIONS):
        azimuths = np.arange(AZIMUTHS) * 2.0 * np.pi / AZIMUTHS + np.pi / 8 if np.cos(elevation) > 0.01 else np.zeros(1)
        found += [(np.cos(elevation) * np.cos(each), np.cos(elevation) * np.sin(each), np.sin(elevation))
                  for each in azimuths]
    return np.array(found)


def best_side(current: np.ndarray, seen: Callable[[np.ndarray], float], has_time: Callable[[], bool]) -> np.ndarray:
    """(3,): the side to look from, the current one where enough is seen from there.

    current: (3,) unit vector. seen(side): the part of the places that is seen, below 0 where others stand before them.
    Sides that need the smallest turn are asked first; once has_time() is False, the best one so far is taken.
    """
    best, most = current, seen(current)
    if most >= ENOUGH:
        return best
    sides = candidates()
    turn = np.arccos(np.clip(sides @ current, -1.0, 1.0)) / np.pi
    for number in np.argsort(turn, kind="stable"):
        cost = TURNING * turn[number] + BELOW * (sides[number, 2] < 0.0)
        if not has_time() or most >= 1.0 - TURNING * turn[number]:
            break
        worth = seen(sides[number]) - cost
        if worth > most:
            best, most = sides[number], worth
    return best
