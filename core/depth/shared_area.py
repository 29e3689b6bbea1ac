# SPDX-License-Identifier: GPL-3.0-or-later
"""What two triangles in one plane have in common: a convex polygon, no smaller than it is."""
import math

from ..machine_code.jit import kernel
from .cutting import clip

AREA_MARGIN = 2.0 ** -46    # around what they have in common: more than is rounded where lengths are at most 1
THINNEST = 2.0 ** -20       # twice the area of a triangle as it is seen, relative to the square of its longest edge


@kernel
def shared_area(other, margin, polygons, heights):
    """The number of corners of what the triangle in polygons[0] has in common with another one in its plane, `other`
    (3,3), as far as `margin` around that; they are written to polygons[1]. 0 where that is not known.

    polygons: (2,MOST_CUT_CORNERS,3), heights: (MOST_CUT_CORNERS,) float64.
    """
    x, y = axes_of(polygons[0])
    longest = 0.0
    for i in range(3):
        j = (i + 1) % 3
        dx, dy = other[j, x] - other[i, x], other[j, y] - other[i, y]
        longest = max(longest, dx * dx + dy * dy)
    area = turned(other, 0, 1, other[2], x, y)
    if not abs(area) > THINNEST * longest:
        return 0
    sign = -1.0 if area > 0.0 else 1.0
    count = 3
    for i in range(3):
        j = (i + 1) % 3
        source = polygons[i % 2]
        dx, dy = other[j, x] - other[i, x], other[j, y] - other[i, y]
        over = sign / math.sqrt(dx * dx + dy * dy)
        for c in range(count):
            heights[c] = over * turned(other, i, j, source[c], x, y)
        count = clip(source, count, heights, margin, polygons[1 - i % 2])
    return count


@kernel
def axes_of(corners):
    """The two axes that the plane of a triangle (3,3) is least upright on."""
    most = -1.0
    axis = 0
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        area = abs((corners[1, y] - corners[0, y]) * (corners[2, z] - corners[0, z])
                   - (corners[1, z] - corners[0, z]) * (corners[2, y] - corners[0, y]))
        if area > most:
            most = area
            axis = x
    return (axis + 1) % 3, (axis + 2) % 3


@kernel
def turned(P, i, j, point, x, y):
    """Twice the signed area of P[i], P[j] and a point (3,), as they are seen along two axes."""
    return (P[j, x] - P[i, x]) * (point[y] - P[i, y]) - (P[j, y] - P[i, y]) * (point[x] - P[i, x])
