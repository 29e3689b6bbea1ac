# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of pairs by their definition: one choice after the other, each over all that is left."""
import math


def by_object(sides, order):
    """Lists of rows. sides: (a, b) of each row; order: rows, the worst first."""
    left, groups = set(range(len(sides))), []
    while left:
        sharing = {}
        for row in left:
            for each in set(sides[row]):
                sharing.setdefault(each, set()).add(row)
        most = max(map(len, sharing.values()))
        chosen = sharing[min(each for each, rows in sharing.items() if len(rows) == most)]
        groups.append(chosen)
        left -= chosen
    return in_order(groups, order)


def by_place(spots, order, reach):
    """Lists of rows. spots: a point per row, or None; reach: of a place around its worst pair."""
    left, groups = list(order), []
    while left:
        leader = left[0]
        group = [row for row in left if near(spots[leader], spots[row], reach)]
        groups.append(group)
        left = [row for row in left if row not in group]
    return in_order(groups, order)


def near(one, other, reach):
    if one is None or other is None:
        return one is other
    return sum((x - y) * (x - y) for x, y in zip(one, other)) <= reach * reach


def by_key(keys, order):
    """Lists of rows with equal keys, rows with None each by itself."""
    groups = {}
    for row, key in enumerate(keys):
        groups.setdefault((row, "alone") if key is None else key, []).append(row)
    return in_order(groups.values(), order)


def in_order(groups, order):
    rank = {row: place for place, row in enumerate(order)}
    return sorted((sorted(group, key=rank.get) for group in groups), key=lambda group: rank[group[0]])


def share_of_all(spots):
    """A sixteenth of the diagonal of the box of all points."""
    known = [each for each in spots if each is not None]
    if not known:
        return 0.0
    return math.dist([min(axis) for axis in zip(*known)], [max(axis) for axis in zip(*known)]) / 16
