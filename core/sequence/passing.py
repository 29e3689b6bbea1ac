# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs that no moment shows to be worse than touching have passed through each other all the same.

Two flat sheets that fly through each other are flush with each other for an instant, and so they touch in every moment
that can be tested. But what slides along something meets it for longer, and what brushes against something for as short
a time is on the same side of it shortly before and shortly after.
"""
import numpy as np

from ..continuous.motions import Movement
from ..pipeline import detect
from .posing import posed
from .stretch import Stretch

SHORTLY = 2.0 ** -8     # of the smaller object's size: so far both go, together, in a short time, whatever the
                        # tolerance is, so that a larger one makes no pair worse
ROOM = 0.5              # of the time between a contact and the frame, which has none


def passed_through(stretch: Stretch, movement: Movement, sides: np.ndarray, places: np.ndarray, meet: np.ndarray,
                   frames: np.ndarray, nothing: np.ndarray) -> np.ndarray:
    """(k,) bool: pairs that meet for a short time only, that no direction keeps apart all the while, and whose nearest
    points are on the other side of each other after they have met than before. True also where that cannot be told, and
    of objects with themselves, of which nobody knows what is nearest.

    sides: positions of a and of b, (2,k); places: (2,k), of these in the movement; meet: (2,k) float64, first and last
    contact, in frames; frames: (2,k), before and after it; nothing: (k,) float64, the depth that is none.
    """
    lasting, (begin, end) = meet[1] - meet[0], frames
    size, speed = movement.sizes(places.ravel()).reshape(2, -1).min(axis=0), movement.motions.speed[places].sum(axis=0)
    way = SHORTLY * size
    passed = lasting * speed <= way * (end - begin)
    a, b = places.astype(np.int32)
    passed[passed] = (a == b)[passed] | ~movement.apart(a[passed], b[passed], nothing[passed])
    rows = np.flatnonzero(passed & (a != b))
    if len(rows) == 0:
        return passed
    begin, end, (first, last) = begin[rows], end[rows], meet[:, rows]
    shortly = (end - begin) * way[rows] / np.maximum(speed[rows], np.finfo(float).tiny)
    before, after = first - np.minimum(shortly, ROOM * (first - begin)), last + np.minimum(shortly, ROOM * (end - last))
    times = (np.stack([before, after]) - begin) / (end - begin)
    scene = posed(stretch, movement, np.tile(sides[:, rows], 2), np.tile(places[:, rows], 2), times.ravel())
    report = detect(scene, pairs=np.arange(len(scene.objects)).reshape(-1, 2), contacts=False,
                    clearance=2.0 * float(way[rows].max()))
    ways, points = np.full((2 * len(rows), 3), np.nan), report.pairs["gap_points"]
    ways[report.pairs["a"] // 2] = points[:, 1] - points[:, 0]
    one, other = ways.reshape(2, -1, 3)
    passed[rows] = ~((one * other).sum(axis=1) > 0.0)        # NaN: they meet there, too
    return passed
