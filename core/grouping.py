# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs → groups: what belongs together, so that hundreds of rows are a few findings.

Each pair is in exactly one group. The worst pair leads its group, and groups follow one another as their worst pairs
do. Needs no kernels.
"""
import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product

import numpy as np

from .arrays import starts_of
from .codes import A_IN_B, CONTAINED
from .errors import Refused
from .shown import pair_title

OBJECT, ASSEMBLY, SPACE, CONTAINER = GROUPINGS = ("object", "assembly", "space", "container")
SHARE_OF_ALL = 1 / 16       # of the diagonal of all spots: how far a place in space reaches, where nobody says
ALONE = -1                  # key of a pair that is a group of its own
CELL = 1.01                 # width of cells in lengths of a place: no rounding puts what is near two cells away
AROUND = tuple(product((-1.0, 0.0, 1.0), repeat=3))


@dataclass(eq=False)
class Groups:
    """What `group_pairs` found.

    by: one of GROUPINGS. rows: (pairs,) int64, rows of Findings.pairs, group after group, the worst first in each.
    start: (groups+1,) int64, where in `rows` each group begins. distance: how far from its worst pair a place in space
    reaches, in scene units; NaN for other kinds.
    """

    by: str
    rows: np.ndarray
    start: np.ndarray
    distance: float
    title_of_row: Callable[[int], str] = field(repr=False)      # of a group of one pair, and
    title_of_several: Callable[[int], str] = field(repr=False)      # of one with several, which this row leads

    def __len__(self) -> int:
        return len(self.start) - 1

    def __iter__(self) -> Iterator[tuple[str, np.ndarray]]:
        """(title, rows of Findings.pairs) of one group after the other."""
        for number in range(len(self)):
            yield self.title(number), self.rows[self.start[number]:self.start[number + 1]]

    def title(self, number: int) -> str:
        """What the pairs of a group share, the names of both objects where it is one pair."""
        begin, end = self.start[number:number + 2].tolist()
        return (self.title_of_row if end - begin == 1 else self.title_of_several)(int(self.rows[begin]))

    @property
    def number(self) -> np.ndarray:
        """(pairs,) int64: the group of each row of Findings.pairs."""
        number = np.empty(len(self.rows), np.int64)
        number[self.rows] = np.repeat(np.arange(len(self)), np.diff(self.start))
        return number


def group_pairs(report, by: str, assembly: Sequence[str | None] | None = None,
                distance: float | None = None) -> Groups:
    """The pairs of a report in groups.

    report: Findings. by: "object": the object that most pairs share is a group with all of these, then the one that
    most of the others share, and so on. "assembly": pairs within one assembly, or between the same two; `assembly`
    names that of each of report.objects, None for an object on its own. "space": the worst pair with all whose spots
    (`spots_of`) are no farther than `distance` from its own, then the worst of the others, and so on; None: a sixteenth
    of the diagonal of all spots. "container": what the same object contains; every other pair is a group of its own.
    Raises Refused for another word, and for a distance that is no length; ValueError where `assembly` is not one name
    per object.
    """
    if by not in GROUPINGS:
        raise Refused(f'There is no grouping by "{by}". The groupings are: {", ".join(GROUPINGS)}.')
    if distance is not None and not (math.isfinite(distance) and distance >= 0.0):
        raise Refused(f"The distance of groups must be a length of zero or more, not {distance}.")
    order, title = report.worst_first(), report.name
    reach = math.nan
    if by == OBJECT:
        keys = _by_object(report.pairs)
    elif by == CONTAINER:
        keys, title = containers_of(report.pairs), partial(_inside, report)
    elif by == SPACE:
        spots = spots_of(report)
        reach = _share_of_all(spots) if distance is None else float(distance)
        keys, title = _by_place(spots, order, reach), partial(_around, report)
    else:
        keys, title = _by_assembly(report, assembly)
    return _collected(report, by, order, keys, title, reach)


def containers_of(pairs: np.ndarray) -> np.ndarray:
    """(pairs,) int64: the object that contains the other one of each pair, ALONE where none does. pairs: structured
    array of PAIR_DTYPE."""
    outer = np.where(pairs["inner"] == A_IN_B, pairs["b"], pairs["a"])
    return np.where(pairs["verdict"] == CONTAINED, outer, ALONE).astype(np.int64)


def spots_of(report) -> np.ndarray:
    """(pairs,3) float64: where each pair is worst, NaN where nothing says. It is the middle of the two points of its
    depth; where there is none, of those of its gap; where there is none, of the box of its listed contacts. World
    coordinates."""
    pairs, spots = report.pairs, np.full((len(report.pairs), 3), np.nan)
    rows = np.flatnonzero(pairs["contacts"])
    if len(rows):
        ends, start = report.contacts.point, pairs["contact_start"][rows]       # where a pair begins, one ends
        low, high = np.minimum.reduceat(ends.min(axis=1), start), np.maximum.reduceat(ends.max(axis=1), start)
        spots[rows] = 0.5 * low + 0.5 * high
    for name in ("gap_points", "depth_points"):
        middle = 0.5 * pairs[name][:, 0] + 0.5 * pairs[name][:, 1]
        known = np.isfinite(middle).all(axis=1)
        spots[known] = middle[known]
    return spots


def _inside(report, outer: int) -> str:
    return f"inside {report.name(outer)}"


def _around(report, row: int) -> str:
    """Title of the place where a row is the worst."""
    return f"around {_both(report, row)}"


def _both(report, row: int) -> str:
    """The names of the objects of a row of Findings.pairs."""
    a, b = (report.name(int(report.pairs[side][row])) for side in "ab")
    inner = report.inner(row)
    return pair_title(a, b, None if inner is None else report.name(inner))


def _share_of_all(spots: np.ndarray) -> float:
    """SHARE_OF_ALL of the diagonal of the spots' box; 0 where there are none."""
    known = spots[np.isfinite(spots).all(axis=1)]
    return SHARE_OF_ALL * float(np.linalg.norm(np.ptp(known, axis=0))) if len(known) else 0.0


