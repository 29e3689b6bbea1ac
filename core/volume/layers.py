# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles lie over each cell of a grid, between which heights, and where the cell's centre line meets them.

Coordinates are (u, v, height): the grid lies in u and v. Cells are open: what lies on a border belongs to neither side.
docs/volume.md has the bounds of rounding, and why the signs of a closed mesh add up whatever rounding does.
"""
import numpy as np

from ..machine_code.jit import kernel

FLAT_ENOUGH = 2.0 ** -20    # of the products that a normal's height is made of: below it, the slope is not trusted
SLOPE_ERROR = 2.0 ** -29    # of a slope that is trusted, by the sizes of what it was made of
EDGE_ERROR = 2.0 ** -48     # of the side of an edge that a place is on, by the sizes of its products
HEIGHT_ERROR = 2.0 ** -50   # of a height, by its size


@kernel
def cover(vertices, triangles, across, up, top, first, last, filling, layers):
    """Count the rows of each cell in layers.start[cell + 1], or, `filling`, write them at layers.start[cell]++.

    vertices: (n,3) float64; triangles: (m,3) int32; across, up: (k+1,) float64, borders of cells in u and v. top: what
    is nowhere below this height is left out. Rows of cells from first to last - 1; cell 0 is the first of row `first`.
    """
    columns = across.shape[0] - 1
    step_u = (across[columns] - across[0]) / columns
    step_v = (up[columns] - up[0]) / columns
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if min(vertices[a, 2], min(vertices[b, 2], vertices[c, 2])) >= top:
            continue
        low_u = min(vertices[a, 0], min(vertices[b, 0], vertices[c, 0]))
        high_u = max(vertices[a, 0], max(vertices[b, 0], vertices[c, 0]))
        low_v = min(vertices[a, 1], min(vertices[b, 1], vertices[c, 1]))
        high_v = max(vertices[a, 1], max(vertices[b, 1], vertices[c, 1]))
        if low_u >= across[columns] or high_u <= across[0] or low_v >= up[last] or high_v <= up[first]:
            continue
        for row in range(max(first, cell_of(low_v, up, step_v) - 1), min(last, cell_of(high_v, up, step_v) + 2)):
            if low_v >= up[row + 1] or high_v <= up[row]:
                continue
            for column in range(max(0, cell_of(low_u, across, step_u) - 1),
                                min(columns, cell_of(high_u, across, step_u) + 2)):
                if low_u >= across[column + 1] or high_u <= across[column]:
                    continue
                if not meets(vertices, a, b, c, across, up, column, row):
                    continue
                cell = (row - first) * columns + column
                if filling:
                    write(vertices, t, a, b, c, across, up, column, row, layers, layers.start[cell])
                    layers.start[cell] += 1
                else:
                    layers.start[cell + 1] += 1


@kernel
def cell_of(place, borders, step):
    """Which cell a place is in, up to one."""
    last = borders.shape[0] - 2
    return np.int64(max(0.0, min(float(last), np.floor((place - borders[0]) / step))))


@kernel
def meets(vertices, a, b, c, across, up, column, row):
    """False only where an edge of the triangle has all of it on one side and the cell on the other."""
    turn = ((vertices[b, 0] - vertices[a, 0]) * (vertices[c, 1] - vertices[a, 1])
            - (vertices[b, 1] - vertices[a, 1]) * (vertices[c, 0] - vertices[a, 0]))
    size = (abs(vertices[b, 0] - vertices[a, 0]) * abs(vertices[c, 1] - vertices[a, 1])
            + abs(vertices[b, 1] - vertices[a, 1]) * abs(vertices[c, 0] - vertices[a, 0]))
    if abs(turn) <= FLAT_ENOUGH * size:
        return True
    left = 1.0 if turn > 0.0 else -1.0
    return not (beyond(vertices, a, b, left, across, up, column, row)
                or beyond(vertices, b, c, left, across, up, column, row)
                or beyond(vertices, c, a, left, across, up, column, row))


@kernel
def beyond(vertices, p, q, left, across, up, column, row):
    """True where the cell lies to the right of the edge from p to q; left: -1.0 for to the left of it."""
    along_u = vertices[q, 0] - vertices[p, 0]
    along_v = vertices[q, 1] - vertices[p, 1]
    u, half_u = middle_of(across[column], across[column + 1])
    v, half_v = middle_of(up[row], up[row + 1])
    off_u = u - vertices[p, 0]
    off_v = v - vertices[p, 1]
    side = left * (along_u * off_v - along_v * off_u)
    size = abs(along_u) * (abs(off_v) + half_v) + abs(along_v) * (abs(off_u) + half_u)
    return side + abs(along_u) * half_v + abs(along_v) * half_u < -EDGE_ERROR * size


@kernel
def middle_of(low, high):
    """A place between two borders, and how far the farther one is from it."""
    middle = 0.5 * (low + high)
    return middle, max(middle - low, high - middle)


@kernel
def plane_over(vertices, a, b, c, u, v, half_u, half_v):
    """(turn, height, slope along u, along v, error) of a triangle's plane over a place (u, v). turn: 1 or -1, the way
    in which its corners go round as seen from above; 0 where it is upright or has no area, nothing else is known then.
    error: how far heights are off by these numbers, up to half_u and half_v from the place."""
    eu, ev, eh = vertices[b, 0] - vertices[a, 0], vertices[b, 1] - vertices[a, 1], vertices[b, 2] - vertices[a, 2]
    fu, fv, fh = vertices[c, 0] - vertices[a, 0], vertices[c, 1] - vertices[a, 1], vertices[c, 2] - vertices[a, 2]
    normal = eu * fv - ev * fu
    if abs(normal) <= FLAT_ENOUGH * (abs(eu * fv) + abs(ev * fu)):
        return 0, 0.0, 0.0, 0.0, 0.0
    slope_u = (eh * fv - ev * fh) / normal
    slope_v = (eu * fh - eh * fu) / normal
    size_u = (abs(eh * fv) + abs(ev * fh)) / abs(normal)
    size_v = (abs(eu * fh) + abs(eh * fu)) / abs(normal)
    off_u = u - vertices[a, 0]
    off_v = v - vertices[a, 1]
    height = vertices[a, 2] + slope_u * off_u + slope_v * off_v
    error = (SLOPE_ERROR * (size_u * (abs(off_u) + half_u) + size_v * (abs(off_v) + half_v))
             + HEIGHT_ERROR * (abs(vertices[a, 2]) + abs(height)))
    return 1 if normal > 0.0 else -1, height, slope_u, slope_v, error


@kernel
def write(vertices, t, a, b, c, across, up, column, row, layers, at):
    """Write a row: where the triangle is over the cell, and where the centre line meets it."""
    lowest = min(vertices[a, 2], min(vertices[b, 2], vertices[c, 2]))
    highest = max(vertices[a, 2], max(vertices[b, 2], vertices[c, 2]))
    u, half_u = middle_of(across[column], across[column + 1])
    v, half_v = middle_of(up[row], up[row + 1])
    layers.triangle[at] = t
    layers.sign[at] = (passes(vertices, a, b, u, v) + passes(vertices, b, c, u, v) + passes(vertices, c, a, u, v))
    turn, height, slope_u, slope_v, error = plane_over(vertices, a, b, c, u, v, half_u, half_v)
    if turn == 0:       # upright, or without area: all of its heights
        layers.low[at] = lowest
        layers.high[at] = highest
        layers.hit[at] = 0.5 * (lowest + highest)
        return
    reach = abs(slope_u) * half_u + abs(slope_v) * half_v + error
    layers.low[at] = min(highest, max(lowest, height - reach))
    layers.high[at] = max(lowest, min(highest, height + reach))
    layers.hit[at] = min(highest, max(lowest, height))


@kernel
def passes(vertices, p, q, u, v):
    """What the edge from p to q adds to the sign of its triangle: 1 or -1 where it passes a place (u, v) upwards or
    downwards on its right, else 0. Rounded alike for both directions, so in a closed mesh it adds up to 0."""
    rises = vertices[q, 1] > v
    if (vertices[p, 1] > v) == rises:
        return 0
    low, high = (p, q) if rises else (q, p)
    part = (v - vertices[low, 1]) / (vertices[high, 1] - vertices[low, 1])
    place = vertices[low, 0] + part * (vertices[high, 0] - vertices[low, 0])
    if place <= u:
        return 0
    return 1 if rises else -1
