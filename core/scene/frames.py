# SPDX-License-Identifier: GPL-3.0-or-later
"""`Frames`: several frames that are tested at once, in a scene that has each object once for each of them."""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Frames:
    """Which objects are in which frame. Two objects are tested against each other within frames only, and no object
    with itself. Of an object that rests in all frames it is enough to have one, which is then in all of them."""

    rows: np.ndarray            # (frames,n) int64: positions in the selection, ascending in each frame
    rests: np.ndarray           # (frames,n) bool: two objects that rest in a frame are not tested in it
    quantization: np.ndarray    # (4,) float64, of the boxes, see `trees.bvh.forest.quantization_of`

    @property
    def possible_pairs(self) -> int:
        """Of all frames together."""
        frames, objects = self.rows.shape
        return frames * (objects * (objects - 1) // 2)

    @property
    def asked_pairs(self) -> int:
        """Of these, how many have an object that does not rest in the frame."""
        still = np.count_nonzero(self.rests, axis=1)
        return self.possible_pairs - int((still * (still - 1) // 2).sum())