def _by_object(pairs: np.ndarray) -> np.ndarray:
    """(pairs,) int64: the object by which each pair is grouped. Of objects that as many pairs share the one with the
    least number is first."""
    a, b = pairs["a"].astype(np.int64), pairs["b"].astype(np.int64)
    two = a != b
    ends, rows = np.concatenate([a, b[two]]), np.concatenate([np.arange(len(a)), np.flatnonzero(two)])
    count = np.bincount(ends)
    rows, first = rows[np.argsort(ends, kind="stable")], starts_of(count)       # by object
    left, sides, keys = count.tolist(), list(zip(a.tolist(), b.tolist())), [ALONE] * len(a)
    queue = [(-number, index) for index, number in enumerate(left) if number]
    heapq.heapify(queue)
    while queue:
        number, index = heapq.heappop(queue)
        if -number != left[index]:      # some of its pairs have gone to another group
            if left[index]:
                heapq.heappush(queue, (-left[index], index))
            continue
        for row in rows[first[index]:first[index + 1]].tolist():
            if keys[row] == ALONE:
                keys[row] = index
                for each in set(sides[row]):
                    left[each] -= 1
    return np.array(keys, np.int64)


def _by_assembly(report, assembly: Sequence[str | None] | None) -> tuple[np.ndarray, Callable[[int], str]]:
    """(pairs,) int64 numbers of two assemblies each, and their names. An object on its own is its own assembly."""
    if assembly is None or len(assembly) != len(report.objects):
        raise ValueError("Grouping by assembly takes the name of an assembly, or None, for each of report.objects.")
    names = [info.name if own is None else own for info, own in zip(report.objects, assembly)]
    known = list(dict.fromkeys(names))
    number = {name: place for place, name in enumerate(known)}
    of_object = np.zeros(max((info.index for info in report.objects), default=0) + 1, np.int64)
    of_object[[info.index for info in report.objects]] = [number[name] for name in names]
    one, other = of_object[report.pairs["a"]], of_object[report.pairs["b"]]

    def title(key: int) -> str:
        first, second = divmod(key, len(known))
        return known[first] if first == second else f"{known[first]} × {known[second]}"

    return np.minimum(one, other) * len(known) + np.maximum(one, other), title


def _by_place(spots: np.ndarray, order: np.ndarray, reach: float) -> np.ndarray:
    """(pairs,) int64: the row that leads each pair's place. Pairs without a spot are one place. order: (pairs,) rows,
    the worst first."""
    keys, known = np.empty(len(spots), np.int64), np.isfinite(spots).all(axis=1)
    without = order[~known[order]]
    keys[without] = without[:1]
    cells: dict[tuple, list] = {}       # (rank, row, spot) of those that lead
    side = CELL * reach if reach > 0.0 else 1.0
    rows = order[known[order]]
    for rank, (row, (x, y, z)) in enumerate(zip(rows.tolist(), spots[rows].tolist())):
        cell = (x // side, y // side, z // side)
        leads = (each for step in AROUND for each in cells.get(tuple(map(sum, zip(cell, step))), ()))
        near = [(first, led) for first, led, (u, v, w) in leads
                if (x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w) <= reach * reach]
        if not near:
            cells.setdefault(cell, []).append((rank, row, (x, y, z)))
        keys[row] = min(near)[1] if near else row
    return keys


def _collected(report, by: str, order: np.ndarray, keys: np.ndarray, title: Callable[[int], str],
               distance: float) -> Groups:
    """Groups of the pairs with equal keys, those with ALONE each by itself. order: (pairs,) rows, the worst first.
    title(key): of a group of several pairs."""
    kept = keys[order]
    apart = np.where(kept == ALONE, -2 - np.arange(len(kept)), kept)        # no two of them are alike
    _, first, which = np.unique(apart, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))[which.reshape(-1)]                 # of the group of each pair
    return Groups(by, order[np.argsort(rank, kind="stable")], starts_of(np.bincount(rank)), distance,
                  partial(_both, report), lambda row: title(int(keys[row])))
