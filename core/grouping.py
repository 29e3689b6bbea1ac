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
from .codes import A_IN_B, CANNOT_TELL, CONTAINED, NEITHER
from .errors import Refused
from .shown import pair_title

OBJECT, ASSEMBLY, SPACE, CONTAINER = GROUPINGS = ("object", "assembly", "space", "container")
SHARE_OF_ALL = 1 / 16       # of the diagonal of all spots: how far a place in space reaches, where nobody says
UNWANTED = -1               # a row that nobody asks about
ALONE = -1                  # key of a pair that is a group of its own
CELL = 1.01                 # width of cells in lengths of a place: no rounding puts what is near two cells away
MOST_CELLS = 1 << 20        # along an axis
CELLS_APART = MOST_CELLS + 4     # of the codes of cells: no column runs into the next one
AROUND = np.array([CELLS_APART * (x * CELLS_APART + y) for x, y in product((-1, 0, 1), repeat=2)])


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
    of the diagonal of all spots. "container": what the same object contains, and what seems to be inside it, which has
    a hole; every other pair is a group of its own.
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
        keys = keys_by_object(report.pairs)
    elif by == CONTAINER:
        keys, title = keys_by_container(report.pairs), partial(_inside, report)
    elif by == SPACE:
        spots = spots_of(report)
        reach = share_of_all(spots) if distance is None else float(distance)
        keys, title = keys_by_place(spots, order, reach), partial(_around, report)
    else:
        keys, title = _by_assembly(report, assembly)
    return _collected(report, by, order, keys, title, reach)


def keys_by_container(pairs: np.ndarray) -> np.ndarray:
    """(pairs,) int64: the same number for what the same object contains, and another one for what seems to be inside
    it; ALONE for other pairs. pairs: structured array of PAIR_DTYPE, or of the list's."""
    outer = np.where(pairs["inner"] == A_IN_B, pairs["b"], pairs["a"]).astype(np.int64)     # the list's have no sign
    untold = pairs["verdict"] == CANNOT_TELL
    inside = (pairs["inner"] != NEITHER) & (untold | (pairs["verdict"] == CONTAINED))
    return np.where(inside, 2 * outer + untold, ALONE)


def container_of(key: int) -> tuple[int, str]:
    """(the object, how the others are in it) of a key that is not ALONE."""
    return key // 2, "perhaps inside" if key % 2 else "inside"


def spots_of(report, rows: np.ndarray | None = None) -> np.ndarray:
    """(k,3) float64: where each of these rows of Findings.pairs, (k,) int64, is worst, or each of all; NaN where
    nothing says. It is the middle of the two points of its depth; where there is none, of those of its gap; where there
    is none, of the box of its listed contacts. World coordinates."""
    pairs, number, ends = report.pairs, report.contacts.pair, report.contacts.point
    if rows is not None:
        place = np.full(len(pairs), UNWANTED, np.int32)
        place[rows] = np.arange(len(rows))
        listed = np.flatnonzero(place[number] != UNWANTED)
        pairs, number, ends = pairs[rows], place[number[listed]], ends[listed]
    order, spots = np.argsort(number, kind="stable"), np.full((len(pairs), 3), np.nan)
    found, start = np.unique(number[order], return_index=True)
    if len(found):
        ends = ends[order]
        low, high = np.minimum.reduceat(ends.min(axis=1), start), np.maximum.reduceat(ends.max(axis=1), start)
        spots[found] = 0.5 * low + 0.5 * high
    for name in ("gap_points", "depth_points"):
        middle = 0.5 * pairs[name][:, 0] + 0.5 * pairs[name][:, 1]
        known = np.isfinite(middle).all(axis=1)
        spots[known] = middle[known]
    return spots


def _inside(report, key: int) -> str:
    outer, how = container_of(key)
    return f"{how} {report.name(outer)}"


def _around(report, row: int) -> str:
    """Title of the place where a row is the worst."""
    return f"around {_both(report, row)}"


def _both(report, row: int) -> str:
    """The names of the objects of a row of Findings.pairs."""
    a, b = (report.name(int(report.pairs[side][row])) for side in "ab")
    inner = report.inner(row)
    return pair_title(a, b, None if inner is None else report.name(inner))


def share_of_all(spots: np.ndarray) -> float:
    """SHARE_OF_ALL of the diagonal of the spots' box; 0 where there are none."""
    known = spots[np.isfinite(spots).all(axis=1)]
    return SHARE_OF_ALL * float(np.linalg.norm(np.ptp(known, axis=0))) if len(known) else 0.0


def keys_by_object(pairs: np.ndarray) -> np.ndarray:
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


def keys_by_place(spots: np.ndarray, order: np.ndarray, reach: float) -> np.ndarray:
    """(pairs,) int64: the row that leads each pair's place. Pairs without a spot are one place. order: (pairs,) rows,
    the worst first."""
    keys, known = np.full(len(spots), ALONE, np.int64), np.isfinite(spots).all(axis=1)
    without = order[~known[order]]
    keys[without] = without[:1]
    rows = order[known[order]]
    if len(rows) == 0:
        return keys
    codes = _cells(spots[rows], reach)
    by_code = np.argsort(codes, kind="stable")
    rows_by_code, code = rows[by_code], codes[by_code]
    for row, cell in zip(rows.tolist(), codes.tolist()):
        if keys[row] != ALONE:
            continue
        columns = cell + AROUND
        first, last = np.searchsorted(code, columns - 1), np.searchsorted(code, columns + 1, "right")
        near = np.concatenate([rows_by_code[begin:end] for begin, end in zip(first, last)])
        near = near[keys[near] == ALONE]
        with np.errstate(over="ignore"):
            apart = (spots[near] - spots[row]) ** 2
            keys[near[apart[:, 0] + apart[:, 1] + apart[:, 2] <= reach * reach]] = row
    return keys


def _cells(spots: np.ndarray, reach: float) -> np.ndarray:
    """(n,) int64: of each spot (n,3) the code of its cell. The cells before and behind it along z have one less and
    one more, the columns around it differ by AROUND. What is near is no more than one cell away."""
    low = spots.min(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        extent = np.ptp(spots, axis=0).max()
        side = max(CELL * reach, extent / MOST_CELLS) or 1.0
        cells = np.floor((spots - low) / side)
    if not np.isfinite(extent):
        cells = np.zeros_like(spots)
    x, y, z = (cells.T.astype(np.int64) + 1)
    return (x * CELLS_APART + y) * CELLS_APART + z


def _collected(report, by: str, order: np.ndarray, keys: np.ndarray, title: Callable[[int], str],
               distance: float) -> Groups:
    """Groups of the pairs with equal keys. order: (pairs,) rows, the worst first. title(key): of a group of several
    pairs."""
    places, start = in_groups(keys[order])
    return Groups(by, order[places], start, distance, partial(_both, report), lambda row: title(int(keys[row])))


def in_groups(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(places, start): (n,) int64, those of the keys group after group, as the first of each group follow one another;
    (groups+1,) int64, where each group begins. keys: (n,) int64, equal ones in one group, ALONE each by itself."""
    apart = np.where(keys == ALONE, -2 - np.arange(len(keys)), keys)        # no two of them are alike
    _, first, which = np.unique(apart, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))[which.reshape(-1)]                 # of the group of each
    return np.argsort(rank, kind="stable"), starts_of(np.bincount(rank))
