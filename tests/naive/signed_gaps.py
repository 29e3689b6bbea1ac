# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts with a tolerance as docs/tolerance.md defines them, from exact depths and gaps in Fractions: the slow oracle
of core/tolerance, for closed solids that do not coincide."""
from fractions import Fraction

import numpy as np
from touchpoint.core import Scene, detect

from .depths import depth_bounds

COLLIDING = ("crossing", "overlap", "contained")


class SignedGap:
    """What is known of a pair: its exact verdict, and two bounds of what a tolerance is held against."""

    def __init__(self, a, b, steps=12):
        """a, b: (vertices (n,3), triangles (m,3)) of closed meshes."""
        scene = Scene()
        for mesh in (a, b):
            scene.add_object(scene.add_mesh(*mesh))
        size = max(float(np.ptp(vertices, axis=0).max()) for vertices, _ in (a, b))
        report = detect(scene, method="exact", clearance=10.0 * size)
        self.exact, self.lower, self.upper = "clear", Fraction(0), Fraction(0)
        if len(report.pairs):
            self.exact = report.verdict(0)
        if self.exact == "near":
            self.exact = "clear"
            self.lower = self.upper = Fraction(float(report.pairs["gap"][0])) ** 2
        elif self.exact in COLLIDING:
            found = [depth_bounds(surface, solid, steps, Fraction(size) ** 2 / 10 ** 4)
                     for surface, solid in ((a, b), (b, a))]
            self.lower, self.upper = (max(each[k] for each in found) for k in (0, 1))

    def allows(self, verdict, tolerance) -> bool:
        """True where a tolerance may give this verdict: both, where it lies between the bounds, or within rounding of
        them."""
        below = Fraction(tolerance * (1.0 + 1e-8)) ** 2
        above = Fraction(tolerance * (1.0 - 1e-8)) ** 2
        may_touch, may_stay = self.lower <= below, self.upper >= above
        return (verdict == "touching" and may_touch) or (verdict == self.exact and may_stay)
