# SPDX-License-Identifier: GPL-3.0-or-later
"""The regions of one pair, by numpy and Python alone: the oracle of `touchpoint.core.depth.region_labels`. It looks at
all of both surfaces, asks each group of vertices, and divides each triangle that touches two things."""
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from touchpoint.core.contacts import AREA, Contacts

from .triangle_cells import Cells, divide

END_ERROR = 2.0 ** -39      # of the longer of two triangles' edges: more than the ends of their contact may err
POINT_ERROR = 2.0 ** -50    # and of the largest coordinate
NO_GROUP = -1


class Surface(NamedTuple):
    """An object in the world, and what it is measured in."""

    vertices: np.ndarray                # (n,3) float64
    triangles: np.ndarray               # (m,3) int32
    other: np.ndarray                   # (6,) float64, the tight box of the other object
    # (k,3) points -> (k,) bool: may each be inside the other object? None: it has no inside.
    may_hold: Callable[[np.ndarray], np.ndarray] | None


class Patch(NamedTuple):
    """What a region has of a surface inside the other solid, or a little more that is outside."""

    triangles: np.ndarray               # (k,) int64, whole ones
    trapezoids: np.ndarray              # (t,4,3) float64, of triangles that several regions share

    def is_empty(self) -> bool:
        return len(self.triangles) == len(self.trapezoids) == 0

    def mesh(self, surface: Surface) -> tuple[np.ndarray, np.ndarray]:
        """(vertices, triangles) of the patch."""
        used, triangles = np.unique(surface.triangles[self.triangles], return_inverse=True)
        corners = len(used) + 4 * np.arange(len(self.trapezoids))[:, None]
        return (np.concatenate([surface.vertices[used], self.trapezoids.reshape(-1, 3)]),
                np.concatenate([triangles.reshape(-1, 3), corners + (0, 1, 2), corners + (0, 2, 3)]))


class PairRegions(NamedTuple):
    """The regions of one pair."""

    of_contacts: np.ndarray             # (contacts,) int64
    patches: list[tuple[Patch, Patch]]  # of each region, on both surfaces
    slack: np.ndarray                   # (regions,) float64, by how much depths in patches may be wrong


class _Joined:
    """Numbers that are joined to sets, each known by the least of them."""

    def __init__(self, count: int):
        self.parent = list(range(count))

    def find(self, one: int) -> int:
        parent = self.parent
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    def join(self, numbers) -> None:
        """Make one set of those of some numbers."""
        roots = {self.find(each) for each in numbers}
        if len(roots) > 1:
            least = min(roots)
            for root in roots:
                self.parent[root] = least

    def all(self) -> np.ndarray:
        """(n,) int64: the least number in the set of each."""
        return np.array([self.find(each) for each in range(len(self.parent))], np.int64)


@dataclass
class _Side:
    """One of the two surfaces while regions are sought. A node is a place or a group that may be inside."""

    surface: Surface
    crossed: np.ndarray                 # (c,) int64, triangles with contacts
    row: np.ndarray                     # (contacts,) int64, which of them each contact is of
    first: np.ndarray                   # (c + 1,) int64: contacts_by_row[first[i]:first[i + 1]] are those of crossed[i]
    contacts_by_row: np.ndarray         # (contacts,) int64
    rest: np.ndarray                    # (r,) int64, triangles without contacts
    node_of_rest: np.ndarray            # (r,) int64, NO_GROUP: outside
    node_of_corner: np.ndarray          # (c,3) int64, of the crossed ones' corners
    divided: dict[int, tuple[Cells, np.ndarray]] = field(default_factory=dict)      # cells, and a node of each or -1

    def own(self, i: int) -> np.ndarray:
        """(k,) int64: the contacts of crossed[i]."""
        return self.contacts_by_row[self.first[i]:self.first[i + 1]]


