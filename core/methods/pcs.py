# SPDX-License-Identifier: GPL-3.0-or-later
"""PCS: the possible collision set, and its pairs in the order in which they may meet soonest (docs/methods/pcs.md).

Luo Guan, Hao Chongyang and Fan Yangyu, "A collision detection method based on possible collision set", Journal of Image
and Graphics 8(9), 2003. Boxes around the ways of objects share tiles of a hash table; of the pairs that come of it only
the one that may meet soonest is tested, and moved on by a proved lower bound of its time.
"""
from collections.abc import Callable

import numpy as np

from ..broad_phase.track_tiles import possible_set
from ..continuous.contacts_between import allowed_pairs, followed_boxes
from ..continuous.interval import interval_stages
from ..continuous.motions import Movement
from ..continuous.soonest_times import soonest_times
from ..method import Method
from ..run import Run


def possible(movement: Movement, allows: Callable | None, run: Run) -> tuple[np.ndarray, np.ndarray]:
    """The possible collision set P (section 1), of which only track boxes that overlap are kept."""
    objects, bounds = followed_boxes(movement)
    a, b = possible_set(bounds, movement.moves[objects], run.tick, lambda tests: run.count(broad_tests=tests))
    a, b = objects[a].astype(np.int32), objects[b].astype(np.int32)
    return allowed_pairs(a, b, np.ones(len(a), bool), allows)


def warm_up(detect):
    """A box that falls onto another one."""
    from ..scene.tiny import falling_box

    detect(falling_box())


METHOD = Method(
    id="pcs",
    title="Possible Collision Set (PCS)",
    document="Luo, Hao, Fan: A Collision Detection Method Based on Possible Collision Set (2003)",
    summary="Boxes around whole ways share tiles; of the pairs that may meet only the soonest is tested, over and over",
    answer="exact",
    needs=("interval",),
    **interval_stages(soonest_times, possible),
    warm_up=warm_up,
)
