# SPDX-License-Identifier: GPL-3.0-or-later
"""The openings of meshes that are not closed: is a thing inside such a mesh shut in, or could it leave?

A mesh is taken apart into sheets: triangles that are connected across edges which exactly two triangles have. A sheet
with a border parts nothing from anything, as its two sides meet around the border. So it is taken away; what had it as
a neighbour may have a border now, and goes next. A mesh that vanishes in this way is a surface. Of a closed room with a
shelf in it the shelf vanishes, and the room stays. docs/decisions/0010 says what follows from it.
"""
from dataclasses import dataclass, field

import numpy as np

from ..geometry.placed import placed_vertices
from ..radix_sort import order_of
from .closedness import number_positions
from .components import components, join_components

MOST_SHEETS = 64        # of a mesh, and most openings at a time; with more, triangles lie about
MOST_WIDTHS = 1024      # that are remembered: one per turn or stretch of the mesh,
MOST_LIDS = 64          # and boxes of lids: some per pose
EVERYWHERE = np.array([[-np.inf] * 3 + [np.inf] * 3])


@dataclass(frozen=True, eq=False)
class Sheets:
    """The seams of a mesh: its edges that one triangle has, or more than two, and the sheets that meet there."""

    points: np.ndarray          # (n,3) float64, local: where seams end
    ends: np.ndarray            # (seams,2) int32, into points
    seam: np.ndarray            # (wings,) int32: a triangle at a seam, given by the seam,
    sheet: np.ndarray           # (wings,) int32: the sheet that the triangle is in,
    turned: np.ndarray          # (wings,) bool: and whether it has the seam the other way round
    count: int                  # of the sheets
    rim: np.ndarray             # (edges,2,3) float64, local: edges that triangles have more often one way round than
                                # the other, so many times as they have, turned that way
    rim_order: np.ndarray       # (edges,) int64: rows of `rim`, those that hang together after one another,
    rim_start: np.ndarray       # (parts,) int64: and where each such part begins in there
    widths: dict[bytes, float] = field(default_factory=dict)    # of exits, by the matrix of a pose
    lids: dict[bytes, np.ndarray] = field(default_factory=dict)     # by a pose


def sheets_of(vertices: np.ndarray, triangles: np.ndarray) -> Sheets:
    """Of a mesh: vertices (n,3) float64, triangles (m,3) int32. Vertices at one position count as one."""
    number = np.empty(len(vertices), np.int32)
    table = np.full(4 << len(vertices).bit_length(), -1, np.int32)
    positions = number_positions((vertices + 0.0).view(np.uint64), table, number)       # + 0.0: -0 is 0
    corners = number[triangles]
    following = corners[:, [1, 2, 0]]
    corners, following = (each[(corners != following).all(axis=1)] for each in (corners, following))
    low, high = np.minimum(corners, following).ravel(), np.maximum(corners, following).ravel()
    keys = np.empty((2, len(low)), np.int64)
    keys[0] = low.astype(np.int64) * positions + high
    order = order_of(keys, (positions * positions).bit_length())
    low, high = low[order], high[order]
    begin = np.flatnonzero(np.r_[True, (low[1:] != low[:-1]) | (high[1:] != high[:-1])][:len(low)])
    count = np.diff(np.r_[begin, len(low)])
    triangle = order // 3
    sheet, sheets = _connected(triangle[begin[count == 2]], triangle[begin[count == 2] + 1], len(corners))
    seams = np.flatnonzero(count != 2)
    at_seam = np.repeat(count != 2, count)
    used, ends = np.unique(np.stack([low[begin[seams]], high[begin[seams]]], axis=1), return_inverse=True)
    where = np.empty((positions, 3))
    where[number] = vertices
    backward = (corners > following).ravel()[order]
    net = np.add.reduceat(1 - 2 * backward.astype(np.int64), begin) if len(begin) else begin
    rim = np.repeat(np.stack([low[begin], high[begin]], axis=1), np.abs(net), axis=0)
    rim[np.repeat(net < 0, np.abs(net))] = rim[np.repeat(net < 0, np.abs(net)), ::-1]
    part = components(np.ascontiguousarray(rim[:, [0, 1, 1]]), positions)[1]
    rim_order = np.argsort(part, kind="stable")
    return Sheets(where[used], ends.reshape(-1, 2).astype(np.int32),
                  np.repeat(np.arange(len(seams), dtype=np.int32), count[seams]), sheet[triangle[at_seam]],
                  backward[at_seam], sheets, where[rim], rim_order,
                  np.flatnonzero(np.diff(part[rim_order], prepend=-1)))


def _connected(one: np.ndarray, other: np.ndarray, triangles: int) -> tuple[np.ndarray, int]:
    """The sheet of each triangle (m,) int32, and how many there are, where triangles one[k] and other[k] are in one."""
    root = np.arange(triangles, dtype=np.int32)
    join_components(np.stack([one, other, other], axis=1), root)
    while (root[root] != root).any():
        root = root[root]
    first, sheet = np.unique(root, return_inverse=True)
    return sheet.astype(np.int32), len(first)


