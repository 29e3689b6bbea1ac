# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts → places: connected pieces of what two surfaces have in common, which is what a person counts.

A pair of boxes that cross has dozens of contacts, one per pair of triangles, and meets at one place. Needs no kernels:
methods that have none share it.
"""
import numpy as np

from .arrays import starts_of
from .contacts import AREA, Contacts

MOST_COUNTED_CONTACTS = 1 << 17  # of more nobody counts places: some tenths of a second
LENGTH_SHARE = 2.0 ** -20       # ends are the same that are no farther apart, in lengths of their segments
PLACE_ROUNDING = 2.0 ** -44     # and in their coordinates
AREA_GROWTH = 0.25              # of an area: its two farthest corners do not span all of it
ORDER_DIRECTION = np.array([0.3360, 0.3217, 0.2911])  # along which ends are ordered: like no edge of a user's, and its
                                                    # coordinates add up to less than 1: along it nothing is farther
LOOK_AHEAD = 4                  # in that order: equal ends are next to each other but for chance


def places(contacts: Contacts) -> np.ndarray:
    """(n,) int32: the place that each contact belongs to, numbered from 0 in the order of the contacts. A place is one
    of a single pair.

    Contacts of a pair are at one place where an end of the one is an end of the other, and where they share a triangle,
    touch, and one of them is an area.
    """
    if len(contacts) == 0:
        return np.zeros(0, np.int32)
    one, other = contacts.point[:, 0], contacts.point[:, 1]
    low, high = np.minimum(one, other), np.maximum(one, other)
    order, first, links = _common_ends(contacts, _largest(high - low))
    label = _joined(order, first, np.concatenate([links, _touching_areas(contacts, low, high)], axis=1))
    return np.unique(label, return_inverse=True)[1].astype(np.int32)


def count_places(label: np.ndarray, pair: np.ndarray, pairs: int) -> np.ndarray:
    """(pairs,) int64: at how many places each pair meets. label, pair: (n,) the place and the pair of each contact."""
    first = np.unique(label, return_index=True)[1]
    return np.bincount(pair[first], minlength=pairs)


def _largest(numbers: np.ndarray) -> np.ndarray:
    """(n,) float64: the largest of each row of (n,3), in a third of the time of `max`."""
    return np.maximum(np.maximum(numbers[:, 0], numbers[:, 1]), numbers[:, 2])


def _common_ends(contacts: Contacts, size: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(order, first, links): ends, 2·contact or one more, (2n,), in an order in which those at one point follow one
    another, but for rare chance; where in it another point begins; (2,k) contacts that chance has kept apart. size:
    (n,) of each contact."""
    ends, pair = contacts.point.reshape(-1, 3), np.repeat(contacts.pair, 2)
    near = np.repeat(LENGTH_SHARE * size, 2) + PLACE_ROUNDING * _largest(np.abs(ends))
    x, y, z = ends.T
    along = x * ORDER_DIRECTION[0] + y * ORDER_DIRECTION[1] + z * ORDER_DIRECTION[2]    # whatever other ends there are
    order = np.lexsort((along, pair))
    x, y, z, pair, near, along = (each[order] for each in (x, y, z, pair, near, along))

    def same(ahead: int) -> np.ndarray:
        """Rows of the order at whose point is also the end so many rows later."""
        rows = np.flatnonzero((along[ahead:] - along[:-ahead] <= near[ahead:] + near[:-ahead])
                              & (pair[ahead:] == pair[:-ahead]))
        allowed = near[rows] + near[rows + ahead]
        for axis in (x, y, z):      # one after the other: in a third of the time of all at once
            close = np.abs(axis[rows] - axis[rows + ahead]) <= allowed
            rows, allowed = rows[close], allowed[close]
        return rows

    begins = np.ones(len(order), bool)
    begins[1 + same(1)] = False
    point, links = np.cumsum(begins), np.zeros((2, 0), np.int64)
    for ahead in range(2, min(LOOK_AHEAD, len(order) - 1) + 1):
        rows = same(ahead)
        rows = rows[point[rows] != point[rows + ahead]]
        links = np.concatenate([links, order[np.stack([rows, rows + ahead])] >> 1], axis=1)
    return order, np.flatnonzero(begins), links


def _touching_areas(contacts: Contacts, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(2,k) contacts of one pair that share a triangle and whose boxes touch, one of them an area. low, high: (n,3)."""
    is_area = contacts.kind == AREA
    links = [np.zeros((2, 0), np.int64)]
    if not is_area.any():
        return links[0]
    margin = np.where(is_area, AREA_GROWTH * _largest(high - low), 0.0)
    lows, highs = [low[:, x] - margin for x in range(3)], [high[:, x] + margin for x in range(3)]
    for triangle in (contacts.triangle_a, contacts.triangle_b):
        order = np.lexsort((lows[0], triangle, contacts.pair))
        begins = np.append(True, (np.diff(triangle[order]) != 0) | (np.diff(contacts.pair[order]) != 0))
        run = np.cumsum(begins) - 1
        with_area = np.bincount(run, is_area[order]) > 0
        at = np.flatnonzero(with_area[run])
        end = starts_of(np.bincount(run))[1:][run]
        ahead = 1
        while len(at := at[at + ahead < end[at]]):
            one, other = order[at], order[at + ahead]
            near = lows[0][other] <= highs[0][one]
            at, one, other = at[near], one[near], other[near]       # none begins before the one that it is after
            near = is_area[one] | is_area[other]
            one, other = one[near], other[near]
            for low_of, high_of in zip(lows[1:], highs[1:]):
                touch = (low_of[one] <= high_of[other]) & (low_of[other] <= high_of[one])
                one, other = one[touch], other[touch]
            links.append(np.stack([one, other]))
            ahead += 1
    return np.concatenate(links, axis=1)


def _joined(order: np.ndarray, first: np.ndarray, links: np.ndarray) -> np.ndarray:
    """(n,) int64: of each contact the least number of one that it is joined to, by however many points and links.
    order, first, links: as `_common_ends` makes them."""
    label, before, at = np.arange(len(order) // 2), None, order >> 1
    count, of_ends = np.diff(np.append(first, len(order))), np.empty_like(order)
    one, other = links
    while before is None or (label != before).any():
        before = label.copy()
        of_ends[order] = np.repeat(np.minimum.reduceat(label[at], first), count)
        label = of_ends.reshape(-1, 2).min(axis=1)
        np.minimum.at(label, one, label[other])
        np.minimum.at(label, other, label[one])
        np.minimum.at(label, before, label)         # and whose number was taken over so far
        while (label != label[label]).any():
            label = label[label]
    return label
