# SPDX-License-Identifier: GPL-3.0-or-later
"""The mean height of a surface over a cell, where it lies over the cell like a roof: each line up meets it once.

What two solids share below or above such a surface is known by that mean alone, however steep the surface is. So only
where surfaces of both come near each other, or fold over, are the bounds of a cell apart. docs/volume.md says why.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..verdicts.closedness import EVEN
from .layers import middle_of, plane_over

CUT_ERROR = 2.0 ** -41      # of the area of a polygon that is cut out of a triangle, by the square of its reach
MEAN_ERROR = 2.0 ** -45      # of a mean, by the heights that it was made of
WEST, EAST, SOUTH, NORTH = range(4)     # of `cell`


@kernel
def find_mean(layers, begin, block, kind, cell, steps):
    """Write steps.mean[block] and steps.error[block] of the rows steps.order[begin:steps.end[block]]; an error of NaN
    where lines up might meet them not at all or more than once.

    kind: closedness of the mesh; cell: (≥ 4,) float64, its borders.
    """
    end = steps.end[block]
    low, high = steps.height[2 * block], steps.height[2 * block + 1]
    steps.error[block] = np.nan
    wound = 0
    for k in range(begin, end):
        wound += layers.sign[steps.order[k]]
    if abs(wound) != 1 or (kind == EVEN and end - begin != 1):
        return
    u, half_u = middle_of(cell[WEST], cell[EAST])
    v, half_v = middle_of(cell[SOUTH], cell[NORTH])
    area = (cell[EAST] - cell[WEST]) * (cell[NORTH] - cell[SOUTH])
    middle = 0.5 * (low + high)
    total, error, bends, first = 0.0, 0.0, 0.0, 0
    for k in range(begin, end):
        t = layers.triangle[steps.order[k]]
        a, b, c = layers.triangles[t, 0], layers.triangles[t, 1], layers.triangles[t, 2]
        turn, height, slope_u, slope_v, off = plane_over(layers.vertices, a, b, c, u, v, half_u, half_v)
        if turn == 0 or turn * first < 0:
            return
        first = turn
        bend = abs(height - middle) + abs(slope_u) * half_u + abs(slope_v) * half_v
        bends += bend
        if end - begin == 1:        # it covers the cell
            total = area * ((height - middle) + 0.5 * (slope_u * ((cell[WEST] - u) + (cell[EAST] - u))
                                                       + slope_v * ((cell[SOUTH] - v) + (cell[NORTH] - v))))
            error = area * off
        else:
            number, reach = cut_out(layers.vertices, a, b, c, u, v, cell, steps.polygon)
            size, moment_u, moment_v = moments(steps.polygon, number)
            total += (height - middle) * size + slope_u * moment_u + slope_v * moment_v
            error += bend * CUT_ERROR * reach * reach + area * off
    steps.mean[block] = middle + total / area
    steps.error[block] = error / area + MEAN_ERROR * (bends + abs(low) + abs(high))


@kernel
def cut_out(vertices, a, b, c, u, v, cell, polygon):
    """(number, reach): polygon[0, :number] is what a cell leaves of a triangle as seen from above, counted from the
    place (u, v); reach: no coordinate of the triangle or the cell is larger."""
    reach = 0.0
    for x in range(2):
        place = u if x == 0 else v
        polygon[0, 0, x] = vertices[a, x] - place
        polygon[0, 1, x] = vertices[b, x] - place
        polygon[0, 2, x] = vertices[c, x] - place
        for k in range(3):
            reach = max(reach, abs(polygon[0, k, x]))
    number = 3
    for border in range(4):
        x = border // 2
        at = cell[border] - (u if x == 0 else v)
        reach = max(reach, abs(at))
        way = 1.0 if border % 2 == 0 else -1.0
        number = cut(polygon, number, x, at, way)
    return number, reach


@kernel
def cut(polygon, number, x, at, way):
    """Take off what of polygon[0, :number] is below `at` along an axis, above it where way is -1.0. Returns how many
    corners are left."""
    kept = 0
    for k in range(number):
        after = k + 1 if k + 1 < number else 0
        here, there = way * (polygon[0, k, x] - at), way * (polygon[0, after, x] - at)
        if here >= 0.0:
            polygon[1, kept, 0] = polygon[0, k, 0]
            polygon[1, kept, 1] = polygon[0, k, 1]
            kept += 1
        if (here < 0.0 < there) or (there < 0.0 < here):
            part = here / (here - there)
            y = 1 - x
            polygon[1, kept, x] = at
            polygon[1, kept, y] = polygon[0, k, y] + part * (polygon[0, after, y] - polygon[0, k, y])
            kept += 1
    for k in range(kept):
        polygon[0, k, 0] = polygon[1, k, 0]
        polygon[0, k, 1] = polygon[1, k, 1]
    return kept


@kernel
def moments(polygon, number):
    """(area, moment along u, along v) of polygon[0, :number]."""
    size, moment_u, moment_v = 0.0, 0.0, 0.0
    for k in range(1, number - 1):
        eu, ev = polygon[0, k, 0] - polygon[0, 0, 0], polygon[0, k, 1] - polygon[0, 0, 1]
        fu, fv = polygon[0, k + 1, 0] - polygon[0, 0, 0], polygon[0, k + 1, 1] - polygon[0, 0, 1]
        part = 0.5 * (eu * fv - ev * fu)
        size += part
        moment_u += part * (polygon[0, 0, 0] + (eu + fu) / 3.0)
        moment_v += part * (polygon[0, 0, 1] + (ev + fv) / 3.0)
    return (size, moment_u, moment_v) if size > 0.0 else (-size, -moment_u, -moment_v)