def regions_of(surfaces: tuple[Surface, Surface], contacts: Contacts, place: np.ndarray) -> PairRegions:
    """The regions of a pair, those with contacts first, in the order of these. contacts: all of the pair; place: (n,)
    int64, whole numbers."""
    place = np.unique(place, return_inverse=True)[1].astype(np.int64)
    count, sides = int(place.max(initial=-1)) + 1, []
    for surface, triangle in zip(surfaces, (contacts.triangle_a, contacts.triangle_b)):
        side, count = _side(surface, triangle.astype(np.int64), count)
        sides.append(side)
    joined = _Joined(count)
    for side, other in zip(sides, sides[::-1]):
        _join_across(side, other, contacts, place, joined)
    root = joined.all()
    wanted = np.concatenate([place] + [nodes[nodes != NO_GROUP] for side in sides
                                       for nodes in (side.node_of_rest, side.node_of_corner.ravel())])
    found, at = np.unique(root[wanted], return_index=True)
    number = np.full(count, NO_GROUP)
    number[found[np.argsort(at)]] = np.arange(len(found))
    region = number[root]
    slack = np.zeros(len(found))
    patches = [_patches(side, place, region, len(found), slack) for side in sides]
    return PairRegions(region[place], list(zip(*patches)), slack)


def _side(surface: Surface, triangle: np.ndarray, count: int) -> tuple[_Side, int]:
    """(side, count): count nodes there are before it, and with its groups. triangle: (contacts,) int64."""
    crossed, row = np.unique(triangle, return_inverse=True)
    order = np.argsort(row, kind="stable")
    first = np.searchsorted(row[order], np.arange(len(crossed) + 1))
    keep = np.ones(len(surface.triangles), bool)
    keep[crossed] = False
    rest, corners = np.flatnonzero(keep), np.full((len(crossed), 3), NO_GROUP)
    if surface.may_hold is None:
        return _Side(surface, crossed, row, first, order, rest, np.full(len(rest), NO_GROUP), corners), count
    position, positions = _positions(surface.vertices)
    triangles = position[surface.triangles]
    lead, group = components(triangles[rest], positions)
    of_position = np.full(positions, NO_GROUP)
    of_position[triangles[rest]] = group[:, None]
    alone = np.unique(triangles[crossed])
    alone = alone[of_position[alone] == NO_GROUP]
    of_position[alone] = len(lead) + np.arange(len(alone))
    stands = np.concatenate([triangles[rest[lead], 0], alone])      # a position of each group
    low, high = surface.other[:3], surface.other[3:]
    beyond = ((surface.vertices < low) | (surface.vertices > high)).any(axis=1)
    inside = np.ones(len(stands), bool)
    used = np.zeros(len(surface.vertices), bool)
    used[surface.triangles] = True
    inside[of_position[position[beyond & used]]] = False
    vertex = np.empty(positions, np.int64)
    vertex[position] = np.arange(len(position))
    asked = np.flatnonzero(inside)
    inside[asked] = surface.may_hold(surface.vertices[vertex[stands[asked]]])
    node = np.where(inside, count + np.cumsum(inside) - 1, NO_GROUP)
    return (_Side(surface, crossed, row, first, order, rest, node[group], node[of_position[triangles[crossed]]]),
            count + int(inside.sum()))


def _positions(vertices: np.ndarray) -> tuple[np.ndarray, int]:
    """(number of each vertex's position, how many positions there are): imported files split vertices at seams."""
    number = np.unique(vertices + 0.0, axis=0, return_inverse=True)[1].ravel()
    return number, int(number.max()) + 1