def lids(sheets: Sheets, pose: np.ndarray) -> np.ndarray:
    """(n,6) float64, lo x y z hi x y z: boxes in the world within which the rim of a mesh can be shut, by triangles
    from one of its corners: one for each part of the rim, as these begin where they end. One box that holds everything
    where there are many. pose: (3,4) float64."""
    if len(sheets.rim_start) > MOST_SHEETS:
        return EVERYWHERE
    key = pose.tobytes()
    if key not in sheets.lids:
        if len(sheets.lids) >= MOST_LIDS:
            sheets.lids.clear()
        ends = placed_vertices(sheets.rim[sheets.rim_order].reshape(-1, 3), pose)
        sheets.lids[key] = np.hstack([edge(ends, 2 * sheets.rim_start)
                                      for edge in (np.minimum.reduceat, np.maximum.reduceat)])
    return sheets.lids[key]


def exit_width(sheets: Sheets, matrix: np.ndarray) -> float:
    """How wide a ball may be, in world units, that can leave a mesh by its openings; 0 where it is a shell, or has so
    many sheets that nobody can say.

    An opening is a connected piece of border. One of area A and length L holds a disc of diameter 2 A / L, where it is
    flat and convex. From A the areas of other openings are taken that are nearer than the diameter, and their lengths
    are added to L: two half shells whose rims almost meet let nothing out. The sheets at the widest opening are
    taken away, and so on until nothing is left: then the width is that of the narrowest of those openings.

    matrix: (3,3) float64, of the pose.
    """
    if not 0 < sheets.count <= MOST_SHEETS:
        return 0.0
    key = matrix.tobytes()
    if key not in sheets.widths:
        if len(sheets.widths) >= MOST_WIDTHS:
            sheets.widths.clear()
        sheets.widths[key] = _exit_width(sheets, sheets.points @ matrix.T)
    return sheets.widths[key]


def _exit_width(sheets: Sheets, points: np.ndarray) -> float:
    points = points - (0.5 * points.min(axis=0) + 0.5 * points.max(axis=0)) if len(points) else points
    exponent = int(np.frexp(np.abs(points).max(initial=0.0))[1])
    points = np.ldexp(points, -exponent)                # areas are in range of numbers about 1
    left, width = np.ones(sheets.count, bool), np.inf
    while left.any():
        rows = np.flatnonzero(left[sheets.sheet])
        border = rows[np.bincount(sheets.seam[rows], minlength=len(sheets.ends))[sheets.seam[rows]] == 1]
        ends = sheets.ends[sheets.seam[border]]
        ends = np.where(sheets.turned[border, None], ends[:, ::-1], ends)
        opening = components(np.ascontiguousarray(ends[:, [0, 1, 1]]), len(points))[1]
        found = int(opening.max(initial=-1)) + 1
        if not 0 < found <= MOST_SHEETS:
            return 0.0
        widths = _widths(*_measured(points, ends, opening, found))
        widest = int(np.argmax(widths))
        width = min(width, widths[widest])
        if width <= 0.0:
            return 0.0
        left[sheets.sheet[border[opening == widest]]] = False
    return float(np.ldexp(width, exponent))


def _measured(points: np.ndarray, ends: np.ndarray, opening: np.ndarray,
              count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Area and length (count,) of openings, and their boxes (count,6). What does not close is closed by ways to the
    middle of the ends. ends: (k,2) int32, turned as triangles have them; opening: (k,) int32."""
    order = np.argsort(opening, kind="stable")
    ends, opening = ends[order], opening[order]
    first = np.searchsorted(opening, np.arange(count))
    begin, end = points[ends[:, 0]], points[ends[:, 1]]
    edges = np.diff(np.r_[first, len(ends)])
    middle = np.add.reduceat(0.5 * (begin + end), first) / edges[:, None]
    crossed = np.cross(begin - middle[opening], end - middle[opening])
    area = 0.5 * np.linalg.norm(np.add.reduceat(crossed, first), axis=1)
    length = np.add.reduceat(np.linalg.norm(end - begin, axis=1), first)
    loose = np.abs(np.bincount(ends[:, 0], minlength=len(points)) - np.bincount(ends[:, 1], minlength=len(points)))
    of_point = np.zeros(len(points), np.int32)
    of_point[ends] = opening[:, None]
    here = np.flatnonzero(loose)
    ways = loose[here] * np.linalg.norm(points[here] - middle[of_point[here]], axis=1)
    length += np.bincount(of_point[here], ways, minlength=count)
    low, high = np.minimum(begin, end), np.maximum(begin, end)
    return area, length, np.hstack([np.minimum.reduceat(low, first), np.maximum.reduceat(high, first)])


def _widths(area: np.ndarray, length: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """(n,) float64: the largest diameter that fits each opening; see `exit_width`."""
    apart = np.maximum(boxes[:, None, :3] - boxes[None, :, 3:], boxes[None, :, :3] - boxes[:, None, 3:])
    gaps = np.linalg.norm(np.maximum(apart, 0.0), axis=2)
    widths, tiny = np.zeros(len(area)), np.finfo(float).tiny
    for i, gap in enumerate(gaps):
        gap[i] = -1.0                                   # the opening itself is the first
        order = np.argsort(gap, kind="stable")
        gap, areas = gap[order], area[order]
        fits = 2.0 * np.maximum(2.0 * areas[0] - np.cumsum(areas), 0.0) / np.maximum(np.cumsum(length[order]), tiny)
        last = int(np.argmax(fits <= np.r_[gap[1:], np.inf]))
        widths[i] = max(fits[last], gap[last], 0.0)
    return widths
