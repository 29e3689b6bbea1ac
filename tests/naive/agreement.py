# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fast answer is allowed to differ in from the exact one: one rounding and 1e-12 of the triangle's size."""
from fractions import Fraction
from math import isqrt

import numpy as np
from touchpoint.core.contacts import AREA
from touchpoint.core.reference import SharedPart
from touchpoint.core.reference.triangle_pair import DISJOINT

RELATIVE = 1e-12


def allowance(a, b, exact_points: np.ndarray) -> np.ndarray:
    """How far each coordinate may be off: 1e-12 of the larger triangle, plus the spacing of floats at the answer."""
    size = max(np.ptp(a, axis=0).max(), np.ptp(b, axis=0).max())
    return RELATIVE * size + np.spacing(np.abs(exact_points))


def point_problem(a, b, shared: SharedPart, points: np.ndarray) -> str:
    """Empty where the points (2,3) stand for the shared part as `Contacts.point` promises, else what is wrong."""
    if shared.kind == DISJOINT:
        return "" if np.isnan(points).all() else "points where there is nothing"
    corners = np.array([[float(value) for value in corner] for corner in shared.corners])
    tolerance = allowance(a, b, corners)
    at = [np.flatnonzero((np.abs(corners - point) <= tolerance).all(axis=1)) for point in points]
    if not all(map(len, at)):
        return f"{points.tolist()} are not corners of {corners.tolist()}"
    if shared.kind == AREA:
        return "" if as_far_apart(points, corners, tolerance) else "not the farthest corners"
    reached = {index for found in at for index in found}
    return "" if len(reached) == len(corners) else f"{points.tolist()} is only one end of {corners.tolist()}"


def as_far_apart(points, corners, tolerance) -> bool:
    size = max(np.abs(corners - corners[0]).max(), tolerance.max())
    longest = max(np.linalg.norm((p - q) / size) for p in corners for q in corners)
    return np.linalg.norm((points[0] - points[1]) / size) >= longest - 4 * tolerance.max() / size


def square_root(squared: Fraction) -> float:
    """Of a rational number of any size, to the last bit or the one before."""
    shift = 64 - (squared.numerator.bit_length() - squared.denominator.bit_length()) // 2
    whole = isqrt(squared.numerator * 4 ** max(shift, 0) // (squared.denominator * 4 ** max(-shift, 0)))
    return float(Fraction(whole * 2 ** max(-shift, 0), 2 ** max(shift, 0)))
