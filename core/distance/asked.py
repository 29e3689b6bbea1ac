# SPDX-License-Identifier: GPL-3.0-or-later
"""`Clearance`: which gaps a run asks for. Every object can ask for more than all do; of two the larger wish counts."""
from dataclasses import dataclass

import numpy as np

from ..scene.scene import Layout


@dataclass(frozen=True, eq=False)
class Clearance:
    """How far apart two objects may be and still be near."""

    of_all: float
    own: np.ndarray | None      # (n,) float64 of the tested objects, at least of_all; None: none asks for more

    @classmethod
    def of(cls, length: float, layout: Layout, objects: np.ndarray) -> "Clearance":
        """length: of all, zero or more; objects: (n,) indices."""
        if layout.largest_clearance <= length:
            return cls(float(length), None)
        return cls.wished(length, layout.clearance[objects])

    @classmethod
    def wished(cls, length: float, own: np.ndarray) -> "Clearance":
        """own: (n,) float64, what each object asks for."""
        return cls(float(length), np.maximum(own, length) if (own > length).any() else None)

    @property
    def is_asked(self) -> bool:
        return self.of_all > 0.0 or self.own is not None

    @property
    def shares(self) -> float | np.ndarray:
        """By how much the box of each object, or of all, must grow so that boxes of near pairs overlap."""
        return 0.5 * self.of_all if self.own is None else self.own - 0.5 * self.of_all

    def of_pairs(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(pairs,) float64. a, b: (pairs,) positions in the selection."""
        return np.full(len(a), self.of_all) if self.own is None else np.maximum(self.own[a], self.own[b])