def components(triangles: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The first triangle of each component, and the component of each triangle. triangles: of vertices below count."""
    joined = _Joined(count)
    for corners in triangles.tolist():
        joined.join(corners)
    root = joined.all()[triangles[:, 0]] if len(triangles) else np.zeros(0, np.int64)
    found, first, of = np.unique(root, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[of]


def _join_across(side: _Side, other: _Side, contacts: Contacts, place: np.ndarray, joined: _Joined) -> None:
    """Join what one cell of a triangle with contacts touches."""
    if side.surface.may_hold is None:
        return
    several = _with_several(side, place)
    for i in several[np.argsort(np.diff(side.first)[several], kind="stable")].tolist():
        own = side.own(i)
        nodes = np.unique(place[own]).tolist() + [node for node in side.node_of_corner[i].tolist() if node != NO_GROUP]
        if len({joined.find(node) for node in nodes}) == 1:
            continue
        cells = None if (contacts.kind[own] == AREA).any() else _cells(side, other, i, own, contacts)
        if cells is None or not _join_cells(side, i, cells, place[own], joined):
            joined.join(nodes)


def _with_several(side: _Side, place: np.ndarray) -> np.ndarray:
    """(k,) int64: rows of side.crossed whose contacts and inner corners have several nodes."""
    corner, which = np.nonzero(side.node_of_corner != NO_GROUP)
    nodes = np.concatenate([np.stack([side.row, place], axis=1),
                            np.stack([corner, side.node_of_corner[corner, which]], axis=1)])
    return np.flatnonzero(np.bincount(np.unique(nodes, axis=0)[:, 0]) > 1)


def _cells(side: _Side, other: _Side, i: int, own: np.ndarray, contacts: Contacts) -> Cells | None:
    """The cells of side.crossed[i], which has the contacts `own`."""
    triangle = side.surface.vertices[side.surface.triangles[side.crossed[i]]]
    beside = other.surface.vertices[other.surface.triangles[other.crossed[other.row[own]]]]
    longest = max(np.ptp(triangle, axis=0).max(), np.ptp(beside, axis=1).max())
    error = 2.0 * END_ERROR * longest + POINT_ERROR * np.abs(triangle).max()
    return divide(triangle, contacts.point[own], error)


def _join_cells(side: _Side, i: int, cells: Cells, place: np.ndarray, joined: _Joined) -> bool:
    """True where the nodes that each inner cell of a triangle touches were joined; False where cells do not fit what is
    known of the triangle's corners. place: (k,) int64, of its contacts."""
    assert side.surface.may_hold is not None
    inside = np.isnan(cells.middle[:, 0])
    inside[~inside] = side.surface.may_hold(cells.middle[~inside])
    touched: list[list[int]] = [[] for _ in inside]
    for cell, contact in cells.contacts.tolist():
        touched[cell].append(int(place[contact]))
    for corner, node in enumerate(side.node_of_corner[i].tolist()):
        around = [cell for cell in cells.corners[cells.corners[:, 1] == corner, 0].tolist() if inside[cell]]
        if node != NO_GROUP and not around:
            return False
        for cell in around:
            touched[cell] += [node] if node != NO_GROUP else []
    if not all(touched[cell] for cell in np.flatnonzero(inside)):
        return False
    for one, two in cells.close.tolist():
        joined.join((int(place[one]), int(place[two])))
    for cell in np.flatnonzero(inside):
        joined.join(touched[cell])
    side.divided[i] = cells, np.array([nodes[0] if within else NO_GROUP for nodes, within in zip(touched, inside)])
    return True


def _patches(side: _Side, place: np.ndarray, region: np.ndarray, count: int, slack: np.ndarray) -> list[Patch]:
    """What each region has of a side. region: (nodes,) int64; slack: (count,) float64, grows where triangles are
    divided."""
    blank = np.zeros((0, 4, 3))
    if side.surface.may_hold is None:
        return [Patch(np.zeros(0, np.int64), blank)] * count
    mine = np.where(side.node_of_rest == NO_GROUP, NO_GROUP, region[side.node_of_rest])
    of_crossed = np.zeros(len(side.crossed), np.int64)
    of_crossed[side.row] = region[place]        # of one contact of each: of all, unless the triangle is divided
    pieces: list[list[np.ndarray]] = [[blank] for _ in range(count)]
    for i, (cells, node) in side.divided.items():
        own = region[place[side.own(i)]]
        corner = side.node_of_corner[i]
        if len(set(own.tolist()) | set(region[corner[corner != NO_GROUP]].tolist())) == 1:
            continue
        of_crossed[i] = NO_GROUP
        slack[own] = np.maximum(slack[own], cells.slack)
        of_cell = np.where(node == NO_GROUP, NO_GROUP, region[node])[cells.cell]
        for each in np.unique(of_cell[of_cell != NO_GROUP]).tolist():
            pieces[each].append(cells.trapezoids[of_cell == each])
            slack[each] = max(slack[each], cells.slack)
    triangles, regions = np.concatenate([side.rest, side.crossed]), np.concatenate([mine, of_crossed])
    order = np.argsort(regions, kind="stable")
    ends = np.searchsorted(regions[order], np.arange(count + 1))
    return [Patch(triangles[order[ends[k]:ends[k + 1]]], np.concatenate(pieces[k])) for k in range(count)]
