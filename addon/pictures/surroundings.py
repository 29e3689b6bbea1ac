# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the tested objects are drawn around a pair."""
from collections.abc import Iterable

import numpy as np

MOST_SURROUNDING_TRIANGLES = 4_000_000      # of all that is drawn: more would take seconds on most graphics cards


def drawn_around(boxes: np.ndarray, triangles: np.ndarray, centre: np.ndarray,
                 own: Iterable[int]) -> tuple[np.ndarray, float]:
    """(k,) int64, the objects to draw: the pair's own, then the others, the nearest first, as many as
    MOST_SURROUNDING_TRIANGLES allow with them; and how far all of them reach from the centre.

    boxes: (n,6) world boxes; an object whose box is not finite is not drawn. triangles: (n,) of each object. own:
    indices of the pair's objects.
    """
    low, high = boxes[:, :3], boxes[:, 3:]
    away = np.linalg.norm(np.maximum(np.maximum(low - centre, centre - high), 0.0), axis=1)
    away[list(own)] = -1.0
    order = np.argsort(away, kind="stable")
    order = order[np.isfinite(boxes[order]).all(axis=1)]
    fits = (np.cumsum(triangles[order]) <= MOST_SURROUNDING_TRIANGLES) | (away[order] < 0.0)
    chosen = order[fits]
    reach = np.linalg.norm(np.maximum(np.abs(low[chosen] - centre), np.abs(high[chosen] - centre)), axis=1)
    return chosen, float(reach.max(initial=0.0))
