# SPDX-License-Identifier: GPL-3.0-or-later
"""Generalised winding numbers, triangle by triangle."""
import math

import numpy as np


def by_all_triangles(point, corners) -> float:
    """The solid angles of all triangles (m,3,3), over 4π."""
    angles = []
    for a, b, c in corners - point:
        la, lb, lc = (np.linalg.norm(each) for each in (a, b, c))
        volume = np.dot(a, np.cross(b, c))
        angles.append(2.0 * math.atan2(volume, la * lb * lc + a @ b * lc + b @ c * la + c @ a * lb))
    return math.fsum(angles) / (4.0 * math.pi)
