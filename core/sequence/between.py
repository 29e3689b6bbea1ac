# SPDX-License-Identifier: GPL-3.0-or-later
"""`Between`: what happens between two frames. `stretch.py` finds it, `moments.py` says how pairs stand meanwhile."""
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..findings import Findings
from ..rules.outcome import TAKEN_DTYPE
from .numbered import Normals


@dataclass(eq=False)
class Between:
    """Pairs whose surfaces meet between two frames and do not meet in one of these, or in neither, and those that are
    worse between them than in both. Objects by their indices in the scene of the later frame, a < b; times are frames.
    """

    a: np.ndarray               # (k,) int64
    b: np.ndarray               # (k,) int64
    start: np.ndarray           # (k,) float64: the first contact; NaN: they met in the frame before
    end: np.ndarray             # (k,) float64: the last contact; NaN: they meet in the frame after
    tolerance: float            # the surfaces are no farther apart at these times, a length
    lost: np.ndarray            # (m,) int64: objects that could not be followed
    turned: np.ndarray          # (m,) int64: objects that turn so far that it is not certain which way round
    carried: np.ndarray         # (m,) int64: objects of which it is not certain whether they went straight
    passing: Findings | None = None     # pairs that are worse than in either frame, as in the worst moment sampled
    moments: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))   # of these: since when they are not clear,
                                                # when they meet, NaN: never, the worst moment,
    rules: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))    # and which rule concerns it, or NO_RULE
    normals: Normals | None = None                # of these pairs in that moment
    near: "NearTimes | None" = None               # None: no clearance is asked for
    taken: np.ndarray = field(default_factory=lambda: np.zeros(0, TAKEN_DTYPE))     # pairs that a rule takes away, each
                                                # as in the deepest moment sampled
    renamed: np.ndarray | None = None   # (n,) int64: the numbers that the scene's objects had in the frame before,
                                        # UNNUMBERED where they had none; None where all have the same ones


class NearTimes(NamedTuple):
    """Pairs that come within their clearance, or leave it; objects and times as in Between."""

    a: np.ndarray               # (k,) int64
    b: np.ndarray               # (k,) int64
    start: np.ndarray           # (k,) float64; NaN: they were near, or met, in the frame before
    end: np.ndarray             # (k,) float64; NaN: they are in the frame after
    slack: float                # nowhere between the frames are pairs nearer than is said by more than this, a length
