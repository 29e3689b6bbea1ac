# SPDX-License-Identifier: GPL-3.0-or-later
"""`Found`: what one frame adds to what a sweep says."""
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..report import Report
from .numbered import Normals

if TYPE_CHECKING:
    from .between import Between


@dataclass(eq=False)
class Found:
    """A frame that was tested. It can be pickled, once `normals` are Stored; objects by their indices in the scene."""

    frame: float
    report: Report              # of the pairs that were tested
    numbers: np.ndarray         # (n,) int64: of the scene's objects, see `moment.Names`
    names: int                  # how many numbers there are
    rests: np.ndarray           # (n,) bool: objects of which a pair of two was not tested
    rules: np.ndarray           # (k,) int32: the rule that concerns each pair of the report, or NO_RULE
    normals: Normals
    between: "Between | None" = None      # since the frame before


@dataclass(frozen=True)
class Repeated:
    """A frame in which nothing is different from the frame before."""

    frame: float


@dataclass(frozen=True)
class Nothing:
    """A frame that has nothing to test."""

    frame: float
    reason: str


Step = Found | Repeated | Nothing
